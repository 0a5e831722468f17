"""Our policy: due dates, backlog and crowding are polished at each release, with the replay as the
judge.

What is left of the known bags is replayed with many settings, and the one with the least worst
stretch is followed until the next release. The search begins near the stretch that is proven for
what is left, and ends when a replay meets it.
"""

import math
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from core.capabilities.fair_shares.epochs import LEAST_STRETCH
from core.capabilities.fair_shares.optimum import least_stretch
from core.capabilities.fair_shares.tasks.events import run_tasks
from core.capabilities.fair_shares.tasks.machine_work import MachineWork
from core.capabilities.fair_shares.tasks.planners import least_remaining, what_remains
from core.capabilities.fair_shares.tasks.running import OpenTasks, copied, no_plan
from core.capabilities.fair_shares.tasks.state import TaskPlan
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray
from core.vocabulary.budget import Budget, Effort
from core.vocabulary.tolerances import METHODS_AGREE

_STRETCHES: Final = (0.8, 0.9, 1.0, 1.05, 1.1, 1.2, 1.35)
_BACKLOGS: Final = (0.0, 0.25, 0.5, 1.0, 2.0, 4.0, math.inf)
_CROWDINGS: Final = (0.6, 0.8, 1.0, 1.3, math.inf)
_FIRST: Final = (1.05, 1.0, 1.0)
"""Stretch (times what is proven), backlog and crowding that are tried first."""
_MEAN_WEIGHT: Final = 0.02
"""How much the mean stretch counts: of two settings with nearly the same worst stretch, the one
with the smaller mean is better: it leaves more room for bags that arrive later.
"""
_MOST_BACKLOG: Final = 8.0
_MOST_CROWDING: Final = 2.0
_KEEPING: Final = 0.1
"""The share of moves that keep machines for bags to come, while there are any."""
_A_UNIT: Final = 15_000_000
"""Events of a replay times machines, in a unit of work; a replay takes as long as `_A_REPLAY` of
them before its first event.
"""
_A_REPLAY: Final = 2_000


@dataclass(frozen=True, eq=False)
class DispatchSettings:
    """Bags are due at their release plus `stretch` ideal durations, times their own `haste`. A
    machine where tasks wait for more than `backlog` ideal durations (their mean over known bags) is
    sent nothing. Links begin to send while busy ones can carry less than `crowding` times the
    bandwidth. A bag gets no machine that is `barred` for it. A machine is `kept` for a bag to come:
    before its release, it gets no task that is done later than so many seconds after the first one.
    """

    stretch: float
    backlog: float
    crowding: float
    haste: FloatArray
    barred: BoolArray
    kept: FloatArray

    def due(self, work: MachineWork) -> FloatArray:
        """Seconds after the first release at which bags are due."""
        due: FloatArray = work.release + self.stretch * self.haste * work.ideal
        return due

    def plan(self, work: MachineWork, known: IntArray) -> TaskPlan:
        due = self.due(work)
        return no_plan(work)._replace(
            due=due,
            order=np.argsort(due, kind="stable"),
            barred=self.barred,
            kept=self.kept,
            backlog=self.backlog * float(work.ideal[known].mean()),
            crowding=self.crowding,
        )


class Polished:
    """Plans of settings that are polished at each release, for `effort` each."""

    at_releases = True

    def __init__(self, work: MachineWork, effort: Effort, *, knows_all: bool) -> None:
        self._work, self._effort = work, effort
        self._random = np.random.default_rng(effort.seed)
        self._least = least_stretch(work.fitting, early=False).stretch if knows_all else None
        self._proven = LEAST_STRETCH
        self._last: DispatchSettings | None = None

    def plan(self, run: OpenTasks, /) -> TaskPlan:
        work = self._work
        known = np.arange(len(work.counts))
        if self._least is None:
            known = np.flatnonzero(work.release <= run.now)
            self._proven = least_remaining(what_remains(work, run)).proven
        else:
            self._proven = self._least
        stretch, backlog, crowding = _FIRST
        shape = work.seconds.shape
        none, alike, free = np.zeros(shape, np.bool_), np.ones(shape[0]), np.full(shape, np.inf)
        first = DispatchSettings(stretch * self._proven, backlog, crowding, alike, none, free)
        if self._effort.allowed:
            rehearsal = _Rehearsal(run, known, self._proven, self._effort.budget())
            first = self._polished(first, rehearsal)
        self._last = first
        return first.plan(work, known)

    def _polished(self, first: DispatchSettings, rehearsal: "_Rehearsal") -> DispatchSettings:
        """The best settings that are found until the budget is spent."""
        rehearsal.tries(first)
        if self._last is not None and not rehearsal.over:
            rehearsal.tries(self._last)
        better = True
        while better and not rehearsal.over:
            better = self._sweep(rehearsal)
        while not rehearsal.over:
            rehearsal.tries(self._moved(rehearsal))
        return rehearsal.best

    def _sweep(self, rehearsal: "_Rehearsal") -> bool:
        """Tries all values of each setting, with the others as they are best; returns whether any
        is better.
        """
        better = False
        for name, values in (
            ("crowding", _CROWDINGS),
            ("backlog", _BACKLOGS),
            ("stretch", [times * self._proven for times in _STRETCHES]),
        ):
            for value in values:
                if rehearsal.over:
                    return better
                changed: dict[str, Any] = {name: value}
                if getattr(rehearsal.best, name) != value:
                    better |= rehearsal.tries(replace(rehearsal.best, **changed))
        for k in rehearsal.coming.tolist():
            if rehearsal.over:
                return better
            alone = self._work.seconds[k] + self._work.data[k] / self._work.links
            for machines in (slice(None), int(np.argmin(alone))):
                kept = rehearsal.best.kept.copy()
                kept[k] = np.inf
                kept[k, machines] = self._work.release[k]
                better |= rehearsal.tries(replace(rehearsal.best, kept=kept))
        return better

    def _moved(self, rehearsal: "_Rehearsal") -> DispatchSettings:
        """Settings nearby."""
        settings, known = rehearsal.best, rehearsal.known
        if len(rehearsal.coming) and self._random.random() < _KEEPING:
            return self._kept(settings, rehearsal.coming)
        random, kind = self._random, self._random.random()
        if kind < 0.35:  # one bag
            haste = settings.haste.copy()
            haste[random.choice(known)] *= math.exp(random.normal(0, 0.15))
            return replace(settings, haste=haste)
        if kind < 0.5:
            return self._before_another(settings, known)
        if kind < 0.7:  # all bags
            haste = settings.haste * np.exp(random.normal(0, 0.05, len(settings.haste)))
            return replace(settings, haste=haste)
        if kind < 0.8:
            backlog = min(settings.backlog, _MOST_BACKLOG) * math.exp(random.normal(0, 0.3))
            return replace(settings, backlog=backlog)
        if kind < 0.85:
            crowding = min(settings.crowding, _MOST_CROWDING) * math.exp(random.normal(0, 0.15))
            return replace(settings, crowding=crowding)
        if kind < 0.9:
            return replace(settings, stretch=settings.stretch * math.exp(random.normal(0, 0.05)))
        barred, seconds = settings.barred.copy(), self._work.seconds
        k, m = random.choice(known), random.integers(seconds.shape[1])
        barred[k, m] = not barred[k, m]
        some = bool((np.isfinite(seconds[k]) & ~barred[k]).any())
        return replace(settings, barred=barred) if some else settings

    def _before_another(self, settings: DispatchSettings, known: IntArray) -> DispatchSettings:
        """A bag is due just before another one."""
        k, other = self._random.choice(known), self._random.choice(known)
        due = settings.due(self._work)
        soonest = due[other] - METHODS_AGREE * self._work.ideal[other] - self._work.release[k]
        haste = settings.haste.copy()
        haste[k] = max(soonest / (settings.stretch * self._work.ideal[k]), METHODS_AGREE)
        return replace(settings, haste=haste)

    def _kept(self, settings: DispatchSettings, coming: IntArray) -> DispatchSettings:
        """Some machines are kept for a bag that is to come, or are no longer."""
        random, kept, seconds = self._random, settings.kept.copy(), self._work.seconds
        k = random.choice(coming)
        some = random.random(seconds.shape[1]) < random.random(1)
        some[random.integers(len(some))] = True
        later = random.exponential(random.random()) * seconds[k].min()
        kept[k, some] = self._work.release[k] + random.choice([0.0, later, np.inf])
        return replace(settings, kept=kept)


class _Rehearsal:
    """Replays what is left of the known bags with settings, and keeps the best of them."""

    def __init__(self, run: OpenTasks, known: IntArray, proven: float, budget: Budget) -> None:
        self.known = known
        self.coming = known[run.work.release[known] > run.now]
        self._run, self._proven, self._budget = run, proven, budget
        work = run.work
        release = np.full(len(work.counts), np.inf)
        release[known] = work.release[known]
        self._facts = run.facts._replace(release=release)
        self._stage = copied(run.clock)
        self._left = int(run.unfinished[known].sum())
        self._score = self._worst = math.inf

    @property
    def best(self) -> DispatchSettings:
        return self._best

    @property
    def over(self) -> bool:
        """The budget is spent, or nothing can be better."""
        return not self._budget.left or self._worst <= self._proven * (1 + METHODS_AGREE)

    def tries(self, settings: DispatchSettings) -> bool:
        """Replays with these settings; returns whether they are better than all before."""
        run, work, stage = self._run, self._run.work, self._stage
        copied(run.clock, stage)
        stage.moment.unfinished[0] = self._left
        begun = int(stage.moment.events[0])
        run_tasks(self._facts, run.rules, settings.plan(work, self.known), stage, np.inf)
        steps = (int(stage.moment.events[0]) - begun) * work.machines
        self._budget.spend((steps + _A_REPLAY) / _A_UNIT)
        ends = np.asarray(stage.bags.end)[self.known]
        stretches = (ends - work.release[self.known]) / work.ideal[self.known]
        worst = float(stretches.max())
        score = max(worst, self._proven) + _MEAN_WEIGHT * float(stretches.mean())
        better = score < self._score
        if score <= self._score:
            self._best, self._score, self._worst = settings, score, worst
        return better
