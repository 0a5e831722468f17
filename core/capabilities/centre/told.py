"""What is said of a day of a centre."""

import math
from collections.abc import Iterator
from typing import Final

from core.capabilities.centre.answer import CentreAnswer, said_of
from core.capabilities.centre.method_plan import MethodPlan
from core.capabilities.centre.not_knowing import UNKNOWN_NAMES, NotKnowing
from core.capabilities.centre.objectives import AIMS, CAPPED, DayAim
from core.capabilities.centre.recover import FoundPlan, counted
from core.capabilities.centre.settings import AIM_NAMES, METHOD_NAMES
from core.shells.told.bars import ToldBar, ToldBars
from core.shells.told.told import KeyFigure, Told, ToldTable, not_verified
from core.vocabulary.intervals import Interval
from core.vocabulary.say.words import (
    DAY,
    HOUR,
    JOULES_PER_KWH,
    Sense,
    amount,
    duration,
    energy,
    joined,
    power,
    settled,
    share,
)
from core.vocabulary.tolerances import SAME

_DO: Final[dict[DayAim, str]] = {
    "cost": "pay",
    "carbon": "emit",
    "energy": "draw",
    "excess": "exceed the target by",
    "lateness": "be late by",
}


def told(answer: CentreAnswer) -> Told:
    """The answer."""
    return Told(
        _lead(answer),
        tuple(_sentences(answer)),
        tuple(_figures(answer)),
        tuple(_tables(answer)),
        as_data(answer),
    )


def said(answer: CentreAnswer, aim: DayAim, value: float, sense: Sense = Sense.PLAIN) -> str:
    """What is counted of an aim, in words."""
    return said_of(answer.day, aim, value, sense, answer.file.currency)


def _lead(answer: CentreAnswer) -> str:
    ours, usual, aim = answer.ours, answer.usual, answer.asked.minimise
    if ours.found is None:
        return f"No plan was found: {ours.failed}."
    value, least = ours.found.value, answer.least
    whose = "You" if ours.method == "plan" else METHOD_NAMES[ours.method]
    if ours.found.beyond:
        return (
            f"No plan was found that keeps all caps; no plan that does comes to less than "
            f"{said(answer, aim, least, Sense.LOWER_BOUND)}."
        )
    if usual.found is not None and usual.found.value > 0:
        before = usual.found.value
        saved, most = 1 - value / before, 1 - least / before
        if saved > 0:
            can = "can " if ours.method == "plan" else "would "
            return (
                f"{whose} {can}{_DO[aim]} {share(saved, Sense.HEADLINE)} less than as usual; no "
                f"plan saves more than {share(most, Sense.UPPER_BOUND)}."
            )
    can = "can " if ours.method == "plan" else "would "
    about, bound = (
        said(answer, aim, value, Sense.HEADLINE),
        said(answer, aim, least, Sense.LOWER_BOUND),
    )
    return f"{whose} {can}{_DO[aim]} {about}; no plan comes to less than {bound}."


def _sentences(answer: CentreAnswer) -> Iterator[str]:
    for one in answer.plans:
        if one.found is None:
            yield f"{METHOD_NAMES[one.method]}: {one.failed}."
        elif one.verdict is not None and not one.verdict.ok:
            yield not_verified(f"{METHOD_NAMES[one.method]}: {one.verdict.problems[0].message}.")
        elif one.found.beyond and one.method != "as-usual":
            over = _over_said(answer, one.found)
            yield f"{METHOD_NAMES[one.method]} does not keep all caps, but exceeds {over}."
    for kind, days in answer.file.moved.items():
        away = duration(abs(days) * DAY, Sense.TYPED)
        then = "before" if days > 0 else "after"
        yield f"Assumed: {kind.said} is that of a date {away} {then} this day."
    caps = _caps_said(answer)
    if caps:
        yield f"Asked for: {joined(caps)}."
    yield from _not_knowing_said(answer)


def more_said(answer: CentreAnswer, one: MethodPlan, than: MethodPlan) -> str:
    """By how much a plan has more of the aim than another, with the share that this is; empty if
    one of these has no plan.
    """
    if one.found is None or than.found is None:
        return ""
    more, of = max(one.found.value - than.found.value, 0.0), than.found.value
    words = said(answer, answer.asked.minimise, settled(more, abs(of)))
    return f"{words} ({share(settled(more / of, 1.0), Sense.PLAIN)})" if of > 0 else words


def planned_said(answer: CentreAnswer) -> str:
    """When a day was planned."""
    when = []
    if answer.asked.replan:
        when.append(f"anew every {duration(answer.asked.replan, Sense.TYPED)}")
    if answer.asked.unannounced:
        when.append("anew when jobs come")
    return joined(when) or "once"


def _not_knowing_said(answer: CentreAnswer) -> Iterator[str]:
    price = answer.not_knowing
    if price is None:
        return
    what = joined([UNKNOWN_NAMES[name] for name in price.alone])
    more = more_said(answer, answer.ours, price.knowing)
    yield f"Not to know {what} costs {more}, with a plan that is made {planned_said(answer)}."
    if price.once is not answer.ours:
        said_once = more_said(answer, price.once, price.knowing)
        yield f"With a plan that is made once, when the day begins, it would cost {said_once}."
    if len(price.alone) > 1:
        for name, one in price.alone.items():
            alone = more_said(answer, one, price.knowing)
            yield f"Not to know {UNKNOWN_NAMES[name]} alone would cost {alone}."


def _not_knowing_table(answer: CentreAnswer, price: NotKnowing) -> ToldTable:
    """What comes of the day by what is known of it."""
    rows = {"All that comes": price.knowing, f"Planned {planned_said(answer)}": answer.ours}
    if price.once is not answer.ours:
        rows["Planned once"] = price.once
    if len(price.alone) > 1:
        rows |= {f"All but {UNKNOWN_NAMES[name]}": one for name, one in price.alone.items()}
    there = {name: one for name, one in rows.items() if one.measures is not None}
    reached = [counted(answer.day, one.measures) for one in there.values() if one.measures]
    columns = {
        "What is known": list(there),
        **{AIM_NAMES[aim]: [said(answer, aim, each[aim]) for each in reached] for aim in AIMS},
        "Hottest": [
            amount(one.measures.hottest, Sense.PLAIN, "°C")
            for one in there.values()
            if one.measures
        ],
        "More than if all is known": [
            more_said(answer, one, price.knowing) for one in there.values()
        ],
    }
    return ToldTable.of_columns(NOT_KNOWING, columns)


def _over_said(answer: CentreAnswer, found: FoundPlan) -> str:
    """What a plan has above each cap that it does not keep."""
    over = dict(zip(CAPPED, found.over, strict=True))
    words = [f"{AIM_NAMES[aim]} by {said(answer, aim, over[aim])}" for aim in AIMS if over[aim]]
    if over["peak"]:
        words.append(f"grid power by {power(over['peak'] * 1000, Sense.PLAIN)}")
    return joined(words)


def _caps_said(answer: CentreAnswer) -> list[str]:
    names: dict[DayAim, str] = {
        "cost": "a cost of at most",
        "carbon": "at most",
        "energy": "at most",
        "excess": "an excess of at most",
        "lateness": "a lateness of at most",
    }
    found = [
        f"{names[aim]} {said(answer, aim, getattr(answer.caps, aim), Sense.TYPED)}"
        for aim in AIMS
        if math.isfinite(getattr(answer.caps, aim))
    ]
    if answer.asked.most_late and math.isfinite(answer.caps.lateness):
        late = share(answer.asked.most_late, Sense.TYPED)
        found[-1] += f" ({late} of the hours that jobs run)"
    if math.isfinite(answer.caps.peak):
        found.append(f"at most {power(answer.caps.peak * 1000, Sense.TYPED)} from the grid")
    return found


_NOTICED: Final = 1e-4
"""Less than this share of the bound is nothing."""
_MORE: Final = {
    "target": "1 kW more of target power",
    "limit": "A room 1 °C warmer",
    "panel": "One more panel",
    "hour": "An hour more for each job",
}
_GRAMS_A_KG: Final = 1000.0
NOT_KNOWING: Final = "What it costs not to know"
WORTH: Final = "What one more is worth"
"""The title of the table in whose place a picture has `worth_bars`."""
_BY_PRICES: Final = (
    " The day is so large that this was read from prices, so one more may save less, but not more."
)
_LESS: Final[dict[DayAim, str]] = {
    "cost": "Cost saved at most",
    "carbon": "CO₂ saved at most (kg)",
    "energy": "Energy saved at most (kWh)",
    "excess": "Excess saved at most (kWh)",
    "lateness": "Lateness saved at most (h)",
}


def _worth(answer: CentreAnswer) -> list[tuple[str, float]]:
    """What one more of something is called, and by how much the bound falls, the most first."""
    named = [
        (_MORE.get(name) or f"One more server, {name.removeprefix('server ')}", saved)
        for name, saved in answer.worth.items()
    ]
    return sorted(named, key=lambda one: -one[1])


def _is_noticed(answer: CentreAnswer, saved: float) -> bool:
    return saved > _NOTICED * max(abs(answer.bound.value), SAME)


def worth_bars(answer: CentreAnswer) -> ToldBars | None:
    """By how much the bound falls with one more of what an administrator could change; None if
    nothing that was tried saves anything.
    """
    aim, money = answer.asked.minimise, answer.file.currency
    size = {"carbon": _GRAMS_A_KG, "lateness": HOUR / answer.day.step}.get(aim, 1.0)
    bars = tuple(
        ToldBar(what, Interval(saved / size, math.inf), said(answer, aim, saved))
        for what, saved in _worth(answer)
        if _is_noticed(answer, saved)
    )
    return ToldBars(_LESS[aim] + (f" ({money})" if aim == "cost" else ""), bars) if bars else None


def _worth_table(answer: CentreAnswer) -> ToldTable:
    """What one more of each saves at most, also where that is nothing."""
    worth, aim = _worth(answer), answer.asked.minimise
    return ToldTable.of_columns(
        WORTH,
        {
            "One more": [what for what, _ in worth],
            "Lowers the bound by": [
                said(answer, aim, saved) if _is_noticed(answer, saved) else "nothing"
                for _, saved in worth
            ],
        },
        note="Of the whole day, with everything else as it is." + _BY_PRICES * answer.by_prices,
    )


def _figures(answer: CentreAnswer) -> Iterator[KeyFigure]:
    ours, aim = answer.ours, answer.asked.minimise
    found, measures = ours.found, ours.measures
    if found is None or measures is None:
        return
    yield KeyFigure("This plan", said(answer, aim, found.value, Sense.HEADLINE), "Of the day.")
    yield KeyFigure(
        "No plan has less than",
        said(answer, aim, answer.least, Sense.LOWER_BOUND),
        "Proven by the linear program of the day.",
    )
    yield KeyFigure(
        "On time",
        share(measures.on_time_share, Sense.HEADLINE),
        "1 less the hours by which jobs are late, as a share of the hours that they run.",
    )
    yield KeyFigure(
        "Highest grid power", power(measures.peak, Sense.HEADLINE), "At the worst moment."
    )
    yield KeyFigure(
        "Green share",
        share(measures.green_share, Sense.HEADLINE),
        "The share of all energy that is green.",
    )


def _tables(answer: CentreAnswer) -> Iterator[ToldTable]:
    plans = [one for one in _all(answer) if one.measures is not None]
    reached = [counted(answer.day, one.measures) for one in plans if one.measures is not None]
    columns = {
        "Plan": [METHOD_NAMES[one.method] for one in plans],
        **{AIM_NAMES[aim]: [said(answer, aim, each[aim]) for each in reached] for aim in AIMS},
        "Highest grid power": [
            power(one.measures.peak, Sense.PLAIN) for one in plans if one.measures is not None
        ],
        "Keeps the caps": ["yes" if one.keeps else "no" for one in plans],
        "Found in": [duration(one.seconds, Sense.HEADLINE) for one in plans],
    }
    yield ToldTable.of_columns("Plans of the day", columns)
    if answer.not_knowing is not None:
        yield _not_knowing_table(answer, answer.not_knowing)
    if answer.slices:
        yield _slices(answer)
    if answer.worth:
        yield _worth_table(answer)


def _slices(answer: CentreAnswer) -> ToldTable:
    """What is proven for other lateness and excess, and the plan that was found for each."""
    aim = answer.sliced
    points = [(one.late, point) for one in answer.slices for point in one.points]
    columns = {
        "Late at most": [share(late, Sense.TYPED) for late, _ in points],
        "Excess at most": [
            energy(point.excess * JOULES_PER_KWH, Sense.PLAIN) for _, point in points
        ],
        f"{AIM_NAMES[aim]}, proven": [
            said(answer, aim, point.least, Sense.LOWER_BOUND) for _, point in points
        ],
        f"{AIM_NAMES[aim]}, plan": [
            "none found"
            if point.found is None or point.found.beyond
            else said(answer, aim, point.found.value)
            for _, point in points
        ],
        "A kWh more excess saves": [
            said(answer, aim, settled(point.price, 1e3 * abs(point.least))) for _, point in points
        ],
    }
    return ToldTable.of_columns("Other lateness and excess", columns)


def _all(answer: CentreAnswer) -> list[MethodPlan]:
    """The plans that were asked for, and what happens as usual."""
    others = [one for one in answer.plans if one is not answer.usual]
    return [*others, answer.usual]


def as_data(answer: CentreAnswer) -> dict[str, object]:
    """The answer for programs, in SI units and money."""
    return {
        **{str(one.method): _plan_data(answer, one) for one in _all(answer)},
        "bound": {
            answer.asked.minimise: _si(answer, answer.asked.minimise, answer.least),
        },
        "prices": {
            name: _si(answer, answer.asked.minimise, saved) for name, saved in answer.worth.items()
        },
        "steps": answer.day.steps,
        "jobs": answer.day.jobs.total,
        "gap": _gap(answer),
        "front": [
            {
                "late": one.late,
                "points": [
                    {
                        "excess": point.excess * JOULES_PER_KWH,
                        "least": _si(answer, answer.sliced, point.least),
                        "found": None
                        if point.found is None or point.found.beyond
                        else _si(answer, answer.sliced, point.found.value),
                    }
                    for point in one.points
                ],
            }
            for one in answer.slices
        ],
        "not_knowing": _not_knowing_data(answer),
        "verified": all(one.verdict is None or one.verdict.ok for one in _all(answer)),
    }


def _not_knowing_data(answer: CentreAnswer) -> dict[str, object] | None:
    """What comes of the day by what is known of it; None if all is known."""
    price = answer.not_knowing
    if price is None:
        return None
    return {
        "knowing": _plan_data(answer, price.knowing),
        "once": _plan_data(answer, price.once),
        "alone": {str(name): _plan_data(answer, one) for name, one in price.alone.items()},
    }


def _gap(answer: CentreAnswer) -> float | None:
    """How far our plan is above the bound, as a share of what it comes to as usual."""
    ours, usual = answer.ours.found, answer.usual.found
    if ours is None or usual is None or usual.value <= 0:
        return None
    return max(0.0, (ours.value - answer.least) / usual.value)


def _si(answer: CentreAnswer, aim: DayAim, value: float) -> float:
    factors: dict[DayAim, float] = {
        "cost": 1.0,
        "carbon": 1.0,
        "energy": JOULES_PER_KWH,
        "excess": JOULES_PER_KWH,
        "lateness": answer.day.step,
    }
    return value * factors[aim]


def _plan_data(answer: CentreAnswer, one: MethodPlan) -> dict[str, object]:
    """What is said of each plan: energies in joules, lateness in seconds, carbon in grams."""
    measures, usual = one.measures, answer.usual.found
    if measures is None or one.found is None:
        return {"failed": one.failed, "seconds": one.seconds, "verified": False}
    saved = None
    if usual is not None and usual.value > 0:
        saved = 1 - one.found.value / usual.value
    return {
        "cost": measures.cost,
        "carbon": measures.carbon,
        "grid_energy": measures.grid_energy,
        "green_used": measures.green_energy,
        "green_share": measures.green_share,
        "energy": measures.energy,
        "excess": measures.excess,
        "relative_excess": measures.relative_excess,
        "lateness": measures.lateness,
        "on_time_share": measures.on_time_share,
        "late_jobs": measures.late_jobs,
        "peak": measures.peak,
        "cooling_energy": measures.cooling_energy,
        "hottest": measures.hottest,
        "against_usual": saved,
        "keeps_caps": one.keeps,
        "seconds": one.seconds,
        "verified": one.verdict is not None and one.verdict.ok,
    }
