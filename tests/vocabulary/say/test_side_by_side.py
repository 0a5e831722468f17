"""Numbers that stand beside each other are rounded alike."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.vocabulary.say.words import JOULES_PER_KWH, difference, energies, settled
from core.vocabulary.tolerances import SAME


def test_what_is_drawn_and_its_budget_are_rounded_alike() -> None:
    """Issue 33, point 10: what keeps a budget reads so, and what exceeds it, too."""
    assert energies(46_550_000, 46_552_800) == ("12.93 kWh", "12.93 kWh")
    assert energies(46_553_000, 46_552_800) == ("12.9314 kWh", "12.9313 kWh")
    assert energies(46_552_800 * (1 + SAME / 2), 46_552_800) == ("12.93 kWh", "12.93 kWh")
    assert energies(0.9 * JOULES_PER_KWH, 1.2 * JOULES_PER_KWH) == ("0.9 kWh", "1.2 kWh")
    assert energies(1.2 * JOULES_PER_KWH, 0.9 * JOULES_PER_KWH) == ("1,200 Wh", "900 Wh")
    assert energies(0.0, 12.0) == ("0 J", "12 J")
    assert energies(12.0, 0.0) == ("12 J", "0 J")
    assert energies(3599, 3600) == ("0.9997 Wh", "1 Wh")


@given(st.floats(0.0, 1e15), st.floats(-1e-3, 1e-3))
def test_what_is_drawn_reads_above_its_budget_just_where_it_is(budget: float, more: float) -> None:
    """Issue 33, point 10."""
    joules = budget * (1 + more)
    drawn, most = (float(said.split()[0].replace(",", "")) for said in energies(joules, budget))
    assert (drawn > most) == (joules > budget * (1 + SAME))


def test_a_difference_is_one_from_rounding_on() -> None:
    assert settled(1e-9, 1.0) == settled(-1e-9, 1.0) == 0
    assert settled(1.1e-9, 1.0) == 1.1e-9
    assert settled(-3e-9, 2.0) == -3e-9
    assert settled(-1.9e-9, 2.0) == 0
    assert difference(5.0, 3.0) == 2
    assert difference(-5.0, -5.0 - 4e-9) == 0
    assert difference(-5.0, -5.0 - 6e-9) == pytest.approx(6e-9, rel=1e-3)
