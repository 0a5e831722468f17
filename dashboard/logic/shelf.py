"""Uploaded and edited systems, kept while the server runs so that a reload finds them."""

from typing import Final

from dashboard.logic.recent import Recent
from dashboard.logic.workspace import Version

CELLS_KEPT: Final = 40_000_000
_KEY_LENGTH: Final = 24


class Shelf:
    """The versions looked at last, by a key that only those who have seen them know."""

    def __init__(self, most_cells: int = CELLS_KEPT) -> None:
        self._versions = Recent[str, Version](most_cells, lambda version: version.system.etc.size)

    def put(self, version: Version) -> str:
        """Keeps a version, if need be in place of those not looked at for longest."""
        key = version.system.fingerprint[:_KEY_LENGTH]
        self._versions.put(key, version)
        return key

    def get(self, key: str) -> Version | None:
        return self._versions.get(key)
