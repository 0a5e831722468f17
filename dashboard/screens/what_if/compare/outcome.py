"""The outcomes of what-ifs: their fronts of the bound, key figures, and a conclusion of each."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

import pandas as pd

from core import InvalidInput, System
from core.engines.front.axis import Axis, AxisQuantity, axis_for
from core.engines.front.known import Known
from core.engines.front.proven import Proven, raised
from core.engines.relaxed import MAKESPAN, Bound, Front, Objective, SolverFailed, lower_bound
from core.vocabulary.problems import Problem
from core.vocabulary.say.without_work import idle_said
from core.vocabulary.say.words import Sense, begun, change, duration, share
from core.vocabulary.without_work import WithoutWork
from dashboard.screens.what_if.compare.what_ifs import MOST_NAMED, WhatIf, differences

EARLIEST: Final = "Done at the earliest"
"""The lower bound on the makespan. Perhaps no schedule is that fast, so none is called so."""
SAME: Final = 0.0005
"""A difference below this share counts as none."""


@dataclass(frozen=True, eq=False, slots=True)
class WhatIfOutcome:
    """A what-if and what was computed of it: its front and all that is proven. A system without
    powers has only `soonest`, its shortest proven makespan (s); one with errors has `problems`.
    """

    what_if: WhatIf
    front: Front | None = None
    proven: Proven | None = None
    soonest: float | None = None
    problems: tuple[Problem, ...] = ()

    @property
    def title(self) -> str:
        return self.what_if.title


def outcome(
    what_if: WhatIf,
    trace: Callable[[System], Front],
    bound: Callable[[System, Objective], Bound] = lower_bound,
    known: Callable[[System], Known] = Known.nothing,
) -> WhatIfOutcome:
    """`trace` finds the front of a system; `bound` its lower bound on makespan if it has no powers;
    `known` what other pages have found and proven of it.
    """
    try:
        system = what_if.system
        if system.apc is None:
            least = raised(bound(system, MAKESPAN)).value
            return WhatIfOutcome(what_if, soonest=max(least, known(system).least_makespan))
        front = trace(system)
        proven = known(system).proofs.of(front)
    except InvalidInput as invalid:
        return WhatIfOutcome(what_if, problems=invalid.problems)
    except SolverFailed as failure:
        return WhatIfOutcome(what_if, problems=(Problem("", "", "", str(failure)),))
    return WhatIfOutcome(what_if, front, proven, proven.soonest)


def axes(outcomes: Sequence[WhatIfOutcome], quantity: AxisQuantity, currency: str) -> list[Axis]:
    """An axis for each outcome, since tariffs differ; all have the same unit."""
    tariffs = [one.what_if.tariff for one in outcomes]
    most = [0.0 if one.front is None else float(one.front.energy[-1]) for one in outcomes]
    if quantity == "carbon":
        most = [tariff.carbon(joules) for tariff, joules in zip(tariffs, most, strict=True)]
    largest = max(most, default=0.0)
    return [
        axis_for(
            quantity,
            tariff,
            currency,
            largest / (tariff.carbon(1.0) or 1.0) if quantity == "carbon" else largest,
        )
        for tariff in tariffs
    ]


@dataclass(frozen=True, eq=False, slots=True)
class Measured:
    """Lower bounds of an outcome: times in seconds, amounts on its axis; None if unknown.

    `at_same_time` is the least amount within the shortest makespan of the first what-if; infinity
    if no schedule is that fast. `at_same_amount` is the shortest makespan with the amount that the
    first needs for its shortest makespan.
    """

    fastest: float | None
    least: float | None
    at_same_time: float | None
    at_same_amount: float | None


def measured(one: WhatIfOutcome, axis: Axis, first: WhatIfOutcome, first_axis: Axis) -> Measured:
    proven, of_first = one.proven, first.proven
    if proven is None:
        return Measured(one.soonest, None, None, None)
    least = axis.of(proven.thriftiest)
    if of_first is None:
        return Measured(one.soonest, least, None, None)
    seconds = of_first.soonest
    joules = float(of_first.least_energy(seconds))
    if one is first:
        return Measured(one.soonest, least, axis.of(joules), seconds)
    # A small tolerance, so that rounding does not make an equal system impossible.
    within = seconds * (1 + 1e-9)
    allowed = axis.joules(first_axis.of(joules)) if axis.per_joule > 0 else math.inf
    return Measured(
        one.soonest,
        least,
        axis.of(float(proven.least_energy(within))),
        float(proven.least_makespan(allowed * (1 + 1e-9))),
    )


def table(outcomes: Sequence[WhatIfOutcome], along: Sequence[Axis]) -> pd.DataFrame:
    """A row for each what-if: its figures, and how far they are from those of the first."""
    first = measured(outcomes[0], along[0], outcomes[0], along[0])
    quantity = along[0].title
    rows = []
    for one, axis in zip(outcomes, along, strict=True):
        found = measured(one, axis, outcomes[0], along[0])
        row = {
            "What if": one.title,
            "Machines": f"{sum(one.what_if.machines):,}",
            EARLIEST: _time(found.fastest) + _against(found.fastest, first.fastest),
            f"Least {quantity.lower()}": _amount(found.least, axis)
            + _against(found.least, first.least),
        }
        if first.at_same_amount is not None:
            row[f"{quantity} within {_time(first.at_same_amount)}"] = _amount(
                found.at_same_time, axis
            ) + _against(found.at_same_time, first.at_same_time)
        rows.append(row)
    return pd.DataFrame(rows)


def finding(outcomes: Sequence[WhatIfOutcome], along: Sequence[Axis]) -> str:
    """What all of them come to, in a sentence, without their names."""
    first = outcomes[0]
    if first.problems:
        return "The first system cannot run."
    if len(outcomes) == 1:
        found = measured(first, along[0], first, along[0])
        said = f"As it is: done at the earliest in {_time(found.fastest)}"
        return said + (
            "."
            if found.least is None
            else f", or with {_amount(found.least, along[0])} at the least."
        )
    able = [one for one in outcomes[1:] if not one.problems]
    if not able:
        return "None of the what-ifs can run."
    if len(outcomes) == 2:
        return begun(_effect(outcomes[1], along[1], first, along[0]))
    usual = first.soonest or 0.0
    sooner = sum((one.soonest or 0.0) < usual * (1 - SAME) for one in able)
    return f"{sooner:,} of {len(outcomes) - 1:,} what-ifs can be done sooner than the first."


def conclusion(one: WhatIfOutcome, axis: Axis, first: WhatIfOutcome, first_axis: Axis) -> str:
    """One sentence: what the what-if changes, and the effect."""
    what = "; ".join(differences(one.what_if, first.what_if)) or "no change"
    if one.problems:
        return f"{what}: this system cannot run, see below."
    if first.problems:
        return f"{what}: there is nothing to compare with, because the first system cannot run."
    return f"{what}: {_effect(one, axis, first, first_axis)}"


def other_idle_powers(outcomes: Sequence[WhatIfOutcome], idle: WithoutWork) -> list[str]:
    """A sentence if what-ifs have other powers without work than the other pages; else none."""
    apart = [
        f"{one.title} ({idle_said(one.what_if.idle)})"
        for one in outcomes
        if one.what_if.base.apc is not None and one.what_if.idle != idle
    ]
    if not apart:
        return []
    more = len(apart) - MOST_NAMED
    named = ", ".join(apart[:MOST_NAMED]) + (f" and {more:,} more" if more > 0 else "")
    return [f"Not as on the other pages ({idle_said(idle)}): {named}."]


def _effect(one: WhatIfOutcome, axis: Axis, first: WhatIfOutcome, first_axis: Axis) -> str:
    found = measured(one, axis, first, first_axis)
    usual = measured(first, first_axis, first, first_axis)
    quantity = axis.title.lower()
    if found.at_same_time is None or found.at_same_amount is None:
        return (
            f"the earliest possible end is {_later(found.fastest, usual.fastest)}; {quantity} is "
            "unknown."
        )
    ends = (
        f"the earliest possible end is {_later(found.fastest, usual.fastest)}, the least "
        f"{quantity} is {_more(found.least, usual.least)}"
    )
    if math.isinf(found.at_same_amount):
        return f"it always takes more {quantity} than the first at its earliest end; {ends}."
    if math.isinf(found.at_same_time):
        return f"it always ends later than the first at its earliest; {ends}."
    same = _is_same(found.at_same_time, usual.at_same_time)
    if same and _is_same(found.least, usual.least) and _is_same(found.fastest, usual.fastest):
        return "no noticeable difference."
    return (
        f"it ends {_later(found.at_same_amount, usual.at_same_amount)} with the same {quantity}, "
        f"or takes {_more(found.at_same_time, usual.at_same_time)} {quantity} in the same time; "
        f"{ends}."
    )


def _share_more(value: float | None, usual: float | None) -> float:
    """How much more, as a share of the usual value; NaN if unknown."""
    if value is None or usual is None or math.isinf(value) or usual <= 0:
        return math.nan
    return value / usual - 1


def _is_same(value: float | None, usual: float | None) -> bool:
    return value == usual or abs(_share_more(value, usual)) < SAME


def _later(value: float | None, usual: float | None) -> str:
    more = _share_more(value, usual)
    if math.isnan(more):
        return "at an unknown time"
    if abs(more) < SAME:
        return "at the same time"
    return f"{share(abs(more), Sense.PLAIN)} {'later' if more > 0 else 'sooner'}"


def _more(value: float | None, usual: float | None) -> str:
    more = _share_more(value, usual)
    if math.isnan(more) or abs(more) < SAME:
        return "the same"
    return f"{share(abs(more), Sense.PLAIN)} {'more' if more > 0 else 'less'}"


def _against(value: float | None, usual: float | None) -> str:
    """The difference from the first, to follow the value; empty if it is too small."""
    more = _share_more(value, usual)
    if math.isnan(more) or abs(more) < SAME:
        return ""
    return f" ({change(more)})"


def _time(seconds: float | None) -> str:
    return duration(seconds, Sense.LOWER_BOUND)


def _amount(value: float | None, axis: Axis) -> str:
    if value is None:
        return "unknown"
    if math.isinf(value):
        return "impossible"
    return axis.say(axis.joules(value), Sense.LOWER_BOUND)
