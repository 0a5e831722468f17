"""The makespans of other methods for the same system."""

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import plotly.graph_objects as go

from core import System, verify
from core.capabilities.makespan.solve import Solution
from core.engines.rivals import RIVALS, NoScheduleFound
from core.vocabulary.say.words import Sense, change, duration
from dashboard.parts.charts.drawing import Drawing
from dashboard.parts.charts.palette import OTHERS, OURS, PAPER

COMPARED: Final = ("min-min", "max-min", "sufferage", "mct", "met", "olb")
SECONDS_EACH: Final = 5.0


_QUICK: Final = 1_000_000


@dataclass(frozen=True, slots=True)
class MethodOutcome:
    """The makespan (s) that a method reached; or None, and a remark why."""

    title: str
    makespan: float | None
    remark: str = ""


def outcome(system: System, rival: str) -> MethodOutcome:
    """The makespan of a rival, if it finds a verified schedule within `SECONDS_EACH`."""
    title = RIVALS[rival].title.partition(":")[0]
    try:
        schedule = RIVALS[rival].solve(system, seconds=SECONDS_EACH)
    except NoScheduleFound:
        return MethodOutcome(
            title, None, f"no schedule within {duration(SECONDS_EACH, Sense.TYPED)}"
        )
    verdict = verify(schedule, system)
    if not verdict.ok:
        return MethodOutcome(title, None, "the judge found faults in its schedule")
    return MethodOutcome(title, verdict.makespan)


def is_quick(system: System) -> bool:
    """Whether all methods in `COMPARED` together take less than two seconds."""
    return system.tasks * len(system.task_types) <= _QUICK and system.machines <= _QUICK // 100


def own_outcome(solution: Solution) -> MethodOutcome:
    return MethodOutcome("Wattfront", solution.schedule.makespan)


LEAST_EDGE: Final = 5.0
"""A method at most so many percent above the bound always fits into the chart."""


def method_bars(outcomes: Sequence[MethodOutcome], bound: float) -> go.Figure:
    """The first outcome is ours. `bound` is in seconds. A method without a schedule has no bar."""
    above = [0.0 if o.makespan is None else 100 * (o.makespan / bound - 1) for o in outcomes]
    # A very bad method must not make the other bars tiny: its bar is cut at the edge, and says so.
    edge = max(min(max(above), max(4 * statistics.median(above), LEAST_EDGE)), 0.01)
    most = 1.6 * edge
    drawing = Drawing()
    drawing.add_bar(
        orientation="h",
        x=[min(excess, most) for excess in above],
        y=[o.title for o in outcomes],
        text=[_label(o, excess, most) for o, excess in zip(outcomes, above, strict=True)],
        textposition=["inside" if excess > edge else "outside" for excess in above],
        insidetextanchor="start",
        insidetextfont={"color": PAPER},
        cliponaxis=False,
        marker={"color": [OURS] + [OTHERS] * (len(outcomes) - 1)},
        hovertemplate="%{y}: %{text}<extra></extra>",
    )
    drawing.x_axis("Makespan above the lower bound (%)", range=[0, most])
    drawing.y_names(autorange="reversed", showgrid=False)
    return drawing.figure(70 + 32 * len(outcomes), bargap=0.35)


def _label(outcome: MethodOutcome, above: float, most: float) -> str:
    if outcome.makespan is None:
        return outcome.remark
    beyond = ", off the scale" if above > most else ""
    return f"{duration(outcome.makespan, Sense.SPENT)} ({change(above / 100)}{beyond})"
