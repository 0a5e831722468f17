"""The preview of a derived system: its types, its pairs, times, runs over time, and the replay."""

import math
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from textwrap import wrap
from typing import Final

import numpy as np
import plotly.graph_objects as go
import streamlit as st

from core import System
from core.capabilities.derive.told import differences_in_words, error_in_words, notes
from core.engines.logs.derived.derivation import Derivation
from core.vocabulary.say.units import energy_unit, time_unit
from core.vocabulary.say.words import Sense, counted, duration, energy
from dashboard.parts.charts.drawing import Drawing, log_ticks, makespan_title
from dashboard.parts.charts.heat_map import name_ticks
from dashboard.parts.charts.palette import BOUND, CHOSEN, INK, OTHERS, OURS
from dashboard.parts.charts.shown import show_chart
from dashboard.parts.charts.text import labels, plain
from dashboard.parts.fields.setting import show_choice, show_look
from dashboard.parts.frame import markup
from dashboard.screens.importing import log_words
from dashboard.screens.importing.log_answer import (
    LAST_DATE,
    YEAR,
    LogAnswer,
    RunsOverTime,
    cannot_run,
)

MOST_TYPES: Final = 30
_ROW_PIXELS: Final = 24


def types_chart(names: Sequence[str], runs: Sequence[int], title: str) -> go.Figure:
    """How many used runs each type has, the most frequent first."""
    order = sorted(range(len(names)), key=lambda k: -runs[k])[:MOST_TYPES]
    drawing = Drawing()
    drawing.add_bar(
        orientation="h",
        y=list(range(len(order))),
        x=[runs[k] for k in order],
        marker={"color": OURS},
        customdata=[f"<b>{plain(names[k])}</b><br>{counted(runs[k], 'run')}" for k in order],
    )
    drawing.x_axis("Runs", rangemode="tozero")
    more = len(names) - len(order)
    said = f"{title} (first {len(order)} of {len(names):,})" if more > 0 else title
    drawing.rows(labels([names[k] for k in order]), said)
    return drawing.figure(max(96 + _ROW_PIXELS * len(order), 180), bargap=0.3)


def pairs_chart(derived: Derivation) -> go.Figure:
    """How many runs each pair has: dark means many. ≈ marks estimates, × pairs that cannot run."""
    system = derived.system
    shape, why = system.etc.shape, cannot_run(derived)
    runs = np.zeros(shape)
    for pair, estimate in derived.runs.seconds.items():
        runs[pair] = estimate.runs
    possible = np.isfinite(system.etc)
    estimated = possible & ~derived.measured
    gap = 1 if shape[0] <= _MOST_NAMES_DOWN else 0
    drawing = Drawing()
    drawing.add_heatmap(
        log_ticks(1.0, max(float(runs.max(initial=1)), 2.0)),
        "Runs of the pair (log scale)",
        z=np.where(runs > 0, np.log10(np.maximum(runs, 1)), np.nan),
        zmin=0,
        zmax=max(float(np.log10(max(runs.max(initial=1), 2))), 0.3),
        customdata=[
            [_pair_in_words(derived, why, i, j) for j in range(shape[1])] for i in range(shape[0])
        ],
        hoverongaps=True,
        xgap=gap,
        ygap=gap,
    )
    for mask, sign in ((estimated, "≈"), (~possible, "×")):
        rows, columns = np.nonzero(mask)
        if 0 < len(rows) <= _MOST_SIGNS:
            drawing.add_scatter(
                x=columns,
                y=rows,
                mode="text",
                text=[sign] * len(rows),
                textfont={"size": 14 if gap else 7, "color": INK},
                hoverinfo="skip",
                showlegend=False,
            )
    drawing.x_names(
        "Machine type",
        **name_ticks(system.machine_names, np.arange(shape[1] + 1), _MOST_NAMES_ACROSS, 12),
        showgrid=False,
    )
    drawing.y_names(
        "Task type",
        **name_ticks(system.task_names, np.arange(shape[0] + 1), _MOST_NAMES_DOWN),
        range=[shape[0] - 0.5, -0.5],
        showgrid=False,
    )
    return drawing.figure(min(max(170 + 16 * shape[0], 280), 720), above=56)


_MOST_SIGNS: Final = 3_000
_MOST_NAMES_DOWN: Final = 36
_HOVER: Final = 50
"""Characters of a line that appears beside the pointer."""
_MOST_NAMES_ACROSS: Final = 20


def _pair_in_words(
    derived: Derivation, why: Mapping[tuple[str, str], str], task: int, machine: int
) -> str:
    system = derived.system
    head = f"<b>{plain(system.task_names[task])}</b> on {plain(system.machine_names[machine])}<br>"
    estimate = derived.runs.seconds.get((task, machine))
    seconds = float(system.etc[task, machine])
    if not np.isfinite(seconds):
        pair = system.task_names[task], system.machine_names[machine]
        lines = wrap(why.get(pair, ""), _HOVER)
        return "<br>".join([f"{head}cannot run", *map(plain, lines)])
    said = duration(seconds, Sense.PLAIN)
    if not derived.measured[task, machine] or estimate is None:
        few = f", {counted(estimate.runs, 'run')} only" if estimate else ", no runs"
        return f"{head}≈ {said} (estimated{few})"
    between = ""
    if np.isfinite(estimate.low):
        low, high = duration(estimate.low, Sense.PLAIN), duration(estimate.high, Sense.PLAIN)
        between = f"<br>95 % sure: {low} to {high}"
    return f"{head}{said} from {counted(estimate.runs, 'run')}{between}"


def values_chart(derived: Derivation, task: int, *, of_power: bool) -> go.Figure:
    """The times of one task type on each machine type, or the powers: as a line four fifths of the
    runs, as a bar half of them, as a point the typical value. Estimates are hollow points.
    """
    system, runs = derived.system, derived.runs
    estimates = runs.watts if of_power else runs.seconds
    values = system.apc if of_power and system.apc is not None else system.etc
    machines = np.flatnonzero(np.isfinite(system.etc[task])).tolist()
    marked = ~derived.measured[task] | np.array(
        [(task, j) not in estimates for j in range(len(values[task]))]
    )
    drawing = Drawing()
    for width, low, high, name in (
        (2, "tenth", "nine_tenths", "four fifths of the runs"),
        (9, "quarter", "three_quarters", "half of the runs"),
    ):
        x: list[float | None] = []
        y: list[int | None] = []
        for row, j in enumerate(machines):
            if not marked[j]:
                ends = (getattr(estimates[task, j], end) for end in (low, high))
                x += [*map(math.log10, ends), None]
                y += [row, row, None]
        colour = OTHERS if width < 5 else OURS
        look = {"width": width, "color": colour}
        drawing.add_scatter(x=x, y=y, mode="lines", name=name, line=look, hoverinfo="skip")
    for is_estimate, name in ((False, "typical value"), (True, "estimate")):
        rows = [row for row, j in enumerate(machines) if bool(marked[j]) is is_estimate]
        drawing.add_scatter(
            x=[math.log10(values[task, machines[row]]) for row in rows],
            y=rows,
            mode="markers",
            name=name,
            marker={
                "size": 11,
                "symbol": "circle-open" if is_estimate else "circle",
                "color": CHOSEN,
                "line": {"width": 2, "color": CHOSEN},
            },
            customdata=[_pair_in_words(derived, {}, task, machines[row]) for row in rows],
        )
    shown = values[task, machines]
    drawing.x_names(
        "Power of one machine (W)" if of_power else "Time on one machine (s)",
        **log_ticks(float(shown.min()) / 2, float(shown.max()) * 2),
    )
    drawing.rows(labels([system.machine_names[j] for j in machines]))
    return drawing.figure(max(130 + 30 * len(machines), 220), above=40, showlegend=True)


def replay_chart(found: LogAnswer) -> go.Figure:
    """What the log's runs took, beside what is possible: the bound and schedules."""
    log_took, replay = found.replayed, found.replay
    drawing = Drawing()
    if log_took is None or log_took.joules is None or replay is None:
        return drawing.figure(200)
    log = np.array([[log_took.joules, log_took.makespan]])
    every = np.concatenate([log, replay.bound, replay.schedules])
    joules, seconds = energy_unit(float(every[:, 0].max())), time_unit(float(every[:, 1].max()))
    for points, name, sense, look in (
        (
            replay.bound,
            "no schedule is below (proven)",
            Sense.LOWER_BOUND,
            {"mode": "lines", "line": {"color": BOUND}},
        ),
        (
            replay.schedules,
            "schedules of the same tasks",
            Sense.SPENT,
            {"mode": "markers", "marker": {"size": 7, "color": OURS}},
        ),
        (
            log,
            "the log",
            Sense.PLAIN,
            {"mode": "markers", "marker": {"size": 14, "symbol": "diamond", "color": CHOSEN}},
        ),
    ):
        drawing.add_scatter(
            x=joules.of(points[:, 0]),
            y=seconds.of(points[:, 1]),
            name=name,
            customdata=[
                f"{energy(spent, sense)}<br>{duration(took, sense)}"
                for spent, took in points.tolist()
            ],
            **look,
        )
    drawing.x_axis(f"Energy ({joules.symbol})", rangemode="tozero")
    drawing.y_axis(makespan_title(seconds), rangemode="tozero")
    return drawing.figure(360, above=40, showlegend=True)


def timeline_chart(timeline: RunsOverTime) -> go.Figure:
    """Runs that began in each span of time: those that are used, and those that are not."""
    middles = (timeline.edges[:-1] + timeline.edges[1:]) / 2
    dated = YEAR < timeline.edges[0] <= timeline.edges[-1] < LAST_DATE
    x: list[object] = (
        [datetime.fromtimestamp(moment, UTC).isoformat()[:19] for moment in middles.tolist()]
        if dated
        else (middles / 3600).tolist()
    )
    drawing = Drawing()
    for values, name, colour in (
        (timeline.used, "used", OURS),
        (timeline.rejected, "not used", OTHERS),
    ):
        drawing.add_bar(x=x, y=values, name=name, marker={"color": colour})
    if dated:
        drawing.x_names("Start of the run", type="date")
    else:
        drawing.x_axis("Start of the run (h after the beginning of the log)")
    drawing.y_axis("Runs", rangemode="tozero")
    return drawing.figure(300, above=40, barmode="stack", bargap=0, showlegend=True)


_TYPES: Final = "Types"
_PAIRS: Final = "Pairs"
_TIMES: Final = "Times"
_OVER_TIME: Final = "Over time"
_REPLAYED: Final = "Replayed"
_MOST_REASONS: Final = 200


def show_preview(found: LogAnswer, derived: Derivation, *, is_compared: bool) -> None:
    """One of the pictures, and what was taken for granted. `is_compared` if the comparison with
    what was possible has ended.
    """
    offered = [_TYPES, _PAIRS, _TIMES]
    if found.timeline is not None:
        offered.append(_OVER_TIME)
    if found.replayed is not None:
        offered.append(_REPLAYED)
    shown = show_look("Preview", offered, "log.preview")
    if shown == _TYPES:
        _show_types(found, derived.system)
    elif shown == _PAIRS:
        _show_pairs(derived)
    elif shown == _TIMES:
        _show_times(derived)
    elif shown == _OVER_TIME and found.timeline is not None:
        show_chart(
            timeline_chart(found.timeline),
            "log.timeline",
            alt="Bar chart: runs that began in each span of time, used and not used",
        )
    else:
        _show_replayed(found, derived, is_compared=is_compared)
    with st.expander("Assumptions"):
        st.html(markup.items(notes(derived)))


def _show_types(found: LogAnswer, system: System) -> None:
    left, right = st.columns(2, gap="medium")
    for column, names, runs, title in (
        (left, system.task_names, found.task_runs, "Task type"),
        (right, system.machine_names, found.machine_runs, "Machine type"),
    ):
        with column:
            show_chart(
                types_chart(names, runs, title),
                f"log.{title}",
                alt=f"Bar chart: runs of each {title.lower()}",
            )


def _show_pairs(derived: Derivation) -> None:
    show_chart(
        pairs_chart(derived),
        "log.pairs",
        alt="Heat map: runs of each pair of task type and machine type, with estimates marked",
    )
    if said := log_words.signs(derived):
        st.caption(said)
    if (error := error_in_words(derived)) is not None:
        st.html(markup.note(error))
    if reasons := log_words.why_not(derived):
        with st.expander(f"Why {counted(len(derived.misfits), 'pair')} cannot run"):
            more = len(reasons) - _MOST_REASONS
            rest = [f"and {more:,} more; Provenance has all of them"] if more > 0 else []
            st.html(markup.items([*reasons[:_MOST_REASONS], *rest]))
            st.caption("To let a pair run nevertheless, choose it below More choices.")


def _show_times(derived: Derivation) -> None:
    names = derived.system.task_names
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        task = st.selectbox("Task type", names, key=f"log.times.{hash(names)}", width=280)
        quantity = "Time"
        if derived.system.apc is not None:
            quantity = show_choice(
                "Quantity", ["Time", "Power"], default="Time", key="log.quantity"
            )
    show_chart(
        values_chart(derived, names.index(task), of_power=quantity == "Power"),
        "log.times.chart",
        alt=f"Chart: {quantity.lower()} of the task type on each machine type, its spread and the "
        "typical value",
    )


def _show_replayed(found: LogAnswer, derived: Derivation, *, is_compared: bool) -> None:
    said = log_words.replay_in_words(found)
    if said is None or found.replayed is None:
        st.caption(
            "No comparison was made." if is_compared else "Comparing with what was possible …"
        )
        return
    st.html(markup.note(said))
    if found.replay is not None and len(found.replay.schedules):
        show_chart(
            replay_chart(found),
            "log.replay",
            alt="Chart: energy and makespan of the log's runs, beside the bound and schedules of "
            "the same tasks",
        )
    sentences, parts = differences_in_words(found.replayed, derived.settings)
    for sentence in sentences:
        st.html(markup.note(sentence))
    if parts:
        st.html(markup.items(parts))
    st.caption("This assumes:")
    st.html(markup.items(log_words.replay_assumptions(found.replayed)))
