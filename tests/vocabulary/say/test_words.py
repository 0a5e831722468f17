"""Numbers in words carry their unit, and none promises more than it is.

Texts are read back into fractions by a parser of its own, so that nothing here rounds.
"""

import math
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from read_back import decimal, quantity

from core.vocabulary.say.words import (
    NOTHING,
    Sense,
    amount,
    change,
    clock,
    counted,
    difference,
    duration,
    energy,
    in_joules,
    power,
    rounded,
    settled,
    share,
)
from core.vocabulary.tolerances import SAME

SAY: list[Callable[[float, Sense], str]] = [duration, energy, in_joules, power, amount, share]
NAMES = [say.__name__ for say in SAY]

values = st.floats(1e-6, 1e12) | st.floats(1e-300, 1e15) | st.integers(1, 10**6).map(float)
senses = st.sampled_from(list(Sense))


@pytest.mark.parametrize("say", SAY, ids=NAMES)
@given(values)
@example(10.799999999999947)
@example(7013.674)
@example(999.9999999999999)
@example(3599999.9999999995)
def test_what_is_proven_is_never_said_beyond_what_is_proven(
    say: Callable[[float, Sense], str], value: float
) -> None:
    beyond = SAME if say is share and value <= SAME else 0
    assert quantity(say(value, Sense.LOWER_BOUND)) <= decimal(value)
    assert quantity(say(value, Sense.UPPER_BOUND)) >= decimal(value) - Fraction(beyond)


@pytest.mark.parametrize("say", SAY, ids=NAMES)
@given(values)
def test_what_is_reached_is_said_no_better_than_it_is_but_for_rounding(
    say: Callable[[float, Sense], str], value: float
) -> None:
    error = Fraction(SAME) * max(decimal(value), 1 if say is share else 0)
    assert quantity(say(value, Sense.SPENT)) >= decimal(value) - error
    assert quantity(say(value, Sense.EARNED)) <= decimal(value) + error


@pytest.mark.parametrize("say", SAY, ids=NAMES)
@given(values, senses)
def test_a_text_is_near_its_number(
    say: Callable[[float, Sense], str], value: float, sense: Sense
) -> None:
    """Four digits count of most, two of small shares; of very long times about the hour."""
    if say is share and value <= SAME:
        return
    steps = {duration: 0.005, share: 0.1}.get(say, 0.001)
    assert quantity(say(value, sense)) == pytest.approx(decimal(value), rel=steps)


@pytest.mark.parametrize("say", SAY, ids=NAMES)
@given(values, values, senses)
def test_what_is_more_is_never_said_to_be_less(
    say: Callable[[float, Sense], str], one: float, other: float, sense: Sense
) -> None:
    less, more = sorted((one, other))
    assert quantity(say(less, sense)) <= quantity(say(more, sense))


@pytest.mark.parametrize("say", SAY, ids=NAMES)
@given(st.floats(1e-3, 1e12), senses)
@example(3600.0, Sense.TYPED)
@example(3.6e7, Sense.LOWER_BOUND)
@example(3.6e9, Sense.LOWER_BOUND)
def test_neighbouring_floats_are_said_in_order(
    say: Callable[[float, Sense], str], value: float, sense: Sense
) -> None:
    near = [float(f"{value:.3g}")]
    near = [math.nextafter(near[0], 0), near[0], math.nextafter(near[0], math.inf)]
    if sense is Sense.TYPED:
        assert len({quantity(say(each, sense)) for each in near}) == 1
    said = [quantity(say(each, sense)) for each in near]
    assert said == sorted(said)


@pytest.mark.parametrize("say", SAY, ids=NAMES)
@given(values, senses)
def test_what_was_read_is_said_again(
    say: Callable[[float, Sense], str], value: float, sense: Sense
) -> None:
    """For numbers that a float can hold, such as people write down."""
    said = say(value, sense)
    read = quantity(said)
    if decimal(float(read)) == read:
        assert quantity(say(float(read), sense)) == read


@pytest.mark.parametrize("say", SAY, ids=NAMES)
@given(values, st.sampled_from([sense for sense in Sense if sense is not Sense.TYPED]))
def test_a_turned_sign_turns_the_sense(
    say: Callable[[float, Sense], str], value: float, sense: Sense
) -> None:
    assert quantity(say(-value, sense)) == -quantity(say(value, sense.mirrored))


LIMITED: list[Callable[[float, Sense, float], str]] = [
    duration,
    energy,
    in_joules,
    power,
    lambda value, sense, limit: amount(value, sense, "", limit),
]


@pytest.mark.parametrize("say", LIMITED)
@given(
    st.floats(1e-3, 1e12),
    st.floats(0.999, 1.001) | st.just(1.0),
    st.sampled_from([Sense.SPENT, Sense.PLAIN]),
)
@example(3899.5, 3899.7 / 3899.5, Sense.SPENT)
@example(3600.0 * 30.4, 30.5 / 30.4, Sense.SPENT)
@example(4200.0000000001, 4200 / 4200.0000000001, Sense.SPENT)
@example(4.2e6, 1.0, Sense.SPENT)
def test_what_keeps_a_limit_is_not_said_to_break_it(
    say: Callable[[float, Sense, float], str], value: float, ratio: float, sense: Sense
) -> None:
    limit = float(f"{ratio * value:.12g}")
    said = quantity(say(value, sense, limit))
    typed = quantity(say(limit, Sense.TYPED, math.inf))
    if value <= limit:
        assert said <= typed
    elif value > limit * (1 + 2 * SAME):
        assert said > typed
    assert said == pytest.approx(decimal(value), rel=1e-2)


@given(st.integers(1, 10**9), st.integers(0, 6))
def test_what_was_typed_is_said_exactly(digits: int, decimals: int) -> None:
    typed = Fraction(digits, 10**decimals)
    for say in (duration, in_joules, power, amount):
        assert quantity(say(float(typed), Sense.TYPED)) == typed
    for unit in (1, 1000, 3600, 3_600_000):
        joules = float(typed) * unit
        assert quantity(energy(joules, Sense.TYPED)) == typed * unit
    assert quantity(share(float(typed) / 100, Sense.TYPED)) == typed / 100


@pytest.mark.parametrize("say", SAY, ids=NAMES)
@pytest.mark.parametrize("sense", list(Sense))
def test_what_does_not_exist_is_a_dash(say: Callable[..., str], sense: Sense) -> None:
    for nothing in (None, math.nan, math.inf, -math.inf):
        assert say(nothing, sense) == NOTHING
    assert change(None) == change(math.inf) == NOTHING


@pytest.mark.parametrize("say", SAY, ids=NAMES)
@pytest.mark.parametrize("sense", list(Sense))
def test_nothing_is_nought(say: Callable[..., str], sense: Sense) -> None:
    assert say(0.0, sense) in ("0 s", "0 J", "0 W", "0", "0 %")
    assert say(-0.0, sense) == say(0.0, sense)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.0032, "3.2 ms"),
        (0.99999, "1 s"),
        (119.0, "119 s"),
        (120.0, "2 min"),
        (2597.218, "43 min 17 s"),
        (3599.7, "1 h"),
        (3613.0, "1 h 13 s"),
        (7013.67, "1 h 56 min 54 s"),
        (35_999.0, "9 h 59 min 59 s"),
        (36_029.0, "10 h"),
        (100_000.0, "1 d 3 h 47 min"),
        (1_000_000.0, "11 d 14 h"),
        (86400.0 * 11_574, "11,574 d"),
    ],
)
def test_a_time_is_said_to_the_second_up_to_ten_hours(seconds: float, words: str) -> None:
    assert duration(seconds, Sense.PLAIN) == words


def test_a_time_is_rounded_as_what_it_is() -> None:
    """The bound of 7,013.67 s that was once said to be 1 h 57 min."""
    assert duration(7013.67, Sense.LOWER_BOUND) == "1 h 56 min 53 s"
    assert duration(7013.67, Sense.SPENT) == "1 h 56 min 54 s"
    assert duration(10.799999999999947, Sense.LOWER_BOUND) == "10.79 s"
    assert duration(10.799999999999947, Sense.EARNED) == "10.8 s"
    assert duration(10.800000000000053, Sense.SPENT) == "10.8 s"
    assert duration(10.800000000000053, Sense.UPPER_BOUND) == "10.81 s"
    assert duration(3900.0, Sense.TYPED) == "1 h 5 min"
    assert duration(129_600.25, Sense.TYPED) == "1 d 12 h 0.25 s"


@pytest.mark.parametrize(
    ("joules", "words"),
    [
        (1404.0, "1.404 kJ"),
        (0.0, "0 J"),
        (0.5 * 3.6e6, "500 Wh"),
        (1.234e7, "3.428 kWh"),
        (3.6e9, "1 MWh"),
        (3.6e21, "1,000,000 TWh"),
    ],
)
def test_an_energy_is_said_as_on_a_bill(joules: float, words: str) -> None:
    assert energy(joules, Sense.PLAIN) == words


def test_joules_that_are_no_round_watt_hours_are_said_as_they_were_typed() -> None:
    assert energy(1e6, Sense.TYPED) == "1 MJ"
    assert energy(0.3 * 3.6e6, Sense.TYPED) == "300 Wh"
    assert energy(4.2e6, Sense.SPENT, 4.2e6) == "4.2 MJ"


@pytest.mark.parametrize(
    ("watts", "words"),
    [(0.45, "450 mW"), (930.4, "930.4 W"), (5_254.0, "5.254 kW"), (4.2e12, "4.2 TW")],
)
def test_a_power_has_a_prefix(watts: float, words: str) -> None:
    assert power(watts, Sense.PLAIN) == words


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (12345.6, "12,346 EUR/h"),
        (0.012345, "0.01234 EUR/h"),
        (1.5e-10, "0.00000000015 EUR/h"),
        (1.2345e-20, "1.234e-20 EUR/h"),
        (-3.14159, "−3.142 EUR/h"),
        (1e20, "1e20 EUR/h"),
    ],
)
def test_money_has_no_prefix(value: float, words: str) -> None:
    assert amount(value, Sense.PLAIN, "EUR/h") == words


@pytest.mark.parametrize(
    ("fraction", "words"),
    [
        (3.553e-13, "0 %"),
        (4.2e-5, "0.0042 %"),
        (0.00421, "0.43 %"),
        (0.0123, "1.3 %"),
        (0.12, "12 %"),
        (0.932, "93.2 %"),
        (16.1, "1,610 %"),
    ],
)
def test_a_share_is_a_percentage(fraction: float, words: str) -> None:
    assert share(fraction, Sense.UPPER_BOUND) == words


def test_a_change_has_a_sign_unless_it_is_none() -> None:
    assert [change(by) for by in (0.0321, -0.0123, 4.88e-15, -4.88e-15)] == [
        "+3.2 %",
        "−1.2 %",
        "0 %",
        "0 %",
    ]


def test_a_difference_that_is_rounding_is_none() -> None:
    assert difference(0.1 + 0.2, 0.3) == 0
    assert difference(1.0, 1.0 - 1e-8) > 0
    assert settled(3.553e-13, 100.0) == 0
    assert settled(-1e-6, 100.0) == -1e-6


def test_a_limit_that_is_kept_but_for_rounding_is_kept_in_words() -> None:
    assert duration(3900.0000000001, Sense.SPENT, 3900.0) == "1 h 5 min"
    assert duration(3900.01, Sense.SPENT, 3900.0) == "1 h 5 min 1 s"


def test_a_number_for_a_table_is_the_one_that_is_said() -> None:
    assert rounded(-1.23456, Sense.PLAIN) == -1.235
    assert rounded(-1.23456, Sense.EARNED) == -1.235
    assert rounded(1.23456, Sense.EARNED) == 1.234
    assert rounded(0.0, Sense.SPENT) == 0
    assert math.isnan(rounded(math.nan, Sense.SPENT))


def test_a_number_and_its_noun_agree() -> None:
    assert [counted(n, "task") for n in (0, 1, 1100)] == ["0 tasks", "1 task", "1,100 tasks"]


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (0.0, "00:00"),
        (27_000.0, "07:30"),
        (27_005.4, "07:30:05"),
        (86_399.6, "00:00"),
        (90_000.0, "01:00"),
    ],
)
def test_a_time_of_day_goes_round(seconds: float, said: str) -> None:
    assert clock(seconds) == said
