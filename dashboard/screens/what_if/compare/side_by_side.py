"""What-ifs side by side: their fronts in one chart, their figures, and a conclusion of each."""

from typing import Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core import System, load_sample
from core.engines.front.axis import QUANTITIES, AxisQuantity
from core.engines.front.known import Known
from core.engines.relaxed import MAKESPAN, Bound, Front, Objective, lower_bound, trace_front
from core.engines.relaxed.fitting import fitted_within, has_single_tasks
from core.files.samples.named import SYSTEMS, describe
from core.vocabulary.budget import DEFAULT_SECONDS, Budget
from dashboard.parts.charts.shown import show_chart
from dashboard.parts.desk import show_undo
from dashboard.parts.fields.buttons import show_button
from dashboard.parts.fields.setting import show_look
from dashboard.parts.frame import markup
from dashboard.parts.frame.handed import Handed, Opening
from dashboard.parts.frame.trade_off_state import here_on
from dashboard.screens.what_if.compare import state
from dashboard.screens.what_if.compare.file import inspect_what_ifs_bytes
from dashboard.screens.what_if.compare.fronts_chart import compare_fronts
from dashboard.screens.what_if.compare.outcome import (
    WhatIfOutcome,
    axes,
    conclusion,
    finding,
    other_idle_powers,
    outcome,
    table,
)
from dashboard.screens.what_if.compare.panel import show_what_if
from dashboard.screens.what_if.compare.take_away import show_comparison_downloads
from dashboard.screens.what_if.compare.what_ifs import WhatIf, as_exported
from dashboard.server.archive import ARCHIVE
from dashboard.server.caching import BY_CONTENT
from dashboard.server.guard import callback
from dashboard.workspace import asking, session

# For one front. What was found of a very large front by then is shown.
SECONDS: Final = 10.0

_FIGURE_PIXELS: Final = 150
_EDITED: Final = "compare.edited"


@st.cache_resource(max_entries=64, show_spinner=False, hash_funcs=BY_CONTENT)
def traced(system: System) -> Front:
    return asking.compute(trace_front, system, Budget(SECONDS))


@st.cache_resource(max_entries=64, show_spinner=False, hash_funcs=BY_CONTENT)
def bounded(system: System, objective: Objective) -> Bound:
    return asking.compute(lower_bound, system, objective)


@st.cache_resource(max_entries=64, show_spinner=False, hash_funcs=BY_CONTENT)
def fit_single_tasks(system: System) -> None:
    """Proves what single tasks prove of a system; the archive keeps it."""
    asking.compute(fitted_within, Budget(DEFAULT_SECONDS), bounded(system, MAKESPAN))


def known(system: System) -> Known:
    """All that was found and proven of a system."""
    if has_single_tasks(system):
        fit_single_tasks(system)
    return ARCHIVE.of(system)


def show_side_by_side(tools: DeltaGenerator) -> None:
    """The view. `tools` is the place of what acts on all of it."""
    now = state.what_ifs()
    with tools:
        show_tools()
    OPENING.show()
    if not now.inputs:
        st.info(
            "Nothing to compare yet. Add the current system or a sample, then add what-ifs; or "
            "open a file of what-ifs that you exported.",
            icon=":material/compare_arrows:",
        )
        return
    compared, changed = st.columns([5, 3], gap="large")
    with changed:
        show_editor()
    with compared:
        with st.spinner("Finding the fronts …", show_time=True):
            outcomes = [outcome(what_if, traced, bounded, known) for what_if in now.inputs]
        show_comparison(outcomes)


def show_tools() -> None:
    now = state.what_ifs()
    show_undo(now, "Takes back the last change. Removed what-ifs come back, too.")
    with st.popover("Add a system", icon=":material/dns:"):
        show_button("Add the current system", _add_current, width="stretch")
        st.selectbox(
            "Or add a sample",
            SYSTEMS,
            index=None,
            key=_sample_key(),
            format_func=lambda name: f"{name} – {describe(name)}",
            placeholder="Choose a sample",
            on_change=_add_sample,
        )
    show_button(
        "What if …",
        now.add_like_first,
        icon="add",
        type="primary",
        disabled=not now.inputs,
        help="Adds a copy of the first system, for you to change. To copy another one, "
        "select it under Change and press Copy.",
    )


def _add_current() -> None:
    now = state.what_ifs()
    now.add(WhatIf.of_workspace(now.next_number, session.workspace()))


@callback
def _add_sample() -> None:
    if name := st.session_state[_sample_key()]:
        now, idle = state.what_ifs(), session.workspace().idle
        now.add(
            WhatIf.of(now.next_number, name, load_sample(name)).following(idle).at(session.site())
        )


def _take(_file: Handed, opened: tuple[WhatIf, ...]) -> None:
    state.what_ifs().fill(as_exported(opened, session.workspace().idle, session.site()))
    session.forget_notes()


OPENING: Final = Opening(
    "what_if.file", "The file", "The file could not be opened.", inspect_what_ifs_bytes, _take
)


def _sample_key() -> str:
    """A new key after each addition, so that the widget has no choice again."""
    return f"compare.sample.{state.what_ifs().next_number}"


def show_comparison(outcomes: list[WhatIfOutcome]) -> None:
    first, *others = outcomes
    headline = st.empty()
    with st.container(
        horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", gap="small"
    ):
        quantity: AxisQuantity = show_look(
            "Energy as", QUANTITIES, "compare.quantity", QUANTITIES.__getitem__, width="content"
        )
        along = axes(outcomes, quantity, session.site().currency)
        with st.popover("Export", icon=":material/download:", key="take-away"):
            show_comparison_downloads(outcomes, along)
    headline.header(finding(outcomes, along), anchor=False)
    if not others:
        st.caption("Press “What if …”, then change the counts, the idle power or the tariff.")
    st.html(
        markup.items(
            f"{one.title} – {conclusion(one, axis, first, along[0])}"
            for one, axis in zip(others, along[1:], strict=True)
        )
    )
    show_problems(outcomes)
    here = here_on(session.system())
    figure = compare_fronts(outcomes, along, None if here is None else here.schedule)
    if figure is None:
        st.info("There is no front to draw: energy needs powers (APC).")
    else:
        show_chart(
            figure,
            "compare-fronts",
            alt="Line chart: the lower bounds on energy and makespan of each what-if",
        )
    frame = table(outcomes, along)
    st.dataframe(
        frame,
        hide_index=True,
        column_config=dict.fromkeys(
            frame.columns[2:], st.column_config.TextColumn(width=_FIGURE_PIXELS)
        ),
        height="content" if len(outcomes) <= 10 else 420,
        placeholder="",
        alt="Key figures of each what-if, and the differences from the first",
    )
    if apart := other_idle_powers(outcomes, session.workspace().idle):
        st.html(markup.items(apart))
    st.caption(
        "All figures are lower bounds: no schedule can beat them. The page Trade-offs finds "
        "schedules close to them."
        + (
            ""
            if all(one.front is None or one.front.exact for one in outcomes)
            else " Some fronts are not complete, because the time was over."
        )
    )


def show_problems(outcomes: list[WhatIfOutcome]) -> None:
    for one in outcomes:
        if one.problems:
            st.error("A system cannot run:", icon=":material/error:")
            st.html(markup.items([one.title]) + markup.problems(one.problems))


def show_editor() -> None:
    now = state.what_ifs()
    chosen = now.find(now.edited) or now.inputs[-1]
    st.subheader("Change", anchor=False)
    numbers = [one.number for one in now.inputs]
    titles = {one.number: one.title for one in now.inputs}
    st.session_state[_EDITED] = chosen.number
    st.selectbox(
        "What-if to change",
        numbers,
        format_func=titles.__getitem__,
        key=_EDITED,
        on_change=_take_edited,
        label_visibility="collapsed",
    )
    with st.container(border=True):
        show_what_if(chosen, numbers.index(chosen.number), len(numbers))


@callback
def _take_edited() -> None:
    state.what_ifs().edited = st.session_state[_EDITED]
