"""What is said of the purchase that is best for a week: with the least wait, or energy."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from core.capabilities.provision.answer import by_type, queue_as_data
from core.capabilities.provision.files.plan_file import PlanFile
from core.capabilities.provision.least_energy import LeastEnergy, least_energy
from core.capabilities.provision.least_wait import LeastWait, least_wait
from core.capabilities.provision.settings import WeekAim
from core.capabilities.provision.told import queue_said
from core.capabilities.provision.words import cost_figure, in_total, peaks_said, purchase_said
from core.engines.lp.program import Infeasible
from core.shells.told.money import energy_cost_figure, priced_said
from core.shells.told.told import KeyFigure, Told
from core.vocabulary.arrivals import HourlyArrivals
from core.vocabulary.budget import never
from core.vocabulary.calendar import WEEKDAYS
from core.vocabulary.node_use import NodeUse
from core.vocabulary.prices.site import Site
from core.vocabulary.problems import InvalidInput, Problem
from core.vocabulary.say.words import (
    DAY,
    YEAR,
    Sense,
    amount,
    as_sentence,
    duration,
    energy,
    settled,
    share,
)
from core.vocabulary.tolerances import METHODS_AGREE

WEEKS: Final = YEAR / (len(WEEKDAYS) * DAY)
"""The weeks of a year."""
_NO_HOURS: Final = (
    "says nothing of the hours in which work arrives, which the least {} needs; give the study "
    "of a system that is from a log"
)
ENDLESS: Final = {
    "wait": "Whatever is bought within the budget and the limits, more work arrives than the "
    "machines can do, so the queue has no end (proven).",
    "energy": "Whatever is bought within the budget and the limits, the longest queue is longer "
    "than today’s, or has no end (proven).",
}
"""What is said if no purchase is what was sought."""


@dataclass(frozen=True, slots=True, eq=False)
class WeekAnswer:
    """A plan, what was sought, and the purchase that is best for a week; None if there is none."""

    file: PlanFile
    sought: WeekAim
    found: LeastWait | LeastEnergy | None


def best_of_week(
    file: PlanFile,
    sought: WeekAim,
    arrivals: HourlyArrivals | None,
    should_stop: Callable[[], bool] = never,
) -> WeekAnswer:
    """The purchase that is best for a week. Raises `InvalidInput` if nobody knows in which hours
    work arrives, and for what does not go with what is sought; and `Cancelled`.
    """
    if arrivals is None:
        raise InvalidInput([Problem("plan", "", "", _NO_HOURS.format(sought))])
    search = least_wait if sought == "wait" else least_energy
    try:
        found = search(file.plan, arrivals.profile(file.types.task_names), should_stop)
    except Infeasible:
        return WeekAnswer(file, sought, None)
    return WeekAnswer(file, sought, found)


def told_of_week(answer: WeekAnswer, site: Site | None = None, use: NodeUse | None = None) -> Told:
    """All that is said of the purchase; its energy in money, too, if the `site` is known, and the
    peaks of the log if their `use` is.
    """
    file, found = answer.file, answer.found
    if found is None:
        data = {"objective": answer.sought, "proven": True, "longest": None}
        return Told(ENDLESS[answer.sought], data=data)
    if isinstance(found, LeastWait):
        said = _told_of_wait(file, found)
    else:
        said = _told_of_energy(file, found, site)
    peaks = peaks_said(file.plan, found.purchase, use)
    return replace(said, sentences=(*peaks, *said.sentences))


def _data(file: PlanFile, sought: WeekAim, found: LeastWait | LeastEnergy) -> dict[str, object]:
    """What programs read of either."""
    plan, purchase = file.plan, found.purchase
    return {
        "objective": sought,
        "buy": by_type(plan, purchase.buy),
        "sell": by_type(plan, purchase.sell),
        "cost": purchase.cost,
        "queue": queue_as_data(found.queue),
        "longest": float(found.queue.after.max()),
        "bound": found.bound,
        "proven": found.is_proven,
    }


def _queue_figure(found: LeastWait | LeastEnergy) -> KeyFigure:
    return KeyFigure(
        "Longest queue",
        duration(float(found.queue.after.max()), Sense.SPENT),
        "The work that waits at the worst hour of the week, as the time in which all machines do "
        "it.",
    )


def _told_of_wait(file: PlanFile, found: LeastWait) -> Told:
    plan, purchase = file.plan, found.purchase
    return Told(
        f"{in_total(plan, purchase, file.currency)}{queue_said(found.queue)}.",
        (as_sentence(purchase_said(plan, purchase)), *_wait_proof(found)),
        (_queue_figure(found), cost_figure(plan, purchase, file.currency)),
        data=_data(file, "wait", found),
    )


def _wait_proof(found: LeastWait) -> Iterator[str]:
    bound = duration(found.bound, Sense.LOWER_BOUND)
    if found.is_proven:
        yield "No purchase within the limits has a shorter longest queue (proven)."
    else:
        yield f"No purchase within the limits has a longest queue below {bound} (proven)."
    yield "Of purchases with as short a queue, it is the cheapest that was found."
    yield (
        "The queue is that of the mean work of each hour of the week, done as fast as whole "
        "machines can: jobs may wait longer, as they are not divisible."
    )


def _told_of_energy(file: PlanFile, found: LeastEnergy, site: Site | None) -> Told:
    plan, purchase = file.plan, found.purchase
    then, paid = energy(found.energy, Sense.SPENT), _payback(found, site)
    figures = [
        KeyFigure(
            "Energy a week",
            then,
            f"Of all machines, idle ones included; {_today_said(found)}.",
        ),
        _queue_figure(found),
        cost_figure(plan, purchase, file.currency),
    ]
    if site is not None:
        cost = site.cost_of(found.energy * WEEKS)
        figures.append(energy_cost_figure("Electricity a year", cost, site, "At the site"))
    if paid is not None:
        meaning = "The cost of the purchase, less what it saves of the electricity."
        figures.append(KeyFigure("Pays for itself in", _in_years(paid), meaning))
    more = {"energy": found.energy, "gap": found.gap, "payback": paid}
    before = found.before if np.isfinite(found.before) else None
    return Told(
        f"{in_total(plan, purchase, file.currency)}; {_energy_said(found)}.",
        tuple(_energy_sentences(file, found, site, paid)),
        tuple(figures),
        data=_data(file, "energy", found) | more | {"energy_before": before},
    )


def _energy_said(found: LeastEnergy) -> str:
    """What becomes of the energy: "the energy of a week falls by 21 %, from 1.175 MWh to ..."."""
    then = energy(found.energy, Sense.HEADLINE)
    if not np.isfinite(found.before):
        return f"a week then takes {then}, and today’s machines cannot do its work"
    less = settled(found.saved, found.before)
    if not less:
        return f"the energy of a week stays at {then}"
    verb = "falls" if less > 0 else "grows"
    before = energy(found.before, Sense.HEADLINE)
    by = share(abs(less) / found.before, Sense.PLAIN)
    return f"the energy of a week {verb} by {by}, from {before} to {then}"


def _today_said(found: LeastEnergy) -> str:
    if not np.isfinite(found.before):
        return "today’s machines cannot do all the work"
    return f"{energy(found.before, Sense.PLAIN)} with today’s"


def _payback(found: LeastEnergy, site: Site | None) -> float | None:
    """Seconds after which the purchase has paid for itself; None if it costs nothing, saves nothing
    or nobody knows what energy costs.
    """
    if site is None or not found.saved > 0 or found.purchase.cost <= 0:
        return None
    a_year = site.cost_of(found.saved * WEEKS).money
    return found.purchase.cost / a_year * YEAR if a_year > 0 else None


def _energy_sentences(
    file: PlanFile, found: LeastEnergy, site: Site | None, paid: float | None
) -> Iterator[str]:
    """The purchase by type, what it does to the queue and saves, and what is assumed and proven."""
    yield as_sentence(purchase_said(file.plan, found.purchase))
    yield as_sentence(queue_said(found.queue).removeprefix("; "))
    if settled(found.saved, found.before) > 0:
        yield _saved_said(found, site, paid)
    yield from priced_said(site, knows_hours=False)
    yield from _energy_proof(found)
    yield (
        "The work is the mean of each hour of the week. Each task runs where the week takes the "
        "least energy, with today’s machines, too; so what is saved comes from the machines alone."
        + _wait_said(found)
    )
    if file.plan.idle_powers.any():
        yield "All machines stay on, and draw their idle power while they do nothing."
    else:
        yield "No machine type has an idle power, so a machine that does nothing draws nothing."


def _wait_said(found: LeastEnergy) -> str:
    longest = float(found.queue.before.max())
    if not np.isfinite(longest):
        return ""
    if not longest:
        return " None waits, as today."
    most = duration(longest, Sense.PLAIN)
    return f" None waits longer than the longest queue of today, {most}."


def _saved_said(found: LeastEnergy, site: Site | None, paid: float | None) -> str:
    """What is saved in a year, also in money, and when that has paid for the purchase."""
    year = found.saved * WEEKS
    said = f"It saves {energy(year, Sense.EARNED)} a year"
    if site is None:
        return f"{said}."
    cost = site.cost_of(year)
    money = amount(cost.money, Sense.EARNED, site.currency)
    said += f": {money} and {amount(cost.carbon, Sense.EARNED, 'kg of CO₂')}"
    return (
        f"{said}."
        if paid is None
        else f"{said}. By that, the purchase pays for itself in {_in_years(paid)}."
    )


def _in_years(seconds: float) -> str:
    """A time that may be years: "2.5 years"."""
    years = round(seconds / YEAR, 1)
    return duration(seconds, Sense.PLAIN) if seconds < YEAR else f"{years:,} years"


def _energy_proof(found: LeastEnergy) -> Iterator[str]:
    kept = "No purchase within the limits, with a queue no longer than today’s, takes less"
    if found.gap <= METHODS_AGREE:
        yield f"{kept} energy (proven)."
    else:
        bound = energy(found.bound, Sense.LOWER_BOUND)
        gap = share(found.gap, Sense.UPPER_BOUND)
        yield f"{kept} than {bound} a week (proven), which is {gap} less."
    yield "Of purchases that take hardly more energy, it is the cheapest that was found."
