"""What pages say to be at most or at least so much is that, read back as a number."""

from fractions import Fraction

import numpy as np
import pytest
from read_back import decimal, energies, shares, times

from core.capabilities.makespan.solve import solve
from core.capabilities.makespan.told import sentence as solved
from core.engines.front.axis import axis_for
from core.files.samples.named import load_sample
from core.vocabulary.prices.tariff import Tariff
from dashboard.screens.schedule.figures import Limits, sentence
from dashboard.screens.trade_offs.figures import Standing, words_of

# Digits beyond those that are said, so that up, down and nearest are three different texts.
VALUES = (1.00014, 1.00016, 99.99501, 123.4501, 7_261.3, 7_261.7, 36_031.0, 36_029.0)
GAPS = (0.00012301, 0.0012345, 0.0123401, 0.0123499, 0.9990001, 1.0001)


@pytest.mark.parametrize("gap", GAPS)
def test_the_hover_of_a_point(gap: float) -> None:
    for seconds in VALUES:
        joules = 3600.0 * seconds
        points, rate = np.array([[joules, seconds]]), np.array([np.inf])
        axis = axis_for("kWh", Tariff(1.0), "EUR", joules)
        (said,) = words_of(Standing(points, np.array([gap]), np.array([2 * gap]), rate), axis)
        in_energy, in_time = shares(said)
        assert 0 <= in_energy - decimal(gap) <= Fraction(1, 100) * max(1, decimal(gap))
        assert 0 <= in_time - decimal(2 * gap) <= Fraction(1, 100) * max(1, decimal(2 * gap))
        assert times(said)[0] >= decimal(seconds)
        assert energies(said)[0] >= decimal(joules)


@pytest.mark.parametrize("gap", GAPS)
def test_how_soon_and_how_much_sooner_it_could_be(gap: float) -> None:
    for bound in VALUES:
        makespan = bound * (1 + gap)
        said = solved(makespan, bound)
        (done,) = times(said)
        assert done == pytest.approx(decimal(makespan), rel=1 / 59)
        (within,) = shares(said)
        assert within >= (Fraction(makespan) / Fraction(bound) - 1) * (1 - Fraction(1, 10**9))


@pytest.mark.parametrize("gap", GAPS)
def test_how_far_a_schedule_is_from_both_ends(gap: float) -> None:
    schedule = solve(load_sample("nine"), method="paper").schedule
    seconds, joules = schedule.makespan / (1 + gap), schedule.energy / (1 + 2 * gap)
    said = sentence(schedule, Limits(seconds, joules))
    later, dearer = shares(said)
    assert later >= (Fraction(schedule.makespan) / Fraction(seconds) - 1) * (1 - Fraction(1, 10**9))
    assert dearer >= (Fraction(schedule.energy) / Fraction(joules) - 1) * (1 - Fraction(1, 10**9))
    assert times(said)[0] >= decimal(schedule.makespan)
    assert energies(said)[0] >= decimal(schedule.energy)
