"""Why so many machines of each type: what is lost with one more, one fewer, or only these."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from core.capabilities.provision.first_stage import Purchase
from core.capabilities.provision.futures.uncertainty import Scenarios
from core.capabilities.provision.plan import Plan
from core.capabilities.provision.second_stages import SecondStages, Weights
from core.capabilities.provision.two_stage import decide
from core.engines.lp.program import Infeasible
from core.vocabulary.budget import Cancelled, never
from core.vocabulary.tolerances import METHODS_AGREE


@dataclass(frozen=True, slots=True)
class Regret:
    """What another purchase loses, as a share of what the given one reaches, and how much money it
    costs more.
    """

    loss: float
    cost: float


@dataclass(frozen=True, slots=True)
class TypeRegret:
    """The regrets of the best purchase with one machine of a type `more`, with one `fewer`, and
    with that type `alone`; None where no purchase keeps the limits. Others are bought and sold as
    is best for it; alone, others may only be sold.
    """

    more: Regret | None
    fewer: Regret | None
    alone: Regret | None


def regrets(
    plan: Plan,
    scenarios: Scenarios,
    weights: Weights,
    purchase: Purchase,
    *,
    whole: bool = True,
    should_stop: Callable[[], bool] = never,
    report: Callable[[tuple[int, int | None]], None] | None = None,
) -> tuple[TypeRegret, ...]:
    """The regrets of all machine types, each decided anew. Raises `Cancelled`."""
    stages = SecondStages(plan, scenarios, weights)
    reached = stages.aim(purchase, stages.of(purchase.counts))
    scale = abs(reached) or 1.0

    def lost(least: object, most: object) -> Regret | None:
        """What the best purchase loses that keeps these limits of counts."""
        if should_stop():
            raise Cancelled
        bounds = zip(np.asarray(least, float), np.asarray(most, float), plan.offers, strict=True)
        offers = tuple(
            replace(one, least=float(low), most=float(high)) for low, high, one in bounds
        )
        if any(one.least > one.most for one in offers):
            return None
        try:
            found = decide(
                replace(plan, offers=offers),
                scenarios,
                weights,
                whole=whole,
                should_stop=should_stop,
            )
        except Infeasible:
            return None
        less = (reached - found.lower) / scale
        more = found.purchase.cost - purchase.cost
        return Regret(0.0 if less <= 2 * METHODS_AGREE else less, more)

    found = []
    for j, (one, count) in enumerate(zip(np.eye(len(plan.offers)), purchase.counts, strict=True)):
        if report is not None:
            report((j + 1, len(plan.offers)))
        more = np.maximum(plan.least, np.where(one, count + 1, 0.0))
        fewer = np.minimum(plan.most, np.where(one, count - 1, np.inf))
        alone = np.where(one, plan.most, np.minimum(plan.most, plan.counts))
        found.append(
            TypeRegret(
                lost(more, plan.most),
                lost(plan.least, fewer) if count >= 1 else None,
                lost(plan.least, alone),
            )
        )
    return tuple(found)
