"""A day as it is lived: planned with what is known, cooled step by step, and perhaps planned anew.

When a step begins, it is known what came before, the temperature outside and inside, and what was
forecast by then. Jobs that have started stay; those that have not are free until they start. A plan
is made anew with them and with the room as it is, and the old plan for them is among those that are
chosen from: so where all is known from the beginning, what comes is no worse than the first plan.

How a step is cooled is decided when it begins, by the cheapest cooling of all steps from then on.
"""

from collections.abc import Callable
from dataclasses import astuple, dataclass, replace
from functools import partial
from typing import Final

import numpy as np

from core.capabilities.centre.bound import STOPPED, DayBound, DaySearch, NoSuchPlan
from core.capabilities.centre.centre import SPEEDS
from core.capabilities.centre.cooling import (
    COARSE,
    COMPRESSOR,
    TooHot,
    cheapest_cooling,
    cooling_watts,
)
from core.capabilities.centre.day import CentreDay, Curves, grouped
from core.capabilities.centre.moves import NoRoom
from core.capabilities.centre.objectives import CAPPED, DayCaps, DayWeights
from core.capabilities.centre.plan import DayPlan, executing, inside, measured, server_powers
from core.capabilities.centre.recover import FoundPlan, Recovery, by_step, judged
from core.capabilities.centre.rest import joined, later, rest_of
from core.capabilities.centre.rivals.thermostat import CooledRoom
from core.capabilities.centre.steps import StepCosts, step_costs
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray
from core.vocabulary.budget import Cancelled, never
from core.vocabulary.tolerances import SAME

HOTTER: Final = 3.0
"""Kelvins that later steps may be hotter outside than forecast: ours, about twice the mean error of
forecasts for the next day. The room is kept so cool that it can then be cooled, if it can be."""
_RAISED: Final = 1.001
"""Caps that cannot be kept are raised to a little more than the least."""
KnownCurves = Callable[[int], Curves]
"""The curves of the whole day, as known when a step begins."""


@dataclass(frozen=True, eq=False)
class LivingRule:
    """What is asked of a day, and when it is planned: when it begins; every so many steps, if
    `every` is not 0; and if jobs are `unannounced`, when some come, of which nothing is known
    before. The first plan is looked for `seconds`, and all later ones together as long.
    """

    weights: DayWeights
    caps: DayCaps
    every: int = 0
    unannounced: bool = False
    seconds: float = 0.0
    seed: int = 0
    good_enough: float = 0.0

    def moments(self, day: CentreDay) -> list[int]:
        """The steps at whose begin a plan is made."""
        found = {0, *(range(0, day.steps, self.every) if self.every else ())}
        return sorted(found | set(day.jobs.release.tolist() if self.unannounced else ()))


_WAYS: Final = np.concatenate(([0.0], SPEEDS, [0.0])), np.arange(len(SPEEDS) + 2) == COMPRESSOR
"""Speed of the fan and whether the compressor runs, for each way to cool."""


def lived(
    day: CentreDay,
    known: KnownCurves,
    rule: LivingRule,
    should_stop: Callable[[], bool] = never,
    *,
    sure: bool = False,
    followed: DayPlan | None = None,
) -> DayPlan:
    """The plan that comes of a day whose curves come as those of `day`, perhaps with a first plan
    that is `followed`. What is known of the temperature outside may be `sure`. Raises `NoSuchPlan`,
    `NoScheduleFound` or `Cancelled`.
    """
    moments = rule.moments(day)[followed is not None :]
    alive = _Alive(day, known, rule, 0.0 if sure else HOTTER, len(moments) - 1, should_stop)
    if followed is not None:
        alive.plan = followed
    for step in range(day.steps):
        if should_stop():
            raise Cancelled(STOPPED)
        alive.begin(step)
        if step in moments:
            alive.plan_anew()
        alive.cool()
    return alive.plan


class _Alive:
    """A day of which some steps have passed, with the plan that is in force."""

    def __init__(
        self,
        day: CentreDay,
        known: KnownCurves,
        rule: LivingRule,
        hotter: float,
        later_plans: int,
        should_stop: Callable[[], bool],
    ) -> None:
        self._came, self._known, self._rule, self._hotter = day, known, rule, hotter
        self._each_seconds = rule.seconds / max(later_plans, 1)
        self._should_stop = should_stop
        none, counts = np.zeros(0, np.int64), day.centre.counts
        awake = np.repeat(counts[:, None], day.steps, axis=1)
        off = np.zeros(day.steps), np.zeros(day.steps, bool)
        self.plan = DayPlan(none, none, none, awake, *off)
        self._inside, self._step, self._day = day.centre.first, 0, day
        self._costs: Callable[[CentreDay], StepCosts] = partial(
            step_costs, weights=rule.weights, caps=rule.caps
        )
        self._columns = none, none

    def begin(self, step: int) -> None:
        """A step begins: what was forecast by then is known, and it is measured how hot it is."""
        self._step, curves = step, self._known(step)
        outside = curves.outside.copy()
        outside[step] = self._came.curves.outside[step]
        self._day = replace(self._came, curves=replace(curves, outside=outside))

    def plan_anew(self) -> None:
        """Plan what is left of the jobs that are known."""
        step, jobs, plan = self._step, self._came.jobs, self.plan
        gone = plan.start < step
        done = np.bincount(plan.group[gone], plan.count[gone], len(jobs)).astype(np.int64)
        known = jobs.release <= (step if self._rule.unannounced else self._came.steps)
        left = np.where(known, jobs.count - done, 0)
        group = np.flatnonzero(left)
        if step and not len(group):
            return
        so_far, peak = self._so_far()
        day = rest_of(self._day, plan, step, left, self._inside, peak)
        kept = self._kept(group, left)
        try:
            found = self._found(day, self._caps_left(known, so_far), kept, group)
        except (NoSuchPlan, NoRoom, TooHot):
            if kept is None:
                raise
            return
        self.plan = joined(plan, step, group, found.plan)

    def cool(self) -> None:
        """Decide how this step is cooled, and let the room follow what comes."""
        step, came, plan = self._step, self._came, self.plan
        busy = executing(came, plan.group, plan.start, plan.count)
        servers = server_powers(came, busy, plan.awake).sum(axis=0)[step:]
        day = replace(
            self._day,
            centre=replace(came.centre, first=min(self._inside, came.centre.limit)),
            jobs=grouped([]),
            curves=later(self._day.curves, step),
        )
        speed, compressor = self._cooling(day, servers)
        wished = COMPRESSOR if compressor[0] else int(np.abs(_WAYS[0][:-1] - speed[0]).argmin())
        way, self._inside = self._safe(day, servers, wished)
        speed[0], compressor[0] = _WAYS[0][way], _WAYS[1][way]
        self.plan = replace(
            plan,
            speed=np.append(plan.speed[:step], speed),
            compressor=np.append(plan.compressor[:step], compressor),
        )

    def _found(
        self, day: CentreDay, caps: DayCaps, kept: DayPlan | None, group: IntArray
    ) -> FoundPlan:
        """The best of: the plan that was; it, improved; and a new one."""
        rule, search = self._rule, DaySearch(day)
        self._tell(search, group)
        bound, caps = _bound(search, rule.weights, caps, self._should_stop)
        self._columns = group[bound.group], bound.start + self._step
        seconds = self._each_seconds if self._step else rule.seconds
        wishes = [None] if kept is None else [np.repeat(kept.start, kept.count), None]
        plans = []
        if kept is not None and _keeps(day, kept):
            plans.append(judged(day, kept, rule.weights, caps, bound))
        for wanted in wishes:
            recovery = Recovery(day, bound, rule.weights, caps, rule.seed, wanted)
            share = seconds / len(wishes)
            plans.append(recovery.search(share, rule.good_enough, self._should_stop))
            self._costs = recovery.costs
        return min(plans, key=lambda one: (one.beyond, one.value))

    def _tell(self, search: DaySearch, group: IntArray) -> None:
        """Let a search know the starts that were of use before."""
        place = np.full(len(self._came.jobs), -1)
        place[group] = np.arange(len(group))
        known, start = place[self._columns[0]], self._columns[1] - self._step
        there = (known >= 0) & (start >= 0)
        search.knows(known[there], start[there])

    def _kept(self, group: IntArray, left: IntArray) -> DayPlan | None:
        """What the plan has from this step on; None if it does not have all jobs."""
        plan, step = self.plan, self._step
        ahead = np.flatnonzero(plan.start >= step)
        has = np.bincount(plan.group[ahead], plan.count[ahead], len(left))
        if not step or (has != left).any():
            return None
        ahead = ahead[np.lexsort((plan.start[ahead], plan.group[ahead]))]
        return DayPlan(
            np.searchsorted(group, plan.group[ahead]),
            plan.start[ahead] - step,
            plan.count[ahead],
            plan.awake[:, step:],
            plan.speed[step:],
            plan.compressor[step:],
        )

    def _so_far(self) -> tuple[FloatArray, float]:
        """What was counted of each of `CAPPED` before this step, and the highest grid power, of
        which no cap has less left.
        """
        came, plan, step = self._came, self.plan, self._step
        found = np.zeros(len(CAPPED))
        if not step:
            return found, 0.0
        measures = measured(came, plan)
        sums = [float(row[:step].sum()) for row in by_step(came, measures).values()]
        gone = plan.start < step
        late = came.jobs.lateness(plan.group, plan.start)
        found[: len(sums) + 1] = [*sums, float(plan.count[gone] @ late[gone])]
        return found, float(measures.grid[:step].max())

    def _caps_left(self, known: BoolArray, so_far: FloatArray) -> DayCaps:
        """What is left of each cap; lateness is a share of the time that known jobs run."""
        jobs, caps = self._came.jobs, self._rule.caps
        if self._rule.unannounced and np.isfinite(caps.lateness):
            share = float(jobs.count[known] @ jobs.length[known]) / jobs.execution_steps
            caps = replace(caps, lateness=caps.lateness * share)
        return DayCaps(*(np.array(astuple(caps)) - so_far).tolist())

    def _cooling(self, day: CentreDay, servers: FloatArray) -> tuple[FloatArray, BoolArray]:
        """How to cool from this step on: the cheapest that is found anew, or that which was planned
        if it keeps the room as it must and costs no more.
        """
        step, plan = self._step, self.plan
        planned = plan.speed[step:].copy(), plan.compressor[step:].copy()
        costs = self._costs(day)
        try:
            ways = costs.of(servers[:, None] + cooling_watts(day))
            anew = cheapest_cooling(day, servers, ways, COARSE)
        except TooHot:
            return planned
        watts = day.centre.cooling.compressor_watts

        def cost(speed: FloatArray, compressor: BoolArray) -> float:
            drawn = day.centre.cooling.fan_power(speed) + watts * compressor
            return float(costs.of(servers + drawn).sum())

        if not _is_cool(day, servers, *planned) or cost(*anew) < cost(*planned):
            return anew
        return planned

    def _safe(self, day: CentreDay, servers: FloatArray, way: int) -> tuple[int, float]:
        """A way to cool a step, and the temperature after it: as wished if the limit can then be
        held though it becomes hotter than forecast, or else what draws least of all such, or what
        cools most.
        """
        outside = day.curves.outside + np.append(0.0, np.full(day.steps - 1, self._hotter))
        hot = replace(day, curves=replace(day.curves, outside=outside))
        room = CooledRoom(hot, servers, *_WAYS)
        after = room.later(0, self._inside)
        allowed = after >= day.centre.coolest - SAME
        allowed[0] = True
        bears = allowed & (after <= room.bearable[1] + SAME)
        if not bears[way]:
            watts = np.where(bears, cooling_watts(day), np.inf)
            way = int(watts.argmin() if bears.any() else np.where(allowed, after, np.inf).argmin())
        return way, float(after[way])


def _bound(
    search: DaySearch, weights: DayWeights, caps: DayCaps, should_stop: Callable[[], bool]
) -> tuple[DayBound, DayCaps]:
    """The bound, and the caps that are kept: those that no plan keeps any more are raised by what
    is missing. Raises `NoSuchPlan` if more than that is missing.
    """
    try:
        return search.bound(weights, caps, should_stop), caps
    except NoSuchPlan as none:
        if not set(none.missing) <= {*CAPPED}:
            raise
        raised = {
            name: getattr(caps, name) + value * _RAISED + _RAISED - 1
            for name, value in none.missing.items()
        }
        caps = replace(caps, **raised)
    return search.bound(weights, caps, should_stop), caps


def _keeps(day: CentreDay, plan: DayPlan) -> bool:
    """Whether a plan of the rest of a day keeps the room as it must."""
    busy = executing(day, plan.group, plan.start, plan.count)
    servers = server_powers(day, busy, plan.awake).sum(axis=0)
    return _is_cool(day, servers, plan.speed, plan.compressor)


def _is_cool(day: CentreDay, servers: FloatArray, speed: FloatArray, compressor: BoolArray) -> bool:
    none = np.zeros(0, np.int64)
    plan = DayPlan(none, none, none, np.zeros((0, day.steps), np.int64), speed, compressor)
    after = inside(day, servers, plan, day.curves)[1:]
    cools = (speed > 0) | compressor
    limit, least = day.centre.limit + SAME, day.centre.coolest - SAME
    return bool((after <= limit).all() and (after[cools] >= least).all())
