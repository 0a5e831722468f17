"""What it costs not to know what comes: a day as it is lived, and as one who knows would."""

import math
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final, Literal

import numpy as np

from core.capabilities.centre.bound import DayBound
from core.capabilities.centre.day import CentreDay, Curves
from core.capabilities.centre.files.centre_file import CURVE_KINDS, CentreFile, CurvesOf
from core.capabilities.centre.judge import judged_plan
from core.capabilities.centre.living import LivingRule, lived
from core.capabilities.centre.method_plan import MethodPlan
from core.capabilities.centre.objectives import DayCaps, DayWeights
from core.capabilities.centre.plan import DayPlan
from core.capabilities.centre.recover import Recovery, judged
from core.capabilities.centre.settings import DaySettings
from core.vocabulary.budget import never
from core.vocabulary.say.words import Sense, duration
from core.vocabulary.tolerances import SAME

Unknown = Literal["price", "carbon", "outside", "green", "target", "jobs"]
"""What may not be known when a day begins: one of its curves, or which jobs come."""
UNKNOWN_NAMES: Final[Mapping[Unknown, str]] = {
    "price": "the price",
    "carbon": "the carbon intensity",
    "outside": "the outside temperature",
    "green": "the green power",
    "target": "the target power",
    "jobs": "which jobs come",
}
_GOOD_ENOUGH: Final = 1e-4


@dataclass(frozen=True, eq=False)
class NotKnowing:
    """The plan that was made `once`, with what was known when the day began; that of one `knowing`
    all; and for each thing that was not known and matters, what comes if all else is known.
    """

    once: MethodPlan
    knowing: MethodPlan
    alone: Mapping[Unknown, MethodPlan]


@dataclass(frozen=True, eq=False)
class LivedDay:
    """A day of which some things are not known before they come, its curves but by forecast."""

    file: CentreFile
    asked: DaySettings
    caps: DayCaps
    bound: DayBound
    unknown: frozenset[Unknown]
    should_stop: Callable[[], bool] = field(default=never)

    @cached_property
    def came(self) -> CentreDay:
        """The day under the curves that came."""
        return self.file.day()

    def known(self, step: int) -> Curves:
        """The curves as known when a step begins."""
        seen = self.file.known_at(step * self.came.step)
        wrong = {name: getattr(seen, name) for name in self.unknown if name != "jobs"}
        return replace(self.came.curves, **wrong)

    @property
    def _weights(self) -> DayWeights:
        return DayWeights.only(self.asked.minimise)

    def lived(self, *, again: bool = True, followed: DayPlan | None = None) -> DayPlan:
        """What comes of the day, planned `again` as asked, or once, or of a plan to follow."""
        anew = again and followed is None
        every = round(self.asked.replan / self.came.step) if anew else 0
        rule = LivingRule(
            self._weights,
            self.caps,
            every,
            "jobs" in self.unknown and followed is None,
            self.asked.seconds,
            self.asked.seed,
            _GOOD_ENOUGH * abs(self.bound.value),
        )
        sure = "outside" not in self.unknown
        return lived(self.came, self.known, rule, self.should_stop, sure=sure, followed=followed)

    def judged(self, plan: DayPlan, began: float) -> MethodPlan:
        """What came of a plan that was begun to be looked for at a moment."""
        found = judged(self.came, plan, self._weights, self.caps, self.bound)
        return MethodPlan("plan", time.monotonic() - began, found, judged_plan(self.came, plan))

    def not_knowing(
        self, ours: MethodPlan, report: Callable[[str], None] = lambda _: None
    ) -> NotKnowing:
        """What it costs not to know, where `ours` came of the day; what is tried is reported."""
        began = time.monotonic()
        report("a plan that is made once")
        once = ours if not self.asked.replan else self.judged(self.lived(again=False), began)
        alone: dict[Unknown, MethodPlan] = {}
        names = sorted(self.unknown)
        for name in names:
            began = time.monotonic()
            report(f"all but {UNKNOWN_NAMES[name]} known")
            one = replace(self, unknown=frozenset({name}))
            alone[name] = ours if len(names) == 1 else self.judged(one.lived(), began)
        report("all known")
        return NotKnowing(once, self._knowing([ours, once, *alone.values()]), alone)

    def _knowing(self, others: list[MethodPlan]) -> MethodPlan:
        """The plan of one who knows all: the best of all that are known, cooled at best; these,
        improved; and one that is looked for as long.
        """
        began, day, asked = time.monotonic(), self.came, self.asked
        search = Recovery(day, self.bound, self._weights, self.caps, asked.seed)
        enough = _GOOD_ENOUGH * abs(self.bound.value)
        best = search.search(asked.seconds, enough, self.should_stop)
        plans = [one.found.plan for one in others if one.found is not None]
        found = [best, *(judged(day, plan, self._weights, self.caps, self.bound) for plan in plans)]
        for plan in plans:
            order = np.lexsort((plan.start, plan.group))
            wanted = np.repeat(plan.start[order], plan.count[order])
            near = Recovery(day, self.bound, self._weights, self.caps, asked.seed, wanted)
            found.append(near.search(asked.seconds / len(plans), enough, self.should_stop))
        best = min(found, key=lambda one: (one.beyond, one.value))
        return self.judged(best.plan, began)


def unknown_in(
    file: CentreFile, asked: DaySettings, caps: DayCaps, curves: CurvesOf
) -> frozenset[Unknown]:
    """What is not known when a day begins, and matters to what is asked: curves with a forecast,
    if plans are made on these, and jobs that come unannounced.
    """
    money = asked.minimise == "cost" or math.isfinite(caps.cost)
    carbon = asked.minimise == "carbon" or math.isfinite(caps.carbon)
    peak = math.isfinite(caps.peak)
    over = asked.minimise == "excess" or math.isfinite(caps.excess)
    matters: dict[Unknown, bool] = {
        "price": money,
        "carbon": carbon,
        "outside": True,
        "green": money or carbon or peak,
        "target": over,
    }
    jobs: set[Unknown] = {"jobs"} if asked.unannounced else set()
    if curves == "came":
        return frozenset(jobs)
    forecast = (file.signals.of(CURVE_KINDS[name], "forecast") for name in matters)
    seen = (signal is not None and signal.is_forecast for signal in forecast)
    pairs = zip(matters.items(), seen, strict=True)
    return frozenset({name for (name, does), has in pairs if does and has} | jobs)


def strange_replan(file: CentreFile, asked: DaySettings) -> Iterator[str]:
    """Why a day cannot be planned anew as often as asked."""
    every, grid = asked.replan, file.grid
    steps = round(every / grid.step)
    if every and (steps < 1 or abs(steps * grid.step - every) > SAME * every):
        least = duration(grid.step, Sense.TYPED)
        yield (
            f"replan is {duration(every, Sense.TYPED)}, but a plan begins with a step of {least}; "
            f"give a multiple of {least}, or other steps"
        )
    elif every >= grid.seconds:
        yield (
            f"replan is {duration(every, Sense.TYPED)}, but the day has "
            f"{duration(grid.seconds, Sense.TYPED)}; give less, or none to plan once"
        )
