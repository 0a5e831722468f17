"""You are here: the tasks of a log where they ran, beside the schedules of the same tasks."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from core.engines.front.study import Study
from core.engines.recover.assignment import assign
from core.engines.verify.judge import verify
from core.vocabulary.placement import LogPlacement
from core.vocabulary.prices.site import Site
from core.vocabulary.say.words import Sense, amount, counted, duration, energy, longer, share
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System
from core.vocabulary.tolerances import SAME

_AS_LONG: Final = 0.01
"""Times that differ by at most this share are said to be about as long."""


@dataclass(frozen=True, eq=False, slots=True)
class Here:
    """The batch with each task on the machine type on which it ran in the log, by the same tables
    as all other schedules. `moved` tasks ran where the tables say that they cannot.
    """

    schedule: Schedule
    moved: int

    def on(self, system: System) -> "Here":
        """The same for other powers."""
        return replace(self, schedule=replace(self.schedule, system=system))


def you_are_here(placement: LogPlacement | None, system: System) -> Here | None:
    """None without a log, or if the system has other tasks, or not the machines."""
    found = None if placement is None else placement.on(system)
    if found is None:
        return None
    placed, moved = found
    schedule = assign(system, placed)
    return Here(schedule, moved) if verify(schedule, system).ok else None


def here_said(here: Here, study: Study | None, chosen: Schedule | None, site: Site | None) -> str:
    """Where the log stands, and what the chosen schedule changes; without one, the thriftiest of a
    study that is not slower.
    """
    at, joules = here.schedule.makespan, here.schedule.energy
    said = (
        f"You are here: with each task on the machine type on which it ran in the log, this batch "
        f"takes {duration(at, Sense.PLAIN)} and {energy(joules, Sense.PLAIN)}."
    )
    if here.moved:
        said += (
            f" {counted(here.moved, 'task')} ran where the tables say that they cannot; they "
            "count where most of their type ran."
        )
    name = "The chosen schedule"
    if chosen is None and study is not None:
        name, chosen = "The thriftiest schedule that is not slower", _not_slower(study, at)
    return said if chosen is None else f"{said} {name} {_change(here.schedule, chosen, site)}."


def _not_slower(study: Study, makespan: float) -> Schedule | None:
    front = np.flatnonzero(study.on_front)
    enough = front[study.points[front, 1] <= makespan * (1 + SAME)]
    return study.schedules[enough[0]] if len(enough) else None


def _change(here: Schedule, other: Schedule, site: Site | None) -> str:
    """What another schedule changes in time, energy, money and carbon."""
    seconds, joules = other.makespan - here.makespan, other.energy - here.energy
    time = "takes as long and"
    if SAME * here.makespan < abs(seconds) <= _AS_LONG * here.makespan:
        time = "takes about as long and"
    elif abs(seconds) > SAME * here.makespan:
        much = longer(abs(seconds), here.makespan)
        time = f"is {much} faster and takes" if seconds < 0 else f"takes {much} longer and"
    if abs(joules) <= SAME * here.energy:
        return f"{time} the same energy"
    more = "more" if joules > 0 else "less"
    parts = [energy(abs(joules), Sense.PLAIN)]
    if site is not None:
        tariff = site.tariff
        parts.append(amount(tariff.cost(abs(joules)), Sense.PLAIN, site.currency))
        if site.carbon:
            parts.append(amount(tariff.carbon(abs(joules)), Sense.PLAIN, "kg of CO₂"))
    part = f"{share(abs(joules) / here.energy, Sense.HEADLINE)} " if here.energy > 0 else ""
    return f"{time} {part}{more} energy ({', '.join(parts)})"
