"""The tables of the report, with units in their headings."""

from html import escape
from typing import Final

import numpy as np

from core.shells.report import markup
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.say.phrases import SIGN
from core.vocabulary.say.units import energy_unit
from core.vocabulary.say.without_work import rest_word
from core.vocabulary.say.words import Sense, amount, counted, duration, share
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System

MOST_ROWS: Final = 40
MOST_PAIRS: Final = 600


def machines_table(schedule: Schedule) -> str:
    """The work, energy and last end of each machine type in a schedule."""
    system = schedule.system
    types = len(system.machine_types)
    finish = np.zeros(types)
    np.maximum.at(finish, schedule.machine_type, schedule.finish)
    at_work = np.bincount(
        schedule.machine_type, weights=schedule.machines * (schedule.load > 0), minlength=types
    )
    capacity = system.machine_counts * schedule.makespan
    busy = np.divide(
        schedule.busy_seconds, capacity, out=np.full(types, np.nan), where=capacity > 0
    )
    spent, waited = schedule.busy_energy, schedule.idle_energy
    energy = energy_unit(float(max(spent.max(), waited.max())))
    shown = evenly(types, MOST_ROWS)
    head = ["Machine type", "Machines", "At work", "Last ends", "Busy"]
    head += [f"Energy at work ({energy.symbol})", f"Energy {rest_word(system)} ({energy.symbol})"]
    rows = [
        [
            markup.name(system.machine_names[j]),
            f"{system.machine_types[j].count:,}",
            f"{int(at_work[j]):,}",
            duration(finish[j], Sense.SPENT),
            share(busy[j], Sense.PLAIN),
            amount(spent[j] / energy.size, Sense.PLAIN),
            amount(waited[j] / energy.size, Sense.PLAIN),
        ]
        for j in shown.tolist()
    ]
    return markup.table(head, rows) + _left_out(types - len(shown))


def system_tables(system: System) -> str:
    """The machine types and, if they are not too many, the times and powers of all pairs."""
    shown = evenly(len(system.machine_types), MOST_ROWS)
    sleeps = system.may_sleep
    machines = markup.table(
        ["Machine type", "Machines", "Idle power of one (W)", *(["Asleep (W)"] if sleeps else [])],
        [
            [markup.name(m.name), f"{m.count:,}", amount(m.idle_power, Sense.PLAIN)]
            + ([amount(m.asleep_watts, Sense.PLAIN)] if sleeps else [])
            for m in (system.machine_types[j] for j in shown.tolist())
        ],
    ) + _left_out(len(system.machine_types) - len(shown))
    if system.etc.size > MOST_PAIRS:
        large = f"The times and powers of {system.etc.size:,} pairs are in the study file."
        return machines + markup.paragraph(large, "quiet")
    pairs = _pairs(system, system.etc, "Time of one task (s)")
    if system.apc is not None:
        pairs += _pairs(system, system.apc, "Average power at work (W)")
    if system.estimated is not None:
        pairs += markup.paragraph(f"{SIGN} marks an estimate.", "quiet")
    return machines + pairs


def _pairs(system: System, values: FloatArray, title: str) -> str:
    head = ["Task type", "Tasks", *map(markup.name, system.machine_names)]
    marks = np.zeros(values.shape, bool) if system.estimated is None else system.estimated
    rows = [
        [markup.name(task.name), f"{task.count:,}", *map(_cell, row, marked)]
        for task, row, marked in zip(
            system.task_types, values.tolist(), marks.tolist(), strict=True
        )
    ]
    return f"<h3>{escape(title)}</h3>{markup.table(head, rows)}"


def _cell(value: float, marked: bool) -> str:
    said = amount(value, Sense.PLAIN)
    return f"{SIGN} {said}" if marked else said


def _left_out(number: int) -> str:
    if number == 0:
        return ""
    return markup.paragraph(f"Left out: {counted(number, 'more machine type')}.", "quiet")


def evenly(number: int, most: int) -> IntArray:
    """At most `most` of the positions 0 to `number` - 1, evenly, with both ends."""
    chosen: IntArray = np.unique(np.linspace(0, number - 1, min(number, most)).round()).astype(int)
    return chosen
