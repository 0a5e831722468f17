"""Machines: what each machine type is good at, and all that is said of it, to edit."""

from collections.abc import Iterator

import streamlit as st

from core import System
from core.shells.told.told import KeyFigure
from core.vocabulary.say.words import NOTHING, Sense, amount, power, share
from dashboard.parts.charts.shown import show_chart
from dashboard.parts.fields.setting import show_look
from dashboard.parts.frame import markup
from dashboard.parts.machines.insight import Insight, best_somewhere, of_machines
from dashboard.parts.machines.pairs import found_in
from dashboard.parts.tables.editor import show_tables
from dashboard.parts.taking.heading import show_heading
from dashboard.parts.told import figures_row, show_key_figures
from dashboard.screens.machines.strengths_chart import best_counts, strengths
from dashboard.workspace import session


def main() -> None:
    show_heading("Machines")
    system = session.system()
    with st.spinner("Reading the data …"):
        found = found_in(system)
    st.header(best_somewhere(system, found), anchor=False)
    left, right = st.columns([3, 2], gap="large")
    with left:
        show_strengths(system, found)
    with right:
        with figures_row():
            show_key_figures(figures(system, found), "content")
        st.html(markup.items(of_machines(system, found)))
    if said := idle_power_said():
        st.caption(said)
    show_tables("machines")
    st.page_link(
        "screens/work/page.py",
        label="How long each task takes on them, and at which power: Work",
        icon=":material/assignment:",
    )


def show_strengths(system: System, found: Insight) -> None:
    shown = show_look("Detail", ["Best for", "Speed and energy"], "machines.detail")
    if shown == "Best for":
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


def idle_power_said() -> str | None:
    """Says whether a share of the power at work counts in place of the idle powers of the table."""
    now = session.workspace()
    if now.idle.idle_power is None or now.system.apc is None:
        return None
    until = (
        "you type one"
        if now.idle_is_proposed
        else "the chip Idle power above is set to *As in the system*"
    )
    return (
        f"{share(now.idle.idle_power, Sense.TYPED)} of the power at work counts as idle power, not "
        f"the numbers of this table, until {until}."
    )


def figures(system: System, found: Insight) -> Iterator[KeyFigure]:
    idle = NOTHING if system.apc is None else power(system.total_idle_power, Sense.PLAIN)
    yield KeyFigure("Machines", amount(system.machines, Sense.PLAIN), "Of all types.")
    yield KeyFigure("Idle power", idle, "What all machines draw while they do nothing.")
    yield KeyFigure(
        "Variation",
        share(found.machine_variation, Sense.PLAIN),
        "How much the time of a task type varies between the machine types that can run it: the "
        "standard deviation divided by the mean (coefficient of variation), averaged over task "
        "types.",
    )


main()
