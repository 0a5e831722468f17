"""Times of bags on a clock: what is said is typed back, and a promise is never early."""

import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.fair_shares.day_clock import DayClock
from core.vocabulary.say.words import DAY, HOUR, Sense

TIMES = st.integers(-(10**13), 10**13).map(lambda micros: micros / 10**6)


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0.0, "08:00"),
        (5400.0, "09:30"),
        (5400.5, "09:30:00.5"),
        (61.25, "08:01:01.25"),
        (16 * HOUR, "1 d 00:00"),
        (-9 * HOUR, "−1 d 23:00"),
    ],
)
def test_a_cell(seconds: float, said: str) -> None:
    assert DayClock().cell(seconds) == said
    assert DayClock().typed(said) == pytest.approx(seconds, abs=1e-9)


@examples(200)
@given(TIMES, st.integers(0, 1439))
def test_what_a_cell_has_is_typed_back(seconds: float, minutes: int) -> None:
    clock = DayClock(60.0 * minutes)
    assert clock.typed(clock.cell(seconds)) == pytest.approx(seconds, abs=1e-6)


@examples(200)
@given(TIMES)
def test_a_promise_is_not_early_and_at_most_a_minute_late(seconds: float) -> None:
    clock = DayClock()
    said = clock.typed(clock.said(seconds, Sense.SPENT))
    assert seconds - 1e-2 <= said <= seconds + 60
    assert abs(clock.typed(clock.said(seconds, Sense.PLAIN)) - seconds) <= 30 + 1e-3


def test_short_times_are_to_the_second() -> None:
    assert DayClock().said(12.2, Sense.SPENT, span=100.0) == "08:00:13"
    assert DayClock().said(12.2, Sense.SPENT, span=DAY) == "08:01"


@pytest.mark.parametrize("text", ["", "soon", "25:00", "9", "09:60", "1 d", "12:00:61", "1e3:00"])
def test_what_is_no_time_of_day_is_refused_with_an_example(text: str) -> None:
    with pytest.raises(ValueError, match="type for example 09:30"):
        DayClock().typed(text)


@pytest.mark.parametrize("text", [" 9:30 ", "0 d 09:30", "0D 9:30:00"])
def test_other_ways_to_type_it(text: str) -> None:
    assert DayClock().typed(text) == 5400
