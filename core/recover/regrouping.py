"""Large neighbourhoods: a few machines share their tasks anew, by many moves at once.

At the bound's prices a task wastes something wherever it is not where it fits best, and what a
schedule wastes in all, and what its machines idle, is its gap. So the search begins where no task
wastes anything but some machines end too late, and works towards a target makespan. In a round, one
machine that ends after the target and a few others exchange a bundle of moves (a task each, of
different types) that leaves least

    sum over these machines of max(0, load - target) + weight x (what the moves waste).

A bundle is two halves: of the task types of each half (drawn by lot) all sets of up to three moves
are listed that waste up to a limit; and to each set of the one, those of the other are looked up
that just fill the room that is left (a grid over the loads, hashed). So a million bundles of up to
six moves are compared in a fraction of a millisecond. The target falls when it is reached, is eased
when nothing helps any more, and at last some of the wasteful tasks go back to where they fit best.

Only rounds are counted, no clock is read: the same seed and rounds give the same schedule.
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

from typing import Final, NamedTuple

import numpy as np

from core.engine.compiled import Kernel
from core.model.arrays import FloatArray, IntArray
from core.model.tolerances import SUM_ROUNDING
from core.recover.draws import random_below, random_state

# The constants below were found by trial on instances of benchmarks/single_tasks.py.
_MACHINES: Final = 6
_MOVES: Final = 3
_SETS: Final = 1000
# A machine: a share of what a task wastes is a share of all machines' time.
_WASTE_WEIGHT: Final = 1 / 8
# Cells of the grid, in makespans of the bound: as large as the room that good schedules may leave
# on a machine, and larger while machines are far above the target.
_SMALLEST_CELL: Final = 0.001
_CELL_GAPS: Final = 1.5
_CELL_SHARE: Final = 0.5
_MOST_HASHED: Final = 4
# So few pairs of sets are all compared, however much room they leave: in a cell of this size.
_FEW_PAIRS: Final = 100_000
_ANY_ROOM: Final = 1e9
_TABLE: Final = 1 << 14
_FACTORS: Final = (73856093, 19349663, 83492791, 49979687)
# The limit of waste follows what fills the lists.
_FIRST_LIMIT: Final = 0.0005
_TIGHTER, _LOOSER = 0.8, 1.1
# The first target, and the next one as a share of the gap that is to be beaten; rounds without
# success until the target is eased, half way to what has been reached, or given up when that near.
_FIRST_TARGET: Final = 1.003
_ASKED: Final = 0.8
_PATIENCE: Final = 100
_NEAR: Final = 0.05
# The share of wasteful tasks that go back, drawn anew each time; and by how much of the gap a
# schedule may be worse than the best and still be where the search goes on.
_SENT_BACK: Final = (0.1, 0.2, 0.3, 0.9)
_TOLERATED: Final = 0.1


class _Moves(NamedTuple):
    """One task of type `task` goes from chosen machine `giver` to `taker`, wasting `waste` more."""

    task: IntArray
    giver: IntArray
    taker: IntArray
    waste: FloatArray


class _Sets(NamedTuple):
    """Sets of moves: what they add to the chosen machines' loads and to the waste, and which they
    are, -1 being none. The first is empty.
    """

    added: FloatArray
    waste: FloatArray
    moves: IntArray

    @classmethod
    def empty(cls, machines: int) -> "_Sets":
        return cls(
            np.zeros((_SETS, machines)), np.zeros(_SETS), np.zeros((_SETS, _MOVES), np.int64)
        )


class _Pairs(NamedTuple):
    """`seconds[i, m]` and `waste[i, m]` of a task of type i on machine m, as in `Regrouper`."""

    seconds: FloatArray
    waste: FloatArray


class _Lists(NamedTuple):
    """What a round lists: the machines chosen, the moves between them, and the sets of moves of the
    two halves; `limit[0]` is what a set may waste.
    """

    limit: FloatArray
    chosen: IntArray
    moves: _Moves
    sets: _Sets
    others: _Sets


class _Grid(NamedTuple):
    """Sets by the cell of what they add: the last one of each in the `table`, the others linked."""

    table: IntArray
    following: IntArray


class Regrouper:
    """A schedule of single machines under this search; `counts` and `loads` are its present state.

    `seconds[i, m]` (in makespans of the bound; infinity where impossible) and `waste[i, m]` (as a
    share of the bound) are by task type and machine, as is `counts[m, i]`. There are two machines
    at least.
    """

    def __init__(self, seconds: FloatArray, waste: FloatArray, counts: IntArray, seed: int) -> None:
        self.pairs = _Pairs(
            np.ascontiguousarray(np.where(np.isfinite(waste), seconds, 0.0)),
            np.ascontiguousarray(waste),
        )
        self.counts = np.array(counts, np.int64)
        self.random = random_state(seed)
        chosen = min(_MACHINES, len(counts))
        pairs = counts.shape[1] * chosen * (chosen - 1)
        task, giver, taker = np.zeros((3, pairs), np.int64)
        self.lists = _Lists(
            np.array([_FIRST_LIMIT]),
            np.zeros(chosen, np.int64),
            _Moves(task, giver, taker, np.zeros(pairs)),
            _Sets.empty(chosen),
            _Sets.empty(chosen),
        )
        self.rounds = 0
        self.failures = 0
        self.loads: FloatArray = np.zeros(len(counts))
        self.send_back(1.0)
        self.target = _FIRST_TARGET
        self.reached, self.reached_counts = float(self.loads.max()), self.counts.copy()
        self.base, self.base_counts = np.inf, self.counts

    def run(self, rounds: int, best: float) -> bool:
        """Go so many rounds; `best` is the makespan that is to be beaten. Whether the next ones
        would go on from another schedule, so that a better one may be brought in by `start_from`.
        """
        done, self.failures = _regroup(
            self.random,
            rounds,
            self.failures,
            float(self.target),
            self.pairs,
            self.counts,
            self.loads,
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
        """Go on from about what has been reached, or from the best if that is much better."""
        if self.reached <= self.base + _TOLERATED * (self.base - 1) or not np.isfinite(self.base):
            self.base, self.base_counts = self.reached, self.reached_counts
        if best < self.base - _TOLERATED * (self.base - 1):
            self.base, self.base_counts = best, best_counts
        self.counts[:] = self.base_counts
        self.send_back(_SENT_BACK[random_below(self.random, len(_SENT_BACK))])
        self.reached = np.inf
        self.target = self._next_target(best)

    def send_back(self, share: float) -> None:
        """Such a share of the tasks that waste anything go where they waste nothing, each to the
        machine with most room.
        """
        self._measure()
        _send_back(self.random, share, self.pairs, self.counts, self.loads)
        self._measure()

    def _next_target(self, beaten: float) -> float:
        return 1 + _ASKED * max(beaten - 1, 0.0)

    def _measure(self) -> None:
        """The loads afresh, free of accumulated rounding."""
        self.loads = np.einsum("mi,im->m", self.counts, self.pairs.seconds)


def load_kernels() -> None:
    """See `core.kernels`."""
    ones = np.ones((2, 2))
    search = Regrouper(ones, 1 - np.eye(2), np.array([[1, 1], [0, 0]]), 0)
    search.run(1, 2.0)
    search.start_from(2.0, search.counts)


@Kernel
def _send_back(random, share, pairs, counts, loads):
    seconds, waste = pairs
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
            # There may be no machine of the type where it would waste nothing.
            if home < 0:
                continue
            sent = counts[machine, task]
            counts[machine, task] -= sent
            counts[home, task] += sent
            loads[machine] -= sent * seconds[task, machine]
            loads[home] += sent * seconds[task, home]


@Kernel
def _regroup(random, rounds, failures, target, pairs, counts, loads, lists):
    """The rounds gone, until no machine ends after the target; and how many failed since the last
    success.
    """
    seconds, waste = pairs
    limit, chosen, moves, sets, others = lists
    dearest = max(2 * (target - 1), loads.max() - target)
    weight = _WASTE_WEIGHT * len(loads)
    room = np.zeros(len(chosen))
    half = np.zeros(counts.shape[1], np.int64)
    grid = _Grid(np.zeros(_TABLE, np.int64), np.zeros(_SETS, np.int64))
    for gone in range(rounds):
        if not _choose(random, loads, target, chosen):
            return gone, failures
        number = _list_moves(counts, waste, dearest, chosen, moves)
        order = np.argsort(moves.waste[:number])
        for task in range(len(half)):
            half[task] = random_below(random, 2)
        first = _list_sets(0, half, limit[0], order, seconds, chosen, moves, sets)
        second = _list_sets(1, half, limit[0], order, seconds, chosen, moves, others)
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
        left, a, b = _match(first, sets, second, others, room, weight, cell, grid)
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
    """A machine that ends after the target, and others; false if none does."""
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
def _list_moves(counts, waste, dearest, chosen, moves):
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
                    moves.waste[number] = waste[task, chosen[taker]] - waste[task, chosen[giver]]
                    number += 1
    return number


@Kernel
def _list_sets(side, half, limit, order, seconds, chosen, moves, sets):
    """All sets of moves of this half's task types that waste up to the limit, smaller sets first;
    as many as there is room for. `order` has the moves by their waste, the least first.
    """
    sets.added[0] = 0.0
    sets.waste[0] = 0.0
    sets.moves[0] = -1
    # Where in the order the last move of a set is.
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
                sets.added[number, giver] -= seconds[task, chosen[giver]]
                sets.added[number, taker] += seconds[task, chosen[taker]]
                sets.waste[number] = waste
                sets.moves[number, size] = move
                last[number] = place
                number += 1
        begin = end
    return number


@Kernel
def _match(first, sets, second, others, room, weight, cell, grid):
    """What is left at least, and of which two sets, one of the `first` of `sets` and one of the
    `second` of `others`; two empty ones are no match.

    Only pairs are seen that fill the room of the first machines to within about a cell.
    """
    table, following = grid
    hashed = min(len(room) - 1, _MOST_HASHED)
    mask = len(table) - 1
    table[:] = -1
    for b in range(second):
        spot = 0
        for k in range(hashed):
            spot ^= int(np.floor(others.added[b, k] / cell)) * _FACTORS[k]
        following[b] = table[spot & mask]
        table[spot & mask] = b
    least, best_a, best_b = np.inf, 0, 0
    corner = np.zeros(_MOST_HASHED, np.int64)
    for a in range(first):
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
