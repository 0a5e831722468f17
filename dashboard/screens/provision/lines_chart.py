"""Expected rewards of all methods over a budget or a spread, and how estimates get surer."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import plotly.graph_objects as go

from core.capabilities.provision.futures.uncertainty import POINTS, Points
from core.capabilities.provision.plan import Plan
from core.capabilities.provision.words import machines
from core.vocabulary.arrays import FloatArray
from core.vocabulary.say.words import Sense, amount, duration, share
from core.vocabulary.tolerances import SAME
from dashboard.parts.charts.drawing import Drawing, log_ticks
from dashboard.parts.charts.palette import OTHERS, OURS, RIVAL, paint_machine
from dashboard.parts.charts.text import label, plain
from dashboard.screens.provision.inputs import PlanInputs
from dashboard.screens.provision.looks import LOOKS, TITLES, WS
from dashboard.screens.provision.sweeps import BudgetSweep, CountSweep, SpreadSweep
from dashboard.screens.provision.words import rate

_HEIGHT: Final = 360
_MOST_TYPES: Final = 8
_LEAST: Final = 0.005
_KINDS: Final[dict[Points, tuple[str, str, str]]] = {
    "independent": (OTHERS, "dot", "square"),
    "latin": (RIVAL, "dash", "diamond"),
    "sobol": (OURS, "solid", "circle"),
}


def budget_figure(sweep: BudgetSweep, inputs: PlanInputs, now: float) -> go.Figure:
    """`now` is the budget of the plan, which is marked. Whole machines make steps: more money buys
    at least as much, and between two budgets no more is known.
    """
    drawing, currency = Drawing(), plain(inputs.currency)
    said = [amount(budget, Sense.PLAIN, currency) for budget in sweep.budgets.tolist()]
    steps = [method for method in sweep.rewards if inputs.whole and method != WS]
    _add_methods(drawing, sweep.budgets, said, sweep.rewards, inputs, steps)
    _mark_now(drawing, now)
    drawing.x_axis(f"Budget ({currency})")
    return drawing.figure(_HEIGHT, above=64)


def spread_figure(sweep: SpreadSweep, inputs: PlanInputs) -> go.Figure:
    """The spread of the plan is at 1."""
    drawing = Drawing()
    said = [f"{amount(times, Sense.PLAIN)} × spread" for times in sweep.multiples.tolist()]
    _add_methods(drawing, sweep.multiples, said, sweep.rewards, inputs)
    _mark_now(drawing, 1.0)
    drawing.x_axis("Spread (1: that of the plan)")
    return drawing.figure(_HEIGHT, above=64)


def purchases_figure(sweep: SpreadSweep, plan: Plan) -> go.Figure:
    """Machines bought (up) and sold (down) by type; types that never change have no line."""
    drawing = Drawing()
    moved = abs(sweep.changes).max(axis=0)
    order = sorted(range(len(plan.offers)), key=lambda j: -float(moved[j]))
    for rank, j in enumerate(j for j in order[:_MOST_TYPES] if moved[j] > _LEAST):
        name = label(plan.offers[j].name)
        numbers = sweep.changes[:, j]
        drawing.add_scatter(
            x=sweep.multiples,
            y=numbers,
            mode="lines+markers",
            name=name,
            line={"color": paint_machine(rank).fill, "width": 2, "dash": _DASHES[rank % 4]},
            marker={"size": 6},
            customdata=[f"{machines(abs(one))} {name}" for one in numbers.tolist()],
            hovertemplate="%{customdata}<extra></extra>",
        )
    _mark_now(drawing, 1.0)
    drawing.x_axis("Spread (1: that of the plan)")
    drawing.y_axis("Machines bought, less those sold")
    return drawing.figure(_HEIGHT, above=64)


_DASHES: Final = ("solid", "dash", "dot", "dashdot")


def count_figure(sweep: CountSweep) -> go.Figure:
    """Both axes are logarithmic: a straight line falls by a power of the number of scenarios."""
    drawing = Drawing()
    counts, seen = np.array(sweep.counts, float), [1.0]
    for kind, widths in sweep.half_widths.items():
        colour, dash, symbol = _KINDS[kind]
        percent = np.where(widths > SAME, 100 * widths, np.nan)
        seen += percent[np.isfinite(percent)].tolist()
        drawing.add_scatter(
            x=np.log10(counts),
            y=np.log10(percent),
            mode="lines+markers",
            name=POINTS[kind],
            line={"color": colour, "width": 2, "dash": dash},
            marker={"color": colour, "size": 8, "symbol": symbol},
            customdata=[
                f"{count:,} scenarios: ± {share(width, Sense.UPPER_BOUND)}"
                for count, width in zip(sweep.counts, widths.tolist(), strict=True)
            ],
            hovertemplate="%{customdata}<extra></extra>",
        )
    _name_counts(drawing, sweep)
    drawing.y_names("Half-width (% of the reward)", **log_ticks(min(seen), max(seen)))
    return drawing.figure(_HEIGHT, above=46)


def seconds_figure(sweep: CountSweep) -> go.Figure:
    """What that costs: the time that it took to find what to buy. Both axes are logarithmic."""
    drawing = Drawing()
    drawing.add_scatter(
        x=np.log10(np.array(sweep.counts, float)),
        y=np.log10(sweep.seconds),
        mode="lines+markers",
        line={"color": OURS, "width": 2},
        marker={"color": OURS, "size": 8},
        customdata=[
            f"{count:,} scenarios: {duration(seconds, Sense.PLAIN)}"
            for count, seconds in zip(sweep.counts, sweep.seconds.tolist(), strict=True)
        ],
        hovertemplate="%{customdata}<extra></extra>",
    )
    _name_counts(drawing, sweep)
    least, most = float(np.nanmin(sweep.seconds)), float(np.nanmax(sweep.seconds))
    drawing.y_names("Time to find what to buy (s)", **log_ticks(least, most))
    return drawing.figure(_HEIGHT, above=46, showlegend=False)


def _name_counts(drawing: Drawing, sweep: CountSweep) -> None:
    drawing.x_names(
        "Scenarios",
        tickvals=np.log10(np.array(sweep.counts, float)).tolist(),
        ticktext=[f"{count:,}" for count in sweep.counts],
    )


def _add_methods(
    drawing: Drawing,
    at: FloatArray,
    said: Sequence[str],
    rewards: dict[str, FloatArray],
    inputs: PlanInputs,
    steps: Sequence[str] = (),
) -> None:
    """A line for each method; those of `steps` hold their value until the next one."""
    for method, values in rewards.items():
        title, look = TITLES[method], LOOKS[method]
        drawing.add_scatter(
            x=at,
            y=values * inputs.rate_seconds,
            mode="lines+markers",
            name=title,
            line={**look.line, "shape": "hv" if method in steps else "linear"},
            marker=look.marker,
            customdata=[
                f"{title}, {where}: {plain(rate(value, inputs))}"
                for where, value in zip(said, values.tolist(), strict=True)
            ],
            hovertemplate="%{customdata}<extra></extra>",
        )
    drawing.y_axis(f"Expected reward ({plain(inputs.rates.money)})")


def _mark_now(drawing: Drawing, now: float) -> None:
    drawing.add_vline(now, line={"color": OTHERS, "width": 1.5, "dash": "dash"})
    drawing.add_annotation(
        text="now", x=now, y=0, yref="y domain", xanchor="left", yanchor="bottom", xshift=3
    )
