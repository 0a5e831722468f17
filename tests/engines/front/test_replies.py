"""A wish is answered by a schedule and what it gives up, or by what is possible."""

import numpy as np
import pytest
from studied import on_the_wasteful, study_of, uneven

from core.engines.front.axis import axis_for
from core.engines.front.methods import Lp
from core.engines.front.replies import gives_up, reply, wish_title
from core.engines.front.study import Possible, study
from core.engines.front.wish import PeakCap, StatedWish
from core.files.samples.named import load_sample
from core.vocabulary.budget import Effort
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.prices.tariff import Tariff
from core.vocabulary.system import System


@pytest.fixture(scope="module")
def found():
    return study(load_sample("testbed").with_idle_fraction(0.1), method=Lp(0.05), effort=Effort(0))


@pytest.fixture(scope="module")
def kwh(found):
    return axis_for("kWh", Tariff(1.0), "EUR", float(found.nadir[0]))


def test_each_kind_of_wish_has_words(kwh):
    assert wish_title(StatedWish("deadline", 7200.0), kwh) == "Done within 2 h"
    assert wish_title(StatedWish("cap", 55e3), kwh) == "At most 55 kW on average"
    assert wish_title(StatedWish("rate", 120.0), kwh) == "One second is worth 120 J"


def test_a_wish_that_nobody_met_is_not_called_impossible(found, kwh):
    least = float(found.front.makespan[-1])
    answer = reply(found, StatedWish("deadline", least * (1 + 1e-6)), kwh)
    assert answer.pick.possible is Possible.UNKNOWN
    assert "not proven impossible" in answer.sentence


def test_a_cap_below_the_front_is_met_by_slower_schedules_only(found, kwh):
    idle = found.system.total_idle_power
    asked = StatedWish("cap", idle + 0.5 * (found.achieved[0, 0] / found.achieved[0, 1] - idle))
    answer = reply(found, asked, kwh)
    assert answer.pick.possible is Possible.UNKNOWN
    assert answer.sentence.startswith("Only schedules of ")


def test_why_nothing_keeps_a_cap_where_machines_sleep_is_said(kwh):
    """Issue 35: each task has its own machine, and one of them waits for the other."""
    kinds = [MachineType(name, 1, 40.0, asleep_watts=0.0) for name in "AB"]
    etc = np.array([[1.0, np.inf], [np.inf, 1.0]])
    system = System([TaskType("a"), TaskType("b")], kinds, etc, np.where(etc == 1, 100.0, np.nan))
    answers = []
    for watts in (139.0, 140.0):
        found = study(system, Lp(wish=PeakCap(watts)), effort=Effort(0))
        answers.append(reply(found, StatedWish("peak", watts), kwh))
    assert [one.pick.possible for one in answers] == [Possible.NO, Possible.YES]
    assert "at some moment every schedule draws 140 W or more" in answers[0].sentence
    assert "wait at their idle power until their last task" in answers[0].sentence
    assert "never draws more than 140 W" in answers[1].sentence


def test_a_schedule_is_told_against_both_ends(found, kwh):
    front = np.flatnonzero(found.on_front)
    thrifty, middle, fast = (
        gives_up(found, found.schedules[front[place]], kwh) for place in (0, len(front) // 2, -1)
    )
    assert ": the thriftiest schedule; it is " in thrifty
    assert "slower than the fastest schedule; it takes " in middle
    assert ": the fastest schedule; it takes " in fast


def test_a_schedule_is_told_alone_where_only_the_bound_is_known(found, kwh):
    bound = study(found.system, method="bound", front=found.front)
    said = gives_up(bound, found.schedules[0], kwh)
    assert said.startswith("Done in ")
    assert "than" not in said


@pytest.fixture(scope="module")
def uneven_study():
    """A schedule of 100.04001 s and 200.0884 Wh, and one of 200.04001 s and 100.02002 Wh."""
    return study(uneven(), effort=Effort(0))


@pytest.mark.parametrize(
    ("kind", "amount", "said"),
    [
        (
            "deadline",
            99.0,
            "Impossible: no schedule takes less than 100 s. The nearest schedule: 100.1 s with "
            "200.1 Wh.",
        ),
        (
            "budget",
            360_000.0,
            "Impossible: no schedule takes less than 100.02 Wh. The nearest schedule: 3 min 21 s "
            "with 100.1 Wh.",
        ),
        (
            "cap",
            1700.0,
            "Impossible: no schedule draws less than 1.8 kW on average. The nearest schedule: "
            "1.801 kW on average (3 min 21 s with 100.1 Wh).",
        ),
    ],
)
def test_schedules_are_rounded_up_and_what_is_impossible_down(
    uneven_study, kwh, kind, amount, said
):
    assert reply(uneven_study, StatedWish(kind, amount), kwh).sentence == said


def test_the_answer_of_a_lone_schedule(kwh):
    """Its energy is 1.0008 times more than is proven for its time."""
    alone = study_of(on_the_wasteful())
    assert reply(alone, StatedWish("deadline", 150.0), kwh).sentence == (
        "Done in 100.1 s with 400.4 Wh: the fastest and the thriftiest schedule. Proven: the gap "
        "to the best schedule that meets the goal is at most 101 %."
    )
    assert reply(alone, StatedWish("cap", 1900.0), kwh).sentence == (
        "Only schedules of 3 min 20 s or more can meet this: they are slower than the thriftiest "
        "one. The nearest schedule found: 14.41 kW on average (100.1 s with 400.4 Wh)."
    )
