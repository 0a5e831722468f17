"""How many kinds of operations explain the times of a plan, and how they vary."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.model.arrays import FloatArray
from core.operations.factors import Operations, factor, joules_per_operation
from core.provision.plan import Plan
from core.provision.uncertainty import VaryingOperations, fit_covs

MOST_KINDS: Final = 4
NEAR_ENOUGH: Final = 0.01
"""More kinds are not worth having where times are off by so little on average."""


@dataclass(frozen=True, slots=True, eq=False)
class KindsTried:
    """Operations of so many kinds, and the relative errors of the times that they explain."""

    operations: Operations
    errors: FloatArray

    @property
    def kinds(self) -> int:
        return int(self.operations.per_task.shape[1])

    @property
    def mean_error(self) -> float:
        """By how much times are off on average, up or down."""
        return float(np.abs(self.errors).mean())

    @property
    def worst_error(self) -> float:
        return float(np.abs(self.errors).max())


def try_kinds(plan: Plan, most: int = MOST_KINDS, seed: int = 0) -> tuple[KindsTried, ...]:
    """Operations of one kind, of two, and so on; never of more than there are types."""
    known = np.isfinite(plan.times)
    found = []
    for kinds in range(1, min(most, *plan.times.shape) + 1):
        operations = factor(plan.times, kinds, seed=seed)
        found.append(KindsTried(operations, operations.times[known] / plan.times[known] - 1))
    return tuple(found)


def choose_operations(
    plan: Plan, cov: float, tried: Sequence[KindsTried], kinds: int | None = None
) -> VaryingOperations:
    """Operations of so many kinds, which vary so that times have this coefficient of variation as
    nearly as they can; by default, the fewest kinds that are `NEAR_ENOUGH`, or else the nearest.
    """
    near = [one for one in tried if one.mean_error <= NEAR_ENOUGH]
    usual = near[0] if near else min(tried, key=lambda one: one.mean_error)
    operations = usual.operations if kinds is None else tried[kinds - 1].operations
    covs = fit_covs(operations, np.full(plan.times.shape, cov))
    joules = None
    if plan.powers is not None:
        known = np.isfinite(plan.times)
        energies = np.full(plan.times.shape, np.nan)
        energies[known] = plan.powers[known] * plan.times[known]
        joules = joules_per_operation(operations, energies)
    return VaryingOperations(operations, covs, joules)
