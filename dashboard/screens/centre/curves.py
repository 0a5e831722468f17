"""Files of curves for the day: read as what they are, asked about where they say too little, and
taken over when nothing of the day is missing.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import Final
from zoneinfo import ZoneInfo

import numpy as np
import streamlit as st

from core.capabilities.centre.files.centre_file import DayGrid
from core.engines.signals.kinds import KINDS, PRICE, TARGET
from core.engines.signals.reading import inspect_signals_bytes
from core.engines.signals.signal import Fill, Signal, SignalGap
from core.engines.signals.source import ReadAs
from core.engines.signals.zones import EPOCH, LocalClock, moment_said
from core.files.findings import Reading, shown
from core.vocabulary.say.words import DAY, begun, counted, joined
from core.vocabulary.tolerances import SAME
from dashboard.parts.fields.buttons import show_button
from dashboard.parts.frame import markup
from dashboard.parts.frame.handed import Handed, Opening
from dashboard.screens.centre import state
from dashboard.screens.centre.clock_axis import CentreClock
from dashboard.screens.centre.state import CentreDesk

_PENDING: Final = "wattfront.centre.curves"
_FILLED: Final = "wattfront.centre.filled"
"""The draft in which gaps were filled, and notes that name them."""
_REFUSED: Final = "wattfront.centre.curves.refused"
"""What waits, and why it cannot be read as what a person said."""
_FILLS: Final[dict[Fill, str]] = {
    "last": "Fill with the last value",
    "linear": "Fill evenly",
}
_NAMED: Final = 3


@dataclass(frozen=True, eq=False)
class GivenCurves:
    """Curves of a file; none as long as nobody has said what its values are."""

    signals: tuple[Signal, ...]


@dataclass(frozen=True, eq=False)
class PendingCurves:
    """Curves that wait for a word of a person: for the desk of this name, from this file."""

    desk: str
    file: Handed
    signals: tuple[Signal, ...]
    moved: int = 0
    """The days by which its times were moved."""


def read_as(grid: DayGrid) -> ReadAs:
    """How files of curves are read for a day: by its clock, in its year."""
    local = (EPOCH + timedelta(seconds=grid.begins)).astimezone(ZoneInfo(grid.zone))
    return ReadAs(grid.zone, day=local.date(), year=local.year)


def read_curves(ask: ReadAs, name: str, data: bytes) -> Reading[GivenCurves]:
    """The curves of a file. One that only does not say what its values are has none yet."""
    found = inspect_signals_bytes(name, data, ask)
    if found.value is not None:
        return Reading(GivenCurves(found.value), found.problems, found.notes)
    # Any number may be a price: what can be read as one lacks nothing but its kind.
    if ask.kind is None and inspect_signals_bytes(name, data, replace(ask, kind=PRICE)).ok:
        return Reading(GivenCurves(()), ())
    return Reading(None, found.problems, found.notes)


def curves_opening(desk: CentreDesk) -> Opening[GivenCurves]:
    """How the page takes files of curves."""
    return Opening(
        "centre.curve",
        "The curve",
        "This file has no curve that can be used.",
        partial(read_curves, read_as(desk.file.grid)),
        partial(_take, desk.name),
    )


def _take(name: str, file: Handed, given: GivenCurves) -> str | None:
    """Takes curves over if they have all of the day; else they wait."""
    grid = state.current().file.grid
    signals = tuple(_as_forecast(one, file.name, grid) for one in given.signals)
    if not signals or any(missing(grid, one) for one in signals):
        st.session_state[_PENDING] = PendingCurves(name, file, signals)
        return None
    return take_over(signals)


def _as_forecast(signal: Signal, name: str, grid: DayGrid) -> Signal:
    """A curve of a file that is called a forecast is one, made when the day begins."""
    if signal.is_forecast or "forecast" not in name.casefold():
        return signal
    return replace(signal, issued=np.full(len(signal.begins), grid.begins))


def missing(grid: DayGrid, signal: Signal) -> tuple[SignalGap, ...]:
    """The spans of the day that a curve does not have."""
    return signal.gaps(grid.begins, grid.ends)


def moved_to(grid: DayGrid, signals: Sequence[Signal]) -> tuple[tuple[Signal, ...], int]:
    """Curves of other dates, moved by as few whole days as bring them all to the day, at the hours
    of its clock; and by how many.
    """
    first = min(float(one.begins[0]) for one in signals)
    last = max(float(one.ends[-1]) for one in signals)
    days = math.ceil((grid.ends - last) / DAY - SAME)
    if first >= grid.ends:
        days = math.floor((grid.begins - first) / DAY + SAME)
    then = grid.begins - days * DAY
    clock = LocalClock.between(
        ZoneInfo(grid.zone), min(then, grid.begins) - DAY, max(then, grid.begins) + DAY
    )
    was, now = clock.ahead_at(np.array([then, grid.begins])).tolist()
    by = days * DAY + was - now
    moved = (
        replace(
            one,
            begins=one.begins + by,
            issued=None if one.issued is None else one.issued + by,
        )
        for one in signals
    )
    return tuple(moved), days


def take_over(signals: Sequence[Signal], notes: Sequence[str] = (), moved: int = 0) -> str:
    """Puts curves in place of those of their kinds; says which. The notes say what was filled; the
    curves were `moved` by so many days.
    """
    desk = state.current()
    st.session_state.pop(_PENDING, None)
    inputs = desk.inputs
    if any(one.kind == TARGET for one in signals):
        inputs = replace(inputs, target=())  # what was typed would hide the curve
    inputs = replace(inputs, edited=desk.draft.with_curves(signals, moved))
    desk.fill(inputs)
    if notes:
        st.session_state[_FILLED] = inputs.edited, notes
    names = joined([f"{one.kind.said}{' as forecast' * one.is_forecast}" for one in signals])
    return f"{begun(names)}: taken over from the file. Undo takes it back."


def show_gaps(desk: CentreDesk) -> None:
    """What is asked about curves that wait, if there are any."""
    filled, notes = st.session_state.get(_FILLED, (None, ()))
    if filled is not None and filled is desk.inputs.edited:
        st.html(markup.items(notes))
    waiting: PendingCurves | None = st.session_state.get(_PENDING)
    if waiting is None or waiting.desk != desk.name:
        return
    with st.container(key="centre-curves", gap="small"):
        if not waiting.signals:
            _ask_kind(desk, waiting)
        else:
            _ask_to_fill(desk, waiting)


def _ask_kind(desk: CentreDesk, waiting: PendingCurves) -> None:
    st.html(markup.note(f"{shown(waiting.file.name)} does not say of what its values are."))
    with st.container(horizontal=True, gap="small"):
        for kind in KINDS:
            label = f"{begun(kind.said)} ({kind.unit})"
            show_button(label, _read_as_kind, desk, waiting, kind.name, key=f"curve {kind.name}")
        show_button("Leave it", _leave, type="tertiary", key="curve leave")
    refused, problems = st.session_state.get(_REFUSED, (None, ()))
    if refused is waiting:
        st.error("It cannot be read as that. Nothing has changed:", icon=":material/error:")
        markup.show_problems(problems)


def _read_as_kind(desk: CentreDesk, waiting: PendingCurves, name: str) -> None:
    kind = next(one for one in KINDS if one.name == name)
    ask = replace(read_as(desk.file.grid), kind=kind)
    reading = read_curves(ask, waiting.file.name, waiting.file.data)
    if reading.value is None:
        st.session_state[_REFUSED] = waiting, reading.problems
        return
    _take(desk.name, waiting.file, reading.value)


def _ask_to_fill(desk: CentreDesk, waiting: PendingCurves) -> None:
    grid = desk.file.grid
    clock, sentences, may_fill = CentreClock.of(grid), [], True
    for one in waiting.signals:
        gaps = missing(grid, one)
        if not gaps:
            continue
        named = joined([_said(clock, grid, gap) for gap in gaps[:_NAMED]])
        more = f" and {len(gaps) - _NAMED:,} more" if len(gaps) > _NAMED else ""
        sentences.append(f"{begun(one.kind.said)} is not known from {named}{more}.")
        if gaps[0] == (grid.begins, grid.ends):
            may_fill = False
            has = f"{moment_said(float(one.begins[0]))} to {moment_said(float(one.ends[-1]))}"
            sentences.append(f"The file has {has}, none of which is in the day of the centre.")
    st.warning(
        "This curve does not have all of the day. Nothing has changed:",
        icon=":material/warning:",
    )
    st.html(markup.items(sentences))
    with st.container(horizontal=True, gap="small"):
        if may_fill:
            for how, label in _FILLS.items():
                show_button(label, _fill, desk, waiting, how, key=f"curve {how}")
        else:
            _, days = moved_to(grid, waiting.signals)
            label = f"Move it by {counted(abs(days), 'day')} to this day"
            show_button(label, _move, desk, waiting, key="curve move")
        show_button("Leave it", _leave, type="tertiary", key="curve leave")


def _said(clock: CentreClock, grid: DayGrid, gap: SignalGap) -> str:
    """From when to when by the clock of the centre."""
    return f"{clock.said(gap.begin - grid.begins)} to {clock.said(gap.end - grid.begins)}"


def _fill(desk: CentreDesk, waiting: PendingCurves, how: Fill) -> None:
    grid = desk.file.grid
    filled = [one.filled(grid.begins, grid.ends, how) for one in waiting.signals]
    notes = [note for _, notes in filled for note in notes]
    take_over([signal for signal, _ in filled], notes, waiting.moved)


def _move(desk: CentreDesk, waiting: PendingCurves) -> None:
    """What the day still lacks is asked about next."""
    grid = desk.file.grid
    signals, days = moved_to(grid, waiting.signals)
    if any(missing(grid, one) for one in signals):
        st.session_state[_PENDING] = replace(waiting, signals=signals, moved=days)
    else:
        take_over(signals, moved=days)


def _leave() -> None:
    st.session_state.pop(_PENDING, None)
