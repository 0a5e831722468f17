"""The upper bound on profit over a range of one quantity, and its chart."""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
import plotly.graph_objects as go

from core import System, Terms
from core.capabilities.profit.settings import USUAL_RATIOS, ProfitSettings
from core.capabilities.profit.sweep import SweptQuantity, most_swept
from core.engines.relaxed import Front
from core.vocabulary.arrays import FloatArray
from core.vocabulary.say.money import Money
from core.vocabulary.say.words import JOULES_PER_KWH, Sense, amount
from dashboard.parts.charts.drawing import Drawing, spanning
from dashboard.parts.charts.palette import BOUND, OTHERS
from dashboard.parts.charts.text import plain, plain_money
from dashboard.parts.fields.idle_power import fraction_of

POINTS: Final = 25
_MOST_PRICE: Final = 3.0
TITLES: Final[dict[SweptQuantity, str]] = {
    "price": "Profit ratio",
    "energy price": "Energy price",
    "power cap": "Power cap",
    "idle power": "Idle power",
}


@dataclass(frozen=True, eq=False)
class Sweep:
    """The upper bound on profit (money a second) along an axis, in a readable unit.

    `at_most` is NaN where no schedule keeps the cap; `now` is the present value.
    """

    label: str
    values: FloatArray
    at_most: FloatArray
    now: float | None


def swept(
    system: System, terms: Terms, front: Front, settings: ProfitSettings, quantity: SweptQuantity
) -> Sweep:
    """The sweep. The price of a batch stays the same, unless it is swept."""
    label, size, low, high, now = _range(system, terms, front, settings, quantity)
    values = np.linspace(low, high, POINTS)
    if now is not None and low <= now <= high:
        values = np.union1d(values, now)
    at_most = most_swept(system, terms, quantity, values.tolist())
    return Sweep(label, values / size, at_most, None if now is None else now / size)


def _range(
    system: System, terms: Terms, front: Front, settings: ProfitSettings, quantity: SweptQuantity
) -> tuple[str, float, float, float, float | None]:
    """The label of the axis, the size of its unit, its ends, and the present value, in SI units."""
    if quantity == "price":
        unit = settings.unit_price(front) or 1.0
        label = "Profit ratio (price of a batch / cost of the least energy)"
        return label, unit, USUAL_RATIOS.low * unit, USUAL_RATIOS.high * unit, terms.price
    if quantity == "energy price":
        most = _MOST_PRICE * terms.energy_price or 1 / JOULES_PER_KWH
        if settings.electricity == "joule":
            return "Price of electricity (¤/J)", 1.0, 0.0, most, terms.energy_price
        label = f"Price of electricity, carbon included ({settings.site.currency}/kWh)"
        return label, 1 / JOULES_PER_KWH, 0.0, most, terms.energy_price
    if quantity == "power cap":
        least = terms.pue * system.total_idle_power
        most = 1.1 * terms.pue * float((front.energy / front.makespan).max())
        now = terms.power_cap if math.isfinite(terms.power_cap) else None
        return "Power cap (kW on average)", 1e3, least, max(most, least + 1.0, now or 0.0), now
    return "Idle power (% of the mean power at work)", 0.01, 0.0, 1.0, fraction_of(system)


HEIGHT: Final = 320
_ROOM: Final = 0.06


def sweep_figure(sweep: Sweep, money: Money) -> go.Figure:
    """The line is interrupted where no schedule keeps the cap."""
    drawing, money = Drawing(), plain_money(money)
    drawing.add_scatter(
        x=sweep.values,
        y=money.rate(1.0) * sweep.at_most,
        mode="lines+markers",
        line={"color": BOUND, "width": 2},
        marker={"size": 4},
        name="Upper bound",
        customdata=[
            f"{amount(value, Sense.PLAIN)}: {money.say_rate(most, Sense.UPPER_BOUND)}"
            for value, most in zip(sweep.values.tolist(), sweep.at_most.tolist(), strict=True)
        ],
    )
    drawing.add_hline(0.0, line={"color": OTHERS, "width": 1})
    if sweep.now is not None:
        drawing.mark(sweep.now, "now", OTHERS, top=True, yanchor="top")
    drawing.x_axis(plain(sweep.label))
    drawing.y_axis(f"Upper bound on profit ({money.rate_unit})", range=_visible(sweep, money))
    return drawing.figure(HEIGHT, showlegend=False)


def _visible(sweep: Sweep, money: Money) -> list[float] | None:
    """What is seen of the profits; 0 is among it where they are near."""
    rates = money.rate(1.0) * sweep.at_most[np.isfinite(sweep.at_most)]
    if not rates.size:
        return None
    low, high = spanning(float(rates.min()), float(rates.max()))
    low, high = (0.0 if 0 < low < high - low else low), (0.0 if low - high < high < 0 else high)
    room = _ROOM * (high - low or 1.0)
    return [low - room, high + room]
