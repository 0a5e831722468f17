"""Arrays of records, as kernels take them: what belongs together is together in memory."""

from typing import Any

import numpy as np

RecordRows = np.recarray[Any, Any]
"""An array of records of one type."""


def record(fields: str) -> np.dtype[np.void]:
    """A type of records with these fields, each with its kind: "ends:f8 running:i8"."""
    return np.dtype([tuple(one.split(":")) for one in fields.split()], align=True)


def zeros(kind: np.dtype[np.void], rows: int) -> RecordRows:
    """So many records of which all fields are 0."""
    return np.zeros(rows, kind).view(np.recarray)
