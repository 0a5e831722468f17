"""The charts of an answer: what each way to choose buys and sells, and what that is worth."""

from collections.abc import Mapping
from dataclasses import dataclass
from textwrap import wrap
from typing import Final

import numpy as np
import plotly.graph_objects as go

from core.capabilities.provision.first_stage import Purchase
from core.capabilities.provision.plan import Plan
from core.capabilities.provision.words import DECIDED, UNTOUCHED, machines
from core.vocabulary.say.words import Sense, amount
from dashboard.parts.charts.drawing import Drawing
from dashboard.parts.charts.palette import BOUND, MIXED, OTHERS, OURS, RIVAL, paint_machine
from dashboard.parts.charts.text import label, plain
from dashboard.screens.provision.answer import ProvisionAnswer

_HEIGHT: Final = 340
_MOST_TYPES: Final = 8
"""More types have one colour together: those of which least is bought and sold."""
_LEAST: Final = 0.005
_LINE: Final = 10
"""Characters of a title on a line, so that it is read on a phone, too."""


def shopping_figure(answer: ProvisionAnswer) -> go.Figure:
    """What each method buys and sells."""
    purchases = {DECIDED[method]: one.purchase for method, one in answer.outcomes.items()}
    return shopping_bars(answer.plan, purchases, answer.asked.inputs.currency)


def shopping_bars(plan: Plan, purchases: Mapping[str, Purchase], currency: str) -> go.Figure:
    """Purchases by their titles. Bars up are bought, bars down are sold; a colour for each machine
    type.
    """
    drawing = Drawing()
    moved = np.sum([purchase.buy + purchase.sell for purchase in purchases.values()], axis=0)
    order = sorted(range(len(plan.offers)), key=lambda j: -float(moved[j]))
    shown = [j for j in order if moved[j] > _LEAST]
    own, others = shown[:_MOST_TYPES], shown[_MOST_TYPES:]
    if len(others) == 1:
        own, others = shown, []
    bars = _Bars(drawing, plan, purchases, plain(currency))
    for rank, j in enumerate(sorted(own)):
        bars.add([j], plan.offers[j].name, paint_machine(rank).marker)
    if others:
        bars.add(others, f"{len(others)} other types", MIXED.marker)
    drawing.add_hline(0.0, line={"color": MIXED.fill, "width": 1})
    if not shown:
        drawing.add_annotation(
            text="No method buys or sells anything",
            x=0.5,
            y=0.5,
            xref="paper",
            yref="paper",
            font={"size": 14},
        )
    drawing.x_names(
        tickvals=[*purchases],
        ticktext=["<br>".join(map(plain, wrap(title, _LINE))) for title in purchases],
        tickangle=0,
    )
    drawing.y_axis("Machines bought (up) and sold (down)")
    return drawing.figure(_HEIGHT, above=46, barmode="relative", bargap=0.35)


@dataclass(frozen=True, slots=True)
class _Bars:
    """The bars of purchases, in the order of their titles."""

    drawing: Drawing
    plan: Plan
    purchases: Mapping[str, Purchase]
    currency: str

    def add(self, types: list[int], name: str, marker: dict[str, object]) -> None:
        """A bar up and a bar down for each purchase."""
        plan = self.plan
        for sign, verb in ((1, "buy"), (-1, "sell")):
            numbers, said = [], []
            for title, purchase in self.purchases.items():
                each = purchase.buy if sign > 0 else purchase.sell
                prices = plan.prices if sign > 0 else plan.resales
                number = float(each[types].sum())
                numbers.append(sign * number)
                money = amount(float((each * prices)[types].sum()), Sense.PLAIN, self.currency)
                said.append(f"{title}: {verb} {machines(number)} {label(name)}, {money}")
            if not any(abs(number) > _LEAST for number in numbers):
                continue
            bought = any(one.buy[types].sum() > _LEAST for one in self.purchases.values())
            self.drawing.add_bar(
                x=[*self.purchases],
                y=numbers,
                name=label(name),
                legendgroup=label(name),
                showlegend=sign > 0 or not bought,
                marker=marker,
                customdata=said,
            )


def value_figure(answer: ProvisionAnswer) -> go.Figure:
    """A dot with its 95 % interval is what a purchase is expected to earn; a diamond is what it
    would earn in the mean future; the line is the mean if each future were known.
    """
    drawing, inputs, compared = Drawing(), answer.asked.inputs, answer.compared
    titles, unit = list(DECIDED.values()), inputs.rate_seconds
    outcomes = list(answer.outcomes.values())
    intervals = [answer.interval(method) for method in DECIDED]
    if compared.untouched is not None:
        titles.append(UNTOUCHED)
        outcomes.append(compared.untouched)
        intervals.append(compared.untouched.interval)
    drawing.add_scatter(
        x=[one.believed * unit for one in outcomes],
        y=titles,
        mode="markers",
        name="Believed, from the mean future",
        marker={"symbol": "diamond-open", "size": 11, "color": RIVAL, "line": {"width": 2}},
        customdata=[
            f"in the mean future {plain(inputs.rates.said(one.believed))}" for one in outcomes
        ],
        hovertemplate="%{y}: %{customdata}<extra></extra>",
    )
    widths = [one.half_width * unit for one in intervals]
    drawing.add_scatter(
        x=[one.mean * unit for one in intervals],
        y=titles,
        mode="markers",
        name="Expected, with 95 % interval",
        marker={"size": 10, "color": [OURS] + [OTHERS] * (len(outcomes) - 1)},
        error_x={"type": "data", "array": widths, "color": OTHERS, "thickness": 2},
        customdata=[
            f"{plain(inputs.rates.said(one.mean))}, ± {amount(width, Sense.UPPER_BOUND, digits=2)}"
            for one, width in zip(intervals, widths, strict=True)
        ],
        hovertemplate="%{y}: %{customdata}<extra></extra>",
    )
    known = "knowing the future" + ("" if compared.decision.in_parts is None else ", in parts")
    mean, look = float(compared.wait_and_see.mean()) * unit, {"font": {"color": BOUND}}
    drawing.mark(mean, known, BOUND, top=True, left=True, yanchor="top", **look)
    drawing.x_axis(f"Expected {inputs.rates.noun} ({plain(inputs.rates.money)})")
    # Room for a text above the first row.
    drawing.y_names(range=[len(titles) - 0.5, -0.9], automargin=True)
    return drawing.figure(_HEIGHT, above=46, right=24)
