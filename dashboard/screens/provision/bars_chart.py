"""Bars: what one more machine of each type is worth, and what methods earn in bad scenarios."""

from typing import Final

import plotly.graph_objects as go

from core.capabilities.provision.plan import Plan
from core.capabilities.provision.words import DECIDED
from core.vocabulary.say.words import Sense, amount
from dashboard.parts.charts.drawing import Drawing
from dashboard.parts.charts.palette import LOSS, OTHERS, OURS, RIVAL
from dashboard.parts.charts.text import label, plain
from dashboard.screens.provision.answer import ProvisionAnswer
from dashboard.screens.provision.inputs import PlanInputs
from dashboard.screens.provision.sweeps import Caution, MoreMachines, of_worst
from dashboard.screens.provision.words import rate

_ROW: Final = 30
_MOST_ROWS: Final = 20
_CAUTIOUS: Final = "Best for bad futures"
PER_MONEY: Final = 1_000.0
"""Gains are also said for so much money."""


def more_figure(found: MoreMachines, plan: Plan, inputs: PlanInputs) -> go.Figure:
    """The types that add most come first; the text says what that is for each 1,000 of money."""
    drawing, unit = Drawing(), inputs.rate_seconds
    order = sorted(range(len(plan.offers)), key=lambda j: -float(found.gains[j]))[:_MOST_ROWS]
    texts = [_per_money(found, plan, inputs, j) for j in order]
    gains = [float(found.gains[j]) * unit for j in order]
    drawing.add_bar(
        orientation="h",
        x=gains,
        # The zero-width space keeps types apart whose names are cut to the same text.
        y=[label(plan.offers[j].name) + "\u200b" * k for k, j in enumerate(order)],
        text=texts,
        textposition="outside",
        cliponaxis=False,
        marker={"color": OURS},
        customdata=[
            f"one more {label(plan.offers[j].name)}: {plain(rate(float(found.gains[j]), inputs))}, "
            f"for {amount(plan.offers[j].price, Sense.TYPED, plain(inputs.currency))}"
            for j in order
        ],
        hovertemplate="%{customdata}<extra></extra>",
    )
    drawing.x_axis(
        f"Reward that one more machine adds ({plain(inputs.rates.money)})",
        range=[0, 1.5 * max(gains, default=0.0) or 1.0],
    )
    drawing.y_names(autorange="reversed", showgrid=False, automargin=True)
    return drawing.figure(70 + _ROW * len(order), bargap=0.35)


def _per_money(found: MoreMachines, plan: Plan, inputs: PlanInputs, j: int) -> str:
    gain, price = float(found.gains[j]) * inputs.rate_seconds, plan.offers[j].price
    if not price:
        return amount(gain, Sense.PLAIN)
    each = amount(gain / price * PER_MONEY, Sense.PLAIN)
    money = amount(PER_MONEY, Sense.TYPED, plain(inputs.currency))
    return f"{amount(gain, Sense.PLAIN)} ({each} for each {money})"


def risk_figure(answer: ProvisionAnswer, caution: Caution) -> go.Figure:
    """The mean of the worst scenarios beside the mean of all, for each method and for the purchase
    that is best for the worst ones.
    """
    drawing, inputs = Drawing(), answer.asked.inputs
    named = {DECIDED[method]: one.values for method, one in answer.outcomes.items()}
    named = {"Two-stage": named.pop("Two-stage"), _CAUTIOUS: caution.values, **named}
    for title, colour, means in (
        ("Worst 5 % of scenarios", LOSS, [of_worst(values) for values in named.values()]),
        ("All scenarios", RIVAL, [float(values.mean()) for values in named.values()]),
    ):
        drawing.add_bar(
            orientation="h",
            x=[mean * inputs.rate_seconds for mean in means],
            y=list(named),
            name=title,
            marker={"color": colour},
            customdata=[f"{title.lower()}: {plain(rate(mean, inputs))}" for mean in means],
            hovertemplate="%{y}, %{customdata}<extra></extra>",
        )
    drawing.add_vline(0.0, line={"color": OTHERS, "width": 1})
    drawing.x_axis(f"Mean reward ({plain(inputs.rates.money)})")
    drawing.y_names(autorange="reversed", showgrid=False, automargin=True)
    return drawing.figure(90 + 2 * _ROW * len(named), above=40, barmode="group", bargap=0.3)
