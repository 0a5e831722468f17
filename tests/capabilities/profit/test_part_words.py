"""What the command says of the tasks to accept, line by line, with figures that never end."""

from collections.abc import Callable

import numpy as np
import pytest

from core.capabilities.profit.accept import Acceptance, accept
from core.capabilities.profit.answer_words import MoneyRate
from core.capabilities.profit.part_words import part_as_data, part_report
from core.capabilities.profit.terms import Terms
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.say.words import HOUR
from core.vocabulary.system import System

AN_HOUR = MoneyRate(HOUR)


def accepted(system: System, cap: float, period: float = 7.0) -> Acceptance:
    return accept(system, Terms(0.0, power_cap=cap), np.array([300.0, 350.0]), period)


def lines(text: str) -> list[tuple[str, str]]:
    head, *rows = text.splitlines()
    return [("", head)] + [(row[2:12].strip(), row[14:]) for row in rows]


def test_every_figure(two_by_two: Callable[..., System]) -> None:
    """Type 1 takes 80 J on A and 40 on B; 7 s have room for 210 J above idle power: 80 + 3 x 40."""
    part = accepted(two_by_two(20, 10), 60.0)
    data = part_as_data(part, 7.0, AN_HOUR)
    assert data.pop("accepted") == {"1": 4, "2": 0}
    # At most: all on B, 3.5 s of it; then A, as far as the cap lets it.
    assert data.pop("upper_bound") == pytest.approx(459_000)
    assert data == pytest.approx(
        {
            "profit": 3600 * (1000 / 7 - 30),
            "gap": 459_000 - 3600 * (1000 / 7 - 30),
            "deadline": 7.0,
            "earns": 1000 - 210,
            "energy": 380.0,
            "makespan": 6.0,
            "average_power": 30 + 200 / 7,
            "peak_power": 130.0,
            "cap_price": 9900.0,
            "verified": True,
            "unit": "money per hour",
            "tasks": 12,
            "machines": 2,
        }
    )


def test_every_line(two_by_two: Callable[..., System]) -> None:
    """Issue 33, point 17: under a cap, the first line says the peak."""
    part = accepted(two_by_two(20, 10), 60.0)
    day, seconds = [("begin", "at once")], {"read": 0.5, "accept": 1.5}
    assert lines(part_report("it", part, 7.0, AN_HOUR, day, seconds)) == [
        (
            "",
            "it: accept 4 of 12 tasks; the cap of 60 W limits only its average power: the peak is "
            "130 W",
        ),
        ("system", "2 task types (12 tasks) on 2 machine types (2 machines)"),
        ("deadline", "7 s"),
        ("accept", "4 of 6 1"),
        ("", "none of 1 other task type"),
        ("earns", "790 until the deadline, 406,285 an hour"),
        ("at most", "459,001 an hour, by any schedule"),
        ("gap", "at most 52,714.3 an hour more could be earned (proven), 11.5 %"),
        ("makespan", "6 s"),
        ("energy", "380 J"),
        ("on average", "58.5715 W until the deadline"),
        ("peak", "130 W"),
        ("cap", "a kilowatt more would earn 9,900,000 an hour"),
        ("begin", "at once"),
        ("verified", "yes: other code computed every figure again from the tables"),
        ("took", "read 500 ms, accept 1.5 s"),
    ]


def test_power_that_keeps_the_cap_is_not_said_above_it(two_by_two: Callable[..., System]) -> None:
    told = dict(
        lines(part_report("it", accepted(two_by_two(20, 10), 58.57143), 7.0, AN_HOUR, [], {}))
    )
    assert told["on average"] == "58.57143 W until the deadline"


def test_what_is_earned_is_rounded_down_and_what_is_taken_up() -> None:
    """One task takes 100.00004 s and 700.00328 J of the 200 s, and brings 1,934.571164."""
    system = System(
        (TaskType("T"),), (MachineType("M"),), np.array([[100.00004]]), np.array([[7.00003]])
    )
    part = accept(system, Terms(0.0), np.array([1934.571164]), 200.0)
    told = dict(lines(part_report("it", part, 200.0, AN_HOUR, [], {})))
    assert told["earns"] == "1,234.56 until the deadline, 22,222.2 an hour"
    assert told["makespan"] == "100.001 s"
    assert told["energy"] == "700.004 J"


def test_nothing_to_accept(two_by_two: Callable[..., System]) -> None:
    part = accepted(two_by_two(20, 10), np.inf, period=0.9)
    data = part_as_data(part, 0.9, AN_HOUR)
    assert (data["energy"], data["makespan"], data["average_power"]) == (None, None, 30.0)
    assert lines(part_report("it", part, 0.9, AN_HOUR, [], {})) == [
        ("", "it: accept no tasks"),
        ("system", "2 task types (12 tasks) on 2 machine types (2 machines)"),
        ("deadline", "0.9 s"),
        ("", "none of 2 other task types"),
        ("earns", "−27 until the deadline, −108,000 an hour"),
        ("at most", "1,152,001 an hour, by any schedule"),
        ("gap", "at most 1,260,001 an hour more could be earned (proven)"),
        ("on average", "30 W until the deadline"),
        ("peak", "30 W"),
        ("verified", "yes: other code computed every figure again from the tables"),
        ("took", ""),
    ]


@pytest.mark.parametrize(
    ("types", "more"),
    [
        (20, []),
        (21, [("", "some of 1 more task type (see --json)")]),
        (22, [("", "some of 2 more task types (see --json)")]),
    ],
)
def test_twenty_task_types_are_listed_the_most_accepted_first(
    types: int, more: list[tuple[str, str]]
) -> None:
    counts = [1000 + k for k in range(types)]
    system = System(
        tuple(TaskType(f"T{k}", count) for k, count in enumerate(counts)),
        (MachineType("M", 1, 0.0),),
        np.full((types, 1), 1e-3),
        np.ones((types, 1)),
    )
    part = accept(system, Terms(0.0), np.ones(types), 1e3)
    rows = lines(part_report("it", part, 1e3, AN_HOUR, [], {}))
    listed = [(f"{1000 + k:,} of {1000 + k:,} T{k}") for k in reversed(range(types))][:20]
    assert rows[3 : 3 + 20 + len(more)] == [("accept", said) for said in listed] + more
    assert rows[3 + 20 + len(more)][0] == "earns"
