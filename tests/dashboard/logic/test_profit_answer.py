"""The figures stay true when they are rounded, and tell what not running earns."""

from core.profit.conditions import Conditions
from core.profit.earn import Profit, earn
from core.profit.prices import PriceSteps, price_steps
from core.relaxed import Front, trace_front
from core.system import MachineType, System, TaskType
from dashboard.logic.profit_answer import figures


def two_by_two(idle_a: float = 20.0, idle_b: float = 10.0) -> System:
    return System(
        (TaskType("1", 6), TaskType("2", 6)),
        (MachineType("A", 1, idle_a), MachineType("B", 1, idle_b)),
        [[1.0, 2.0], [2.0, 3.0]],
        [[100.0, 30.0], [100.0, 30.0]],
    )


def answered(system: System, conditions: Conditions) -> tuple[Profit, Front]:
    front = trace_front(system)
    return earn(system, conditions.terms(front), seconds=0), front


def published(ratio: float, cap_kw: float | None = None) -> Conditions:
    return Conditions(ratio=ratio, electricity="joule", cap_kw=cap_kw)


def test_what_is_said_rounds_away_from_what_would_be_untrue() -> None:
    profit, _ = answered(two_by_two(), published(1.5))
    told = {f.label: f.value for f in figures(profit, steps_of(profit), published(1.5))}
    assert float(told["At most"].split()[0]) >= profit.bound.value
    assert float(told["Found"].split()[0]) <= profit.value
    assert told["Price a bag"] == "2,070 ¤"


def test_what_the_cap_is_about_is_kept() -> None:
    profit, _ = answered(two_by_two(), published(1.2, cap_kw=0.1))
    told = {f.label: f.value for f in figures(profit, steps_of(profit), published(1.2, 0.1))}
    watts, unit = told["Average power"].split()
    assert unit == "W"
    assert float(watts) <= 100.0


def steps_of(profit: Profit) -> PriceSteps:
    return price_steps(profit.system, profit.bound.terms)


def test_without_idle_power_not_to_run_loses_nothing() -> None:
    profit, _ = answered(two_by_two(0.0, 0.0), published(0.9))
    told = {f.label: f.value for f in figures(profit, steps_of(profit), published(0.9))}
    assert told["Machines on"] == told["Switched off"] == "0 ¤/s"
