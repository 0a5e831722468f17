"""The sentence says what is earned or lost, and stays true when it is rounded."""

import math

import pytest

from core.profit.conditions import Conditions
from core.profit.earn import Profit, earn
from core.profit.words import remarks, sentence
from core.relaxed import Front, trace_front
from core.system import MachineType, System, TaskType


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


@pytest.mark.parametrize(
    ("ratio", "said"),
    [
        (1.5, "the best you can earn is 61.67 ¤/s; the schedule found earns"),
        (0.9, "every bag loses money: at least 7.666 ¤/s, and "),
        (0.3, "every bag costs more than it brings: running nothing is best, and loses 30 ¤/s."),
    ],
)
def test_profit_loss_and_not_running_are_told_apart(ratio: float, said: str) -> None:
    profit, front = answered(two_by_two(), published(ratio))
    told = sentence(profit, published(ratio), front)
    assert told.startswith(f"At {ratio} times the cost of the least energy ")
    assert said in told


def test_without_idle_power_not_to_run_loses_nothing() -> None:
    profit, front = answered(two_by_two(0.0, 0.0), published(0.9))
    assert sentence(profit, published(0.9), front).endswith("is best, and loses nothing.")
    assert remarks(profit, published(0.9).money) == []


def test_a_bound_of_0_is_told_as_nothing_and_has_no_share() -> None:
    profit, front = answered(two_by_two(), published(1.0))
    told = sentence(profit, published(1.0), front)
    assert "%" not in told
    assert "earn is nothing" in told or "no schedule can earn more" in told


def test_a_loss_says_that_the_best_left_the_front_and_what_not_running_loses() -> None:
    said = " ".join(remarks(answered(two_by_two(), published(0.8))[0], published(0.8).money))
    assert "not on the front" in said
    assert (
        "Running nothing loses 30 ¤/s with the machines on, and nothing with all switched" in said
    )


def test_a_cap_says_what_a_kilowatt_is_worth_and_that_machines_wait() -> None:
    conditions = published(1.2, cap_kw=0.04)
    profit, _ = answered(two_by_two(), conditions)
    said = " ".join(remarks(profit, conditions.money))
    assert f"would earn {conditions.money.say_rate(1e3 * profit.bound.cap_value)}" in said
    assert profit.bound.cap_value > 0
    assert "wait between bags" in said


def test_the_words_for_a_price_name_its_ratio() -> None:
    system = two_by_two()
    conditions = Conditions(by="bag", price=1656.0, electricity="joule")
    profit, front = answered(system, conditions)
    assert sentence(profit, conditions, front).startswith(
        "At 1,656 ¤ a bag (1.2 times the cost of the least energy) "
    )
    assert math.isclose(front.energy[0], 1380.0)
