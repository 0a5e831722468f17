"""What the site means for the cluster: when energy costs least, and what it costs to stand idle."""

from collections.abc import Iterator, Sequence

import numpy as np

from core import System
from core.shells.told.told import KeyFigure, Told, ToldTable
from core.vocabulary.calendar import HOURS_OF_DAY
from core.vocabulary.prices.day import DailySteps, DayTariff, at_hour
from core.vocabulary.prices.site import ASSUMED, WATTS_PER_KW, Site
from core.vocabulary.say.words import (
    DAY,
    HOUR,
    JOULES_PER_KWH,
    NOTHING,
    Sense,
    amount,
    clock,
    joined,
    power,
    share,
    typed,
)

KG = "kg of CO₂"


def spans(steps: DailySteps, usual: float) -> list[tuple[float, float, float]]:
    """Over the day, each span of hours with one number: from, until, and the number; without steps
    the whole day has the `usual` one.
    """
    day = DayTariff.of_day(steps or ((0.0, usual),))
    changes = np.flatnonzero(np.diff(day.price, prepend=np.nan) != 0)
    begins = (day.begins[changes] / HOUR).tolist()
    return list(zip(begins, [*begins[1:], HOURS_OF_DAY], day.price[changes].tolist(), strict=True))


def told(site: Site, system: System, *, idle_is_said: bool = False) -> Told:
    """When a kWh costs least, and emits least, with what follows for the machines of a system. They
    may draw 0 W when idle if that `idle_is_said`; otherwise nobody has said what they draw.
    """
    return Told(
        lead(site),
        (*_sentences(site),),
        (*_figures(site, system, idle_is_said=idle_is_said),),
        (_by_hour(site),) if site.changes_by_hour else (),
    )


def lead(site: Site) -> str:
    said = [
        *_best(spans(site.day_tariff, site.price), "costs least", site.currency),
        *_best(spans(site.day_carbon, site.carbon), "emits least", KG),
    ]
    if said:
        return f"A kWh {', and '.join(said)}."
    if site.prices_are_assumed:
        assumed = f"{typed(site.price)} {site.currency}"
        if site.carbon == ASSUMED.carbon:
            assumed += f" and {typed(site.carbon)} {KG}"
        return (
            f"Nobody has said what energy costs here: Wattfront assumes {assumed} for each kWh. "
            "Type what you pay."
        )
    return (
        f"A kWh costs {typed(site.price)} {site.currency} and emits {typed(site.carbon)} {KG} at "
        "every hour, so it does not matter when machines work."
    )


def _best(day: Sequence[tuple[float, float, float]], what: str, unit: str) -> Iterator[str]:
    """When a number of the day is least, and how much less that is than the most."""
    numbers = [number for _, _, number in day]
    least, most = min(numbers), max(numbers)
    if least < most:
        less = share(1 - least / most, Sense.HEADLINE)
        yield f"{what} {_when(day, least)}: {typed(least)} {unit}, {less} below the most"


def _when(day: Sequence[tuple[float, float, float]], number: float) -> str:
    """The hours that have a number, those around midnight as one span."""
    there = [(begin, end) for begin, end, each in day if each == number]
    if len(there) > 1 and (there[0][0], there[-1][1]) == (0.0, HOURS_OF_DAY):
        there = [*there[1:-1], (there[-1][0], there[0][1])]
    return joined([f"from {clock(begin * HOUR)} to {clock(end * HOUR)}" for begin, end in there])


def _sentences(site: Site) -> Iterator[str]:
    if site.changes_by_hour:
        yield (
            "Where the hours are known in which energy is drawn, each kWh has the price and the "
            f"carbon of its hour. Elsewhere it has the means of the day: {typed(site.price)} "
            f"{site.currency} and {typed(site.carbon)} {KG}."
        )
    if site.pue == ASSUMED.pue:
        yield (
            "With a PUE of 1 the energy of cooling and of the hall does not count: ask who runs "
            "the hall."
        )
    if site.carbon_price:
        part = 1 - site.price / (site.tariff.per_joule / site.pue * JOULES_PER_KWH)
        yield f"The price of carbon is {share(part, Sense.PLAIN)} of what a kWh costs."


def steps_of(site: Site) -> list[tuple[float, float, float]]:
    """Midnight and each later hour at which anything changes, with the price and the carbon from
    then on.
    """
    prices = site.day_tariff or ((0.0, site.price),)
    carbons = site.day_carbon or ((0.0, site.carbon),)
    hours = sorted({0.0, *(hour for hour, _ in (*prices, *carbons))})
    return [(hour, at_hour(prices, hour), at_hour(carbons, hour)) for hour in hours]


def _by_hour(site: Site) -> ToldTable:
    """What a kWh costs and emits between two hours at which either changes."""
    begins, prices, carbons = zip(*steps_of(site), strict=True)
    day = site.day or DayTariff.of_day([(0.0, site.tariff.per_joule)])
    at = JOULES_PER_KWH * day.at(HOUR * np.array(begins))
    hours = [
        f"{clock(begin * HOUR)} to {clock(end * HOUR)}"
        for begin, end in zip(begins, [*begins[1:], HOURS_OF_DAY], strict=True)
    ]
    return ToldTable.of_columns(
        "By the hour",
        {
            "Hours": hours,
            f"Price ({site.currency}/kWh)": [*map(typed, prices)],
            "Carbon (kg CO₂/kWh)": [*map(typed, carbons)],
            f"A kWh at the machines ({site.currency})": [
                amount(one, Sense.PLAIN) for one in at.tolist()
            ],
        },
    )


def _figures(site: Site, system: System, *, idle_is_said: bool) -> Iterator[KeyFigure]:
    kwh = site.cost_of(JOULES_PER_KWH)
    yield KeyFigure(
        "A kWh at the machines",
        amount(kwh.money, Sense.PLAIN, site.currency),
        f"With PUE {typed(site.pue)} and the price of carbon, on average over the day.",
    )
    yield KeyFigure("Its CO₂", amount(kwh.carbon, Sense.PLAIN, "kg"), "PUE included.")
    watts = system.total_idle_power
    known = system.apc is not None and (idle_is_said or watts > 0)
    day = site.cost_of(watts * DAY, np.full(HOURS_OF_DAY, watts * HOUR))
    yield KeyFigure(
        "A day without work",
        amount(day.money, Sense.PLAIN, site.currency) if known else NOTHING,
        f"What all machines cost in a day on which they do nothing, PUE included; and "
        f"{amount(day.carbon, Sense.PLAIN, KG)}."
        if known
        else "The system does not say what its machines draw when they do nothing.",
    )
    capped = site.cap_kw is not None
    yield KeyFigure(
        "Power cap at the machines",
        power(site.cap_at_machines, Sense.PLAIN) if capped else "none",
        f"The {power((site.cap_kw or 0.0) * WATTS_PER_KW, Sense.TYPED)} of the site, divided by "
        "the PUE."
        if capped
        else "The site has no limit of power. Goals of Trade-offs can have one.",
    )
