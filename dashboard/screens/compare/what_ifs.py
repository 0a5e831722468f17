"""The what-ifs of a person, in order, with the steps that can be undone."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from dashboard.parts.desk import Desk
from dashboard.screens.compare.what_if import WhatIf

NAME_LENGTH: Final = 80


@dataclass(slots=True, eq=False)
class Comparison(Desk[tuple[WhatIf, ...]]):
    """The what-ifs of a session; all are compared with the first of them. `edited` is the number of
    the one whose widgets are shown.
    """

    area = "what_ifs"
    edited: int | None = None

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

    def follow(self, idle_fraction: float | None) -> None:
        """Gives what-ifs that follow it the idle power of the other pages, which is no step."""
        if any(one.idle_fraction != idle_fraction for one in self.inputs if one.follows):
            now = (one.following(idle_fraction) if one.follows else one for one in self.inputs)
            self.inputs = tuple(now)


def as_exported(opened: Iterable[WhatIf], idle_fraction: float | None) -> tuple[WhatIf, ...]:
    """The what-ifs of a file with the idle powers that it says. Those that are not the idle power
    of the other pages do not follow it.
    """
    return tuple(
        replace(one, follows=one.follows and one.idle_fraction == idle_fraction) for one in opened
    )
