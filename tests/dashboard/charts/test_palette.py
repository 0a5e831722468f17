"""Colours of neighbouring categories differ, and their ink can be read."""

import itertools

from dashboard.charts.palette import MIXED, Paint, paint

ROUNDS = 32


def rgb(css: str) -> list[float]:
    return [float(part) for part in css.removeprefix("rgb(").removesuffix(")").split(",")]


def luminance(css: str) -> float:
    linear = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
        for c in (part / 255 for part in rgb(css))
    ]
    return sum(w * c for w, c in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def contrast(paint: Paint) -> float:
    dark, light = sorted((luminance(paint.fill), luminance(paint.ink)))
    return (light + 0.05) / (dark + 0.05)


def test_the_first_thirty_two_categories_all_have_their_own_colour() -> None:
    fills = [rgb(paint(rank).fill) for rank in range(ROUNDS)]
    assert all(
        sum(abs(a - b) for a, b in zip(one, other, strict=True)) > 35
        for one, other in itertools.combinations(fills, 2)
    )


def test_ink_has_the_contrast_that_normal_text_needs() -> None:
    assert all(contrast(p) >= 4.5 for p in [MIXED, *map(paint, range(ROUNDS))])
