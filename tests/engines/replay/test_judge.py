"""The judge accepts what the clock records, and notices whatever is changed in a record."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from engines.replay.workloads import policies, small_workloads
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from core.engines.replay.clock import ReplaySettings, replay
from core.engines.replay.energy import EnergyWindows
from core.engines.replay.judge import judge_outcome, judge_stated
from core.engines.replay.outcome import NOT_RUN, ReplayOutcome, StatedOutcome
from core.engines.replay.policy import Blocked, Measure, Order, Policy
from core.engines.replay.workload import ArrivingJobs, Horizon, Options, Pools, Truth, Workload
from core.engines.replay.worth import WorthCurves, WorthPiece

CONSERVATIVE = Policy("conservative", Order.ARRIVAL, Measure.EARLIEST, Blocked.RESERVE)


@examples(15)
@given(small_workloads(), policies(), st.sampled_from([np.inf, 2e6, 2e5]))
def test_what_the_clock_records_is_accepted(
    drawn: tuple[Workload, Truth], policy: Policy, budget: float
) -> None:
    workload, truth = drawn
    windows = EnergyWindows.daily(workload.horizon, budget)
    outcome = replay(workload, policy, truth, ReplaySettings(windows))
    verdict = judge_outcome(outcome)
    assert verdict.problems == ()
    assert verdict.worth == pytest.approx(outcome.worth, rel=1e-12)
    assert verdict.joules == pytest.approx(outcome.joules, rel=1e-12)
    assert (verdict.ran, verdict.makespan) == (outcome.completed, outcome.makespan)
    assert verdict.ran + verdict.dropped + verdict.waiting == len(workload.jobs)


@pytest.fixture
def outcome() -> ReplayOutcome:
    """Four jobs on two pools:

    - 1 runs on 2 units of A from 0 to 60 s (estimate: 80 s);
    - 2 takes 2 of its 3 units of B from 0 to 100 s;
    - 3 arrives at 30 s, and has all of A from 60 to 160 s;
    - 4 arrives at 10 s, and is never run.
    """
    workload = Workload(
        Pools.of(["A", "B"], [2, 3], [1, 4], [10.0, 0.0], [1.0, 0.0], [False, True]),
        ArrivingJobs(
            np.array([0.0, 0.0, 10.0, 30.0]),
            np.zeros(4, int),
            ("job",),
            np.array([4.0, 2.0, 1.0, 8.0]),
            np.zeros(4),
            np.array([0, 0, 0, 0]),
            ("one", "two", "never", "late"),
        ),
        Options.of(
            [0, 0, 1, 2, 3],
            [0, 1, 1, 0, 0],
            [2, 3, 2, 1, 2],
            [80.0, 10.0, 100.0, 50.0, 100.0],
            [100.0, 70.0, 30.0, 5.0, 200.0],
        ),
        WorthCurves(((WorthPiece(0, 1, 0, 0), WorthPiece(200, 0, 0, 0)),), ("falls",)),
        Horizon(0.0, 110.0),
        "off when idle",
    )
    return replay_of(workload, Truth(np.array([0.75, 1, 1, 1]), np.array([1.0, 1, 1, 2])))


def replay_of(workload: Workload, truth: Truth) -> ReplayOutcome:
    recorded = replay(workload, CONSERVATIVE, truth)
    nan = np.nan
    return replace(
        recorded,
        option=np.array([0, 2, NOT_RUN, 4]),
        start=np.array([0.0, 0, nan, 60]),
        end=np.array([60.0, 100, nan, 160]),
        estimated_end=np.array([80.0, 100, nan, 160]),
        dropped=np.zeros(4, bool),
    )


def test_the_figures_are_those_of_a_count_by_hand(outcome: ReplayOutcome) -> None:
    verdict = judge_outcome(outcome)
    assert verdict.problems == ()
    # 4 (1 - 60/200) + 2 (1 - 100/200) + half of 8 (1 - 130/200)
    assert verdict.worth == pytest.approx(2.8 + 1 + 0.5 * 2.8)
    # Of the third, 50 s are within the horizon, with twice the power that was known. Two units of
    # A are idle-powered all 110 s.
    assert verdict.joules == pytest.approx(6000 + 3000 + 50 * 400 + 2 * 110 * 10)
    assert verdict.mean_flow == pytest.approx((60 + 100 + 130) / 3)
    assert (verdict.ran, verdict.waiting, verdict.makespan) == (3, 1, 160)


def changed(values: np.ndarray, place: int, value: float) -> np.ndarray:
    found = values.copy()
    found[place] = value
    return found


TAMPERED: dict[str, tuple[dict[str, Any], str, str, str]] = {
    "a job twice": ({"job": (1, 0)}, "one", "job", "is there twice"),
    "no job of the workload": ({"job": (1, 77)}, "row 2", "job", "is no job of the workload"),
    "the job after the last": ({"job": (1, 4)}, "row 2", "job", "is no job of the workload"),
    "the option after the last": ({"option": (3, 5)}, "late", "option", "is no option of this job"),
    "an option of another job": ({"option": (0, 3)}, "one", "option", "is no option of this job"),
    "another pool": (
        {"pool": (0, 1)},
        "one",
        "pool",
        "is B, but option 1 of this job runs on A",
    ),
    "fewer units": ({"units": (3, 1)}, "late", "units", "is 1, but the option takes 2"),
    "a start before the arrival": (
        {"start": (3, 29), "end": (3, 129)},
        "late",
        "start",
        "is 29 s, before the job arrives at 30 s",
    ),
    "a start after the horizon": (
        {"start": (3, 110), "end": (3, 210)},
        "late",
        "start",
        "is 110 s, but the horizon ends at 110 s",
    ),
    "a job that is too short": (
        {"end": (1, 99)},
        "two",
        "end",
        "is 99 s after the start, but the job takes 100 s",
    ),
    "a job that is too short after a while": (
        {"end": (3, 150)},
        "late",
        "end",
        "is 90 s after the start, but the job takes 100 s",
    ),
    "a job without an end": ({"end": (1, np.nan)}, "two", "end", "is no time"),
    "another promise": (
        {"estimated_end": (0, 70)},
        "one",
        "estimated_end",
        "is 70 s, but by its estimate the job ends at 80 s",
    ),
    "a job that ends late": (
        {"end": (0, 90)},
        "one",
        "end",
        "is 90 s, after the estimated end, 80 s",
    ),
    "more units than there are": (
        {"start": (3, 40), "end": (3, 140), "estimated_end": (3, 140)},
        "A",
        "units",
        "has 2 units, but at 40 s 4 work, for jobs one, late",
    ),
    "a dropped job that runs": ({"dropped": (0, True)}, "one", "option", "was dropped, and runs"),
    "a job dropped before it arrives": (
        {"dropped": (2, True), "end": (2, 5)},
        "never",
        "end",
        "is dropped at 5 s, but arrives at 10 s",
    ),
    # 10 s of the first job, 50 s of the second, and of the third what was known
    "more energy than the budget": (
        {"windows": EnergyWindows(np.array([0.0, 50.0, 110.0]), np.r_[9e3, 6e3])},
        "from 0.0138889 to 0.0305556 h",
        "energy",
        "jobs draw 22500 J, but the budget is 6000 J",
    ),
    "worth": ({"worth": (0, 4)}, "one", "worth", "is 4, but should be 2.8"),
    "worth of a job that never ran": ({"worth": (2, 1)}, "never", "worth", "is 1, but should be 0"),
    "energy": ({"joules": (3, 20_000)}, "late", "energy", "is 20000 J, but should be 40000 J"),
    "the worth of all": ({"total_worth": 5.0}, "", "worth", "is said to be 5, but adds up to 5.2"),
    "the energy of all": (
        {"total_joules": np.nan},
        "",
        "energy",
        "is said to be nan J, but adds up to 31200 J",
    ),
}
"""What is changed in the rows (a place and its value, or a whole figure), and what is said of it.
"""


@pytest.mark.parametrize("kind", TAMPERED)
def test_what_is_changed_is_noticed(outcome: ReplayOutcome, kind: str) -> None:
    changes, row, column, message = TAMPERED[kind]
    stated = StatedOutcome.of(outcome)
    fresh = {
        name: changed(getattr(stated, name), *to) if isinstance(to, tuple) else to
        for name, to in changes.items()
    }
    verdict = judge_stated(replace(stated, **fresh))
    assert not verdict.ok
    said = [
        problem.message
        for problem in verdict.problems
        if (problem.file, problem.row, problem.column) == ("outcome", row, column)
    ]
    assert any(message in one for one in said), verdict.problems


def test_power_that_nobody_could_foresee_is_no_fault(outcome: ReplayOutcome) -> None:
    # By what was known, jobs draw 6,000 + 3,000 + 10,000 J within the horizon.
    enough = replace(outcome, windows=EnergyWindows(np.array([0.0, 110.0]), np.array([19_000.0])))
    scarce = replace(outcome, windows=EnergyWindows(np.array([0.0, 110.0]), np.array([18_999.0])))
    assert judge_outcome(enough).ok
    assert not judge_outcome(scarce).ok
    # Where nothing runs, no energy is needed.
    edges = np.array([0.0, 110.0, 160.0, 300.0])
    none = replace(outcome, windows=EnergyWindows(edges, np.array([19_000.0, np.inf, 0.0])))
    assert judge_outcome(none).ok


def test_an_outcome_of_another_workload_is_refused(outcome: ReplayOutcome) -> None:
    fewer = replace(outcome, option=outcome.option[:3])
    beyond = replace(outcome, option=changed(outcome.option, 0, 5))
    for one in (fewer, beyond):
        verdict = judge_outcome(one)
        (problem,) = verdict.problems
        assert "not for this workload" in problem.message
        assert (verdict.ran, verdict.dropped, verdict.waiting) == (0, 0, 4)
        assert (verdict.worth, verdict.joules, verdict.makespan, verdict.mean_flow) == (0, 0, 0, 0)


def test_many_faults_of_a_kind_are_counted() -> None:
    jobs = 30
    workload = Workload(
        Pools.of(["A"], [1]),
        ArrivingJobs.plain(np.zeros(jobs)),
        Options.of(jobs, 0, 1, 7.0),
    )
    stated = StatedOutcome.of(replay(workload, CONSERVATIVE))
    verdict = judge_stated(replace(stated, end=stated.end + 1))
    late = [problem.message for problem in verdict.problems if problem.column == "end"]
    assert "and 20 more like the one above" in late


def crowd(jobs: int, at: float = 0.0, each: float = 7.3) -> StatedOutcome:
    """Jobs of one unit on a pool of one, one after the other, from a time on."""
    workload = Workload(
        Pools.of(["A"], [1]),
        ArrivingJobs.plain(np.full(jobs, at)),
        Options.of(jobs, 0, 1, each, 3.0),
    )
    return StatedOutcome.of(replay(workload, CONSERVATIVE))


def test_the_worst_moment_of_a_pool_is_named_with_its_jobs() -> None:
    def at_once(jobs: int, later: int) -> str:
        """Two jobs at 0 s, and so many at 50 s."""
        stated = crowd(jobs)
        start = np.where(np.arange(jobs) < 2, 0.0, np.where(np.arange(jobs) < 2 + later, 50.0, 99))
        verdict = judge_stated(
            replace(stated, start=start, end=start + 7.3, estimated_end=start + 7.3)
        )
        return next(one.message for one in verdict.problems if one.column == "units")

    assert at_once(5, 3) == "has 1 units, but at 50 s 3 work, for jobs 3, 4, 5"
    assert at_once(6, 4) == "has 1 units, but at 50 s 4 work, for jobs 3, 4, 5 and others"


def test_a_job_that_ends_as_too_many_begin_is_not_named() -> None:
    stated, start = crowd(3), np.array([0.0, 7.3, 7.3])
    off = replace(stated, start=start, end=start + 7.3, estimated_end=start + 7.3)
    (problem,) = judge_stated(off).problems
    assert problem.message == "has 1 units, but at 7.3 s 2 work, for jobs 2, 3"


def test_late_times_have_fewer_digits() -> None:
    """After 30,000 years, 7.3 s can only be said to 0.0001 s."""
    stated = crowd(3, at=1e12)
    assert (stated.end - stated.start != 7.3).any()
    assert judge_stated(stated).problems == ()
    assert judge_stated(crowd(1)).mean_flow == 7.3
    assert judge_stated(replace(stated, joules=np.full(3, 7.3 * 3))).problems == ()
    off = replace(stated, estimated_end=stated.estimated_end + 3)
    assert not judge_stated(off).ok
    nothing = judge_stated(replace(crowd(1), option=np.array([NOT_RUN]), worth=np.zeros(1)))
    assert (nothing.ran, nothing.waiting, nothing.mean_flow) == (0, 1, 0)


def test_short_runs_are_right_to_their_own_digits() -> None:
    """After 12 days, 7.3 s can be said to a nanosecond. A tenth of a millisecond is a fault."""
    stated = crowd(1, at=1e6)
    assert judge_stated(stated).ok
    late = judge_stated(replace(stated, end=stated.end + 1e-4))
    assert any("s after the start" in problem.message for problem in late.problems)
    more = judge_stated(replace(stated, joules=stated.joules + 3e-4))
    assert [problem.column for problem in more.problems] == ["energy"]


def test_the_worth_of_each_job_is_right_to_the_digits_of_its_own_priority() -> None:
    stated = crowd(3)
    jobs = replace(stated.workload.jobs, priority=np.array([1, 1e9, 1e-6]))
    stated = replace(
        stated, workload=replace(stated.workload, jobs=jobs), worth=jobs.priority, total_worth=None
    )
    assert judge_stated(stated).ok
    off = judge_stated(replace(stated, worth=changed(stated.worth, 2, 1.1e-6)))
    assert [problem.row for problem in off.problems] == ["3"]


def test_a_promise_is_kept_to_the_digit() -> None:
    stated = crowd(2)
    for shift, ok in ((1e-12, True), (1e-8, False)):
        off = replace(stated, estimated_end=stated.estimated_end + np.array([0, shift]))
        assert judge_stated(off).ok == ok
