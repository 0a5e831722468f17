"""The widgets that choose the axes of a sweep: a row for each."""

from dataclasses import replace
from typing import Any, Final

import streamlit as st

from core import System
from core.capabilities.sweep.axes import kind_of
from dashboard.parts.fields.buttons import show_button
from dashboard.screens.what_if.sweeps import state
from dashboard.screens.what_if.sweeps.choices import (
    MOST_AXES,
    PlannedAxis,
    quantities_of,
    title_of,
    usual_range,
)
from dashboard.server.guard import callback

_FIELDS: Final = {"low": "From", "high": "To", "step": "Step"}


def show_axes(axes: tuple[PlannedAxis, ...], system: System) -> None:
    """A row for each axis: what varies, from where to where, and in which steps."""
    for place, axis in enumerate(axes):
        with st.container(border=True, key=f"sweep-axis-{place}"):
            _show_axis(place, axis, axes, system)
    free = [name for name in quantities_of(system) if name not in {axis.name for axis in axes}]
    show_button(
        "Add an axis",
        _add,
        free[:1],
        system,
        icon="add",
        type="tertiary",
        disabled=len(axes) >= MOST_AXES or not free,
        help=f"At most {MOST_AXES} quantities, of which three may have several values",
    )


def _key(field: str, place: int) -> str:
    return f"sweeps.{field}.{place}.{state.revision()}"


def _show_axis(
    place: int, axis: PlannedAxis, axes: tuple[PlannedAxis, ...], system: System
) -> None:
    others = {one.name for one in axes} - {axis.name}
    names = [name for name in quantities_of(system) if name not in others]
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.session_state[_key("name", place)] = axis.name
        st.selectbox(
            "What varies",
            names,
            key=_key("name", place),
            format_func=title_of,
            on_change=_take_name,
            args=(place, system),
            width="stretch",
        )
        show_button(
            "Remove",
            _remove,
            place,
            system,
            icon="delete",
            key=_key("remove", place),
            type="tertiary",
        )
    whole = kind_of(axis.name).whole
    with st.container(horizontal=True, gap="small"):
        for field, said in _FIELDS.items():
            key, value = _key(field, place), getattr(axis, field)
            st.session_state[key] = int(value) if whole else float(value)
            low, high = axis.allowed.low, axis.allowed.high
            st.number_input(
                said,
                min_value=int(low) if whole else float(low),
                max_value=int(high) if whole else float(high),
                step=1 if whole else None,
                format="%d" if whole else "%.6g",
                key=key,
                on_change=_take_number,
                args=(place, field, system),
                width=120,
            )


@callback
def _take_name(place: int, system: System) -> None:
    axes = state.planned(system)
    if place < len(axes):
        chosen = usual_range(st.session_state[_key("name", place)], system)
        state.plan((*axes[:place], chosen, *axes[place + 1 :]), anew=True)


@callback
def _take_number(place: int, field: str, system: System) -> None:
    axes = state.planned(system)
    if place < len(axes):
        typed: dict[str, Any] = {field: float(st.session_state[_key(field, place)])}
        changed = replace(axes[place], **typed)
        state.plan((*axes[:place], changed, *axes[place + 1 :]), anew=False)


def _remove(place: int, system: System) -> None:
    axes = state.planned(system)
    state.plan((*axes[:place], *axes[place + 1 :]), anew=True)


def _add(free: list[str], system: System) -> None:
    if free:
        state.plan((*state.planned(system), usual_range(free[0], system)), anew=True)
