"""The best purchase for another goal than the most reward, as the page says it."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from core import System
from core.model.budget import never
from core.model.intervals import Interval
from core.model.tolerances import GOAL_GAP
from core.provision import goal_answer
from core.provision.clashes import refuse_clash
from core.provision.first_stage import Purchase
from core.provision.goal_answer import GoalAnswer, find_goal
from core.provision.goal_search import GoalProgress
from core.provision.goal_words import bound_said, goal_said
from core.provision.plan import Plan
from core.provision.words import purchase_said
from core.say.words import Sense, power
from dashboard.common.answer import KeyFigure
from dashboard.provision.answer import ProvisionAsked
from dashboard.provision.inputs import PlanInputs, plan_file_of
from dashboard.provision.words import begun, failures, in_total, mean_of, money, rate

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


def sentence(found: GoalFound) -> str:
    """What to do, and the mean of the objective."""
    inputs, objective = found.asked.inputs, found.asked.inputs.goal.objective
    what = in_total(found.plan, found.purchase, inputs)
    if objective == "cost":
        return f"{what}. Expected reward: {rate(found.answer.found.means['reward'], inputs)}."
    reached = mean_of(objective, found.answer.found.means[objective], inputs)
    noun = {"reward": "Expected reward", "failures": "Mean failures", "power": "Mean power"}
    return f"{what}. {noun[objective]}: {reached}."


def sentences(found: GoalFound) -> Iterator[str]:
    """The goal, the purchase by type, what limits cost, and how sure it is."""
    inputs, answer = found.asked.inputs, found.answer
    yield f"Sought: {goal_said(inputs.goal, inputs.rates)}."
    if (found.purchase.buy + found.purchase.sell).any():
        yield f"{begun(purchase_said(found.plan, found.purchase))}."
    yield f"{begun(bound_said(answer.found))}."
    yield from goal_answer.sentences(answer)


def figures(found: GoalFound) -> list[KeyFigure]:
    """The means of all four objectives."""
    inputs, answer = found.asked.inputs, found.answer
    means = answer.found.means
    reward = Interval.of_sets(answer.found.each[:, 0], answer.sets)
    fresh = answer.fresh["reward"]
    said = [
        KeyFigure(
            "Cost",
            money(found.purchase.cost, inputs, Sense.SPENT),
            "What is bought, less what the machines bring that are sold.",
        ),
        KeyFigure(
            "Expected reward",
            rate(means["reward"], inputs),
            f"{inputs.rates.said(reward.mean, reward.half_width)}, with 95 % "
            f"confidence. In scenarios that it was not chosen for it is {rate(fresh.mean, inputs)},"
            f" in the mean future alone {rate(answer.believed, inputs)}.",
        ),
    ]
    if found.plan.powers is not None:
        said.append(
            KeyFigure(
                "Mean power",
                power(means["power"], Sense.SPENT),
                "Of all machines, idle ones included, on average over the scenarios.",
            )
        )
    if means["failures"]:
        said.append(
            KeyFigure(
                "Failures",
                failures(means["failures"], inputs),
                "Of busy machines, on average over the scenarios.",
            )
        )
    return said
