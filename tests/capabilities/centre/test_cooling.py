"""The cheapest cooling, held against all ways to cool, and what no cooling costs less than."""

from itertools import product

import numpy as np
import pytest
from capabilities.centre.tiny_days import tiny_days
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.centre.centre import Centre, Cooling, PhysicalRoom, ServerKind
from core.capabilities.centre.cooling import (
    COMPRESSOR,
    FINE,
    OFF,
    TooHot,
    cheapest_cooling,
    cooling_watts,
)
from core.capabilities.centre.cooling_cut import least_cooling
from core.capabilities.centre.day import CentreDay, Curves, grouped
from core.capabilities.centre.plan import DayPlan, inside

HALF, FULL = 10, 20
"""The ways of the fan at half and at full speed."""


def fixture_day(prices: tuple[float, ...], step: float = 60.0) -> CentreDay:
    """C5: steps in which 1,000 W warm the room by a kelvin."""
    steps, none = len(prices), np.zeros(len(prices))
    centre = Centre(
        (ServerKind("any", 1, 9.0, 5.0, 1.0),),
        Cooling(410.0, 1000.0, 2300.0, 3000.0),
        PhysicalRoom(60_000.0, 100.0),
        27.0,
        26.5,
        -50.0,
    )
    curves = Curves(np.array(prices), none, np.full(steps, 25.0), none, none)
    return CentreDay(centre, grouped([]), curves, step)


@pytest.mark.parametrize(
    ("heat", "prices", "least"),
    [
        ((500, 500, 500), (1, 1, 1), 51.25),
        ((1200, 300, 1200), (1, 1, 1), 102.5),
        ((2500, 0, 0), (1, 1, 1), 2300.0),
        ((800, 800, 800), (1, 3, 1), 256.25),
    ],
)
def test_the_cheapest_of_four_ways(
    heat: tuple[int, ...], prices: tuple[float, ...], least: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C5: off, fan at half and at full speed, compressor. Its steps are too long to be allowed."""
    monkeypatch.setattr(Centre, "heat", lambda self, step: self.room.heat(self.cooling, step))
    day = fixture_day(prices)
    costs = np.full((3, COMPRESSOR + 1), np.inf)
    for way in (OFF, HALF, FULL, COMPRESSOR):
        costs[:, way] = cooling_watts(day)[way] * np.array(prices)
    speed, compressor = cheapest_cooling(day, np.array(heat, float), costs, FINE)
    ways = np.where(compressor, COMPRESSOR, np.round(speed * FULL).astype(int))
    assert costs[np.arange(3), ways].sum() == pytest.approx(least)


def _all_ways(day: CentreDay, servers: np.ndarray) -> list[tuple[np.ndarray, np.ndarray, bool]]:
    """Every way to cool at half or full speed, and whether it keeps the rules of the room."""
    found = []
    none = np.zeros(0, np.int64)
    awake = np.zeros((len(day.centre.kinds), day.steps), np.int64)
    for ways in product((OFF, HALF, FULL, COMPRESSOR), repeat=day.steps):
        way = np.array(ways)
        speed = np.where(way == COMPRESSOR, 0.0, way / FULL)
        plan = DayPlan(none, none, none, awake, speed, way == COMPRESSOR)
        then = inside(day, servers, plan, day.curves)[1:]
        cooled = (way != OFF) & (then < day.centre.coolest)
        found.append((way, then, bool((then <= day.centre.limit).all() and not cooled.any())))
    return found


@examples(25)
@given(tiny_days(), st.integers(0, 2**32 - 1))
def test_no_way_to_cool_costs_less(day: CentreDay, seed: int) -> None:
    random = np.random.default_rng(seed)
    servers = day.base_watts + random.uniform(0, 1, day.steps) * day.most_watts / 3
    costs = np.full((day.steps, COMPRESSOR + 1), np.inf)
    allowed = [OFF, HALF, FULL, COMPRESSOR]
    costs[:, allowed] = random.integers(0, 9, (day.steps, 4))
    steps = np.arange(day.steps)
    kept = [way for way, _, is_kept in _all_ways(day, servers) if is_kept]
    least = min((costs[steps, way].sum() for way in kept), default=np.inf)
    try:
        speed, compressor = cheapest_cooling(day, servers, costs, FINE)
    except TooHot:
        assert least == np.inf
        return
    ways = np.where(compressor, COMPRESSOR, np.round(speed * FULL).astype(int))
    assert any((ways == way).all() for way in kept)
    assert costs[steps, ways].sum() == pytest.approx(least, abs=1e-9)


@examples(25)
@given(tiny_days(), st.integers(0, 2**32 - 1))
def test_no_cooling_costs_less_than_its_cut(day: CentreDay, seed: int) -> None:
    """At any prices of heat and of what cooling draws, also negative ones of that."""
    random = np.random.default_rng(seed)
    most = day.most_watts
    servers = day.base_watts + random.uniform(0, 1, day.steps) * (most - day.base_watts)
    heat, power = random.uniform(0, 1, day.steps), random.uniform(-0.2, 2, day.steps)
    least = least_cooling(day, most, heat, power)
    watts = cooling_watts(day)
    for way, _, is_kept in _all_ways(day, servers):
        if is_kept:
            assert power @ watts[way] - heat @ servers >= least - 1e-9 * most


def test_a_room_that_nothing_cools() -> None:
    day = fixture_day((1.0, 1.0, 1.0), step=6.0)
    with pytest.raises(TooHot, match="after step 2"):
        cheapest_cooling(day, np.array([0.0, 9e4, 0.0]), np.zeros((3, COMPRESSOR + 1)))
