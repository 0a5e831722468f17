"""What is said of a front is true of it, whatever its shape."""

from dataclasses import replace

import numpy as np
import pytest

from core.engines.front.methods import StudyProgress
from core.engines.front.study import Study
from core.engines.front.words import meaning, study_progress, study_report, sweep_report
from core.engines.recover.along import NO_PROGRESSION
from core.engines.relaxed import trace_front
from core.files.samples.named import load_sample
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.plane.points import non_dominated
from core.vocabulary.say.columns import VERIFIED
from core.vocabulary.system import System

NONE = np.empty((0, 2))


def at(front, points, verified=True):
    """A study whose schedules are at these points; what they run is not asked for."""
    points = np.array(points, float).reshape(-1, 2)
    schedules = [None] * len(points)
    best = non_dominated(points)
    return Study("lp", front, schedules, points, best, NO_PROGRESSION, verified, {})


@pytest.fixture(scope="module")
def front():
    return trace_front(load_sample("two-by-two"))


@pytest.fixture(scope="module")
def of_five():
    """A front of five vertices, from 522 J in 96 s to 1,286 J in 9.5 s."""
    return trace_front(
        System(
            [TaskType("a", 6), TaskType("b", 6)],
            [MachineType("A"), MachineType("B"), MachineType("C")],
            np.array([[1.0, 2.0, 7.0], [2.0, 3.0, 9.0]]),
            np.array([[100.0, 30.0, 6.0], [100.0, 30.0, 5.0]]),
        )
    )


@pytest.fixture(scope="module")
def point():
    """The front of a system with but one machine."""
    return trace_front(
        System([TaskType("T", 6)], [MachineType("M")], np.array([[1.0]]), np.array([[10.0]]))
    )


def test_ends_and_what_the_first_half_costs(front):
    assert meaning(front, front.points[:]) == (
        "between 10.8 s and 30 s up to 35.8 % of the energy can be saved; "
        "the first 18.8 % cost 7.2 s"
    )


def test_without_schedules_tasks_would_have_to_be_split(front):
    assert "can be saved, if tasks could be split; the first" in meaning(front, NONE)


def test_two_points_have_no_half_way(front):
    assert meaning(front, front.points[[0, -1]]).endswith("can be saved")


def test_one_schedule_may_be_all_there_is(front):
    said = meaning(front, front.points[:1])
    assert said.startswith("one schedule is both the fastest and the thriftiest: 30 s with 900 J")


def test_a_front_of_one_point_has_nothing_to_trade(point):
    said = meaning(point, NONE)
    assert said == (
        "the fastest is also the thriftiest, so there is no trade-off: no schedule is done "
        "before 5.999 s or needs less than 59.99 J"
    )
    assert meaning(point, point.points) == said
    more = np.array([[60.0, 7.0], [70.0, 6.0]])
    assert meaning(point, more) == f"{said}; whole tasks alone leave 2 schedules to choose from"


@pytest.mark.parametrize(
    ("points", "said"),
    [
        ([[100, 40], [150, 20], [165, 15], [200, 10]], "; the first 25 % cost 10 s"),
        ([[100, 40], [150.1, 20], [165, 15], [200, 10]], ""),
        # Rounded to what surely is saved, and to what it surely takes.
        ([[100, 40], [140, 20], [142.42, 15], [200, 10.1234]], "; the first 28.7 % cost 4.877 s"),
    ],
)
def test_the_first_half_is_reached_where_half_is_saved(front, points, said):
    sentence = meaning(front, np.array(points, float))
    assert sentence.partition(" can be saved")[2] == said


def test_ends_are_rounded_by_what_they_are(front, of_five):
    found = np.array([[900.1234567, 30.1234567], [1000.0, 25.0], [1430.7654321, 11.7654321]])
    assert meaning(front, found).startswith(
        "between 11.77 s and 30.13 s up to 37 % of the energy can be saved; the first "
    )
    assert meaning(of_five, NONE) == (
        "between 9.529 s and 96 s up to 59.4 % of the energy can be saved, if tasks could be "
        "split; the first 38.7 % cost 12.98 s"
    )


def test_a_report_says_all_that_was_found(front):
    found = at(
        front,
        [
            [900.1234567, 30.1234567],
            [1000.3, 24.123456],
            [1140.2, 18.7],
            [1200.0, 19.0],
            [1250.7, 14.3],
            [1430.7654321, 11.7654321],
        ],
    )
    assert study_report("two", found, {"bound": 1.26, "verify": 0.01}).splitlines() == [
        "two: between 11.77 s and 30.13 s up to 37 % of the energy can be saved; "
        "the first 20.3 % cost 6.935 s",
        "  system       2 task types (12 tasks) on 2 machine types (2 machines)",
        "  fastest      11.7655 s with 1,430.77 J",
        "  thriftiest   30.1235 s with 900.124 J",
        "  knee         14.3 s with 1,250.7 J; up to here saving time costs little energy, "
        "beyond it much",
        "  front        3 vertices, exact: there are no others (proven)",
        "  exchange     one second less costs 20 J at the slow end, 36.67 J at the fast end",
        "  schedules    5 on the Pareto front, of 6 found",
        "  largest gap  5.42346 s and 139.9 J apart",
        "  unsettled    1,187 J s between what is proven and what is found: 19.4 % of the "
        "6,138 J s up to the nadir",
        "  nadir        30.1235 s with 1,430.77 J",
        "  verified     yes: other code computed every figure again from the tables",
        "  took         bound 1.26 s, verify 10 ms",
    ]


def test_a_report_of_a_bound_says_what_none_can_beat(of_five):
    """Issue 33, point 18: the bound is never called the fastest."""
    assert study_report("five", at(of_five, []), {"bound": 1.26}).splitlines()[1:] == [
        "  system      2 task types (12 tasks) on 3 machine types (3 machines)",
        "  not before  9.52941 s with 1,286.47 J",
        "  not below   96 s with 522 J",
        "  knee        22.5 s with 787.5 J; up to here saving time costs little energy, "
        "beyond it much",
        "  front       5 vertices, exact: there are no others (proven)",
        "  exchange    one second less costs 2.571 J at the slow end, 53.89 J at the fast end",
        "  took        bound 1.26 s",
    ]


def test_a_report_of_one_point_leaves_out_what_needs_two(point):
    assert study_report("one", at(point, point.points, verified=False), {}).splitlines()[1:-1] == [
        "  system      1 task type (6 tasks) on 1 machine type (1 machine)",
        "  fastest     6 s with 60 J",
        "  thriftiest  6 s with 60 J",
        "  front       1 vertex, exact: there are no others (proven)",
        "  schedules   1 on the Pareto front, of 1 found",
        f"  verified    {VERIFIED[False]}",
    ]


def test_a_front_of_two_vertices_has_one_exchange_rate_and_may_not_be_exact(two_by_two):
    exact = trace_front(two_by_two(20, 10))
    front = replace(exact, exact=False)
    assert len(front) == 2
    assert study_report("two", at(front, []), {}).splitlines()[4:-1] == [
        "  front       2 vertices, not exact: there may be others, but none below the proven lines",
        "  exchange    one second less costs 3.333 J at the slow end",
    ]


def test_areas_below_one_joule_second_have_a_share_too(two_by_two):
    system = two_by_two()
    front = trace_front(replace(system, etc=system.etc / 100))
    said = study_report("small", at(front, front.points * [1, 1.0601]), {})
    # 0.31085 of 0.64667 J s: no more than that share is open.
    assert (
        "  0.3109 J s between what is proven and what is found: 48.1 % of the "
        "0.6467 J s up to the nadir\n"
    ) in said


def test_a_sweep_has_a_line_for_each_idle_power(two_by_two):
    fronts = [trace_front(two_by_two().with_idle_fraction(fraction)) for fraction in (0.0, 0.5)]
    assert sweep_report("two", [0.0, 0.5, 1.0], fronts, {"bound": 2}).splitlines() == [
        "two: 2 idle powers, 1 left out because of the stop",
        "  idle power  what no schedule can beat",
        "  0 %         between 10.8 s and 30 s up to 35.8 % of the energy can be saved, if tasks "
        "could be split; the first 18.8 % cost 7.2 s; 3 vertices, exact: there are no others "
        "(proven)",
        "  50 %        the fastest is also the thriftiest, so there is no trade-off: no schedule "
        "is done before 10.79 s or needs less than 1.403 kJ; 1 vertex, exact: there are no others "
        "(proven)",
        "  took        bound 2 s",
    ]
    assert sweep_report("two", [0.0], fronts[:1], {}).startswith("two: 1 idle power\n")


@pytest.mark.parametrize(
    ("points", "said"),
    [
        ([[5, 300], [6, 200], [7, 250]], "1.2 of 2 s: 2 schedules, 3 min 20 s to 5 min"),
        ([[5, 30.123456], [6, 20.123456]], "1.2 of 2 s: 2 schedules, 20.13 s to 30.13 s"),
        (NONE, "1.2 of 2 s: 0 schedules"),
    ],
)
def test_progress_counts_what_is_not_dominated(points, said):
    assert study_progress(StudyProgress("polish", 1.23, 2.0, np.array(points, float))) == said


def test_progress_by_work_counts_units():
    assert (
        study_progress(StudyProgress("polish", 1.23, 2.0), "units") == "1.2 of 2 units: 0 schedules"
    )


@pytest.mark.parametrize(
    ("phase", "said"),
    [
        ("sweep", "sweep: weight 300 of 1,000"),
        ("recover", "recover: point 300 of 1,000"),
        ("evolve", "evolve: generation 300 of 1,000"),
        ("verify", "verify: schedule 300 of 1,000"),
    ],
)
def test_phases_that_count_say_what(phase, said):
    assert study_progress(StudyProgress(phase, 300, 1000)) == said
