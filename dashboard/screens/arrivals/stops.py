"""What other ways to stop jobs would come to on the first day, and what bursts change."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, get_args

from core.capabilities.arrivals.made.bursts import in_bursts
from core.capabilities.arrivals.policies import STOPS, USUAL_STOPPERS, StopName, stops_jobs
from core.capabilities.arrivals.question import ReplayQuestion, TrialPart
from core.capabilities.arrivals.trials import PolicyTrial
from core.engines.compute.task import Task
from core.engines.replay.stopping.rules import Whom
from dashboard.parts.replays.replaying import ArrivalsFound
from dashboard.screens.arrivals.sweeping import score_of, sweep
from dashboard.server.background import Job
from dashboard.server.pace import Pace

MOST_IN_PAIRS: Final = 2_000
"""Jobs of a day that are ordered in pairs, which takes the longest."""
SIZES: Final = (1, 4, 16, 64, 256)
_FEWEST_BURSTS: Final = 4


class StopWay(NamedTuple):
    """A policy, and whom it stops first, where so many jobs come at once; 1: as they come."""

    policy: str
    whom: Whom
    burst: int = 1


@dataclass(frozen=True, eq=False, slots=True)
class StopsFound:
    """What is known so far of an answer's first day under other ways to stop jobs."""

    found: ArrivalsFound
    trials: Mapping[StopWay, PolicyTrial]

    @classmethod
    def begun(cls, found: ArrivalsFound) -> "StopsFound":
        """What the answer itself says of its first day."""
        trials, whom = found.shown.trials, found.settings.whom
        return cls(found, {StopWay(name, whom): days[0] for name, days in trials.items()})

    @property
    def jobs(self) -> int:
        """The jobs of the first day."""
        return next(one[0].jobs for one in self.found.shown.trials.values())

    @property
    def stopper(self) -> str:
        """The best policy of the answer that stops jobs, or else the usual one."""
        ranked = self.found.shown.ranked
        usual = USUAL_STOPPERS[self.found.settings.stop or "greedy"]
        usual = usual if stops_jobs(usual) else USUAL_STOPPERS["greedy"]
        return next((name for name in ranked if stops_jobs(name)), usual)

    @property
    def plain(self) -> str | None:
        """The best policy of the answer that stops none."""
        return next((name for name in self.found.shown.ranked if not stops_jobs(name)), None)

    @property
    def ways(self) -> list[StopWay]:
        """Each technique with each rule; pairs of few jobs only."""
        names: dict[StopName, str] = {**USUAL_STOPPERS, **_of(self.stopper)}
        pairs = self.jobs <= MOST_IN_PAIRS
        policies = [one for one in names.values() if stops_jobs(one)]
        policies = [one for one in policies if pairs or one != names["pair"]]
        return [StopWay(policy, whom) for policy in policies for whom in get_args(Whom)]

    @property
    def bursts(self) -> list[StopWay]:
        """Bursts of each size, with the best policy that stops jobs, and that stops none; nothing
        without both.
        """
        plain, whom = self.plain, self.found.settings.whom
        if plain is None:
            return []
        sizes = [size for size in SIZES if size * _FEWEST_BURSTS <= self.jobs]
        return [StopWay(name, whom, size) for size in sizes for name in (self.stopper, plain)]

    @property
    def left(self) -> list[StopWay]:
        """What is still to be replayed."""
        return [way for way in dict.fromkeys(self.ways + self.bursts) if way not in self.trials]

    def with_trial(self, way: StopWay, one: PolicyTrial) -> "StopsFound":
        """The same with what came of a way."""
        return replace(self, trials={**self.trials, way: one})


def _of(policy: str) -> dict[StopName, str]:
    """A policy that stops jobs, by its technique."""
    return {name: policy for name, made in STOPS.items() if policy in made.values()}


def burst_score(question: ReplayQuestion, part: TrialPart, size: int) -> PolicyTrial:
    """What comes of a policy on a day on which so many jobs come at once."""
    if size > 1:
        question = replace(question, source=in_bursts(question.file(part.trial), size))
    return score_of(question, part)


def trying_ways(begun: StopsFound) -> Callable[[Job[StopsFound]], None]:
    """The work of a job that replays the first day of an answer in each way that is left."""
    found = begun.found

    def task_of(way: StopWay, _pace: Pace) -> Task[PolicyTrial]:
        question = found.compared.question
        stopping = replace(found.settings.stopping, whom=way.whom)
        question = replace(question, policies=(way.policy,), stopping=stopping)
        part = TrialPart(0, way.policy, found.compared.unlimited.get(0))
        return Task(burst_score, (question, part, way.burst))

    def work(job: Job[StopsFound]) -> None:
        job.begin("Replaying other ways to stop jobs")
        sweep(job, begun, begun.left, task_of, StopsFound.with_trial)

    return work
