"""From a system to its front: by the parametric simplex, or where that breaks down by HiGHS."""

import numpy as np

from core.budget import Budget
from core.relaxed.dichotomy import dichotomy
from core.relaxed.front import Front, front_of
from core.relaxed.lines import Lines
from core.relaxed.parametric import ARRIVED, GOING_ON, STUCK, ParametricSimplex, Stretch
from core.relaxed.placements import Placements
from core.system import FloatArray, IntArray, NoPowerData, System

_NUMBERS_A_STRETCH = 4_000_000


def trace_front(system: System, budget: Budget | None = None) -> Front:
    """Every vertex of the front; as many as the budget allows, the thriftiest first.

    Raises `NoPowerData` for a system without APC.
    """
    if system.apc is None:
        raise NoPowerData
    budget = budget or Budget()
    front = _by_parametric_simplex(system, budget)
    if front is None:
        return dichotomy(system, budget)
    if front.exact or budget.should_stop() or not budget.left:
        return front
    # Where neither proves every edge, the simplex has the better prices.
    other = dichotomy(system, budget)
    return other if other.exact else front


def _by_parametric_simplex(system: System, budget: Budget) -> Front | None:
    """As far as the budget allows; None where the simplex gets stuck or nowhere."""
    rows, columns = np.flatnonzero(system.task_counts), np.flatnonzero(system.machine_counts)
    cells = np.ix_(rows, columns)
    counts = system.task_counts[rows].astype(float)
    loads = np.full((len(rows), len(columns)), np.inf)
    possible = system.can_run[cells]
    np.multiply(system.etc[cells], counts[:, None], out=loads, where=possible)
    loads /= system.machine_counts[columns]
    costs = np.full(loads.shape, np.inf)
    np.multiply(system.dynamic_energy[cells], counts[:, None], out=costs, where=possible)
    seconds, joules = _scale(loads), _scale(costs)
    simplex = ParametricSimplex(loads / seconds, costs / joules)
    steps = int(np.clip(_NUMBERS_A_STRETCH / sum(loads.shape), 16, 256))
    stretches = [simplex.walk(steps)]
    while simplex.state == GOING_ON and budget.left and not budget.should_stop():
        stretches.append(simplex.walk(steps))
    optima = Stretch.joined(stretches)
    watts = joules / seconds
    idle = system.total_idle_power / watts
    on_front = np.flatnonzero(optima.end > idle)
    if simplex.state == STUCK or not len(on_front):
        return None
    placements = _placements(optima, counts, rows, columns)
    points = placements.points(system)
    # The price of time at which each optimum gives way to the next, and where the front begins.
    first, last = int(on_front[0]), len(points) - 1
    owner = np.concatenate([on_front[:1], on_front[:-1], [last]])
    price = np.concatenate([[idle], optima.end[on_front[:-1]], [1.0]])
    fixed = optima.fixed[owner]
    fixed[-1] = 0.0
    weights = np.column_stack([np.ones(len(owner)), (price - idle) * watts])
    weights[[0, -1]] = np.eye(2)
    slower = np.concatenate([[0], np.arange(first)])
    slower_price = np.concatenate([[0.0], optima.end[:first]])
    return front_of(
        system,
        points[first:],
        placements.chosen(on_front),
        _lines(system, columns, weights, fixed + price[:, None] * optima.rising[owner]),
        complete=simplex.state == ARRIVED,
        slower=points[:first],
        slower_placements=placements.chosen(np.arange(first)),
        slower_lines=_lines(
            system,
            columns,
            np.column_stack([np.ones(first + 1), (slower_price - idle) * watts]),
            optima.fixed[slower] + slower_price[:, None] * optima.rising[slower],
        ),
    )


def _lines(system: System, columns: IntArray, weights: FloatArray, worth: FloatArray) -> Lines:
    """Lines from what a second of all machines of each of these types is worth."""
    prices = np.zeros((len(weights), len(system.machine_types)))
    prices[:, columns] = worth / system.machine_counts[columns]
    return Lines.proven(system, weights, prices)


def _placements(
    optima: Stretch, counts: FloatArray, rows: IntArray, columns: IntArray
) -> Placements:
    """What each optimum places where: the keys, and what goes elsewhere instead."""
    number, tasks = optima.key.shape
    owner, extra = np.nonzero((optima.task >= 0) & (optima.share > 0))
    task, machine = optima.task[owner, extra], optima.machine[owner, extra]
    share = optima.share[owner, extra]
    rest = np.ones((number, tasks))
    np.subtract.at(rest, (owner, task), share)
    key_owner, key_task = np.nonzero(rest > 0)
    owner = np.concatenate([key_owner, owner])
    task = np.concatenate([key_task, task])
    machine = np.concatenate([optima.key[key_owner, key_task], machine])
    share = np.concatenate([rest[key_owner, key_task], share])
    order = np.lexsort((machine, task, owner))
    task = task[order]
    return Placements.of(
        owner[order], rows[task], columns[machine[order]], share[order] * counts[task]
    )


def _scale(terms: FloatArray) -> float:
    """What the rows sum to, each where it is least; never 0."""
    size = np.abs(terms)
    least = size.min(axis=1).sum()
    return float(least or size[np.isfinite(size)].max() or 1.0)
