"""The widgets of a random system: every parameter with its range and its unit."""

from collections.abc import Mapping
from typing import Any, Final, get_args

import streamlit as st

from core import InvalidInput
from core.files.samples.generate import (
    POWER_METHODS,
    TIME_METHODS,
    Consistency,
    Generation,
    MachineLevels,
    Spread,
    bounds,
    generate,
)
from core.vocabulary.ranges import Range
from dashboard.parts.frame import markup
from dashboard.workspace import session
from dashboard.workspace.address import parameter_ranges
from dashboard.workspace.workspace import Drawn, Version, choose

USUAL: Final = Generation(apc=MachineLevels(), idle_fraction=0.1)
"""The usual parameters have powers: without powers there is no energy, and no trade-off."""
NO_POWER: Final = "none"
LABELS: Final = {
    "task_types": "Task types",
    "machine_types": "Machine types",
    "tasks": "All tasks",
    "machines": "All machines",
    "seed": "Seed",
    "idle_fraction": "Idle power",
    "low": "Lowest",
    "high": "Highest",
    "task_range": "Range of tasks",
    "machine_range": "Range of machines",
    "mean": "Mean",
    "task_variation": "Variation of tasks",
    "machine_variation": "Variation of machines",
    "pair_variation": "Variation of pairs",
}
_COUNTS: Final = ("task_types", "machine_types", "tasks", "machines", "seed")
_UNITS: Final = {"etc": "s", "apc": "W"}


def show_generator() -> None:
    """The parameters, and a button that draws the system."""
    now = session.workspace().version
    drawn = now.origin.generation if isinstance(now.origin, Drawn) and not now.edited else None
    usual = drawn or USUAL
    ranges = parameter_ranges()
    given: dict[str, Any] = {}
    with st.container(horizontal=True, gap="small"):
        for name in _COUNTS:
            given[name] = _number("of", name, ranges[name], getattr(usual, name))
        given["spread"] = _choice("Counts over types", get_args(Spread), usual.spread)
    try:
        with st.container(horizontal=True, gap="small"):
            given["etc"] = _method("etc", "Times", TIME_METHODS, usual.etc, optional=False)
            given["consistency"] = _choice("Consistency", get_args(Consistency), usual.consistency)
        with st.container(horizontal=True, gap="small"):
            given["apc"] = _method("apc", "Powers", POWER_METHODS, usual.apc, optional=True)
            if given["apc"] is not None:
                allowed = ranges["idle_fraction"]
                given["idle_fraction"] = _number(
                    "of", "idle_fraction", allowed, usual.idle_fraction
                )
        wanted = Generation(**given)
    except InvalidInput as invalid:
        st.error("These parameters do not fit together:", icon=":material/error:")
        st.html(markup.items(problem.message for problem in invalid.problems))
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        if st.button("Draw this system", type="primary"):
            with st.spinner("Drawing …", show_time=True):
                session.apply(choose, Version(generate(wanted), Drawn(wanted)))
            st.rerun()
        if drawn is not None and drawn != wanted:
            st.caption(
                "The parameters have changed since the system was drawn. Press the button to "
                "draw it again."
            )
        elif drawn is not None:
            st.caption("This is the system in force. Equal parameters always draw equal systems.")


def _method(
    table: str, title: str, methods: Mapping[str, type[Any]], usual: object, *, optional: bool
) -> Any:
    """The method that draws a matrix, with its parameters; None for no matrix."""
    names = [NO_POWER, *methods] if optional else list(methods)
    there = next((name for name, kind in methods.items() if type(usual) is kind), names[0])
    chosen = _choice(title, names, there)
    if chosen == NO_POWER:
        return None
    kind = methods[chosen]
    defaults = usual if type(usual) is kind else kind()
    return kind(
        **{
            name: _number(table, name, allowed, getattr(defaults, name))
            for name, allowed in bounds(kind).items()
        }
    )


def _choice(label: str, options: Any, usual: str) -> str:
    chosen: str = st.selectbox(
        label,
        options,
        index=list(options).index(usual),
        format_func=lambda option: option.replace("-", " "),
        key=f"generator.{label}",
        persist_state="session",
        width=190,
    )
    return chosen


def _number(table: str, name: str, allowed: Range, usual: float) -> Any:
    unit = _UNITS.get(table, "") if name in ("low", "high", "mean") else ""
    whole = isinstance(usual, int)
    return st.number_input(
        f"{LABELS[name]} ({unit})" if unit else LABELS[name],
        min_value=int(allowed.low) if whole else float(allowed.low),
        max_value=int(allowed.high) if whole else float(allowed.high),
        value=usual,
        step=1 if whole else None,
        format=None if whole else "%g",
        key=f"generator.{table}.{name}",
        persist_state="session",
        help=f"{allowed}".strip(),
        width=150,
    )
