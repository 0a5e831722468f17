"""Sentences about bags, promises and what is short, for the command line, pages and the report."""

import math
from typing import Final

from core.capabilities.fair_shares.bags import ArrivingBags
from core.capabilities.fair_shares.bags_reader import MEGABYTE
from core.capabilities.fair_shares.optimum import StretchRange
from core.capabilities.fair_shares.shares import BagsChange, FairShares, Shortage
from core.vocabulary.arrays import FloatArray
from core.vocabulary.say.words import MINUTE, NOTHING, Sense, amount, counted, duration, share
from core.vocabulary.system import System
from core.vocabulary.tolerances import SAME

CLOSE: Final = 5e-4
"""A worst stretch that is so little larger is that of the promises, as it is written."""
_STABLE_DIGITS: Final = 3
"""Digits of what a search finds within a second: the next one differs from visit to visit."""
_SHORT: Final = 0.02
"""Smaller parts of a shortage are not said."""
_SAME_TIME: Final = 1e-3
_SHORT_TIME: Final = 10.0
_LONG: Final = 10 * MINUTE
"""Seconds from which on times are to the second, and to the minute."""


def progress_said(known: StretchRange | float) -> str:
    """Between which values the least worst stretch is; or then, how far the front is known."""
    if not isinstance(known, StretchRange):
        return f"the front is known up to a worst stretch of {amount(known, Sense.PLAIN)}"
    low, high = amount(known.low, Sense.LOWER_BOUND), amount(known.high, Sense.SPENT)
    return f"the least worst stretch is between {low} and {high}"


def network_said(bags: ArrivingBags) -> str:
    """What limits how data are sent, and how they wait."""
    network = bags.network
    said = []
    if math.isfinite(network.bandwidth):
        said.append(f"the master sends {in_megabytes(network.bandwidth)}/s")
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
        return [f"{what} {in_megabytes(low)}{per} a machine"]
    most = f"{in_megabytes(high)}{per}" if math.isfinite(high) else "no limit"
    return [f"{what} {in_megabytes(low)}{per} to {most} a machine"]


def shares_lead(found: FairShares, whole: float | None = None) -> str:
    """What holds for whole tasks, if a worst stretch of theirs is known, beside what no schedule is
    below; else the best possible worst stretch, which is for tasks that can be split.
    """
    now, changed, alone = found.now, found.after is not None, alone_said(found)
    said = f"each bag can be done within {amount(now.stretch, Sense.SPENT)} times {alone}"
    if now.stretch <= 1 + SAME and not changed:
        said = "each bag can be done as fast as if it were alone"
    if whole is None:
        said = f"if tasks can be split, {said}."
    elif whole <= now.stretch * (1 + CLOSE):
        said = f"{said}, as whole tasks, too."
    else:
        least = amount(now.proven, Sense.LOWER_BOUND)
        said = (
            f"as whole tasks, each bag is done within {whole_said(whole)} times {alone}. No "
            f"schedule is below {least}."
        )
    return f"With the change, {said}" if changed else said[0].upper() + said[1:]


def alone_said(found: FairShares) -> str:
    """What stretches are multiples of."""
    return "what it takes alone" if found.after is None else "what it took alone before"


def whole_said(worst: float | None) -> str:
    """The worst stretch of whole tasks, in digits that do not change from visit to visit."""
    return amount(worst, Sense.SPENT, digits=_STABLE_DIGITS)


def change_named(system: System, change: BagsChange) -> str:
    """The change, as in "4 more of old nodes"."""
    said = []
    if change.bag is not None:
        like, tasks, _ = change.bag
        said.append(f"another bag of {counted(tasks, 'task')} of {system.task_names[like]}")
    if change.machines is not None:
        kind, more = change.machines
        less = "more" if more >= 0 else "fewer"
        said.append(f"{abs(more):,} {less} of {system.machine_names[kind]}")
    if change.bandwidth is not None:
        said.append(f"{in_megabytes(change.bandwidth)}/s from the master")
    return " and ".join(said)


def shortage_said(bags: ArrivingBags, short: Shortage) -> str:
    """What is short, the most first; empty if nothing is."""
    names = bags.system.machine_names
    parts = [(short.master, "bandwidth of the master")]
    for types, link, machines in zip(
        bags.work.machine_types, short.links.tolist(), short.machines.tolist(), strict=True
    ):
        parts.append((link, f"links of {names[types[0]]}"))
        parts.append((machines, f"machines of {names[types[0]]}"))
    large = sorted((one for one in parts if one[0] >= _SHORT), reverse=True)
    return ", ".join(f"{what} ({share(part, Sense.PLAIN)})" for part, what in large)


def from_to(low: float, high: float) -> str:
    """A range of times, as in "3 min to 14 min"."""
    least, most = in_minutes(low), in_minutes(high)
    return most if least == most else f"{least} to {most}"


def in_minutes(seconds: float) -> str:
    """A time to the minute; to the second if it is short."""
    step = MINUTE if seconds > _LONG else 1.0
    near = round(seconds / step) * step if seconds > _SHORT_TIME else seconds
    return duration(near, Sense.PLAIN)


def later_by(seconds: float) -> str:
    """As in "+14 min" and "−3 min"."""
    if abs(seconds) < _SAME_TIME:
        return "0 s"
    return f"{'+' if seconds > 0 else '−'}{in_minutes(abs(seconds))}"


def in_megabytes(size: float | None) -> str:
    """As in "60 MB"."""
    return NOTHING if size is None else amount(size / MEGABYTE, Sense.PLAIN, "MB")
