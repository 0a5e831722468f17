"""What a worker process is given to do."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Lost(RuntimeError):
    """The process of a computation ended before it had a result, and nothing else did."""


class TookTooLong(Lost):
    """A computation was ended because it took far longer than it was allowed."""


@dataclass(frozen=True, slots=True)
class Task(Generic[T]):
    """A call of a function that a module holds by its name; all that is given can be pickled.

    A function with an argument `should_stop` is asked through it to stop soon; others cannot be.
    With `reports` it is handed a `report`, too.
    """

    function: Callable[..., T]
    given: tuple[object, ...] = ()
    named: Mapping[str, object] = field(default_factory=dict)
    reports: bool = False

    @property
    def can_stop(self) -> bool:
        return "should_stop" in inspect.signature(self.function).parameters

    @property
    def inputs(self) -> tuple[object, ...]:
        """What both sides have once the task is handed over."""
        return *self.given, *self.named.values()

    def run(self, should_stop: Callable[[], bool], report: Callable[[Any], None]) -> T:
        named = dict(self.named)
        if self.can_stop:
            named["should_stop"] = should_stop
        if self.reports:
            named["report"] = report
        return self.function(*self.given, **named)
