"""A parametric simplex that follows the optimum while the price of a second of makespan rises.

    minimise    sum_ij x_ij c_ij + p z        for every p from 0 on
    subject to  sum_j x_ij = 1                        each task type is done
                sum_i x_ij a_ij + s_j = z             no machine type works beyond the makespan
                x, s >= 0

At p = 0 the optimum is known: every task runs where it costs least. Then p rises to the next value
at which the reduced cost of a column becomes 0, and that column enters the basis, until there is no
such column. The last optimum holds for all greater p, so it has the least makespan. The optima on
the way are all vertices.

Each task type has one key column in the basis (generalised upper bounding). So the matrix to invert
has one row for each machine type, and a step takes (task types + machine types) x machine types
operations.
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from core.engines.compute.compiled import Kernel, brief
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray
from core.vocabulary.tolerances import (
    DIFFERENCE_ROUNDING,
    LEAST_KEY_SHARE,
    PERTURBATION,
    SIMPLEX_ZERO,
)

ARRIVED: Final = 0
GOING_ON: Final = 1
STUCK: Final = 2

_SLACK = -1
_MAKESPAN = -2
_NONE = -3
_STEPS_BETWEEN_INVERSIONS = 64
# A step that multiplies rows of the inverse by more than this loses digits: the basis is inverted
# again.
_MOST_MULTIPLE = 1e6


class Stretch(NamedTuple):
    """Consecutive optima, row by row; optimum k is one for `begin[k] <= p <= end[k]`.

    Task type i is on machine type `key[k, i]`, except for the share `share[k, r]` of task type
    `task[k, r]` (negative: none) on machine type `machine[k, r]`. At p the prices of the machine
    types are `fixed[k] + p rising[k]`.
    """

    begin: FloatArray
    end: FloatArray
    key: IntArray
    task: IntArray
    machine: IntArray
    share: FloatArray
    fixed: FloatArray
    rising: FloatArray

    @classmethod
    def joined(cls, stretches: Sequence["Stretch"]) -> "Stretch":
        """Some stretches as one, in their order."""
        return cls._make(np.concatenate(parts) for parts in zip(*stretches, strict=True))


class _Basis(NamedTuple):
    """The columns in the basis. `key[i]` is the machine type of the key column of task type i. Each
    other column r is task type `task[r]` on machine type `machine[r]`, or the waiting time of that
    machine type (`_SLACK`), or the makespan (`_MAKESPAN`); `inverse` is the inverse of these
    columns.

    `basic[i, j]` and `waiting[j]` say whether the column of a pair, or of a waiting time, is in the
    basis.
    """

    key: IntArray
    task: IntArray
    machine: IntArray
    inverse: FloatArray
    basic: BoolArray
    waiting: BoolArray


class ParametricSimplex:
    """The walk along the optima; `walk` does the next steps.

    `loads[i, j]` (a) and `costs[i, j]` (c) are infinite where impossible; their rows' least values
    should sum to about 1.
    """

    def __init__(self, loads: FloatArray, costs: FloatArray) -> None:
        tasks, machines = loads.shape
        possible = np.isfinite(costs) & np.isfinite(loads)
        self.loads = np.where(possible, loads, 1.0)
        costs = np.where(possible, costs, np.inf)
        # Costs above 1 change as if they were 1: otherwise the change of the largest would hide
        # differences near the optimum.
        random = PERTURBATION * np.random.default_rng(0).random(loads.shape)
        self.costs = costs + random * np.clip(np.abs(costs), 1 / tasks, 1.0)
        key = self.costs.argmin(axis=1)
        cheapest = np.arange(tasks), key
        work = np.bincount(key, weights=self.loads[cheapest])
        last = int(work.argmax())
        self.basis = _Basis(
            key,
            np.full(machines, _SLACK),
            np.arange(machines),
            np.eye(machines),
            np.zeros((tasks, machines), np.bool_),
            np.ones(machines, np.bool_),
        )
        self.basis.task[last] = _MAKESPAN
        self.basis.inverse[:, last] = -1.0
        self.basis.basic[cheapest] = True
        self.basis.waiting[last] = False
        self.price = 0.0
        self.steps = 0
        self.state = GOING_ON

    def walk(self, steps: int) -> Stretch:
        """The optima of the next `steps` steps; afterwards `state` says whether there are more."""
        tasks, machines = self.loads.shape
        found = Stretch(
            np.empty(steps),
            np.empty(steps),
            np.empty((steps, tasks), np.int32),
            np.empty((steps, machines), np.int32),
            np.empty((steps, machines), np.int32),
            np.empty((steps, machines)),
            np.empty((steps, machines)),
            np.empty((steps, machines)),
        )
        with brief(steps * self.loads.size):
            self.state, self.price, taken, recorded = _walk(
                steps, self.price, self.loads, self.costs, self.basis, found
            )
        self.steps += taken
        return Stretch._make(values[:recorded] for values in found)


@Kernel
def _walk(steps, price, loads, costs, basis, found):
    """Shares and key shares are at least 0 but for rounding; negative ones count as 0 in the ratio
    test. At most as many optima are recorded as steps are done.
    """
    key, task, machine, inverse, basic, waiting = basis
    tasks, machines = loads.shape
    used = np.zeros(machines)
    own = np.zeros(machines)
    fixed = np.zeros(machines)
    rising = np.zeros(machines)
    share = np.zeros(machines)
    key_share = np.zeros(tasks)
    column = np.zeros(machines)
    alpha = np.zeros(machines)
    key_rate = np.zeros(tasks)
    recorded = 0
    lossy = False
    for step in range(steps):
        if lossy or step % _STEPS_BETWEEN_INVERSIONS == 0:
            _invert(loads, basis)
        # Primal values.
        _find_shares(loads, key, task, inverse, used, share, key_share)
        changed = False
        for r in range(machines):
            if task[r] >= 0 and key_share[task[r]] < LEAST_KEY_SHARE * share[r]:
                _change_key(r, key, task, machine, inverse)
                key_share[task[r]] = share[r]
                changed = True
        if changed:
            _find_shares(loads, key, task, inverse, used, share, key_share)
        # Dual values: the price of each machine type's row is fixed + p rising.
        for r in range(machines):
            own[r] = 0.0
            if task[r] >= 0:
                own[r] = costs[task[r], machine[r]] - costs[task[r], key[task[r]]]
        fixed[:] = own @ inverse
        makespan_row = 0
        for r in range(machines):
            if task[r] == _MAKESPAN:
                makespan_row = r
        rising[:] = inverse[makespan_row]
        # The next price at which a column enters.
        best, enter_task, enter_machine = np.inf, _NONE, -1
        for j in range(machines):
            if not waiting[j] and rising[j] > SIMPLEX_ZERO:
                at = max(-fixed[j] / rising[j], price)
                if at < best:
                    best, enter_task, enter_machine = at, _SLACK, j
        for i in range(tasks):
            k = key[i]
            key_fixed = fixed[k] * loads[i, k] - costs[i, k]
            key_rising = rising[k] * loads[i, k]
            for j in range(machines):
                slope = key_rising - rising[j] * loads[i, j]
                if slope < -SIMPLEX_ZERO:
                    now = costs[i, j] + key_fixed - fixed[j] * loads[i, j]
                    if now < -best * slope and not basic[i, j]:
                        best = max(-now / slope, price)
                        enter_task, enter_machine = i, j
        if best > price * (1.0 + DIFFERENCE_ROUNDING):
            found.begin[recorded] = price
            found.end[recorded] = best
            found.key[recorded] = key
            found.task[recorded] = task
            found.machine[recorded] = machine
            found.share[recorded] = share
            found.fixed[recorded] = -fixed
            found.rising[recorded] = -rising
            recorded += 1
        if enter_task == _NONE:
            return ARRIVED, best, step, recorded
        price = best
        # Its direction.
        _column(loads, key, enter_task, enter_machine, column)
        alpha[:] = inverse @ column
        key_rate[:] = 0.0
        if enter_task >= 0:
            key_rate[enter_task] = -1.0
        for r in range(machines):
            if task[r] >= 0:
                key_rate[task[r]] += alpha[r]
        # The column that leaves (ratio test in two passes): first the longest step, then the
        # largest pivot within it.
        most = np.inf
        for r in range(machines):
            if task[r] != _MAKESPAN and alpha[r] > SIMPLEX_ZERO:
                most = min(most, (max(share[r], 0.0) + SIMPLEX_ZERO) / alpha[r])
        for i in range(tasks):
            if key_rate[i] < -SIMPLEX_ZERO:
                most = min(most, (max(key_share[i], 0.0) + SIMPLEX_ZERO) / -key_rate[i])
        leave_row, leave_key, pivot = -1, -1, 0.0
        for r in range(machines):
            if (
                task[r] != _MAKESPAN
                and alpha[r] > max(SIMPLEX_ZERO, pivot)
                and share[r] <= most * alpha[r]
            ):
                leave_row, pivot = r, alpha[r]
        for i in range(tasks):
            if key_rate[i] < -max(SIMPLEX_ZERO, pivot) and key_share[i] <= -most * key_rate[i]:
                leave_row, leave_key, pivot = -1, i, -key_rate[i]
        if pivot == 0.0:
            return STUCK, price, step, recorded
        # The pivot step.
        if leave_key >= 0:
            successor = -1
            for r in range(machines):
                if task[r] == leave_key:
                    successor = r
            if successor < 0:
                # No other column of this task type is in the basis, so the entering one becomes its
                # key.
                basic[leave_key, key[leave_key]] = False
                key[leave_key] = enter_machine
                basic[leave_key, enter_machine] = True
                continue
            _change_key(successor, key, task, machine, inverse)
            leave_row = successor
            _column(loads, key, enter_task, enter_machine, column)
            alpha[:] = inverse @ column
        if task[leave_row] == _SLACK:
            waiting[machine[leave_row]] = False
        else:
            basic[task[leave_row], machine[leave_row]] = False
        if enter_task == _SLACK:
            waiting[enter_machine] = True
        else:
            basic[enter_task, enter_machine] = True
        task[leave_row] = enter_task
        machine[leave_row] = enter_machine
        lossy = np.abs(alpha).max() > _MOST_MULTIPLE
        inverse[leave_row] /= alpha[leave_row]
        for r in range(machines):
            if r != leave_row and alpha[r] != 0.0:
                inverse[r] -= alpha[r] * inverse[leave_row]
    return GOING_ON, price, steps, recorded


@Kernel
def _find_shares(loads, key, task, inverse, used, share, key_share):
    """The share of its task type that each column of the basis has; `used` is scratch space."""
    used[:] = 0.0
    for i in range(len(key)):
        used[key[i]] -= loads[i, key[i]]
        key_share[i] = 1.0
    share[:] = inverse @ used
    for r in range(len(task)):
        if task[r] >= 0:
            key_share[task[r]] -= share[r]


@Kernel
def _change_key(row, key, task, machine, inverse):
    """Exchange the column in this row with its task type's key."""
    for r in range(len(task)):
        if task[r] == task[row] and r != row:
            inverse[row] += inverse[r]
    inverse[row] *= -1.0
    key[task[row]], machine[row] = machine[row], key[task[row]]


@Kernel
def _column(loads, key, task, machine, column):
    """A column of the basis: what one unit of it adds to the rows of the machine types."""
    column[:] = 0.0
    if task == _MAKESPAN:
        column[:] = -1.0
    elif task == _SLACK:
        column[machine] = 1.0
    else:
        column[machine] += loads[task, machine]
        column[key[task]] -= loads[task, key[task]]


@Kernel
def _invert(loads, basis):
    """Compute the inverse again, by Gauss-Jordan elimination.

    For `np.linalg.inv` numpy and numba call different routines of LAPACK, which round differently:
    where joules nearly cancel, a compiled front differed by percents from an interpreted one.
    """
    machines = len(basis.task)
    inverse = basis.inverse
    columns = np.zeros((machines, machines))
    for r in range(machines):
        _column(loads, basis.key, basis.task[r], basis.machine[r], columns[:, r])
    inverse[:] = np.eye(machines)
    for r in range(machines):
        pivot = r + np.abs(columns[r:, r]).argmax()
        for matrix in (columns, inverse):
            row = matrix[r].copy()
            matrix[r] = matrix[pivot]
            matrix[pivot] = row
        inverse[r] /= columns[r, r]
        columns[r] /= columns[r, r]
        for other in range(machines):
            factor = columns[other, r]
            if other != r and factor != 0.0:
                columns[other] -= factor * columns[r]
                inverse[other] -= factor * inverse[r]
