"""What energy costs at a site, as a key figure, and as a sentence on how it is priced."""

from collections.abc import Iterable, Iterator

from core.shells.told.told import KeyFigure
from core.vocabulary.prices.site import EnergyCost, Site
from core.vocabulary.say.words import Sense, amount


def _said(cost: EnergyCost, site: Site, sense: Sense) -> tuple[str, str]:
    """Money and CO2, each with its unit."""
    return amount(cost.money, sense, site.currency), amount(cost.carbon, sense, "kg of CO₂")


def money_columns(costs: Iterable[EnergyCost], site: Site) -> dict[str, list[str]]:
    """Two columns of a table, money and CO2."""
    said = [_said(cost, site, Sense.PLAIN) for cost in costs]
    return {"Cost": [money for money, _ in said], "CO₂": [carbon for _, carbon in said]}


def energy_cost_figure(label: str, cost: EnergyCost, site: Site, of: str) -> KeyFigure:
    """The money, with what it is `of` and the CO2 in its meaning."""
    money, carbon = _said(cost, site, Sense.HEADLINE)
    return KeyFigure(label, money, f"{of}, PUE included; and {carbon}.")


def priced_said(site: Site | None, *, knows_hours: bool) -> Iterator[str]:
    """How energy is priced, if a price or the carbon changes with the hour."""
    if site is None or not site.changes_by_hour:
        return
    if knows_hours:
        yield "Each kWh has the price and the carbon of the hour in which it is drawn."
    else:
        price, carbon = _said(EnergyCost(site.price, site.carbon), site, Sense.TYPED)
        yield (
            "At which hours of the day the energy is drawn is not known, so each kWh costs "
            f"{price} and emits {carbon}: what holds at the site where no hour is known."
        )
