"""Simulated annealing on counts: tasks move between machines, or are exchanged, in compiled code.

The state is how many tasks of each type every machine runs. The value to minimise is

    sum over machines of max(0, load - target)^2
    + weight x (sum over tasks of tolls + sum over machines of idle toll x max(0, target - load)),

where loads are in makespans of the bound. A toll is the cost of running a task on a machine type,
and an idle toll is the cost of a unit of time in which a machine waits. A move takes some tasks of
a type from machine a to machine b and, if that helps, about the same load of another type back: all
types on b are tried, and the best exchange is accepted or rejected by the Metropolis rule.
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

from typing import Final, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from core.engines.compute.compiled import Kernel
from core.engines.recover.states import (
    NO_ARCHIVE,
    Archive,
    cost_of,
    loads_of,
    random_below,
    random_bits,
    random_state,
    random_unit,
)
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.budget import Budget
from core.vocabulary.tolerances import INSTANT

_MOST_AT_ONCE = 3
# The first step has _FIRST_MOVES moves, which take less than a millisecond: the pace is not known
# yet. Each step has at least _FEWEST_MOVES, since with fewer the call itself would take most of the
# time, and at most _GROWTH times as many as the step before, so that one wrong measurement of the
# pace does not make it too long.
_FIRST_MOVES = 1000
_FEWEST_MOVES = 100
_GROWTH = 2.0
# The steps in a unit of work, where a step tries one task that might come back; and the least
# number of steps of a move.
_STEPS_A_UNIT: Final = 2.5e8
_STEPS_A_MOVE: Final = 10


class AnnealingProblem(NamedTuple):
    """The machines, and what tasks take and cost there.

    Machine m is of type `machine_type[m]`; machines of a type are neighbours, and those of type j
    begin at `first[j]` and are `machines[j]`. `seconds[i, j]` (relative to a makespan; infinity
    where impossible) and `tolls[i, j]` are by task type and machine type, `idle_tolls[j]` by
    machine type. `targets` are the pairs (task type, machine type) that tasks may move to, the
    least wasteful first.
    """

    machine_type: IntArray
    first: IntArray
    machines: IntArray
    seconds: FloatArray
    tolls: FloatArray
    idle_tolls: FloatArray
    targets: IntArray

    @classmethod
    def of(
        cls,
        seconds: FloatArray,
        tolls: FloatArray,
        targets: IntArray,
        machine_type: IntArray,
        idle_tolls: FloatArray | None = None,
    ) -> Self:
        kinds = seconds.shape[1]
        return cls(
            machine_type,
            np.searchsorted(machine_type, np.arange(kinds)),
            np.bincount(machine_type, minlength=kinds),
            np.ascontiguousarray(seconds),
            np.ascontiguousarray(tolls),
            np.zeros(kinds) if idle_tolls is None else idle_tolls,
            np.ascontiguousarray(targets),
        )


class AnnealingGoal(NamedTuple):
    """The load (in makespans) up to which a machine costs nothing, and the weight of tolls."""

    target: float
    toll_weight: float


class _AnnealingState(NamedTuple):
    """What changes: machine m runs `counts[m, i]` tasks of type i, and ends at `loads[m]`. Its
    types are the first `kinds_present[m]` of `present[m]`, in which type i is at `position[m, i]`.
    """

    counts: IntArray
    present: NDArray[np.int32]
    position: NDArray[np.int32]
    kinds_present: IntArray
    loads: FloatArray


class Annealer:
    """A schedule of single machines that is annealed; `loads` and `counts` are its current state.

    `counts[m, i]` is how many tasks of type i machine m runs. Every state on the way is offered to
    the `archive`.
    """

    def __init__(
        self,
        problem: AnnealingProblem,
        goal: AnnealingGoal,
        counts: IntArray,
        seed: int,
        archive: Archive | None = None,
    ) -> None:
        self.problem = problem
        # Always floats: numba would compile a kernel for each mixture of ints and floats.
        self.goal = AnnealingGoal(float(goal.target), float(goal.toll_weight))
        self.archive = NO_ARCHIVE if archive is None else archive
        self.random = random_state(seed)
        counts = np.array(counts, np.int64)
        self.state = _AnnealingState(
            counts,
            np.zeros(counts.shape, np.int32),
            np.zeros(counts.shape, np.int32),
            np.zeros(len(counts), np.int64),
            loads_of(counts, problem.seconds, problem.machine_type),
        )
        _index(self.state)
        self.moves = _FIRST_MOVES

    @property
    def counts(self) -> IntArray:
        return self.state.counts

    @property
    def loads(self) -> FloatArray:
        return self.state.loads

    def run_for(self, seconds: float, budget: Budget, temperature: float) -> None:
        """Try about as many moves as fit into so many seconds of a budget, estimated from earlier
        moves.
        """
        begun = budget.used
        budget.spend(self.run(self.moves, temperature))
        took = budget.used - begun
        self.moves = max(
            _FEWEST_MOVES, int(self.moves * min(_GROWTH, seconds / max(took, INSTANT)))
        )

    def run(self, moves: int, temperature: float) -> float:
        """Try so many moves at a temperature. Returns the units of work done."""
        steps = _anneal(
            self.random,
            moves,
            float(temperature),
            self.goal,
            self.problem,
            self.state,
            self.archive,
        )
        # Computed again, without accumulated rounding errors.
        self.loads[:] = loads_of(self.counts, self.problem.seconds, self.problem.machine_type)
        return float(steps) / _STEPS_A_UNIT


def load_kernels() -> None:
    """See `core.engines.kernels`."""
    pair, one = np.zeros((1, 2), np.int64), np.ones((1, 1))
    problem = AnnealingProblem.of(one, one, pair, pair[0, :1])
    Annealer(problem, AnnealingGoal(1.0, 1.0), pair[:, :1], 0).run(0, 1.0)


@Kernel
def _burden(load, target, idle_price):
    above = load - target
    return above * above if above > 0 else -above * idle_price


@Kernel
def _index(state):
    counts, present, position, kinds_present, _ = state
    for machine in range(counts.shape[0]):
        kinds = 0
        for task in range(counts.shape[1]):
            if counts[machine, task] > 0:
                present[machine, kinds] = task
                position[machine, task] = kinds
                kinds += 1
        kinds_present[machine] = kinds


@Kernel
def _move(task, tasks, a, b, state):
    counts, present, position, kinds_present, _ = state
    counts[a, task] -= tasks
    if counts[a, task] == 0:
        last = kinds_present[a] - 1
        moved = present[a, last]
        hole = position[a, task]
        present[a, hole] = moved
        position[a, moved] = hole
        kinds_present[a] = last
    if counts[b, task] == 0:
        present[b, kinds_present[b]] = task
        position[b, task] = kinds_present[b]
        kinds_present[b] += 1
    counts[b, task] += tasks


@Kernel
def _holder(start, task, counts):
    """The next machine from `start` on that has such a task; -1 if none has."""
    total = counts.shape[0]
    for machine in range(start, total):
        if counts[machine, task] > 0:
            return machine
    for machine in range(start):
        if counts[machine, task] > 0:
            return machine
    return -1


@Kernel
def _anneal(random, moves, temperature, goal, problem, state, archive):
    """Anneal as the module describes; returns the number of steps. There must be a target, and a
    machine of each type that is a target. Loads have rounding errors: they may be slightly below 0,
    or on the other side of a limit, which only puts a state into the next slot.
    """
    machine_type, first, machines, seconds, tolls, idle_tolls, targets = problem
    target, toll_weight = goal
    counts, present, _, kinds_present, loads = state
    limits, task_costs = archive.limits, archive.task_costs
    total = len(machine_type)
    steps = moves * _STEPS_A_MOVE
    worst = 0
    paid = 0.0
    if len(limits):
        paid = cost_of(counts, task_costs, machine_type)
    for move in range(moves):
        if move % total == 0:
            worst = loads.argmax()
        # Squaring prefers the start of the list, where the least wasteful moves are.
        unit = random_unit(random)
        pick = int(len(targets) * unit * unit)
        task, kind_b = targets[pick, 0], targets[pick, 1]
        b = first[kind_b] + random_below(random, machines[kind_b])
        a = worst
        if counts[a, task] == 0 or random_bits(random) & np.uint64(1 << 40):
            start = random_below(random, total)
            a = _holder(start, task, counts)
            steps += (a - start) % total
        if a == b or a < 0:
            continue
        kind_a = machine_type[a]
        idle_a = toll_weight * idle_tolls[kind_a]
        idle_b = toll_weight * idle_tolls[kind_b]
        tasks = 1
        if counts[a, task] > 1:
            tasks += random_below(random, min(_MOST_AT_ONCE, counts[a, task]))
        before = _burden(loads[a], target, idle_a) + _burden(loads[b], target, idle_b)
        load_a = loads[a] - tasks * seconds[task, kind_a]
        load_b = loads[b] + tasks * seconds[task, kind_b]
        own = toll_weight * tasks * (tolls[task, kind_b] - tolls[task, kind_a]) - before
        change = own + _burden(load_a, target, idle_a) + _burden(load_b, target, idle_b)
        back, returned = -1, 0
        steps += kinds_present[b]
        for slot in range(kinds_present[b]):
            other = present[b, slot]
            on_a = seconds[other, kind_a]
            if other == task or on_a == np.inf:
                continue
            on_b = seconds[other, kind_b]
            number = 1
            if counts[b, other] > 1:
                wanted = tasks * seconds[task, kind_b] / on_b + 0.5
                number = min(counts[b, other], max(1, int(min(wanted, 1e9))))
            new = (
                own
                + toll_weight * number * (tolls[other, kind_a] - tolls[other, kind_b])
                + _burden(load_a + number * on_a, target, idle_a)
                + _burden(load_b - number * on_b, target, idle_b)
            )
            if new < change:
                change, back, returned = new, other, number
        if change > 0 and (
            change > 20 * temperature or random_unit(random) >= np.exp(-change / temperature)
        ):
            continue
        _move(task, tasks, a, b, state)
        loads[a], loads[b] = load_a, load_b
        if back >= 0:
            _move(back, returned, b, a, state)
            loads[a] += returned * seconds[back, kind_a]
            loads[b] -= returned * seconds[back, kind_b]
        if len(limits):
            paid += tasks * (task_costs[task, kind_b] - task_costs[task, kind_a])
            if back >= 0:
                paid += returned * (task_costs[back, kind_a] - task_costs[back, kind_b])
            makespan = loads.max()
            steps += total
            slot = np.searchsorted(limits, makespan)
            cost = paid + archive.time_cost * makespan
            if slot < len(limits) and cost < archive.costs[slot]:
                archive.costs[slot] = cost
                archive.makespans[slot] = makespan
                archive.counts[slot] = counts
                steps += counts.size
    return steps
