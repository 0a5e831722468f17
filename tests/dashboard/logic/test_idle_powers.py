"""Fronts at other idle powers do not depend on the idle power at hand."""

import pytest

from core.samples import load_sample
from dashboard.logic.background import Job
from dashboard.logic.idle_powers import FRACTIONS, Fronts, fraction_of, sweeping, without_idle


def test_a_sweep_shows_a_front_for_each_fraction() -> None:
    system = load_sample("testbed")
    job: Job[Fronts] = Job(sweeping(system))
    job.wait(1, 30.0)
    assert job.latest is not None
    assert tuple(fraction for fraction, _ in job.latest) == FRACTIONS
    least = [front.energy[0] for _, front in job.latest]
    assert least == sorted(least)


@pytest.mark.parametrize("fraction", [0.0, 0.3, 1.0])
def test_the_fraction_of_a_system_is_the_one_it_was_given(fraction: float) -> None:
    system = load_sample("testbed").with_idle_fraction(fraction)
    assert fraction_of(system) == pytest.approx(fraction)
    assert without_idle(system) == without_idle(load_sample("testbed"))
