"""Times are counted in a unit that keeps the numbers short."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.common.time_unit import unit_for


@given(st.floats(1e-6, 3e7))
def test_the_longest_time_is_between_one_and_a_thousand_units(longest: float) -> None:
    assert 0.99 <= longest / unit_for(longest).seconds <= 1_000


@pytest.mark.parametrize(("longest", "symbol"), [(264, "s"), (2_600, "min"), (14_000, "h")])
def test_usual_makespans_have_the_usual_units(longest: float, symbol: str) -> None:
    assert unit_for(longest).symbol == symbol
