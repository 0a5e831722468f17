"""What a site is, in words."""

from collections.abc import Iterator

from core.vocabulary.prices.day import DailySteps
from core.vocabulary.prices.site import WATTS_PER_KW, Site
from core.vocabulary.say.words import HOUR, Sense, amount, clock, power, typed


def site_facts(site: Site) -> Iterator[tuple[str, str]]:
    """All that is known of a site: what it is, and how much."""
    yield "Electricity", amount(site.price, Sense.TYPED, f"{site.currency}/kWh")
    if site.day_tariff:
        yield "Electricity by hour", f"{steps_said(site.day_tariff)} ({site.currency}/kWh)"
    yield "Carbon", amount(site.carbon, Sense.TYPED, "kg CO₂/kWh")
    if site.day_carbon:
        yield "Carbon by hour", f"{steps_said(site.day_carbon)} (kg CO₂/kWh)"
    if site.carbon_price:
        yield "Carbon price", amount(site.carbon_price, Sense.TYPED, f"{site.currency}/kg CO₂")
    if site.pue != 1:
        yield "PUE", typed(site.pue)
    if site.cap_kw is not None:
        yield "Power cap", f"{power(site.cap_kw * WATTS_PER_KW, Sense.TYPED)} on average"


def steps_said(steps: DailySteps) -> str:
    """Numbers from hours of the day on: "0.2 from 0:00, 0.35 from 7:00"."""
    return ", ".join(f"{typed(number)} from {clock(hour * HOUR)}" for hour, number in sorted(steps))
