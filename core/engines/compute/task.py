"""A task of a worker process, and the errors of one that ended without a result."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

T = TypeVar("T")


class Lost(RuntimeError):
    """The process of a computation ended before it had a result."""


class TookTooLong(Lost):
    """A computation was ended because it took far longer than it was allowed."""


@dataclass(frozen=True, slots=True)
class Task(Generic[T]):
    """A call of a function of a module, with arguments that can be pickled.

    A function with an argument `should_stop` can be asked to stop; others cannot. With `reports` it
    is also given a `report` to call with its progress.
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
        """The arguments, which both processes have once the task is sent."""
        return *self.given, *self.named.values()

    def run(self, should_stop: Callable[[], bool], report: Callable[[Any], None]) -> T:
        named = dict(self.named)
        if self.can_stop:
            named["should_stop"] = should_stop
        if self.reports:
            named["report"] = report
        return self.function(*self.given, **named)
