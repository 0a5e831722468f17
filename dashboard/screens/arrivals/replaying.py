"""The replays of policies in worker processes, while the page is already shown."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeVar

import numpy as np

from core.capabilities.arrivals.asked import ArrivalsSettings, GivenWorkload
from core.capabilities.arrivals.told import told, with_replay_times
from core.capabilities.arrivals.trials import (
    UNLIMITED,
    JoulesAllowed,
    PolicyTrial,
    ReplayComparison,
    ReplayQuestion,
    TrialPart,
    bound_of,
    replayed,
)
from core.engines.compute.task import Task
from core.engines.replay.outcome import ReplayOutcome
from core.shells.told.told import Told
from core.vocabulary.intervals import Interval
from core.vocabulary.prices.site import Site
from dashboard.server.background import Job
from dashboard.server.pace import Pace

T = TypeVar("T")
_PROVING: Final = "Proving what is possible"
_MOST_RECORDED: Final = 100_000
"""Jobs of a workload whose records are kept for the charts."""
STEPS: Final = tuple(step / 100 for step in range(40, 121, 10))
"""Other energy budgets, as shares of the energy that is spent without one."""
_SHOW_SECONDS: Final = 0.5


@dataclass(frozen=True, eq=False)
class ArrivalsFound:
    """What is known so far of what was asked, and the records of the first day by policy."""

    settings: ArrivalsSettings
    given: GivenWorkload | None
    compared: ReplayComparison
    records: Mapping[str, ReplayOutcome] = field(default_factory=dict)

    @property
    def shown(self) -> ReplayComparison:
        """The policies with a replay; without bounds until there are all."""
        return self.compared.so_far

    def told_at(self, site: Site) -> Told:
        """What is said of it; the last table has the mean time that a replay took here, too."""
        said = told(self.shown, self.settings.called(self.given), site)
        if not said.tables:
            return said
        *others, policies = said.tables
        return replace(said, tables=(*others, with_replay_times(policies, self.shown)))

    def with_replay(
        self, part: TrialPart, one: PolicyTrial, record: ReplayOutcome | None
    ) -> "ArrivalsFound":
        """The same with what came of a policy on a day, and its record if there is one."""
        records = dict(self.records)
        if record is not None:
            # All have the workload of the first, so that there is only one in memory.
            for other in list(records.values())[:1]:
                record = replace(record, workload=other.workload, truth=other.truth)
            records[record.policy] = record
        return replace(self, compared=self.compared.with_results([(part, one)]), records=records)

    @property
    def done(self) -> int:
        """How many replays there are, of all `replays`."""
        return sum(map(len, self.compared.trials.values()))

    @property
    def replays(self) -> int:
        return self.settings.all_days * len(self.settings.chosen)


@dataclass(frozen=True, eq=False)
class AskedReplays:
    """What was asked for once, which is itself alone; `before` is what is already known."""

    settings: ArrivalsSettings
    given: GivenWorkload | None
    before: ArrivalsFound | None = None

    @property
    def question(self) -> ReplayQuestion:
        return self.settings.question(self.given)

    @property
    def begun(self) -> ArrivalsFound:
        """Replays of which none is done yet."""
        return ArrivalsFound(self.settings, self.given, ReplayComparison({}, self.question))


def replaying(asked: AskedReplays) -> Callable[[Job[ArrivalsFound]], None]:
    """The work of a job that shows what is found, day by day and policy by policy; then it proves
    what is possible.
    """
    question = asked.question

    def work(job: Job[ArrivalsFound]) -> None:
        found = asked.before or asked.begun
        if found.done:
            job.show(found)
        pace = Pace("replay")
        job.begin("Drawing the first bag" if question.of_bags else "Drawing the first day")
        while left := found.compared.left:
            part = min(left, key=lambda one: one.policy is None)
            if part.policy is None:
                with job.turn() as turn:
                    job.begin(_PROVING)
                    prove = Task(bound_of, (question, part), reports=True)
                    report = telling_share(job, time.monotonic())
                    bound = turn.compute(prove, report=report)
                found = replace(found, compared=found.compared.with_results([(part, bound)]))
            else:
                if not question.is_unlimited(part):
                    more = sum(other.policy is not None for other in left)
                    pace.tell(job, found.done, found.replays, more)
                one, record = pace.compute(job, Task(replayed_day, (question, part)))
                found = found.with_replay(part, one, record)
            if not question.is_unlimited(part):
                job.show(found)

    return work


def replayed_day(
    question: ReplayQuestion, part: TrialPart
) -> tuple[PolicyTrial, ReplayOutcome | None]:
    """What comes of a policy on a day; of the first day also what became of each job."""
    one, record = replayed(question, part)
    is_first = part.trial == 0 and not question.is_unlimited(part)
    return one, record if is_first and one.jobs <= _MOST_RECORDED else None


def telling_share(job: Job[Any], began: float) -> Callable[[float], None]:
    """Tells how long the bound of a day still takes at most, by the share that is done."""

    def tell_share(done: float) -> None:
        spent = time.monotonic() - began
        if done > 0:
            job.begin(_PROVING, spent / done, spent)

    return tell_share


@dataclass(frozen=True, eq=False, slots=True)
class BudgetScores:
    """The worth by policy, day and budget, as a share of what jobs are worth if each begins when it
    arrives.
    """

    found: ArrivalsFound
    worth: Mapping[tuple[str, int, float], float] = field(default_factory=dict)

    @property
    def all_steps(self) -> list[tuple[str, int, float]]:
        """What the whole sweep replays."""
        days, policies = range(self.found.settings.all_days), self.found.compared.question.policies
        return [(policy, day, step) for day in days for step in STEPS for policy in policies]

    def of(self, policy: str, step: float) -> Interval | None:
        """The mean over the days so far; None if there is none."""
        days = range(self.found.settings.all_days)
        values = [self.worth[key] for day in days if (key := (policy, day, step)) in self.worth]
        return Interval.of(np.array(values)) if values else None


def score_of(question: ReplayQuestion, part: TrialPart) -> PolicyTrial:
    """What comes of a policy on a day."""
    return replayed(question, part)[0]


def sweeping_budgets(
    found: ArrivalsFound, before: BudgetScores | None = None
) -> Callable[[Job[BudgetScores]], None]:
    """The work of a job that replays each day of an answer at each budget."""

    def work(job: Job[BudgetScores]) -> None:
        scores, unlimited = before or BudgetScores(found), dict(found.compared.unlimited)
        job.begin("Replaying at other budgets")
        pace, shown, steps = Pace("replay"), 0.0, scores.all_steps
        for policy, day, step in steps:
            if (policy, day, step) in scores.worth:
                continue
            question = replace(found.compared.question, budget=JoulesAllowed(share=step))
            if day not in unlimited:
                free = pace.compute(job, Task(score_of, (question, TrialPart(day, UNLIMITED))))
                unlimited[day] = free.score.joules
            part = TrialPart(day, policy, unlimited[day])
            one = pace.compute(job, Task(score_of, (question, part)))
            share = one.score.worth / one.maximum if one.maximum > 0 else 0.0
            scores = replace(scores, worth={**scores.worth, (policy, day, step): share})
            pace.tell(job, len(scores.worth), len(steps), len(steps) - len(scores.worth))
            if time.monotonic() - shown >= _SHOW_SECONDS or len(scores.worth) == len(steps):
                job.show(scores)
                shown = time.monotonic()

    return work
