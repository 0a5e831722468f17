"""The sentence says what is earned or lost, and stays true when it is rounded."""

import math
from collections.abc import Callable

import numpy as np
import pytest
from bags import answered, published

from core.capabilities.profit.settings import ProfitSettings
from core.capabilities.profit.words import remarks, sentence
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.say.words import Sense
from core.vocabulary.system import System


@pytest.mark.parametrize(
    ("ratio", "said"),
    [
        (1.5, "the best you can earn is 61.67 ¤/s; the schedule found earns"),
        (0.9, "every batch loses money: at least 7.666 ¤/s, and "),
        (0.3, "every batch costs more than it brings: running nothing is best, and loses 30 ¤/s."),
    ],
)
def test_profit_loss_and_not_running_are_told_apart(
    two_by_two: Callable[..., System], ratio: float, said: str
) -> None:
    profit, front = answered(two_by_two(20, 10), published(ratio))
    told = sentence(profit, published(ratio), front)
    assert told.startswith(f"At {ratio} times the cost of the least energy ")
    assert said in told


def test_without_idle_power_not_to_run_loses_nothing(two_by_two: Callable[..., System]) -> None:
    profit, front = answered(two_by_two(), published(0.9))
    assert sentence(profit, published(0.9), front).endswith("is best, and loses nothing.")
    assert remarks(profit, published(0.9).money) == []


def test_a_bound_of_0_is_told_as_nothing_and_has_no_share(
    two_by_two: Callable[..., System],
) -> None:
    profit, front = answered(two_by_two(20, 10), published(1.0))
    told = sentence(profit, published(1.0), front)
    assert told.endswith("the schedule found earns 0 ¤/s, and no schedule can earn more.")


def test_where_only_tasks_in_parts_break_even_the_schedule_loses() -> None:
    machines = (MachineType("A", 2, 50.0),)
    system = System((TaskType("1", 31),), machines, np.array([[1.0]]), np.array([[100.0]]))
    profit, front = answered(system, published(1.0))
    assert sentence(profit, published(1.0), front).endswith(
        "the best you can earn is nothing; the schedule found loses 3.125 ¤/s."
    )


def test_a_loss_says_that_the_best_left_the_front_and_what_not_running_loses(
    two_by_two: Callable[..., System],
) -> None:
    said = " ".join(remarks(answered(two_by_two(20, 10), published(0.8))[0], published(0.8).money))
    assert "not on the front" in said
    assert (
        "Running nothing loses 30 ¤/s with the machines on, and nothing with all switched" in said
    )


def test_a_cap_says_what_a_kilowatt_is_worth_and_that_machines_wait(
    two_by_two: Callable[..., System],
) -> None:
    settings = published(1.2, cap_kw=0.04)
    profit, _ = answered(two_by_two(20, 10), settings)
    said = " ".join(remarks(profit, settings.money))
    assert (
        f"would earn {settings.money.say_rate(1e3 * profit.bound.cap_value, Sense.PLAIN)}" in said
    )
    assert profit.bound.cap_value > 0
    assert "wait between batches" in said


def test_the_words_for_a_price_name_its_ratio(two_by_two: Callable[..., System]) -> None:
    system = two_by_two(20, 10)
    settings = ProfitSettings(by="bag", price=1656.0, electricity="joule")
    profit, front = answered(system, settings)
    assert sentence(profit, settings, front).startswith(
        "At 1,656 ¤ a batch (1.2 times the cost of the least energy) "
    )
    assert math.isclose(front.energy[0], 1380.0)
