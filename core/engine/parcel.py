"""How values travel between processes: what the other side has already is named, not sent."""

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
    """The value as bytes. Of its parts, those that are among `there` go by their place."""
    file = io.BytesIO()
    _Packer(file, there).dump(value)
    return file.getvalue()


def unpacked(content: bytes, there: Sequence[object] = ()) -> Any:
    """The value back again; its parts that went by their place are those of this `there`."""
    return _Unpacker(io.BytesIO(content), there).load()
