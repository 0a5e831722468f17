"""Figure 4.4: the most profit compared with that of the best schedule on the front, by price."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from benchmarks.publications.claim import Claim
from benchmarks.publications.figure import Figure, Panel, Series, Table
from benchmarks.publications.profit.answers import ENERGY_PRICE, kilowatts
from core.capabilities.profit.sweep import PriceSteps, price_steps, sweep
from core.capabilities.profit.terms import Terms
from core.engines.relaxed import Front, trace_front
from core.vocabulary.arrays import BoolArray, FloatArray
from core.vocabulary.system import System
from core.vocabulary.tolerances import METHODS_AGREE

PERCENTS: Final = tuple(range(80, 151))


@dataclass(frozen=True, eq=False)
class Ratios:
    """For each price ratio, in percent: the watts of the linear program, and of the best schedule
    on the front.
    """

    front: Front
    percents: FloatArray
    program: FloatArray
    on_front: FloatArray
    steps: PriceSteps

    @property
    def higher(self) -> BoolArray:
        """Where the program beats the front."""
        least = METHODS_AGREE * self.front.system.total_idle_power
        higher: BoolArray = self.program > self.on_front + least
        return higher

    @property
    def runs_from(self) -> float:
        """The ratio from which on running bags beats running nothing."""
        return float(self.steps.revenue[0] / self.front.lines.value[0])

    @property
    def off_front_until(self) -> float:
        """The ratio up to which what earns most is slower than all of the front."""
        return float(self.steps.thriftiest_from / self.front.lines.value[0])


def measure(system: System, percents: Sequence[int] = PERCENTS) -> Ratios:
    front = trace_front(system)
    shares = np.array(percents, np.float64) / 100
    prices = shares * ENERGY_PRICE * front.lines.value[0]
    bounds = sweep(system, Terms(0.0, ENERGY_PRICE), "price", prices.tolist())
    program = np.array([bound.value for bound in bounds if bound is not None])
    earned = (prices[:, None] - ENERGY_PRICE * front.energy) / front.makespan
    steps = price_steps(system, Terms(0.0, ENERGY_PRICE))
    return Ratios(front, np.array(percents, np.float64), program, earned.max(axis=1), steps)


def figure(ratios: Ratios) -> Figure:
    below = ratios.percents < 100
    prices = ratios.percents / 100 * ENERGY_PRICE * ratios.front.lines.value[0]
    from_steps = np.abs(ratios.steps.most_profit(prices) - ratios.program).max()
    idle = ratios.front.system.total_idle_power
    curves = {"profit program": ratios.program, "best of the front": ratios.on_front}
    rows = np.flatnonzero(ratios.percents % 5 == 0)
    return Figure(
        "4.4",
        "Profit by the price of a bag",
        "Idle machines draw 5 % of the mean power of their type. Where bags cost more than they "
        "bring, the loss is shown. Where only one line can be seen, both coincide.",
        [
            _panel("(a) Loss", "loss", ratios.percents, curves, below, -1e-3),
            _panel("(b) Profit", "profit", ratios.percents, curves, ~below, 1e-3),
        ],
        _claims(ratios),
        [
            f"Up to ratio {ratios.runs_from:.4f} the program runs nothing and loses what idle "
            f"machines draw, {kilowatts(idle)}.",
            f"The exact steps of prices ({len(ratios.steps.revenue)}, found without a program) "
            f"agree with the programs to {from_steps:.1e} W.",
        ],
        Table(
            ["price ratio (%)", "profit program (W)", "best of the front (W)"],
            [
                [f"{ratios.percents[k]:.0f}"]
                + [
                    f"{round(values[k], 1) + 0.0:,.1f}"
                    for values in (ratios.program, ratios.on_front)
                ]
                for k in rows
            ],
        ),
    )


def _claims(ratios: Ratios) -> list[Claim]:
    below = ratios.percents < 100
    apart = np.abs(ratios.program - ratios.on_front)[~below].max(initial=0.0)
    gain = (ratios.program - ratios.on_front)[below]
    return [
        Claim(
            "From ratio 1 on, program and best of the front earn the same (read: to a "
            "millionth of idle power)",
            "equal",
            f"{apart:.1e} W apart at most",
            not bool(ratios.higher[~below].any()),
        ),
        Claim(
            "Below ratio 1 the program loses less (read: at every whole percent)",
            "less loss",
            f"at {int(ratios.higher[below].sum())} of {int(below.sum())} ratios, by up to "
            f"{kilowatts(gain.max())}",
            bool(ratios.higher[below].all()),
            f"exactly: up to ratio {ratios.off_front_until:.4f}, beyond which the front's "
            "thriftiest schedule is best",
        ),
    ]


def _panel(
    title: str,
    y_label: str,
    percents: FloatArray,
    curves: dict[str, FloatArray],
    shown: BoolArray,
    scale: float,
) -> Panel:
    return Panel(
        title,
        "price of a bag (% of the least energy's cost)",
        y_label,
        "kW",
        [
            Series(name, percents[shown], scale * values[shown, None])
            for name, values in curves.items()
        ],
        "lines",
    )
