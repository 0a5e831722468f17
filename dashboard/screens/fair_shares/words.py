"""What the page Fair shares says and lists."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from core.capabilities.fair_shares.day_clock import DayClock
from core.capabilities.fair_shares.shares import BagsChange, FairShares, OneMore, TriedStretch
from core.capabilities.fair_shares.tasks.policies import OnlineStep
from core.capabilities.fair_shares.words import from_to, in_megabytes, later_by, shortage_said
from core.shells.told.told import ToldTable
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.say.words import NOTHING, Sense, amount, counted, share
from dashboard.screens.fair_shares.choices import StretchChoices

_SPARE: Final = 0.01
_SHORTEST: Final = 1.0
"""Promises that come earlier by less than so many seconds stay as they are."""
_SAME_STRETCH: Final = 1e-3
"""Relative: smaller changes of the stretch are not explained."""
_MOST_NAMES: Final = 3


def tried_said(found: FairShares, tried: TriedStretch, choices: StretchChoices) -> str:
    """Whether a stretch is possible, and what it would take if not."""
    if choices.is_best:
        at = amount(found.now.stretch, Sense.SPENT)
        return f"Possible, and the best: a plan keeps every promise at {at} times the time alone."
    at = amount(choices.now, Sense.TYPED)
    if tried.is_possible:
        spare = 1 - tried.load
        left = ""
        if spare >= _SPARE:
            slower = share(spare, Sense.EARNED)
            left = f" Links and machines could all be {slower} slower."
        return f"Possible: a plan keeps every promise at {at} times the time alone.{left}"
    proven = choices.now < found.now.proven
    none = "no schedule keeps" if proven else "no plan was found that keeps"
    faster = share(tried.load - 1, Sense.PLAIN)
    parts = shortage_said(found.now.bags, tried.shortage)
    return (
        f"Not possible: {none} every promise at {at} times the time alone. Links and machines "
        f"would all have to be {faster} faster." + (f" Short: {parts}." if parts else "")
    )


def one_more_table(found: FairShares, more: Sequence[OneMore]) -> ToldTable:
    """A row for each change, the best first: how much earlier promises come, and the stretch."""
    before = found.before
    least, most = float(before.bags.ideal.min()), float(before.bags.ideal.max())
    ranked = sorted(more, key=lambda one: one.stretch)

    def earlier(one: OneMore) -> str:
        gain = before.stretch - one.stretch
        return from_to(least * gain, most * gain) if most * gain >= _SHORTEST else NOTHING

    columns = {
        "One more": [_more_said(found, one.change) for one in ranked],
        "Promises come earlier by": [earlier(one) for one in ranked],
        "Worst stretch then": [amount(one.stretch, Sense.SPENT) for one in ranked],
    }
    note = (
        "Each beside the bags as they are, without the what-if. Stretches are multiples of what "
        "each bag takes alone now."
    )
    return ToldTable.of_columns("What one more would bring", columns, note=note)


def _more_said(found: FairShares, change: BagsChange) -> str:
    system = found.before.bags.system
    if change.machines is None:
        return f"A tenth more bandwidth: {in_megabytes(change.bandwidth)}/s"
    kind = system.machine_types[change.machines.machine_type]
    return f"{kind.name}: {kind.count + 1:,} in place of {kind.count:,}"


def chips(clock: DayClock, change: str) -> list[str]:
    """What is in force, in short."""
    return [*([f"What if: {change}"] if change else []), f"Time 0 is {clock.cell(0.0)}"]


def online_said(answer: FairShares, step: OnlineStep) -> str:
    """What is known at a step."""
    known, bags = int(np.isfinite(step.due).sum()), len(step.due)
    when = answer.asked.clock.said(step.now, Sense.PLAIN, answer.span)
    stretch = amount(step.stretch, Sense.PLAIN)
    return (
        f"At {when}, {known:,} of {bags:,} bags are known. A worst stretch of {stretch} is "
        "possible for them."
    )


def changes_said(answer: FairShares, steps: Sequence[OnlineStep], at: int) -> list[str]:
    """What changed since the release before, and why."""
    step = steps[at]
    names, known = answer.now.bags.names, np.isfinite(step.due)
    if at == 0:
        return [f"Known from now on: {_named(names, known)}."]
    before = steps[at - 1]
    knew = np.isfinite(before.due)
    said = [f"New: {_named(names, known & ~knew)}."]
    done = knew & (step.unfinished == 0) & (before.unfinished > 0)
    if done.any():
        said.append(f"Done since the release before: {_named(names, done)}.")
    left = knew & (step.unfinished > 0)
    if left.any():
        said.append(_moved_said(step.due[left] - before.due[left]))
    return [*said, *_reasons(before.stretch, step)]


def _moved_said(later: FloatArray) -> str:
    low, high = float(later.min()), float(later.max())
    whose = "The promise of the earlier bag" if len(later) == 1 else "Promises of earlier bags"
    come = "comes" if len(later) == 1 else "come"
    if max(-low, high) < _SHORTEST:
        return f"{whose} {'stays as it is' if len(later) == 1 else 'stay as they are'}."
    if low >= 0:
        return f"{whose} {come} {from_to(low, high)} later."
    return f"{whose} {come} {from_to(-high, -low)} earlier."


def _reasons(stretch_before: float, step: OnlineStep) -> list[str]:
    """Why the stretch is another one: what the replay did, then what the new bags do."""
    without = step.without_new
    if without is None:
        return ["Nothing is left of earlier bags, so this plan begins anew."]
    before, alone, now = (
        amount(one, Sense.PLAIN) for one in (stretch_before, without, step.stretch)
    )
    said = []
    if without > stretch_before * (1 + _SAME_STRETCH):
        said.append(
            f"Whole tasks advanced less well than parts of tasks could: without the new bags, the "
            f"best would now be {alone} in place of {before}."
        )
    elif without < stretch_before * (1 - _SAME_STRETCH):
        said.append(
            f"What was done and sent meanwhile leaves room: without the new bags, {alone} would "
            f"now be possible in place of {before}."
        )
    if step.stretch > without * (1 + _SAME_STRETCH):
        said.append(
            f"New bags take their share of links and machines: with them it is {now} in place of "
            f"{alone}."
        )
    else:
        said.append("New bags move no promise: there is room for them.")
    return said


def _named(names: Sequence[str], which: np.ndarray) -> str:
    every = [names[k] for k in np.flatnonzero(which).tolist()]
    if len(every) > _MOST_NAMES + 1:
        every = [*every[:_MOST_NAMES], counted(len(every) - _MOST_NAMES, "other bag")]
    *first, last = every
    return f"{', '.join(first)} and {last}" if first else last


def online_table(answer: FairShares, steps: Sequence[OnlineStep], at: int) -> ToldTable:
    """A row for each bag that is known at a step."""
    now, clock, step = answer.now, answer.asked.clock, steps[at]
    known: list[int] = np.flatnonzero(np.isfinite(step.due)).tolist()
    counts, ends = now.bags.work.counts, step.planned.completion
    before = steps[at - 1].due if at else np.full(len(step.due), np.inf)

    def part(left: IntArray, k: int) -> str:
        return share(1 - float(left[k]) / float(counts[k]), Sense.PLAIN)

    def at_time(seconds: float) -> str:
        return clock.said(seconds, Sense.SPENT, answer.span) if np.isfinite(seconds) else NOTHING

    def moved(k: int) -> str:
        if not step.unfinished[k] or not np.isfinite(before[k]):
            return NOTHING
        return later_by(float(step.due[k] - before[k]))

    columns = {
        "Bag": [now.bags.names[k] for k in known],
        "Promise then": [
            f"done by {at_time(float(step.due[k]))}" if step.unfinished[k] else "is done"
            for k in known
        ],
        "Promise before": [at_time(float(before[k])) for k in known],
        "Later by": [moved(k) for k in known],
        "Planned end": [at_time(float(ends[k])) for k in known],
        "Sent": [part(step.unsent, k) for k in known],
        "Done": [part(step.unfinished, k) for k in known],
    }
    title = "By when each bag that is known can be done, at this release and at the one before"
    note = (
        "Promises are for tasks that can be split, if no other bags arrive; the planned end is "
        "that of whole tasks, and may be later. Stretches are multiples of what bags take alone on "
        "these machines."
    )
    return ToldTable.of_columns(title, columns, note=note)
