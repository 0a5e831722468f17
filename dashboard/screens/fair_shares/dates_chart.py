"""Each bag over time: its release, how long it takes alone, and by when it is done."""

from typing import Any, Final, NamedTuple

import plotly.graph_objects as go

from core.capabilities.fair_shares.bags import ArrivingBags
from core.capabilities.fair_shares.day_clock import DayClock
from core.vocabulary.arrays import FloatArray
from core.vocabulary.say.leaders import MOST_TASK_TYPES
from core.vocabulary.say.words import Sense, duration
from dashboard.parts.charts.drawing import Drawing
from dashboard.parts.charts.palette import (
    GHOST,
    HATCHED,
    INK,
    LOSS,
    MIXED,
    OURS,
    PAPER,
    Paint,
    paint_task,
)
from dashboard.parts.charts.text import label, plain
from dashboard.screens.fair_shares.day_axis import day_axis

_ROW_PIXELS: Final = 30
_NAME: Final = 22


class PromisedDates(NamedTuple):
    """When each bag is done at the latest (s), whether that can be kept, how long each takes alone
    (s), the promises before a change, if there is one, and when whole tasks end, if that is known.
    """

    due: FloatArray
    can_be_kept: bool
    alone: FloatArray
    before: FloatArray | None = None
    whole: FloatArray | None = None


def paint_bag(bag: int) -> Paint:
    """The paint of a bag, the same in all charts."""
    return paint_task(bag) if bag < MOST_TASK_TYPES else MIXED


def dates_figure(
    bags: ArrivingBags, promised: PromisedDates, clock: DayClock, picked: int | None = None
) -> go.Figure:
    """Solid: alone from the release on. Hatched: until the promise, which is the diamond. The name
    of the bag that is picked is bold.
    """
    release = bags.release[bags.present]
    due, alone = promised.due, promised.alone
    every = [release, due, *(one for one in (promised.before, promised.whole) if one is not None)]
    first, last = min(float(one.min()) for one in every), max(float(one.max()) for one in every)
    drawing = Drawing()
    rows = list(range(len(release)))
    names = [plain(name) for name in bags.names]
    said = [
        f"<b>{name}</b><br>released {clock.said(r, Sense.PLAIN, last - first)}<br>"
        f"alone {duration(a, Sense.LOWER_BOUND)}<br>"
        f"done by {clock.said(d, Sense.SPENT, last - first)}"
        for name, r, a, d in zip(names, release, alone, due, strict=True)
    ]
    if promised.whole is not None:
        said = [
            f"{text}<br>as whole tasks by {clock.said(end, Sense.SPENT, last - first)}"
            for text, end in zip(said, promised.whole.tolist(), strict=True)
        ]
    marks = [[row, text] for row, text in zip(rows, said, strict=True)]
    same = {"marker": {"opacity": 1}}  # the page says what is picked
    hover: dict[str, Any] = {
        "customdata": marks,
        "hovertemplate": "%{customdata[1]}<extra></extra>",
        "selected": same,
        "unselected": same,
    }
    drawing.add_bar(
        orientation="h",
        y=rows,
        base=release.tolist(),
        x=(due - release).tolist(),
        width=0.5,
        name="until the promise",
        marker={"color": HATCHED["bgcolor"], "pattern": HATCHED},
        **hover,
    )
    for row in rows:
        drawing.add_bar(
            orientation="h",
            y=[row],
            base=[float(release[row])],
            x=[float(alone[row])],
            width=0.5,
            name="alone",
            legendgroup="alone",
            showlegend=row == 0,
            marker=paint_bag(row).marker,
            **(hover | {"customdata": [marks[row]]}),
        )
    if promised.before is not None:
        drawing.add_scatter(
            x=promised.before.tolist(),
            y=rows[: len(promised.before)],
            mode="markers",
            name="promise before the change",
            marker={"symbol": "diamond-open", "size": 12, "color": GHOST, "line": {"width": 2}},
            hoverinfo="skip",
        )
    if promised.whole is not None:
        drawing.add_scatter(
            x=promised.whole.tolist(),
            y=rows,
            mode="markers",
            name="whole tasks end",
            marker={
                "symbol": "circle",
                "size": 9,
                "color": OURS,
                "line": {"color": PAPER, "width": 1},
            },
            **hover,
        )
    drawing.add_scatter(
        x=due.tolist(),
        y=rows,
        mode="markers",
        name="promise" if promised.can_be_kept else "promise that cannot be kept",
        marker={
            "symbol": "diamond" if promised.can_be_kept else "x",
            "size": 12,
            "color": INK if promised.can_be_kept else LOSS,
            "line": {"color": PAPER, "width": 1},
        },
        **hover,
    )
    drawing.add_scatter(
        x=release.tolist(),
        y=rows,
        mode="markers",
        name="release",
        marker={"symbol": "line-ns", "size": 18, "color": INK, "line": {"color": INK, "width": 3}},
        **hover,
    )
    day_axis(drawing, clock, first, last)
    drawing.y_names(
        "",
        tickvals=rows,
        ticktext=[
            f"<b>▸ {label(name, _NAME)}</b>" if row == picked else label(name, _NAME)
            for row, name in enumerate(bags.names)
        ],
        range=[len(rows) - 0.4, -0.6],
        showgrid=False,
        automargin=True,
    )
    return drawing.figure(
        110 + _ROW_PIXELS * len(rows), above=34, barmode="overlay", hoverlabel={"align": "left"}
    )
