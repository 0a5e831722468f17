"""Sentences about the stretch, for the command line and pages."""

import math

from core.capabilities.fair_shares.bags import ArrivingBags
from core.capabilities.fair_shares.bags_reader import MEGABYTE
from core.capabilities.fair_shares.optimum import StretchRange
from core.vocabulary.arrays import FloatArray
from core.vocabulary.say.words import Sense, amount, counted, duration


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
