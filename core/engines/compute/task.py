"""A task of a worker process, its errors, and its values as bytes.

Parts of a value that the other side already has are named, not sent.
"""

import inspect
import io
import pickle
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar

_PROTOCOL: Final = 5  # under which arrays that are read-only stay so


class _Packer(pickle.Pickler):
    def __init__(self, file: io.BytesIO, there: Sequence[object]) -> None:
        super().__init__(file, _PROTOCOL)
        self._places = {id(value): place for place, value in enumerate(there)}

    def persistent_id(self, value: object) -> int | None:
        return self._places.get(id(value))


class _Unpacker(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, there: Sequence[object]) -> None:
        super().__init__(file)
        self._there = there

    def persistent_load(self, place: int) -> object:
        return self._there[place]


def packed(value: object, there: Sequence[object] = ()) -> bytes:
    """The value as bytes. Parts of it that are among `there` are sent as their place in it."""
    file = io.BytesIO()
    _Packer(file, there).dump(value)
    return file.getvalue()


def unpacked(content: bytes, there: Sequence[object] = ()) -> Any:
    """The value from its bytes; parts that were sent as a place are taken from `there`."""
    return _Unpacker(io.BytesIO(content), there).load()


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
