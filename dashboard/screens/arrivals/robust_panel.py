"""The part of the page Arrivals on bags with uncertain run times."""

import streamlit as st

from core.capabilities.arrivals.bags_told import thriftiest
from core.capabilities.arrivals.told import policy_label
from core.capabilities.arrivals.trials import BagFigure
from core.capabilities.arrivals.uncertain.methods import BAG_METHODS
from dashboard.parts.charts.shown import show_chart
from dashboard.parts.told import show_sentences, show_table
from dashboard.screens.arrivals.comparison_chart import boxes_figure
from dashboard.screens.arrivals.pool_panel import busiest_pool, choose_pool, show_pool
from dashboard.screens.arrivals.replaying import ArrivalsFound


def show_bags(found: ArrivalsFound) -> None:
    """Expected against actual makespan and energy of each method."""
    left, right = st.columns(2, gap="large")
    with left:
        _show_boxes(found, "makespan", "makespans", found.told.lead)
    with right:
        _show_boxes(found, "joules", "energies", thriftiest(found.shown))
    explained = "A box is the middle half of all bags; its line is the median."
    if found.shown.bag_bounds("makespan").size:
        explained += (
            " The dashed line is the mean of the lower bounds: what no method could have beaten, "
            "had it known how long each task takes."
        )
    st.caption(explained)
    first, *others = found.tables
    show_table(first)
    for table in others:
        st.subheader(table.title, anchor=False)
        show_table(table)
    show_sentences(found.told)
    if found.records:
        show_first_bag(found)


def _show_boxes(found: ArrivalsFound, figure: BagFigure, name: str, said: str) -> None:
    title = "Makespan" if figure == "makespan" else "Energy"
    st.subheader(title, anchor=False)
    show_chart(
        boxes_figure(found.shown, figure),
        f"arrivals_{name}",
        alt=f"Box chart: expected and actual {title.lower()} of each method. {said}",
    )


def show_first_bag(found: ArrivalsFound) -> None:
    """A Gantt chart of any machine in the first bag."""
    st.subheader("The first bag, core by core", anchor=False)
    methods = [method for method in BAG_METHODS if method in found.records]
    best = found.shown.ranked[0]
    # Once all replays are there, the best is chosen anew.
    key = f"arrivals.bag method {found.done == found.replays}"
    if st.session_state.get(key) not in methods:
        st.session_state.pop(key, None)
    with st.container(horizontal=True, gap="small"):
        method: str = st.selectbox(
            "Method",
            methods,
            methods.index(best) if best in methods else 0,
            format_func=policy_label,
            key=key,
            width=320,
            persist_state="session",
        )
        outcome, key = found.records[method], "arrivals.bag pool"
        machines = range(len(outcome.workload.pools))
        usual = busiest_pool(outcome)
        if st.session_state.get(key, usual) not in machines:
            st.session_state.pop(key, None)
        pool = choose_pool(outcome, usual, key, persist_state="session")
    show_pool(outcome, pool, "arrivals_bag_gantt", policy_label(method))
