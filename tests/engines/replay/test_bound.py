"""No schedule earns more than the bound, and the bound is the optimum of a linear program."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from engines.replay.possible import all_schedules, divisible_optimum, run_of
from engines.replay.workloads import CURVES, policies, small_workloads, with_memory
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from core.engines.replay.bound import bound
from core.engines.replay.clock import ReplaySettings, replay
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

SLOTS = 10


@st.composite
def tiny_workloads(draw: st.DrawFn) -> tuple[Workload, Truth, EnergyWindows]:
    """Up to three jobs on a pool or two for half an hour, with two windows of energy."""
    random = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    pools, jobs = draw(st.integers(1, 2)), draw(st.integers(1, 3))
    ways = random.integers(1, 3, jobs)
    first = np.concatenate([[0], np.cumsum(ways)])
    options = int(first[-1])
    workload = Workload(
        Pools.of(("A", "B")[:pools], random.integers(1, 4, pools)),
        ArrivingJobs(
            np.sort(random.integers(0, 7, jobs)) * 100.0,
            np.zeros(jobs, int),
            ("job",),
            random.integers(1, 9, jobs).astype(float),
            random.random(jobs) * 0.01,
            random.integers(0, 3, jobs),
        ),
        Options(
            first,
            random.integers(0, pools, options),
            np.ones(options, int),
            random.integers(1, 9, options) * 100.0,
            random.integers(1, 10, options) * 10.0,
            np.zeros(options, int),
        ),
        CURVES,
        Horizon(draw(st.sampled_from([0.0, 350.0])), draw(st.sampled_from([1000.0, 1200.0]))),
    )
    if draw(st.booleans()):
        workload = with_memory(workload, random)
    truth = Truth(random.choice([0.5, 1.0], jobs), random.choice([0.5, 1.0], jobs))
    joules = draw(st.sampled_from([0.0, 10_000.0, 30_000.0, np.inf]))
    windows = EnergyWindows(np.array([0.0, 500.0, np.inf]), np.array([joules, 20_000.0]))
    return workload, truth, windows


def most_of_all(drawn: tuple[Workload, Truth, EnergyWindows]) -> float:
    moments = [*np.arange(0.0, 1200.0, 100.0), 350.0, 1150.0]
    return max(sum(run.worth for run in runs) for runs in all_schedules(*drawn, moments))


@examples(4)
@given(tiny_workloads())
def test_no_schedule_earns_more(drawn: tuple[Workload, Truth, EnergyWindows]) -> None:
    assert bound(*drawn, slots=SLOTS).value >= most_of_all(drawn)


@examples(4)
@given(tiny_workloads(), st.sampled_from([(False, True), (True, False)]))
def test_where_nobody_can_be_stopped_runs_as_a_whole_prove_more(
    drawn: tuple[Workload, Truth, EnergyWindows], nobody: tuple[bool, bool]
) -> None:
    """But for a little, where the search for their prices ends."""
    workload, *known = drawn

    def value(*marks: bool) -> float:
        jobs = replace(workload.jobs, rights=StopRights.of(len(workload.jobs), *marks))
        return bound(replace(workload, jobs=jobs), *known, slots=SLOTS, checkpoints=0.0).value

    alone = value(*nobody)
    assert most_of_all(drawn) <= alone <= value(True, True) * (1 + 1e-4) + 1e-5


@examples(3)
@given(small_workloads(), policies(), st.sampled_from([np.inf, 2e6, 2e5]))
def test_no_policy_earns_more(drawn: tuple[Workload, Truth], policy: Policy, budget: float) -> None:
    workload, truth = drawn
    windows = EnergyWindows.daily(workload.horizon, budget)
    earned = replay(workload, policy, truth, ReplaySettings(windows)).worth
    assert earned <= bound(workload, truth, windows, slots=SLOTS).value


@examples(4)
@given(tiny_workloads())
def test_the_bound_is_the_optimum_of_the_linear_program(
    drawn: tuple[Workload, Truth, EnergyWindows],
) -> None:
    workload, truth, windows = drawn
    found = bound(*drawn, slots=SLOTS)
    optimum = divisible_optimum(workload, truth, windows, found.edges.tolist())
    assert optimum <= found.value * (1 + 1e-6) + 1e-5
    in_part = most_raised(workload, truth)
    assert in_part == 0.0 or workload.horizon.begin > 0.0
    assert found.value <= optimum * (1 + 1e-4) + 1e-4 + in_part


def most_raised(workload: Workload, truth: Truth) -> float:
    """What the bound adds at most, since the worth of runs that count in part is not convex: for
    each job a quarter of what the worth falls times the share rises, over a part of their starts.
    """
    whole, begin = replace(workload, horizon=WITHOUT_END), workload.horizon.begin
    total = 0.0
    for job, arrival in enumerate(workload.jobs.arrival.tolist()):
        raised = [0.0]
        for option in range(workload.options.first[job], workload.options.first[job + 1]):
            seconds = float(workload.options.seconds[option] * truth.time[job])
            starts = np.linspace(min(max(arrival, begin - seconds), begin), begin, 33).tolist()
            worth = [run_of(whole, truth, job, option, start).worth for start in starts]
            rises = (starts[1] - starts[0]) / seconds
            raised.append(0.25 * max(-np.diff(worth)) * rises)
        total += max(raised)
    return total


def one_pool(jobs: int, horizon: Horizon, **given: Any) -> Workload:
    """Jobs that take 100 s and 10 W of the only unit, and are worth 1 whenever they end."""
    number = np.arange(jobs + 1)
    return Workload(
        Pools.of(("A",), [1]),
        ArrivingJobs.plain(given.get("arrival", np.zeros(jobs))),
        Options(
            number,
            np.zeros(jobs, int),
            np.ones(jobs, int),
            np.full(jobs, 100.0),
            np.full(jobs, 10.0),
            np.zeros(jobs, int),
        ),
        horizon=horizon,
    )


def test_a_unit_earns_what_fits_into_the_horizon() -> None:
    found = bound(one_pool(5, Horizon(0.0, 200.0)), slots=4)
    assert found.value == pytest.approx(2.0, rel=1e-3)
    assert found.value >= 2.0
    assert found.edges.tolist() == [0, 50, 100, 150, 200]
    assert found.pools.sum() * 50 == pytest.approx(2.0, rel=1e-3)


def test_only_the_part_within_the_horizon_counts() -> None:
    """Three arrive during the warm-up; the part of one of them is half."""
    workload = one_pool(1, Horizon(50.0, 80.0))
    assert bound(workload).value == pytest.approx(0.3, rel=1e-3)
    waited = one_pool(1, Horizon(60.0, 1000.0), arrival=np.array([0.0]))
    assert bound(waited).value == pytest.approx(1.0, rel=1e-3)


def test_energy_limits_each_window() -> None:
    workload = one_pool(5, Horizon(0.0, 400.0))
    windows = EnergyWindows(np.array([0.0, 200.0, 400.0]), np.array([500.0, 5000.0]))
    found = bound(workload, windows=windows, slots=4)
    assert found.value == pytest.approx(2.5, rel=1e-3)
    assert found.joule[1] == pytest.approx(0.0, abs=1e-5)


def test_without_energy_nothing_runs() -> None:
    windows = EnergyWindows(np.array([0.0, 400.0]), np.array([0.0]))
    assert bound(one_pool(5, Horizon(0.0, 400.0)), windows=windows).value <= 1e-3


def test_without_an_end_all_jobs_count() -> None:
    """Exactly: a bound that is 7 and a rounding error would be written as 7.001."""
    assert bound(one_pool(7, Horizon())).value == 7.0


@pytest.mark.parametrize("share", [0.1, 0.3, 1 / 2048])
def test_a_sum_that_may_be_rounded_is_rounded_up(share: float) -> None:
    flat = (WorthPiece(0.0, share, share, 0.0),)
    found = bound(_waiting(WorthCurves((flat,), ("flat",))))
    exact = Fraction(share) * 210
    assert exact < Fraction(found.value) < exact * (1 + Fraction(1, 10**9))


@pytest.mark.parametrize(
    ("largest", "exact"), [(2.0**43 - 211, True), (2.0**43 - 210, False), (2.0**43, False)]
)
@pytest.mark.parametrize("more", [0.0, 2.0**-10])
def test_a_sum_that_no_float_holds_is_rounded_up(largest: float, exact: bool, more: float) -> None:
    """Sums below 2**43 are exact in parts of 1,024; the next but one has no float."""
    workload = _waiting(WorthCurves(((WorthPiece(0.0, 1.0, 1.0, 0.0),),), ("flat",)))
    priority = workload.jobs.priority.copy()
    priority[:2] += largest, more
    jobs = replace(workload.jobs, priority=priority)
    found = Fraction(bound(replace(workload, jobs=jobs)).value)
    total = sum(map(Fraction, priority.tolist()))
    assert found >= total
    assert (found == total) == exact


def test_the_highest_piece_counts() -> None:
    """A later piece may be higher by rounding, as curves from files are."""
    higher = 1 + 2.0**-45
    pieces = (WorthPiece(0.0, 1.0, 1.0, 0.0), WorthPiece(10.0, higher, higher, 0.0))
    assert bound(_waiting(WorthCurves((pieces,), ("one",)))).value >= 210 * higher


def test_a_workload_without_jobs_earns_nothing() -> None:
    assert bound(one_pool(0, Horizon(0.0, 100.0))).value == 0.0


@pytest.mark.thorough
@examples(3)
@given(small_workloads())
def test_more_slots_prove_no_less(drawn: tuple[Workload, Truth]) -> None:
    workload, truth = drawn
    windows = EnergyWindows.daily(workload.horizon, 5e5)
    values = [bound(workload, truth, windows, slots=slots).value for slots in (3, 6, 24)]
    assert values[1] <= values[0] * (1 + 1e-4)
    assert values[2] <= values[1] * (1 + 1e-4)


@pytest.mark.thorough
def test_threads_do_not_change_the_bound() -> None:
    workload = one_pool(9, Horizon(0.0, 400.0))
    one, two = (bound(workload, budget=Budget(threads=threads), slots=4) for threads in (1, 2))
    assert one.value == two.value
    assert (one.pools == two.pools).all()


def test_it_can_be_stopped() -> None:
    with pytest.raises(Cancelled, match="bounding the worth"):
        bound(one_pool(9, Horizon(0.0, 400.0)), budget=Budget(should_stop=lambda: True))


def _waiting(curves: WorthCurves, horizon: Horizon = WITHOUT_END) -> Workload:
    """Twenty jobs of 100 s on one unit, which all arrive at once, worth 1 to 20."""
    jobs = 20
    nothing = np.zeros(jobs, int)
    return Workload(
        Pools.of(["A"], [1]),
        ArrivingJobs(
            nothing.astype(float), nothing, ("job",), 1.0 + np.arange(jobs), nothing + 0.01, nothing
        ),
        Options.of(jobs, 0, 1, 100.0, 10.0),
        curves,
        horizon,
    )


@pytest.mark.parametrize("pieces", [1, 2])
def test_where_waiting_is_free_all_worth_is_possible_without_a_search(
    monkeypatch: pytest.MonkeyPatch, pieces: int
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("there is nothing to search for")

    monkeypatch.setattr("scipy.optimize.minimize", refuse)
    flat = tuple(WorthPiece(50.0 * k, 0.5, 0.5, 0.0) for k in range(pieces))
    found = bound(_waiting(WorthCurves((flat,), ("flat",))))
    assert found.value == 0.5 * 210
    assert not found.pools.any()


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("pieces", "end", "joules"),
    [
        ((WorthPiece(0.0, 1.0, 1.0, 0.0),), 1000.0, np.inf),
        ((WorthPiece(0.0, 1.0, 1.0, 0.0),), np.inf, 10_000.0),
        ((WorthPiece(0.0, 1.0, 0.0, 1.0),), np.inf, np.inf),
        ((WorthPiece(0.0, 1.0, 0.0, 0.0), WorthPiece(800.0, 0.0, 0.0, 0.0)), np.inf, np.inf),
    ],
)
def test_where_waiting_costs_less_is_possible(
    pieces: tuple[WorthPiece, ...], end: float, joules: float
) -> None:
    """Ten jobs have the time or the energy, or the worth of all falls."""
    workload = _waiting(WorthCurves((pieces,), ("one",)), Horizon(0.0, end))
    windows = EnergyWindows(np.array([0.0, np.inf]), np.array([joules]))
    assert bound(workload, windows=windows).value < 0.8 * 210


def test_the_search_tells_how_far_it_is() -> None:
    workload = _waiting(WorthCurves(((WorthPiece(0.0, 1.0, 0.0, 1.0),),), ("one",)))
    told: list[float] = []
    bound(workload, report=told.append)
    assert len(told) > 10
    assert told == sorted(told)
    assert 0 < told[0] < 0.05
    assert 0.4 < told[-1] <= 1
    few: list[float] = []
    coarse = bound(workload, slots=6, report=few.append)
    assert few[0] < 0.05, "without coarse slots it begins at 0, too"
    assert coarse.value == bound(workload, slots=6).value
