"""The front of a system, by the parametric simplex or, where that fails, by HiGHS: between two
vertices, find the one farthest below their chord. That is slower, but it needs no structure.
"""

from collections import deque
from dataclasses import dataclass, replace

import numpy as np

from core.engines.lp.program import SolverFailed
from core.engines.relaxed.certificate import ENERGY, MAKESPAN, Lines, Objective
from core.engines.relaxed.front import Front, Optima, Placements, front_of
from core.engines.relaxed.parametric import ARRIVED, GOING_ON, STUCK, ParametricSimplex, Stretch
from core.engines.relaxed.program import DivisibleProgram
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.budget import Budget
from core.vocabulary.system import System
from core.vocabulary.tolerances import NOT_DIVISIBLE, SAME, SOLVER


@dataclass(frozen=True, eq=False)
class Optimum:
    """An optimal divisible schedule, its (joules, seconds), and the machine prices that prove it
    optimal.
    """

    objective: Objective
    placed: FloatArray
    point: FloatArray
    prices: FloatArray

    @classmethod
    def of(
        cls, program: DivisibleProgram, objective: Objective, then: Objective | None = None
    ) -> "Optimum":
        """The optimum of `objective`; if there are several, the best of them for `then`, where
        given.
        """
        program.minimise(objective)
        prices = program.machine_prices()
        if then is not None:
            program.stay_optimal()
            program.minimise(then)
        placed = program.placed()
        return cls(objective, placed, Placements.dense([placed]).points(program.system)[0], prices)


def dichotomy(system: System, budget: Budget | None = None) -> Front:
    """Every vertex of the front; as many as the budget allows, but always both ends."""
    budget = budget or Budget()

    def is_over() -> bool:
        return budget.should_stop() or not budget.left

    # Each end has a program of its own, because `stay_optimal` confines it.
    thriftiest = Optimum.of(DivisibleProgram(system), ENERGY, MAKESPAN)
    fastest = Optimum.of(DivisibleProgram(system), MAKESPAN, ENERGY)
    program = DivisibleProgram(system)
    following = {thriftiest: (fastest, thriftiest.prices)}
    across = np.abs(fastest.point - thriftiest.point)
    # Ends of the same energy or makespan are one vertex.
    chords = deque([(thriftiest, fastest)] if across.all() else [])
    while chords:
        left, right = chords.popleft()
        if is_over():
            # Any prices prove a bound: those of both ends together serve where none was found.
            following[left] = right, left.prices + right.prices
            continue
        energy, makespan = np.abs(right.point - left.point)
        weights = np.array([1.0, energy / makespan])
        lowest = Optimum.of(program, Objective(*weights))
        below = (weights * (left.point - lowest.point)).sum()
        apart = lowest.point > np.minimum(left.point, right.point) + SAME * across
        if all(apart) and below > SOLVER * (weights * left.point).sum():
            chords += [(left, lowest), (lowest, right)]
        else:
            following[left] = right, lowest.prices
    found, prices = [thriftiest], [thriftiest.prices]
    while found[-1] is not fastest:
        right, dual = following[found[-1]]
        found.append(right)
        prices.append(dual)
    prices.append(fastest.prices)
    points = np.array([optimum.point for optimum in found])
    energy, makespan = np.abs(np.diff(points, axis=0)).T
    slopes = energy / np.where(makespan > 0, makespan, 1.0)
    weights = np.vstack([[1.0, 0.0], np.column_stack([np.ones(len(slopes)), slopes]), [0.0, 1.0]])
    return front_of(
        system,
        Optima(
            points,
            Placements.dense([optimum.placed for optimum in found]),
            Lines.proven(system, weights, np.array(prices)),
        ),
        complete=not is_over(),
    )


_NUMBERS_A_STRETCH = 4_000_000
# The walk along the front may take the share _WALKING of the budget. If it has not arrived by then,
# the vertex of the least makespan gets the share _FASTEST_SHARE of the walk's seconds, but at least
# _FASTEST_SECONDS. So both together fill the budget.
_WALKING = 0.8
_FASTEST_SHARE = 0.25
_FASTEST_SECONDS = 0.1


def trace_front(system: System, budget: Budget | None = None) -> Front:
    """Every vertex of the front; if the budget ends before, as many as it allows from the
    thriftiest on, and the fastest, unless that takes long by itself.

    Raises `NoPowerData` for a system without APC.
    """
    budget = budget or Budget()
    front = _by_parametric_simplex(system, budget)
    if front is None:
        return dichotomy(system, budget)
    if front.exact:
        return front
    if _must_end(budget):
        return _with_fastest_end(front, max(_FASTEST_SHARE * budget.used, _FASTEST_SECONDS))
    try:
        other = dichotomy(system, budget)
    except SolverFailed:
        return front
    if not other.exact and front.gap <= other.gap:
        return front
    return replace(
        other,
        slower=front.slower,
        slower_placements=front.slower_placements,
        slower_lines=front.slower_lines,
    )


def _must_end(budget: Budget) -> bool:
    """Whether the walk must end now."""
    return budget.should_stop() or budget.used >= _WALKING * budget.seconds


def _with_fastest_end(front: Front, seconds: float) -> Front:
    """The part of the front that was found, and the vertex of the least makespan, if that is found
    within so many seconds.
    """
    system, walked = front.system, front.lines.chosen(slice(0, -1))
    try:
        fastest = Optimum.of(DivisibleProgram(system, seconds), MAKESPAN, ENERGY)
    except SolverFailed:
        return front
    dearer = fastest.point[0] - front.energy[-1]
    sooner = front.makespan[-1] - fastest.point[1]
    rate = dearer / sooner if sooner > 0 else 0.0
    beyond = rate - float(walked.weights[-1, 1])
    if beyond <= 0:
        return front
    # Prices that prove the last line found and prices that prove the least makespan add up to a
    # proof of the line between them.
    prices = np.array([walked.machine_prices[-1] + beyond * fastest.prices, fastest.prices])
    lines = Lines.proven(system, np.array([[1.0, rate], [0.0, 1.0]]), prices)
    return replace(
        front,
        points=np.vstack([front.points, fastest.point]),
        placements=front.placements.followed_by(Placements.dense([fastest.placed])),
        lines=walked.followed_by(lines),
    )


def _by_parametric_simplex(system: System, budget: Budget) -> Front | None:
    """The front as far as the budget allows; None if the simplex is stuck or finds no vertex."""
    rows, columns = np.flatnonzero(system.task_counts), np.flatnonzero(system.machine_counts)
    cells = np.ix_(rows, columns)
    counts = system.task_counts[rows].astype(float)
    # Both are infinite where a pair cannot run.
    loads = system.etc[cells] * counts[:, None] / system.machine_counts[columns]
    costs = system.dynamic_energy[cells] * counts[:, None]
    seconds, joules = _scale(loads), _scale(costs)
    simplex = ParametricSimplex(loads / seconds, costs / joules)
    steps = int(np.clip(_NUMBERS_A_STRETCH / sum(loads.shape), 16, 256))
    stretches = [simplex.walk(steps)]
    while simplex.state == GOING_ON and not _must_end(budget):
        stretches.append(simplex.walk(steps))
    optima = Stretch.joined(stretches)
    watts = joules / seconds
    idle = system.total_idle_power / watts
    on_front = np.flatnonzero(optima.end > idle)
    if simplex.state == STUCK or not len(on_front):
        return None
    placements = _placements(optima, counts, rows, columns)
    points = placements.points(system)
    # The price of time at which each optimum ends, and where the front begins.
    first, last = int(on_front[0]), len(points) - 1
    owner = np.concatenate([on_front[:1], on_front[:-1], [last]])
    price = np.concatenate([[idle], optima.end[on_front[:-1]], [1.0]])
    fixed = optima.fixed[owner]
    fixed[-1] = 0.0
    weights = np.column_stack([np.ones(len(owner)), (price - idle) * watts])
    weights[[0, -1]] = np.eye(2)
    slower = np.concatenate([[0], np.arange(first)])
    slower_price = np.concatenate([[0.0], optima.end[:first]])
    slower_weights = np.column_stack([np.ones(first + 1), (slower_price - idle) * watts])
    slower_worth = optima.fixed[slower] + slower_price[:, None] * optima.rising[slower]
    return front_of(
        system,
        Optima(
            points[first:],
            placements.chosen(on_front),
            _lines(system, columns, weights, fixed + price[:, None] * optima.rising[owner]),
        ),
        Optima(
            points[:first],
            placements.chosen(np.arange(first)),
            _lines(system, columns, slower_weights, slower_worth),
        ),
        complete=simplex.state == ARRIVED,
    )


def _lines(system: System, columns: IntArray, weights: FloatArray, worth: FloatArray) -> Lines:
    """Lines from the price of a second of all machines of each of these types."""
    prices = np.zeros((len(weights), len(system.machine_types)))
    prices[:, columns] = worth / system.machine_counts[columns]
    return Lines.proven(system, weights, prices)


def _placements(
    optima: Stretch, counts: FloatArray, rows: IntArray, columns: IntArray
) -> Placements:
    """The placements of each optimum: key columns, less the shares of other columns."""
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
    """The sum of the least value of each row, or the largest of all; never next to nothing."""
    size = np.abs(terms)
    sums = (size.min(axis=1).sum(), size[np.isfinite(size)].max())
    return next((float(value) for value in sums if value > NOT_DIVISIBLE), 1.0)
