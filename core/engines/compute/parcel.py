"""Values as bytes between processes: parts that the other side already has are named, not sent."""

import io
import pickle
from collections.abc import Sequence
from typing import Any, Final

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
