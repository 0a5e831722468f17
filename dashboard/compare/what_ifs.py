"""The what-ifs of a person, in order, with the steps that can be undone."""

from dataclasses import dataclass, replace
from typing import Final

from dashboard.compare.scenario import Scenario

STEPS_KEPT: Final = 50
NAME_LENGTH: Final = 80


@dataclass(frozen=True, eq=False)
class WhatIfs:
    """`now` are the what-ifs; all are compared with the first of them. `past` are earlier steps.

    Everything is immutable: a step takes scenarios and returns new ones.
    """

    now: tuple[Scenario, ...] = ()
    past: tuple[tuple[Scenario, ...], ...] = ()

    @property
    def next_number(self) -> int:
        """A number that no what-if has had, now or in a step that can be undone."""
        every = (one.number for step in (self.now, *self.past) for one in step)
        return max(every, default=0) + 1

    @property
    def is_as_at_first(self) -> bool:
        """Whether it is only the system of the other pages, and nothing was ever changed."""
        return not self.past and len(self.now) == 1 and self.now[0].is_unchanged

    def find(self, number: int | None) -> Scenario | None:
        return next((one for one in self.now if one.number == number), None)


def add(scenarios: WhatIfs, scenario: Scenario) -> WhatIfs:
    """Adds a what-if at the end."""
    return _step(scenarios, (*scenarios.now, scenario))


def change(scenarios: WhatIfs, scenario: Scenario) -> WhatIfs:
    """Replaces the what-if of the same number."""
    kept = (scenario if one.number == scenario.number else one for one in scenarios.now)
    return _step(scenarios, tuple(kept))


def rename(scenarios: WhatIfs, number: int, name: str) -> WhatIfs:
    """Names a what-if. With an empty name it is called by what it changes."""
    found = scenarios.find(number)
    wanted = " ".join(name.split())[:NAME_LENGTH]
    if found is None or wanted == found.name:
        return scenarios
    return change(scenarios, replace(found, name=wanted))


def move(scenarios: WhatIfs, number: int, by: int) -> WhatIfs:
    """Moves a what-if down by so many places, or up if `by` is negative; never past an end."""
    order = list(scenarios.now)
    place = next(k for k, one in enumerate(order) if one.number == number)
    order.insert(min(max(place + by, 0), len(order) - 1), order.pop(place))
    return _step(scenarios, tuple(order))


def remove(scenarios: WhatIfs, number: int) -> WhatIfs:
    return _step(scenarios, tuple(one for one in scenarios.now if one.number != number))


def copy(scenarios: WhatIfs, number: int) -> WhatIfs:
    """Adds a copy of a what-if at the end."""
    found = scenarios.find(number)
    if found is None:
        return scenarios
    return add(scenarios, replace(found, number=scenarios.next_number, name=""))


def what_if(scenarios: WhatIfs) -> WhatIfs:
    """Adds a copy of the first what-if at the end."""
    number = scenarios.next_number
    return add(scenarios, replace(scenarios.now[0], number=number, name=f"What if {number - 1}"))


def go_to(scenarios: WhatIfs, now: tuple[Scenario, ...]) -> WhatIfs:
    """Replaces all what-ifs; undo brings them back."""
    return scenarios if now == scenarios.now else _step(scenarios, now)


def undo(scenarios: WhatIfs) -> WhatIfs:
    """The what-ifs before the last step; unchanged if there was none."""
    if not scenarios.past:
        return scenarios
    *past, now = scenarios.past
    return WhatIfs(now, tuple(past))


def _step(scenarios: WhatIfs, now: tuple[Scenario, ...]) -> WhatIfs:
    return WhatIfs(now, (*scenarios.past, scenarios.now)[-STEPS_KEPT:])
