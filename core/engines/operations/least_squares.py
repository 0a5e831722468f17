"""Fits `times = per_task @ per_machine` to known times, so that relative errors are least.

The loss is a weighted sum of squares of log(fitted / known): a time that is twice as long as it
should be counts the same as one that is half as long, and a short time as much as a long one. In
the logarithms of the factors it is smooth and has no constraints, so factors stay positive, and
the method of Levenberg and Marquardt converges within some ten steps. Several problems of one
shape are solved at once, since most are too small for numpy to be fast on one.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.budget import Cancelled, never
from core.vocabulary.tolerances import SUM_ROUNDING, ULP

_FIRST_DAMPING: Final = 1e-2
_LEAST_DAMPING: Final = 1e-9
_MOST_DAMPING: Final = 1e6
_DAMPING_STEP: Final = 10.0
_SINGULAR: Final = 1e-12
"""What is added to each diagonal, where weights are about 1: a type without known pairs has 0."""


@dataclass(frozen=True, slots=True)
class Precision:
    """A fit ends when a step improves the loss by less than this share, or after `most_steps`."""

    share: float
    most_steps: int


@dataclass(frozen=True, slots=True, eq=False)
class Logs:
    """Natural logarithms of the factors of several problems: of `per_task` (problems x task types
    x kinds) and of `per_machine` (problems x kinds x machine types).
    """

    task: FloatArray
    machine: FloatArray

    def chosen(self, which: IntArray) -> "Logs":
        return Logs(self.task[which], self.machine[which])

    def shares(self) -> tuple[FloatArray, FloatArray]:
        """The share of each kind in each fitted time (problems x task types x kinds x machine
        types), and the logarithm of the fitted times.
        """
        terms = self.task[..., None] + self.machine[:, None]
        largest = terms.max(axis=2, keepdims=True)
        parts = np.exp(terms - largest)
        whole = parts.sum(axis=2, keepdims=True)
        return parts / whole, (largest + np.log(whole))[:, :, 0]

    def times(self) -> FloatArray:
        """The logarithm of the fitted times (problems x task types x machine types)."""
        return self.shares()[1]


def fit(
    target: FloatArray,
    weights: FloatArray,
    start: Logs,
    precision: Precision,
    should_stop: Callable[[], bool] = never,
    *,
    only_tasks: bool = False,
) -> tuple[Logs, FloatArray]:
    """Factors near a local optimum, and the loss of each problem: at most that of its start, but
    for rounding.

    `target` has the logarithms of times (problems x task types x machine types); it is finite, and
    ignored where its weight is 0. Weights are about 1. With `only_tasks` the factors of machine
    types stay. Raises `Cancelled` if asked to stop.
    """
    if not only_tasks and target.shape[1] < target.shape[2]:  # task types are cheaper
        turned = (array.swapaxes(1, 2) for array in (target, weights, start.machine, start.task))
        target, weights, *swapped = turned
        found, loss = fit(target, weights, Logs(*swapped), precision, should_stop)
        return Logs(found.machine.swapaxes(1, 2), found.task.swapaxes(1, 2)), loss
    found = Logs(start.task.copy(), start.machine.copy())
    loss = _loss(target, weights, found)
    nothing = ULP**2 * weights.sum(axis=(1, 2))
    damping = np.full(len(loss), _FIRST_DAMPING)
    active = np.arange(len(loss))
    for _ in range(precision.most_steps):
        if not len(active):
            break
        if should_stop():
            raise Cancelled("stopped while times of pairs never measured are estimated")
        here, goal, weight = found.chosen(active), target[active], weights[active]
        there = _step(goal, weight, here, damping[active], only_tasks=only_tasks)
        reached = _loss(goal, weight, there)
        gain = loss[active] - reached
        # Near the optimum, a good step changes the loss by less than its rounding.
        better = gain >= -SUM_ROUNDING * reached
        moved = active[better]
        found.task[moved], found.machine[moved] = there.task[better], there.machine[better]
        loss[moved] = reached[better]
        # A step of much damping is short, so it gains little far from the optimum, too.
        little = precision.share * reached + nothing[active]
        ended = (np.abs(gain) <= little) & (damping[active] < 1)
        damping[active] *= np.where(better, 1 / _DAMPING_STEP, _DAMPING_STEP)
        damping[active] = np.maximum(damping[active], _LEAST_DAMPING)
        active = active[~ended & (damping[active] <= _MOST_DAMPING)]
    return found, loss


def _loss(target: FloatArray, weights: FloatArray, logs: Logs) -> FloatArray:
    loss: FloatArray = (weights * (target - logs.times()) ** 2).sum(axis=(1, 2))
    return loss


def _step(
    target: FloatArray, weights: FloatArray, logs: Logs, damping: FloatArray, *, only_tasks: bool
) -> Logs:
    """A damped step of Gauss and Newton: the logarithm of a fitted time changes by the share of
    each kind times the change of its logarithms. Task types are eliminated, each with its small
    block; what is left has a row for each kind of each machine type.
    """
    problems, tasks, kinds = logs.task.shape
    machines = target.shape[2]
    size = kinds * machines
    shares, fitted = logs.shares()
    weighted = weights[:, :, None] * shares
    pull = weighted * (target - fitted)[:, :, None]
    mixed = weighted[:, :, :, None] * shares[:, :, None]
    every = np.arange(kinds)

    blocks = mixed.sum(axis=4)
    blocks[..., every, every] += damping[:, None, None] * weighted.sum(axis=3) + _SINGULAR
    pulled = pull.sum(axis=3)[..., None]
    if only_tasks:
        return Logs(logs.task + np.linalg.solve(blocks, pulled)[..., 0], logs.machine)
    mixed_rows = mixed.reshape(problems, tasks, kinds, size)
    right = np.concatenate([mixed_rows, pulled], axis=3)
    # The inverses of thousands of tiny blocks are found in a third of the time of their solutions.
    solved = (np.linalg.inv(blocks) @ right).reshape(problems, tasks * kinds, size + 1)
    across = mixed_rows.reshape(problems, tasks * kinds, size).transpose(0, 2, 1) @ solved

    matrix = -across[:, :, :size]
    cells = matrix.reshape(problems, kinds, machines, kinds, machines)
    each = np.arange(machines)
    cells[:, :, each, :, each] += np.moveaxis(mixed.sum(axis=1), 3, 0)
    diagonal = np.arange(size)
    scale = weighted.sum(axis=1).reshape(problems, size)
    matrix[:, diagonal, diagonal] += damping[:, None] * scale + _SINGULAR
    rest = pull.sum(axis=1).reshape(problems, size) - across[:, :, size]
    by_machine = np.linalg.solve(matrix, rest[..., None])
    by_task = solved[:, :, size:] - solved[:, :, :size] @ by_machine
    return Logs(
        logs.task + by_task.reshape(logs.task.shape),
        logs.machine + by_machine.reshape(logs.machine.shape),
    )
