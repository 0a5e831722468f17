"""One mapping event, seen from near: what waited, what was free, what was decided, and what else a
job could have done.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, NamedTuple

import numpy as np

from core.engines.replay.clock import OpenReplay, ReplaySettings
from core.engines.replay.measures import measured, worth_at
from core.engines.replay.outcome import NOT_RUN, PricesFrom
from core.engines.replay.policy import Blocked, Measure, Policy, Prices, Switch
from core.engines.replay.profile import Profile, all_free, earliest_start, occupy
from core.engines.replay.workload import Truth, Workload
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.budget import Budget

BEST_WAYS: Final = 3
MOST_JOBS: Final = 60
"""Jobs of an event that are listed with their ways."""


class Decided(Enum):
    """What became of a waiting job at an event."""

    STARTS = "starts now"
    PROMISED = "gets a promise"
    HELD = "keeps its place free until the next event"
    WAITS = "waits"


class Way(NamedTuple):
    """A way to run a job, as it was at its turn: an option with its earliest start (s), what the
    job is worth if it ends as estimated, and what it draws (J). `fits`: it begins before the
    horizon ends, there is energy for it, and it is worth more than that.
    `value` is the measure of the policy.
    """

    option: int
    start: float
    worth: float
    seconds: float
    core_seconds: float
    joules: float
    fits: bool
    value: float


@dataclass(frozen=True, slots=True)
class SeenJob:
    """A job that waited, what was decided about it, and its best ways, the best first."""

    job: int
    decided: Decided
    chosen: Way | None
    ways: tuple[Way, ...]


@dataclass(frozen=True, eq=False, slots=True)
class SeenEvent:
    """A mapping event at `now` (s): how many jobs `waited` before its decisions, the units of each
    pool that were `free` then, the measure in use with the prices that it looks at, and the jobs in
    the order of the decisions; `more` jobs are not listed.
    """

    now: float
    waited: int
    free: IntArray
    measure: Measure
    jobs: tuple[SeenJob, ...]
    more: int
    prices: Prices | None = None


def see_event(
    workload: Workload,
    policy: Policy,
    when: float,
    truth: Truth | None = None,
    settings: ReplaySettings | None = None,
) -> SeenEvent:
    """The first mapping event at or after `when` (s). The replay runs up to it."""
    settings = settings or ReplaySettings()
    run = OpenReplay(workload, truth or Truth.as_estimated(len(workload.jobs)), policy, settings)
    run.run(when, Budget())
    now = run.now
    looked = run.look()
    picks = list(
        zip(looked.job.tolist(), looked.option.tolist(), looked.start.tolist(), strict=True)
    )
    placed = set(run.underway.tolist())
    turns = _Turns(run, now, [pick for pick in picks if pick[0] in placed])
    measure = _measure_in_use(policy, turns, picks, looked.measure)
    if run.prices is not None and run.prices.by_share:
        measure = Measure.PER_SHARE
    free = turns.free_now
    rest = [job for job in run.waiting.tolist() if job not in {pick[0] for pick in picks}]
    seen: list[SeenJob] = []
    for job, option, start in picks:
        if len(seen) < MOST_JOBS:
            ways = turns.ways(job, measure)
            chosen = next(way for way in ways if way.option == option)
            decided = _decided(policy, start, now)
            seen.append(SeenJob(job, decided, chosen, _best(ways)))
        turns.take(option, start)
    seen += [
        SeenJob(job, Decided.WAITS, None, _best(turns.ways(job, measure)))
        for job in rest[: max(MOST_JOBS - len(seen), 0)]
    ]
    waited = len(picks) + len(rest)
    more = waited - len(seen)
    return SeenEvent(now, waited, free, measure, tuple(seen), more, run.prices)


def _decided(policy: Policy, start: float, now: float) -> Decided:
    if start <= now:
        return Decided.STARTS
    return Decided.HELD if policy.blocked is Blocked.HOLD else Decided.PROMISED


def _best(ways: list[Way]) -> tuple[Way, ...]:
    """The ways that fit come first, then those with the highest measure."""
    return tuple(sorted(ways, key=lambda way: (not way.fits, -way.value))[:BEST_WAYS])


def _measure_in_use(
    policy: Policy,
    turns: "_Turns",
    picks: list[tuple[int, int, float]],
    noted: FloatArray,
) -> Measure:
    """The measure of the policy; if it switches, the one that the first decision was made with."""
    if policy.switch is Switch.NEVER or not picks:
        return policy.measure
    job, option, start = picks[0]

    def off(measure: Measure) -> float:
        return abs(turns.way(job, option, start, measure).value - float(noted[0]))

    return min((Measure.PER_RESOURCE, Measure.PER_ENERGY), key=off)


class _Turns:
    """The plan of an event, from one decision to the next."""

    def __init__(
        self, run: OpenReplay, now: float, committed: list[tuple[int, int, float]]
    ) -> None:
        self._workload, self._windows, self._policy = run.workload, run.windows, run.policy
        self._run = run
        self._now = now
        self.left = run.left
        for _, option, start in committed:
            self.left += self._joules_in_windows(option, start)
        outcome = run.outcome()
        new = {job for job, _, _ in committed}
        before = [job for job in run.underway.tolist() if job not in new]
        room = 4 + 2 * (len(before) + len(run.waiting) + len(committed))
        self._plan = all_free(run.workload.pools.units, run.workload.pools.parts, room)
        options = run.workload.options
        for job in before:
            option = int(outcome.option[job])
            if option != NOT_RUN:
                begin = max(float(outcome.start[job]), now)
                end = float(outcome.estimated_end[job])
                occupy(self._plan, options.pool[option], self._taken(option), begin, end)

    @property
    def free_now(self) -> IntArray:
        """Free units of each pool at the time of the event."""
        pools = len(self._workload.pools)
        return np.array([_free_at(self._plan, pool, self._now) for pool in range(pools)])

    def _taken(self, option: int) -> tuple[int, IntArray]:
        return int(self._workload.options.units[option]), self._run.facts.further[option]

    def take(self, option: int, start: float) -> None:
        """Commits an option to the plan."""
        options = self._workload.options
        end = start + float(options.seconds[option])
        occupy(self._plan, options.pool[option], self._taken(option), start, end)
        self.left -= self._joules_in_windows(option, start)

    def ways(self, job: int, measure: Measure) -> list[Way]:
        """All ways to run a job that the policy looks at, each as early as the plan allows."""
        options = self._workload.options
        found = []
        for option in range(int(options.first[job]), int(options.first[job + 1])):
            if self._policy.fastest_only and options.state[option] != 0:
                continue
            pool, seconds = options.pool[option], float(options.seconds[option])
            taken = self._taken(option)
            start = float(earliest_start(self._plan, pool, taken, seconds, self._now))
            found.append(self.way(job, option, start, measure))
        return found

    def way(self, job: int, option: int, start: float, measure: Measure) -> Way:
        """An option that begins at `start`."""
        workload, facts, rules = self._workload, self._run.facts, self._run.rules
        options = workload.options
        seconds = float(options.seconds[option])
        worth = float(worth_at(facts, job, start + seconds, facts.ways[option].extra))
        value = float(measured(facts, rules, int(measure), job, option, start))
        cores = int(options.units[option] * workload.pools.cores[options.pool[option]])
        joules = seconds * float(options.watts[option])
        enough = bool((self._joules_in_windows(option, start) <= self.left).all())
        fits = enough and start < workload.horizon.end
        fits = fits and (measure is not Measure.SURPLUS or value > 0)
        return Way(option, start, worth, seconds, seconds * cores, joules, fits, value)

    def _joules_in_windows(self, option: int, start: float) -> FloatArray:
        options, edges = self._workload.options, self._windows.edges
        end = start + float(options.seconds[option])
        spans = np.minimum(end, edges[1:]) - np.maximum(start, edges[:-1])
        return np.asarray(np.maximum(spans, 0.0) * options.watts[option])


def _free_at(plan: Profile, pool: int, now: float) -> int:
    steps = int(plan.steps[pool])
    step = int(np.searchsorted(plan.time[pool, :steps], now, side="right")) - 1
    return int(plan.free[pool, max(step, 0)])


class RecordedPrices:
    """Sets the prices of a record, each at its time; before the first there are none."""

    def __init__(self, priced: Sequence[PricesFrom]) -> None:
        self._priced = priced

    def prices(self, run: OpenReplay, budget: Budget) -> Prices | None:
        del budget
        so_far = [one.prices for one in self._priced if one.time <= run.now]
        return so_far[-1] if so_far else None

    def again(self, run: OpenReplay) -> float:
        """When the next prices of the record begin (s)."""
        return min((one.time for one in self._priced if one.time > run.now), default=np.inf)
