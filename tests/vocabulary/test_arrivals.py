"""What is known of arrivals is told for the types of any system."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.vocabulary.arrivals import HourlyArrivals
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System


def known(days: float = 2.0) -> HourlyArrivals:
    return HourlyArrivals(("a", "b"), np.arange(48.0).reshape(24, 2), days)


def test_rates_are_in_the_order_of_the_types_and_0_for_others() -> None:
    types = tuple(TaskType(name, 1) for name in ("b", "new", "a"))
    system = System(types, (MachineType("M", 1),), np.ones((3, 1)))
    assert known().of(system)[3].tolist() == [7, 0, 6]


def test_equal_arrivals_have_equal_fingerprints() -> None:
    assert known().fingerprint == known().fingerprint
    assert known().fingerprint != known(3.0).fingerprint


@st.composite
def arriving(draw: st.DrawFn) -> HourlyArrivals:
    """Arrivals of two types with or without a week, some of which never come."""
    numbers = st.sampled_from([0.0, 0.25, 3.0, 1e5])
    week = np.array(draw(st.lists(numbers, min_size=336, max_size=336))).reshape(168, 2)
    rates = week.reshape(7, 24, 2).mean(axis=0)
    return HourlyArrivals(("a", "b"), rates, 14.0, draw(st.sampled_from([week, None])))


@given(arriving(), st.integers(0, 23), st.sampled_from([0.0, 0.5, 7e4]))
def test_an_hour_that_is_typed_changes_that_hour_of_every_day_in_proportion(
    before: HourlyArrivals, hour: int, number: float
) -> None:
    rates = before.rates.copy()
    rates[hour, 0] = number
    after = before.with_rates(rates)
    assert after.rates.tolist() == rates.tolist()
    assert after.days == 0, "a person says it, no longer a log"
    assert (after.week is None) == (before.week is None)
    if before.week is None or after.week is None:
        return
    was, now = (one.reshape(7, 24, 2) for one in (before.week, after.week))
    assert now.mean(axis=0) == pytest.approx(rates)
    assert (np.delete(now, hour, axis=1) == np.delete(was, hour, axis=1)).all()
    assert now[:, hour, 0] * was[:, hour, 0].mean() == pytest.approx(was[:, hour, 0] * number)


@given(arriving(), st.integers(0, 6), st.sampled_from([0.0, 0.5, 7e4]))
def test_a_day_that_is_typed_keeps_its_hours_and_the_other_days(
    before: HourlyArrivals, day: int, number: float
) -> None:
    days = before.by_day.copy()
    days[day, 1] = number
    after = before.with_days(days)
    assert after.by_day == pytest.approx(days)
    assert after.days == 0
    assert after.week is not None
    was = np.tile(before.rates, (7, 1)) if before.week is None else before.week
    was, now = (one.reshape(7, 24, 2) for one in (was, after.week))
    assert np.delete(now, day, axis=0) == pytest.approx(np.delete(was, day, axis=0))
    assert (now[day, :, 1] > 0).all() or was.any() or not number
    if before.by_day[day, 1] > 0:
        assert now[day, :, 1] * before.by_day[day, 1] == pytest.approx(was[day, :, 1] * number)
    assert after.rates == pytest.approx(now.mean(axis=0))


def test_a_day_on_which_nothing_came_gets_the_hours_of_the_mean_day() -> None:
    week = np.zeros((168, 1))
    week[9], week[34] = 6.0, 1.0  # Monday from 9, Tuesday from 10
    before = HourlyArrivals(("a",), week.reshape(7, 24, 1).mean(axis=0), 7.0, week)
    days = before.by_day.copy()
    days[6] = 7.0
    after = before.with_days(days)
    assert after.week is not None
    assert np.flatnonzero(after.week[144:]).tolist() == [9, 10]
    assert after.week[153:155, 0].tolist() == pytest.approx([6, 1])


def test_types_are_named_anew() -> None:
    named = known().named(("b", "new"))
    assert (named.names, named.rates[3].tolist(), named.days) == (("b", "new"), [7, 0], 2)
