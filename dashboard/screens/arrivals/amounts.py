"""The first day of an answer on clusters with more, or less, of one resource."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Literal, NamedTuple

from core.capabilities.arrivals.made.amounts import with_amounts
from core.capabilities.arrivals.question import JoulesAllowed, ReplayQuestion, TrialPart
from core.capabilities.arrivals.trials import PolicyTrial, TrialBound, bound_of
from core.engines.compute.task import Task
from core.engines.replay.hourly_prices import CORES
from core.engines.replay.workload import Workload
from core.vocabulary.problems import InvalidInput
from dashboard.parts.replays.replaying import ArrivalsFound
from dashboard.screens.arrivals.sweeping import score_of, sweep
from dashboard.server.background import Job
from dashboard.server.pace import Pace

FACTORS: Final = (0.5, 0.75, 1.0, 1.25, 1.5)
"""Times what the cluster has, as the publication has them."""


ALIKE: Final = 1e-4
"""Worths that differ by no more than such a share are alike."""
Figure = Literal["worth", "flow"]
FIGURES: Final[dict[Figure, str]] = {"worth": "Worth", "flow": "Mean time to the end"}


def _flow(one: PolicyTrial | TrialBound) -> float | None:
    return one.score.mean_flow if isinstance(one, PolicyTrial) else None


def _worth(one: PolicyTrial | TrialBound) -> float:
    return one.score.worth if isinstance(one, PolicyTrial) else one.worth


_FIGURES: Final[Mapping[Figure, Callable[[PolicyTrial | TrialBound], float | None]]] = {
    "worth": _worth,
    "flow": _flow,
}


class AmountStep(NamedTuple):
    """So many times a resource, and a policy, or None for the bound."""

    resource: str
    factor: float
    policy: str | None


@dataclass(frozen=True, eq=False, slots=True)
class AmountsFound:
    """What is known so far; None where a job would fit nowhere."""

    found: ArrivalsFound
    known: Mapping[AmountStep, PolicyTrial | TrialBound | None] = field(default_factory=dict)

    @classmethod
    def begun(cls, found: ArrivalsFound) -> "AmountsFound":
        """What the answer itself says of its first day."""
        known: dict[AmountStep, PolicyTrial | TrialBound | None] = {}
        for resource in resources_of(found):
            for policy, days in found.shown.trials.items():
                known[AmountStep(resource, 1.0, policy)] = days[0]
            if 0 in found.compared.bounds:
                known[AmountStep(resource, 1.0, None)] = found.compared.bounds[0]
        return cls(found, known)

    @property
    def policies(self) -> tuple[str | None, ...]:
        """The policies of the answer, the best first, and the bound if it was asked for."""
        bound = (None,) if self.found.compared.question.bounded else ()
        return *self.found.shown.ranked, *bound

    @property
    def left(self) -> list[AmountStep]:
        """What is still to be computed; bounds, which take the longest, come last."""
        each = [
            AmountStep(resource, factor, policy)
            for policy in self.policies
            for resource in resources_of(self.found)
            for factor in FACTORS
        ]
        return [step for step in each if step not in self.known]

    def with_step(self, step: AmountStep, one: PolicyTrial | TrialBound | None) -> "AmountsFound":
        """The same with what came of a step."""
        return replace(self, known={**self.known, step: one})

    def line(self, resource: str, policy: str | None, figure: Figure) -> list[tuple[float, float]]:
        """A figure of a policy, or of the bound, by how many times a resource there is."""
        steps = ((factor, AmountStep(resource, factor, policy)) for factor in FACTORS)
        found = ((factor, self.known.get(step)) for factor, step in steps)
        return [
            (factor, value)
            for factor, one in found
            if one is not None and (value := _FIGURES[figure](one)) is not None
        ]

    @property
    def figure(self) -> Figure:
        """What differs with the amounts: the worth, or else how long jobs take."""
        lines = [
            [worth for _, worth in self.line(resource, policy, "worth")]
            for resource in resources_of(self.found)
            for policy in self.found.shown.ranked
        ]
        known = any(len(line) > 1 for line in lines)
        differs = any(max(line) - min(line) > ALIKE * max(line) for line in lines if line)
        return "flow" if known and not differs else "worth"


def workload_of(found: ArrivalsFound) -> Workload:
    """The workload of the first day, which all records have."""
    return next(iter(found.records.values())).workload


def resources_of(found: ArrivalsFound) -> tuple[str, ...]:
    """The resources of the first day, cores first."""
    return CORES, *workload_of(found).pools.resources


def worth_at(question: ReplayQuestion, step: AmountStep) -> PolicyTrial | TrialBound | None:
    """What comes of a step; None where a job would fit nowhere."""
    try:
        source = with_amounts(question.file(0), step.resource, step.factor)
    except InvalidInput:
        return None
    question, part = replace(question, source=source, weights=None), TrialPart(0, step.policy)
    return bound_of(question, part) if step.policy is None else score_of(question, part)


def with_joules(found: ArrivalsFound) -> ReplayQuestion:
    """The question, with a share of a budget as the joules that it is on the first day."""
    question = found.compared.question
    joules = question.day_joules(0, found.compared.unlimited.get(0))
    return replace(question, budget=JoulesAllowed(joules))


def trying_amounts(begun: AmountsFound) -> Callable[[Job[AmountsFound]], None]:
    """The work of a job that finds the worth of each step that is left."""
    question = with_joules(begun.found)

    def task_of(step: AmountStep, _pace: Pace) -> Task[PolicyTrial | TrialBound | None]:
        return Task(worth_at, (question, step))

    def work(job: Job[AmountsFound]) -> None:
        job.begin("Replaying with other cores and memory")
        sweep(job, begun, begun.left, task_of, AmountsFound.with_step)

    return work
