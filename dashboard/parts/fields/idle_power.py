"""The slider of the idle power, where it is while a person drags it, and the front before."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import streamlit as st

from core import System
from core.engines.compute.task import Task
from core.engines.front.axis import Axis
from core.engines.front.study import Study, sweep_idle_power
from core.engines.relaxed import Front
from core.vocabulary.arrays import FloatArray
from core.vocabulary.say.units import time_unit
from core.vocabulary.say.without_work import idle_said
from core.vocabulary.without_work import AS_GIVEN, USUAL_ASLEEP_WATTS, WithoutWork
from dashboard.parts.fields.buttons import show_button
from dashboard.parts.fields.in_browser import Passing, follow_slider
from dashboard.parts.fields.setting import show_widget
from dashboard.server.background import Job
from dashboard.server.guard import callback
from dashboard.workspace import session
from dashboard.workspace.workspace import Version, Workspace, set_idle_fraction

_SEEN_WELL: Final = 1 / 3
"""A front that takes up less than this share of a chart, across or up, gets its own scale."""
_SLACK: Final = 0.3
"""How far an axis goes beyond a point that is out of sight, as a share of what is seen."""


@dataclass(frozen=True, eq=False, slots=True)
class Before:
    """The study that was shown, the version of its system, and its powers without work."""

    study: Study
    version: Version
    idle: WithoutWork

    @property
    def title(self) -> str:
        return f"Before: {idle_said(self.idle)}"

    @property
    def seen(self) -> FloatArray:
        """The points that a chart of it shows, as rows of (joules, seconds)."""
        return np.concatenate([self.study.front.points, self.study.achieved])


@dataclass(frozen=True, eq=False, slots=True)
class Corners:
    """The part of the plane that a chart shows: from `low` to `high`, both (joules, seconds)."""

    low: FloatArray
    high: FloatArray

    @classmethod
    def around(cls, points: FloatArray) -> "Corners":
        return cls(points.min(axis=0), points.max(axis=0))

    def with_room_for(self, other: "Corners") -> "Corners":
        """The same if `other` is inside; else larger with some room, so that axes seldom move."""
        slack = _SLACK * (other.high - other.low)
        low = np.where(other.low < self.low, other.low - slack, self.low)
        return Corners(
            np.maximum(low, 0.0), np.where(other.high > self.high, other.high + slack, self.high)
        )

    def with_before(self, before: "Corners") -> "Corners":
        """Large enough for both, unless this part would then be too small to read."""
        low, high = np.minimum(self.low, before.low), np.maximum(self.high, before.high)
        whole = high - low
        own = np.divide(self.high - self.low, whole, out=np.ones(2), where=whole > 0)
        return Corners(low, high) if (own >= _SEEN_WELL).all() else self


FRACTIONS: Final = tuple(step / 10 for step in range(11))

Fronts = tuple[tuple[float, Front], ...]


@dataclass(frozen=True, eq=False, slots=True)
class IdlePowerCurve:
    """A figure over the idle power: one value for each of the `fractions`."""

    title: str
    unit: str
    fractions: FloatArray
    values: FloatArray


def without_idle(system: System) -> System:
    """The system without idle power: the same for every choice of idle power."""
    return system.with_idle_fraction(0.0)


def fraction_of(system: System) -> float:
    """The idle power of a system, as a fraction of the mean power at work; at most 1."""
    most = system.with_idle_fraction(1.0).total_idle_power
    return min(system.total_idle_power / most, 1.0) if most > 0 else 0.0


def sweeping(system: System) -> Callable[[Job[Fronts]], None]:
    """The work of a job that computes the fronts at all `FRACTIONS`."""

    def work(job: Job[Fronts]) -> None:
        job.begin("Finding the fronts at other idle powers")
        fronts = job.compute(Task(sweep_idle_power, (system, FRACTIONS)))
        job.show(tuple(zip(FRACTIONS, fronts, strict=True)))

    return work


def curves(fronts: Fronts, axis: Axis) -> tuple[IdlePowerCurve, ...]:
    """How the front changes with the idle power: the saving, and the thriftiest end."""
    fractions = np.array([fraction for fraction, _ in fronts])
    least = np.array([front.energy[0] for _, front in fronts])
    fastest = np.array([front.energy[-1] for _, front in fronts])
    slowest = np.array([front.makespan[0] for _, front in fronts])
    time = time_unit(float(slowest.max()))
    saved = 1 - np.divide(least, fastest, out=np.ones(len(least)), where=fastest > 0)
    quantity = axis.title.lower()
    return (
        IdlePowerCurve(f"Largest possible saving of {quantity}", "%", fractions, 100 * saved),
        IdlePowerCurve(f"Least {quantity}", axis.unit, fractions, axis.of(least)),
        IdlePowerCurve(
            f"Makespan at the least {quantity}", time.symbol, fractions, slowest / time.size
        ),
    )


_IDLE: Final = "trade_offs.idle"
_OFF: Final = "trade_offs.off"
PASSING: Final = "trade_offs.passing"
BEFORE: Final = "trade_offs.before"


def show_idle_power() -> None:
    """Whether machines are switched off, and else the slider of the idle power; both hold on every
    page. The page follows while a person drags the slider.
    """
    show_switching_off(_OFF)
    now = session.workspace()
    if now.system.may_sleep:
        return
    given = now.idle.idle_power is None
    percent = _percent()
    idle_key = session.fresh_key(_IDLE, percent)
    with st.container(key="idle-power"):
        label = "Idle power, as a share of the mean power at work"
        show_percent(
            label + (" (as given)" if given else ""), percent, idle_key, _take_idle_power, idle_key
        )
    follow_slider("idle-power", _take_passing)
    if not given:
        show_button("Reset idle power", session.set_idle, AS_GIVEN, icon="undo", type="tertiary")


def show_switching_off(name: str) -> None:
    """Whether machines are switched off when their last task ends, and what each draws then."""
    now, system = session.workspace(), session.workspace().system
    asleep = now.idle.asleep_watts
    off_key = session.fresh_key(name, system.may_sleep)
    watts_key = session.fresh_key(f"{name}.watts", asleep)
    keys = off_key, watts_key
    st.toggle(
        "Switch machines off when their last task ends",
        system.may_sleep,
        key=off_key,
        help="Machines without any task stay off from the start. Starts are not counted.",
        disabled=asleep is None and system.may_sleep,
        on_change=_take_switching_off,
        args=keys,
    )
    if asleep is not None:
        show_widget(
            now.idle, "asleep_watts", key=watts_key, on_change=_take_switching_off, args=keys
        )


@callback
def _take_switching_off(off_key: str, watts_key: str) -> None:
    remember()
    off = st.session_state[off_key]
    watts = st.session_state.get(watts_key, USUAL_ASLEEP_WATTS) if off else None
    session.set_idle(replace(session.workspace().idle, asleep_watts=watts))


def show_percent(
    label: str,
    percent: int,
    key: str,
    take: Callable[..., None],
    *keys: str,
    disabled: bool = False,
) -> None:
    """A slider of the idle power (%). `take` is called with the keys when it was moved."""
    st.slider(
        label,
        0,
        100,
        percent,
        key=key,
        format="%d %%",
        disabled=disabled,
        help="An idle machine draws this share of the mean APC of its machine type. The setting "
        "holds on every page.",
        on_change=take,
        args=keys,
    )


def _percent() -> int:
    """The position of the slider (%)."""
    now = session.workspace()
    fraction = now.idle.idle_power
    return round(100 * (fraction_of(now.system) if fraction is None else fraction))


@callback
def _take_idle_power(idle_key: str) -> None:
    remember()
    st.session_state[PASSING] = None
    session.set_idle(WithoutWork(st.session_state[idle_key] / 100))


def _take_passing(passing: Passing) -> None:
    """Keeps the position of the slider, but for a report after the slider was released."""
    if passing.percent is None or passing.since != _percent():
        st.session_state[PASSING] = None
        return
    remember()
    st.session_state[PASSING] = passing.percent / 100


def looked_at() -> Workspace:
    """The workspace as the page shows it: at the idle power where the slider is now."""
    passing: float | None = st.session_state.get(PASSING)
    now = session.workspace()
    return now if passing is None else set_idle_fraction(now, passing)


def let_go() -> None:
    """Forgets where the slider was while a person dragged it."""
    st.session_state[PASSING] = None


def is_passing() -> bool:
    return st.session_state.get(PASSING) is not None


def remember() -> None:
    """Keeps the study that is shown as the one before, unless the slider is being dragged."""
    now, shown = session.workspace(), session.shown()
    if not is_passing() and shown is not None and shown.system == now.system:
        st.session_state[BEFORE] = Before(shown.study, now.version, now.idle)


def before() -> Before | None:
    """The study shown before the last change of the idle power; None if the system is another."""
    found: Before | None = st.session_state.get(BEFORE)
    now = looked_at()
    if found is None or found.version is not now.version:
        return None
    return None if found.study.system == now.system else found
