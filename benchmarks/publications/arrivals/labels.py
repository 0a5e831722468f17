"""What policies are called in figures and claims, and how their worth is drawn."""

from collections.abc import Mapping, Sequence

import numpy as np

from benchmarks.publications.figure import Panel, Series
from core.capabilities.arrivals.policies import policy_named
from core.vocabulary.arrays import FloatArray


def label(name: str) -> str:
    """What people call a policy; without a word on reservations it has place-holders."""
    full = policy_named(name).label.removesuffix(", place-holders").removesuffix(" backfilling")
    return full.replace("Multiple queues", "Queues")


def labels(names: Sequence[str]) -> list[str]:
    return [label(name) for name in names]


def worth_panel(
    title: str,
    x_label: str,
    x: Sequence[float] | FloatArray,
    shares: Mapping[str, Sequence[FloatArray]],
) -> Panel:
    """The worth of policies along x, in percent of the maximum: for each, the trials at each x."""
    lines = [Series(label(name), np.array(x), np.array(each)) for name, each in shares.items()]
    return Panel(title, x_label, "worth", "% of the maximum", lines, "lines")
