"""The linear program that our bound is timed against has the same value, but for its starts."""

from dataclasses import replace

import pytest

from benchmarks.value import divided_optimum
from core.capabilities.arrivals.made.value import ValueSettings, draw_value_day
from core.engines.replay.bound import bound
from core.engines.replay.workload import Horizon


def test_it_is_as_high_as_the_bound() -> None:
    day = draw_value_day(ValueSettings(cores=64, memory=64.0)).workload
    day = replace(day, horizon=Horizon(day.horizon.begin, 4 * 3600.0))
    found = bound(day, slots=8)
    assert divided_optimum(day, found.edges) == pytest.approx(found.value, rel=2e-3)
