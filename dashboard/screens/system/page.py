"""The system: where it comes from, its pairs as a heat map, what its data say, its tables."""

from functools import partial

import plotly.graph_objects as go
import streamlit as st

from core import System
from core.vocabulary.say.words import Sense, share
from dashboard.parts.charts.heat_map import QUANTITIES, PairQuantity, heat_map
from dashboard.parts.charts.shown import show_chart
from dashboard.parts.fields.buttons import show_button
from dashboard.parts.fields.setting import show_look
from dashboard.parts.frame import markup
from dashboard.parts.tables.editor import show_tables
from dashboard.parts.taking.take_away import download
from dashboard.parts.told import show_frame
from dashboard.screens.system.insight import (
    Insight,
    best_counts,
    best_table,
    insight,
    sentences,
    strengths,
)
from dashboard.screens.system.log_source import cancel_import, is_importing, watch_log
from dashboard.screens.system.start import show_start
from dashboard.server.caching import BY_CONTENT
from dashboard.workspace import session
from dashboard.workspace.export import SYSTEM_FORMATS, file_name, system_bytes, system_fits
from dashboard.workspace.workspace import redo, undo


@st.cache_data(max_entries=8, show_spinner=False, hash_funcs=BY_CONTENT)
def found_in(system: System) -> Insight:
    return insight(system)


@st.cache_data(max_entries=8, show_spinner=False, hash_funcs=BY_CONTENT)
def picture(system: System, word: str) -> go.Figure:
    return heat_map(system, _quantity(word))


def main() -> None:
    """Without a system, and while one is made from a log, only where it comes from."""
    importing = is_importing()
    if importing:
        show_import_heading()
    else:
        show_heading()
    show_start()
    if importing or is_importing() or session.workspace().gone:
        watch_log()
        return
    system = session.system()
    with st.spinner("Reading the data …"):
        found = found_in(system)
    left, right = st.columns([11, 9], gap="large")
    with left:
        show_pairs(system)
    with right:
        show_insight(system, found)
    show_tables()
    watch_log()


def show_import_heading() -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.title("Import", anchor=False, width="stretch")
        meaning = "Forgets the log; the system in force stays"
        show_button("Cancel", cancel_import, icon="close", help=meaning)


def show_heading() -> None:
    now = session.workspace()
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.title("System", anchor=False, width="stretch")
        show_button(
            "Undo",
            session.apply,
            undo,
            icon="undo",
            disabled=not now.past,
            help="Goes back to the system before the last choice or edit",
        )
        show_button("Redo", session.apply, redo, icon="redo", disabled=not now.future)
        if not now.gone:
            with st.popover("Export", icon=":material/download:"):
                show_downloads(now.system, now.title)


def show_downloads(system: System, title: str) -> None:
    for form in SYSTEM_FORMATS:
        fits = system_fits(system, form.suffix)
        why_not = None if fits else "A workbook cannot hold so many types."
        data = partial(system_bytes, system, form.suffix)
        download(form.label, data, file_name(title, form.suffix, "system"), why_not)


def show_pairs(system: System) -> None:
    st.subheader("Pairs of task type and machine type", anchor=False)
    offered = [q.word for q in QUANTITIES if system.apc is not None or not q.needs_power]
    word = show_look("Quantity", offered, "system.quantity")
    quantity = _quantity(word)
    show_chart(
        picture(system, word),
        "pairs",
        alt=f"Heat map: {quantity.title.lower()} of each pair of task type and machine type",
    )
    if system.estimated is not None:
        st.caption("A ring marks pairs that are estimates and not measurements.")
    if system.apc is None:
        st.caption("Without powers (APC), there is no power and no energy to show.")


def show_insight(system: System, found: Insight) -> None:
    st.subheader("What the data say", anchor=False)
    st.html(markup.items(sentences(system, found)))
    between_machines, between_tasks = st.columns(2, gap="small", wrap=False)
    with between_machines:
        show_variation(
            "Variation by machine",
            found.machine_variation,
            "How much the time of a task type varies between the machine types that can run it: "
            "the standard deviation divided by the mean (coefficient of variation), averaged "
            "over task types.",
        )
    with between_tasks:
        show_variation(
            "Variation by task",
            found.task_variation,
            "How much the times on a machine type vary between the task types that it can run: the "
            "standard deviation divided by the mean (coefficient of variation), averaged over "
            "machine types.",
        )
    show_detail(system, found)


def show_detail(system: System, found: Insight) -> None:
    """One of the findings in detail."""
    shown = show_look("Detail", ["Best for", "Speed and energy", "Task by task"], "system.detail")
    if shown == "Task by task":
        said = "Where each task type is fastest and thriftiest"
        height = "content" if len(system.task_types) <= 8 else 320
        show_frame(best_table(system, found), said, height=height)
    elif shown == "Best for":
        show_chart(
            best_counts(system, found),
            "best",
            alt="Bar chart: for how many task types each machine type is fastest and thriftiest",
        )
    elif found.thrift is None:
        st.caption("Without powers (APC), the energy is unknown.")
    else:
        show_chart(
            strengths(system, found),
            "strengths",
            alt="Scatter chart: how much slower than the fastest each machine type is on average, "
            "and how much more energy than the thriftiest it takes",
        )


def show_variation(label: str, variation: float | None, meaning: str) -> None:
    value = share(variation, Sense.PLAIN)
    st.metric(label, value, help=meaning, border=True)


def _quantity(word: str) -> PairQuantity:
    return next(quantity for quantity in QUANTITIES if quantity.word == word)


main()
