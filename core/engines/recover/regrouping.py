"""Large neighbourhoods: a few machines exchange many tasks at once.

At the bound's prices a task wastes something on every machine but its best one. The gap of a
schedule is the waste of all tasks plus the idle time of its machines. So the search starts without
any waste, where some machines end too late, and works towards a target makespan. In a round, one
machine that ends after the target and a few others exchange a bundle of moves. Each move is one
task, all of different types. The best bundle has the least

    sum over these machines of max(0, load - target) + weight x (what the moves waste).

A bundle consists of two halves. The task types are divided at random between them, and for each
half all sets of up to three moves that waste at most a limit are listed. For each set of the first
half, the sets of the second that just fill the remaining room are looked up in a hashed grid over
the loads. So a million bundles of up to six moves are compared in a fraction of a millisecond. The
target falls when it is reached. When nothing improves any more it is raised, and at last some
wasteful tasks go back to their best machines.

Rounds are counted and no clock is read, so the same seed and rounds give the same schedule.
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

from typing import Final, NamedTuple

import numpy as np

from core.engines.compute.compiled import Kernel
from core.engines.recover.states import random_below, random_state
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.tolerances import SUM_ROUNDING

# The constants below were found by trial on the instances of `python -m benchmarks single-tasks`.
# The machines that exchange tasks in a round, the moves in a set, and the sets in a list.
_MACHINES: Final = 6
_MOVES: Final = 3
_SETS: Final = 1000
# The weight of waste, for each machine: waste is a share of the time of all machines.
_WASTE_WEIGHT: Final = 1 / 8
# The size of the grid's cells, in makespans of the bound: about the room that good schedules leave
# on a machine, and larger while machines are far above the target.
_SMALLEST_CELL: Final = 0.001
_CELL_GAPS: Final = 1.5
_CELL_SHARE: Final = 0.5
_MOST_HASHED: Final = 4
# If there are at most this many pairs of sets, all are compared: the grid then has one cell of this
# size.
_FEW_PAIRS: Final = 100_000
_ANY_ROOM: Final = 1e9
_TABLE: Final = 1 << 14
_FACTORS: Final = (73856093, 19349663, 83492791, 49979687)
# The limit of waste, which falls or rises by these factors so that the lists are just filled.
_FIRST_LIMIT: Final = 0.0005
_TIGHTER, _LOOSER = 0.8, 1.1
# The first target in makespans of the bound, and each next one as a share of the gap to beat. After
# this many rounds without success the target is raised half way to the makespan reached, or, if it
# is that near to it, given up.
_FIRST_TARGET: Final = 1.003
_ASKED: Final = 0.8
_PATIENCE: Final = 100
_NEAR: Final = 0.05
# The shares of wasteful tasks that go back, one of which is drawn each time; and by which share of
# the gap a schedule may be worse than the best for the search to continue from it.
_SENT_BACK: Final = (0.1, 0.2, 0.3, 0.9)
_TOLERATED: Final = 0.1


class _Moves(NamedTuple):
    """Each move takes one task of type `task` from chosen machine `giver` to `taker`. It takes the
    load `off_giver` from one, puts `on_taker` on the other, and wastes `waste` more.
    """

    task: IntArray
    giver: IntArray
    taker: IntArray
    off_giver: FloatArray
    on_taker: FloatArray
    waste: FloatArray


class _Sets(NamedTuple):
    """Sets of moves: what they add to the loads of the chosen machines and to the waste, and their
    moves (-1 is none). The first set is empty.
    """

    added: FloatArray
    waste: FloatArray
    moves: IntArray

    @classmethod
    def empty(cls, machines: int) -> "_Sets":
        return cls(
            np.zeros((_SETS, machines)), np.zeros(_SETS), np.zeros((_SETS, _MOVES), np.int64)
        )


class _Running(NamedTuple):
    """What the machines run: `counts[m, i]` tasks of type i on machine m, which ends at `loads[m]`
    (in makespans of the bound).
    """

    counts: IntArray
    loads: FloatArray


class _Pairs(NamedTuple):
    """`seconds[i, m]` and `waste[i, m]` of a task of type i on machine m, as in `Regrouper`."""

    seconds: FloatArray
    waste: FloatArray


class _Lists(NamedTuple):
    """The lists of a round: the machines chosen, the moves between them, and the sets of moves of
    the two halves; `limit[0]` is what a set may waste at most.
    """

    limit: FloatArray
    chosen: IntArray
    moves: _Moves
    sets: _Sets
    others: _Sets


class _Grid(NamedTuple):
    """Sets of moves by the cell of their loads: the last one of each cell is in `table`, the others
    are linked by `following`.
    """

    table: IntArray
    following: IntArray


class Regrouper:
    """A schedule of single machines in this search; `counts` and `loads` are its current state.

    `seconds[i, m]` (in makespans of the bound; infinity where impossible) and `waste[i, m]` (as a
    share of the bound) are by task type and machine, `counts[m, i]` by machine and task type. There
    are at least two machines.
    """

    def __init__(self, seconds: FloatArray, waste: FloatArray, counts: IntArray, seed: int) -> None:
        self.pairs = _Pairs(
            np.ascontiguousarray(np.where(np.isfinite(waste), seconds, 0.0)),
            np.ascontiguousarray(waste),
        )
        self.running = _Running(np.array(counts, np.int64), np.zeros(len(counts)))
        self.random = random_state(seed)
        chosen = min(_MACHINES, len(counts))
        pairs = counts.shape[1] * chosen * (chosen - 1)
        task, giver, taker = np.zeros((3, pairs), np.int64)
        off_giver, on_taker, wasted = np.zeros((3, pairs))
        self.lists = _Lists(
            np.array([_FIRST_LIMIT]),
            np.zeros(chosen, np.int64),
            _Moves(task, giver, taker, off_giver, on_taker, wasted),
            _Sets.empty(chosen),
            _Sets.empty(chosen),
        )
        self.rounds = 0
        self.failures = 0
        self.send_back(1.0)
        self.target = _FIRST_TARGET
        self.reached, self.reached_counts = float(self.loads.max()), self.counts.copy()
        self.base, self.base_counts = np.inf, self.counts

    @property
    def counts(self) -> IntArray:
        return self.running.counts

    @property
    def loads(self) -> FloatArray:
        return self.running.loads

    def run(self, rounds: int, best: float) -> bool:
        """Do so many rounds; `best` is the makespan to beat. Returns whether the search is ready
        for another start, which `start_from` sets.
        """
        done, self.failures = _regroup(
            self.random,
            rounds,
            self.failures,
            float(self.target),
            self.pairs,
            self.running,
            self.lists,
        )
        self.rounds += done
        self._measure()
        makespan = float(self.loads.max())
        if makespan < self.reached - SUM_ROUNDING:
            self.reached, self.reached_counts = makespan, self.counts.copy()
        if makespan <= self.target + SUM_ROUNDING:
            self.target = self._next_target(min(makespan, best))
        elif self.failures >= _PATIENCE:
            self.failures = 0
            if self.target < self.reached - _NEAR * (self.reached - 1):
                self.target = (self.target + self.reached) / 2
            else:
                return True
        return False

    def start_from(self, best: float, best_counts: IntArray) -> None:
        """Continue from the current schedule, or from the best one if that is much better."""
        if self.reached <= self.base + _TOLERATED * (self.base - 1) or not np.isfinite(self.base):
            self.base, self.base_counts = self.reached, self.reached_counts
        if best < self.base - _TOLERATED * (self.base - 1):
            self.base, self.base_counts = best, best_counts
        self.counts[:] = self.base_counts
        self.send_back(_SENT_BACK[random_below(self.random, len(_SENT_BACK))])
        self.reached = np.inf
        self.target = self._next_target(best)

    def send_back(self, share: float) -> None:
        """Move this share of the wasteful tasks to machines where they waste nothing, each to the
        one with the most room.
        """
        self._measure()
        _send_back(self.random, share, self.pairs, self.running)
        self._measure()

    def _next_target(self, beaten: float) -> float:
        return 1 + _ASKED * max(beaten - 1, 0.0)

    def _measure(self) -> None:
        """Compute the loads again, without accumulated rounding errors."""
        self.loads[:] = np.einsum("mi,im->m", self.counts, self.pairs.seconds)


def load_kernels() -> None:
    """See `core.engines.kernels`."""
    ones = np.ones((2, 2))
    search = Regrouper(ones, 1 - np.eye(2), np.array([[1, 1], [0, 0]]), 0)
    search.run(1, 2.0)
    search.start_from(2.0, search.counts)


@Kernel
def _send_back(random, share, pairs, running):
    seconds, waste = pairs
    counts, loads = running
    machines, tasks = counts.shape
    for task in range(tasks):
        for machine in range(machines):
            if counts[machine, task] == 0 or waste[task, machine] <= SUM_ROUNDING:
                continue
            if random_below(random, 1 << 20) >= share * (1 << 20):
                continue
            home = -1
            for other in range(machines):
                if waste[task, other] <= SUM_ROUNDING and (home < 0 or loads[other] < loads[home]):
                    home = other
            # There may be no machine of the type on which the task wastes nothing.
            if home < 0:
                continue
            sent = counts[machine, task]
            counts[machine, task] -= sent
            counts[home, task] += sent
            loads[machine] -= sent * seconds[task, machine]
            loads[home] += sent * seconds[task, home]


@Kernel
def _regroup(random, rounds, failures, target, pairs, running, lists):
    """The number of rounds done until no machine ended after the target; and how many failed since
    the last success.
    """
    counts, loads = running
    limit, chosen, moves, sets, others = lists
    dearest = max(2 * (target - 1), loads.max() - target)
    weight = _WASTE_WEIGHT * len(loads)
    room = np.zeros(len(chosen))
    half = np.zeros(counts.shape[1], np.int64)
    grid = _Grid(np.zeros(_TABLE, np.int64), np.zeros(_SETS, np.int64))
    for gone in range(rounds):
        if not _choose(random, loads, target, chosen):
            return gone, failures
        number = _list_moves(counts, pairs, dearest, chosen, moves)
        order = np.argsort(moves.waste[:number])
        for task in range(len(half)):
            half[task] = random_below(random, 2)
        first = _list_sets(0, half, limit[0], order, moves, sets)
        second = _list_sets(1, half, limit[0], order, moves, others)
        if max(first, second) == _SETS:
            limit[0] *= _TIGHTER
        elif min(first, second) < _SETS // 2:
            limit[0] = min(limit[0] * _LOOSER, dearest)
        late, latest = 0.0, 0.0
        for k in range(len(chosen)):
            room[k] = target - loads[chosen[k]]
            late += max(-room[k], 0.0)
            latest = max(latest, -room[k])
        cell = max(_SMALLEST_CELL, _CELL_SHARE * latest, _CELL_GAPS * (target - 1))
        if first * second <= _FEW_PAIRS:
            cell = _ANY_ROOM
        left, a, b = _match(_listed(sets, first), _listed(others, second), room, weight, cell, grid)
        if left >= late - SUM_ROUNDING:
            failures += 1
            continue
        failures = 0
        for list_of, one in ((sets, a), (others, b)):
            for move in list_of.moves[one]:
                if move >= 0:
                    counts[chosen[moves.giver[move]], moves.task[move]] -= 1
                    counts[chosen[moves.taker[move]], moves.task[move]] += 1
            for k in range(len(chosen)):
                loads[chosen[k]] += list_of.added[one, k]
    return rounds, failures


@Kernel
def _choose(random, loads, target, chosen):
    """Choose a machine that ends after the target, and others; false if none does."""
    late = 0
    for machine in range(len(loads)):
        if loads[machine] > target:
            late += 1
    if late == 0:
        return False
    skipped = random_below(random, late)
    for machine in range(len(loads)):
        if loads[machine] > target:
            if skipped == 0:
                chosen[0] = machine
            skipped -= 1
    found = 1
    while found < len(chosen):
        machine = random_below(random, len(loads))
        if (chosen[:found] != machine).all():
            chosen[found] = machine
            found += 1
    return True


@Kernel
def _list_moves(counts, pairs, dearest, chosen, moves):
    """List the moves that waste at most `dearest` where they go; returns their number."""
    seconds, waste = pairs
    number = 0
    for task in range(counts.shape[1]):
        for giver in range(len(chosen)):
            if counts[chosen[giver], task] == 0:
                continue
            for taker in range(len(chosen)):
                if taker != giver and waste[task, chosen[taker]] <= dearest:
                    moves.task[number] = task
                    moves.giver[number] = giver
                    moves.taker[number] = taker
                    moves.off_giver[number] = seconds[task, chosen[giver]]
                    moves.on_taker[number] = seconds[task, chosen[taker]]
                    moves.waste[number] = waste[task, chosen[taker]] - waste[task, chosen[giver]]
                    number += 1
    return number


@Kernel
def _list_sets(side, half, limit, order, moves, sets):
    """List the sets of moves of this half's task types that waste at most the limit, smaller sets
    first, as many as the list can hold; returns their number. `order` has the moves by their waste,
    the least first.
    """
    sets.added[0] = 0.0
    sets.waste[0] = 0.0
    sets.moves[0] = -1
    # The position in `order` of the last move of each set.
    last = np.full(_SETS, -1, np.int64)
    number, begin = 1, 0
    for size in range(_MOVES):
        end = number
        for smaller in range(begin, end):
            for place in range(last[smaller] + 1, len(order)):
                move = order[place]
                task = moves.task[move]
                if half[task] != side:
                    continue
                waste = sets.waste[smaller] + moves.waste[move]
                if waste > limit:
                    break
                fresh = True
                for k in range(size):
                    if moves.task[sets.moves[smaller, k]] == task:
                        fresh = False
                if not fresh:
                    continue
                if number == _SETS:
                    return number
                sets.added[number] = sets.added[smaller]
                sets.moves[number] = sets.moves[smaller]
                giver, taker = moves.giver[move], moves.taker[move]
                sets.added[number, giver] -= moves.off_giver[move]
                sets.added[number, taker] += moves.on_taker[move]
                sets.waste[number] = waste
                sets.moves[number, size] = move
                last[number] = place
                number += 1
        begin = end
    return number


@Kernel
def _listed(sets, number):
    """The first `number` sets."""
    return _Sets(sets.added[:number], sets.waste[:number], sets.moves[:number])


@Kernel
def _match(sets, others, room, weight, cell, grid):
    """The least sum that a bundle leaves, and its two sets: one of `sets` and one of `others`, not
    both empty.

    Only pairs that fill the room of the first machines to within about a cell are found.
    """
    table, following = grid
    hashed = min(len(room) - 1, _MOST_HASHED)
    mask = len(table) - 1
    table[:] = -1
    for b in range(len(others.waste)):
        spot = 0
        for k in range(hashed):
            spot ^= int(np.floor(others.added[b, k] / cell)) * _FACTORS[k]
        following[b] = table[spot & mask]
        table[spot & mask] = b
    least, best_a, best_b = np.inf, 0, 0
    corner = np.zeros(_MOST_HASHED, np.int64)
    for a in range(len(sets.waste)):
        for k in range(hashed):
            corner[k] = int(np.floor((room[k] - sets.added[a, k]) / cell - 0.5))
        for neighbour in range(1 << hashed):
            spot = 0
            for k in range(hashed):
                spot ^= (corner[k] + ((neighbour >> k) & 1)) * _FACTORS[k]
            b = table[spot & mask]
            while b >= 0:
                left = weight * (sets.waste[a] + others.waste[b])
                for k in range(len(room)):
                    left += max(sets.added[a, k] + others.added[b, k] - room[k], 0.0)
                    if left >= least:
                        break
                if left < least and a + b > 0:
                    least, best_a, best_b = left, a, b
                b = following[b]
    return least, best_a, best_b
