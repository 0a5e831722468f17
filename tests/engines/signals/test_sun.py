"""Panels give power under the sun, at most what they are rated for."""

import pytest

from core.engines.signals.kinds import GREEN, PRICE, SUN
from core.engines.signals.signal import Signal
from core.engines.signals.sun import SolarPanels
from core.vocabulary.problems import InvalidInput


def test_power_follows_the_sun_up_to_the_rated_power() -> None:
    sun = Signal(SUN, [0, 60, 120, 180], [60] * 4, [0, 500, 1250, 1300], [-1] * 4)
    power = SolarPanels(10, 0.4).power(sun)
    assert power.kind is GREEN
    assert power.values.tolist() == pytest.approx([0, 1600, 4000, 4000])
    assert power.issued.tolist() == [-1] * 4
    assert SolarPanels(0, 0.4).power(sun).values.tolist() == [0] * 4


def test_other_curves_and_panels_are_refused() -> None:
    with pytest.raises(InvalidInput, match="not price; give that curve"):
        SolarPanels(1, 0.4).power(Signal(PRICE, [0], [1], [1]))
    with pytest.raises(InvalidInput) as refused:
        SolarPanels(-1, 0.0, 1.01)
    assert [problem.message for problem in refused.value.problems] == [
        "panels: -1 is out of range; give 0 to 1e+09 panels",
        "rated kW: 0 is out of range; give 0.001 to 1000 kW a panel",
        "performance ratio: 1.01 is out of range; give 0.01 to 1 as a fraction",
    ]
