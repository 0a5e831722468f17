"""Fronts at other idle powers do not depend on the idle power at hand."""

import numpy as np
import pytest
from patience import PATIENCE

from core.engines.front.axis import Axis
from core.engines.front.study import sweep_idle_power
from core.files.samples.named import load_sample
from dashboard.parts.fields.idle_power import (
    FRACTIONS,
    Fronts,
    curves,
    fraction_of,
    sweeping,
    without_idle,
)
from dashboard.server.background import Job


def test_a_sweep_shows_a_front_for_each_fraction() -> None:
    system = load_sample("testbed")
    job: Job[Fronts] = Job(sweeping(system))
    job.wait(1, PATIENCE)
    assert job.latest is not None
    assert tuple(fraction for fraction, _ in job.latest) == FRACTIONS
    least = [front.energy[0] for _, front in job.latest]
    assert (np.diff(least) >= -1e-12 * least[-1]).all()


def test_curves_say_what_idle_power_does_to_the_proven_front(kwh: Axis) -> None:
    system = load_sample("testbed")
    fronts = tuple(zip((0.0, 0.5, 1.0), sweep_idle_power(system, (0.0, 0.5, 1.0)), strict=True))
    saved, least, slowest = curves(fronts, kwh)
    for place, (_, front) in enumerate(fronts):
        assert saved.values[place] == pytest.approx(100 * (1 - front.energy[0] / front.energy[-1]))
        assert least.values[place] == pytest.approx(kwh.of(front.energy[0]))
        assert slowest.values[place] == pytest.approx(front.makespan[0] / 3600)
    assert (saved.unit, least.unit, slowest.unit) == ("%", kwh.unit, "h")


@pytest.mark.parametrize("fraction", [0.0, 0.3, 1.0])
def test_the_fraction_of_a_system_is_the_one_it_was_given(fraction: float) -> None:
    system = load_sample("testbed").with_idle_fraction(fraction)
    assert fraction_of(system) == pytest.approx(fraction)
    assert without_idle(system) == without_idle(load_sample("testbed"))
