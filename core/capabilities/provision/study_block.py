"""The plan in a study file: what it has beside the system of the study, and what was asked."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from core.capabilities.provision import SETTINGS
from core.capabilities.provision.files.plan_file import PlanFile
from core.capabilities.provision.files.plan_format import additions_of, plan_file_of
from core.capabilities.provision.goals.goal import LIMITED, OBJECTIVE_LIMITED, Goal, goal_words
from core.capabilities.provision.objectives import OBJECTIVES
from core.capabilities.provision.settings import PlanAim
from core.files.beside import OtherCells, ReadParts, SettingsSource
from core.files.document import cell_of
from core.files.headings import COLUMNS_BESIDE, ListName
from core.files.strict_json import Fields
from core.shells.settings.forms import flag_words, read_block, written_block
from core.vocabulary.prices.site import Site
from core.vocabulary.ranges import MACHINE_COUNT, Range
from core.vocabulary.system import System

_LIMIT: Final = Range(0.0, 1e15, "in SI units")
_KEYS: Final = (SETTINGS, "tasks", "machines", "counts", "whole", "caution", "sought", "goal")
_LEAST_WAIT: Final = "least_wait"
"""What files of before have in place of `sought`: true for the least wait."""


@dataclass(frozen=True, slots=True, eq=False)
class ProvisionSettings(PlanAim):
    """A plan, what is maximised, and what is sought."""

    file: PlanFile | None
    goal: Goal = field(default_factory=Goal)


def read(given: Fields, system: System | None, _site: Site | None = None) -> ProvisionSettings:
    """The settings, valid only if nothing was reported. Types are those of the system."""
    given.warn_of_unused((*_KEYS, _LEAST_WAIT))
    goal = _goal(given)
    aim = read_block(given, PlanAim)
    if given.content.get(_LEAST_WAIT) is True:
        aim.setdefault("sought", "wait")
    if system is None:
        return ProvisionSettings(None)
    plan = Fields.of(given.content, SETTINGS, given.label, given.findings)
    counts = Fields.of(given.content, "counts", given.label, given.findings)
    parts = ReadParts(
        system.task_names,
        system.machine_names,
        tuple(counts.whole(name, MACHINE_COUNT) for name in system.machine_names),
        _columns(given, "tasks", system.task_names),
        _columns(given, "machines", system.machine_names),
        {table: f"{given.label} [{table}]" for table in ("etc", "tasks", "machines")},
        system,
        plan.content,
        SettingsSource.absent(plan.label),
    )
    file = plan_file_of(parts, given.findings)
    return ProvisionSettings(file, goal, **aim)


def written(settings: ProvisionSettings) -> dict[str, object]:
    """The plan by names of types, without what is infinite."""
    if settings.file is None:
        return {}
    file = settings.file
    beside = additions_of(file)
    tasks, machines = file.types.task_names, file.types.machine_names
    return {
        **beside.settings,
        "tasks": _by_name(beside.tasks, tasks),
        "machines": _by_name(beside.machines, machines),
        "counts": dict(zip(machines, beside.machine_counts, strict=True)),
        **written_block(settings),
        **_written_goal(settings.goal),
    }


def commands(settings: ProvisionSettings) -> list[list[object]]:
    """The arguments of `wattfront provision` after the study file."""
    if settings.of_week is not None:
        return [[f"--least-{settings.of_week}"]]
    in_parts = settings.goal.is_usual and not settings.whole
    words: list[object] = ["--in-parts"] if in_parts else []
    words += flag_words(settings, PlanAim())
    file = settings.file
    return [[*words, *([] if file is None else goal_words(settings.goal, file.rate_unit))]]


def _written_goal(goal: Goal) -> dict[str, object]:
    """A goal in SI units, if it is not the usual one; `_goal` is the inverse."""
    limits = {str(name): limit for name, limit in goal.limits.items()}
    return {} if goal.is_usual else {"goal": {"objective": goal.objective, **limits}}


def _goal(given: Fields) -> Goal:
    """What is sought; a fault is reported."""
    if not given.has("goal"):
        return Goal()
    fields = Fields.of(given.content, "goal", given.label, given.findings)
    fields.warn_of_unused(("objective", *LIMITED))
    objective = fields.one_of("objective", OBJECTIVES) if fields.has("objective") else "reward"
    limits = {name: fields.number(name, _LIMIT) for name in LIMITED if fields.has(name)}
    if objective in limits:
        fields.error(objective, f"{OBJECTIVE_LIMITED}; remove it")
    return Goal(next((one for one in OBJECTIVES if one == objective), "reward"), **limits)


def _columns(given: Fields, table: ListName, names: Sequence[str]) -> OtherCells:
    """The columns of types by name; a type that a column does not name is blank there."""
    group = Fields.of(given.content, table, given.label, given.findings)
    found: dict[str, tuple[str | None, ...]] = {}
    for column in group.content:
        if column not in (each.name for each in COLUMNS_BESIDE[SETTINGS][table]):
            group.error(column, "is no column of a plan; remove it")
            continue
        named = Fields.of(group.content, column, group.label, group.findings)
        for name in named.content:
            if name not in names:
                named.error(name, "is no type of the system; correct the name")
        found[column] = tuple(cell_of(named.content.get(name)) for name in names)
    return found


def _by_name(
    columns: Mapping[str, Sequence[float]], names: Sequence[str]
) -> dict[str, dict[str, float]]:
    return {
        column: {
            name: number
            for name, number in zip(names, numbers, strict=True)
            if math.isfinite(number)
        }
        for column, numbers in columns.items()
    }
