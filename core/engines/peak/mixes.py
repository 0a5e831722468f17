"""A lower bound on the makespan of all schedules that never draw more than a cap.

At any moment a schedule is in a *state*: `x_ij` machines of type j run tasks of type i. With `r_j`
watts of a machine without work (the least that it ever draws when it runs nothing), a state keeps
the cap if

    sum_j M_j r_j + sum_ij x_ij (APC_ij - r_j) <= cap,
    sum_i x_ij <= M_j,   sum_j x_ij <= T_i,   x whole.

A schedule is a mix of such states: it is in state c for `s_c` seconds, in which each `x_ij` of it
does `s_c / ETC_ij` tasks of type i. So the least `sum_c s_c` with which the states do all tasks is
a lower bound, whatever the order of states, and however many tasks there are.

For any prices `u_i >= 0` of tasks, let V be the most that a state earns a second, `sum_ij x_ij u_i
/ ETC_ij`. All schedules must earn `sum_i u_i T_i`, so they take at least `sum_i u_i T_i / V`
seconds. Prices are found by column generation: the mix of the states known so far gives prices, and
for these a knapsack finds what no state earns more than. It begins with the prices of divisible
machines, where V has a bound of its own, from a price `v` of a watt:

    V <= v (cap - sum_j M_j r_j) + sum_j M_j max(0, max_i u_i / ETC_ij - v (APC_ij - r_j)).
"""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.engines.lp.program import PRIMAL, Program, SolverFailed
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray
from core.vocabulary.system import NoPowerData, System
from core.vocabulary.tolerances import SAME, SOLVER, SUM_ROUNDING, WHOLE

# The most states that are priced, and the share of the bound that is not worth another one.
MOST_STATES: Final = 40
ENOUGH: Final = 5e-4
# The cells of the grid of watts, and for all machines together; and the most machines at once for
# which states are priced: of more, one machine more or less hardly matters. Tried on six, nine, ten
# and testbed: with 4 at once the bound rises by up to 20 %, with 5 of nine types by nothing.
CELLS: Final = (500, 4_000)
ALL_CELLS: Final = 40_000
MOST_MACHINES: Final = 16
# The next prices are this share of the best ones so far and the rest of the new duals.
MIXED: Final = (0.5, 0.0)


@dataclass(frozen=True, eq=False)
class Cap:
    """What a cap (W) on the power at every moment leaves for work.

    `more[i, j]` are the watts that a task adds to those of a machine without work (infinity where
    it cannot run), and `spare` are those left when no machine has work.
    """

    system: System
    watts: float
    more: FloatArray
    spare: float

    @classmethod
    def of(cls, system: System, watts: float) -> "Cap":
        if system.apc is None:
            raise NoPowerData
        more = np.where(system.can_run, system.apc - system.idle_power, np.inf)
        allowed = watts + SUM_ROUNDING * max(abs(watts), system.total_idle_power)
        return cls(system, watts, more, allowed - system.total_idle_power)

    @property
    def least_around(self) -> FloatArray:
        """The least watts that a task on each pair (infinity where it cannot run) and all other
        machines add to those of machines without work: these may run what draws less.
        """
        saving = self.more.min(axis=0, initial=0.0)
        around: FloatArray = self.more - saving + float(saving @ self.system.machine_counts)
        return around

    @property
    def lonely(self) -> FloatArray:
        """The least watts at which a task of each type can run at all (infinity if nowhere)."""
        least: FloatArray = self.least_around.min(axis=1, initial=np.inf)
        return least + self.system.total_idle_power

    @property
    def open(self) -> BoolArray:
        """The pairs that can run at some moment."""
        possible: BoolArray = self.least_around <= self.spare
        return possible


@dataclass(frozen=True, eq=False)
class Mix:
    """`bound` is a lower bound on the makespan (s). State c of the best mix known lasts
    `seconds[c]`, and runs tasks of type i on `states[c, i, j]` machines of type j.
    """

    bound: float
    seconds: FloatArray
    states: IntArray | FloatArray

    @property
    def work(self) -> FloatArray:
        """Machine-seconds of each pair."""
        return np.asarray(np.einsum("c,cij->ij", self.seconds, self.states))


def best_mix(cap: Cap, most: int = MOST_STATES) -> Mix:
    """The least time in which states do all tasks, priced `most` times at most. Each task type must
    be able to run under the cap.
    """
    mixing = _Mixing(cap)
    mix, start = mixing.divisible()
    pricing = _Pricing(mixing)
    if pricing.too_large:
        return mix
    mixing.add(pricing.state(start).found)
    for task in range(len(start)):
        mixing.add(mixing.alone(task))
    bound, best, known = mix.bound, mix, start
    for _ in range(most):
        try:
            best, duals = mixing.solve()
        except SolverFailed:
            break  # what is proven so far stays proven
        for share in MIXED:
            prices = share * known + (1 - share) * duals
            state = pricing.state(prices)
            proven = mixing.proven(prices, state.earns)
            if proven > bound:
                bound, known = proven, prices
            if added := mixing.add(state.found):
                break
        if not added or best.seconds.sum() <= bound * (1 + ENOUGH):
            break
    if mix.bound >= bound * (1 - ENOUGH):
        return Mix(bound, mix.seconds, mix.states)  # parts of machines say as much
    return Mix(bound, best.seconds, best.states)


@dataclass(frozen=True, eq=False)
class _DearestState:
    """A state, and what no state earns more than in a second."""

    found: IntArray
    earns: float


class _Mixing:
    """The program of states: rates are shares of a task type done in `unit` seconds."""

    def __init__(self, cap: Cap) -> None:
        system = self.system = cap.system
        self.cap = cap
        self.kept = np.flatnonzero(system.task_counts > 0)
        self.counts = system.task_counts[self.kept].astype(float)
        self.task, self.machine = np.nonzero(cap.open[self.kept])
        etc = system.etc[self.kept][self.task, self.machine]
        self.more = cap.more[self.kept][self.task, self.machine]
        self.rates = 1 / (etc * self.counts[self.task])
        fastest = np.zeros(len(self.counts))
        np.maximum.at(fastest, self.task, self.rates)
        self.unit = float((1 / fastest).sum())
        self.rates = self.rates * self.unit
        self.program = Program(simplex_strategy=PRIMAL)
        self.done = self.program.add_rows(np.ones(len(self.counts)), np.inf)
        self.program.add_columns([(self.done[None, :], 1.0)], 1e3)  # until the states do all
        self.states: list[IntArray] = []
        self.known: set[bytes] = set()

    def divisible(self) -> tuple[Mix, FloatArray]:
        """The mix of parts of machines, and its prices."""
        system, cap = self.system, self.cap
        scale = max(float(np.abs(self.more).max()), SAME)
        program = Program(primal_feasibility_tolerance=SOLVER, dual_feasibility_tolerance=SOLVER)
        done = program.add_rows(np.ones(len(self.counts)), np.inf)
        busy = program.add_rows(-np.inf, np.zeros(len(system.machine_types)))
        drawn = program.add_rows(-np.inf, np.zeros(1))
        cells = program.add_columns(
            [
                (done[self.task], self.rates),
                (busy[self.machine], 1.0),
                (drawn[np.zeros_like(self.task)], self.more / scale),
            ]
        )
        time = program.add_columns(
            [(busy[None, :], -system.machine_counts), (drawn[None, :], -cap.spare / scale)], 1.0
        )
        solution = program.minimise(("on", "off"))
        prices = np.maximum(solution.duals[done], 0.0)
        watt = max(-float(solution.duals[drawn][0]), 0.0) / scale
        earned = prices[self.task] * self.rates
        best = np.zeros(len(system.machine_types))
        np.maximum.at(best, self.machine, earned - watt * self.more)
        most = watt * cap.spare + float(best @ system.machine_counts)
        seconds = float(solution.values[time][0])
        state = np.zeros((1, *system.etc.shape))
        if seconds > 0:
            amounts = solution.values[cells] / seconds
            state[0, self.kept[self.task], self.machine] = amounts
        lasting = np.array([seconds * self.unit])
        return Mix(self.proven(prices, most), lasting, state), prices

    def proven(self, prices: FloatArray, earns: float) -> float:
        """The seconds that prices prove, where no state earns more than so much a second."""
        if not earns > 0:
            return 0.0
        return float(prices.sum()) / earns * self.unit * (1 - SUM_ROUNDING)

    def add(self, state: IntArray) -> bool:
        """Add a state; False if it is there already."""
        key = state.tobytes()
        if key in self.known or not state.any():
            return False
        self.known.add(key)
        self.states.append(state)
        rates = np.bincount(self.task, state * self.rates, len(self.counts))
        self.program.add_columns([(self.done[None, :], rates[None, :])], 1.0)
        return True

    def alone(self, task: int) -> IntArray:
        """A state that runs tasks of one type on its fastest pair under the cap."""
        pairs = np.flatnonzero(self.task == task)
        room = np.full(len(pairs), np.inf)
        more = self.more[pairs]
        np.divide(max(self.cap.spare, 0.0), more, out=room, where=more > 0)
        most = np.minimum(self.system.machine_counts[self.machine[pairs]], self.counts[task])
        machines = np.maximum(np.minimum(np.floor(room), most), 1.0)
        best = int((machines * self.rates[pairs]).argmax())
        state = np.zeros(len(self.task), np.int64)
        state[pairs[best]] = machines[best]
        return state

    def solve(self) -> tuple[Mix, FloatArray]:
        """The best mix of the states known, and the prices of tasks."""
        solution = self.program.minimise(("off", "on"))
        seconds = solution.values[1:] * self.unit
        used = np.flatnonzero(seconds > SAME * self.unit)
        states = np.zeros((len(used), *self.system.etc.shape), np.int64)
        for place, state in enumerate(used.tolist()):
            states[place, self.kept[self.task], self.machine] = self.states[state]
        if solution.values[0] > WHOLE:
            raise SolverFailed("the states known do not do all tasks")
        prices = np.maximum(solution.duals[self.done], 0.0)
        return Mix(0.0, seconds[used], states), prices


class _Pricing:
    """A knapsack of watts: the state that earns most, machine after machine, on a grid of watts.

    Watts are rounded down to the grid, so it never earns too little; how many tasks there are of a
    type is left out, which may only raise it. Of machines that draw less with some task than
    without, those watts count as capacity, which a machine without that task uses up.
    """

    def __init__(self, mixing: _Mixing) -> None:
        self.mixing, system, cap = mixing, mixing.system, mixing.cap
        types = len(system.machine_types)
        saving = np.zeros(types)
        np.minimum.at(saving, mixing.machine, mixing.more)
        capacity = cap.spare - float(saving @ system.machine_counts)
        least = float((mixing.more - saving[mixing.machine]).min())
        at_once = capacity / least if least > SAME else np.inf
        self.at_once = machines = max(min(at_once, float(system.machines)), 1.0)
        cell = max(capacity / float(np.clip(ALL_CELLS / machines, *CELLS)), SAME)
        self.width = math.floor(capacity / cell * (1 + SUM_ROUNDING))
        below = 1 - SUM_ROUNDING
        self.cells = np.floor((mixing.more - saving[mixing.machine]) / cell * below).astype(int)
        self.resting = np.floor(-saving / cell * below).astype(int)
        self.machines = np.zeros(types, np.int64)
        for kind in range(types):
            cells = self.cells[mixing.machine == kind].min(initial=self.width + 1)
            most = np.inf if self.resting[kind] or not cells else self.width // cells + 1
            self.machines[kind] = min(system.machine_counts[kind], most)

    @property
    def too_large(self) -> bool:
        """Whether so many machines may run at once that whole ones hardly matter."""
        return self.at_once > MOST_MACHINES

    def state(self, prices: FloatArray) -> _DearestState:
        """The state that earns most a second at these prices of task types."""
        earned = prices[self.mixing.task] * self.mixing.rates
        best = np.zeros(self.width + 1)
        steps: list[tuple[IntArray, IntArray, IntArray]] = []
        for kind, machines in enumerate(self.machines.tolist()):
            options, cells = self.options(kind, earned)
            for _ in range(machines):
                tried = np.full((len(cells), self.width + 1), -np.inf)
                for row, (option, wide) in enumerate(zip(options, cells.tolist(), strict=True)):
                    gain = 0.0 if option < 0 else earned[option]
                    tried[row, wide:] = best[: self.width + 1 - wide] + gain
                chosen = tried.argmax(axis=0)
                best = np.take_along_axis(tried, chosen[None, :], axis=0)[0]
                steps.append((options, cells, chosen))
        state, room = np.zeros(len(earned), np.int64), self.width
        for options, cells, chosen in reversed(steps):
            row = chosen[room]
            room -= int(cells[row])
            if options[row] >= 0:
                state[options[row]] += 1
        return _DearestState(state, float(best[-1]) * (1 + SUM_ROUNDING))

    def options(self, kind: int, earned: FloatArray) -> tuple[IntArray, IntArray]:
        """What a machine of this type may do, and the cells that it takes: a pair, or -1 for
        nothing. Pairs that take more and earn less than another are left out.
        """
        pairs = np.flatnonzero((self.mixing.machine == kind) & (self.cells <= self.width))
        options = np.append(-1, pairs)
        cells = np.append(self.resting[kind], self.cells[pairs])
        gains = np.append(0.0, earned[pairs])
        order = np.lexsort((-gains, cells))
        before = np.maximum.accumulate(np.append(-1.0, gains[order]))[:-1]
        order = order[gains[order] > before]
        return options[order], cells[order]
