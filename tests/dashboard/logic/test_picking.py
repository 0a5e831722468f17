"""A wish is answered in one sentence: what it gives up, what is proven, or what is possible."""

import numpy as np
import pytest

from core.front.tariff import Tariff
from core.pick import Possible
from core.samples import load_sample
from core.study import Study, study
from dashboard.logic.axis import Axis, axis_for
from dashboard.logic.picking import KINDS, Asked, Kind, gives_up, proven_near, reply, unit_of, usual

MONEY = axis_for("money", Tariff(0.5), "EUR", 1.0)


@pytest.fixture(scope="module")
def found() -> Study:
    return study(load_sample("testbed").with_idle_fraction(0.1), seconds=0, spacing=0.05)


@pytest.fixture(scope="module")
def kwh(found: Study) -> Axis:
    return axis_for("kWh", Tariff(1.0), "EUR", float(found.nadir[0]))


@pytest.mark.parametrize("kind", KINDS)
def test_the_wish_to_begin_with_is_met(found: Study, kwh: Axis, kind: Kind) -> None:
    asked = usual(kind, found.front, unit_of(kind, found.front, kwh))
    answer = reply(found, asked, kwh)
    assert answer.met
    assert answer.sentence.startswith("Done in ")
    assert "Proven: " in answer.sentence


@pytest.mark.parametrize(
    ("kind", "share", "possible"),
    [
        ("deadline", 0.5, "no schedule can be done in less than 3 h"),
        ("budget", 0.5, "no schedule can take less than "),
        ("cap", 0.01, "no schedule can draw less than "),
    ],
)
def test_an_impossible_wish_says_what_is_possible(
    found: Study, kwh: Axis, kind: Kind, share: float, possible: str
) -> None:
    asked = usual(kind, found.front, unit_of(kind, found.front, kwh))
    answer = reply(found, Asked(kind, share * asked.amount), kwh)
    assert answer.pick.possible is Possible.NO
    assert not answer.met
    assert f"Impossible: {possible}" in answer.sentence
    assert "The nearest is " in answer.sentence


def test_a_wish_that_nobody_met_is_not_called_impossible(found: Study, kwh: Axis) -> None:
    least = float(found.front.makespan[-1])
    answer = reply(found, Asked("deadline", least * (1 + 1e-6)), kwh)
    assert answer.pick.possible is Possible.UNKNOWN
    assert "not proven impossible" in answer.sentence


def test_a_cap_below_the_front_is_met_by_slower_schedules_only(found: Study, kwh: Axis) -> None:
    idle = found.system.total_idle_power
    asked = Asked("cap", idle + 0.5 * (found.achieved[0, 0] / found.achieved[0, 1] - idle))
    answer = reply(found, asked, kwh)
    assert answer.pick.possible is Possible.UNKNOWN
    assert answer.sentence.startswith("Only schedules of ")


def test_a_schedule_is_told_against_both_ends(found: Study, kwh: Axis) -> None:
    front = np.flatnonzero(found.on_front)
    thrifty, middle, fast = (
        gives_up(found, found.schedules[front[place]], kwh) for place in (0, len(front) // 2, -1)
    )
    assert ": the thriftiest, " in thrifty
    assert "slower than the fastest, and " in middle
    assert ": the fastest, for " in fast


def test_a_schedule_is_told_alone_where_only_the_bound_is_known(found: Study, kwh: Axis) -> None:
    bound = study(found.system, method="bound", front=found.front)
    said = gives_up(bound, found.schedules[0], kwh)
    assert said.startswith("Done in ")
    assert "than" not in said


def test_what_is_proven_of_a_schedule_holds_both_ways(found: Study, kwh: Axis) -> None:
    said = proven_near(found.proven, found.schedules[0], kwh)
    assert said.count("within ") == 2


def test_a_budget_is_entered_in_what_the_axis_counts(found: Study) -> None:
    unit = unit_of("budget", found.front, MONEY)
    assert unit.symbol == "EUR"
    assert unit.size == pytest.approx(3.6e6 / 0.5)
    assert Asked("budget", 2 * unit.size).words(MONEY) == "At most 2 EUR"


def test_each_kind_of_wish_has_words(kwh: Axis) -> None:
    assert Asked("deadline", 7200.0).words(kwh) == "Done within 2 h"
    assert Asked("cap", 55e3).words(kwh) == "At most 55 kW on average"
    assert Asked("rate", 120.0).words(kwh) == "A second is worth 120 J"
