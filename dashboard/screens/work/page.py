"""Work: the task types, how long each takes on each machine type and at which power, when they come
and what they ask for and are worth; to edit.
"""

from collections.abc import Iterator

import numpy as np
import streamlit as st

from core import System
from core.shells.told.told import KeyFigure
from core.vocabulary.say.words import Sense, amount, share
from dashboard.parts.frame import markup
from dashboard.parts.machines.insight import Insight, best_table, of_tasks, trade_off
from dashboard.parts.machines.pairs import found_in, show_pairs
from dashboard.parts.tables.editor import show_tables
from dashboard.parts.taking.heading import show_heading
from dashboard.parts.told import figures_row, show_frame, show_key_figures
from dashboard.screens.work.arrivals_panel import show_arrivals
from dashboard.screens.work.classes_panel import open_classes, show_classes
from dashboard.screens.work.requests_panel import show_requests
from dashboard.workspace import session


def main() -> None:
    show_heading("Work")
    open_classes()
    system = session.system()
    with st.spinner("Reading the data …"):
        found = found_in(system)
    st.header(trade_off(system, found), anchor=False)
    left, right = st.columns([3, 2], gap="large")
    with left:
        show_pairs(system)
    with right:
        with figures_row():
            show_key_figures(figures(system, found), "content")
        st.html(markup.items(of_tasks(system, found)))
        show_best(system, found)
    show_tables("tasks", "etc", "apc", "estimated")
    show_arrivals()
    show_requests()
    show_classes()
    st.page_link(
        "screens/machines/page.py",
        label="How many machines there are, and what they draw while idle: Machines",
        icon=":material/dns:",
    )


def show_best(system: System, found: Insight) -> None:
    """Where each task type is fastest and thriftiest."""
    said = "Where each task type is fastest and thriftiest"
    st.subheader(said, anchor=False)
    height = "content" if len(system.task_types) <= 8 else 320
    show_frame(best_table(system, found), said, height=height)


def figures(system: System, found: Insight) -> Iterator[KeyFigure]:
    runs = int(np.isfinite(system.etc).sum())
    yield KeyFigure("Tasks", amount(system.tasks, Sense.PLAIN), "Of all types.")
    yield KeyFigure(
        "Pairs that can run",
        f"{runs:,} of {system.etc.size:,}",
        "A pair is a task type and a machine type.",
    )
    yield KeyFigure(
        "Variation",
        share(found.task_variation, Sense.PLAIN),
        "How much the times on a machine type vary between the task types that it can run: the "
        "standard deviation divided by the mean (coefficient of variation), averaged over machine "
        "types.",
    )


main()
