"""Times as abstract operations: how many of each kind a task takes, and how long one takes.

The model is that of Tarplee's dissertation (Colorado State University 2015, Eq. 38).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.engines.operations.least_squares import Logs, Precision, fit
from core.engines.operations.pairs import Pairs
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.budget import never

SHRINKAGES: Final = (0.3, 0.03, 0.003, 1e-6)
"""Weights of what one kind of operation says, the largest first; a known pair has about 1. The last
decides only what known pairs leave open.
"""
LEARNT_FROM: Final = 256
"""What several kinds take on machine types is learnt from at most so many task types."""
MANY_PAIRS: Final = 10_000
"""If there are more pairs (known or not) than this, only some are held out."""
_MOST_UNKNOWNS: Final = 512
"""Kinds times machine types are no more: the time of a step grows with their third power."""
_STARTS: Final = 12
_STARTED_PAIRS: Final = 1_000
"""All starts together have about so many pairs: small problems have more local optima."""
_NOISE: Final = 1.0
"""The standard deviation of a start in the logarithms of its factors."""
_BLOCK: Final = 1024
"""So many task types are fitted at once, for the sake of memory."""
_AS_GOOD: Final = 1e-6
"""Operations are as good if the squares of relative errors are no more than its square larger."""
_TILT: Final = 1e-4
"""By so much more the first type counts than the last, where all else is nearly equal."""
_EXACT: Final = Precision(1e-12, 60)
_FINE: Final = Precision(1e-6, 100)


@dataclass(frozen=True, slots=True, eq=False)
class Operations:
    """Abstract operations, of one or several kinds.

    `per_task[i, k]`: how many operations of kind k a task of type i takes; the most of any type is
    1. `per_machine[k, j]`: the seconds that one takes on a machine of type j. All are 0 or more;
    NaN for a type without known pairs. Kinds that take more of the known times come first.
    """

    per_task: FloatArray
    per_machine: FloatArray

    @property
    def times(self) -> FloatArray:
        """Seconds of each pair, above 0. They mean nothing where known pairs do not connect the
        types.
        """
        return self.per_task @ self.per_machine


def factor(
    times: FloatArray,
    kinds: int,
    *,
    weights: FloatArray | None = None,
    shrinkage: float = SHRINKAGES[-1],
    seed: int = 0,
    should_stop: Callable[[], bool] = never,
) -> Operations:
    """The operations that explain known times: seconds above 0, NaN or infinity where there are
    none, `weights` above 0.

    They are a local optimum of the weighted sum of squares of log(fitted / known); for one kind,
    which needs no seed, the global one. Each pair that is not impossible pulls with the weight
    `shrinkage` to the time that one kind gives it. If there are more than `LEARNT_FROM` task types,
    those with the most known pairs decide about the machine types. Raises `Cancelled`.
    """
    pairs = Pairs.of(times, weights)
    one = one_kind(pairs, should_stop)
    if kinds == 1:
        return _operations(pairs, one)
    relative = pairs.relative_to(one.times())
    learnt = best_known(pairs)
    mine = relative.of_tasks(learnt)
    mine = mine.copies(min(max(_STARTED_PAIRS // mine.logs.size, 1), _STARTS))
    begun = _shaken(starts(mine, kinds), np.random.default_rng(seed))
    stages = [*(stage for stage in SHRINKAGES if stage > shrinkage), shrinkage]
    # Most often the best optimum is found by way of larger shrinkages, but not always.
    ends = [[*along(mine, begun, way, _FINE, should_stop)][-1] for way in (stages, stages[-1:])]
    found = _best(ends, float(mine.weights[0].sum()))
    if len(learnt) < len(times):
        found = _all_tasks(relative.pulled(shrinkage), found, should_stop)
    return _operations(pairs, Logs(one.task + found.task, one.machine + found.machine))


def joules_per_operation(operations: Operations, joules: FloatArray) -> FloatArray:
    """The energy of an operation of each kind on each machine type (kinds x machine types, J).

    `joules[i, j]` is the energy of one task, known where it is above 0. For each machine type, the
    squares of the relative errors of `per_task @ joules_per_operation` have the least sum. NaN for
    a machine type without known energies. The powers of the model are (joules of a pair) /
    (seconds of a pair), as in Eq. 40.
    """
    from scipy.optimize import nnls  # only who asks waits for SciPy

    found = np.full((operations.per_task.shape[1], joules.shape[1]), np.nan)
    known = (joules > 0) & np.isfinite(joules) & ~np.isnan(operations.per_task[:, :1])
    for machine in np.flatnonzero(known.any(axis=0)):
        rows = known[:, machine]
        found[:, machine], _ = nnls(
            operations.per_task[rows] / joules[rows, machine, None], np.ones(rows.sum())
        )
    return found


def one_kind(pairs: Pairs, should_stop: Callable[[], bool] = never) -> Logs:
    """For each set, the operations of one kind with the least loss."""
    sets, tasks, machines = pairs.logs.shape
    start = Logs(np.zeros((sets, tasks, 1)), np.zeros((sets, 1, machines)))
    return fit(pairs.logs, pairs.weights, start, _EXACT, should_stop)[0]


def along(
    relative: Pairs,
    start: Logs,
    shrinkages: Sequence[float],
    precision: Precision,
    should_stop: Callable[[], bool] = never,
) -> Iterator[tuple[Logs, FloatArray]]:
    """For one shrinkage after the other, the operations of each set and their losses.

    Values are relative to those of one kind. Each fit starts where the one before has ended.
    """
    for shrinkage in shrinkages:
        start, loss = fit(*relative.pulled(shrinkage), start, precision, should_stop)
        yield start, loss


def starts(relative: Pairs, kinds: int) -> Logs:
    """Where to start with each set, from its singular vectors.

    The factors are exp(q u) and exp(q v), with singular vectors u and v, and a corner q of a
    regular simplex for each kind. To second order, the sum over kinds has the values of the set,
    but for factors of task types and machine types.
    """
    ways = min(kinds - 1, *relative.logs.shape[1:])
    corners = np.linalg.qr(np.column_stack([np.ones(kinds), np.eye(kinds)[:, :ways]]))[0][:, 1:]
    values = np.where(relative.known, relative.logs, 0.0)
    # Singular vectors of equal singular values are open, but no two are equal now.
    tasks, machines = (_tilt(types) for types in values.shape[1:])
    left, sizes, right = np.linalg.svd(tasks[:, None] * values * machines, full_matrices=False)
    # Their signs are open, too; these hardly depend on the order of the types.
    signs = np.where((left**3).sum(axis=1) < 0, -1.0, 1.0)
    root = (signs * np.sqrt(kinds * sizes))[:, None, :ways]
    task = (left[:, :, :ways] * root) @ corners.T
    machine = corners @ (right[:, :ways] * root.transpose(0, 2, 1))
    return Logs(task - np.log(kinds) / 2, machine - np.log(kinds) / 2)


def _best(ends: Sequence[tuple[Logs, FloatArray]], weight: float) -> Logs:
    """The end with the least loss; of several that are as good, the first.

    Rounding must not choose among these: each processor would find other operations.
    """
    losses = np.concatenate([loss for _, loss in ends])
    first = int(np.argmax(losses <= losses.min() + _AS_GOOD**2 * weight))
    way, start = divmod(first, len(losses) // len(ends))
    return ends[way][0].chosen(np.array([start]))


def _shaken(start: Logs, rng: np.random.Generator) -> Logs:
    """The first start as it is, and the others changed by chance."""
    task, machine = (
        np.vstack([a[:1], a[1:] + rng.normal(0, _NOISE, a[1:].shape)])
        for a in (start.task, start.machine)
    )
    return Logs(task, machine)


def _tilt(types: int) -> FloatArray:
    """Weights of types that are as good as equal."""
    return np.linspace(1 + _TILT, 1, types)


def most_kinds_of(machine_types: int, wanted: int) -> int:
    """So many kinds as wanted, or fewer if there are too many machine types."""
    return max(1, min(wanted, _MOST_UNKNOWNS // machine_types))


def best_known(pairs: Pairs) -> IntArray:
    """The task types of the first set with the most known pairs, at most `LEARNT_FROM`."""
    counts = np.count_nonzero(pairs.known[0], axis=1)
    return np.sort(np.argsort(-counts, kind="stable")[:LEARNT_FROM])


def _all_tasks(
    pulled: tuple[FloatArray, FloatArray], found: Logs, should_stop: Callable[[], bool]
) -> Logs:
    """The operations of all task types, where those of machine types are found."""
    target, weights = (array[0, :, None] for array in pulled)
    kinds, machines = found.machine.shape[1:]
    rows = []
    for begin in range(0, len(target), _BLOCK):
        block = slice(begin, begin + _BLOCK)
        size = len(target[block])
        start = Logs(
            np.full((size, 1, kinds), -np.log(kinds) / 2),
            np.broadcast_to(found.machine, (size, kinds, machines)),
        )
        each, _ = fit(target[block], weights[block], start, _FINE, should_stop, only_tasks=True)
        rows.append(each.task[:, 0])
    return Logs(np.concatenate(rows)[None], found.machine)


def _operations(pairs: Pairs, logs: Logs) -> Operations:
    """The first set in ordinary numbers: the largest of each kind 1, larger kinds first."""
    known = pairs.known[0]
    task = np.where(known.any(axis=1)[:, None], logs.task[0], np.nan)
    machine = np.where(known.any(axis=0), logs.machine[0], np.nan)
    if known.any():
        largest = np.nanmax(task, axis=0)
        task, machine = task - largest, machine + largest[:, None]
        parts = _tilt(len(task)) @ (logs.shares()[0][0] * pairs.weights[0, :, None]).sum(axis=2)
        order = np.argsort(-parts, kind="stable")
        task, machine = task[:, order], machine[order]
    return Operations(np.exp(task), np.exp(machine))
