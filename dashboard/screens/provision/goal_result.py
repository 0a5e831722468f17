"""The best purchase for another goal than the most reward, as the page says it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from core import System
from core.capabilities.provision.clashes import refuse_clash
from core.capabilities.provision.first_stage import Purchase
from core.capabilities.provision.goals.answer import GoalAnswer, find_goal
from core.capabilities.provision.goals.search import GoalProgress
from core.capabilities.provision.plan import Plan
from core.vocabulary.budget import never
from core.vocabulary.tolerances import GOAL_GAP
from dashboard.screens.provision.answer import ProvisionAsked
from dashboard.screens.provision.inputs import PlanInputs, plan_file_of

TITLES: Final = ("This goal", "Mean future")


@dataclass(frozen=True, slots=True, eq=False)
class GoalFound:
    """What was asked, and the answer."""

    asked: ProvisionAsked
    answer: GoalAnswer

    @property
    def plan(self) -> Plan:
        return self.answer.file.plan

    @property
    def purchase(self) -> Purchase:
        return self.answer.found.purchase

    @property
    def purchases(self) -> dict[str, Purchase]:
        """The purchase, and that for the mean future, by their titles."""
        found = {TITLES[0]: self.purchase}
        if self.answer.for_mean is not None:
            found[TITLES[1]] = self.answer.for_mean[0].purchase
        return found


def decide(
    system: System,
    inputs: PlanInputs,
    *,
    should_stop: Callable[[], bool] = never,
    report: Callable[[GoalProgress], None] | None = None,
) -> GoalFound:
    """The best purchase for the goal of a plan. Raises `InvalidInput`, also if nothing keeps the
    limits, and `Cancelled`.
    """
    file = plan_file_of(system, inputs)
    refuse_clash(file.plan)
    answer = find_goal(file, inputs.goal, gap=GOAL_GAP, should_stop=should_stop, report=report)
    return GoalFound(ProvisionAsked(system.fingerprint, inputs), answer)
