"""The replays of policies in worker processes, while the page is already shown."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeVar

from core.capabilities.arrivals.asked import ArrivalsSettings, GivenWorkload
from core.capabilities.arrivals.question import ReplayQuestion, TrialPart
from core.capabilities.arrivals.told import told, with_replay_times
from core.capabilities.arrivals.trials import PolicyTrial, ReplayComparison, bound_of, replayed
from core.engines.compute.task import Task
from core.engines.replay.outcome import ReplayOutcome
from core.shells.told.told import Told
from core.vocabulary.prices.site import Site
from dashboard.server.background import Job
from dashboard.server.pace import Pace

T = TypeVar("T")
_PROVING: Final = "Proving what is possible"
_MOST_RECORDED: Final = 100_000
"""Jobs of a workload whose records are kept for the charts."""


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
        """What is said of it; the table of policies has the mean time of a replay here, too."""
        said = told(self.shown, self.settings.called(self.given), site, self.given)
        if not said.tables:
            return said
        tables = list(said.tables)
        place = -1 if self.compared.question.of_bags else 0
        tables[place] = with_replay_times(tables[place], self.shown)
        return replace(said, tables=tuple(tables))

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
