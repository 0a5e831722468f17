"""What the page Fair shares says and lists."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import pandas as pd

from core.capabilities.fair_shares.changes import BagsChange
from core.capabilities.fair_shares.day_clock import DayClock
from core.capabilities.fair_shares.one_more import OneMore
from core.capabilities.fair_shares.share_words import from_to, in_megabytes, later_by, shortage_said
from core.capabilities.fair_shares.shares import FairShares
from core.vocabulary.say.words import NOTHING, Sense, amount, duration, share
from dashboard.screens.fair_shares.answer import CheckedStretch
from dashboard.screens.fair_shares.choices import StretchChoices

_SPARE: Final = 0.01
_SHORTEST: Final = 1.0
"""Promises that come earlier by less than so many seconds stay as they are."""


def tried_said(found: FairShares, tried: CheckedStretch, choices: StretchChoices) -> str:
    """Whether a stretch is possible, and what it would take if not."""
    one = tried.tried
    if choices.is_best:
        at = amount(found.now.stretch, Sense.SPENT)
        return f"Possible, and the best: a plan keeps every promise at {at} times the time alone."
    at = amount(choices.now, Sense.TYPED)
    if one.is_possible:
        spare = 1 - one.load
        left = ""
        if spare >= _SPARE:
            slower = share(spare, Sense.EARNED)
            left = f" Links and machines could all be {slower} slower."
        return f"Possible: a plan keeps every promise at {at} times the time alone.{left}"
    proven = choices.now < found.now.proven
    none = "no schedule keeps" if proven else "no plan was found that keeps"
    faster = share(one.load - 1, Sense.PLAIN)
    parts = shortage_said(found.now.bags, one.shortage)
    return (
        f"Not possible: {none} every promise at {at} times the time alone. Links and machines "
        f"would all have to be {faster} faster." + (f" Short: {parts}." if parts else "")
    )


def promises_table(
    found: FairShares, stretch: float, tried: CheckedStretch | None, whole: Sequence[str]
) -> pd.DataFrame:
    """A row for each bag: by when it is done at this stretch, as `whole` tasks (if that is known),
    and in the plan; and what a change does.
    """
    now, clock = found.now, found.asked.clock
    bags, due = now.bags, found.promises(stretch)

    def said(times: np.ndarray, sense: Sense) -> list[str]:
        return [clock.said(float(one), sense, found.span) for one in times]

    columns: dict[str, list[str]] = {
        "Bag": list(bags.names),
        "Promise": [f"done by {one}" for one in said(due, Sense.SPENT)],
    }
    if whole:
        columns["Whole tasks"] = list(whole)
    if tried is not None and tried.plan is not None:
        columns["In the plan"] = said(tried.plan.ends, Sense.SPENT)
    if found.after is not None:
        before = found.before.deadlines
        blank = [NOTHING] * (len(bags.names) - len(before))
        columns["Before the change"] = said(before, Sense.SPENT) + blank
        columns["Later by"] = [*map(later_by, (due[: len(before)] - before).tolist()), *blank]
    return pd.DataFrame(
        {
            **columns,
            "Released": said(bags.release[bags.present], Sense.PLAIN),
            "Alone": [duration(float(one), Sense.LOWER_BOUND) for one in now.baseline],
            "Tasks": [f"{round(count):,}" for count in bags.work.counts.tolist()],
        }
    )


def one_more_table(found: FairShares, more: Sequence[OneMore]) -> pd.DataFrame:
    """A row for each change, the best first: how much earlier promises come, and the worst stretch
    then.
    """
    before = found.before
    least, most = float(before.bags.ideal.min()), float(before.bags.ideal.max())
    ranked = sorted(more, key=lambda one: one.stretch)

    def earlier(one: OneMore) -> str:
        gain = before.stretch - one.stretch
        return from_to(least * gain, most * gain) if most * gain >= _SHORTEST else NOTHING

    return pd.DataFrame(
        {
            "One more": [_more_said(found, one.change) for one in ranked],
            "Promises come earlier by": [earlier(one) for one in ranked],
            "Worst stretch then": [amount(one.stretch, Sense.SPENT) for one in ranked],
        }
    )


def _more_said(found: FairShares, change: BagsChange) -> str:
    system = found.before.bags.system
    if change.machines is None:
        return f"A tenth more bandwidth: {in_megabytes(change.bandwidth)}/s"
    kind = system.machine_types[change.machines.machine_type]
    return f"{kind.name}: {kind.count + 1:,} in place of {kind.count:,}"


def chips(clock: DayClock, change: str) -> list[str]:
    """What is in force, in short."""
    return [*([f"What if: {change}"] if change else []), f"Time 0 is {clock.cell(0.0)}"]
