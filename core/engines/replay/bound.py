"""What no policy could have earned more than, not even one that knows all that comes.

Prices for a unit of each pool, in slots of the horizon, and for a joule of each window prove it: a
schedule that keeps to pools and windows earns at most what these are worth at the prices, plus for
each job its largest surplus of worth over cost, at any start of any option. That holds for all
prices of at least 0. The best prices minimise the sum, which is convex. No schedule earns more than
all jobs at their best, either. This holds for runs without a break; where stopped jobs keep what
they have done, it is what they buy that differs (`core.engines.replay.buying`).
"""

import math
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from operator import itemgetter
from typing import Final

import numpy as np

from core.engines.replay.dual import Spent, proven_surplus, smooth_surplus
from core.engines.replay.dual_in_pieces import PiecesDual
from core.engines.replay.energy import EnergyWindows
from core.engines.replay.priced import PricedSlots
from core.engines.replay.starts import all_starts
from core.engines.replay.workload import Truth, Workload
from core.vocabulary.arrays import FloatArray
from core.vocabulary.budget import Budget
from core.vocabulary.tolerances import SUM_ROUNDING

SLOTS: Final = 48
"""Slots of a horizon: half hours of a day. Twice as many prove 0.1 % less of a published day, and
take twice as long.
"""
_COARSE: Final = 12
"""Slots of the prices from which the search for others begins."""
_WARM: Final = (0.3, 0.1, 0.03, 0.01)
_COLD: Final = (0.01, 0.003, 0.001, 0.0003, 0.0001, 0.00003, 0.00001, 0.000003)
"""Temperatures of the smoothing, in shares of the mean worth of a job: each begins where the last
ended, first with coarse slots, then with all.
"""
_SMOOTH: Final = 1e-3
"""A search for prices alone ends when smoothing adds no more than this share to the bound ..."""
_SMOOTH_BOUND: Final = 0.00001
"""... and one for the bound, at this share."""
_COARSE_SHARE: Final = 0.4
"""The share of the time that coarse slots take, of a published day."""
_STEPS: Final = 60
_UNPAYABLE: Final = 10_000.0
"""So many jobs of mean worth pay for as much energy as a mean job takes, where there is none."""
_EXACT_STEPS: Final = 1024
"""Multiples of one part in so many are added up without rounding ..."""
_EXACT_UP_TO: Final = 2.0**53
"""... below so many of these parts: floats hold all whole numbers up to here."""
_PARTS: Final = 8
"""Jobs are added up in so many parts, however many threads there are, so the sum is the same."""


def _part_of(
    report: Callable[[float], None] | None, begin: float, end: float
) -> Callable[[float], None]:
    """Tells the share of a part, which is from `begin` to `end` of the whole."""
    return lambda share: None if report is None else report(begin + share * (end - begin))


@dataclass(frozen=True)
class WorthBound:
    """`value`: what no schedule earns more than within the horizon, whoever makes it.

    The prices prove it: `pools[p, r, s]` for a second of a unit of pool p (r is 0), or of 1 of its
    further resource r - 1, from `edges[s]` to `edges[s + 1]` (s), and `joule[w]` for a joule of
    window w. Where they prove no more than all jobs at their best are worth, the value is that sum.
    """

    value: float
    edges: FloatArray
    pools: FloatArray
    joule: FloatArray


def bound(
    workload: Workload,
    truth: Truth | None = None,
    windows: EnergyWindows | None = None,
    budget: Budget | None = None,
    slots: int = SLOTS,
    report: Callable[[float], None] | None = None,
    checkpoints: float | None = None,
) -> WorthBound:
    """An upper bound on the worth of every schedule of a workload, `truth` known beforehand.

    Jobs run from their arrival on, and begin before the horizon ends; each counts with the share of
    its run that lies within the horizon. A job that draws more than estimated counts as estimated:
    no clock that keeps to a budget by estimates would have kept it away. More slots prove more, and
    take longer. `report` is told about which share is done, at most.

    Without `checkpoints`, jobs run as a whole. Otherwise they may be stopped as often as one likes,
    and go on later in the same pool from their last checkpoint, of which there is one every so many
    seconds of their own time: 0 keeps all, infinity nothing. What is lost does not count as run.
    Where no job may be stopped that has a checkpoint before its end, only runs as a whole count:
    the bound is that without `checkpoints`, which at the best prices is at most as high.
    """
    if checkpoints is not None and not checkpoints >= 0.0:
        raise ValueError(f"checkpoints are 0 s or more apart, not {checkpoints} s")
    truth = truth or Truth.as_estimated(len(workload.jobs))
    windows = windows or EnergyWindows.without_limit(workload.horizon)
    budget = budget or Budget()
    x = None
    is_free = _waiting_is_free(workload, windows)
    slots = 1 if is_free else slots
    if not is_free and _keeps_some(checkpoints, workload, truth):
        pieces = PiecesDual(workload, truth, windows, slots, budget)
        value, x = pieces.solve(_part_of(report, 0.0, 1.0))
        value = min(value, _worth_at_best(workload))
        return WorthBound(value, pieces.priced_edges, *pieces.prices(x))
    if slots > _COARSE:
        coarse = WorthDual(workload, truth, windows, _COARSE, budget)
        _, x = coarse.solve(_WARM, report=_part_of(report, 0.0, _COARSE_SHARE))
        prices = coarse.prices(x), coarse.priced_edges
    dual = WorthDual(workload, truth, windows, slots, budget)
    if x is not None:
        x = dual.variables(*prices)
    temperatures = () if is_free else _COLD if x is not None else _WARM + _COLD
    begun = 0.0 if x is None else _COARSE_SHARE
    value, x = dual.solve(temperatures, x, _SMOOTH_BOUND, _part_of(report, begun, 1.0))
    value = min(value, _worth_at_best(workload))
    return WorthBound(value, dual.priced_edges, *dual.prices(x))


def _keeps_some(checkpoints: float | None, workload: Workload, truth: Truth) -> bool:
    """Whether a job that may be stopped can have made any progress at a checkpoint before its end.
    If none can, the last run of each job is all that counts of it, and that is without a break.
    """
    job, rights = workload.options.job, workload.jobs.rights
    if checkpoints is None or rights is None:
        return False
    seconds = workload.options.seconds * truth.time[job]
    return checkpoints < float(seconds[rights.stoppable[job]].max(initial=0.0))


def _waiting_is_free(workload: Workload, windows: EnergyWindows) -> bool:
    """Whether each job can be worth all that it ever could, however long it waits. Then no price
    proves less than none.
    """
    ends = [(pieces[0], pieces[-1]) for pieces in workload.curves.pieces]
    never_falls = all(last.high == first.high and last.decay == 0.0 for first, last in ends)
    unlimited = math.isinf(workload.horizon.end) and bool(np.isinf(windows.joules).all())
    return never_falls and unlimited


def _worth_at_best(workload: Workload) -> float:
    """What all jobs are worth together if each is worth the most that it ever could; infinite if
    this sum cannot be told without rounding.
    """
    curve, priority = workload.jobs.curve, workload.jobs.priority
    highest = np.array([max(piece.high for piece in one) for one in workload.curves.pieces])
    extra = workload.options.added
    most = np.maximum.reduceat(extra, workload.options.first[:-1]) if len(extra) else extra
    steps = (priority * highest[curve] + np.where(highest[curve] > 0.0, most, 0.0)) * _EXACT_STEPS
    total = float(steps.sum())
    exact = total < _EXACT_UP_TO and bool((steps == np.floor(steps)).all())
    return total / _EXACT_STEPS if exact else math.inf


class WorthDual(PricedSlots):
    """The sum that prices minimise, for one workload."""

    def __init__(
        self,
        workload: Workload,
        truth: Truth,
        windows: EnergyWindows,
        slots: int,
        budget: Budget,
    ) -> None:
        super().__init__(workload, truth, windows, slots, budget)
        self.starts = all_starts(self.demand)
        ends = np.linspace(0, len(workload.jobs), _PARTS + 1).astype(np.int64).tolist()
        self.parts = list(pairwise(ends))
        self.worth = float(self.demand.priority.mean()) if len(workload.jobs) else 0.0

    def solve(
        self,
        temperatures: Sequence[float],
        x: FloatArray | None = None,
        smooth: float = _SMOOTH,
        report: Callable[[float], None] = lambda _: None,
    ) -> tuple[float, FloatArray]:
        """The least bound that descent finds, from these variables on, and what it has there. It
        ends when smoothing adds no more than the share `smooth`. `report` is told which share of
        the steps is done, after each.
        """
        from scipy.optimize import minimize  # only who asks waits for SciPy

        least = np.zeros(len(self.held))
        least[self.amounts.size :][self.joules == 0.0] = _UNPAYABLE * self.worth
        x = least if x is None else np.maximum(x, least)
        best = self.exact(x), x
        steps = 0

        def step(_: FloatArray) -> None:
            nonlocal steps
            steps += 1
            report(steps / (_STEPS * len(temperatures)))

        for number, temperature in enumerate(temperatures if self.worth else ()):
            steps = number * _STEPS
            found = minimize(
                self.smoothed,
                x,
                (temperature * self.worth,),
                "L-BFGS-B",
                jac=True,
                bounds=[(low, low or None) for low in least],
                callback=step,
                options={"maxiter": _STEPS, "maxcor": 20, "maxls": 40},
            )
            x = found.x
            value = self.exact(x)
            best = min(best, (value, x), key=itemgetter(0))
            if found.fun - value <= smooth * value:
                break
        return best

    def exact(self, x: FloatArray) -> float:
        """The sum at some variables, rounded up. Energy that rounding lets a clock spend is in it,
        too.
        """
        spent = self._spent(*self.prices(x))

        def surplus(part: int) -> float:
            return float(proven_surplus(self.demand, spent, self.parts[part]))

        total = float(self.held @ x) + math.fsum(self._each_part(surplus))
        return total * (1.0 + SUM_ROUNDING * (len(self.demand.arrival) + len(x)))

    def smoothed(self, x: FloatArray, temperature: float) -> tuple[float, FloatArray]:
        """The smoothed sum at some variables, and its gradient."""
        spent = self._spent(*self.prices(x))
        uses = [(np.zeros_like(spent.pools), np.zeros_like(spent.watt)) for _ in self.parts]

        def surplus(part: int) -> float:
            given = self.demand, self.starts, spent
            return float(smooth_surplus(*given, temperature, self.parts[part], uses[part]))

        total = math.fsum(self._each_part(surplus))
        used = self._used(
            np.sum([pools for pools, _ in uses], axis=0), np.sum([watt for _, watt in uses], axis=0)
        )
        return total + float(self.held @ x), self.held + used

    def _each_part(self, function: Callable[[int], float]) -> list[float]:
        self.budget.check("bounding the worth")
        parts = range(len(self.parts))
        if self.budget.threads == 1:
            return list(map(function, parts))
        with ThreadPoolExecutor(self.budget.threads) as pool:
            return list(pool.map(function, parts))

    def _spent(self, pools: FloatArray, joule: FloatArray) -> Spent:
        lengths = np.append(np.diff(self.edges), 1.0)
        steps = np.zeros((*pools.shape[:2], len(lengths)))
        steps[:, :, :-1][:, :, self.priced] = pools
        watt = np.where(self.window >= 0, joule[np.maximum(self.window, 0)], 0.0)
        paid = np.cumsum(steps * lengths, axis=2), np.cumsum(watt * lengths)
        return Spent(np.pad(paid[0], ((0, 0), (0, 0), (1, 0))), np.pad(paid[1], (1, 0)))

    def _used(self, pools: FloatArray, watt: FloatArray) -> FloatArray:
        """The derivative by the variables, from that by what is spent until each edge: the price of
        a slot is in what is spent until any later edge.
        """
        lengths = np.append(np.diff(self.edges), 1.0)

        def after(spent: FloatArray) -> FloatArray:
            later = np.cumsum(spent[..., :0:-1], axis=-1)[..., ::-1]
            return np.asarray(later * lengths)

        joules = np.zeros(len(self.windows.joules))
        within = self.window >= 0
        np.add.at(joules, self.window[within], after(watt)[within])
        seconds = after(pools)[:, :, :-1][:, :, self.priced] / self.amounts
        return np.concatenate([seconds.ravel(), joules[self.limited] / self.scale])
