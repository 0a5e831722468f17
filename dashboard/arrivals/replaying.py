"""The replays of all policies and days, in worker processes, while the page is already shown."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from core.arrivals.policies import policy_named, published_maximum
from core.engine.task import Task
from core.model.budget import Budget
from core.replay.bound import bound as prove_bound
from core.replay.clock import ReplaySettings
from core.replay.clock import replay as run_replay
from core.replay.energy import EnergyWindows
from core.replay.outcome import ReplayOutcome
from core.replay.score import ReplayScore
from core.say.words import counted
from dashboard.arrivals.found import ArrivalsFound, DayFacts
from dashboard.arrivals.settings import ArrivalsSettings
from dashboard.arrivals.workloads import GivenWorkload, drawn
from dashboard.shell.background import Job

_MOST_RECORDED: Final = 100_000
"""Jobs of a workload whose records are kept for the charts."""
_FREE: Final = "max-upr"
"""The policy that says what is spent without a budget."""


@dataclass(frozen=True, eq=False)
class AskedReplays:
    """What was asked for; `turn` tells it from others, and `before` is what is already known."""

    settings: ArrivalsSettings
    given: GivenWorkload | None
    turn: int
    before: ArrivalsFound | None = None


def replaying(asked: AskedReplays) -> Callable[[Job[ArrivalsFound]], None]:
    """The work of a job that shows what is found, day by day and policy by policy."""
    settings = asked.settings

    def work(job: Job[ArrivalsFound]) -> None:
        found = asked.before or ArrivalsFound(settings)
        if found.scores:
            job.show(found)
        done, began = 0, time.monotonic()
        job.begin("Drawing the first day")
        for day in range(settings.all_days):
            if day not in found.days:
                with job.turn() as turn:
                    facts = turn.compute(Task(facts_of, (settings, asked.given, day)))
                found = found.with_day(day, facts)
            for policy in settings.policies:
                if (policy, day) in found.scores:
                    continue
                tell(job, found, done, time.monotonic() - began)
                with job.turn() as turn:
                    joules = found.days[day].joules
                    score, record = turn.compute(
                        Task(replayed, (settings, asked.given, day, policy, joules))
                    )
                done += 1
                found = found.with_score(policy, day, score, _alike(found, record))
                job.show(found)
        for day, facts in found.days.items():
            if facts.bound is None:
                job.begin("Proving what is possible")
                with job.turn() as turn:
                    task = Task(possible, (settings, asked.given, day, facts.joules))
                    found = found.with_day(day, replace(facts, bound=turn.compute(task)))
                job.show(found)

    return work


def tell(job: Job[ArrivalsFound], found: ArrivalsFound, done: int, spent: float) -> None:
    """How many replays there are so far, and about how long the others take."""
    there = len(found.scores)
    left = spent / done * (found.replays - there) if done else 0.0
    said = f"{there:,} of {counted(found.replays, 'replay')}"
    job.begin(said, spent + left if left else 0.0, spent if left else 0.0)


def _alike(found: ArrivalsFound, record: ReplayOutcome | None) -> ReplayOutcome | None:
    """The record with the workload of the others, so that there is only one in memory."""
    other = next(iter(found.records.values()), None)
    if record is None or other is None:
        return record
    return replace(record, workload=other.workload, truth=other.truth)


def facts_of(settings: ArrivalsSettings, given: GivenWorkload | None, day: int) -> DayFacts:
    """The facts of a day; the energy without a budget is that of a policy that has none."""
    file = drawn(settings, given, day)
    workload, truth = file.workload, file.truth
    policy = settings.switches.applied(policy_named(_FREE).policy)
    free = run_replay(workload, policy, truth).joules
    joules = file.day_joules
    if settings.budget is not None and free > 0:
        joules = free * settings.budget
    return DayFacts(len(workload.jobs), free, joules, published_maximum(workload, truth))


def possible(
    settings: ArrivalsSettings, given: GivenWorkload | None, day: int, joules: float
) -> float:
    """What no policy can earn more than on a day, within a budget of energy (J)."""
    file = drawn(settings, given, day)
    windows = EnergyWindows.daily(file.workload.horizon, joules)
    return prove_bound(file.workload, file.truth, windows).value


def replayed(
    settings: ArrivalsSettings,
    given: GivenWorkload | None,
    day: int,
    policy: str,
    joules: float,
) -> tuple[ReplayScore, ReplayOutcome | None]:
    """The score of a policy on a day, and on the first day its record, too."""
    file = drawn(settings, given, day)
    windows = EnergyWindows.daily(file.workload.horizon, joules)
    started = time.perf_counter()
    outcome = run_replay(
        file.workload,
        settings.switches.applied(policy_named(policy).policy),
        file.truth,
        ReplaySettings(windows=windows, seed=settings.seed + day),
        Budget(),
    )
    score = ReplayScore.of(outcome, time.perf_counter() - started)
    kept = day == 0 and len(file.workload.jobs) <= _MOST_RECORDED
    return score, outcome if kept else None
