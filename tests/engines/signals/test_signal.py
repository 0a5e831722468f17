"""A curve keeps its integral on any grid, names what it does not know, and what was known when."""

from datetime import datetime

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.engines.signals.kinds import CARBON, PRICE, TEMPERATURE
from core.engines.signals.signal import Signal, SignalGap
from core.engines.signals.zones import zone_called
from core.vocabulary.prices.day import DayTariff
from core.vocabulary.problems import InvalidInput

DAY = 86_400.0
HOURLY = Signal(PRICE, [0, 3600, 7200], [3600] * 3, [0.1, -0.2, 0.3])
GAPPY = Signal(CARBON, [0, 3600, 10_800], [3600] * 3, [10, 20, 40])


@st.composite
def curves(draw):
    """A curve without gaps from second 0 of some day on, and how long it is."""
    lengths = draw(st.lists(st.integers(1, 7200), min_size=1, max_size=20))
    values = draw(st.lists(st.floats(-60, 60), min_size=len(lengths), max_size=len(lengths)))
    start = float(draw(st.integers(0, 20_000)) * DAY)
    begins = start + np.cumsum([0, *lengths[:-1]])
    return Signal(TEMPERATURE, begins, lengths, values), start, float(sum(lengths))


@given(curves(), st.integers(1, 50))
def test_a_grid_keeps_the_integral(drawn, steps) -> None:
    curve, start, length = drawn
    on = curve.on_grid(start, length / steps, steps)
    assert on.sum() * length / steps == pytest.approx(curve.values @ curve.seconds, abs=1e-6)
    assert on.min() >= curve.values.min() - 1e-9
    assert on.max() <= curve.values.max() + 1e-9


@given(curves(), st.integers(1, 12), st.integers(1, 6))
def test_finer_and_then_coarser_is_coarser_at_once(drawn, steps, parts) -> None:
    curve, start, length = drawn
    coarse = curve.on_grid(start, length / steps, steps)
    fine = curve.on_grid(start, length / steps / parts, steps * parts)
    assert fine.reshape(steps, parts).mean(axis=1) == pytest.approx(coarse, abs=1e-7)


@given(curves(), st.integers(1, 400), st.integers(1, 20))
def test_a_curve_that_is_days_later_is_the_same_then(drawn, days, steps) -> None:
    curve, start, length = drawn
    later = curve.shifted(days * DAY).on_grid(start + days * DAY, length / steps, steps)
    assert later == pytest.approx(curve.on_grid(start, length / steps, steps), abs=1e-7)


def test_on_its_own_steps_a_curve_is_itself() -> None:
    assert HOURLY.on_grid(0, 3600, 3).tolist() == [0.1, -0.2, 0.3]
    assert HOURLY.on_grid(0, 5400, 2) == pytest.approx([0.0, (-0.1 + 0.3 * 1) / 1.5])
    assert HOURLY.on_grid(900, 900, 8).tolist() == [0.1] * 3 + [-0.2] * 4 + [0.3]


def test_what_is_not_known_is_named() -> None:
    assert GAPPY.gaps(0, 14_400) == (SignalGap(7200, 10_800),)
    assert GAPPY.gaps(0, 7200) == ()
    assert GAPPY.gaps(20_000, 21_000) == (SignalGap(20_000, 21_000),)
    with pytest.raises(InvalidInput) as refused:
        GAPPY.on_grid(-3600, 3600, 5)
    (problem,) = refused.value.problems
    assert problem.column == "carbon"
    assert problem.message == (
        "carbon intensity is not known from 1969-12-31 23:00 UTC to 1970-01-01 00:00 UTC, "
        "1970-01-01 02:00 UTC to 1970-01-01 03:00 UTC; give a file that has it, or ask to fill gaps"
    )


def test_many_gaps_are_counted() -> None:
    every_other = Signal(CARBON, 7200.0 * np.arange(6), [3600] * 6, [1] * 6)
    with pytest.raises(InvalidInput, match=r"1970-01-01 06:00 UTC and 2 more; give"):
        every_other.on_grid(0, 3600, 11)


@pytest.mark.parametrize(
    ("how", "filled", "said"),
    [
        ("last", [10, 10, 20, 20, 40, 40], "the last value"),
        ("linear", [10, 10, 20, 30, 40, 40], "values between those around it"),
    ],
)
def test_gaps_are_filled_if_asked_and_that_is_noted(how, filled, said) -> None:
    found, notes = GAPPY.filled(-3600, 18_000, how)
    assert found.on_grid(-3600, 3600, 6).tolist() == filled
    assert notes == (
        f"carbon intensity: 3 h without data have {said}: 1969-12-31 23:00 UTC to 1970-01-01 00:00 "
        "UTC, 1970-01-01 02:00 UTC to 1970-01-01 03:00 UTC, 1970-01-01 04:00 UTC to 1970-01-01 "
        "05:00 UTC",
    )
    assert HOURLY.filled(0, 10_800, how)[1] == ()


def test_a_long_gap_rises_evenly() -> None:
    curve = Signal(CARBON, [0, 18_000], [3600] * 2, [0, 50])
    found, _ = curve.filled(0, 21_600, "linear")
    assert found.values.tolist() == pytest.approx([0, 10, 20, 30, 40, 50])


class TestForecasts:
    curve = Signal(
        CARBON, [0, 3600, 3600, 7200], [3600] * 4, [1, 2, 3, 4], [-7200, -7200, -3600, -3600]
    )

    def test_the_latest_issue_by_then_is_known(self) -> None:
        early, late = self.curve.known_at(-7200), self.curve.known_at(-3600)
        assert early.values.tolist() == [1, 2]
        assert late.values.tolist() == [1, 3, 4]
        assert late.issued.tolist() == [-7200, -3600, -3600]
        assert self.curve.known_at(-7201) is None
        assert self.curve.on_grid(0, 3600, 3).tolist() == [1, 3, 4]

    def test_what_came_is_known_when_its_step_has_ended(self) -> None:
        assert not HOURLY.is_forecast
        assert HOURLY.known_at(3599.9) is None
        assert HOURLY.known_at(7200).values.tolist() == [0.1, -0.2]

    def test_later_by_a_day_it_was_issued_a_day_later(self) -> None:
        later = self.curve.shifted(DAY)
        assert later.issued.tolist() == (self.curve.issued + DAY).tolist()
        assert later.begins.tolist() == (self.curve.begins + DAY).tolist()

    def test_filled_steps_are_forecast_as_late_as_the_others(self) -> None:
        found, _ = self.curve.filled(0, 14_400, "last")
        assert found.issued.tolist() == [-7200, -3600, -3600, -3600]


class TestOfADay:
    tariff = DayTariff(np.array([0.0, 9000.0, 72_000.0]), np.array([1.0, 2.0, 3.0]) / 3.6e6)

    def at(self, day: str) -> float:
        return float(np.datetime64(day, "s").astype(float))

    def test_an_hour_that_a_clock_shows_twice_has_its_price_twice(self) -> None:
        begin = self.at("2026-10-24T22:00")
        curve = Signal.of_day(self.tariff, begin, begin + 25 * 3600, zone_called("Europe/Berlin"))
        assert (curve.seconds / 3600).tolist() == [2.5, 0.5, 0.5, 17.5, 4]
        assert curve.values == pytest.approx([1, 2, 1, 2, 3])

    def test_an_hour_that_a_clock_skips_has_none(self) -> None:
        begin = self.at("2026-03-28T23:00")
        curve = Signal.of_day(self.tariff, begin, begin + 23 * 3600, zone_called("Europe/Berlin"))
        assert (curve.seconds / 3600).tolist() == [2, 17, 4]
        assert curve.values == pytest.approx([1, 2, 3])

    @given(
        st.sampled_from(["America/Los_Angeles", "Asia/Tokyo", "Pacific/Auckland", "UTC"]),
        st.integers(0, 50_000),
        st.integers(1, 200),
    )
    def test_each_hour_has_the_price_of_its_local_time(self, name, hour, hours) -> None:
        zone, begin = zone_called(name), hour * 3600.0
        curve = Signal.of_day(self.tariff, begin, begin + hours * 3600, zone)
        clocks = [datetime.fromtimestamp(begin + k * 1800, zone) for k in range(2 * hours)]
        walls = np.array([one.hour * 3600 + one.minute * 60.0 for one in clocks])
        on = curve.on_grid(begin, 1800, 2 * hours)
        assert on == pytest.approx(self.tariff.at(walls) * 3.6e6)
        assert (np.diff(curve.values) != 0).all()

    def test_it_costs_what_the_tariff_says(self) -> None:
        curve = Signal.of_day(self.tariff, 1000.0, 3 * DAY, zone_called("UTC"))
        spent = self.tariff.spent(np.array([1000.0, 3 * DAY]))
        assert curve.values @ curve.seconds / 3.6e6 == pytest.approx(spent[1] - spent[0])
        assert Signal.of_day(self.tariff, 10.0, 20.0, zone_called("Asia/Tokyo")).seconds == 10


@pytest.mark.parametrize(
    ("begins", "seconds", "values", "issued", "fault"),
    [
        ([0], [1, 2], [1], None, "there are 1 begins, 2 seconds, 1 values"),
        ([], [], [], None, "at least one"),
        ([0], [1], [np.nan], None, "values are not all finite"),
        ([0], [1], [-1], None, "-1 at 1970-01-01 00:00 UTC is out of range; give 0 to 100000 g"),
        ([0], [0], [1], None, "a step has no length"),
        ([0, 0], [1, 1], [1, 1], None, "give each step once, in order"),
        ([5, 0], [1, 1], [1, 1], None, "1970-01-01 00:00 UTC comes after 1970-01-01 00:00:05 UTC"),
        ([0, 5], [6, 1], [1, 1], None, "step from 1970-01-01 00:00 UTC on overlaps the next"),
        ([9, 60, 0], [1] * 3, [1] * 3, None, "00:00 UTC comes after 1970-01-01 00:01 UTC; give"),
        ([0, 5, 9], [5, 5, 1], [1] * 3, None, "the step from 1970-01-01 00:00:05 UTC on overlaps"),
        ([0, 0], [1, 1], [1, 1], [3, 3], "give each step once"),
        ([0, 0], [1, 2], [1, 1], [3, 4], "give each step once"),
        ([0, 0], [1, 1], [1, 1], [4, 3], "give each step once"),
    ],
)
def test_a_wrong_curve_is_refused(begins, seconds, values, issued, fault) -> None:
    with pytest.raises(InvalidInput) as refused:
        Signal(CARBON, begins, seconds, values, issued)
    assert fault in str(refused.value)


def test_all_faults_are_said_at_once_and_arrays_cannot_be_changed() -> None:
    with pytest.raises(InvalidInput) as refused:
        Signal(CARBON, [0, 5], [6, 1], [1, -1])
    assert len(refused.value.problems) == 2
    with pytest.raises(ValueError, match="read-only"):
        HOURLY.values[0] = 1


@pytest.mark.parametrize("grid", [(0, 0, 3), (0, 3600, 0), (np.nan, 1, 1), (0, 1e-3, 5_000_000)])
def test_a_grid_that_is_none_is_refused(grid) -> None:
    with pytest.raises(InvalidInput, match="is no grid"):
        HOURLY.on_grid(*grid)
