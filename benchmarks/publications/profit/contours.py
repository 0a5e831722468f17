"""Figure 4.5: lines of equal profit over the region of all divisible schedules."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from benchmarks.publications.claim import Claim
from benchmarks.publications.figure import Curve, Figure, Plane, Table, window
from benchmarks.publications.pictures import BLACK, BLUE, GREEN, VERMILION
from benchmarks.publications.profit.answers import ProfitAtRatio, kilowatts, place
from benchmarks.publications.profit.fronts import Answers
from core.capabilities.profit.region import feasible_region
from core.vocabulary.arrays import FloatArray
from core.vocabulary.tolerances import METHODS_AGREE

PUBLISHED_RATIOS: Final = (0.9, 1.2, 1.5)
CONTOURS: Final = 7
_WAITING: Final = 1.15
"""The region is shown up to this multiple of the longest makespan without waiting."""


def figure(answers: Answers) -> Figure:
    """The figure for answers with idle power; those at published ratios come first."""
    front = answers.front
    each = sorted(answers.each, key=lambda one: one.ratio not in PUBLISHED_RATIOS)
    longest = max(front.makespan[0], front.slower[:, 1].max(initial=0.0))
    region = feasible_region(front.system, _WAITING * longest)
    best = {one.ratio: _earned(one, region) for one in each}
    return Figure(
        "4.5",
        "Lines of equal profit over what can be reached",
        "Idle machines draw 5 % of the mean power of their type; waiting is shown up to "
        f"{_WAITING:g} times the longest makespan. All lines of a picture meet at one point, where "
        "the price of a bag just pays for its energy and the time is 0. Ratios that the "
        "publication does not show come last.",
        [_plane(letter, one, region) for letter, one in zip("abcd", each, strict=False)],
        _claims(answers, best, region),
        [
            "At the least makespan the energy is bounded, also without idle power. The asymptote "
            "that the publication mentions exists only if schedules may waste any amount of energy."
        ],
        Table(
            ["price ratio", "lines at (kW)", "most (kW)"],
            [
                [
                    f"{one.ratio:g}",
                    ", ".join(f"{watts / 1e3:.2f}" for watts in _levels(one, region)),
                    f"{one.profit.bound.value / 1e3:.3f}",
                ]
                for one in each
            ],
        ),
    )


def _claims(answers: Answers, best: Mapping[float, FloatArray], region: FloatArray) -> list[Claim]:
    front, each = answers.front, answers.each
    off = {one.ratio: abs(best[one.ratio].max() / one.profit.bound.value - 1) for one in each}
    losing = [one for one in answers.each if one.profit.bound.value < 0]
    gaining = [one for one in answers.each if one.profit.bound.value >= 0]
    return [
        Claim(
            "The optimum is where a line of equal profit touches the region: at a corner, and "
            "no corner earns more",
            "touches",
            "; ".join(f"ratio {ratio:g}: {place(region[v.argmax()])}" for ratio, v in best.items()),
            bool(max(off.values()) <= METHODS_AGREE),
            f"corners and program differ by {max(off.values()):.0e} at most, as a share",
            cannot_fail=True,
        ),
        Claim(
            "Below ratio 1 the optimum has left the front for the upper left boundary",
            "off the front",
            "; ".join(f"ratio {one.ratio:g}: {place(one.bound)}" for one in losing),
            bool(losing)
            and not any(one.profit.on_front for one in losing)
            and bool(min(one.bound[1] for one in losing) > front.makespan[0]),
            f"the front begins at {place(front.points[0])}",
            again="4.3",
        ),
        Claim(
            "Above ratio 1 it is on the front, and faster for a higher price",
            "on the front",
            "; ".join(f"ratio {one.ratio:g}: {place(one.bound)}" for one in gaining),
            all(one.profit.on_front for one in gaining)
            and bool((np.diff([one.bound[1] for one in gaining]) < 0).all()),
            again="4.3",
        ),
    ]


def _earned(one: ProfitAtRatio, points: FloatArray) -> FloatArray:
    """Money a second at each point (joules, seconds)."""
    terms = one.profit.bound.terms
    earned: FloatArray = (terms.price - terms.energy_price * points[:, 0]) / points[:, 1]
    return earned


def _levels(one: ProfitAtRatio, region: FloatArray) -> Sequence[float]:
    """Levels of profit, evenly spaced between the worst and the best vertex of the region."""
    earned = _earned(one, region)
    levels: list[float] = np.linspace(earned.min(), earned.max(), CONTOURS + 1)[1:-1].tolist()
    return levels


def _plane(letter: str, one: ProfitAtRatio, region: FloatArray) -> Plane:
    low, high = window(region, headroom=0.45)
    contours = [_contour(one, watts, low, high) for watts in _levels(one, region)]
    between = np.full((1, 2), np.nan)
    return Plane(
        f"({letter}) price ratio {one.ratio:g}",
        low,
        high,
        [
            Curve(
                "equal profit",
                np.concatenate([part for line in contours for part in (line, between)]),
                "line",
                BLUE,
            ),
            Curve(
                f"the most: {kilowatts(one.profit.bound.value)}",
                _contour(one, one.profit.bound.value, low, high),
                "line",
                GREEN,
            ),
            Curve("what can be reached", np.vstack([region, region[:1]]), "line", BLACK),
            Curve("optimum", one.bound[None], "dots", VERMILION),
        ],
    )


def _contour(one: ProfitAtRatio, watts: float, low: FloatArray, high: FloatArray) -> FloatArray:
    """The line of this profit, from the bottom of the window to its top."""
    terms = one.profit.bound.terms
    makespan = np.array([low[1], high[1]])
    return np.column_stack([(terms.price - watts * makespan) / terms.energy_price, makespan])
