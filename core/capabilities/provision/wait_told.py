"""What is said of the purchase with the least wait."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from core.capabilities.provision.answer import by_type, queue_as_data
from core.capabilities.provision.files.plan_file import PlanFile
from core.capabilities.provision.least_wait import LeastWait, least_wait
from core.capabilities.provision.told import queue_said
from core.capabilities.provision.words import cost_figure, in_total, purchase_said
from core.engines.lp.program import Infeasible
from core.shells.told.told import KeyFigure, Told
from core.vocabulary.arrivals import HourlyArrivals
from core.vocabulary.budget import never
from core.vocabulary.problems import InvalidInput, Problem
from core.vocabulary.say.words import Sense, as_sentence, duration

_NO_HOURS = (
    "says nothing of the hours in which work arrives, which the least wait needs; give the study "
    "of a system that is from a log"
)
ENDLESS = (
    "Whatever is bought within the budget and the limits, more work arrives than the machines can "
    "do, so the queue has no end (proven)."
)


@dataclass(frozen=True, slots=True, eq=False)
class WaitAnswer:
    """A plan and the purchase with the least wait; None if the queue has no end whatever is
    bought.
    """

    file: PlanFile
    found: LeastWait | None


def waiting_least(
    file: PlanFile, arrivals: HourlyArrivals | None, should_stop: Callable[[], bool] = never
) -> WaitAnswer:
    """The purchase with the least wait. Raises `InvalidInput` if nobody knows in which hours work
    arrives, and for limits that do not go with the least wait; and `Cancelled`.
    """
    if arrivals is None:
        raise InvalidInput([Problem("plan", "", "", _NO_HOURS)])
    try:
        found = least_wait(file.plan, arrivals.profile(file.types.task_names), should_stop)
    except Infeasible:
        return WaitAnswer(file, None)
    return WaitAnswer(file, found)


def told_of_wait(answer: WaitAnswer) -> Told:
    """All that is said of the purchase with the least wait."""
    file, found = answer.file, answer.found
    if found is None:
        return Told(ENDLESS, data={"objective": "wait", "proven": True, "longest": None})
    plan, purchase = file.plan, found.purchase
    data = {
        "objective": "wait",
        "buy": by_type(plan, purchase.buy),
        "sell": by_type(plan, purchase.sell),
        "cost": purchase.cost,
        "queue": queue_as_data(found.queue),
        "longest": found.longest,
        "bound": found.bound,
        "proven": found.is_proven,
    }
    return Told(
        f"{in_total(plan, purchase, file.currency)}{queue_said(found.queue)}.",
        (as_sentence(purchase_said(plan, purchase)), *_proof(found)),
        (
            KeyFigure(
                "Longest queue",
                duration(found.longest, Sense.SPENT),
                "The work that waits at the worst hour of the week, as the time in which all "
                "machines do it.",
            ),
            cost_figure(plan, purchase, file.currency),
        ),
        data=data,
    )


def _proof(found: LeastWait) -> Iterator[str]:
    bound = duration(found.bound, Sense.LOWER_BOUND)
    if found.is_proven:
        yield "No purchase within the limits has a shorter longest queue (proven)."
    else:
        yield f"No purchase within the limits has a longest queue below {bound} (proven)."
    yield "Of purchases with as short a queue, it is the cheapest that was found."
    yield (
        "The queue is that of the mean work of each hour of the week, done as fast as whole "
        "machines can: jobs may wait longer, as they are not divisible."
    )
