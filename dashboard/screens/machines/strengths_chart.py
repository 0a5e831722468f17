"""What machine types are good at: how far each is from the best, and how often it is the best."""

from typing import Final

import numpy as np
import plotly.graph_objects as go

from core import System
from core.vocabulary.say.words import Sense, share
from dashboard.parts.charts.drawing import Drawing
from dashboard.parts.charts.palette import OTHERS, OURS, RIVAL
from dashboard.parts.charts.text import labels, plain
from dashboard.parts.machines.insight import Insight, Ranking

THRIFTY: Final = RIVAL
MOST_BARS: Final = 24
_MOST_LABELS: Final = 30
_ROW_PIXELS: Final = 26


def strengths(system: System, found: Insight) -> go.Figure:
    """A point for each machine type: how far it is above the best time and the best energy."""
    if found.thrift is None:
        raise ValueError("this system has no powers")
    names = system.machine_names
    short = labels(names, 12)
    slower, more = 100 * found.speed.excess, 100 * found.thrift.excess
    never = np.isin(np.arange(len(names)), found.never_best)
    said = [
        f"<b>{plain(name)}</b><br>{share(time / 100, Sense.PLAIN)} slower than the fastest<br>"
        f"{share(energy / 100, Sense.PLAIN)} more energy than the thriftiest"
        for name, time, energy in zip(names, slower.tolist(), more.tolist(), strict=True)
    ]
    drawing = Drawing()
    for word, colour, which in (
        ("best for some task type", OURS, np.flatnonzero(~never)),
        ("never best", OTHERS, np.flatnonzero(never)),
    ):
        drawing.add_scatter(
            x=slower[which],
            y=more[which],
            mode="markers+text" if len(names) <= _MOST_LABELS else "markers",
            name=word,
            text=[short[j] for j in which.tolist()],
            textposition="top center",
            cliponaxis=False,
            marker={"size": 10, "color": colour},
            customdata=[said[j] for j in which.tolist()],
        )
    drawing.x_axis("Slower than the fastest, on average (%)", rangemode="tozero")
    drawing.y_axis("More energy than the thriftiest,<br>on average (%)", rangemode="tozero")
    return drawing.figure(height=320, above=20, showlegend=True)


def best_counts(system: System, found: Insight) -> go.Figure:
    """For each machine type: for how many task types it is the fastest, and the thriftiest."""
    rankings: list[tuple[str, str, Ranking]] = [("fastest", OURS, found.speed)]
    if found.thrift is not None:
        rankings.append(("thriftiest", THRIFTY, found.thrift))
    total = sum(ranking.wins for _, _, ranking in rankings)
    shown = np.sort(np.argsort(-total, kind="stable")[:MOST_BARS])
    names = [system.machine_names[j] for j in shown.tolist()]
    drawing = Drawing()
    for word, colour, ranking in rankings:
        wins = ranking.wins[shown]
        drawing.add_bar(
            orientation="h",
            y=np.arange(len(shown)),
            x=wins,
            name=word,
            marker={"color": colour},
            customdata=[
                f"<b>{plain(name)}</b><br>{word} for {won:,} of {len(system.task_types):,} "
                "task types"
                for name, won in zip(names, wins.tolist(), strict=True)
            ],
        )
    there = len(system.machine_types)
    drawing.x_axis(
        "Task types",
        tickformat=",d",
        dtick=1 if max(ranking.wins.max() for _, _, ranking in rankings) <= 10 else None,
    )
    said = "" if len(shown) == there else f"Machine type (best {len(shown)} of {there:,})"
    drawing.rows(labels(names, 12), said)
    return drawing.figure(max(90 + _ROW_PIXELS * len(shown), 200), bargap=0.3)
