"""The claim about very high idle power: the most profit then needs the least makespan."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from benchmarks.publications.claim import Claim, percent
from benchmarks.publications.figure import Figure, Panel, Series
from benchmarks.publications.front.front_causes import even
from benchmarks.publications.profit.answers import RATIOS, terms_at
from core.capabilities.profit.program import most_profit
from core.engines.relaxed import trace_front
from core.vocabulary.arrays import FloatArray
from core.vocabulary.system import System

FRACTIONS: Final = (0.0, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
NEAR: Final = 0.01


@dataclass(frozen=True, eq=False)
class Idle:
    """By what share the optimum's makespan exceeds the least: [ratio, idle fraction]; and at each
    ratio for machines that always draw the same power.
    """

    fractions: FloatArray
    longer: FloatArray
    even: FloatArray


def measure(system: System, fractions: Sequence[float] = FRACTIONS) -> Idle:
    longer = np.array([_longer(system.with_idle_fraction(fraction)) for fraction in fractions])
    return Idle(np.array(fractions), longer.T, np.array(_longer(even(system))))


def _longer(system: System) -> list[float]:
    front = trace_front(system)
    optima = [most_profit(system, terms_at(front, ratio)) for ratio in RATIOS]
    return [1 / (optimum.rate * front.makespan[-1]) - 1 for optimum in optima]


def figure(idle: Idle) -> Figure:
    at_most = idle.longer[:, -1]
    return Figure(
        "C",
        "The most profit by idle power",
        "Not a figure of the publication, but a claim of its text. An idle machine draws the given "
        "share of the mean power of its type.",
        [
            Panel(
                "Makespan of the most profitable schedule",
                "idle power (%)",
                "above the least makespan",
                "%",
                [
                    Series(f"ratio {ratio:g}", 100 * idle.fractions, 100 * longer[:, None])
                    for ratio, longer in zip(RATIOS, idle.longer, strict=True)
                ],
                "lines",
            )
        ],
        [
            Claim(
                "With very high idle power the most profitable schedule has the least makespan "
                f"(read: at {percent(idle.fractions[-1], 0)} its makespan is at most "
                f"{percent(NEAR, 0)} above the least, at each ratio)",
                "always",
                "; ".join(
                    f"ratio {ratio:g}: {percent(longer, 2)} above"
                    for ratio, longer in zip(RATIOS, at_most, strict=True)
                ),
                bool((at_most <= NEAR).all()),
                cause="Idle power is a share of the mean power of a type, and some task types "
                "draw less than the mean. If all draw the mean on each machine type, it is at most "
                f"{percent(abs(float(idle.even.max())), 2)} above.",
            )
        ],
    )
