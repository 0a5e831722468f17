"""What the page keeps answers what was asked: another price, cap or hour has its own answer."""

from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest
from pages import module_of

from core.capabilities.profit.settings import ProfitSettings
from core.capabilities.profit.terms import Terms
from core.engines.recover import assign
from core.files.samples.named import load_sample
from dashboard.screens.profit import sections
from dashboard.workspace import asking

page = module_of("dashboard.screens.profit.page")
SYSTEM = load_sample("two-by-two")
ON_B = assign(SYSTEM, np.array([[0, 6], [0, 6]]))
ON_A = assign(SYSTEM, np.array([[6, 0], [6, 0]]))
TERMS = Terms(2.0)
OTHER_TERMS = [
    replace(TERMS, **{each.name: value})
    for each, value in zip(
        fields(Terms),
        [2.5, 1.5, 1.5, 0.5, (1.0, 1.0), (1.0, 1.0), 500.0, True],
        strict=True,
    )
]
DAY = ProfitSettings(day_tariff=((7.0, 0.4),))
ENDS = (1.0, 2.0)
# Each function, what it is asked, and one thing of that asked otherwise.
ASKED_OTHERWISE: list[tuple[Any, tuple[Any, ...], tuple[Any, ...]]] = [
    *((page.quick, (SYSTEM, TERMS), (SYSTEM, other)) for other in OTHER_TERMS),
    (page.region_of, (SYSTEM, 9.0), (SYSTEM, 9.5)),
    *((page.curve_of, (SYSTEM, TERMS, ENDS, 0), (SYSTEM, t, ENDS, 0)) for t in OTHER_TERMS),
    (page.curve_of, (SYSTEM, TERMS, ENDS, 0), (SYSTEM, TERMS, (1.5, 2.0), 0)),
    (page.curve_of, (SYSTEM, TERMS, ENDS, 0), (SYSTEM, TERMS, (1.0, 2.5), 0)),
    (
        page.swept_over,
        (SYSTEM, TERMS, DAY, "price", 0),
        (SYSTEM, OTHER_TERMS[0], DAY, "price", 0),
    ),
    (
        page.swept_over,
        (SYSTEM, TERMS, DAY, "price", 0),
        (SYSTEM, TERMS, replace(DAY, currency="CHF"), "price", 0),
    ),
    (
        page.swept_over,
        (SYSTEM, TERMS, DAY, "price", 0),
        (SYSTEM, TERMS, DAY, "power cap", 0),
    ),
    (
        sections.part_of,
        (SYSTEM, TERMS, np.array([1.0, 2.0]), 9.0),
        (SYSTEM, TERMS, np.array([1.0, 2.5]), 9.0),
    ),
    (
        sections.part_of,
        (SYSTEM, TERMS, np.array([1.0, 2.0]), 9.0),
        (SYSTEM, TERMS, np.array([1.0, 2.0]), 9.5),
    ),
    (sections.day_for, (ON_B, TERMS, DAY), (ON_A, TERMS, DAY)),
    (sections.day_for, (ON_B, TERMS, DAY), (ON_B, OTHER_TERMS[0], DAY)),
    (
        sections.day_for,
        (ON_B, TERMS, DAY),
        (ON_B, TERMS, replace(DAY, day_tariff=((8.0, 0.4),))),
    ),
]


@pytest.fixture(autouse=True)
def computed(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """How often anything was computed."""
    times: list[int] = []

    def compute(*_: Any, **__: Any) -> int:
        times.append(len(times))
        return times[-1]

    monkeypatch.setattr(asking, "compute", compute)
    monkeypatch.setattr(sections, "day_of", compute)
    yield times
    for kept in {each[0] for each in ASKED_OTHERWISE}:
        kept.clear()


@pytest.mark.parametrize(
    ("kept", "asked", "otherwise"),
    ASKED_OTHERWISE,
    ids=[f"{each[0].__name__} {k}" for k, each in enumerate(ASKED_OTHERWISE)],
)
def test_what_is_asked_otherwise_is_computed_anew(
    computed: list[int], kept: Any, asked: tuple[Any, ...], otherwise: tuple[Any, ...]
) -> None:
    kept.clear()
    first = kept(*asked)
    assert kept(*asked) == first
    assert kept(*otherwise) != first
    assert len(computed) == 2
