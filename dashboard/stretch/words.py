"""What was found about bags that arrive, in words."""

import math
from typing import Final

import numpy as np
import pandas as pd

from core import System
from core.model.tolerances import SAME
from core.say.words import HOUR, MINUTE, NOTHING, Sense, amount, counted, duration, share
from core.stretch.bags import ArrivingBags
from core.stretch.bags_reader import MEGABYTE
from core.stretch.changes import BagsChange
from core.stretch.day_clock import DayClock
from core.stretch.trying import Shortage
from dashboard.common.answer import KeyFigure
from dashboard.stretch.answer import CheckedStretch, SharesFound, moved

_SHORT: Final = 0.02
"""Of a shortage, smaller parts are not said."""


def sentence(found: SharesFound) -> str:
    """The best possible worst stretch."""
    stretch = found.now.stretch
    if stretch <= 1 + SAME and found.after is None:
        return "Each bag can be done as fast as if it were alone."
    said = amount(stretch, Sense.SPENT)
    if found.after is None:
        return f"Each bag can be done within {said} times what it takes alone."
    return f"With the change, each bag can be done within {said} times what it took alone before."


def sentences(found: SharesFound) -> list[str]:
    """The proof, what is short, and what a change does."""
    now = found.now
    said = []
    if now.stretch > 1 + SAME:
        said.append(
            "No schedule has a smaller worst stretch, even if it knows all bags from the "
            "beginning (proven)."
        )
    if found.short is not None and (parts := shortage_said(now.bags, found.short)):
        said.append(f"What is short: {parts}.")
    if (changes := change_said(found)) is not None:
        said.append(changes)
    return said


def change_said(found: SharesFound) -> str | None:
    """By how much promises move."""
    later = moved(found)
    if later is None:
        return None
    low, high = float(later.min()), float(later.max())
    what = change_named(found.before.bags.system, found.asked.inputs.change)
    if low == high == 0:
        return f"With {what}, all promises stay as they are."
    if high <= 0:
        return f"With {what}, promises come {_from_to(-high, -low)} earlier."
    if low >= 0:
        return f"With {what}, promises come {_from_to(low, high)} later."
    return (
        f"With {what}, some promises come up to {_minutes(-low)} earlier, others up to "
        f"{_minutes(high)} later."
    )


def _from_to(low: float, high: float) -> str:
    least, most = _minutes(low), _minutes(high)
    return most if least == most else f"{least} to {most}"


def _minutes(seconds: float) -> str:
    """To the minute, unless it is short."""
    return duration(
        round(seconds / MINUTE) * MINUTE if seconds > HOUR / 6 else seconds, Sense.PLAIN
    )


def change_named(system: System, change: BagsChange) -> str:
    """The change, as in "2 more machines of new nodes"."""
    said = []
    if change.bag is not None:
        like, tasks, _ = change.bag
        said.append(f"another bag of {counted(tasks, 'task')} of {system.task_names[like]}")
    if change.machines is not None:
        kind, more = change.machines
        less = "more" if more >= 0 else "fewer"
        said.append(f"{abs(more):,} {less} of {system.machine_names[kind]}")
    if change.bandwidth is not None:
        said.append(f"{megabytes(change.bandwidth)}/s from the master")
    return " and ".join(said)


def megabytes(size: float | None) -> str:
    """As in "60 MB"."""
    return NOTHING if size is None else amount(size / MEGABYTE, Sense.PLAIN, "MB")


def shortage_said(bags: ArrivingBags, short: Shortage) -> str:
    """What is short, the most first; empty if nothing is."""
    names = bags.system.machine_names
    parts = [(short.master, "bandwidth of the master")]
    for u, types in enumerate(bags.work.machine_types):
        parts.append((float(short.links[u]), f"links of {names[types[0]]}"))
        parts.append((float(short.machines[u]), f"machines of {names[types[0]]}"))
    large = sorted((one for one in parts if one[0] >= _SHORT), reverse=True)
    return ", ".join(f"{what} ({share(part, Sense.PLAIN)})" for part, what in large)


def figures(found: SharesFound) -> list[KeyFigure]:
    """The key figures of the answer."""
    now, clock = found.now, found.asked.inputs.clock
    span = span_of(found)
    last = float(now.deadlines.max())
    return [
        KeyFigure(
            "Worst stretch",
            amount(now.stretch, Sense.SPENT),
            "The best possible worst stretch: how many times longer than alone a bag takes at "
            "most, from its release to its end.",
        ),
        KeyFigure(
            "Not below",
            amount(now.proven, Sense.LOWER_BOUND),
            "No schedule has a smaller worst stretch. Duality of linear programming proves this.",
        ),
        KeyFigure(
            "All done by",
            clock.said(last, Sense.SPENT, span),
            "The last of all promises.",
        ),
        KeyFigure(
            "Bags",
            f"{len(now.bags.present):,}",
            f"{counted(int(now.bags.work.counts.sum()), 'task')} on "
            f"{counted(now.bags.system.machines, 'machine')}.",
        ),
    ]


def span_of(found: SharesFound) -> float:
    """Seconds from the first release to the last promise."""
    now = found.now
    return float(now.deadlines.max() - now.bags.release[now.bags.present].min())


def tried_said(found: SharesFound, tried: CheckedStretch, stretch: float) -> str:
    """Whether a stretch is possible, and what it would take if not."""
    one = tried.tried
    at = amount(stretch, Sense.TYPED)
    if one.is_possible:
        spare = 1 - one.load
        left = (
            f" Links and machines could all be {share(spare, Sense.EARNED)} slower."
            if spare > SAME**0.5
            else ""
        )
        return f"Possible: a plan keeps every promise at {at} times the time alone.{left}"
    if stretch < found.now.proven:
        proof = "No schedule keeps every promise"
    else:
        proof = "No plan was found that keeps every promise"
    faster = share(one.load - 1, Sense.LOWER_BOUND) if math.isfinite(one.load) else NOTHING
    parts = shortage_said(found.now.bags, one.shortage)
    return (
        f"Not possible: {proof[0].lower()}{proof[1:]} at {at} times the time alone. Links and "
        f"machines would all have to be {faster} faster." + (f" Short: {parts}." if parts else "")
    )


def promises_table(
    found: SharesFound, stretch: float, tried: CheckedStretch | None
) -> pd.DataFrame:
    """A row for each bag: by when it is done at this stretch, and in the plan; and what a change
    does.
    """
    now, clock, span = found.now, found.asked.inputs.clock, span_of(found)
    bags = now.bags

    def said(times: np.ndarray, sense: Sense) -> list[str]:
        return [clock.said(float(one), sense, span) for one in times]

    columns: dict[str, list[str]] = {
        "Bag": list(bags.names),
        "Tasks": [f"{round(count):,}" for count in bags.work.counts.tolist()],
        "Released": said(bags.release[bags.present], Sense.PLAIN),
        "Alone": [duration(float(one), Sense.LOWER_BOUND) for one in now.baseline],
        "Promise": [f"done by {one}" for one in said(found.promises(stretch), Sense.SPENT)],
    }
    if tried is not None and tried.plan is not None:
        columns["In the plan"] = said(tried.plan.ends, Sense.SPENT)
    later = moved(found)
    if later is not None:
        before = said(found.before.deadlines, Sense.SPENT)
        blank = [NOTHING] * (len(bags.names) - len(before))
        columns["Promise before"] = before + blank
        columns["Best promise now"] = said(now.deadlines, Sense.SPENT)
        columns["Later by"] = [*map(_later, later.tolist()), *blank]
    return pd.DataFrame(columns)


def _later(seconds: float) -> str:
    if seconds == 0:
        return "0 s"
    return f"+{_minutes(seconds)}" if seconds > 0 else f"−{_minutes(-seconds)}"


def chips(inputs_bandwidth: float | None, clock: DayClock, change: str) -> list[str]:
    """What is in force, in short."""
    found = ["no limit of the master"] if inputs_bandwidth is None else []
    if change:
        found.append(f"What if: {change}")
    return [*found, f"Time 0 is {clock.cell(0.0)}"]
