"""What stopping jobs gains, over what it loses; and over the size of bursts."""

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

import pandas as pd
import plotly.graph_objects as go

from core.capabilities.arrivals.labels import policy_label
from core.capabilities.arrivals.policies import stops_jobs
from core.capabilities.arrivals.trials import PolicyTrial
from core.engines.replay.stopping.rules import WHOM_LABELS, Whom
from core.engines.replay.stopping.score import StopScore
from core.vocabulary.say.phrases import core_hours
from core.vocabulary.say.units import time_unit
from core.vocabulary.say.words import HOUR, Sense, amount, counted, duration, share
from dashboard.parts.charts.drawing import Drawing
from dashboard.parts.charts.palette import BOUND, INK, OTHERS, OURS, distinct
from dashboard.screens.arrivals.stops import SIZES, StopsFound, StopWay

Against = Literal["wait", "worth"]
AGAINST: Final[dict[Against, str]] = {"wait": "Wait of urgent jobs", "worth": "Worth"}
_HEIGHT: Final = 400
_SYMBOLS: Final[dict[Whom, str]] = {
    "measure": "circle",
    "youngest": "triangle-up",
    "oldest": "triangle-down",
    "least-lost": "diamond",
}


class StopPoint(NamedTuple):
    """A way to stop jobs, what came of it, how long urgent jobs wait on average (s), and whether it
    is that of the answer.
    """

    way: StopWay
    trial: PolicyTrial
    score: StopScore
    wait: float
    is_present: bool

    @property
    def said(self) -> str:
        """The policy, and for one that stops jobs, whom first."""
        label = policy_label(self.way.policy)
        return f"{label}; {WHOM_LABELS[self.way.whom].lower()}" if self.stops else label

    @property
    def stops(self) -> bool:
        return stops_jobs(self.way.policy)


def points_of(stops: StopsFound) -> list[StopPoint]:
    """The policies of the answer on its first day, then the other ways; one of several that come to
    the same. Ways in which no urgent job starts are left out.
    """
    answered = StopsFound.begun(stops.found).trials
    found: list[StopPoint] = []
    for way, one in stops.trials.items():
        urgent = one.stops and one.stops.urgent
        if one.stops is None or urgent is None or urgent.mean is None or way.burst > 1:
            continue
        alike = (point for point in found if point.way.policy == way.policy)
        if any(point.score == one.stops for point in alike):
            continue
        found.append(StopPoint(way, one, one.stops, urgent.mean, way in answered))
    return found


def stops_figure(points: Sequence[StopPoint], against: Against, bound: float | None) -> go.Figure:
    """A mark for each way, in the colour of its policy and with the symbol of whom first; those of
    the answer have a ring. The bound is a line, of what it is known for: worth.
    """
    drawing = Drawing()
    groups: dict[str, list[StopPoint]] = {}
    for point in points:
        groups.setdefault(_group(point), []).append(point)
    unit = time_unit(max((point.wait for point in points), default=0.0))

    def height(point: StopPoint) -> float:
        return point.trial.score.worth if against == "worth" else point.wait / unit.size

    for rank, (name, mine) in enumerate(groups.items()):
        drawing.add_scatter(
            x=[point.score.lost_core_seconds / HOUR for point in mine],
            y=[height(point) for point in mine],
            mode="markers",
            name=name,
            marker={
                "size": 11,
                "color": distinct(rank) if mine[0].stops else OTHERS,
                "symbol": [_SYMBOLS[point.way.whom] if point.stops else "square" for point in mine],
            },
            customdata=[_hover(point) for point in mine],
        )
    present = [point for point in points if point.is_present and point.stops]
    if present:
        drawing.add_ring(
            x=[point.score.lost_core_seconds / HOUR for point in present],
            y=[height(point) for point in present],
        )
    if against == "worth" and bound is not None:
        drawing.add_hline(bound, {"color": BOUND, "width": 1.5, "dash": "dash"})
        at = {"x": 1, "xref": "x domain", "xanchor": "right", "y": bound, "yanchor": "bottom"}
        drawing.add_annotation(text="possible at most", font={"color": INK}, **at)
    most = max((point.score.lost_core_seconds for point in points), default=0.0) / HOUR or 1.0
    drawing.x_axis("Work lost (core-hours)", range=[-0.04 * most, 1.06 * most])
    title = "Worth" if against == "worth" else f"Mean wait of urgent jobs ({unit.symbol})"
    drawing.y_axis(title, rangemode="normal" if against == "worth" else "tozero")
    return drawing.figure(_HEIGHT, above=24 + 22 * len(groups), showlegend=True)


def _group(point: StopPoint) -> str:
    return policy_label(point.way.policy) if point.stops else "Policies that stop none"


def _hover(point: StopPoint) -> str:
    score = point.score
    return (
        f"<b>{point.said}</b><br>{counted(score.stops, 'stop')}, "
        f"{core_hours(score.lost_core_seconds)} lost<br>"
        f"urgent jobs wait {duration(point.wait, Sense.PLAIN)}<br>"
        f"worth {amount(point.trial.score.worth, Sense.EARNED)}"
    )


def ways_table(points: Sequence[StopPoint]) -> pd.DataFrame:
    """A row for each way, those that lose least first."""
    order = sorted(points, key=lambda point: (point.score.lost_core_seconds, point.said))
    rows = [
        (
            policy_label(point.way.policy),
            WHOM_LABELS[point.way.whom] if point.stops else "",
            f"{point.score.stops:,}",
            amount(point.score.lost_core_seconds / HOUR, Sense.PLAIN),
            share(point.score.lost_share, Sense.PLAIN),
            duration(point.wait, Sense.PLAIN),
            duration(point.score.other_flow, Sense.PLAIN),
            amount(point.trial.score.worth, Sense.EARNED),
        )
        for point in order
    ]
    head = ("Policy", "Whom first", "Stops", "Lost (core-hours)", "Of all work")
    return pd.DataFrame(
        rows, columns=[*head, "Urgent jobs wait", "Time of the others to the end", "Worth"]
    )


def bursts_figure(stops: StopsFound) -> go.Figure | None:
    """What the best policy that stops jobs earns, and that which stops none, over the size of
    bursts; None while there is but one size.
    """
    drawing, plain = Drawing(), stops.plain
    for name, colour, dash in ((stops.stopper, OURS, "solid"), (plain, OTHERS, "dash")):
        there = [
            (size, one)
            for size in SIZES
            if name is not None
            and (one := stops.trials.get(StopWay(name, stops.found.settings.whom, size)))
        ]
        if len(there) < 2 or name is None:
            return None
        label = policy_label(name)
        drawing.add_scatter(
            x=[size for size, _ in there],
            y=[one.score.worth for _, one in there],
            mode="lines+markers",
            name=label,
            line={"color": colour, "width": 2, "dash": dash},
            marker={"size": 8},
            customdata=[
                f"{label}, {size:,} at once: worth {amount(one.score.worth, Sense.EARNED)}"
                for size, one in there
            ],
        )
    ticks = {"tickvals": list(SIZES), "ticktext": [f"{size:,}" for size in SIZES]}
    drawing.x_axis("Jobs of one type that arrive at once", type="log", **ticks)
    drawing.y_axis("Worth", rangemode="tozero")
    return drawing.figure(_HEIGHT, above=64, showlegend=True)


def bursts_said(stops: StopsFound) -> str:
    """What stopping jobs gains at the smallest and at the largest bursts."""
    if stops.plain is None:
        return ""
    said, whom = [], stops.found.settings.whom
    first, second = (policy_label(name) for name in (stops.stopper, stops.plain))
    for size in SIZES:
        made, plain = (
            stops.trials.get(StopWay(name, whom, size)) for name in (stops.stopper, stops.plain)
        )
        if made is not None and plain is not None and plain.score.worth > 0:
            gain = made.score.worth / plain.score.worth - 1
            by = share(abs(gain), Sense.PLAIN)
            more = f"{by} {'more' if gain >= 0 else 'less'}"
            more = "as much" if by == share(0.0, Sense.PLAIN) else more
            said.append((f"{size:,} at once" if size > 1 else "one by one", more))
    if len(said) < 2:
        return ""
    (begin, gained), (end, more) = said[0], said[-1]
    than = "as" if gained == "as much" else "than"
    return (
        f"If jobs come {begin}, {first} earns {gained} {than} {second}; if they come {end}, {more}."
    )
