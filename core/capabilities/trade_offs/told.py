"""What is said of the trade-off: how much energy can be saved for how much time."""

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from core.capabilities.trade_offs.measured import savings_in_two_parts
from core.engines.front.axis import Axis
from core.engines.front.data import study_as_data
from core.engines.front.study import Study
from core.engines.relaxed import Front
from core.shells.told.told import KeyFigure, Told
from core.vocabulary.arrays import FloatArray
from core.vocabulary.plane.points import exchange_rates, largest_gap, nearest_to_knee
from core.vocabulary.prices.site import WATTS_PER_KW, Site
from core.vocabulary.say.without_work import (
    assumed_without_work,
    energy_of_rest,
    what_switching_off_brings,
)
from core.vocabulary.say.words import Sense, amount, begun, counted, duration, longer, power, share
from core.vocabulary.schedule import Schedule

# The sentence names the price in time of the largest of these shares that is at most a good part
# of the whole saving.
_FIRST: Final = (0.5, 0.25, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001)
_GOOD_PART: Final = 0.75
BALANCED: Final = "Balanced"
NOTHING: Final = 0.005
"""A saving below this share counts as none: nobody would wait for it."""


def lead(study: Study, axis: Axis, *, final: bool = True) -> str:
    """How much energy can be saved for how much time: by the schedules found; while better ones are
    still searched for, by the bound, as if tasks could be split.
    """
    if final and len(study.achieved):
        return _found(study.achieved, axis)
    return _proven(study.front.points, axis)


def has_trade_off(study: Study) -> bool:
    """Whether more time saves energy: by the schedules found, or if there are none, perhaps."""
    chain = study.achieved if len(study.achieved) else study.front.points
    return bool(chain[0, 0] < chain[-1, 0] * (1 - NOTHING))


def _found(chain: FloatArray, axis: Axis) -> str:
    """In digits that stay when a later search finds slightly better schedules."""
    thrifty, dear = chain[0], chain[-1]
    fastest = duration(dear[1], Sense.HEADLINE)
    if dear[0] <= 0:
        return f"No machine draws power, so only time matters: {fastest}."
    if len(chain) == 1:
        return (
            f"There is no trade-off: the fastest schedule ({fastest}) is also the thriftiest "
            f"({axis.say(dear[0], Sense.HEADLINE)})."
        )
    saving, cost = 1 - thrifty[0] / dear[0], longer(thrifty[1] - dear[1], dear[1])
    saved = share(saving, Sense.HEADLINE)
    if saving < NOTHING:
        return (
            f"There is almost no trade-off: the fastest schedule takes {fastest}, and {cost} "
            f"longer saves only {saved} {axis.of_all}."
        )
    first = _first(chain)
    sooner = "" if first is None else longer(first.seconds, dear[1])
    if first is None or sooner == cost:
        return f"Fastest: {fastest}. {begun(cost)} longer saves {saved} {axis.of_all}."
    return (
        f"Fastest: {fastest}. {begun(sooner)} longer saves {share(first.share, Sense.TYPED)} "
        f"{axis.of_all}; {cost} longer saves {saved}, the most that was found."
    )


def _proven(chain: FloatArray, axis: Axis) -> str:
    """What no schedule can beat, and what the front of the bound saves. Its fastest point takes
    less energy than a fastest schedule may, so schedules can save a larger share.
    """
    sense = Sense.LOWER_BOUND
    thrifty, dear = chain[0], chain[-1]
    fastest = duration(dear[1], sense)
    if dear[0] <= 0:
        return f"No machine draws power, so only time matters: at least {fastest}."
    if len(chain) == 1:
        return (
            f"There is no trade-off if tasks can be split: no schedule is done before {fastest} or "
            f"takes less than {axis.say(dear[0], sense)}."
        )
    saving, cost = 1 - thrifty[0] / dear[0], longer(thrifty[1] - dear[1], dear[1])
    saved = share(saving, Sense.PLAIN)
    if saving < NOTHING:
        return (
            f"There is almost no trade-off if tasks can be split: the fastest way takes {fastest}, "
            f"and {cost} longer saves only {saved} {axis.of_all}."
        )
    said = f"No schedule is faster than {fastest}. If tasks can be split, "
    first = _first(chain)
    sooner = "" if first is None else longer(first.seconds, dear[1])
    if first is None or sooner == cost:
        return f"{said}{cost} longer saves {saved} {axis.of_all}."
    return (
        f"{said}{sooner} longer saves {share(first.share, Sense.TYPED)} {axis.of_all}; "
        f"{cost} longer saves {saved}, the most."
    )


class _First(NamedTuple):
    """A good part of the whole saving, and how many seconds longer it takes than the fastest."""

    share: float
    seconds: float


def _first(chain: FloatArray) -> _First | None:
    """None where the whole saving is too small to name a part of it."""
    dear = chain[-1]
    most = _GOOD_PART * (1 - chain[0, 0] / dear[0])
    part = next((part for part in _FIRST if part <= most), None)
    if part is None:
        return None
    enough = chain[chain[:, 0] <= (1 - part) * dear[0]]
    return _First(part, float(enough[:, 1].min() - dear[1]))


def told(
    study: Study,
    axis: Axis,
    site: Site | None = None,
    *,
    final: bool = True,
    balanced: Schedule | None = None,
) -> Told:
    """All that is said of a study, its energy on this axis and what it costs at a `site`; if it is
    not `final`, better schedules are still searched for. If one is called `balanced` already, no
    other one is.
    """
    return Told(
        lead(study, axis, final=final),
        (*_sentences(study, axis, balanced), *_of_estimates(study), *_without_work(study)),
        figures(study, axis, site),
        data=study_as_data(study),
    )


def told_of_front(front: Front, axis: Axis) -> str:
    """What no schedule can beat, in a sentence or two."""
    return f"{_proven(front.points, axis)} {_vertices(front)}"


def counts(study: Study) -> str:
    """How many schedules there are, and how many of them are on the Pareto front."""
    on_front = int(study.on_front.sum())
    verb = "is" if on_front == 1 else "are"
    return f"{on_front:,} of {counted(len(study.schedules), 'schedule')} {verb} on the front"


def _sentences(study: Study, axis: Axis, balanced: Schedule | None = None) -> Iterator[str]:
    """The knee, the front of the bound, and how near to it the schedules are."""
    front, achieved = study.front, study.achieved
    chain, sense = (achieved, Sense.SPENT) if len(achieved) else (front.points, Sense.LOWER_BOUND)
    if (bend := nearest_to_knee(chain, front.points)) is not None:
        seconds, joules = duration(chain[bend, 1], sense), axis.say(chain[bend, 0], sense)
        called = balanced and (duration(balanced.makespan, sense), axis.say(balanced.energy, sense))
        if called in (None, (seconds, joules)):
            yield (
                f"{BALANCED}: {seconds} with {joules}. Up to there saving time costs little "
                "energy, beyond it much."
            )
    yield _vertices(front)
    if len(front) > 1:
        rates = exchange_rates(front.points)
        said = f"One second less costs {amount(rates[0], Sense.PLAIN, 'J')} at the slow end"
        if len(rates) > 1:
            said += f", {amount(rates[-1], Sense.PLAIN, 'J')} at the fast end"
        yield f"{said}."
    if not len(achieved):
        return
    yield f"{counts(study)}."
    if (gap := largest_gap(achieved)) is not None:
        apart = f"{duration(gap.makespan, Sense.PLAIN)} and {axis.say(gap.energy, Sense.PLAIN)}"
        yield f"The largest gap between neighbours is {apart}."
    if len(front) > 1:
        areas, nadir = study.areas(), study.nadir
        unsettled = areas.between / areas.outer if areas.outer > 0 else None
        yield (
            f"Better schedules can only lie in {share(unsettled, Sense.UPPER_BOUND)} of the region "
            f"from the bound to {duration(nadir[1], Sense.PLAIN)} with "
            f"{axis.say(nadir[0], Sense.PLAIN)}."
        )


def _without_work(study: Study) -> Iterator[str]:
    """Whether machines are switched off, and what that brings in the fastest schedule."""
    if study.system.may_sleep:
        yield assumed_without_work(study.system)
    if len(study.achieved):
        fastest = study.schedules[np.flatnonzero(study.on_front)[-1]]
        if brings := what_switching_off_brings(fastest, "the fastest schedule"):
            yield brings


def _of_estimates(study: Study) -> Iterator[str]:
    if (said := savings_in_two_parts(study.system)) is not None:
        yield said


def _vertices(front: Front) -> str:
    vertices = f"{len(front):,} {'vertex' if len(front) == 1 else 'vertices'}"
    if front.exact:
        return f"The front of the bound has {vertices}, and no others (proven)."
    return (
        f"The front of the bound has {vertices}; there may be others, but none below the proven "
        "lines."
    )


def figures(study: Study, axis: Axis, site: Site | None = None) -> tuple[KeyFigure, ...]:
    """The key figures: both ends of the front; of schedules also the idle energy and the gap, and
    what they cost at a `site`.
    """
    if not len(study.achieved):
        return _figures_proven(study, axis)
    return (*_figures_found(study, axis), *(() if site is None else _at_site(study, site)))


def _at_site(study: Study, site: Site) -> Iterator[KeyFigure]:
    """What the ends of the front cost, and how fast a schedule is that keeps the power cap."""
    least, most = (float(study.achieved[end, 0]) for end in (0, -1))
    costs, carbon = (
        _span(value(least), value(most), unit)
        for value, unit in ((site.tariff.cost, site.currency), (site.tariff.carbon, "kg of CO₂"))
    )
    meaning = f"Of the thriftiest and of the fastest schedule, PUE included; and {carbon}."
    yield KeyFigure("Cost", costs, meaning)
    if site.cap_kw is None:
        return
    keep = study.achieved[study.achieved[:, 0] <= site.cap_at_machines * study.achieved[:, 1]]
    yield KeyFigure(
        "Within the power cap",
        duration(float(keep[:, 1].min()), Sense.SPENT) if len(keep) else "none found",
        "The fastest schedule found for which the site draws at most "
        f"{power(site.cap_kw * WATTS_PER_KW, Sense.TYPED)} on average.",
    )


def _span(least: float, most: float, unit: str) -> str:
    """From one amount to the other; the one amount, if both are written alike."""
    first, last = amount(least, Sense.SPENT), amount(most, Sense.SPENT)
    return amount(most, Sense.SPENT, unit) if first == last else f"{first} to {last} {unit}"


def _figures_proven(study: Study, axis: Axis) -> tuple[KeyFigure, ...]:
    """Both ends of the front of the bound, for a study without schedules."""
    return (
        KeyFigure(
            "Not before",
            duration(study.proven.soonest, Sense.LOWER_BOUND),
            "It is proven that no schedule is faster.",
        ),
        KeyFigure(
            "Not below",
            axis.say(study.proven.thriftiest, Sense.LOWER_BOUND),
            f"It is proven that no schedule takes less {axis.title.lower()}.",
        ),
    )


def _figures_found(study: Study, axis: Axis) -> tuple[KeyFigure, ...]:
    """Both ends of the schedules on the Pareto front, their idle energy, and the gap."""
    proven = study.proven
    thrifty, fast = (study.schedules[np.flatnonzero(study.on_front)[end]] for end in (0, -1))
    gaps = proven.energy_gaps(study.achieved)
    idle = [_idle_share(schedule) for schedule in (thrifty, fast)]
    quantity = axis.title.lower()
    return (
        KeyFigure(
            "Fastest",
            duration(fast.makespan, Sense.SPENT),
            f"It takes {axis.say(fast.energy, Sense.SPENT)}. No schedule is faster than "
            f"{duration(proven.soonest, Sense.LOWER_BOUND)}.",
        ),
        KeyFigure(
            f"Least {quantity}",
            axis.say(thrifty.energy, Sense.SPENT),
            f"No schedule takes less than {axis.say(proven.thriftiest, Sense.LOWER_BOUND)}.",
        ),
        KeyFigure(
            "Time at least energy",
            duration(thrifty.makespan, Sense.SPENT),
            f"The makespan of the schedule with the least {quantity}. On the front of the bound "
            f"it is {duration(study.front.makespan[0], Sense.PLAIN)}.",
        ),
        KeyFigure(
            energy_of_rest(study.system),
            share(idle[0], Sense.PLAIN),
            "The share of the energy that machines use while they wait for the last one, in the "
            f"thriftiest schedule. In the fastest schedule it is {share(idle[1], Sense.PLAIN)}.",
        ),
        KeyFigure(
            "From the best, at most",
            share(gaps.mean(), Sense.UPPER_BOUND),
            f"How much {quantity} a better schedule with the same makespan could save at most. "
            "This is the mean over all schedules on the front; the largest gap is "
            f"{share(gaps.max(), Sense.UPPER_BOUND)}.",
        ),
    )


def _idle_share(schedule: Schedule) -> float | None:
    return float(schedule.idle_energy.sum()) / schedule.energy if schedule.energy > 0 else None
