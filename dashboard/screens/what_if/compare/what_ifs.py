"""The what-ifs of a person, in order, with the steps that can be undone."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Self

import numpy as np

from core import System
from core.vocabulary.prices.site import ASSUMED, Site
from core.vocabulary.prices.tariff import Tariff
from core.vocabulary.say.without_work import instead_of
from core.vocabulary.say.words import counted, typed
from core.vocabulary.without_work import AS_GIVEN, WithoutWork
from dashboard.parts.desk import Desk
from dashboard.workspace.workspace import Workspace

MOST_NAMED: Final = 3
"""Types whose changes are named one by one."""


@dataclass(frozen=True, eq=False, slots=True)
class WhatIf:
    """`base` is the system before any change, and `origin` its name.

    `machines` and `tasks` are counts, in the order of the types of `base`. If it `follows`, what
    machines without work draw is as on the other pages, and if `prices_follow`, its tariff is.
    `number` stays when the what-if is renamed or moved. If `name` is empty, the title says what the
    what-if changes.
    """

    number: int
    origin: str
    base: System
    machines: tuple[int, ...]
    tasks: tuple[int, ...]
    idle: WithoutWork = AS_GIVEN
    tariff: Tariff = ASSUMED.tariff
    name: str = ""
    follows: bool = False
    prices_follow: bool = True

    @classmethod
    def of(cls, number: int, origin: str, base: System, idle: WithoutWork = AS_GIVEN) -> Self:
        """A what-if that changes nothing but the idle power."""
        machines = tuple(base.machine_counts.tolist())
        return cls(number, origin, base, machines, tuple(base.task_counts.tolist()), idle)

    @classmethod
    def of_workspace(cls, number: int, workspace: Workspace) -> Self:
        """The system that every other page works on; it follows their idle power."""
        version = workspace.version
        found = cls.of(number, version.title, version.system)
        return found.following(workspace.idle).at(workspace.site)

    def following(self, idle: WithoutWork) -> Self:
        """The what-if with the idle power of the other pages, which it follows from now on."""
        return replace(self, idle=idle, follows=True)

    def at(self, site: Site) -> Self:
        """The what-if with the tariff of the site, which it follows from now on."""
        return replace(self, tariff=site.tariff, prices_follow=True)

    @property
    def is_unchanged(self) -> bool:
        """Whether it is the system before any change, except for what all pages share."""
        counts = tuple(self.base.machine_counts.tolist()), tuple(self.base.task_counts.tolist())
        changed = self.name or not self.prices_follow
        return not changed and (self.machines, self.tasks) == counts

    @property
    def system(self) -> System:
        """The system after all changes. Raises `InvalidInput` if no machine can run some task."""
        changed = self.base.with_counts(np.array(self.tasks), np.array(self.machines))
        return changed if changed.apc is None else self.idle.of(changed)

    @property
    def title(self) -> str:
        """Its name; without one what it changes; without changes the name of the system."""
        if self.name:
            return self.name
        changes = [
            *_counts_changed(self, self.base.machine_counts.tolist()),
            *_tasks_changed(self, self.base.task_counts.tolist()),
        ]
        return ", ".join(changes) or self.origin


def differences(what_if: WhatIf, first: WhatIf) -> list[str]:
    """How it differs from the first what-if, in words; empty if it does not."""
    said = []
    same_types = _types(what_if) == _types(first)
    before, tasks = first.machines, first.tasks
    if what_if.base != first.base:
        said.append(f"{what_if.origin} instead of {first.origin}")
        if not same_types:
            before = tuple(what_if.base.machine_counts.tolist())
            tasks = tuple(what_if.base.task_counts.tolist())
    if what_if.base == first.base or not same_types:
        said += _counts_changed(what_if, before)
        said += _tasks_changed(what_if, tasks)
    if what_if.idle != first.idle:
        said.append(instead_of(what_if.idle, first.idle))
    return said + list(_tariff_changed(what_if.tariff, first.tariff))


def _types(what_if: WhatIf) -> tuple[tuple[str, ...], tuple[str, ...]]:
    return what_if.base.task_names, what_if.base.machine_names


def _counts_changed(what_if: WhatIf, before: Sequence[int]) -> Iterator[str]:
    names = what_if.base.machine_names
    changed = [
        (name, was, now)
        for name, was, now in zip(names, before, what_if.machines, strict=True)
        if was != now
    ]
    for name, was, now in changed[:MOST_NAMED]:
        if now == 0:
            yield f"{name} switched off" if was == 1 else f"all {was:,} {name} switched off"
        else:
            yield f"{abs(now - was):,} {'more' if now > was else 'fewer'} {name}"
    if len(changed) > MOST_NAMED:
        yield f"{counted(len(changed) - MOST_NAMED, 'more machine type')} changed"


def _tasks_changed(what_if: WhatIf, before: Sequence[int]) -> Iterator[str]:
    names = what_if.base.task_names
    changed = [
        (name, now - was)
        for name, was, now in zip(names, before, what_if.tasks, strict=True)
        if was != now
    ]
    if len(changed) > MOST_NAMED:
        more = sum(what_if.tasks) - sum(before)
        yield f"{abs(more):,} {'more' if more >= 0 else 'fewer'} tasks"
        return
    for name, more in changed:
        yield f"{abs(more):,} {'more' if more > 0 else 'fewer'} tasks of {name}"


def _tariff_changed(tariff: Tariff, first: Tariff) -> Iterator[str]:
    for now, was, unit in (
        (tariff.price_per_kwh, first.price_per_kwh, " per kWh"),
        (tariff.carbon_per_kwh, first.carbon_per_kwh, " kg CO₂ per kWh"),
    ):
        if now != was:
            yield f"{typed(now)} instead of {typed(was)}{unit}"
    if tariff.pue != first.pue:
        yield f"PUE {typed(tariff.pue)} instead of {typed(first.pue)}"


NAME_LENGTH: Final = 80


@dataclass(slots=True, eq=False)
class ComparedWhatIfs(Desk[tuple[WhatIf, ...]]):
    """The what-ifs of a session; all are compared with the first of them. `edited` is the number of
    the one whose widgets are shown.
    """

    area = "compare"
    edited: int | None = None
    seen: System | None = None
    """The system of the other pages when this page was shown last."""

    @property
    def next_number(self) -> int:
        """A number that no what-if has had, now or in a step that can be undone."""
        steps = (self.inputs, *(inputs for inputs, _ in self.past))
        return max((one.number for step in steps for one in step), default=0) + 1

    @property
    def is_as_at_first(self) -> bool:
        """Whether it is only the system of the other pages, and nothing was ever changed."""
        return not self.past and len(self.inputs) == 1 and self.inputs[0].is_unchanged

    def find(self, number: int | None) -> WhatIf | None:
        return next((one for one in self.inputs if one.number == number), None)

    def add(self, what_if: WhatIf) -> None:
        """Adds a what-if at the end, and shows its widgets."""
        self.fill((*self.inputs, what_if))
        self.edited = what_if.number

    def replace(self, what_if: WhatIf) -> None:
        """Puts a what-if in the place of the one of the same number; editors stay as they are."""
        kept = (what_if if one.number == what_if.number else one for one in self.inputs)
        self.change(tuple(kept))

    def rename(self, number: int, name: str) -> None:
        """Names a what-if. With an empty name it is called by what it changes."""
        found = self.find(number)
        wanted = " ".join(name.split())[:NAME_LENGTH]
        if found is not None and wanted != found.name:
            self.replace(replace(found, name=wanted))

    def move(self, number: int, by: int) -> None:
        """Moves a what-if down by so many places, or up if `by` is negative; never past an end."""
        order = list(self.inputs)
        place = next(k for k, one in enumerate(order) if one.number == number)
        order.insert(min(max(place + by, 0), len(order) - 1), order.pop(place))
        self.fill(tuple(order))

    def remove(self, number: int) -> None:
        self.fill(tuple(one for one in self.inputs if one.number != number))

    def copy(self, number: int) -> None:
        """Adds a copy of a what-if at the end."""
        if (found := self.find(number)) is not None:
            self.add(replace(found, number=self.next_number, name=""))

    def add_like_first(self) -> None:
        """Adds a copy of the first what-if at the end."""
        number = self.next_number
        self.add(replace(self.inputs[0], number=number, name=f"What if {number - 1}"))

    def follow(self, now: Workspace) -> None:
        """Gives what-ifs that follow the other pages what these have now; that is no step."""
        before, self.seen = self.seen, now.version.system
        if before is not None and before != self.seen:
            self.put(tuple(_rebased(one, before, now) for one in self.inputs))
        self.inputs = tuple(_followed(one, now.idle, now.site) for one in self.inputs)


def _rebased(one: WhatIf, before: System, now: Workspace) -> WhatIf:
    """A what-if of the system before, of the present one: with the counts that it changed, if there
    are the same types. Any other is kept.
    """
    old, there = WhatIf.of(one.number, "", before), WhatIf.of_workspace(one.number, now)
    if one.base != before or not (one.is_unchanged or _types(there) == _types(one)):
        return one
    if one.is_unchanged:
        return replace(there, idle=one.idle, follows=one.follows)
    machines, tasks = (
        tuple(
            new if count == was else count
            for count, was, new in zip(
                getattr(one, name), getattr(old, name), getattr(there, name), strict=True
            )
        )
        for name in ("machines", "tasks")
    )
    return replace(one, origin=there.origin, base=there.base, machines=machines, tasks=tasks)


def _followed(one: WhatIf, idle: WithoutWork, site: Site) -> WhatIf:
    """The same object if it follows nothing that has changed."""
    if one.follows and one.idle != idle:
        one = one.following(idle)
    return one.at(site) if one.prices_follow and one.tariff != site.tariff else one


def as_exported(opened: Iterable[WhatIf], idle: WithoutWork, site: Site) -> tuple[WhatIf, ...]:
    """The what-ifs of a file with the idle powers and tariffs that it says. Those that are not the
    ones of the other pages do not follow them.
    """
    return tuple(
        replace(
            one,
            follows=one.follows and one.idle == idle,
            prices_follow=one.prices_follow and one.tariff == site.tariff,
        )
        for one in opened
    )
