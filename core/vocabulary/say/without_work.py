"""What machines draw that have no task left, in words, and what it would bring to switch them off.

Starts are not part of any energy, so they are said beside it.
"""

from dataclasses import replace
from typing import Final

import numpy as np

from core.vocabulary.arrays import FloatArray
from core.vocabulary.say.words import Sense, counted, duration, joined, power, share, typed
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System
from core.vocabulary.tolerances import SAME
from core.vocabulary.without_work import USUAL_ASLEEP_WATTS, USUAL_START_SECONDS, WithoutWork

_IDLE_POWER: Final = "idle power "
_NOTHING: Final = 0.0005
"""A saving below this share counts as none."""
_MOST: Final = 0.7
_NAMED: Final = 3
"""So many machine types are named at most, and as many as have this share of what is saved."""


def idle_said(idle: WithoutWork) -> str:
    """What was set: "idle power 30 %", "idle power as given", "machines switched off (10 W)"."""
    if idle.asleep_watts is not None:
        return f"machines switched off ({typed(idle.asleep_watts)} W)"
    share_said = "as given" if idle.idle_power is None else share(idle.idle_power, Sense.TYPED)
    return f"{_IDLE_POWER}{share_said}"


def instead_of(idle: WithoutWork, other: WithoutWork) -> str:
    """How one differs from the other: "idle power 30 % instead of 10 %"."""
    now, before = idle_said(idle), idle_said(other)
    if now.startswith(_IDLE_POWER):
        before = before.removeprefix(_IDLE_POWER)
    return f"{now} instead of {before}"


def assumed_without_work(system: System) -> str:
    """What machines do after their last task, and what all draw then, in a sentence."""
    drawn = power(system.total_idle_power, Sense.PLAIN)
    if not system.may_sleep:
        return f"All machines idle draw {drawn}."
    who = "Machines are" if _all_may_sleep(system) else "Machines of some types are"
    return (
        f"{who} switched off when their last task ends, or never on; without work, all of them "
        f"draw {drawn}."
    )


def rest_word(system: System) -> str:
    """What machines are after their last task: idle, or asleep."""
    if not system.may_sleep:
        return "idle"
    return "asleep" if _all_may_sleep(system) else "idle or asleep"


def energy_of_rest(system: System) -> str:
    """What the energy after the last task of each machine is called, as a title."""
    word = rest_word(system)
    return "Idle energy" if word == "idle" else f"Energy {word}"


def _all_may_sleep(system: System) -> bool:
    return all(machine.asleep_watts is not None for machine in system.machine_types)


def what_switching_off_brings(schedule: Schedule, plan: str = "the same plan") -> str:
    """What a `plan` saves if machines are switched off when their last task ends, or what it saves
    since they are, and on which machine types; empty if that is nothing.
    """
    system = schedule.system
    if system.apc is None:
        return ""
    asleep = system if system.may_sleep else system.with_asleep_watts(USUAL_ASLEEP_WATTS)
    on, off = (replace(schedule, system=one) for one in (system.always_on, asleep))
    saved = on.idle_energy - off.idle_energy
    if saved.sum() <= _NOTHING * off.energy:
        return ""
    if off.energy <= SAME * on.energy:
        return f"Only machines without work draw power: switched off, {plan} takes next to none."
    more = f"Most of that is on {_most(schedule, saved)}. {_starts(off)}"
    if system.may_sleep:
        said = share(saved.sum() / off.energy, Sense.PLAIN)
        return f"If machines stayed on, {plan} would take {said} more energy. {more}"
    said = share(saved.sum() / on.energy, Sense.PLAIN)
    return (
        f"If machines are switched off when their last task ends, {plan} takes {said} less energy "
        f"({typed(USUAL_ASLEEP_WATTS)} W asleep). {more}"
    )


def _starts(off: Schedule) -> str:
    """What starting all machines in use would add to the energy of a schedule with sleep."""
    used = np.where(off.load > 0, off.machines, 0)
    watts = np.maximum(off.system.mean_power - off.system.idle_power, 0.0)
    added = USUAL_START_SECONDS * float(used @ watts[off.machine_type])
    return (
        f"Starts are not counted: to start {counted(int(used.sum()), 'machine')} in "
        f"{duration(USUAL_START_SECONDS, Sense.TYPED)} each adds about "
        f"{share(added / off.energy, Sense.HEADLINE)}."
    )


def _most(schedule: Schedule, saved: FloatArray) -> str:
    """The machine types with most of what is saved, and how many of their machines run nothing."""
    types = len(saved)
    unused = np.bincount(schedule.machine_type, schedule.machines * (schedule.load == 0), types)
    order = np.argsort(-saved, kind="stable")
    enough = int(np.searchsorted(np.cumsum(saved[order]), _MOST * saved.sum())) + 1
    named = []
    for j in order[: min(enough, _NAMED)].tolist():
        machine = schedule.system.machine_types[j]
        nothing = f" ({int(unused[j]):,} of {machine.count:,} run nothing)" if unused[j] else ""
        named.append(f"{machine.name}{nothing}")
    return joined(named)
