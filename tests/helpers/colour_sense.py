"""Contrast as WCAG 2 defines it, and colours as people with other cones see them."""

from typing import Final

import numpy as np

from core.vocabulary.arrays import FloatArray

# Machado, Oliveira and Fernandes (2009), at full severity, for linear RGB.
EYES: Final = {
    name: np.array(rows)
    for name, rows in {
        "usual": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
        "protanopia": (
            (0.152286, 1.052583, -0.204868),
            (0.114503, 0.786281, 0.099216),
            (-0.003882, -0.048116, 1.051998),
        ),
        "deuteranopia": (
            (0.367322, 0.860646, -0.227968),
            (0.280085, 0.672501, 0.047413),
            (-0.011820, 0.042940, 0.968881),
        ),
        "tritanopia": (
            (1.255528, -0.076749, -0.178779),
            (-0.078411, 0.930809, 0.147602),
            (0.004733, 0.691367, 0.303900),
        ),
    }.items()
}
# Ottosson's OKLab, in which equal distances look about equal.
_CONES: Final = np.array(
    [
        [0.4122214708, 0.5363325363, 0.0514459929],
        [0.2119034982, 0.6806995451, 0.1073969566],
        [0.0883024619, 0.2817188376, 0.6299787005],
    ]
)
_LAB: Final = np.array(
    [
        [0.2104542553, 0.7936177850, -0.0040720468],
        [1.9779984951, -2.4285922050, 0.4505937099],
        [0.0259040371, 0.7827717662, -0.8086757660],
    ]
)


def channels(css: str) -> FloatArray:
    """Red, green and blue of `#rrggbb`, 0 to 1."""
    return np.array([int(css[at : at + 2], 16) / 255 for at in (1, 3, 5)])


def linear(rgb: FloatArray) -> FloatArray:
    """In proportion to light."""
    found: FloatArray = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    return found


def luminance(rgb: FloatArray) -> float:
    return float(linear(rgb) @ [0.2126, 0.7152, 0.0722])


def contrast(one: FloatArray, other: FloatArray) -> float:
    """1 to 21."""
    dark, light = sorted(map(luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def distance(one: str, other: str, eyes: str) -> float:
    """How different two colours look to these eyes; black and white are 1 apart."""
    seen = [
        _LAB @ np.cbrt(_CONES @ np.clip(EYES[eyes] @ linear(channels(css)), 0.0, 1.0))
        for css in (one, other)
    ]
    return float(np.linalg.norm(seen[0] - seen[1]))
