"""Ticks are round numbers within the scale, about as many as asked for."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.shells.report.svg import Scale


@given(low=st.floats(0, 1e12), extent=st.floats(1e-3, 1e12), about=st.integers(2, 12))
def test_ticks_are_round_and_within(low: float, extent: float, about: int) -> None:
    scale = Scale(low, low + max(extent, 1e-6 * low), 0.0, 100.0)
    ticks = scale.ticks(about)
    assert 1 <= len(ticks) <= 2 * about + 1
    assert all(-0.1 <= scale(tick) <= 100.1 for tick in ticks)
    for step in np.diff(ticks):
        leading = step / 10.0 ** np.floor(np.log10(1.001 * step))
        assert np.abs(leading - [1, 2, 5]).min() < 1e-3
        assert ticks[0] / step == pytest.approx(round(ticks[0] / step), rel=1e-6)
