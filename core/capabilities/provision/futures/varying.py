"""How many kinds of operations explain the times of a plan, and how they vary."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from core.capabilities.provision.futures.uncertainty import Variation, VaryingOperations, fit_covs
from core.capabilities.provision.plan import Plan
from core.engines.operations.factors import Operations, factor, joules_per_operation, most_kinds_of
from core.vocabulary.arrays import FloatArray
from core.vocabulary.ranges import Range

WantedKinds = int | Literal["by error"]
"""A number of kinds of operations, 0 for none; or the number is chosen by the errors of times."""
BY_ERROR: Final = "by error"
KINDS: Final = Range(1, 9, "kinds of operations")
WANTED: Final[tuple[WantedKinds, ...]] = (0, BY_ERROR, *range(1, int(KINDS.high) + 1))
"""None, those that explain all times well enough, or so many."""
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


@dataclass(frozen=True, slots=True, eq=False)
class OperationsFound:
    """The numbers of kinds that were tried, and the one that is taken. `by_error`: it was chosen
    by the errors of times, and not given.
    """

    tried: tuple[KindsTried, ...]
    taken: KindsTried
    by_error: bool


def find_operations(plan: Plan, wanted: WantedKinds) -> OperationsFound:
    """Operations of as many kinds as wanted, or of the number that is chosen by error."""
    if wanted == BY_ERROR:
        tried = try_kinds(plan)
        return OperationsFound(tried, fewest_near(tried), by_error=True)
    taken = _tried(plan, wanted)
    return OperationsFound((taken,), taken, by_error=False)


def try_kinds(plan: Plan, most: int = MOST_KINDS) -> tuple[KindsTried, ...]:
    """Operations of one kind, of two, and so on; never of more than there are types."""
    tasks, machines = plan.times.shape
    last = most_kinds_of(machines, min(most, tasks, machines))
    return tuple(_tried(plan, kinds) for kinds in range(1, last + 1))


def fewest_near(tried: Sequence[KindsTried]) -> KindsTried:
    """The fewest kinds that are `NEAR_ENOUGH`, or else the nearest."""
    near = [one for one in tried if one.mean_error <= NEAR_ENOUGH]
    return near[0] if near else min(tried, key=lambda one: one.mean_error)


def varying(plan: Plan, operations: Operations, variation: Variation) -> VaryingOperations:
    """Operations that vary so that the times of the plan do as they should, if they can."""
    covs = np.broadcast_to(variation.own_covs, plan.times.shape)
    joules = None
    if plan.powers is not None:
        known = np.isfinite(plan.times)
        energies = np.full(plan.times.shape, np.nan)
        energies[known] = plan.powers[known] * plan.times[known]
        joules = joules_per_operation(operations, energies)
    return VaryingOperations(operations, fit_covs(operations, covs), joules)


def _tried(plan: Plan, kinds: int) -> KindsTried:
    known = np.isfinite(plan.times)
    operations = factor(plan.times, kinds)
    return KindsTried(operations, operations.times[known] / plan.times[known] - 1)
