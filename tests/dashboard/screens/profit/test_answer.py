"""The figures stay true when they are rounded, and tell what not running earns."""

from collections.abc import Callable
from dataclasses import replace

from bags import answered, published

from core.capabilities.profit.earn import Profit
from core.capabilities.profit.prices import PriceSteps, price_steps
from core.vocabulary.system import System
from dashboard.screens.profit.answer import figures


def test_what_is_said_rounds_away_from_what_would_be_untrue(
    two_by_two: Callable[..., System],
) -> None:
    profit, _ = answered(two_by_two(20, 10), published(1.5))
    told = {f.label: f.value for f in figures(profit, steps_of(profit), published(1.5))}
    assert float(told["Upper bound"].split()[0]) >= profit.bound.value
    assert float(told["Found"].split()[0]) <= profit.value
    assert told["Price per batch"] == "2,070 ¤"


def test_what_the_cap_is_about_is_kept(two_by_two: Callable[..., System]) -> None:
    profit, _ = answered(two_by_two(20, 10), published(1.2, cap_kw=0.1))
    told = {f.label: f.value for f in figures(profit, steps_of(profit), published(1.2, 0.1))}
    watts, unit = told["Average power"].split()
    assert unit == "W"
    assert float(watts) <= 100.0


def steps_of(profit: Profit) -> PriceSteps:
    return price_steps(profit.system, profit.bound.terms)


def test_without_idle_power_not_to_run_loses_nothing(two_by_two: Callable[..., System]) -> None:
    profit, _ = answered(two_by_two(), published(0.9))
    told = {f.label: f.value for f in figures(profit, steps_of(profit), published(0.9))}
    assert told["Machines on"] == told["Switched off"] == "0 ¤/s"


def test_what_is_taken_and_the_gap_are_rounded_up_and_what_is_earned_down(
    two_by_two: Callable[..., System],
) -> None:
    profit, _ = answered(two_by_two(20, 10), published(1.5))
    assert profit.earnings is not None
    earned = replace(
        profit.earnings, period=100.01, energy=100.01 * 3600, power=7.00003, profit=99.996
    )
    profit = replace(profit, most=100.014345, earnings=earned)
    told = {f.label: f for f in figures(profit, steps_of(profit), published(1.5))}
    assert told["Upper bound"].value == "100.1 ¤/s"
    assert told["Found"].value == "99.99 ¤/s"
    assert told["Found"].meaning.endswith(" earns at most 0.01835 ¤/s more.")
    assert told["Period"].value == "100.1 s"
    assert told["Energy per batch"].value == "100.1 Wh"
    assert told["Average power"].value == "7.001 W"
