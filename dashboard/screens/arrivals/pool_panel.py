"""The Gantt chart of any pool of an outcome."""

from typing import Any

import numpy as np
import streamlit as st

from core.engines.replay.outcome import ReplayOutcome
from core.vocabulary.say.words import counted
from dashboard.parts.charts.shown import show_chart
from dashboard.screens.arrivals.gantt_chart import pool_gantt, pool_rows


def busiest_pool(outcome: ReplayOutcome) -> int:
    """The pool whose units work longest in all."""
    options = outcome.workload.options
    used = outcome.option[outcome.ran]
    worked = (outcome.end - outcome.start)[outcome.ran] * options.units[used]
    return int(np.bincount(options.pool[used], worked, len(outcome.workload.pools)).argmax())


def choose_pool(outcome: ReplayOutcome, pool: int, key: str, **settings: Any) -> int:
    """A choice of a pool, at first this one. `settings` are arguments of Streamlit's selectbox."""
    pools = outcome.workload.pools
    chosen: int = st.selectbox(
        "Pool",
        list(range(len(pools))),
        pool,
        format_func=lambda p: f"{pools.names[p]} ({pools.units[p]:,} units)",
        key=key,
        width=320,
        **settings,
    )
    return chosen


def show_pool(outcome: ReplayOutcome, pool: int, name: str, label: str) -> None:
    """The chart of a pool; `name` is that of the chart, `label` of the policy."""
    rows, there = pool_rows(outcome, pool), int(outcome.workload.pools.units[pool])
    show_chart(
        pool_gantt(outcome, rows),
        name,
        alt=f"Gantt chart of a pool under {label}: {counted(len(rows.job), 'bar')}, a job or some "
        f"short ones each, on {len(rows.units):,} of {there:,} units as rows",
    )
    if not len(rows.job):
        st.caption("No job ran on this pool.")
    if len(rows.units) < there:
        st.caption(
            f"{len(rows.units)} of {there:,} units are shown, evenly far from each other. Each row "
            "is one unit, with all of its jobs."
        )
