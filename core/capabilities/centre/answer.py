"""The answer to what is asked of a day: our plan, the bound, and how others do."""

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Final, Literal

import numpy as np

from core.capabilities.centre.bound import STOPPED, DayBound, DaySearch, NoSuchPlan
from core.capabilities.centre.centre import parasol
from core.capabilities.centre.day import CentreDay, Curves, grouped
from core.capabilities.centre.files.centre_file import CentreFile, CurvesOf
from core.capabilities.centre.front import DaySlice, front_slices, sliced_aim
from core.capabilities.centre.judge import judged_plan
from core.capabilities.centre.method_plan import MethodPlan
from core.capabilities.centre.not_knowing import (
    LivedDay,
    NotKnowing,
    strange_replan,
    unknown_in,
)
from core.capabilities.centre.objectives import AIMS, NO_CAPS, DayAim, DayCaps, DayWeights
from core.capabilities.centre.plan import DayPlan
from core.capabilities.centre.recover import FoundPlan, Recovery, judged
from core.capabilities.centre.rivals.as_usual import as_usual
from core.capabilities.centre.rivals.best_fit_hole import best_fit_hole
from core.capabilities.centre.rivals.due_first import due_first
from core.capabilities.centre.rivals.evolving import evolved
from core.capabilities.centre.settings import DayMethod, DaySettings
from core.vocabulary.budget import Budget, Cancelled, NoScheduleFound, never
from core.vocabulary.problems import InvalidInput, refuse
from core.vocabulary.say.words import JOULES_PER_KWH, MINUTE, Sense, amount, duration, energy, power
from core.vocabulary.tolerances import INSTANT, SAME

_KG: Final = 1000.0
_KW: Final = 1000.0
_GOOD_ENOUGH: Final = 1e-4
"""A plan that is above the bound by this share of what it comes to as usual is as good as best."""


@dataclass(frozen=True, eq=False)
class CentreAnswer:
    """A day, what was asked of it, what no plan can do better, and what each method does.

    The `day` is as it was known when it began; bound and measures are those of what came. What it
    costs `not_knowing` that is there if something was not known and a plan of ours was asked for.
    `worth` says by how much the bound falls with one more of something: a
    kW of the target, a kelvin of the limit, a panel, an hour for all due dates, a server; if it is
    `by_prices`, at most by that. `slices` of the front are there if they were asked for.
    """

    file: CentreFile
    day: CentreDay
    asked: DaySettings
    caps: DayCaps
    bound: DayBound
    usual: MethodPlan
    plans: tuple[MethodPlan, ...]
    seconds: float
    worth: Mapping[str, float]
    by_prices: bool = False
    slices: tuple[DaySlice, ...] = ()
    not_knowing: NotKnowing | None = None

    @property
    def ours(self) -> MethodPlan:
        """Our plan, or the first of those that were asked for."""
        return next((one for one in self.plans if one.method == "plan"), self.plans[0])

    @property
    def sliced(self) -> DayAim:
        """The aim of the slices."""
        return sliced_aim(self.asked)

    @cached_property
    def least(self) -> float:
        """No plan has less of the aim; what cannot be negative is at least 0."""
        return max(self.bound.value, lowest(self.file.day(), self.asked.minimise))


def caps_of(asked: DaySettings, day: CentreDay) -> DayCaps:
    """The caps in the units of the model. Lateness has none where it is made small."""
    any_late = asked.most_late is None or asked.minimise == "lateness"
    late = math.inf if any_late else (asked.most_late or 0.0) * day.jobs.execution_steps
    given = {
        "cost": asked.most_cost,
        "carbon": None if asked.most_carbon is None else asked.most_carbon * _KG,
        "energy": asked.most_energy,
        "excess": asked.most_excess,
        "lateness": late,
        "peak": asked.most_peak,
    }
    return DayCaps(
        **{name: math.inf if value is None else float(value) for name, value in given.items()}
    )


def lowest(day: CentreDay, aim: DayAim) -> float:
    """What no plan of any day can be below: costs alone can be negative, where power earns."""
    may_earn = day.feed_in > 0 or bool((day.curves.price < 0).any())
    return -math.inf if aim == "cost" and may_earn else 0.0


@cache
def load_kernels(method: DayMethod) -> None:
    """Compile the kernels of a method, or load them compiled, once in a process: that takes from a
    hundredth of a second to half a minute, which is none of the method's.
    """
    curves = Curves(*np.ones((5, 6)))
    few = CentreDay(parasol(), grouped([(0, 1, 2, 0, 3.0)] * 3), curves, MINUTE)
    asked, weights = DaySettings(seconds=0.01), DayWeights.only("cost")
    bound = DaySearch(few).bound(weights)
    file = CentreFile.of_day(few)
    sure = LivedDay(file, asked, NO_CAPS, bound, frozenset())
    runs = _Runs(few, few, weights, NO_CAPS, bound, bound, asked, sure, never)
    runs.of(method)


def answered(
    file: CentreFile,
    asked: DaySettings,
    methods: Sequence[DayMethod] = ("plan",),
    curves: CurvesOf = "came",
    should_stop: Callable[[], bool] = never,
    *,
    without: Sequence[Literal["worth", "price"]] = (),
    bound: DayBound | None = None,
) -> CentreAnswer:
    """The answer, perhaps without what one more of something is worth, or the price of not
    knowing; the `bound` may be known. Raises `InvalidInput` if no plan keeps what is asked, and
    `Cancelled`.
    """
    refuse(strange_replan(file, asked))
    for method in ("as-usual", *methods):
        load_kernels(method)
    began = time.monotonic()
    came = file.day()
    # A forecast is what is known when the day begins.
    day = came if curves == "came" else replace(came, curves=file.known_at(0.0))
    caps, weights = caps_of(asked, day), DayWeights.only(asked.minimise)
    search = DaySearch(came)
    known = search if curves == "came" else DaySearch(day)
    try:
        if bound is None:
            bound = search.bound(weights, caps, should_stop)
        else:
            search.begins_with(bound)
        planned = bound if known is search else known.bound(weights, caps, should_stop)
    except NoSuchPlan as none:
        raise InvalidInput.of(_no_plan(none, search, caps, should_stop)) from none
    unknown = unknown_in(file, asked, caps, curves)
    alive = LivedDay(file, asked, caps, bound, unknown, should_stop)
    runs = _Runs(day, came, weights, caps, bound, planned, asked, alive, should_stop)
    usual = runs.of("as-usual")
    plans = tuple(usual if each == "as-usual" else runs.of(each) for each in methods)
    more = _worth(search, file, bound, asked, should_stop) if "worth" not in without else ()
    slices: tuple[DaySlice, ...] = ()
    if asked.front:
        slices = tuple(front_slices(search, asked, caps, should_stop))
    ours = next((one for one in plans if one.method == "plan" and one.found is not None), None)
    is_priced = "price" not in without and unknown
    price = alive.not_knowing(ours) if is_priced and ours is not None else None
    seconds = time.monotonic() - began
    found = bound, usual, plans, seconds, dict(more), search.is_large, slices, price
    return CentreAnswer(file, day, asked, caps, *found)


@dataclass(frozen=True, eq=False)
class _Runs:
    """The methods on one day."""

    day: CentreDay
    came: CentreDay
    weights: DayWeights
    caps: DayCaps
    bound: DayBound
    planned: DayBound
    asked: DaySettings
    alive: LivedDay
    should_stop: Callable[[], bool]

    def of(self, method: DayMethod) -> MethodPlan:
        """What a method comes to."""
        began = time.monotonic()
        try:
            found = self._found(method)
        except Cancelled:
            raise
        except NoScheduleFound as none:
            return MethodPlan(method, time.monotonic() - began, failed=str(none))
        seconds = time.monotonic() - began
        if self.should_stop():
            raise Cancelled(STOPPED)
        verdict = judged_plan(self.came, found.plan)
        return MethodPlan(method, seconds, found, verdict)

    def _found(self, method: DayMethod) -> FoundPlan:
        """The plan of a method, judged under the curves that came. Those that plan with curves have
        them as they were known, and are cooled step by step.
        """
        asked, is_known = self.asked, not self.alive.unknown
        if method == "plan" and not is_known:
            plans = [self.alive.lived()]
        elif method == "plan":
            recovery = Recovery(self.day, self.planned, self.weights, self.caps, asked.seed)
            enough = _GOOD_ENOUGH * abs(self.planned.value)
            plans = [recovery.search(asked.seconds, enough, self.should_stop).plan]
        elif method in ("nsga2", "ev-moga"):
            budget = Budget(max(asked.seconds, INSTANT), should_stop=self.should_stop)
            plans = evolved(self.day, method, budget=budget, seed=asked.seed)
        else:
            # These look at no curve ahead, and their cooling follows what comes by itself.
            made = {"as-usual": as_usual, "edd": due_first, "bfh": best_fit_hole}[method]
            return self._judged(made(self.came))
        if method != "plan" and not is_known:
            plans = [self.alive.lived(followed=plan) for plan in plans]
        return min(map(self._judged, plans), key=lambda one: (one.beyond, one.value))

    def _judged(self, plan: DayPlan) -> FoundPlan:
        return judged(self.came, plan, self.weights, self.caps, self.bound)


_LEAST: Final[dict[DayAim, str]] = {
    "cost": "cost {}",
    "carbon": "emit {}",
    "energy": "draw {}",
    "excess": "exceed the target by {}",
    "lateness": "are late by {}",
}


def said_of(day: CentreDay, aim: DayAim, value: float, sense: Sense, currency: str = "") -> str:
    """What is counted of an aim, in words; lateness as hours of all jobs together."""
    if aim == "cost":
        return amount(value, sense, currency)
    if aim == "carbon":
        return amount(value / _KG, sense, "kg of CO₂")
    if aim == "lateness":
        return duration(value * day.step, sense)
    return energy(value * JOULES_PER_KWH, sense)


def _no_plan(
    none: NoSuchPlan, search: DaySearch, caps: DayCaps, should_stop: Callable[[], bool]
) -> str:
    """Why no plan keeps what is asked, and what one could keep."""
    day, missing = search.day, none.missing
    if "cooling" in missing:
        return (
            f"no plan keeps the room at {amount(day.centre.limit, Sense.TYPED, '°C')} or below "
            f"after step {round(missing['step']) + 1:,}: "
            f"{power(missing['cooling'], Sense.LOWER_BOUND)} of cooling are missing; give more "
            "cooling, a higher limit or later due dates"
        )
    if "jobs" in missing:
        return (
            f"no plan does all jobs within the day: {math.ceil(missing['jobs'] - SAME):,} cannot "
            "be done; give a longer day or more servers"
        )
    capped: list[DayAim] = [aim for aim in AIMS if math.isfinite(getattr(caps, aim))]
    least = []
    for aim in capped:
        others = replace(caps, **{aim: math.inf})
        with suppress(NoSuchPlan):
            found = search.bound(DayWeights.only(aim), others, should_stop).value
            if found > getattr(caps, aim):
                least.append(_LEAST[aim].format(said_of(day, aim, found, Sense.LOWER_BOUND)))
    others_kept = " that keep the others" if len(capped) + math.isfinite(caps.peak) > 1 else ""
    if not least and "peak" in missing:
        given, lacking = caps.peak * _KW, missing["peak"] * _KW
        return (
            f"no plan keeps all caps: {power(given, Sense.TYPED)} from the grid are too little; "
            f"allow more than {power(given + lacking, Sense.LOWER_BOUND)}"
        )
    if not least:
        return "no plan keeps all caps together; raise two of them"
    return f"no plan keeps all caps: those{others_kept} {' or more, or '.join(least)} or more"


def _worth(
    known: DaySearch,
    file: CentreFile,
    bound: DayBound,
    asked: DaySettings,
    should_stop: Callable[[], bool],
) -> Iterator[tuple[str, float]]:
    """By how much the bound falls with one more of what an administrator could change, as if the
    changed day were asked for; of large days, at most by how much, by the prices of the bound.
    """
    caps, weights = caps_of(asked, known.day), DayWeights.only(asked.minimise)
    least = lowest(known.day, asked.minimise)
    for name, changed in _one_more(known.day, file):
        search = DaySearch(changed)
        try:
            if known.is_large:
                proven = search.at_prices(bound, weights, caps)
            else:
                proven = search.bound(weights, caps, should_stop).value
        except NoSuchPlan:
            continue
        yield name, bound.value - max(proven, least)


def _one_more(day: CentreDay, file: CentreFile) -> Iterator[tuple[str, CentreDay]]:
    """The day with one more of each."""
    curves, centre, jobs = day.curves, day.centre, day.jobs
    if (curves.target < file.most_watts).any():
        yield "target", replace(day, curves=replace(curves, target=curves.target + 1000.0))
    yield "limit", replace(day, centre=replace(centre, limit=centre.limit + 1.0))
    panels = file.signals.panels
    if panels is not None and curves.green.any():
        more = curves.green * (panels.count + 1) / panels.count
        yield "panel", replace(day, curves=replace(curves, green=more))
    yield "hour", replace(day, jobs=replace(jobs, due=jobs.due + 3600.0 / day.step))
    for place, kind in enumerate(centre.kinds):
        kinds = list(centre.kinds)
        kinds[place] = replace(kind, count=kind.count + 1)
        yield f"server {kind.name}", replace(day, centre=replace(centre, kinds=tuple(kinds)))
