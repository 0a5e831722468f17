"""The preview of a derived system: its types, its pairs, times, runs over time, and the replay."""

from typing import Final

import streamlit as st

from core import System
from core.vocabulary.say.words import counted
from dashboard.parts.charts.drawing import TOOLS
from dashboard.parts.fields.choice import show_choice
from dashboard.parts.frame import markup
from dashboard.screens.system import log_words
from dashboard.screens.system.log_answer import LogAnswer
from dashboard.screens.system.log_charts import (
    pairs_chart,
    replay_chart,
    timeline_chart,
    types_chart,
    values_chart,
)

_TYPES: Final = "Types"
_PAIRS: Final = "Pairs"
_TIMES: Final = "Times"
_OVER_TIME: Final = "Over time"
_REPLAYED: Final = "Replayed"
_MOST_REASONS: Final = 200


def show_preview(found: LogAnswer, system: System, *, is_compared: bool) -> None:
    """One of the pictures, and what was taken for granted. `is_compared` if the comparison with
    what was possible has ended.
    """
    offered = [_TYPES, _PAIRS, _TIMES]
    if found.timeline is not None:
        offered.append(_OVER_TIME)
    if found.replayed is not None:
        offered.append(_REPLAYED)
    shown = show_choice(
        "Preview",
        offered,
        default=_TYPES,
        key="log.preview",
        persist_state="session",
        label_visibility="collapsed",
    )
    if shown == _TYPES:
        _show_types(found, system)
    elif shown == _PAIRS:
        _show_pairs(found, system)
    elif shown == _TIMES:
        _show_times(found, system)
    elif shown == _OVER_TIME and found.timeline is not None:
        st.plotly_chart(
            timeline_chart(found.timeline),
            key="log.timeline",
            config=TOOLS,
            alt="Bar chart: runs that began in each span of time, used and not used",
        )
    else:
        _show_replayed(found, is_compared=is_compared)
    with st.expander("What was taken for granted"):
        st.html(markup.items(found.notes))


def _show_types(found: LogAnswer, system: System) -> None:
    left, right = st.columns(2, gap="medium")
    for column, names, runs, title in (
        (left, system.task_names, found.task_runs, "Task type"),
        (right, system.machine_names, found.machine_runs, "Machine type"),
    ):
        with column:
            st.plotly_chart(
                types_chart(names, runs, title),
                key=f"log.{title}",
                config=TOOLS,
                alt=f"Bar chart: runs of each {title.lower()}",
            )


def _show_pairs(found: LogAnswer, system: System) -> None:
    st.plotly_chart(
        pairs_chart(found, system),
        key="log.pairs",
        config=TOOLS,
        alt="Heat map: runs of each pair of task type and machine type, with estimates marked",
    )
    if said := log_words.signs(found):
        st.caption(said)
    if found.error is not None:
        st.html(markup.note(found.error))
    if reasons := log_words.why_not(found):
        with st.expander(f"Why {counted(len(found.cannot_run), 'pair')} cannot run"):
            more = len(reasons) - _MOST_REASONS
            rest = [f"and {more:,} more; Provenance has all of them"] if more > 0 else []
            st.html(markup.items([*reasons[:_MOST_REASONS], *rest]))
            st.caption("To let a pair run nevertheless, choose it below More choices.")


def _show_times(found: LogAnswer, system: System) -> None:
    names = system.task_names
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        task = st.selectbox("Task type", names, key=f"log.times.{hash(names)}", width=280)
        quantity = "Time"
        if system.apc is not None:
            quantity = show_choice(
                "Quantity", ["Time", "Power"], default="Time", key="log.quantity"
            )
    st.plotly_chart(
        values_chart(found, system, names.index(task), of_power=quantity == "Power"),
        key="log.times.chart",
        config=TOOLS,
        alt=f"Chart: {quantity.lower()} of the task type on each machine type, its spread and the "
        "typical value",
    )


def _show_replayed(found: LogAnswer, *, is_compared: bool) -> None:
    said = log_words.replay_in_words(found)
    if said is None:
        st.caption(
            "No comparison was made." if is_compared else "Comparing with what was possible …"
        )
        return
    st.html(markup.note(said))
    if found.replay is not None and len(found.replay.schedules):
        st.plotly_chart(
            replay_chart(found),
            key="log.replay",
            config=TOOLS,
            alt="Chart: energy and makespan of the log's runs, beside the bound and schedules of "
            "the same tasks",
        )
    sentences, parts = log_words.replay_differences(found)
    for sentence in sentences:
        st.html(markup.note(sentence))
    if parts:
        st.html(markup.items(parts))
    st.caption("This assumes:")
    st.html(markup.items(log_words.replay_assumptions(found)))
