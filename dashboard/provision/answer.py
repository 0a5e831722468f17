"""What to buy, computed in a worker process, and what a page needs to know of it."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from core import System
from core.model.budget import Cancelled, never
from core.model.intervals import Interval
from core.provision import words
from core.provision.clashes import refuse_clash
from core.provision.comparison import Comparison, Outcome, compare
from core.provision.confidence import OutOfSample, out_of_sample
from core.provision.plan import Plan
from core.provision.plan_file import PlanFile
from core.provision.two_stage import SearchProgress
from dashboard.provision.inputs import PlanInputs, plan_file_of

_REPETITIONS: Final = 16
_LEAST_FRESH: Final = 64
METHODS: Final = {
    method: title[0].upper() + title[1:]
    for method, title in words.METHODS.items()
    if method != "ws"
}
"""The ways to choose a purchase, in the order of charts."""


@dataclass(frozen=True, slots=True)
class ProvisionAsked:
    """What was asked: the digest of the system, and the inputs of the plan."""

    fingerprint: str
    inputs: PlanInputs


@dataclass(frozen=True, slots=True, eq=False)
class ProvisionAnswer:
    """What to buy: all ways to choose on the same scenarios, and what each purchase leads to on
    fresh ones; None until that is computed. It took `seconds`.
    """

    asked: ProvisionAsked
    file: PlanFile
    found: Comparison
    seconds: float
    fresh: dict[str, OutOfSample] | None = None

    @property
    def plan(self) -> Plan:
        return self.file.plan

    @property
    def outcomes(self) -> dict[str, Outcome]:
        """Of each way to choose, in the order of charts."""
        return {method: self.found.outcomes[method] for method in METHODS}

    @property
    def best(self) -> Outcome:
        """The two-stage purchase."""
        return self.found.outcomes["rp"]

    @property
    def rivals(self) -> dict[str, Outcome]:
        """All others."""
        return {method: one for method, one in self.outcomes.items() if method != "rp"}

    @property
    def gap(self) -> float:
        """What a better purchase could add in these scenarios, as a share of the reward."""
        decision = self.found.decision
        return max(decision.upper - decision.lower, 0.0) / (abs(decision.lower) or 1.0)

    @property
    def evpi(self) -> float:
        """Reward a second that knowing the future before the purchase would add, where both buy in
        parts.
        """
        return max(self.found.evpi_in_parts, 0.0)

    @property
    def vss(self) -> float:
        """Reward a second that planning with the mean future would lose."""
        return self.found.vss

    def measure(self, one: Outcome) -> float:
        """What is maximised: the mean reward a second, perhaps with more weight on bad futures."""
        return self.found.weights.measure(one.values)

    def interval(self, method: str = "rp") -> Interval:
        """Of the expected reward a second, with 95 % confidence: from fresh scenarios once they are
        there, else from those of the answer.
        """
        if self.fresh is not None:
            return self.fresh[method].objectives[0]
        return Interval(self.outcomes[method].value, self.outcomes[method].half_width)


def answer(
    system: System,
    inputs: PlanInputs,
    *,
    should_stop: Callable[[], bool] = never,
    report: Callable[[SearchProgress], None] | None = None,
) -> ProvisionAnswer:
    """What to buy. `report` is told after every try. Raises `InvalidInput`, also if limits clash,
    and `Cancelled`.
    """
    started = time.perf_counter()
    file = plan_file_of(system, inputs)
    refuse_clash(file.plan, whole=inputs.whole)
    found = compare(
        file.plan,
        file.sampling.scenarios(file.plan),
        inputs.weights,
        whole=inputs.whole,
        should_stop=should_stop,
        report=report,
    )
    asked = ProvisionAsked(system.fingerprint, inputs)
    seconds = time.perf_counter() - started
    return ProvisionAnswer(asked, file, found, seconds)


def fresh_of(
    found: ProvisionAnswer, *, should_stop: Callable[[], bool] = never
) -> dict[str, OutOfSample]:
    """What each purchase leads to on scenarios that none was chosen for; all on the same. Raises
    `Cancelled`.
    """
    count = max(found.file.scenarios.count // _REPETITIONS, _LEAST_FRESH)
    sampling = replace(found.file.sampling, count=count)
    fresh = {}
    for method, one in found.outcomes.items():
        if should_stop():
            raise Cancelled
        weights = found.asked.inputs.weights
        fresh[method] = out_of_sample(found.plan, one.purchase, weights, sampling, _REPETITIONS)
    return fresh
