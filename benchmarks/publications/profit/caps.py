"""The claims of the text about profit under a power cap, checked at a few caps."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from benchmarks.publications.claim import UNMEASURED, Claim, percent
from benchmarks.publications.figure import Curve, Figure, Plane, Table, window
from benchmarks.publications.pictures import BLACK, BLUE, GREEN, PURPLE, VERMILION
from benchmarks.publications.profit.answers import (
    OURS,
    PHASES,
    ProfitAtRatio,
    answer,
    kilowatts,
    place,
)
from core.capabilities.profit.program import Regime
from core.engines.recover.along import points_of
from core.engines.relaxed import Front, trace_front
from core.vocabulary.arrays import FloatArray
from core.vocabulary.system import System
from core.vocabulary.tolerances import SAME

PUBLISHED_CAP: Final = 55e3
CAP_SHARES: Final = (1.25, 0.96, 0.67)
"""Caps as shares of the power of the thriftiest schedule: some that the front can keep, some that
it cannot.
"""
RATIO: Final = 1.5

_SKY: Final = 4
_COLOURS: Final = (GREEN, BLUE, PURPLE, VERMILION)

REGIMES: Final = {
    Regime.RUNS_ON_FRONT: "on the front",
    Regime.RUNS_OFF_FRONT: "off the front",
    Regime.THROTTLED: "throttled",
    Regime.DOES_NOT_RUN: "runs nothing",
}


@dataclass(frozen=True, eq=False)
class Capped:
    """The most profit at each cap in watts, by falling cap."""

    front: Front
    by_cap: dict[float, ProfitAtRatio]


def measure(system: System, seconds: float, caps: Sequence[float] = ()) -> Capped:
    """Measure at these caps; by default, at the published one and at `CAP_SHARES`, rounded to 100
    W.
    """
    front = trace_front(system)
    draws = front.energy[0] / front.makespan[0]
    caps = caps or (PUBLISHED_CAP, *(100 * round(share * draws / 100) for share in CAP_SHARES))
    return Capped(front, {cap: answer(front, RATIO, seconds, cap) for cap in caps})


def figure(capped: Capped) -> Figure:
    by_cap = capped.by_cap
    return Figure(
        "B",
        "Profit under a power cap",
        "Not a figure of the publication, but claims of its text. Idle machines draw 5 % of the "
        f"mean power of their type; price ratio {RATIO:g}. A cap allows what is above its line.",
        [_plane(capped)],
        _claims(capped),
        table=Table(
            [
                "cap (kW)",
                "bound (W)",
                f"{PHASES}, waiting (W)",
                f"{OURS} (W)",
                "optimum",
                "it runs",
            ],
            [
                [
                    f"{cap / 1e3:g}",
                    f"{one.profit.bound.value:,.1f}",
                    f"{one.published.profit:,.1f}",
                    f"{one.profit.value:,.1f}",
                    place(one.bound),
                    REGIMES[one.profit.regime],
                ]
                for cap, one in by_cap.items()
            ],
        ),
    )


def _claims(capped: Capped) -> list[Claim]:
    by_cap = capped.by_cap
    off = [cap for cap, one in by_cap.items() if not one.profit.on_front]
    drawn = {cap: _drawn(one) for cap, one in by_cap.items()}
    broken = [cap for cap, watts in drawn.items() if watts > cap * (1 + SAME)]
    ours = {cap: _power(one) for cap, one in by_cap.items()}
    uncapped = answer(capped.front, RATIO, 0.0).profit
    thriftiest = float(capped.front.energy[0] / capped.front.makespan[0])
    gains = all(one.profit.bound.value > 0 for one in by_cap.values())
    return [
        Claim(
            "Whatever makes a profit is Pareto efficient (read: the optimum at every cap that "
            "leaves a profit)",
            "always",
            "; ".join(
                f"{cap / 1e3:g} kW: {kilowatts(one.profit.bound.value)} "
                f"{REGIMES[one.profit.regime]}"
                for cap, one in by_cap.items()
            ),
            gains and not off,
            f"not at {_listed(off)}" if off else UNMEASURED,
            cause="The sentence does not consider the cap. Without a cap the optimum "
            f"({kilowatts(uncapped.bound.value)}) is on the front, and also at "
            f"{_listed([cap for cap in by_cap if cap not in off])}. The other caps are below "
            f"the {kilowatts(thriftiest)} that the thriftiest schedule of the front draws.",
        ),
        Claim(
            "The published phases keep the cap if bags follow one another without a pause",
            "kept, by the program",
            "; ".join(f"{cap / 1e3:g} kW: {kilowatts(watts)}" for cap, watts in drawn.items()),
            not broken,
            "; ".join(f"{percent(drawn[cap] / cap - 1)} above {cap / 1e3:g} kW" for cap in broken)
            or UNMEASURED,
            cause="The optimum waits between bags. Started once in each of its periods, with "
            "idle machines in between, the same schedules draw "
            + "; ".join(f"{kilowatts(by_cap[cap].published.power)}" for cap in broken)
            + ".",
        ),
        Claim(
            "Ours keep it, waiting for the next bag where they must (not published)",
            "not published",
            "; ".join(f"{cap / 1e3:g} kW: {kilowatts(watts)}" for cap, watts in ours.items()),
            all(watts <= cap * (1 + SAME) for cap, watts in ours.items())
            and all(one.profit.verified for one in by_cap.values()),
            "each recomputed from the raw matrices",
            ours=True,
        ),
    ]


def _drawn(one: ProfitAtRatio) -> float:
    """Watts of the published phases' schedule if bags follow one another without waiting."""
    joules, seconds = _at_once(one).tolist()
    return float(joules / seconds)


def _at_once(one: ProfitAtRatio) -> FloatArray:
    """(joules, seconds) of the published phases' schedule, without waiting."""
    point: FloatArray = points_of([one.published.schedule])[0]
    return point


def _power(one: ProfitAtRatio) -> float:
    """Watts of Wattfront's schedule with its period."""
    return one.earned[-1].power


def _listed(caps: Sequence[float]) -> str:
    return ", ".join(f"{cap / 1e3:g} kW" for cap in caps)


def _plane(capped: Capped) -> Plane:
    front = capped.front
    reachable = np.concatenate([front.slower, front.points])
    optima = np.array([one.bound for one in capped.by_cap.values()])
    schedules = np.array([_at_once(one) for one in capped.by_cap.values()])
    low, high = window(np.concatenate([reachable, optima, schedules]), headroom=0.85)
    low = np.minimum(low, [low[0], 0.95 * low[0] / max(capped.by_cap)])
    energy = np.array([low[0], high[0]])
    rays = [
        Curve(f"cap of {cap / 1e3:g} kW", np.column_stack([energy, energy / cap]), "line", colour)
        for cap, colour in zip(capped.by_cap, _COLOURS, strict=False)
    ]
    front_and_slower = Curve("thriftiest at each makespan", reachable, "line", BLACK)
    return Plane(
        "nine",
        low,
        high,
        [
            *rays,
            front_and_slower,
            Curve(f"schedule, {PHASES}", schedules, "dots", _SKY),
            Curve("divisible optimum", optima, "dots", BLACK),
        ],
    )
