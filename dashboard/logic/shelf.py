"""Uploaded and edited systems, kept while the server runs so that a reload finds them."""

from collections import OrderedDict
from threading import Lock
from typing import Final

from dashboard.logic.workspace import Version

CELLS_KEPT: Final = 40_000_000
_KEY_LENGTH: Final = 24


class Shelf:
    """The versions looked at last, by a key that only those who have seen them know."""

    def __init__(self, most_cells: int = CELLS_KEPT) -> None:
        self._most_cells = most_cells
        self._versions: OrderedDict[str, Version] = OrderedDict()
        self._lock = Lock()

    def put(self, version: Version) -> str:
        """Keeps a version, if need be in place of those not looked at for longest."""
        key = version.system.fingerprint[:_KEY_LENGTH]
        with self._lock:
            self._versions[key] = version
            self._versions.move_to_end(key)
            while len(self._versions) > 1 and self._cells() > self._most_cells:
                self._versions.popitem(last=False)
        return key

    def get(self, key: str) -> Version | None:
        with self._lock:
            return self._versions.get(key)

    def _cells(self) -> int:
        return sum(version.system.etc.size for version in self._versions.values())
