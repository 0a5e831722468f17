"""The what-ifs of a person, in order, with the steps that can be undone."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from dashboard.screens.compare.what_if import WhatIf

STEPS_KEPT: Final = 50
NAME_LENGTH: Final = 80


@dataclass(frozen=True, eq=False)
class WhatIfs:
    """`now` are the what-ifs; all are compared with the first of them. `past` are earlier steps.

    Everything is immutable: a step takes what_ifs and returns new ones.
    """

    now: tuple[WhatIf, ...] = ()
    past: tuple[tuple[WhatIf, ...], ...] = ()

    @property
    def next_number(self) -> int:
        """A number that no what-if has had, now or in a step that can be undone."""
        every = (one.number for step in (self.now, *self.past) for one in step)
        return max(every, default=0) + 1

    @property
    def is_as_at_first(self) -> bool:
        """Whether it is only the system of the other pages, and nothing was ever changed."""
        return not self.past and len(self.now) == 1 and self.now[0].is_unchanged

    def find(self, number: int | None) -> WhatIf | None:
        return next((one for one in self.now if one.number == number), None)


def add(what_ifs: WhatIfs, what_if: WhatIf) -> WhatIfs:
    """Adds a what-if at the end."""
    return _step(what_ifs, (*what_ifs.now, what_if))


def change(what_ifs: WhatIfs, what_if: WhatIf) -> WhatIfs:
    """Replaces the what-if of the same number."""
    kept = (what_if if one.number == what_if.number else one for one in what_ifs.now)
    return _step(what_ifs, tuple(kept))


def rename(what_ifs: WhatIfs, number: int, name: str) -> WhatIfs:
    """Names a what-if. With an empty name it is called by what it changes."""
    found = what_ifs.find(number)
    wanted = " ".join(name.split())[:NAME_LENGTH]
    if found is None or wanted == found.name:
        return what_ifs
    return change(what_ifs, replace(found, name=wanted))


def move(what_ifs: WhatIfs, number: int, by: int) -> WhatIfs:
    """Moves a what-if down by so many places, or up if `by` is negative; never past an end."""
    order = list(what_ifs.now)
    place = next(k for k, one in enumerate(order) if one.number == number)
    order.insert(min(max(place + by, 0), len(order) - 1), order.pop(place))
    return _step(what_ifs, tuple(order))


def remove(what_ifs: WhatIfs, number: int) -> WhatIfs:
    return _step(what_ifs, tuple(one for one in what_ifs.now if one.number != number))


def copy(what_ifs: WhatIfs, number: int) -> WhatIfs:
    """Adds a copy of a what-if at the end."""
    found = what_ifs.find(number)
    if found is None:
        return what_ifs
    return add(what_ifs, replace(found, number=what_ifs.next_number, name=""))


def add_like_first(what_ifs: WhatIfs) -> WhatIfs:
    """Adds a copy of the first what-if at the end."""
    number = what_ifs.next_number
    return add(what_ifs, replace(what_ifs.now[0], number=number, name=f"What if {number - 1}"))


def go_to(what_ifs: WhatIfs, now: tuple[WhatIf, ...]) -> WhatIfs:
    """Replaces all what-ifs; undo brings them back."""
    return what_ifs if now == what_ifs.now else _step(what_ifs, now)


def follow(what_ifs: WhatIfs, idle_fraction: float | None) -> WhatIfs:
    """The what-ifs with the idle power of the other pages where they follow it. This is no step."""
    if all(one.idle_fraction == idle_fraction for one in what_ifs.now if one.follows):
        return what_ifs
    now = (one.following(idle_fraction) if one.follows else one for one in what_ifs.now)
    return replace(what_ifs, now=tuple(now))


def as_exported(opened: Iterable[WhatIf], idle_fraction: float | None) -> tuple[WhatIf, ...]:
    """The what-ifs of a file with the idle powers that it says. Those that are not the idle power
    of the other pages do not follow it.
    """
    return tuple(
        replace(one, follows=one.follows and one.idle_fraction == idle_fraction) for one in opened
    )


def undo(what_ifs: WhatIfs) -> WhatIfs:
    """The what-ifs before the last step; unchanged if there was none."""
    if not what_ifs.past:
        return what_ifs
    *past, now = what_ifs.past
    return WhatIfs(now, tuple(past))


def _step(what_ifs: WhatIfs, now: tuple[WhatIf, ...]) -> WhatIfs:
    return WhatIfs(now, (*what_ifs.past, what_ifs.now)[-STEPS_KEPT:])
