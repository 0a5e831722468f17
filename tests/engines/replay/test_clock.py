"""The clock decides the same as the published loop, written out with a list of what nodes do."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from engines.replay.workloads import on_equal_hosts, small_workloads
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from interpreted import interpreted

from benchmarks.per_node import PerNode
from core.engines.replay.clock import OpenReplay, ReplaySettings, replay
from core.engines.replay.deciding import OTHER_NUMBERS
from core.engines.replay.energy import EnergyWindows
from core.engines.replay.events import room_needed
from core.engines.replay.measures import drawn_number
from core.engines.replay.outcome import ReplayOutcome
from core.engines.replay.policy import (
    Blocked,
    Filter,
    Measure,
    Order,
    Policy,
    Prices,
    Switch,
    Technique,
)
from core.engines.replay.pricing import BY_PRICES
from core.engines.replay.state import Looked
from core.engines.replay.workload import ArrivingJobs, Horizon, Options, Pools, Truth, Workload
from core.engines.replay.worth import WorthCurves, WorthPiece
from core.vocabulary.budget import Budget

Drawn = tuple[Workload, Truth]
BUDGETS = st.sampled_from([np.inf, 2e6, 2e5, 5e4])


@st.composite
def _all_policies(draw: st.DrawFn) -> Policy:
    return Policy(
        "drawn",
        draw(st.sampled_from(Order)),
        draw(st.sampled_from(Measure)),
        draw(st.sampled_from(Blocked)),
        draw(st.booleans()),
        draw(st.sampled_from(Filter)),
        draw(st.sampled_from([0.517, 2.017])),
        draw(st.sampled_from(Switch)),
        draw(st.sampled_from([-1.0, 0.0, 0.5])),
        drops=draw(st.booleans()),
        weights=draw(st.sampled_from([(1.0, 1.0), (0.0, 1.0), (1.0, 0.25)])),
    )


def _windows(workload: Workload, joules: float, two: bool) -> EnergyWindows:
    """A budget a day, or two windows with little each."""
    if not two or np.isinf(joules):
        return EnergyWindows.daily(workload.horizon, joules)
    end = min(workload.horizon.end, 3000.0)
    return EnergyWindows(np.array([0.0, end / 3, end]), np.array([joules / 60, joules / 30]))


def _decided(outcome: ReplayOutcome) -> dict[int, tuple[int, float, float, float]]:
    """Option, start, end and estimated end of each job that ran."""
    return {
        job: (
            int(outcome.option[job]),
            float(outcome.start[job]),
            float(outcome.end[job]),
            float(outcome.estimated_end[job]),
        )
        for job in np.flatnonzero(outcome.ran).tolist()
    }


def _per_node(
    workload: Workload, truth: Truth, policy: Policy, given: ReplaySettings, outcome: ReplayOutcome
) -> PerNode:
    """The plain loop; events that the clock leaves out must decide nothing in it."""
    number = {moment: event for event, moment in enumerate(outcome.decisions.time.tolist())}

    def draw(job: int, now: float) -> float:
        return float(drawn_number.function(given.seed, job, number[now]))

    assert given.windows is not None
    assert given.prices is not None

    def draw_sequence(job: int, now: float, sequence: int) -> float:
        event = number[now] * policy.sequences + sequence
        return float(drawn_number.function(given.seed, job, event))

    def draw_order(job: int, now: float) -> float:
        return float(drawn_number.function(given.seed ^ OTHER_NUMBERS, job, number[now]))

    drawn = draw, given.prices, draw_sequence, draw_order
    plain = PerNode(workload, truth, policy, given.windows, *drawn)
    plain.run()
    return plain


@examples(20)
@given(small_workloads(), _all_policies(), BUDGETS, st.integers(0, 5), st.booleans())
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # random numbers overflow on purpose
def test_the_clock_decides_as_the_published_loop_node_by_node(
    drawn: Drawn, policy: Policy, joules: float, seed: int, two: bool
) -> None:
    workload, truth = drawn
    prices = random_prices(np.random.default_rng(seed))
    given = ReplaySettings(_windows(workload, joules, two), seed=seed, prices=prices)
    _assert_as_node_by_node(workload, truth, policy, given)


@examples(15)
@given(
    small_workloads(),
    _all_policies(),
    st.sampled_from([Measure.WORTH, Measure.SURPLUS]),
    st.sampled_from([900.0, np.inf]),
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # random numbers overflow on purpose
def test_what_has_no_worth_is_dropped_however_late_it_could_start(
    drawn: Drawn, policy: Policy, measure: Measure, end: float
) -> None:
    """A job that could start only after the end, or whose price is above its worth."""
    workload = replace(drawn[0], horizon=Horizon(drawn[0].horizon.begin, end))
    given = ReplaySettings(_windows(workload, np.inf, two=False), prices=Prices(1e-4, 1e-5))
    policy = replace(policy, measure=measure, filter=Filter.NONE, drops=True)
    _assert_as_node_by_node(workload, drawn[1], policy, given)


def _assert_as_node_by_node(
    workload: Workload, truth: Truth, policy: Policy, given: ReplaySettings
) -> None:
    outcome = replay(workload, policy, truth, given)
    plain = _per_node(workload, truth, policy, given, outcome)
    runs = plain.started.values()
    assert _decided(outcome) == {
        run.job: (run.option, run.start, run.real_end, run.end) for run in runs
    }
    assert set(np.flatnonzero(outcome.dropped).tolist()) == set(plain.dropped)


@examples(40)
@given(small_workloads(), _all_policies(), BUDGETS, st.integers(0, 5), st.integers(2, 4))
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # random numbers overflow on purpose
def test_many_options_are_ranked_in_blocks_as_all_at_once(
    drawn: Drawn, policy: Policy, joules: float, seed: int, block: int
) -> None:
    """On equal hosts, which many jobs want at once, with blocks smaller than usual."""
    workload, truth = on_equal_hosts(drawn[0], 3), drawn[1]
    jobs = replace(workload.jobs, arrival=np.floor(workload.jobs.arrival / 8))
    workload = replace(workload, jobs=jobs)
    prices = random_prices(np.random.default_rng(seed))
    given = ReplaySettings(_windows(workload, joules, two=True), seed=seed, prices=prices)
    policy = replace(policy, order=Order.BEST)
    with pytest.MonkeyPatch.context() as patch, interpreted():
        patch.setattr("core.engines.replay.options.BLOCK", block)
        _assert_as_node_by_node(workload, truth, policy, given)


def random_prices(random: np.random.Generator) -> Prices:
    return Prices(random.choice([0.0, 1e-5, 1e-4]), random.choice([0.0, 1e-6, 1e-5]))


@pytest.mark.thorough
@examples(40)
@given(
    small_workloads(),
    st.integers(2, 5),
    st.sampled_from([-1.0, 0.5]),
    BUDGETS,
    st.integers(0, 5),
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # random numbers overflow on purpose
def test_the_best_of_some_sequences_is_followed(
    drawn: Drawn, sequences: int, drop_below: float, joules: float, seed: int
) -> None:
    """The plain loop makes whole plans in each order, and adds up what they are worth."""
    workload, truth = drawn
    policy = replace(BY_PRICES, sequences=sequences, drop_below=drop_below)
    prices = random_prices(np.random.default_rng(seed))
    given = ReplaySettings(_windows(workload, joules, two=True), seed=seed, prices=prices)
    outcome = replay(workload, policy, truth, given)
    runs = _per_node(workload, truth, policy, given, outcome).started.values()
    assert _decided(outcome) == {
        run.job: (run.option, run.start, run.real_end, run.end) for run in runs
    }


@pytest.mark.parametrize(
    "change",
    [
        {"order": Order.ARRIVAL},
        {"measure": Measure.WORTH},
        {"blocked": Blocked.RESERVE},
        {"switch": Switch.BY_TASK},
    ],
)
def test_sequences_are_for_policies_by_prices_that_hold_places(change: dict[str, Any]) -> None:
    assert replace(BY_PRICES, **change, sequences=1).sequences == 1
    with pytest.raises(ValueError, match="sequences are for policies by prices"):
        replace(BY_PRICES, **change)


@pytest.mark.parametrize(
    "change", [{"sequences": 2}, {"only_now": True}, {"technique": Technique.TIERS}]
)
def test_a_policy_that_drops_jobs_by_its_plan_has_one_plan(change: dict[str, Any]) -> None:
    drops = replace(BY_PRICES, sequences=1, drops=True)
    with pytest.raises(ValueError, match="drops"):
        replace(drops, **change)


@examples(25)
@given(
    small_workloads(),
    st.sampled_from([Blocked.HOLD, Blocked.RESERVE]),
    st.sampled_from([Switch.BY_EVENT, Switch.BY_TASK]),
    st.sampled_from([-1.0, 0.0, 0.5]),
)
def test_without_a_budget_metaheuristics_are_max_upr_bit_for_bit(
    drawn: Drawn, blocked: Blocked, switch: Switch, drop_below: float
) -> None:
    """Also at 0 s, where an endless budget times the time so far is no number."""
    workload, truth = drawn
    upr = Policy("", Order.BEST, Measure.PER_RESOURCE, blocked, drop_below=drop_below)
    given = ReplaySettings(EnergyWindows.daily(workload.horizon, np.inf))
    one, other = (
        replay(workload, policy, truth, given) for policy in (upr, replace(upr, switch=switch))
    )
    for column in ("option", "start", "end", "estimated_end", "dropped"):
        assert getattr(one, column).tobytes() == getattr(other, column).tobytes()
    for column in ("time", "waiting", "measure"):
        assert np.array_equal(getattr(one.decisions, column), getattr(other.decisions, column))


@examples(20)
@given(small_workloads(), st.sampled_from(Order), BUDGETS)
def test_a_promise_is_kept_or_improved(drawn: Drawn, order: Order, joules: float) -> None:
    """No job starts later than it was first promised, whatever ends early."""
    workload, truth = drawn
    windows = EnergyWindows.daily(workload.horizon, joules)
    policy = Policy("conservative", order, Measure.EARLIEST, Blocked.RESERVE)
    run = OpenReplay(workload, truth, policy, ReplaySettings(windows))
    first: dict[int, float] = {}
    for _ in range(40):
        looked = run.look()
        assert not set(looked.job.tolist()) & set(first)
        first |= dict(zip(looked.job.tolist(), looked.start.tolist(), strict=True))
    outcome = run.outcome()
    assert outcome.ran.sum() == len(first)
    assert all(outcome.start[job] <= start for job, start in first.items())
    assert (outcome.start >= workload.jobs.arrival)[outcome.ran].all()


def test_looking_at_events_changes_nothing() -> None:
    """Also what would start later is shown, and place-holders are gone at the next event."""
    workload = _three_jobs()
    policy = Policy("hold", Order.BEST, Measure.WORTH, Blocked.HOLD)
    run = OpenReplay(workload, Truth.as_estimated(3), policy, ReplaySettings())
    first, second = run.look(), run.look()
    assert (first.job.tolist(), first.start.tolist()) == ([0, 1, 2], [0.0, 100.0, 200.0])
    assert (second.job.tolist(), second.start.tolist()) == ([1, 2], [100.0, 200.0])
    for _ in range(5):
        run.look()
    assert _decided(run.outcome()) == _decided(replay(workload, policy))
    assert run.outcome().start.tolist() == [0.0, 120.0, 240.0]


def test_units_that_come_back_early_are_used_at_the_next_event() -> None:
    workload = _three_jobs()
    truth = Truth(np.array([0.3, 1.0, 1.0]), np.ones(3))
    found = {
        blocked: replay(
            workload, Policy("", Order.ARRIVAL, Measure.EARLIEST, blocked), truth
        ).start.tolist()
        for blocked in Blocked
    }
    assert found == {
        Blocked.WAIT: [0.0, 60.0, 180.0],
        Blocked.RESERVE: [0.0, 60.0, 160.0],
        Blocked.RESERVE_FIRST: [0.0, 60.0, 160.0],
        Blocked.HOLD: [0.0, 60.0, 180.0],
    }


def _three_jobs() -> Workload:
    """Each takes the only unit for 100 s."""
    ones = np.ones(3, np.int64)
    return Workload(
        Pools.of(["only"], [1]),
        ArrivingJobs.plain(np.zeros(3), ones * 0, ("job",)),
        Options.of(3, 0, 1, 100.0, 5.0),
    )


def _first_look(
    workload: Workload, policy: Policy, windows: EnergyWindows | None = None, event: int = 0
) -> Looked:
    run = OpenReplay(
        workload, Truth.as_estimated(len(workload.jobs)), policy, ReplaySettings(windows)
    )
    for _ in range(event):
        run.look()
    return run.look()


def test_a_job_that_lacks_energy_gets_a_promise_once_its_start_moves() -> None:
    """The second is worth more, but there is no energy until 100 s. The first needs none."""
    workload = _three_jobs()
    workload = replace(
        workload,
        jobs=replace(workload.jobs, priority=np.array([1.0, 9.0, 0.5])),
        options=replace(workload.options, watts=np.array([0.0, 10.0, 0.0])),
    )
    windows = EnergyWindows(np.array([0.0, 100.0, 1000.0]), np.array([0.0, 1e6]))
    policy = Policy("", Order.BEST, Measure.WORTH, Blocked.RESERVE)
    looked = _first_look(workload, policy, windows)
    assert (looked.job.tolist(), looked.start.tolist()) == ([0, 1, 2], [0, 100, 200])


def test_task_based_looks_at_energy_once_the_goal_is_reached() -> None:
    """At 60 s, 60 of 1,000 J are the goal. The first job takes 60 J; then worth a joule counts."""
    jobs = ArrivingJobs.plain(np.full(3, 30.0))
    workload = Workload(
        Pools.of(["A"], [3]),
        replace(jobs, priority=np.array([9.0, 5.0, 4.0])),
        Options.of(3, 0, 1, 10.0, [6.0, 50.0, 1.0]),
    )
    windows = EnergyWindows(np.array([0.0, 1000.0]), np.array([1000.0]))
    policy = Policy("", Order.BEST, Measure.PER_RESOURCE, Blocked.HOLD, switch=Switch.BY_TASK)
    looked = _first_look(workload, policy, windows, event=1)
    assert looked.job.tolist() == [0, 2, 1]
    assert looked.measure.tolist() == [9 / 10, 4 / 10, 5 / 500]


def test_event_based_measures_what_waits_anew_where_it_changes_its_mind() -> None:
    """The first job takes the only unit for 1,000 s, and more energy than the goal at 60 s."""
    workload = _three_jobs()
    workload = replace(
        workload,
        jobs=replace(workload.jobs, priority=np.array([9000.0, 5.0, 4.0])),
        options=replace(
            workload.options,
            seconds=np.array([1000.0, 10.0, 10.0]),
            watts=np.array([0.5, 50.0, 1.0]),
        ),
    )
    windows = EnergyWindows(np.array([0.0, 2000.0]), np.array([2000.0]))
    policy = Policy("", Order.BEST, Measure.PER_RESOURCE, Blocked.HOLD, switch=Switch.BY_EVENT)
    first, second = (_first_look(workload, policy, windows, event) for event in (0, 1))
    assert (first.job.tolist(), first.measure.tolist()) == ([0, 1, 2], [9, 5 / 10, 4 / 10])
    assert (second.job.tolist(), second.measure.tolist()) == ([2, 1], [4 / 10, 5 / 500])


def test_who_waited_behind_a_place_that_is_gone_starts_at_once() -> None:
    """The second is dropped at 120 s, when it could only be done after 210 s. It held a place.

    The fourth, which is worth the least, could start elsewhere; so all places are decided first.
    """
    pieces = ((WorthPiece(0, 1, 1, 0),), (WorthPiece(0, 1, 1, 0), WorthPiece(210, 0, 0, 0)))
    jobs = ArrivingJobs.plain(np.zeros(4))
    workload = Workload(
        Pools.of(["A", "B"], [1, 1]),
        replace(jobs, priority=np.array([20.0, 9.0, 1.0, 0.5]), curve=np.array([0, 1, 0, 0])),
        Options.of(4, [0, 0, 0, 1], 1, 100.0),
        WorthCurves(pieces, ("stays", "ends")),
    )
    policy = Policy("", Order.BEST, Measure.WORTH, Blocked.HOLD, drop_below=0.0)
    outcome = replay(workload, policy)
    assert outcome.dropped.tolist() == [False, True, False, False]
    assert (outcome.end[1], outcome.start[[0, 2, 3]].tolist()) == (120, [0, 120, 0])


def test_units_that_come_back_at_an_event_are_free_at_it() -> None:
    workload = _three_jobs()
    workload = replace(workload, options=replace(workload.options, seconds=np.full(3, 60.0)))
    for blocked in Blocked:
        outcome = replay(workload, Policy("", Order.BEST, Measure.WORTH, blocked))
        assert outcome.start.tolist() == [0, 60, 120]


def test_queues_are_by_size_and_take_turns() -> None:
    """Above 60 % of the largest is large, below 30 % small: 1 large, 4 medium, 8 small a round."""
    units = np.array([100, 61, 30, 60, 40, 40, 40, 29, *[1] * 9])
    jobs = len(units)
    workload = Workload(
        Pools.of(["A"], [1000]),
        ArrivingJobs.plain(np.zeros(jobs)),
        Options.of(jobs, 0, units, 100.0),
    )
    policy = Policy("", Order.QUEUES, Measure.EARLIEST, Blocked.RESERVE)
    first, second = [0, 2, 3, 4, 5, *range(7, 15)], [1, 6, 15, 16]
    assert _first_look(workload, policy).job.tolist() == [*first, *second]


@pytest.mark.parametrize("times", [1, 10**4, 10**8])
def test_the_number_of_units_does_not_matter(times: int) -> None:
    """A job on twice the units of twice the pool is decided on alike, at once."""
    random = np.random.default_rng(5)
    jobs, units = 40, np.array([8, 6])
    pool = random.integers(0, 2, jobs)
    taken = 1 + random.integers(0, 6, jobs)

    def decided(many: int) -> dict[int, tuple[int, float, float, float]]:
        workload = Workload(
            Pools.of(["a", "b"], (units * many).tolist()),
            ArrivingJobs.plain(np.arange(jobs) * 50.0),
            Options.of(jobs, pool, taken * many, 333.0, 1),
        )
        return _decided(replay(workload, Policy("", Order.BEST, Measure.WORTH, Blocked.HOLD)))

    assert decided(times) == decided(1)
    assert len(decided(times)) == jobs


class Dearer:
    """Another price of a joule every 120 s, and none at 240 s."""

    def prices(self, run: OpenReplay, budget: Budget) -> Prices | None:
        del budget
        return None if run.now == 240 else Prices(joule=1e-6 * 2 ** (run.now // 120 % 3))

    def again(self, run: OpenReplay) -> float:
        return run.now + 60 if run.now < 120 else run.now + 120


def test_each_change_of_prices_is_noted_once() -> None:
    workload = _three_jobs()
    policy = Policy("prices", Order.BEST, Measure.SURPLUS, Blocked.HOLD)
    outcome = replay(workload, policy, settings=ReplaySettings(pricing=Dearer()))
    noted = [(one.time, one.prices.joule) for one in outcome.decisions.priced]
    assert noted == [(0, 1e-6), (120, 2e-6), (360, 1e-6)]
    other = replace(policy, measure=Measure.PER_RESOURCE)
    assert replay(workload, other, settings=ReplaySettings(pricing=Dearer())).decisions.priced == ()


def test_worth_above_the_price_is_set_against_the_size() -> None:
    """Three jobs of 100 s, a core and 500 J each, priced at 0.5 + 1.0. A second costs 0.015, and
    the size is the root of 100 times the root of that.
    """
    workload = _three_jobs()
    workload = replace(workload, jobs=replace(workload.jobs, priority=np.array([1.0, 2.0, 3.0])))
    prices = Prices(core_second=5e-3, joule=1.0 / 500)
    policy = Policy("prices", Order.BEST, Measure.SURPLUS, Blocked.RESERVE)
    settings = ReplaySettings(prices=prices)
    run = OpenReplay(workload, Truth.as_estimated(3), policy, settings)
    found = run.look()
    assert found.job.tolist() == [2, 1]
    size_squared = 100 * 0.015**0.5
    assert found.measure.tolist() == pytest.approx([1.5 / size_squared, 0.5 / size_squared])
    assert run.waiting.tolist() == [0]


def test_promises_that_move_have_room() -> None:
    random, jobs = np.random.default_rng(1), 300
    workload = Workload(
        Pools.of(["A"], [40]),
        ArrivingJobs.plain(np.sort(random.uniform(0, 3000, jobs))),
        Options.of(jobs, 0, random.integers(1, 30, jobs), random.uniform(100, 3000, jobs)),
    )
    truth = Truth(random.uniform(0.1, 1, jobs), np.ones(jobs))
    policy = Policy("promises", Order.ARRIVAL, Measure.EARLIEST, Blocked.RESERVE)
    run = OpenReplay(workload, truth, policy, ReplaySettings())
    for _ in range(400):
        needed = room_needed(run.facts, run._clock, run.now)
        run.look()
        assert run._clock.base.steps.max() <= needed
        assert run._clock.plan.steps.max() <= needed
