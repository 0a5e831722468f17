"""The servers of a kind over a day: blocks of jobs on them, and which are awake or asleep."""

from collections.abc import Sequence
from itertools import islice
from typing import Final

import numpy as np

from core.capabilities.centre.day import DayJobs
from core.vocabulary.say.words import Sense, counted, duration
from dashboard.parts.charts.palette import LOSS, PAPER, Paint
from dashboard.parts.charts.text import labels, plain
from dashboard.parts.charts.timeline import spread
from dashboard.screens.centre.day_panels import LEFT, DayPanels, coloured
from dashboard.screens.centre.power_panel import AWAKE, BUSY, STARTING
from dashboard.screens.centre.server_rows import ASLEEP, JobBlock, ServerRows

_ROW: Final = 9.0
_LEAST, _MOST = 64.0, 330.0
MOST_BLOCKS: Final = 1_500
"""Blocks of jobs that are drawn of a kind: the largest."""
MOST_CELLS: Final = 60_000
"""Servers times steps of which the chart shows which are awake; of more servers it shows some."""
_LATE: Final = Paint(LOSS, "/")


def jobs_height(servers: int) -> float:
    """The pixels of the panel of a kind."""
    return min(max(_ROW * servers, _LEAST), _MOST)


def add_jobs(panels: DayPanels, panel: str, rows: ServerRows) -> None:
    """The panel of a kind: a row for each server, from the bottom up."""
    kinds = panels.day.centre.kinds
    kind, name = kinds[rows.kind], labels([one.name for one in kinds])[rows.kind]
    _add_states(panels, panel, rows)
    largest = sorted(rows.blocks, key=lambda one: (one.begin - one.end) * one.servers)
    shown = [*islice(largest, MOST_BLOCKS)]
    late = [_is_late(panels.day.jobs, one) for one in shown]
    for is_late, paint in ((False, Paint(BUSY)), (True, _LATE)):
        blocks = [one for one, of in zip(shown, late, strict=True) if of == is_late]
        if blocks:
            _add_blocks(panels, panel, blocks, paint)
    hidden = len(rows.blocks) - len(shown)
    more = f", without {counted(hidden, 'small block')}" if hidden else ""
    colours = {BUSY: "job", LOSS: "late", AWAKE: "awake", STARTING: "starts"}
    legend = " ".join(coloured(colour, words) for colour, words in colours.items())
    panels.add_title(panel, f"{name}, {counted(kind.count, 'server')}{more}: {legend}")
    panels.drawing.panel_axis(
        panel,
        left=LEFT,
        range=[0, kind.count],
        tickvals=[0, kind.count],
        showgrid=False,
        showline=True,
    )


def _add_states(panels: DayPanels, panel: str, rows: ServerRows) -> None:
    """Which servers are awake or start, behind the blocks."""
    servers, steps = rows.state.shape
    some = spread(servers, max(MOST_CELLS // steps, 1))
    state = rows.state[some].astype(float)
    panels.drawing.add_heatmap(
        {},
        z=np.where(state == ASLEEP, np.nan, state),
        x=panels.edges,
        y=np.append(some, servers).astype(float),
        zmin=1,
        zmax=2,
        colorscale=[[0, AWAKE], [0.5, AWAKE], [0.5, STARTING], [1, STARTING]],
        showscale=False,
        hoverinfo="skip",
        opacity=0.55,
        yaxis=panel,
    )


def _add_blocks(panels: DayPanels, panel: str, blocks: list[JobBlock], paint: Paint) -> None:
    edges, jobs = panels.edges, panels.day.jobs
    panels.drawing.add_bar(
        orientation="h",
        y=[one.first + one.servers / 2 for one in blocks],
        width=[one.servers for one in blocks],
        base=[float(edges[one.begin]) for one in blocks],
        x=[float(edges[one.end] - edges[one.begin]) for one in blocks],
        marker={**paint.marker, "line": {"color": PAPER, "width": 1}},
        text=_labels(jobs, blocks),
        textposition="inside",
        insidetextanchor="middle",
        textangle=0,
        textfont={"color": PAPER},
        showlegend=False,
        yaxis=panel,
        customdata=[_said(panels, one) for one in blocks],
    )


def _labels(jobs: DayJobs, blocks: Sequence[JobBlock]) -> list[str]:
    """What stands in each block that has room for it."""
    names = labels([jobs.names[one.group] for one in blocks])
    return [
        name if one.jobs == 1 else f"{one.jobs:,} × {name}"
        for one, name in zip(blocks, names, strict=True)
    ]


def _is_late(jobs: DayJobs, block: JobBlock) -> bool:
    return bool(jobs.lateness(np.array([block.group]), np.array([block.begin]))[0] > 0)


def _said(panels: DayPanels, block: JobBlock) -> str:
    """What a block is, when it runs and is due."""
    jobs, step, clock = panels.day.jobs, panels.day.step, panels.clock
    group = block.group
    width = counted(int(jobs.width[group]), "server")
    each = f" of {width}" if block.jobs == 1 else f" of {width} each"
    name = plain(jobs.names[group])
    due, end = float(jobs.due[group]) * step, block.end * step
    late = f", <b>{duration(end - due, Sense.PLAIN)} late</b>" if end > due else ""
    lines = (
        f"<b>{name}</b>: {counted(block.jobs, 'job')}{each}",
        panels.said(block.begin, block.end),
        f"released {clock.said(int(jobs.release[group]) * step)}",
        f"due {clock.said(due)}{late}",
    )
    return "<br>".join(lines)
