"""Where a drawing has its dots and its lines."""

import re

import numpy as np

from core.shells.report.svg import SvgDrawing
from core.vocabulary.arrays import FloatArray

# The key of a picture is above it.
_KEY_ENDS = 20.0


def dots(drawing: SvgDrawing, style: str) -> FloatArray:
    """Rows of (x, y), those of the key left out."""
    found = re.findall(rf'<circle class="{style}" cx="([^"]+)" cy="([^"]+)"', str(drawing))
    places = np.array(found, float).reshape(-1, 2)
    return places[places[:, 1] > _KEY_ENDS]


def corners(drawing: SvgDrawing, style: str) -> FloatArray:
    """Rows of (x, y) along the longest line or polygon of a style, which is not that of the key."""
    data = max(re.findall(rf'<path class="{style}" d="M([^"]+)"', str(drawing)), key=len)
    return np.array([pair.split() for pair in data.rstrip("Z").split("L")], float)


def places_of(known: FloatArray, drawn: FloatArray, points: FloatArray) -> FloatArray:
    """Where points must be, by where known ones are: in proportion, upwards and rightwards."""
    (x, left), (y, top) = (
        np.polyfit(value, place, 1) for value, place in zip(known.T, drawn.T, strict=True)
    )
    assert x > 0 > y
    return np.column_stack([left + x * points[:, 0], top + y * points[:, 1]])
