"""What to buy, computed in a worker process, and what a page needs to know of it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from core import System
from core.model.arrays import FloatArray
from core.model.budget import never
from core.provision.clashes import refuse_clash
from core.provision.comparison import Outcome, compare
from core.provision.plan import Plan
from core.provision.scenarios import Scenarios
from core.provision.two_stage import SearchProgress
from core.provision.uncertainty import draw
from dashboard.provision.inputs import PlanInputs, plan_of

GAP: Final = 1e-5
"""The share of the expected reward by which a better purchase may be missed."""
METHODS: Final = {
    "rp": "Two-stage",
    "mvp": "Mean future",
    "h1": "Fastest type",
    "h2": "Fastest for its price",
    "h3": "Earns most for its price",
}
"""The ways to choose a purchase, in the order of charts."""


@dataclass(frozen=True, slots=True)
class ProvisionAsked:
    """What was asked: the digest of the system, and the inputs of the plan."""

    fingerprint: str
    inputs: PlanInputs


@dataclass(frozen=True, slots=True, eq=False)
class ProvisionAnswer:
    """What to buy: the outcome of each method on the same scenarios, by how much the two-stage
    purchase may be bettered, and what knowing the future would be worth.

    `lower` and `upper` enclose the best expected reward a second of these scenarios.
    """

    asked: ProvisionAsked
    plan: Plan
    outcomes: dict[str, Outcome]
    wait_and_see: FloatArray
    lower: float
    upper: float
    tries: int

    @property
    def best(self) -> Outcome:
        """The two-stage purchase."""
        return self.outcomes["rp"]

    @property
    def rivals(self) -> dict[str, Outcome]:
        """All others."""
        return {method: one for method, one in self.outcomes.items() if method != "rp"}

    @property
    def gap(self) -> float:
        """What a better purchase could add, as a share of the expected reward."""
        return max(self.upper - self.lower, 0.0) / (abs(self.lower) or 1.0)

    @property
    def evpi(self) -> float:
        """Reward a second that knowing the future before the purchase would add."""
        return max(float(self.wait_and_see.mean()) - self.best.value, 0.0)

    @property
    def vss(self) -> float:
        """Reward a second that planning with the mean future would lose."""
        return self.best.value - self.outcomes["mvp"].value


def scenarios_of(plan: Plan, inputs: PlanInputs) -> Scenarios:
    """The futures that the inputs ask for."""
    wanted = inputs.sampling
    return draw(plan, inputs.spread, wanted.count, wanted.seed, wanted.points)


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
    plan = plan_of(system, inputs)
    refuse_clash(plan)
    found = compare(
        plan,
        scenarios_of(plan, inputs),
        gap=GAP,
        whole=inputs.whole,
        should_stop=should_stop,
        report=report,
    )
    return ProvisionAnswer(
        ProvisionAsked(system.fingerprint, inputs),
        plan,
        {method: found.outcomes[method] for method in METHODS},
        found.wait_and_see,
        found.decision.lower,
        found.decision.upper,
        found.decision.tries,
    )
