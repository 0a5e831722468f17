"""Sentences about the stretch, for the command line and pages."""

import math
from collections.abc import Sequence

from core.capabilities.fair_shares.bags import ArrivingBags
from core.capabilities.fair_shares.bags_reader import MEGABYTE
from core.capabilities.fair_shares.optimum import LeastStretch, StretchRange
from core.vocabulary.arrays import FloatArray
from core.vocabulary.say.columns import size_in_words, table
from core.vocabulary.say.words import Sense, amount, counted, duration
from core.vocabulary.tolerances import SAME


def stretch_report(name: str, found: LeastStretch, faults: Sequence[str], seconds: float) -> str:
    """The optimum, its proof, and what can be promised for each bag."""
    bags = found.bags
    rows = [
        ("system", size_in_words(bags.system)),
        ("network", network_said(bags)),
        ("worst stretch", stretch_said(found)),
        ("plan", "keeps all limits (verified)" if not faults else "; ".join(faults)),
        ("took", f"{duration(seconds, Sense.PLAIN)}, {counted(found.programs, 'linear program')}"),
    ]
    return "\n".join([f"{name}:", table(rows), "", *_promises(found)])


def stretch_said(found: LeastStretch) -> str:
    """The best possible worst stretch, and how it is proven."""
    said = f"{amount(found.stretch, Sense.SPENT)} if tasks can be split"
    if found.stretch <= found.proven * (1 + SAME):
        return f"{said}; no schedule has a smaller one (proven)"
    return f"{said}; no schedule has one below {amount(found.proven, Sense.LOWER_BOUND)} (proven)"


def range_said(so_far: StretchRange) -> str:
    """Between which values the least worst stretch is."""
    low, high = amount(so_far.low, Sense.LOWER_BOUND), amount(so_far.high, Sense.SPENT)
    return f"the least worst stretch is between {low} and {high}"


def network_said(bags: ArrivingBags) -> str:
    """What limits how data are sent, and how they wait."""
    network = bags.network
    said = []
    if math.isfinite(network.bandwidth):
        said.append(f"the master sends {_megabytes(network.bandwidth)}/s")
    said += _each_said("links of", network.links, "/s")
    said += _each_said("memory of", network.memory, "")
    return ", ".join(said) or "without limits"


def releases_said(bags: ArrivingBags) -> str:
    """When the bags are released."""
    first, last = float(bags.release.min()), float(bags.release.max())
    said = f"{counted(len(bags.names), 'bag')}, released at {duration(first, Sense.TYPED)}"
    return said if first == last else f"{said} to {duration(last, Sense.TYPED)}"


def _each_said(what: str, values: FloatArray, per: str) -> list[str]:
    """The range of what machines have; nothing if no machine has a limit."""
    limited = values[values < math.inf]
    if not len(limited):
        return []
    low, high = float(limited.min()), float(values.max())
    if low == high:
        return [f"{what} {_megabytes(low)}{per} a machine"]
    most = f"{_megabytes(high)}{per}" if math.isfinite(high) else "no limit"
    return [f"{what} {_megabytes(low)}{per} to {most} a machine"]


def _megabytes(size: float) -> str:
    return amount(size / MEGABYTE, Sense.PLAIN, "MB")


def _promises(found: LeastStretch) -> list[str]:
    """A line for each bag: its release, how long it takes alone, when the plan is done with it, and
    what can be promised.
    """
    bags = found.bags
    heads = ("bag", "tasks", "release", "alone", "done in the plan", "done at the latest")
    rows = [heads] + [
        (
            name,
            f"{bags.system.task_counts[i]:,}",
            duration(float(bags.release[i]), Sense.TYPED),
            duration(float(ideal), Sense.LOWER_BOUND),
            duration(float(end), Sense.SPENT),
            duration(float(due), Sense.SPENT),
        )
        for name, i, ideal, end, due in zip(
            bags.names, bags.present, found.baseline, found.plan.ends, found.deadlines, strict=True
        )
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(len(heads))]
    return [
        "  "
        + "  ".join(
            f"{cell:<{width}}" if column == 0 else f"{cell:>{width}}"
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        )
        for row in rows
    ]
