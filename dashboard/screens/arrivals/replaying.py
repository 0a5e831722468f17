"""The replays of all policies and days, in worker processes, while the page is already shown."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from core.capabilities.arrivals.asked import ArrivalsSettings, GivenWorkload
from core.capabilities.arrivals.policies import published_maximum
from core.capabilities.arrivals.trials import (
    UNLIMITED,
    JoulesAllowed,
    ReplayComparison,
    ReplayQuestion,
    outcome_of_trial,
)
from core.capabilities.arrivals.uncertain.trials import BagTrials
from core.engines.compute.task import Task
from core.engines.replay.bound import bound as prove_bound
from core.engines.replay.judge import judge_outcome
from core.engines.replay.outcome import ReplayOutcome, ReplayScore
from core.vocabulary.budget import Budget
from core.vocabulary.say.words import counted
from dashboard.screens.arrivals.found import ArrivalsFound, DayFacts
from dashboard.server.background import Job

_PROVING: Final = "Proving what is possible"
_MOST_RECORDED: Final = 100_000
"""Jobs of a workload whose records are kept for the charts."""


@dataclass(frozen=True, eq=False)
class AskedReplays:
    """What was asked for; `turn` tells it from others, and `before` is what is already known."""

    settings: ArrivalsSettings
    given: GivenWorkload | None
    turn: int
    before: ArrivalsFound | BagTrials | None = None

    @property
    def question(self) -> ReplayQuestion:
        return self.settings.question(self.given)

    @property
    def begun(self) -> ArrivalsFound:
        """Replays of which none is done yet."""
        return ArrivalsFound(self.settings, given=self.given)

    @property
    def nothing(self) -> ReplayComparison | BagTrials:
        """What is known before anything was computed."""
        if self.settings.of_bags:
            return BagTrials(self.settings)
        return self.begun.comparison


def replaying(asked: AskedReplays) -> Callable[[Job[ArrivalsFound]], None]:
    """The work of a job that shows what is found, day by day and policy by policy."""
    settings, question = asked.settings, asked.question

    def work(job: Job[ArrivalsFound]) -> None:
        before = asked.before
        found = before if isinstance(before, ArrivalsFound) else asked.begun
        if found.scores:
            job.show(found)
        done, began = 0, time.monotonic()
        job.begin("Drawing the first day")
        for day in range(settings.all_days):
            if day not in found.days:
                with job.turn() as turn:
                    facts = turn.compute(Task(facts_of, (question, day)))
                found = found.with_day(day, facts)
            for policy in settings.policies:
                if (policy, day) in found.scores:
                    continue
                tell(job, found, done, time.monotonic() - began)
                with job.turn() as turn:
                    free = found.days[day].free_joules
                    task = Task(replayed, (question, day, policy, free))
                    score, is_right, record = turn.compute(task)
                done += 1
                found = found.with_score(policy, day, score, _alike(found, record))
                found = found if is_right else found.with_fault(policy, day)
                job.show(found)
        for day, facts in found.days.items():
            if facts.bound is None:
                prove = Task(possible, (question, day, facts.free_joules), reports=True)
                with job.turn() as turn:
                    job.begin(_PROVING)
                    proven = turn.compute(prove, report=telling_share(job, time.monotonic()))
                found = found.with_day(day, replace(facts, bound=proven))
                job.show(found)

    return work


def tell(job: Job[ArrivalsFound], found: ArrivalsFound, done: int, spent: float) -> None:
    """How many replays there are so far, and about how long the others take."""
    there = len(found.scores)
    left = spent / done * (found.replays - there) if done else 0.0
    said = f"{there:,} of {counted(found.replays, 'replay')}"
    job.begin(said, spent + left if left else 0.0, spent if left else 0.0)


def telling_share(job: Job[ArrivalsFound], began: float) -> Callable[[float], None]:
    """Tells how long the bound of a day still takes at most, by the share that is done."""

    def tell_share(done: float) -> None:
        spent = time.monotonic() - began
        if done > 0:
            job.begin(_PROVING, spent / done, spent)

    return tell_share


def _alike(found: ArrivalsFound, record: ReplayOutcome | None) -> ReplayOutcome | None:
    """The record with the workload of the others, so that there is only one in memory."""
    other = next(iter(found.records.values()), None)
    if record is None or other is None:
        return record
    return replace(record, workload=other.workload, truth=other.truth)


def facts_of(question: ReplayQuestion, day: int) -> DayFacts:
    """The facts of a day; the energy without a budget is that of a policy that has none."""
    file = question.file(day)
    unlimited = replace(question, budget=JoulesAllowed(math.inf))
    outcome, _ = outcome_of_trial(unlimited, day, UNLIMITED)
    free = outcome.joules
    return DayFacts(
        len(file.workload.jobs),
        free,
        question.day_joules(day, free),
        published_maximum(file.workload, file.truth),
        budget_seconds=file.workload.horizon.end - file.workload.horizon.begin,
    )


def possible(
    question: ReplayQuestion,
    day: int,
    free: float,
    report: Callable[[float], None] | None = None,
) -> float:
    """What no policy can earn more than on a day; `free` is what is drawn without a budget (J)."""
    file = question.file(day)
    windows = question.windows(day, free)
    return prove_bound(file.workload, file.truth, windows, report=report).value


def replayed(
    question: ReplayQuestion, day: int, policy: str, free: float
) -> tuple[ReplayScore, bool, ReplayOutcome | None]:
    """The score of a policy on a day, and what the judge says; on the first day its record, too."""
    outcome, seconds = outcome_of_trial(question, day, policy, free, Budget())
    score = ReplayScore.of(outcome, seconds)
    kept = day == 0 and len(outcome.workload.jobs) <= _MOST_RECORDED
    return score, judge_outcome(outcome).ok, outcome if kept else None
