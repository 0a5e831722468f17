"""What is said of fair shares: by when each bag can be done, and how that is proven."""

from collections.abc import Iterable, Iterator

from core.capabilities.fair_shares.optimum import LeastStretch
from core.capabilities.fair_shares.share_words import (
    change_named,
    from_to,
    in_minutes,
    later_by,
    shares_lead,
    shortage_said,
    whole_said,
)
from core.capabilities.fair_shares.shares import FairShares
from core.capabilities.fair_shares.words import network_said
from core.shells.told.told import KeyFigure, Told, ToldTable
from core.vocabulary.say.columns import size_in_words
from core.vocabulary.say.phrases import estimates_as_dict
from core.vocabulary.say.words import NOTHING, Sense, amount, counted, duration
from core.vocabulary.tolerances import SAME

_SAME_TIME = 1e-3


def told(found: FairShares, whole: float | None = None) -> Told:
    """All that is said of promises; `whole` is the worst stretch of whole tasks, if known."""
    return Told(
        lead=shares_lead(found, whole),
        sentences=tuple(_sentences(found)),
        figures=tuple(_figures(found, whole)),
        tables=(_promises(found),),
        data=_data(found.now),
    )


def _sentences(found: FairShares) -> Iterator[str]:
    """The bags, the proof, what is short, what a change does, and what was checked."""
    bags, name = found.now.bags, found.asked.name
    yield (
        f"{f'{name}: ' if name else ''}{counted(len(bags.present), 'bag')}, "
        f"{size_in_words(bags.system)}; {network_said(bags)}."
    )
    yield from _said(found)
    if found.wrong:
        yield f"NOT verified: {'; '.join(found.wrong)}"
    else:
        yield (
            "Checked: code that shares nothing with the solver finds that the plan keeps all "
            "limits."
        )


def _said(found: FairShares) -> Iterator[str]:
    """The proof, what is short, and what a change does."""
    now = found.now
    if now.stretch > 1 + SAME or found.after is not None:
        yield (
            f"No schedule has a worst stretch below {amount(now.proven, Sense.LOWER_BOUND)}, even "
            "if it knows all bags from the beginning (proven)."
        )
    yield (
        "Promises are for tasks that can be split, if all bags are known from the beginning; whole "
        "tasks may end later."
    )
    if found.short is not None and (parts := shortage_said(now.bags, found.short)):
        yield f"What is short: {parts}."
    if changes := _change_said(found):
        yield changes


def _change_said(found: FairShares) -> str:
    if found.after is None:
        return ""
    before = found.before.deadlines
    later = found.after.deadlines[: len(before)] - before
    low, high = float(later.min()), float(later.max())
    what = change_named(found.asked.bags.system, found.asked.change)
    if max(-low, high) < _SAME_TIME:
        return f"With {what}, all promises stay as they are."
    if high < _SAME_TIME:
        return f"With {what}, promises come {from_to(max(-high, 0.0), -low)} earlier."
    if low > -_SAME_TIME:
        return f"With {what}, promises come {from_to(max(low, 0.0), high)} later."
    return (
        f"With {what}, some promises come up to {in_minutes(-low)} earlier, others up to "
        f"{in_minutes(high)} later."
    )


def _figures(found: FairShares, whole: float | None) -> Iterator[KeyFigure]:
    now, clock = found.now, found.asked.clock
    if whole is not None:
        yield KeyFigure(
            "Worst stretch",
            whole_said(whole),
            "How many times longer than alone a bag takes at most, from its release to its end, "
            "as whole tasks: in the best replay so far.",
        )
    yield KeyFigure(
        "Not below",
        amount(now.proven, Sense.LOWER_BOUND),
        "No schedule has a smaller worst stretch. Duality of linear programming proves this. "
        f"If tasks can be split, a plan has {amount(now.stretch, Sense.SPENT)}.",
    )
    yield KeyFigure(
        "All promised by",
        clock.said(float(now.deadlines.max()), Sense.SPENT, found.span),
        "The last of all promises.",
    )
    yield KeyFigure(
        "Bags",
        f"{len(now.bags.present):,}",
        f"{counted(int(now.bags.work.counts.sum()), 'task')} on "
        f"{counted(now.bags.system.machines, 'machine')}.",
    )


def _promises(found: FairShares) -> ToldTable:
    """A row for each bag: by when it is done at the least worst stretch, and when in the plan."""
    now, clock, span = found.now, found.asked.clock, found.span

    def said(times: Iterable[float], sense: Sense = Sense.SPENT) -> list[str]:
        return [clock.said(float(one), sense, span) for one in times]

    columns = {
        "Bag": list(now.bags.names),
        "Tasks": [f"{round(count):,}" for count in now.bags.work.counts.tolist()],
        "Released": said(now.bags.release[now.bags.present], Sense.PLAIN),
        "Alone": [duration(float(one), Sense.LOWER_BOUND) for one in now.baseline],
        "Done by": said(now.deadlines),
        "Done in the plan": said(now.plan.ends),
    }
    if found.after is not None:
        before = found.before.deadlines
        new = [NOTHING] * (len(now.bags.names) - len(before))
        columns["Done by, before the change"] = [*said(before), *new]
        later = (now.deadlines[: len(before)] - before).tolist()
        columns["Later by"] = [*map(later_by, later), *new]
    return ToldTable.of_columns("Promises", columns)


def _data(found: LeastStretch) -> dict[str, object]:
    bags = found.bags
    ends, release = found.plan.ends, bags.release[bags.present]
    stretches = (ends - release) / found.baseline
    return {
        "optimum": found.stretch,
        "proven": found.proven,
        "milestones": len(found.milestones),
        "programs": found.programs,
        "bags": {
            name: {
                "ideal": float(found.baseline[k]),
                "deadline": float(found.deadlines[k]),
                "completion": float(ends[k]),
                "stretch": float(stretches[k]),
            }
            for k, name in enumerate(bags.names)
        },
        **estimates_as_dict(bags.system),
    }
