"""Policies compared on the same workloads: each trial is a workload, drawn by its own seed."""

import math
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property, partial
from operator import attrgetter
from typing import Final, Literal, NamedTuple

import numpy as np

from core.capabilities.arrivals.made.recipes import drawn
from core.capabilities.arrivals.made.testbed import BladeSettings, draw_testbed
from core.capabilities.arrivals.policies import (
    STOPPING,
    PolicySwitches,
    policy_named,
    published_maximum,
)
from core.capabilities.arrivals.question import UNLIMITED, ReplayQuestion, TrialPart
from core.capabilities.arrivals.uncertain.bags import UncertainSettings, draw_uncertain
from core.capabilities.arrivals.uncertain.methods import (
    BAG_METHODS,
    METHODS,
    BagBound,
    BagSettings,
    bag_bound,
    run_method,
)
from core.engines.compute.compiled import compile_from_now_on
from core.engines.compute.executors import Engine, InThisThread
from core.engines.compute.many import FailedRun, RunsFailed, RunsProgress, run_many
from core.engines.replay.bound import bound
from core.engines.replay.clock import ReplaySettings, replay
from core.engines.replay.curves import joules_by_hour
from core.engines.replay.hourly_prices import HourlyPrices
from core.engines.replay.judge import judge_outcome
from core.engines.replay.outcome import ReplayOutcome, ReplayScore
from core.engines.replay.policy import Policy
from core.engines.replay.pricing import Foresight
from core.engines.replay.stopping.rules import Stopping, Technique
from core.engines.replay.stopping.score import StopScore
from core.engines.replay.value_score import ValueScore
from core.engines.replay.workload import Horizon, Options, Truth, Workload
from core.engines.trials.paired import PairedTrials
from core.vocabulary.arrays import FloatArray
from core.vocabulary.budget import Budget, never
from core.vocabulary.intervals import Interval
from core.vocabulary.prices.site import EnergyCost, Site

_ALIKE: Final = 1e-3
"""Makespans that differ by at most this share are alike: nobody would choose by them."""

BagFigure = Literal["makespan", "joules"]
"""What methods for bags are compared by (s or J)."""


class PolicyTrial(NamedTuple):
    """What came of one trial of so many `jobs` under one policy.

    `maximum` is the published maximum of the worth; `budget` are the joules that jobs could draw
    within the horizon (infinite: no limit); `verified` says what the judge says. A method for bags
    has what was `expected`: what would have come of it if all estimates held. `by_hour` are the
    joules of the score in each hour of the day, if these are known. Where a job may stop others,
    there is what that comes to, and so there is where options add worth or take more than units.
    """

    score: ReplayScore
    maximum: float
    budget: float
    verified: bool
    jobs: int
    expected: ReplayScore | None = None
    by_hour: FloatArray | None = None
    stops: StopScore | None = None
    value: ValueScore | None = None


worth_of, makespan_of, joules_of, joules_of_jobs = map(
    attrgetter, ("score.worth", "score.makespan", "score.joules", "score.joules_of_jobs")
)


class TrialBound(NamedTuple):
    """What no policy could have beaten in a trial: its worth, and for methods for bags, which do
    all jobs, makespan and energy. `prices` are those of a day on which more than units is taken.
    """

    worth: float
    bag: BagBound | None = None
    prices: HourlyPrices | None = None


@dataclass(frozen=True)
class ReplayComparison(PairedTrials[PolicyTrial]):
    """The trials of each policy, by their place among the seeds. Policies are compared on those
    that all of them have, and of which the bound is there if it was asked for.
    """

    question: ReplayQuestion
    unlimited: Mapping[int, float] = field(default_factory=dict)
    """What jobs draw under `UNLIMITED` without a budget (J), by trial; empty if nobody asked."""
    bounds: Mapping[int, TrialBound] = field(default_factory=dict)
    """What no policy could have beaten, by trial; empty if nobody asked."""
    failed: tuple[FailedRun[str], ...] = ()

    @property
    def left(self) -> list[TrialPart]:
        """What is still to be computed, trial by trial: what it draws without a budget, and once
        that is known, its policies and its bound.
        """
        found = []
        for trial in range(self.question.trials):
            unlimited = self.unlimited.get(trial)
            if self.question.is_unlimited(first := TrialPart(trial, UNLIMITED, unlimited)):
                found.append(first)
                continue
            parts: list[str | None] = [*self.untried(trial, self.question.policies)]
            if self.question.bounded and trial not in self.bounds:
                parts.append(None)
            found += [TrialPart(trial, part, unlimited) for part in parts]
        return found

    def with_results(
        self, results: Iterable[tuple[TrialPart, PolicyTrial | TrialBound]]
    ) -> "ReplayComparison":
        """The same with what came of some of the runs that were left."""
        trials = {one: dict(self.trials.get(one, {})) for one in self.question.policies}
        unlimited, bounds = dict(self.unlimited), dict(self.bounds)
        for part, one in results:
            if isinstance(one, TrialBound):
                bounds[part.trial] = one
            elif self.question.is_unlimited(part):
                unlimited[part.trial] = joules_of_jobs(one)
            else:
                trials[part.policy or ""][part.trial] = one
        return replace(self, trials=trials, unlimited=unlimited, bounds=bounds)

    @cached_property
    def so_far(self) -> "ReplayComparison":
        """Only the policies that have a trial; without bounds until each trial has one."""
        trials = {policy: found for policy, found in self.trials.items() if found}
        bounded = self.question.bounded and set().union(*trials.values()) <= set(self.bounds)
        question = replace(self.question, policies=tuple(trials), bounded=bounded)
        return replace(
            self, question=question, trials=trials, bounds=self.bounds if bounded else {}
        )

    def counts(self, trial: int) -> bool:
        return not self.question.bounded or trial in self.bounds

    @property
    def complete(self) -> bool:
        return len(self.common) == self.question.trials

    @property
    def _common_bounds(self) -> list[TrialBound]:
        """The bound of each common trial; empty if nobody asked."""
        return [self.bounds[trial] for trial in self.common] if self.question.bounded else []

    @property
    def bound_values(self) -> FloatArray:
        """The worth that none could have beaten in each common trial; empty if nobody asked."""
        return np.array([one.worth for one in self._common_bounds])

    @cached_property
    def prices(self) -> HourlyPrices | None:
        """The prices of the bounds of the common trials, their mean; None where there are none."""
        found = [one.prices for one in self._common_bounds if one.prices is not None]
        if not found or len(found) < len(self._common_bounds):
            return None
        return found[0]._replace(worth=np.mean([one.worth for one in found], axis=0))

    def bag_bounds(self, figure: BagFigure) -> FloatArray:
        """What no method for bags could have stayed below in each common trial; empty if nobody
        asked, or if there are other policies, which may drop jobs.
        """
        bags = [one.bag for one in self._common_bounds]
        return np.array([getattr(bag, figure) for bag in bags if bag is not None])

    @cached_property
    def ends_alike(self) -> bool:
        """Whether bags end at about the same time under all of several methods."""
        policies = self.question.policies
        if not self.question.of_bags or not self.common or len(policies) < 2:
            return False
        ends = [self.mean(policy, makespan_of) for policy in policies]
        return max(ends) <= min(ends) * (1 + _ALIKE)

    @cached_property
    def ranked(self) -> list[str]:
        """The policies, by their mean worth and then by their energy; methods for bags by their
        makespan, unless all are alike, and then by their energy. The best is first; empty if they
        have no trial in common.
        """
        if not self.common:
            return []

        def place(policy: str) -> tuple[float, float]:
            of_bags, joules = self.question.of_bags, self.mean(policy, joules_of)
            if self.ends_alike:
                return 0.0, joules
            first = self.mean(policy, makespan_of) if of_bags else -self.mean(policy, worth_of)
            return first, joules

        return sorted(self.question.policies, key=place)

    @property
    def maxima(self) -> FloatArray:
        """The published maximum of each common trial, which is the same under all policies."""
        return self.values(self.question.policies[0], lambda one: one.maximum)

    @property
    def wholes(self) -> FloatArray:
        """What shares of worth are of, for each common trial: what is possible at most if that is
        known, else the published maximum.
        """
        return self.bound_values if self.question.bounded else self.maxima

    @property
    def knows_hours(self) -> bool:
        """Whether it is known at which hours of the day energy is drawn."""
        return all(one[k].by_hour is not None for one in self.trials.values() for k in self.common)

    def cost(self, policy: str, site: Site) -> EnergyCost:
        """What the energy of a policy costs at a site, on average over the trials."""
        each = [self.trials[policy][k] for k in self.common]
        costs = [site.cost_of(joules_of(one), one.by_hour) for one in each]
        return EnergyCost(*np.mean(costs, axis=0).tolist())

    def share(self, policy: str) -> Interval:
        """The worth of a policy as a share of `wholes`."""
        return Interval.of(self.ratios(policy, worth_of, self.wholes))

    def published_share(self, policy: str) -> Interval:
        """The worth of a policy as a share of the published maximum."""
        return Interval.of(self.ratios(policy, worth_of, self.maxima))


def compare_policies(
    question: ReplayQuestion,
    engine: Engine,
    *,
    should_stop: Callable[[], bool] = never,
    report: Callable[[RunsProgress], None] | None = None,
) -> ReplayComparison:
    """The trials of all policies, or those that were done when it was stopped.

    The result does not depend on the engine. Raises `EngineRefused` if the engine is gone.
    """
    found, failed = ReplayComparison({}, question).with_results(()), list[FailedRun[str]]()
    # What is computed here can be stopped within a part.
    budget = Budget(should_stop=should_stop) if isinstance(engine, InThisThread) else None
    trial = partial(trial_of, question, budget=budget)
    for is_unlimited in (False,) if question.budget.share is None else (True, False):
        runs = [part for part in found.left if question.is_unlimited(part) == is_unlimited]
        try:
            for results in run_many(trial, runs, engine, should_stop=should_stop, report=report):
                found = found.with_results(results)
        except RunsFailed as failure:
            failed.extend(FailedRun(_said(question, one.input), one.why) for one in failure.runs)
    return replace(found, failed=tuple(failed))


def _said(question: ReplayQuestion, part: TrialPart) -> str:
    return f"{part.policy or 'the bound'}, seed {question.seed + part.trial}"


def trial_of(
    question: ReplayQuestion, part: TrialPart, *, budget: Budget | None = None
) -> PolicyTrial | TrialBound:
    if part.policy is None:
        return bound_of(question, part, budget)
    return replayed(question, part, budget)[0]


def bound_of(
    question: ReplayQuestion,
    part: TrialPart,
    budget: Budget | None = None,
    report: Callable[[float], None] | None = None,
) -> TrialBound:
    """What no policy could have beaten in a trial; `report` is told which share is done."""
    file, limits = question.file(part.trial), question.windows(part.trial, part.unlimited)
    given, kept = (file.workload, file.truth, limits, budget), question.checkpoints
    found = bound(*given, report=report, checkpoints=kept)
    of_bag = _does_all(question, file.workload.horizon)
    bag = bag_bound(file.workload, file.truth) if of_bag else None
    return TrialBound(found.value, bag, HourlyPrices.of(file.workload, found))


def replayed(
    question: ReplayQuestion, part: TrialPart, budget: Budget | None = None
) -> tuple[PolicyTrial, ReplayOutcome]:
    """What comes of a policy in a trial, and what became of each job."""
    policy = part.policy or ""
    load_kernels(policy)
    outcome, seconds = outcome_of_trial(question, part.trial, policy, part.unlimited, budget)
    file, windows = question.file(part.trial), outcome.windows
    inside = windows.edges[:-1] >= file.workload.horizon.begin
    jobs = len(file.workload.jobs)
    expected = None
    if policy in BAG_METHODS:
        estimated = _of_bag(question, file.workload, Truth.as_estimated(jobs), policy)
        expected = ReplayScore.of(estimated, 0.0)
    found = PolicyTrial(
        ReplayScore.of(outcome, seconds),
        published_maximum(file.workload, file.truth),
        float(windows.joules[inside].sum()),
        judge_outcome(outcome).ok,
        jobs,
        expected,
        joules_by_hour(outcome),
        None if file.workload.jobs.rights is None else StopScore.of(outcome),
        ValueScore.of(outcome) if _has_value(file.workload.options) else None,
    )
    return found, outcome


def _has_value(options: Options) -> bool:
    """Whether options add to the worth of their jobs, or take more than units."""
    return options.extra is not None or options.further is not None


def _does_all(question: ReplayQuestion, horizon: Horizon) -> bool:
    """Whether all jobs are done under all policies, and count."""
    whole = horizon.begin <= 0 and math.isinf(horizon.end)
    return whole and question.of_bags


def _of_bag(
    question: ReplayQuestion, workload: Workload, truth: Truth, method: str
) -> ReplayOutcome:
    """What comes of a bag under a method if this is the truth."""
    settings = BagSettings(every=question.every, exchange=question.exchange)
    return run_method(workload, truth, BAG_METHODS[method], settings)


def outcome_of_trial(
    question: ReplayQuestion,
    trial: int,
    policy: str,
    unlimited: float | None = None,
    budget: Budget | None = None,
) -> tuple[ReplayOutcome, float]:
    """What comes of a trial under a policy, and the seconds that the replay took."""
    file = question.file(trial)
    if policy in BAG_METHODS:
        began = time.perf_counter()
        outcome = _of_bag(question, file.workload, file.truth, policy)
        return outcome, time.perf_counter() - began
    settings = settings_of_trial(question, trial, unlimited)
    rules = question.switches.applied(_decided_by(policy, question.stopping))
    began = time.perf_counter()
    outcome = replay(file.workload, rules, file.truth, settings, budget)
    return outcome, time.perf_counter() - began


def _decided_by(policy: str, stopping: Stopping) -> Policy:
    """The policy of a name. Where stopping is free, nothing has a price: then that by prices is
    the published one that earns the most there.
    """
    found = policy_named(policy).policy
    if found.technique is Technique.PRICES and stopping.is_free:
        return replace(STOPPING["upt-greedy"].policy, name=policy)
    return found


def settings_of_trial(
    question: ReplayQuestion, trial: int, unlimited: float | None = None
) -> ReplaySettings:
    windows = question.windows(trial, unlimited)
    seed = question.seed + trial
    pricing = Foresight()
    return ReplaySettings(
        windows, question.every, seed, pricing=pricing, stopping=question.stopping
    )


_SECONDS: Final = 300.0
_TASKS: Final = 4


@cache
def load_kernels(policy: str) -> None:
    """Compile the kernels of a policy or a method for bags, or load them compiled, once in a
    process: a replay of a few jobs calls them all. That takes from a hundredth of a second to half
    a minute.
    """
    compile_from_now_on()
    if policy in BAG_METHODS:
        run_method(*draw_uncertain(UncertainSettings(tasks=_TASKS)), BAG_METHODS[policy])
        return
    few = draw_testbed(BladeSettings(length=_SECONDS))
    rules = PolicySwitches().applied(policy_named(policy).policy)
    replay(few, rules, Truth.as_estimated(len(few.jobs)), ReplaySettings(pricing=Foresight()))


def prepare() -> None:
    """Load what a trial needs, in the process that others are forked from."""
    outcome_of_trial(ReplayQuestion("testbed", ("easy",)), 0, "easy")
    drawn.cache_clear()
    for method in METHODS:
        load_kernels(method)
