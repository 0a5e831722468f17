"""The part of the page Policies on bags with uncertain run times."""

import streamlit as st

from core.capabilities.arrivals.bags_told import thriftiest
from core.capabilities.arrivals.trials import BagFigure
from core.shells.told.told import Told
from dashboard.parts.charts.shown import show_chart
from dashboard.parts.told import show_sentences, show_table
from dashboard.screens.arrivals.comparison_chart import boxes_figure
from dashboard.screens.arrivals.replaying import ArrivalsFound


def show_bags(found: ArrivalsFound, said: Told) -> None:
    """Expected against actual makespan and energy of each method."""
    left, right = st.columns(2, gap="large")
    with left:
        _show_boxes(found, "makespan", "makespans", said.lead)
    with right:
        _show_boxes(found, "joules", "energies", thriftiest(found.shown))
    explained = "A box is the middle half of all bags; its line is the median."
    if found.shown.bag_bounds("makespan").size:
        explained += (
            " The dashed line is the mean of the lower bounds: what no method could have beaten, "
            "had it known how long each task takes."
        )
    st.caption(explained)
    first, *others = said.tables
    show_table(first)
    for table in others:
        st.subheader(table.title, anchor=False)
        show_table(table)
    show_sentences(said)


def _show_boxes(found: ArrivalsFound, figure: BagFigure, name: str, said: str) -> None:
    title = "Makespan" if figure == "makespan" else "Energy"
    st.subheader(title, anchor=False)
    show_chart(
        boxes_figure(found.shown, figure),
        f"arrivals_{name}",
        alt=f"Box chart: expected and actual {title.lower()} of each method. {said}",
    )
