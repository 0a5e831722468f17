"""Figures 4.1 and 4.3: the most profitable schedules on the front, without and with idle power."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from benchmarks.publications.claim import NEAR, Claim, percent
from benchmarks.publications.figure import Curve, Figure, Plane, Region, Table, window
from benchmarks.publications.pictures import BLACK, BLUE, GREEN, PURPLE, VERMILION
from benchmarks.publications.profit.answers import (
    OURS,
    PHASES,
    RATIOS,
    ProfitAtRatio,
    answer,
    enlarged,
    kilowatts,
    place,
    point,
    terms_at,
)
from benchmarks.publications.stand_ins import CANDIDATES, drawn
from core.capabilities.profit.program import most_profit
from core.capabilities.profit.region import feasible_region
from core.engines.relaxed import Front, trace_front
from core.vocabulary.arrays import FloatArray
from core.vocabulary.plane.points import nadir, normalised, utopia
from core.vocabulary.system import System
from core.vocabulary.tolerances import METHODS_AGREE

POWER_CAP: Final = 55e3
LOSING_RATIOS: Final = (0.9, 0.95)
KNEE: Final = 0.9
"""A point counts as the knee if it is at least this share of the largest depth below the chord of
the ends.
"""
FORCED: Final = 0.1
"""The makespan counts as forced down within this share of the front's extent from the least
makespan.
"""

_SKY, _ORANGE = 4, 5
_BARS: Final = {0.9: VERMILION, 0.95: _ORANGE, 1.01: _ORANGE, 1.2: PURPLE, 1.5: GREEN}
_BAR: Final = 0.45
"""The length of the longest bar, as a share of the makespans between the ends."""


@dataclass(frozen=True, eq=False)
class Answers:
    """The front and the answers at several prices, by rising price."""

    front: Front
    each: Sequence[ProfitAtRatio]

    @property
    def extent(self) -> FloatArray:
        """Joules and seconds between the ends of the front."""
        return nadir(self.front.points) - utopia(self.front.points)


def measure(system: System, ratios: Sequence[float], seconds: float) -> Answers:
    """Measure all ratios; Wattfront's schedules are polished for so many seconds at each."""
    front = trace_front(system)
    return Answers(front, [answer(front, ratio, seconds) for ratio in ratios])


@dataclass(frozen=True, eq=False)
class Elsewhere:
    """For each candidate: the watts at both ends of the front, and how far the optimum at the
    highest of `RATIOS` is from the least makespan, as a share of the extent.
    """

    watts: FloatArray
    slower: FloatArray


def elsewhere(candidates: Sequence[int] = CANDIDATES) -> Elsewhere:
    watts, slower = [], []
    for candidate in candidates:
        front = trace_front(enlarged(drawn("nine", candidate)))
        watts.append((front.energy / front.makespan)[[0, -1]])
        optimum = most_profit(front.system, terms_at(front, RATIOS[-1]))
        slower.append(_of_the_way(front, 1 / optimum.rate))
    return Elsewhere(np.array(watts), np.array(slower))


def _of_the_way(front: Front, makespan: float) -> float:
    """How far a makespan is from the least one, as a share of the way to the longest."""
    return float((makespan - front.makespan[-1]) / (front.makespan[0] - front.makespan[-1]))


def profitable(answers: Answers, others: Elsewhere) -> Figure:
    """Figure 4.1, for answers at three prices."""
    front, each = answers.front, answers.each
    thrifty, knee, fast = each
    depth = 1 - normalised(front.points).sum(axis=1)
    knee_depth = 1 - float(((knee.bound - front.utopia) / answers.extent).sum())
    slower = _of_the_way(front, fast.bound[1])
    return Figure(
        "4.1",
        "The most profitable schedules on the front",
        "No idle power. Black dots are the divisible optima at three prices of a bag; blue and sky "
        "blue dots are schedules. The bar above an optimum shows its profit per second. Grey is "
        "what the cap forbids.",
        [_plane(answers, capped=True)],
        [
            _overlap(each, 0, PHASES),
            _overlap(each, -1, OURS),
            _least_energy(front, thrifty),
            Claim(
                f"A price ratio of {knee.ratio:g} leads to the knee of the front (read: at least "
                f"{percent(KNEE, 0)} as far below the chord of the ends as the deepest point)",
                "knee",
                f"{place(knee.bound)}: {percent(knee_depth / depth.max())} as far",
                bool(knee_depth >= KNEE * depth.max()),
                f"the deepest is {place(front.points[depth.argmax()])}",
            ),
            Claim(
                f"A price ratio of {fast.ratio:g} forces the makespan down (read: at most "
                f"{percent(FORCED, 0)} of the way from the least to the longest of the front)",
                "forces the makespan",
                f"{place(fast.bound)}: {percent(slower)} of the way",
                bool(slower <= FORCED),
                f"the least makespan is {front.makespan[-1]:,.0f} s",
                cause="The environment: in the ten candidates it is "
                f"{percent(float(others.slower.min()))} to {percent(float(others.slower.max()))} "
                f"of the way, and at most {percent(FORCED, 0)} in "
                f"{int((others.slower <= FORCED).sum())} of them.",
            ),
            _shaded(front, each),
            _cap_divides(front, others),
        ],
        table=_table(each),
    )


def _cap_divides(front: Front, others: Elsewhere) -> Claim:
    powers = front.energy / front.makespan
    return Claim(
        f"A cap of {POWER_CAP / 1e3:g} kW divides the front (read: the fastest draws more, "
        "the thriftiest less)",
        "shown in the figure, not said",
        f"the front draws {powers[0] / 1e3:.1f} to {powers[-1] / 1e3:.1f} kW",
        bool(powers[0] < POWER_CAP < powers[-1]),
        f"{percent(powers[-1] / POWER_CAP - 1)} from the cap at the fastest",
        cause="The environment: powers were drawn, none is published. The fastest "
        "schedules on the fronts of the ten candidates draw "
        f"{others.watts[:, 1].min() / 1e3:.1f} to "
        f"{others.watts[:, 1].max() / 1e3:.1f} kW, more than the cap in "
        f"{int((others.watts[:, 1] > POWER_CAP).sum())} of them.",
        ours=True,
    )


def _least_energy(front: Front, thrifty: ProfitAtRatio) -> Claim:
    above = thrifty.bound[0] / front.energy[0] - 1
    return Claim(
        f"A price ratio of {thrifty.ratio:g} minimises energy",
        "least energy",
        f"{place(thrifty.bound)}",
        bool(above <= METHODS_AGREE),
        f"{percent(above, 4)} above the least energy",
    )


def _shaded(front: Front, each: Sequence[ProfitAtRatio]) -> Claim:
    """The claim that the region drawn as allowed is the one that keeps the cap."""
    points = np.array([*front.points, *(point(one.earned[0]) for one in each)])
    above_line = points[:, 1] >= points[:, 0] / POWER_CAP
    kept = points[:, 0] / points[:, 1] <= POWER_CAP
    return Claim(
        f"With a cap of {POWER_CAP / 1e3:g} kW the solutions in the shaded region keep it",
        "keep it",
        f"{int(kept.sum())} of {len(kept)} vertices and schedules do",
        bool((above_line == kept).all()),
        cannot_fail=True,
    )


def losing(answers: Answers) -> Figure:
    """Figure 4.3: idle power, and prices at which bags make a loss."""
    front = answers.front
    losses = [each for each in answers.each if each.profit.bound.value < 0]
    gains = [each for each in answers.each if each.profit.bound.value >= 0]
    end = front.points[0]
    return Figure(
        "4.3",
        "Profit and loss with idle power",
        "Idle machines draw 5 % of the mean power of their type. The bar from a divisible optimum "
        "goes up for profit, down for loss; sky blue bounds what divisible schedules can reach.",
        [_plane(answers, capped=False)],
        [
            Claim(
                "Optima that make a loss leave the front",
                "leave it",
                "; ".join(f"ratio {loss.ratio:g}: {place(loss.bound)}" for loss in losses),
                bool(losses) and not any(loss.profit.on_front for loss in losses),
                f"the front begins at {place(end)}",
            ),
            Claim(
                "Optima that make a profit are on the front",
                "Pareto efficient",
                "; ".join(f"ratio {gain.ratio:g}: {place(gain.bound)}" for gain in gains),
                bool(gains) and all(gain.profit.on_front for gain in gains),
            ),
        ],
        [
            "It is worth running bags at a loss that is less than what idle machines cost "
            f"({kilowatts(front.system.total_idle_power)}) only if machines may not be switched "
            "off."
        ],
        _table(answers.each),
    )


def _overlap(each: Sequence[ProfitAtRatio], which: int, name: str) -> Claim:
    """The claim that schedules are near the bounds: the published ones (0), or Wattfront's (-1)."""
    away = {one.ratio: point(one.earned[which]) / one.bound - 1 for one in each}
    return Claim(
        f"{name.capitalize()}: bound and schedule nearly overlap (read: energy and makespan at "
        f"most {percent(NEAR, 0)} apart)",
        "nearly overlap" if name == PHASES else "nearly overlap, of the published phases",
        "; ".join(
            f"ratio {ratio:g}: energy {percent(energy, 2)}, makespan {percent(makespan, 1)}"
            for ratio, (energy, makespan) in away.items()
        ),
        all(bool((np.abs(shares) <= NEAR).all()) for shares in away.values()),
        cause=_earns(each, which),
        ours=name != PHASES,
    )


def _earns(each: Sequence[ProfitAtRatio], which: int) -> str:
    """The share of the bound that schedules earn which are not near it."""
    shares = [one.earned[which].profit / one.profit.bound.value for one in each]
    return (
        "Schedules are chosen by profit, not by how near they are to the optimum. These earn "
        + ", ".join(percent(share, 2) for share in shares)
        + " of the bound."
    )


def _plane(answers: Answers, *, capped: bool) -> Plane:
    front, each = answers.front, answers.each
    schedules = [[point(one.earned[0]) for one in each], [point(one.earned[-1]) for one in each]]
    bars = _bars(answers)
    everything = np.concatenate([front.points, *schedules, *bars.values()])
    low, high = window(everything, headroom=0.1)
    curves = [
        Curve(
            f"ratio {one.ratio:g}: {kilowatts(one.profit.bound.value)}",
            bars[one.ratio],
            "line",
            _BARS[one.ratio],
        )
        for one in each
    ]
    regions = []
    if capped:
        energy = np.array([low[0], high[0]])
        line = np.column_stack([energy, energy / POWER_CAP])
        low = np.minimum(low, [low[0], 0.9 * line[0, 1]])
        curves.append(Curve(f"cap of {POWER_CAP / 1e3:g} kW", line, "line", VERMILION))
        regions.append(Region("impossible", np.vstack([line, [high[0], low[1]], low])))
    else:
        region = feasible_region(front.system, high[1] + answers.extent[1])
        closed = np.vstack([region, region[:1]])
        curves.append(Curve("what can be reached", closed, "line", _SKY))
    curves += [
        Curve("exact front", front.points, "line", BLACK),
        Curve(f"schedule, {PHASES}", np.array(schedules[0]), "dots", BLUE),
        Curve(f"schedule, {OURS}", np.array(schedules[1]), "dots", _SKY),
        Curve("divisible optimum", np.array([one.bound for one in each]), "dots", BLACK),
    ]
    return Plane("nine", low, high, curves, regions)


def _bars(answers: Answers) -> dict[float, FloatArray]:
    """The bars of the optima, by price ratio: up for profit, down for loss."""
    values = {one.ratio: one.profit.bound.value for one in answers.each}
    scale = _BAR * answers.extent[1] / max(abs(value) for value in values.values())
    return {
        one.ratio: one.bound + np.array([[0.0, 0.0], [0.0, scale * values[one.ratio]]])
        for one in answers.each
    }


def _table(each: Sequence[ProfitAtRatio]) -> Table:
    head = ["price ratio", "bound (W)", f"{PHASES} (W)", f"{OURS} (W)"]
    return Table(
        [*head, "energy of the bound (MJ)", "its makespan (s)"],
        [
            [
                f"{one.ratio:g}",
                *(
                    f"{value:,.1f}"
                    for value in (
                        one.profit.bound.value,
                        one.published.profit,
                        one.profit.value,
                        *(one.bound / [1e6, 1.0]).tolist(),
                    )
                ),
            ]
            for one in each
        ],
    )
