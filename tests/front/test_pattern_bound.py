"""Steps are below the cells that they are made of, and say the same from either side."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.arrays import FloatArray
from core.front.pattern_bound import PatternBound


@given(
    st.lists(st.integers(0, 50), min_size=1, max_size=12),
    st.integers(-5, 0),
    st.sampled_from([0.0, 1.0, 20.0]),
)
def test_steps_are_below_the_cells_and_not_far(
    cells: list[int], least: int, worth_a_step: float
) -> None:
    joules = np.array(cells, float)
    begins = np.arange(len(cells) + 1.0) + 7
    bound = PatternBound.of_cells(begins, joules, float(least), worth_a_step)
    exact = np.minimum.accumulate(joules)
    steps: FloatArray = np.array([bound.least_energy(begin) for begin in begins[:-1]])
    assert (steps <= exact).all()
    assert (exact - steps).sum() <= worth_a_step * (len(bound.joules) + 1)
    assert bound.least_energy(float(begins[-1])) == least
    assert bound.least_energy(6.9) == np.inf
    assert (np.diff(bound.joules) <= 0).all()
    assert (np.diff(bound.makespans) > 0).all()


@given(
    st.lists(st.integers(0, 50), min_size=1, max_size=12),
    st.sampled_from([0.0, 20.0]),
    st.floats(-10, 60) | st.integers(-6, 51).map(float),
    st.floats(0, 30) | st.integers(6, 20).map(float),
)
def test_the_least_makespan_is_where_the_least_energy_comes_within_the_budget(
    cells: list[int], worth_a_step: float, joules: float, seconds: float
) -> None:
    begins = np.arange(len(cells) + 1.0) + 7
    bound = PatternBound.of_cells(begins, np.array(cells, float), -5.0, worth_a_step)
    least = bound.least_makespan(joules)
    assert (seconds >= least) == (bound.least_energy(seconds) <= joules)
    if joules >= -5:
        assert bound.least_energy(least) <= joules
        assert bound.least_energy(np.nextafter(least, 0)) > joules
    else:
        assert least == np.inf
