"""Reads the schedules in a study file: each must fit the system and have the stated figures."""

import math
from typing import Final

import numpy as np

from core.engines.front.wish import Wish
from core.engines.front.wish_kinds import SI_WISHES
from core.files import limits
from core.files.fields import Fields
from core.files.findings import Findings, Unreadable, shown
from core.shells.studies.settings import Choice
from core.vocabulary.ranges import MACHINE_COUNT, TASK_COUNT, Range
from core.vocabulary.schedule import ImpossibleSchedule, Schedule
from core.vocabulary.system import System
from core.vocabulary.tolerances import SAME

_AMOUNT: Final = Range(0.0, 1e24, "")


def read_schedules(
    items: object, label: str, system: System, findings: Findings
) -> tuple[Schedule, ...]:
    """The schedules along the front."""
    if not isinstance(items, list):
        findings.error(label, "", "schedules", 'is not a list; give "schedules": [...]')
        return ()
    room = limits.CELLS
    read = _Groups(system)
    found = []
    for k, item in enumerate(items, start=1):
        content = item if isinstance(item, dict) else {}
        fields = Fields(content, f"{label} [schedule {k:,}]", findings)
        schedule, room = _read_schedule(fields, read, room)
        if schedule is not None:
            found.append(schedule)
    return tuple(found)


def read_choice(item: object, label: str, system: System, findings: Findings) -> Choice | None:
    """The chosen schedule; None if none was chosen, or if it is wrong and reported."""
    if item is None:
        return None
    if not isinstance(item, dict):
        findings.error(label, "", "choice", "is not an object; give null, or what was chosen")
        return None
    fields = Fields(item, f"{label} [choice]", findings)
    fields.warn_of_unused(("title", "wish", "schedule"))
    title = fields.text("title")
    wish = None
    if fields.has("wish"):
        wish = _read_wish(Fields.of(item, "wish", fields.label, findings))
    stated = Fields.of(item, "schedule", fields.label, findings)
    schedule, _ = _read_schedule(stated, _Groups(system), limits.CELLS)
    return None if schedule is None else Choice(schedule, title, wish)


def _read_wish(given: Fields) -> Wish | None:
    kind = given.one_of("kind", tuple(SI_WISHES))
    amount = given.number("amount", _AMOUNT)
    return None if kind not in SI_WISHES or math.isnan(amount) else SI_WISHES[kind](amount)


def _read_schedule(stated: Fields, reader: "_Groups", room: int) -> tuple[Schedule | None, int]:
    """A schedule, or None; and how many cells may still be read."""
    stated.warn_of_unused(("energy", "makespan", "groups"))
    groups = stated.content.get("groups")
    if not isinstance(groups, list):
        stated.error("groups", "is not a list; give one object for each group of machines")
        return None, room
    room -= reader.cells(len(groups))
    if room < 0:
        raise Unreadable(f"holds schedules of more than {limits.CELLS:,} cells; keep fewer of them")
    schedule = reader.read(groups, stated)
    if schedule is None:
        return None, room
    for key, value in (("energy", schedule.energy), ("makespan", schedule.makespan)):
        said = stated.number(key)
        if not math.isnan(said) and abs(said - value) > SAME * abs(value):
            stated.error(
                key, f"is stated as {said:g}, but its groups add up to {value:g}; correct it"
            )
    return schedule, room


class _Groups:
    """Turns groups with names of types into a schedule."""

    def __init__(self, system: System) -> None:
        self._system = system
        self._machine = {name: j for j, name in enumerate(system.machine_names)}
        self._task = {name: i for i, name in enumerate(system.task_names)}

    def cells(self, groups: int) -> int:
        """The cells of a schedule of so many groups; without groups, each type is still checked."""
        return (groups + 1) * len(self._task) + len(self._machine)

    def read(self, groups: list[object], stated: Fields) -> Schedule | None:
        kinds = np.zeros(len(groups), np.int64)
        machines = np.zeros(len(groups), np.int64)
        tasks = np.zeros((len(groups), len(self._task)), np.int64)
        sound = True
        for g, item in enumerate(groups):
            content = item if isinstance(item, dict) else {}
            place = f"group {g + 1:,}"
            group = Fields(content, stated.label, stated.findings, place)
            kind = self._machine.get(group.text("machine_type"))
            counts = self._counts(group)
            machines[g] = group.whole("machines", Range(1, MACHINE_COUNT.high, "machines"))
            if kind is None:
                group.error("machine_type", "is not a machine type of the system; correct the name")
            if kind is None or counts is None:
                sound = False
                continue
            kinds[g] = kind
            for i, count in counts.items():
                tasks[g, i] = count
        if not sound:
            return None
        try:
            return Schedule(self._system, kinds, machines, tasks)
        except ImpossibleSchedule as fault:
            stated.error("groups", f"are not a schedule of the system: {fault}; correct them")
            return None

    def _counts(self, group: Fields) -> dict[int, int] | None:
        """Counts of tasks by the number of their type; anything else is reported, and is None."""
        there = group.content.get("tasks")
        if not isinstance(there, dict):
            group.error("tasks", 'is not an object; give {"name of a task type": count}')
            return None
        unknown = [name for name in there if name not in self._task]
        for name in unknown:
            group.error(
                "tasks", f"'{shown(name)}' is not a task type of the system; correct the name"
            )
        counts = Fields(there, group.label, group.findings, group.row)
        found = {
            position: counts.whole(name, TASK_COUNT)
            for name, position in self._task.items()
            if name in there
        }
        return None if unknown else found
