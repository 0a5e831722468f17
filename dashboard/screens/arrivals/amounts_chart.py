"""Worth over how much of a resource a cluster has."""

import math
from typing import Final

import plotly.graph_objects as go

from core.capabilities.arrivals.labels import policy_label
from core.capabilities.arrivals.value_told import amount_said, resource_title
from core.engines.replay.hourly_prices import CORES
from core.engines.replay.workload import Pools, beside_each_other
from core.vocabulary.say.units import Unit, time_unit
from core.vocabulary.say.words import Sense, amount, duration, joined, share
from dashboard.parts.charts.drawing import Drawing
from dashboard.parts.charts.palette import BOUND, OTHERS, dash, distinct, symbol
from dashboard.parts.charts.text import plain
from dashboard.screens.arrivals.amounts import (
    FACTORS,
    FIGURES,
    AmountsFound,
    Figure,
    workload_of,
)

_HEIGHT: Final = 420
_MORE: Final = 1.25
_BESIDE: Final = 0.05
"""Room at both ends of the axis, times the present amount."""
_WORDS: Final[dict[Figure, tuple[str, str, str, str]]] = {
    "worth": ("more", "less", "no more", "more earn "),
    "flow": ("longer", "shorter", "no shorter", "more make the mean time to the end "),
}
"""What is said of a rise, of a fall, of neither, and before the first of them."""
_POSSIBLE: Final = "possible at most"


def amount_of(pools: Pools, resource: str) -> float:
    """What all pools have of a resource."""
    there = beside_each_other(pools.units * pools.cores, pools.further).sum(axis=0)
    return float(there[(CORES, *pools.resources).index(resource)])


def amounts_figure(found: AmountsFound, resource: str, figure: Figure) -> go.Figure:
    """A line for each policy, and for the bound of the worth, as far as they are known; the present
    amount is marked.
    """
    drawing, now = Drawing(), amount_of(workload_of(found.found).pools, resource)
    policies = [one for one in found.policies if one is not None or figure == "worth"]
    lines = [found.line(resource, policy, figure) for policy in policies]
    unit = time_unit(max((value for line in lines for _, value in line), default=0.0))
    unit = unit if figure == "flow" else Unit("", 1.0)
    for rank, (policy, line) in enumerate(zip(policies, lines, strict=True)):
        is_bound = policy is None
        name = _POSSIBLE if policy is None else policy_label(policy)
        look = {"color": BOUND if is_bound else distinct(rank), "width": 2}
        drawing.add_scatter(
            x=[now * factor for factor, _ in line],
            y=[value / unit.size for _, value in line],
            mode="lines+markers",
            name=name,
            line={**look, "dash": "dash" if is_bound else dash(rank)},
            marker={"size": 7, "symbol": symbol(rank)},
            customdata=[
                f"{name}, {plain(amount_said(now * factor, resource))}: {_said(value, figure)}"
                for factor, value in line
            ],
        )
    drawing.mark(now, "now", OTHERS)
    ends = [now * (FACTORS[0] - _BESIDE), now * (FACTORS[-1] + _BESIDE)]
    drawing.x_axis(plain(resource_title(resource)), range=ends)
    drawing.y_axis(FIGURES[figure] + (f" ({unit.symbol})" if unit.symbol else ""))
    rows = math.ceil(len(policies) / 2)
    return drawing.figure(_HEIGHT, above=24 + 20 * rows, showlegend=True)


def _said(value: float, figure: Figure) -> str:
    return (duration if figure == "flow" else amount)(value, Sense.PLAIN)


def amounts_said(found: AmountsFound, resources: tuple[str, ...], figure: Figure) -> str:
    """What more of each resource brings under the best policy; empty until it is known."""
    best, pools = found.found.shown.ranked[0], workload_of(found.found).pools
    said = list[str]()
    for resource in resources:
        line = dict(found.line(resource, best, figure))
        if _MORE not in line or line.get(1.0, 0.0) <= 0.0:
            return ""
        gain = line[_MORE] / line[1.0] - 1.0
        above, below, same, verb = _WORDS[figure]
        by = share(abs(gain), Sense.PLAIN)
        more = f"{by} {above if gain > 0.0 else below}"
        more = same if by == share(0.0, Sense.PLAIN) else more
        what = amount_said((_MORE - 1.0) * amount_of(pools, resource), resource)
        said.append(f"{what} {'' if said else verb}{more}")
    return f"Replayed under {policy_label(best)}: {joined(said)}."
