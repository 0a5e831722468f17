"""The charts of the page: what is bought and what that is worth; and those of a closer look, which
are lines over a budget, a spread or scenarios, bars, and violins.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import Any, Final, NamedTuple

import numpy as np
import plotly.graph_objects as go

from core.capabilities.provision.first_stage import Purchase
from core.capabilities.provision.futures.uncertainty import POINTS, Points
from core.capabilities.provision.futures.varying import NEAR_ENOUGH, OperationsFound
from core.capabilities.provision.plan import Plan
from core.capabilities.provision.words import DECIDED, UNTOUCHED, machines, off_said
from core.vocabulary.arrays import FloatArray
from core.vocabulary.say.words import Sense, amount, begun, counted, duration, share
from core.vocabulary.tolerances import SAME
from dashboard.parts.charts.drawing import Drawing, log_ticks
from dashboard.parts.charts.palette import (
    ACHIEVED,
    BOUND,
    GHOST,
    INK,
    LOSS,
    MIXED,
    OTHERS,
    OURS,
    RIVAL,
    dash,
    paint_machine,
)
from dashboard.parts.charts.text import labels, plain
from dashboard.screens.provision.answer import ProvisionAnswer
from dashboard.screens.provision.inputs import PlanInputs
from dashboard.screens.provision.sweeps import (
    BudgetSweep,
    Caution,
    CountSweep,
    SpreadSweep,
    of_worst,
)
from dashboard.screens.provision.words import Violin, mean_said

WS: Final = "ws"
TITLES: Final = {WS: "Each future known", **DECIDED}
"""The ways to choose, and what nobody can do: to know the future."""


class Look(NamedTuple):
    """The look of lines and marks, told apart also without colours."""

    colour: str
    dash: str = "solid"
    symbol: str = "circle"

    @property
    def marker(self) -> dict[str, Any]:
        return {"color": self.colour, "symbol": self.symbol, "size": 7}

    def add(
        self, drawing: Drawing, said: Sequence[str], shape: str = "linear", **more: Any
    ) -> None:
        """Adds a line with marks, each of which says something where a reader points."""
        drawing.add_scatter(
            mode="lines+markers",
            line={"color": self.colour, "width": 2, "dash": self.dash, "shape": shape},
            marker=self.marker,
            customdata=[*said],
            **more,
        )


LOOKS: Final = {
    WS: Look(BOUND, "dash", "line-ew"),
    "rp": Look(OURS, "solid", "circle"),
    "mvp": Look(RIVAL, "dashdot", "diamond"),
    "h1": Look(OTHERS, "dot", "square"),
    "h2": Look(OTHERS, "longdash", "triangle-up"),
    "h3": Look(GHOST, "longdashdot", "x"),
}


_HEIGHT: Final = 360
_MOST_TYPES: Final = 8
"""More types have one colour together: those of which least is bought and sold."""
_LEAST: Final = 0.005
_KINDS: Final[dict[Points, Look]] = {
    "independent": Look(OTHERS, "dot", "square"),
    "latin": Look(RIVAL, "dash", "diamond"),
    "sobol": Look(OURS),
}


def budget_figure(sweep: BudgetSweep, inputs: PlanInputs, now: float) -> go.Figure:
    """`now` is the budget of the plan, which is marked. Whole machines make steps: more money buys
    at least as much, and between two budgets no more is known.
    """
    drawing, currency = Drawing(), plain(inputs.currency)
    said = [amount(budget, Sense.PLAIN, currency) for budget in sweep.budgets.tolist()]
    steps = [method for method in sweep.rewards if inputs.whole and method != WS]
    _add_methods(drawing, sweep.budgets, said, sweep.rewards, inputs, steps)
    drawing.mark(now, "now", OTHERS)
    drawing.x_axis(f"Budget ({currency})")
    return drawing.figure(_HEIGHT, above=64)


def spread_figure(sweep: SpreadSweep, inputs: PlanInputs) -> go.Figure:
    """The spread of the plan is at 1."""
    drawing = Drawing()
    said = [f"{amount(times, Sense.PLAIN)} × spread" for times in sweep.multiples.tolist()]
    _add_methods(drawing, sweep.multiples, said, sweep.rewards, inputs)
    drawing.mark(1.0, "now", OTHERS)
    drawing.x_axis("Spread (1: that of the plan)")
    return drawing.figure(_HEIGHT, above=64)


def purchases_figure(sweep: SpreadSweep, plan: Plan) -> go.Figure:
    """Machines bought (up) and sold (down) by type; types that never change have no line."""
    drawing = Drawing()
    moved = abs(sweep.changes).max(axis=0)
    order = sorted(range(len(plan.offers)), key=lambda j: -float(moved[j]))
    names = labels([offer.name for offer in plan.offers])
    for rank, j in enumerate(j for j in order[:_MOST_TYPES] if moved[j] > _LEAST):
        name = plain(plan.offers[j].name)
        numbers = sweep.changes[:, j]
        said = [f"{machines(abs(one))} {name}" for one in numbers.tolist()]
        look = Look(paint_machine(j).fill, dash(rank))
        look.add(drawing, said, x=sweep.multiples, y=numbers, name=names[j])
    drawing.mark(1.0, "now", OTHERS)
    drawing.x_axis("Spread (1: that of the plan)")
    drawing.y_axis("Machines bought, less those sold")
    return drawing.figure(_HEIGHT, above=64)


def count_figure(sweep: CountSweep) -> go.Figure:
    """Both axes are logarithmic: a straight line falls by a power of the number of scenarios."""
    drawing = Drawing()
    counts, seen = np.array(sweep.counts, float), [1.0]
    for kind, widths in sweep.half_widths.items():
        percent = np.where(widths > SAME, 100 * widths, np.nan)
        seen += percent[np.isfinite(percent)].tolist()
        said = [
            f"{count:,} scenarios: ± {share(width, Sense.UPPER_BOUND)}"
            for count, width in zip(sweep.counts, widths.tolist(), strict=True)
        ]
        x, y = np.log10(counts), np.log10(percent)
        _KINDS[kind].add(drawing, said, x=x, y=y, name=POINTS[kind])
    _name_counts(drawing, sweep)
    drawing.y_names("Half-width (% of the mean)", **log_ticks(min(seen), max(seen)))
    return drawing.figure(_HEIGHT, above=46)


def seconds_figure(sweep: CountSweep) -> go.Figure:
    """What that costs: the time that it took to find what to buy. Both axes are logarithmic."""
    drawing = Drawing()
    said = [
        f"{count:,} scenarios: {duration(seconds, Sense.PLAIN)}"
        for count, seconds in zip(sweep.counts, sweep.seconds.tolist(), strict=True)
    ]
    Look(OURS).add(drawing, said, x=np.log10(sweep.counts), y=np.log10(sweep.seconds))
    _name_counts(drawing, sweep)
    least, most = float(np.nanmin(sweep.seconds)), float(np.nanmax(sweep.seconds))
    drawing.y_names("Time to find what to buy (s)", **log_ticks(least, most))
    return drawing.figure(_HEIGHT, above=46, showlegend=False)


def _name_counts(drawing: Drawing, sweep: CountSweep) -> None:
    drawing.x_names(
        "Scenarios",
        tickvals=np.log10(sweep.counts).tolist(),
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
        title, y = TITLES[method], values * inputs.rate_seconds
        hovers = [
            f"{title}, {where}: {plain(inputs.rates.said(value))}"
            for where, value in zip(said, values.tolist(), strict=True)
        ]
        shape = "hv" if method in steps else "linear"
        LOOKS[method].add(drawing, hovers, shape, x=at, y=y, name=title)
    drawing.y_axis(f"Expected {inputs.rates.noun} ({plain(inputs.rates.money)})")


_ROW: Final = 30
_MOST_ROWS: Final = 20
_CAUTIOUS: Final = "Best for the worst 5 %"
PER_MONEY: Final = 1_000.0
"""Gains are also said for so much money."""


def more_figure(gains: FloatArray, plan: Plan, inputs: PlanInputs) -> go.Figure:
    """The types that add most come first; the text says what that is for each 1,000 of money."""
    drawing, currency = Drawing(), plain(inputs.currency)
    order = np.argsort(-gains, kind="stable")[:_MOST_ROWS].tolist()
    shown = [(plan.offers[j], float(gains[j])) for j in order]
    scaled = [gain * inputs.rate_seconds for _, gain in shown]
    drawing.add_bar(
        orientation="h",
        x=scaled,
        y=labels([offer.name for offer, _ in shown]),
        text=[
            _per_money(gain, offer.price, currency)
            for gain, (offer, _) in zip(scaled, shown, strict=True)
        ],
        textposition="outside",
        cliponaxis=False,
        marker={"color": OURS},
        customdata=[
            f"one more {plain(offer.name)}: {plain(inputs.rates.said(gain))}, "
            f"for {amount(offer.price, Sense.TYPED, currency)}"
            for offer, gain in shown
        ],
    )
    drawing.x_axis(
        f"{begun(inputs.rates.noun)} that one more machine adds ({plain(inputs.rates.money)})",
        range=[0, 1.5 * max(scaled, default=0.0) or 1.0],
    )
    drawing.y_names(autorange="reversed", showgrid=False, automargin=True)
    return drawing.figure(70 + _ROW * len(order), bargap=0.35)


def _per_money(gain: float, price: float, currency: str) -> str:
    if not price:
        return amount(gain, Sense.PLAIN)
    each = amount(gain / price * PER_MONEY, Sense.PLAIN)
    money = amount(PER_MONEY, Sense.TYPED, currency)
    return f"{amount(gain, Sense.PLAIN)} ({each} for each {money})"


def risk_figure(answer: ProvisionAnswer, caution: Caution) -> go.Figure:
    """The mean of the worst scenarios beside that of all, by method, and for the cautious one."""
    drawing, inputs = Drawing(), answer.asked.inputs
    named = {DECIDED[method]: one.values for method, one in answer.outcomes.items()}
    named = {"Our advice": named.pop("Our advice"), _CAUTIOUS: caution.values, **named}
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
            customdata=[f"{title.lower()}: {plain(inputs.rates.said(mean))}" for mean in means],
            hovertemplate="%{y}, %{customdata}<extra></extra>",
        )
    drawing.add_vline(0.0, line={"color": OTHERS, "width": 1})
    drawing.x_axis(f"Mean {inputs.rates.noun} ({plain(inputs.rates.money)})")
    drawing.y_names(autorange="reversed", showgrid=False, automargin=True)
    return drawing.figure(90 + 2 * _ROW * len(named), above=40, barmode="group", bargap=0.3)


_LOW: Final = 280
_PERCENT: Final = 100.0


def kinds_figure(found: OperationsFound) -> go.Figure:
    """The mean error over the number of kinds, in percent of the times. The largest error, which is
    many times that, is said where a reader points.
    """
    drawing, taken = Drawing(), found.taken
    kinds = [one.kinds for one in found.tried]
    said = [
        f"{counted(one.kinds, 'kind')}: mean error {off_said(one.mean_error)}, "
        f"largest {off_said(one.worst_error)}"
        for one in found.tried
    ]
    y = [_PERCENT * one.mean_error for one in found.tried]
    Look(OURS).add(drawing, said, x=kinds, y=y, name="Mean error", cliponaxis=False)
    at = {"x": [taken.kinds], "y": [_PERCENT * taken.mean_error]}
    drawing.add_ring(**at, name="Taken", showlegend=True, cliponaxis=False)
    near = _PERCENT * NEAR_ENOUGH
    drawing.add_hline(near, line={"color": BOUND, "width": 1.5, "dash": "dash"})
    drawing.add_annotation(
        text="near enough", x=0, xref="x domain", y=near, xanchor="left", yanchor="bottom"
    )
    drawing.x_axis("Kinds of operations", tickvals=kinds, range=[kinds[0] - 0.3, kinds[-1] + 0.3])
    drawing.y_axis("Mean error (% of the time)", rangemode="tozero")
    return drawing.figure(_LOW, above=46)


def kinds_in_words(found: OperationsFound) -> str:
    """Which number is taken, and why."""
    taken, near = counted(found.taken.kinds, "kind"), share(NEAR_ENOUGH, Sense.TYPED)
    if found.taken.mean_error <= NEAR_ENOUGH:
        return f"{taken} of operations: the fewest with a mean error of at most {near}."
    return f"{taken} of operations: no number has a mean error of at most {near}; this is nearest."


def kinds_alt(found: OperationsFound) -> str:
    """The picture for those who do not see it."""
    each = ", ".join(f"{one.kinds}: {off_said(one.mean_error)}" for one in found.tried)
    return f"Line chart: mean error of times by the number of kinds of operations; {each}"


_HALF: Final = 0.42
_LINE: Final = 10
"""Characters of a line of a title: four of them have room beside each other on a phone."""


def violins_figure(found: Sequence[Violin], inputs: PlanInputs) -> go.Figure:
    """A violin is wide where improvements are frequent; the dot is the mean. Shares in percent."""
    drawing, relative = Drawing(), any(one.relative for one in found)
    unit = _PERCENT if relative else inputs.rate_seconds
    for place, violin in enumerate(found):
        wide, levels = _HALF * violin.density, violin.levels * unit
        drawing.add_area(
            ACHIEVED,
            x=np.concatenate([place - wide, (place + wide)[::-1]]),
            y=np.concatenate([levels, levels[::-1]]),
            line={"color": OURS, "width": 1.5},
        )
    told = [(place, one) for place, one in enumerate(found) if len(one.improvement)]
    drawing.add_scatter(
        x=[place for place, _ in told],
        y=[one.mean * unit for _, one in told],
        mode="markers",
        marker={"color": INK, "size": 9},
        customdata=[
            f"{DECIDED[one.method]}: {plain(mean_said(one, inputs))} on average, better in "
            f"{share(one.wins, Sense.PLAIN)} of the scenarios"
            for _, one in told
        ],
    )
    drawing.add_hline(0.0, line={"color": OTHERS, "width": 1.5, "dash": "dash"})
    drawing.x_names(
        "",
        tickvals=list(range(len(found))),
        ticktext=["<br>".join(wrap(DECIDED[one.method], _LINE)) for one in found],
        range=[-0.6, len(found) - 0.4],
        showgrid=False,
    )
    each = "% of the rival's" if relative else plain(inputs.rates.money)
    drawing.y_axis(f"More {inputs.rates.noun} than the rival ({each})")
    return drawing.figure(_HEIGHT, showlegend=False)


_ANSWER_HEIGHT: Final = 340


def shopping_figure(answer: ProvisionAnswer) -> go.Figure:
    """What each method buys and sells."""
    purchases = {DECIDED[method]: one.purchase for method, one in answer.outcomes.items()}
    return shopping_bars(answer.plan, purchases, answer.asked.inputs.currency)


def shopping_bars(plan: Plan, purchases: Mapping[str, Purchase], currency: str) -> go.Figure:
    """Purchases by title. Bars up are bought, bars down are sold; a colour a machine type."""
    drawing = Drawing()
    moved = np.sum([purchase.buy + purchase.sell for purchase in purchases.values()], axis=0)
    order = sorted(range(len(plan.offers)), key=lambda j: -float(moved[j]))
    shown = [j for j in order if moved[j] > _LEAST]
    own, others = shown[:_MOST_TYPES], shown[_MOST_TYPES:]
    if len(others) == 1:
        own, others = shown, []
    bars = _Bars(drawing, plan, purchases, plain(currency))
    names = labels([offer.name for offer in plan.offers])
    for j in sorted(own):
        bars.add([j], plain(plan.offers[j].name), names[j], paint_machine(j).marker)
    if others:
        together = f"{len(others)} other types"
        bars.add(others, together, together, MIXED.marker)
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
    return drawing.figure(_ANSWER_HEIGHT, above=46, barmode="relative", bargap=0.35)


@dataclass(frozen=True, slots=True)
class _Bars:
    """The bars of purchases, in the order of their titles."""

    drawing: Drawing
    plan: Plan
    purchases: Mapping[str, Purchase]
    currency: str

    def add(self, types: list[int], name: str, short: str, marker: dict[str, object]) -> None:
        """A bar up and a bar down for each purchase; the legend has the `short` name."""
        plan = self.plan
        for sign, verb in ((1, "buy"), (-1, "sell")):
            numbers, said = [], []
            for title, purchase in self.purchases.items():
                each = purchase.buy if sign > 0 else purchase.sell
                prices = plan.prices if sign > 0 else plan.resales
                number = float(each[types].sum())
                numbers.append(sign * number)
                money = amount(float((each * prices)[types].sum()), Sense.PLAIN, self.currency)
                said.append(f"{title}: {verb} {machines(number)} {name}, {money}")
            if not any(abs(number) > _LEAST for number in numbers):
                continue
            bought = any(one.buy[types].sum() > _LEAST for one in self.purchases.values())
            self.drawing.add_bar(
                x=[*self.purchases],
                y=numbers,
                name=short,
                legendgroup=short,
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
    if compared.untouched is not None and answer.untouched is not None:
        titles.append(UNTOUCHED)
        outcomes.append(compared.untouched)
        intervals.append(answer.untouched)
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
    mean, look = answer.known.mean * unit, {"font": {"color": BOUND}}
    drawing.mark(mean, known, BOUND, top=True, left=True, yanchor="top", **look)
    drawing.x_axis(f"Expected {inputs.rates.noun} ({plain(inputs.rates.money)})")
    # Room for a text above the first row.
    drawing.y_names(range=[len(titles) - 0.5, -0.9], automargin=True)
    return drawing.figure(_ANSWER_HEIGHT, above=46, right=24)
