"""The Gantt chart of any pool of an outcome."""

import numpy as np
import streamlit as st

from core.replay.outcome import ReplayOutcome
from dashboard.arrivals.gantt_chart import pool_gantt
from dashboard.arrivals.gantt_rows import pool_rows
from dashboard.common.drawing import TOOLS


def busiest_pool(outcome: ReplayOutcome) -> int:
    """The pool whose units work longest in all."""
    options = outcome.workload.options
    used = outcome.option[outcome.ran]
    worked = (outcome.end - outcome.start)[outcome.ran] * options.units[used]
    return int(np.bincount(options.pool[used], worked, len(outcome.workload.pools)).argmax())


def show_pool(outcome: ReplayOutcome, name: str, label: str) -> None:
    """The choice of a pool, and its chart; `name` is that of the widgets, `label` of the policy."""
    pools = outcome.workload.pools
    key = f"arrivals.{name}"
    if st.session_state.get(key, 0) not in range(len(pools)):
        st.session_state.pop(key, None)
    pool = st.selectbox(
        "Pool",
        list(range(len(pools))),
        busiest_pool(outcome),
        format_func=lambda p: f"{pools.names[p]} ({pools.units[p]:,} units)",
        key=key,
        width=320,
        persist_state="session",
    )
    rows = pool_rows(outcome, pool)
    st.plotly_chart(
        pool_gantt(outcome, rows),
        key=f"arrivals_{name}_gantt" if name != "pool" else "arrivals_gantt",
        config=TOOLS,
        alt=f"Gantt chart of a pool under {label}: jobs as bars, units as rows",
    )
    if not len(rows.job):
        st.caption("No job ran on this pool.")
    there = int(pools.units[pool])
    if len(rows.units) < there:
        st.caption(
            f"{len(rows.units)} of {there:,} units are shown, evenly far from each other. Each row "
            "is one unit, with all of its jobs."
        )
