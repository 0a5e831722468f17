"""The four objectives of a plan: what a purchase leads to in each scenario."""

from typing import Final, Literal

import numpy as np

from core.capabilities.provision.first_stage import Purchase
from core.capabilities.provision.second_stages import SecondStages, Weights
from core.vocabulary.arrays import FloatArray

PlanObjective = Literal["reward", "cost", "failures", "power"]
OBJECTIVES: Final[tuple[PlanObjective, ...]] = ("reward", "cost", "failures", "power")
"""Reward a second, cost of the change, failures a second, watts. Reward is to be large, the others
small."""
SIGNS: Final = np.array([-1.0, 1.0, 1.0, 1.0])
"""With these signs, all objectives are to be small."""


def objectives_of(stages: SecondStages, purchase: Purchase, busy: FloatArray) -> FloatArray:
    """The four objectives, a line a scenario; power is NaN if the plan has no powers. `busy` is
    that of the purchase's thrifty `MachineWorth`: else power and failures would be those of any way
    to run the tasks that earns as much.
    """
    plan, pairs = stages.plan, stages.pairs
    found = np.full((len(busy), len(OBJECTIVES)), np.nan)
    found[:, 0] = np.einsum("kp,kp->k", busy, plan.rewards[pairs.tasks] / stages.times)
    found[:, 1] = purchase.cost
    found[:, 2] = busy @ plan.failure_rates[pairs.machines]
    if stages.powers is not None:
        idle = float(plan.idle_powers @ purchase.counts)
        found[:, 3] = np.einsum("kp,kp->k", busy, stages.powers) + idle
    return found


def weights_of(shares: FloatArray) -> Weights:
    """The aim that weighs the four objectives, signed by `SIGNS`, by these."""
    return Weights(*(float(share) for share in shares))
