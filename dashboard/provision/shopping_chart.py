"""The shopping list as a picture: what each way to choose buys and sells."""

from typing import Final

import numpy as np
import plotly.graph_objects as go

from core.provision.words import machines
from core.say.words import Sense, amount
from dashboard.common.drawing import Drawing
from dashboard.common.palette import MIXED, paint_machine
from dashboard.common.text import label, plain
from dashboard.provision.answer import METHODS, ProvisionAnswer

_HEIGHT: Final = 340
_MOST_TYPES: Final = 8
"""More types have one colour together: those of which least is bought and sold."""
_LEAST: Final = 0.005


def shopping_figure(answer: ProvisionAnswer) -> go.Figure:
    """Bars up are bought, bars down are sold; a colour for each machine type."""
    drawing, plan = Drawing(), answer.plan
    purchases = [answer.outcomes[method].purchase for method in METHODS]
    moved = np.sum([purchase.buy + purchase.sell for purchase in purchases], axis=0)
    order = sorted(range(len(plan.offers)), key=lambda j: -float(moved[j]))
    shown = [j for j in order if moved[j] > _LEAST]
    own, others = shown[:_MOST_TYPES], shown[_MOST_TYPES:]
    if len(others) == 1:
        own, others = shown, []
    for rank, j in enumerate(sorted(own)):
        _add_bars(drawing, answer, [j], plan.offers[j].name, paint_machine(rank).marker)
    if others:
        _add_bars(drawing, answer, others, f"{len(others)} other types", MIXED.marker)
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
    drawing.x_names("")
    drawing.y_axis("Machines bought (up) and sold (down)")
    return drawing.figure(_HEIGHT, above=46, barmode="relative", bargap=0.35)


def _add_bars(
    drawing: Drawing,
    answer: ProvisionAnswer,
    types: list[int],
    name: str,
    marker: dict[str, object],
) -> None:
    """A bar up and a bar down for each method."""
    titles = list(METHODS.values())
    currency = plain(answer.asked.inputs.currency)
    for sign, verb in ((1, "buy"), (-1, "sell")):
        numbers, said = [], []
        for method in METHODS:
            purchase = answer.outcomes[method].purchase
            each = purchase.buy if sign > 0 else purchase.sell
            prices = answer.plan.prices if sign > 0 else answer.plan.resales
            number = float(each[types].sum())
            numbers.append(sign * number)
            money = amount(float((each * prices)[types].sum()), Sense.PLAIN, currency)
            said.append(f"{METHODS[method]}: {verb} {machines(number)} {label(name)}, {money}")
        if not any(abs(number) > _LEAST for number in numbers):
            continue
        drawing.add_bar(
            x=titles,
            y=numbers,
            name=label(name),
            legendgroup=label(name),
            showlegend=sign > 0
            or not any(
                answer.outcomes[method].purchase.buy[types].sum() > _LEAST for method in METHODS
            ),
            marker=marker,
            customdata=said,
            hovertemplate="%{customdata}<extra></extra>",
        )
