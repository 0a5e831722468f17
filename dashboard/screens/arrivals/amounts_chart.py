"""Worth over how much of a resource a cluster has."""

import math
from typing import Final

import plotly.graph_objects as go

from core.capabilities.arrivals.labels import policy_label
from core.capabilities.arrivals.value_told import amount_said, resource_title
from core.engines.replay.hourly_prices import CORES
from core.engines.replay.workload import Pools, beside_each_other
from core.vocabulary.say.words import Sense, amount, joined, share
from dashboard.parts.charts.drawing import Drawing
from dashboard.parts.charts.palette import BOUND, OTHERS, distinct
from dashboard.screens.arrivals.amounts import FACTORS, AmountsFound, workload_of

_HEIGHT: Final = 420
_SYMBOLS: Final = ("circle", "square", "diamond", "cross", "triangle-up", "x", "star", "hexagon")
_DASHES: Final = ("solid", "dash", "dot", "dashdot")
_MORE: Final = 1.25
_BESIDE: Final = 0.05
"""Room at both ends of the axis, times the present amount."""
_POSSIBLE: Final = "possible at most"


def amount_of(pools: Pools, resource: str) -> float:
    """What all pools have of a resource."""
    there = beside_each_other(pools.units * pools.cores, pools.further).sum(axis=0)
    return float(there[(CORES, *pools.resources).index(resource)])


def amounts_figure(found: AmountsFound, resource: str) -> go.Figure:
    """A line for each policy, and for the bound, as far as they are known; the present amount is
    marked.
    """
    drawing, now = Drawing(), amount_of(workload_of(found.found).pools, resource)
    for rank, policy in enumerate(found.policies):
        line, is_bound = found.line(resource, policy), policy is None
        name = _POSSIBLE if policy is None else policy_label(policy)
        look = {"color": BOUND if is_bound else distinct(rank), "width": 2}
        drawing.add_scatter(
            x=[now * factor for factor, _ in line],
            y=[worth for _, worth in line],
            mode="lines+markers",
            name=name,
            line={**look, "dash": "dash" if is_bound else _DASHES[rank % len(_DASHES)]},
            marker={"size": 7, "symbol": _SYMBOLS[rank % len(_SYMBOLS)]},
            customdata=[
                f"{name}, {amount_said(now * factor, resource)}: {amount(worth, Sense.PLAIN)}"
                for factor, worth in line
            ],
        )
    drawing.mark(now, "now", OTHERS)
    ends = [now * (FACTORS[0] - _BESIDE), now * (FACTORS[-1] + _BESIDE)]
    drawing.x_axis(resource_title(resource), range=ends)
    drawing.y_axis("Worth")
    rows = math.ceil(len(found.policies) / 2)
    return drawing.figure(_HEIGHT, above=24 + 20 * rows, showlegend=True)


def amounts_said(found: AmountsFound, resources: tuple[str, ...]) -> str:
    """What more of each resource earns under the best policy; empty until it is known."""
    best, pools = found.found.shown.ranked[0], workload_of(found.found).pools
    said = list[str]()
    for resource in resources:
        line = dict(found.line(resource, best))
        if _MORE not in line or line.get(1.0, 0.0) <= 0.0:
            return ""
        gain = line[_MORE] / line[1.0] - 1.0
        more = f"{share(abs(gain), Sense.PLAIN)} {'more' if gain >= 0.0 else 'less'}"
        what = amount_said((_MORE - 1.0) * amount_of(pools, resource), resource)
        said.append(f"{what} {'' if said else 'more earn '}{more}")
    return f"Replayed under {policy_label(best)}: {joined(said)}."
