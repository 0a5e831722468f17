"""The what-ifs of a person, in their order, and the way back."""

from dataclasses import dataclass, replace
from typing import Final

from dashboard.compare.scenario import Scenario

STEPS_KEPT: Final = 50
NAME_LENGTH: Final = 80


@dataclass(frozen=True, eq=False)
class Scenarios:
    """`now` is what is compared, the first being what the others are compared with.

    Everything is immutable; a step takes scenarios and returns the next ones.
    """

    now: tuple[Scenario, ...] = ()
    past: tuple[tuple[Scenario, ...], ...] = ()

    @property
    def next_number(self) -> int:
        """One that none has had, not even those that can be had back."""
        every = (one.number for step in (self.now, *self.past) for one in step)
        return max(every, default=0) + 1

    @property
    def is_as_at_first(self) -> bool:
        """Whether it is the system of the other pages alone, and nobody has changed anything."""
        return not self.past and len(self.now) == 1 and self.now[0].is_unchanged

    def find(self, number: int | None) -> Scenario | None:
        return next((one for one in self.now if one.number == number), None)


def add(scenarios: Scenarios, scenario: Scenario) -> Scenarios:
    """At the end."""
    return _step(scenarios, (*scenarios.now, scenario))


def change(scenarios: Scenarios, scenario: Scenario) -> Scenarios:
    """In place of the one of that number."""
    kept = (scenario if one.number == scenario.number else one for one in scenarios.now)
    return _step(scenarios, tuple(kept))


def rename(scenarios: Scenarios, number: int, name: str) -> Scenarios:
    """Without a name it goes by what it changes."""
    found = scenarios.find(number)
    wanted = " ".join(name.split())[:NAME_LENGTH]
    if found is None or wanted == found.name:
        return scenarios
    return change(scenarios, replace(found, name=wanted))


def move(scenarios: Scenarios, number: int, by: int) -> Scenarios:
    """So many places later, or earlier if negative; never past an end."""
    order = list(scenarios.now)
    place = next(k for k, one in enumerate(order) if one.number == number)
    order.insert(min(max(place + by, 0), len(order) - 1), order.pop(place))
    return _step(scenarios, tuple(order))


def remove(scenarios: Scenarios, number: int) -> Scenarios:
    return _step(scenarios, tuple(one for one in scenarios.now if one.number != number))


def copy(scenarios: Scenarios, number: int) -> Scenarios:
    """Another one like that, at the end."""
    found = scenarios.find(number)
    if found is None:
        return scenarios
    return add(scenarios, replace(found, number=scenarios.next_number, name=""))


def what_if(scenarios: Scenarios) -> Scenarios:
    """Another one like the first, with which all are compared, at the end."""
    number = scenarios.next_number
    return add(scenarios, replace(scenarios.now[0], number=number, name=f"What if {number - 1}"))


def go_to(scenarios: Scenarios, now: tuple[Scenario, ...]) -> Scenarios:
    """What was compared once, in place of what is; the way back leads here."""
    return scenarios if now == scenarios.now else _step(scenarios, now)


def undo(scenarios: Scenarios) -> Scenarios:
    """As before the last step; the same if there was none."""
    if not scenarios.past:
        return scenarios
    *past, now = scenarios.past
    return Scenarios(now, tuple(past))


def _step(scenarios: Scenarios, now: tuple[Scenario, ...]) -> Scenarios:
    return Scenarios(now, (*scenarios.past, scenarios.now)[-STEPS_KEPT:])
