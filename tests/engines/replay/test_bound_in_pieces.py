"""No schedule earns more than the bound that stops jobs and lets them go on later."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
import pytest
from engines.replay.in_pieces import most_in_pieces
from engines.replay.workloads import policies, small_workloads
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from core.engines.replay import dual_in_pieces
from core.engines.replay.bound import bound
from core.engines.replay.buying import Lots
from core.engines.replay.clock import ReplaySettings, replay
from core.engines.replay.dual_in_pieces import lots_of
from core.engines.replay.energy import EnergyWindows
from core.engines.replay.policy import Policy
from core.engines.replay.workload import (
    WITHOUT_END,
    ArrivingJobs,
    Horizon,
    Options,
    Pools,
    StopRights,
    Truth,
    Workload,
)
from core.engines.replay.worth import WorthCurves, WorthPiece
from core.vocabulary.budget import Budget, Cancelled

pytestmark = pytest.mark.usefixtures("kernels_interpreted")

NEAR = 3e-4
Pieces = tuple[WorthPiece, ...]
FLAT: Pieces = (WorthPiece(0.0, 1.0, 1.0, 0.0),)


def step(until: float, then: float = 0.0) -> Pieces:
    """Full worth to the end of a second, inclusive, as times are whole."""
    return (*FLAT, WorthPiece(until + 0.001, then, then, 0.0))


def line(begin: float, end: float, low: float = 0.0) -> Pieces:
    first = FLAT if begin else ()
    return (*first, WorthPiece(begin, 1.0, low, 0.0), WorthPiece(end, low, low, 0.0))


class Job(NamedTuple):
    """A job that may run on any pool, one unit for so many seconds, if it says no more."""

    arrival: float
    seconds: Sequence[float]
    worth: float
    curve: Pieces = FLAT
    units: int = 1


ANOTHER = Job(0.0, [1.0], 0.0)
"""It is worth nothing, but may stop a job that would be alone."""


def workload_of(
    units: Sequence[int], jobs: Sequence[Job], horizon: Horizon = WITHOUT_END, watts: float = 0.0
) -> Workload:
    """Jobs that may all stop each other."""
    ways = [len(job.seconds) for job in jobs]
    owner = np.repeat(np.arange(len(jobs)), ways)
    return Workload(
        Pools.of([f"pool {number}" for number in range(len(units))], units),
        ArrivingJobs(
            np.array([job.arrival for job in jobs]),
            np.zeros(len(jobs), int),
            ("job",),
            np.array([job.worth for job in jobs]),
            np.zeros(len(jobs)),
            np.arange(len(jobs)),
            rights=StopRights.of(len(jobs)),
        ),
        Options.of(
            owner,
            np.concatenate([np.arange(count) for count in ways]),
            np.array([job.units for job in jobs])[owner],
            np.concatenate([job.seconds for job in jobs]),
            watts,
        ),
        WorthCurves(tuple(job.curve for job in jobs), tuple(map(str, range(len(jobs))))),
        horizon,
    )


whole = st.integers(1, 5)
curves = st.one_of(
    st.just(FLAT),
    st.builds(step, st.integers(2, 8), st.sampled_from([0.0, 0.5])),
    st.builds(
        lambda begin, lasts, low: line(begin, begin + lasts, low),
        st.integers(0, 6),
        whole,
        st.sampled_from([0.0, 0.5]),
    ),
)


@st.composite
def tiny_workloads(draw: st.DrawFn) -> Workload:
    units = draw(st.lists(st.integers(1, 2), min_size=1, max_size=2))
    seconds = st.lists(whole.map(float), min_size=1, max_size=len(units))
    fields = st.integers(0, 5).map(float), seconds, whole.map(float), curves
    jobs = st.tuples(*fields).map(lambda drawn: Job(*drawn))
    drawn = sorted(draw(st.lists(jobs, min_size=2, max_size=5)), key=lambda job: job.arrival)
    wide = draw(st.booleans())
    drawn[0] = drawn[0]._replace(units=min(units) if wide else 1)
    begin, end = draw(st.sampled_from([0.0, 2.0])), draw(st.sampled_from([6.0, 9.0, 12.0]))
    return workload_of(units, drawn, Horizon(begin, end))


@given(tiny_workloads())
def test_no_schedule_in_pieces_earns_more(workload: Workload) -> None:
    most = most_in_pieces(workload)
    assert bound(workload, checkpoints=0.0, slots=12).value >= most


@pytest.mark.filterwarnings(
    "ignore:invalid value encountered in scalar subtract:RuntimeWarning",
    "ignore:overflow encountered in scalar multiply:RuntimeWarning:core.engines.replay.measures",
)
@examples(3)
@given(small_workloads(), policies(), st.sampled_from([np.inf, 2e6, 2e5]))
def test_no_policy_earns_more(drawn: tuple[Workload, Truth], policy: Policy, joules: float) -> None:
    """A run without a break is a schedule, too. Interpreted, infinite joules less infinite ones
    warn, and so do random numbers.
    """
    workload, truth = drawn
    jobs = replace(workload.jobs, rights=StopRights.of(len(workload.jobs)))
    workload = replace(workload, jobs=jobs)
    windows = EnergyWindows.daily(workload.horizon, joules)
    earned = replay(workload, policy, truth, ReplaySettings(windows)).worth
    assert earned <= bound(workload, truth, windows, slots=10, checkpoints=60.0).value


@pytest.mark.parametrize("horizon", [Horizon(0.0, 12.0), Horizon(2.0, 12.0), Horizon(0.0, 5.0)])
@pytest.mark.parametrize("curve", [FLAT, step(6.0), line(0.0, 10.0), line(3.0, 9.0, 0.5)])
@pytest.mark.parametrize("arrival", [0.0, 3.0])
def test_a_job_alone_earns_what_it_can(arrival: float, curve: Pieces, horizon: Horizon) -> None:
    """Little more is proven where a part of its run is outside the horizon."""
    workload = workload_of([1], [ANOTHER, Job(arrival, [4.0], 8.0, curve)], horizon)
    most = most_in_pieces(workload)
    assert most <= bound(workload, checkpoints=0.0, slots=25).value <= 1.06 * most


def test_a_job_that_cannot_wait_for_the_horizon_counts_by_half() -> None:
    """It falls at full slope, but only the half of it that is within the horizon does."""
    falls = WorthPiece(0.0, 1.0, 0.2, 0.0), WorthPiece(4.001, 0.0, 0.0, 0.0)
    workload = workload_of([1], [ANOTHER, Job(0.0, [4.0], 8.0, falls)], Horizon(2.0, 12.0))
    most = most_in_pieces(workload)
    assert most <= bound(workload, checkpoints=0.0, slots=7).value <= 1.06 * most


STOPPED = workload_of(
    [1], [Job(0.0, [10.0], 1.0, step(15.0)), Job(5.0, [5.0], 10.0, step(5.0))], Horizon(0.0, 30.0)
)
"""Fixture P11: the second job stops the first, which then ends in time."""


def test_a_job_that_is_stopped_earns_more_than_any_run_without_a_break() -> None:
    assert most_in_pieces(STOPPED) == 11.0
    found = bound(STOPPED, checkpoints=0.0)
    assert 11.0 <= found.value <= 11.0 * (1 + NEAR)
    assert found.pools.shape == (1, 1, len(found.edges) - 1)
    assert bound(STOPPED).value == pytest.approx(10.0, rel=NEAR)


def test_urgent_jobs_stop_long_ones() -> None:
    """Fixture P14."""
    long, urgent = Job(0.0, [50.0], 1.0, step(500.0)), Job(10.0, [10.0], 8.0, step(20.0))
    workload = workload_of([2], [long, long, urgent, urgent, urgent], Horizon(0.0, 600.0))
    assert 26.0 <= bound(workload, checkpoints=0.0).value <= 26.0 * (1 + NEAR)


def test_a_day_of_wide_jobs_can_earn_what_its_best_schedule_does() -> None:
    """Fixture V7 without memory: its best schedule is one of those here."""
    soon, later = (Job(0.0, [s], 2.0, line(s, 3000.0, 0.75), 4) for s in (300.0, 600.0))
    workload = workload_of([8], [later._replace(units=8), soon, soon])
    value = bound(workload, checkpoints=0.0).value
    assert 5.819444 <= value <= 6.0


@pytest.mark.parametrize(
    ("horizon", "most"), [(Horizon(8.0, 30.0), 4.5), (Horizon(0.0, 12.0), 10.7)]
)
def test_what_runs_within_the_horizon_counts(horizon: Horizon, most: float) -> None:
    """Fixture P9; other schedules earn more where the horizon begins late."""
    value = bound(replace(STOPPED, horizon=horizon), checkpoints=0.0).value
    assert value >= most_in_pieces(replace(STOPPED, horizon=horizon)) >= most - 1e-9


def test_wide_jobs_take_all_their_units() -> None:
    jobs = [Job(0.0, [10.0], worth, units=2) for worth in (9.0, 10.0, 10.5, 12.0, 13.0)]
    workload = workload_of([2], jobs, Horizon(0.0, 10.0))
    assert 13.0 <= bound(workload, checkpoints=0.0).value <= 13.0 * (1 + NEAR)


@pytest.mark.parametrize(("joules", "earned"), [(250.0, 2.5), (0.0, 2.0), (np.inf, 4.0)])
def test_energy_limits_each_window(joules: float, earned: float) -> None:
    jobs = [Job(0.0, [10.0], 1.0)] * 5
    workload = workload_of([1], jobs, Horizon(0.0, 40.0), watts=50.0)
    windows = EnergyWindows(np.array([0.0, 20.0, 40.0]), np.array([joules, 5000.0]))
    found = bound(workload, windows=windows, slots=4, checkpoints=0.0)
    assert earned <= found.value <= earned * (1 + NEAR)


def test_what_is_kept_decides() -> None:
    """No job of `STOPPED` has a checkpoint before its end if these are 10 s apart."""
    alone = bound(STOPPED).value
    assert [bound(STOPPED, checkpoints=apart).value for apart in (10.0, np.inf)] == [alone, alone]
    assert bound(STOPPED, checkpoints=9.0).value == bound(STOPPED, checkpoints=0.0).value > alone


def test_whether_a_job_may_be_stopped_decides() -> None:
    """The second job may be stopped, too, but takes only 5 s; and no job stops itself."""
    alone = bound(STOPPED).value

    def value(rights: StopRights | None, checkpoints: float = 0.0) -> float:
        workload = replace(STOPPED, jobs=replace(STOPPED.jobs, rights=rights))
        return bound(workload, checkpoints=checkpoints).value

    first, second = [True, False], [False, True]
    nobody = [None, StopRights.of(2, False), StopRights.of(2, True, False)]
    assert [value(rights) for rights in nobody] == [alone] * 3
    assert [value(StopRights.of(2, one, one)) for one in (first, second)] == [alone] * 2
    assert value(StopRights.of(2, second, first), 6.0) > alone
    assert value(StopRights.of(2, first, second), 5.0) == alone


@pytest.mark.parametrize("apart", [-1.0, np.nan])
def test_checkpoints_that_there_cannot_be_are_refused(apart: float) -> None:
    with pytest.raises(ValueError, match="checkpoints are 0 s or more apart"):
        bound(STOPPED, checkpoints=apart)


def bursts(jobs: int, size: int) -> Workload:
    """Short urgent jobs and long ones by turns come at once, more than two pools can run."""
    sorts = (Job(0.0, [60.0, 80.0], 8.0, step(70.0)), Job(0.0, [300.0, 200.0], 1.0, line(600, 900)))
    made = [sorts[number // size % 2] for number in range(jobs)]
    workload = workload_of([4, 3], made, Horizon(0.0, 1500.0))
    arrival = np.floor(np.arange(jobs) / size) * size * 20.0
    curve = np.arange(jobs) // size % 2
    return replace(
        workload,
        jobs=replace(workload.jobs, arrival=arrival, curve=curve),
        curves=WorthCurves((sorts[0].curve, sorts[1].curve), ("step", "line")),
    )


def test_equal_jobs_are_one_lot() -> None:
    workload = bursts(60, 8)
    lots = lots_of(workload, Truth.as_estimated(60))
    assert lots.job.tolist() == list(range(0, 60, 8))
    assert lots.number.tolist() == [8.0] * 7 + [4.0]
    truth = Truth(np.where(np.arange(60) == 10, 0.5, 1.0), np.ones(60))
    assert lots_of(workload, truth).job.tolist() == [0, 8, 10, 11, *range(16, 60, 8)]
    seconds = workload.options.seconds.copy()
    seconds[3] += 1.0
    options = replace(workload.options, seconds=seconds)
    assert lots_of(replace(workload, options=options), truth).job[:4].tolist() == [0, 1, 2, 8]


def test_a_sample_proves_something_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """The prices of a few lots are good for all."""
    workload = bursts(60, 1)
    best = bound(workload, checkpoints=0.0).value
    monkeypatch.setattr(dual_in_pieces, "_MOST_LOTS", 16)
    assert best * (1 - NEAR) <= bound(workload, checkpoints=0.0).value <= 1.1 * best


def test_lots_prove_what_their_jobs_do(monkeypatch: pytest.MonkeyPatch) -> None:
    workload = bursts(60, 8)
    value = bound(workload, checkpoints=0.0).value
    monkeypatch.setattr(
        dual_in_pieces,
        "lots_of",
        lambda workload, _: Lots(np.arange(60), np.ones(60)),
    )
    assert bound(workload, checkpoints=0.0).value == pytest.approx(value, rel=NEAR)


def test_it_tells_how_far_it_is_and_can_be_stopped() -> None:
    told: list[float] = []
    bound(bursts(60, 8), checkpoints=0.0, report=told.append)
    assert len(told) > 9
    assert told == sorted(told)
    assert told[-1] <= 1
    with pytest.raises(Cancelled, match="bounding the worth"):
        bound(STOPPED, checkpoints=0.0, budget=Budget(should_stop=lambda: True))


def test_jobs_that_earn_nothing_have_a_bound_of_nothing() -> None:
    for job in (Job(1.0, [20.0], 1.0, step(19.0)), Job(40.0, [2.0], 1.0)):
        workload = workload_of([1], [ANOTHER, job], Horizon(0.0, 30.0))
        assert bound(workload, checkpoints=0.0, slots=5).value == 0.0
