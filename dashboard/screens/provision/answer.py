"""What to buy, also for a goal: computed in a worker process, while the page is shown."""

import math
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final

from core import System
from core.capabilities.provision.answer import Provisioning, decided
from core.capabilities.provision.clashes import refuse_clash
from core.capabilities.provision.confidence import (
    OutOfSample,
    known_out_of_sample,
    out_of_sample,
)
from core.capabilities.provision.first_stage import Purchase, nothing_bought
from core.capabilities.provision.goals.answer import GoalAnswer, find_goal, in_progress
from core.capabilities.provision.goals.answer import told as told_of_goal
from core.capabilities.provision.goals.search import GoalProgress
from core.capabilities.provision.plan import Plan
from core.capabilities.provision.two_stage import SearchProgress
from core.capabilities.provision.week_told import WeekAnswer, best_of_week, told_of_week
from core.capabilities.provision.words import UNTOUCHED
from core.engines.compute.task import Task
from core.shells.told.told import Told
from core.vocabulary.arrivals import HourlyArrivals
from core.vocabulary.budget import Cancelled, never
from core.vocabulary.intervals import Interval
from core.vocabulary.node_use import NodeUse
from core.vocabulary.prices.site import Site
from core.vocabulary.say.words import Sense, share
from core.vocabulary.tolerances import GOAL_GAP
from dashboard.screens.provision.inputs import PlanInputs, plan_file_of
from dashboard.server.background import Job

FIRST_SCENARIOS: Final = 64
"""The first answer is of so many scenarios: it is there at once (`benchmarks/dashboard.py`)."""
FIRST_GAP: Final = 1e-2
"""How far the first answer may be from the best for its scenarios, as a share; this is proven."""
_WORTH_A_FIRST: Final = 4


@dataclass(frozen=True, slots=True)
class ProvisionAsked:
    """What was asked: the digest of the system, the inputs of the plan, and arrivals of a log."""

    fingerprint: str
    inputs: PlanInputs
    arrivals: HourlyArrivals | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ProvisionAnswer(Provisioning):
    """What to buy, and what was asked. Fresh scenarios are computed later."""

    asked: ProvisionAsked

    @property
    def is_first(self) -> bool:
        """Whether it is of fewer scenarios than were asked for; the others follow."""
        return self.file.scenarios.count < self.asked.inputs.scenarios.count


@dataclass(frozen=True, slots=True, eq=False)
class GoalFound:
    """The best purchase for another goal than the most reward, such as the least wait, and what was
    asked.
    """

    asked: ProvisionAsked
    answer: GoalAnswer | WeekAnswer

    @property
    def plan(self) -> Plan:
        return self.answer.file.plan

    @property
    def purchase(self) -> Purchase:
        if isinstance(self.answer, GoalAnswer):
            return self.answer.decision.purchase
        found = self.answer.found
        return nothing_bought(self.plan) if found is None else found.purchase

    def told(self, site: Site, use: NodeUse | None = None) -> Told:
        """All that is said of it."""
        if isinstance(self.answer, GoalAnswer):
            return told_of_goal(self.answer, site, use)
        return told_of_week(self.answer, site, use)

    @property
    def purchases(self) -> dict[str, Purchase]:
        """The purchase, and that for the mean future, by their titles."""
        found = {"This goal": self.purchase}
        if isinstance(self.answer, GoalAnswer) and self.answer.for_mean is not None:
            found["If all goes as expected"] = self.answer.for_mean[0].purchase
        return found


def answered(found: Provisioning, asked: ProvisionAsked) -> ProvisionAnswer:
    """What to buy, with what was asked."""
    return ProvisionAnswer(
        **{one.name: getattr(found, one.name) for one in fields(found)}, asked=asked
    )


def fresh_of(
    found: ProvisionAnswer, *, should_stop: Callable[[], bool] = never
) -> tuple[dict[str, OutOfSample], Interval]:
    """What each purchase leads to on the same fresh scenarios, also buying nothing, and what would
    be earned if each of them were known. Raises `Cancelled`.
    """
    sampling, weights, fresh = found.file.sampling.repeated, found.asked.inputs.weights, {}
    nothing = found.compared.untouched
    for method, one in {**found.outcomes, UNTOUCHED: nothing}.items():
        if should_stop():
            raise Cancelled
        if one is not None:
            fresh[method] = out_of_sample(found.plan, one.purchase, weights, sampling)
    return fresh, known_out_of_sample(found.plan, weights, sampling)


def decide(
    system: System,
    inputs: PlanInputs,
    arrivals: HourlyArrivals | None = None,
    *,
    should_stop: Callable[[], bool] = never,
    report: Callable[[GoalProgress], None] | None = None,
) -> GoalFound:
    """The best purchase for the goal of a plan, or for a week. Raises `InvalidInput`,
    also if nothing keeps the limits, and `Cancelled`.
    """
    file = plan_file_of(system, inputs)
    refuse_clash(file.plan, whole=inputs.of_week is not None)
    asked = ProvisionAsked(system.fingerprint, inputs)
    if inputs.of_week is not None:
        return GoalFound(asked, best_of_week(file, inputs.of_week, arrivals, should_stop))
    found = find_goal(file, inputs.goal, gap=GOAL_GAP, should_stop=should_stop, report=report)
    return GoalFound(asked, found)


def searching(system: System, asked: ProvisionAsked) -> Callable[[Job[Any]], None]:
    """The work of a job that finds what to buy: for a goal, or else for the most reward, and then
    it tries the purchase on fresh scenarios.
    """
    inputs, usual = asked.inputs, asked.inputs.is_usual

    def work(job: Job[Any]) -> None:
        job.begin("Finding what to buy")
        if not usual:
            given = (system, inputs, asked.arrivals)
            with job.turn() as turn:
                goal = Task(decide, given, reports=True)
                job.show(turn.compute(goal, report=lambda now: job.begin(in_progress(now))))
            return
        file = plan_file_of(system, inputs)
        aim = inputs.aim  # which a worker process reads without the page
        job.compute(Task(refuse_clash, (file.plan,), {"whole": aim.whole}))
        if file.scenarios.count >= _WORTH_A_FIRST * FIRST_SCENARIOS:
            few = replace(file, scenarios=replace(file.scenarios, count=FIRST_SCENARIOS))
            first = job.compute(Task(decided, (few, aim, asked.arrivals, FIRST_GAP)))
            job.show(answered(first, asked))
        with job.turn() as turn:
            task = Task(decided, (file, aim, asked.arrivals), reports=True)
            best = turn.compute(task, report=lambda now: job.begin(so_far(now, inputs)))
            found = answered(best, asked)
            # What the page shows keeps more as it is looked at, so a process gets a copy.
            tried = Task(fresh_of, (deepcopy(found),))
            job.show(found)
            job.begin("Trying the purchase on fresh scenarios")
            fresh, known = turn.compute(tried)
            job.show(replace(found, fresh=fresh, fresh_known=known))

    return work


def so_far(progress: SearchProgress, inputs: PlanInputs) -> str:
    """How far a search is: "Try 7: 4,464 an hour so far, at most 0.02 % more possible"."""
    said = f"Try {progress.tries:,}: {inputs.rates.said(progress.lower)} so far"
    if math.isfinite(progress.upper) and progress.lower > 0:
        more = max(progress.upper / progress.lower - 1, 0.0)
        said += f", at most {share(more, Sense.UPPER_BOUND)} more is possible"
    return said
