"""Numbers in words carry their unit, and none promises more than it is.

Texts are read back into fractions by a parser of its own, so that nothing here rounds.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

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
    duration,
    energy,
    in_joules,
    longer,
    power,
    rounded,
    share,
    typed,
    within,
)
from core.vocabulary.tolerances import SAME

LOWER, UPPER, PLAIN = Sense.LOWER_BOUND, Sense.UPPER_BOUND, Sense.PLAIN
SPENT, EARNED, TYPED, HEADLINE = Sense.SPENT, Sense.EARNED, Sense.TYPED, Sense.HEADLINE

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
    """Four digits count of most, two of small shares and in headlines; of very long times about
    the hour.
    """
    if say is share and value <= SAME:
        return
    steps = {duration: 0.005, share: 0.1}.get(say, 0.001)
    if sense is Sense.HEADLINE:
        steps = max(steps, 1 / 59)
    assert quantity(say(value, sense)) == pytest.approx(decimal(value), rel=steps)


def test_a_headline_has_the_digits_that_a_better_search_seldom_changes() -> None:
    """Issue 33, point 18."""
    said = [duration(seconds, HEADLINE) for seconds in (2604, 2602, 6840, 95.4, 309, 19.96, 9e5)]
    assert said == ["43 min", "43 min", "1 h 54 min", "95 s", "5 min 10 s", "20 s", "10 d 10 h"]
    assert [amount(value, HEADLINE, "EUR/h") for value in (0.6694, 0.6696, 12_345, 98_765)] == [
        *("0.67 EUR/h", "0.67 EUR/h", "12,300 EUR/h", "99,000 EUR/h")
    ]
    assert [share(part, HEADLINE) for part in (0.1614, 0.0987, 0.00123)] == [
        "16 %",
        "9.9 %",
        "0.12 %",
    ]
    assert energy(4.2345e9, HEADLINE) == "1.18 MWh"


def test_no_seconds_stand_beside_hours_without_minutes() -> None:
    said = [duration(seconds, PLAIN) for seconds in (14_436, 14_400, 86_430, 119.5, 180)]
    assert said == ["4 h 0 min 36 s", "4 h", "1 d", "119.5 s", "3 min"]


def test_how_much_longer_is_said_in_the_steps_of_the_whole_time() -> None:
    assert [longer(seconds, 2604) for seconds in (0.0, 20.13, 39.54, 61, 1081, 4236)] == [
        *("less than 1 min", "less than 1 min", "less than 1 min"),
        *("1 min", "18 min", "1 h 11 min"),
    ]
    assert longer(11.0, 11.0) == "11 s"
    assert longer(400.0, 30.0) == "6 min 40 s"
    assert longer(5.0, 301.0) == "less than 10 s"


@given(st.floats(2e-9, 1e6))
@example(0.2)
@example(2.0000000000000005e-09)
def test_a_bound_in_a_headline_is_above_its_number_by_at_most_a_step(fraction: float) -> None:
    said = quantity(within(fraction))
    assert decimal(fraction) <= said <= decimal(fraction) * Fraction(5, 3)
    assert [within(one) for one in (0.0, 0.0011, 0.0049, 0.06, 0.2)] == [
        *("0 %", "0.15 %", "0.5 %", "7 %", "20 %")
    ]


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
    most = quantity(say(limit, Sense.TYPED, math.inf))
    if value <= limit:
        assert said <= most
    elif value > limit * (1 + 2 * SAME):
        assert said > most
    assert said == pytest.approx(decimal(value), rel=1e-2)


@given(st.integers(1, 10**9), st.integers(0, 6))
def test_what_was_typed_is_said_exactly(digits: int, decimals: int) -> None:
    given_number = Fraction(digits, 10**decimals)
    for say in (duration, in_joules, power, amount):
        assert quantity(say(float(given_number), Sense.TYPED)) == given_number
    for unit in (1, 1000, 3600, 3_600_000):
        joules = float(given_number) * unit
        assert quantity(energy(joules, Sense.TYPED)) == given_number * unit
    assert quantity(share(float(given_number) / 100, Sense.TYPED)) == given_number / 100


@pytest.mark.parametrize("say", SAY, ids=NAMES)
@pytest.mark.parametrize("sense", list(Sense))
def test_nothing_is_nought_and_what_does_not_exist_is_a_dash(
    say: Callable[..., str], sense: Sense
) -> None:
    assert say(0.0, sense) == say(-0.0, sense) in ("0 s", "0 J", "0 W", "0", "0 %")
    for nothing in (None, math.nan, math.inf, -math.inf):
        assert say(nothing, sense) == NOTHING


Row = tuple[tuple[Any, ...], str]
"""Arguments, and the words for them."""

TIMES: list[Row] = [
    # Each sense rounds its way: the bound of 7,013.67 s was once said to be 1 h 57 min.
    ((7013.67, LOWER), "1 h 56 min 53 s"),
    ((7013.67, SPENT), "1 h 56 min 54 s"),
    ((10.799999999999947, LOWER), "10.79 s"),
    ((10.799999999999947, EARNED), "10.8 s"),
    ((10.800000000000053, SPENT), "10.8 s"),
    ((10.800000000000053, UPPER), "10.81 s"),
    # Times get coarser.
    ((0.0032, PLAIN), "3.2 ms"),
    ((0.99999, PLAIN), "1 s"),
    ((12.344, PLAIN), "12.34 s"),
    ((119.94, PLAIN), "119.9 s"),
    ((119.99, PLAIN), "2 min"),
    ((120.0, PLAIN), "2 min"),
    ((123.4, PLAIN), "2 min 3 s"),
    ((2597.218, PLAIN), "43 min 17 s"),
    ((3599.7, PLAIN), "1 h"),
    ((3613.0, PLAIN), "1 h 0 min 13 s"),
    ((35_999.4, PLAIN), "9 h 59 min 59 s"),
    ((36_000.0, PLAIN), "10 h"),
    ((36_089.0, PLAIN), "10 h 1 min"),
    ((36_091.0, PLAIN), "10 h 2 min"),
    ((100_000.0, PLAIN), "1 d 3 h 47 min"),
    ((10 * 86_400 - 31.0, PLAIN), "9 d 23 h 59 min"),
    ((10 * 86_400.0, PLAIN), "10 d"),
    ((10 * 86_400 + 5399.0, PLAIN), "10 d 1 h"),
    ((10 * 86_400 + 5401.0, PLAIN), "10 d 2 h"),
    ((1000 * 86_400 - 1801.0, PLAIN), "999 d 23 h"),
    ((1000 * 86_400.0, PLAIN), "1,000 d"),
    ((1000 * 86_400 + 43_199.0, PLAIN), "1,000 d"),
    ((1000 * 86_400 + 43_201.0, PLAIN), "1,001 d"),
    ((11_574 * 86_400.0, PLAIN), "11,574 d"),
    # One that was typed keeps all its digits.
    ((0.5, TYPED), "500 ms"),
    ((119.999, TYPED), "119.999 s"),
    ((120.5, TYPED), "2 min 0.5 s"),
    ((3600.25, TYPED), "1 h 0 min 0.25 s"),
    ((3900.0, TYPED), "1 h 5 min"),
    ((129_600.25, TYPED), "1 d 12 h 0 min 0.25 s"),
    ((12_345_678.0, TYPED), "142 d 21 h 21 min 18 s"),
    # Beside a limit it has as many digits as it takes.
    ((3899.5, SPENT, 3899.7), "1 h 4 min 59.5 s"),
    ((3899.5, SPENT, 3900.0), "1 h 5 min"),
    ((3899.5, SPENT, math.inf), "1 h 5 min"),
    ((3899.5, SPENT, math.nan), "1 h 5 min"),
    ((120.3, PLAIN, 120.4), "2 min"),
    ((120.3, PLAIN, 120.3), "2 min"),
    ((120.3, PLAIN, 120.2), "2 min 0.3 s"),
    ((120.3, TYPED, 120.2), "2 min 0.3 s"),
    ((119.96, PLAIN, 119.97), "119.96 s"),
    ((36_010.0, SPENT, 36_030.0), "10 h 0 min 10 s"),
    ((36_010.0, EARNED, 36_005.0), "10 h 0 min 10 s"),
    ((3900.0 * (1 + 0.9e-9), UPPER, 3900.0), "1 h 5 min"),
    ((3900.0 * (1 + 1e-9), UPPER, 3900.0), "1 h 5 min"),
    ((0.1 + 0.2, UPPER, 0.3), "300 ms"),
    ((3900.0 * (1 + 1.1e-9), UPPER, 3900.0), "1 h 5 min 1 s"),
    ((3900.0 * (1 + 1.1e-9), PLAIN, 3900.0), "1 h 5 min 0.000004 s"),
    ((123.456789012341, UPPER, 123.456789012345), "2 min 3.456789012341 s"),
    ((-3899.5, SPENT, -3899.7), "−1 h 4 min 59 s"),
]
ENERGIES: list[Row] = [
    # In watt-hours from one on, but joules that are no round watt-hours as they were typed.
    ((3599.0, PLAIN), "3.599 kJ"),
    ((3600.0, PLAIN), "1 Wh"),
    ((3600.0, TYPED), "1 Wh"),
    ((1.8e6, PLAIN), "500 Wh"),
    ((1.234e7, PLAIN), "3.428 kWh"),
    ((3.6e9, PLAIN), "1 MWh"),
    ((1e6, TYPED), "1 MJ"),
    ((0.3 * 3.6e6, TYPED), "300 Wh"),
    ((3.6e25, LOWER), "10,000,000,000 TWh"),
    # Divided by 3,600 it is a power of ten, and is less.
    ((3.5999999999999997e25, LOWER), "9,999,000,000 TWh"),
    ((3599999.9999999995, LOWER), "999.9 Wh"),
    ((3599999.9999999995, UPPER), "1 kWh"),
    ((-3600.0, PLAIN), "−1 Wh"),
    ((-3599.0, PLAIN), "−3.599 kJ"),
    ((3601.0, PLAIN), "1 Wh"),
    ((3601.0, SPENT), "1.001 Wh"),
    ((3601.0, TYPED), "3.601 kJ"),
    ((3601.0, PLAIN, 3601.0), "3.601 kJ"),
    ((3600.0, PLAIN, 3601.0), "3.6 kJ"),
    ((3590.0, PLAIN, 3600.0), "997.2 mWh"),
    ((3600.0, PLAIN, 3590.0), "3.6 kJ"),
    ((4.2e6, SPENT, 4.2e6), "4.2 MJ"),
    ((7200.0, PLAIN, math.inf), "2 Wh"),
    ((7200.0, PLAIN, math.nan), "2 Wh"),
    ((1800.0, PLAIN, math.inf), "1.8 kJ"),
]
POWERS: list[Row] = [
    # A prefix leaves one to three digits.
    ((1e-13, PLAIN), "0.0001 nW"),
    ((9.994e-10, PLAIN), "0.9994 nW"),
    ((1e-9, PLAIN), "1 nW"),
    ((999.9e-9, PLAIN), "999.9 nW"),
    ((1e-6, PLAIN), "1 µW"),
    ((1e-3, PLAIN), "1 mW"),
    ((0.9999, PLAIN), "999.9 mW"),
    ((0.99999, PLAIN), "1 W"),
    ((999.9, PLAIN), "999.9 W"),
    ((1000.0, PLAIN), "1 kW"),
    ((1e6, PLAIN), "1 MW"),
    ((1e9, PLAIN), "1 GW"),
    ((1e12, PLAIN), "1 TW"),
    ((1.234e15, PLAIN), "1,234 TW"),
    # A limit is what was typed, and not the float beside it.
    ((0.1 + 0.2, UPPER, 0.3), "300 mW"),
    ((0.3, UPPER, 0.1 + 0.2), "300 mW"),
]
AMOUNTS: list[Row] = [
    # What is reached may be off by rounding, and what is proven may not.
    ((1.234 * (1 + 0.9e-9), SPENT), "1.234"),
    ((1.234 * (1 + 0.9e-9), UPPER), "1.235"),
    ((1.234 * (1 + 1.1e-9), SPENT), "1.235"),
    ((1.234 * (1 + 1.1e-9), UPPER), "1.235"),
    ((9999 * (1 + 0.9e-9), SPENT), "9,999"),
    ((9999 * (1 + 0.9e-9), UPPER), "10,000"),
    # A proof is said as it is to the last digit.
    ((0.1 + 0.2, LOWER), "0.3"),
    ((0.1 + 0.2, UPPER), "0.3001"),
    ((0.3, LOWER), "0.3"),
    ((0.3, UPPER), "0.3"),
    ((math.nextafter(0.3, 0), LOWER), "0.2999"),
    ((math.nextafter(0.3, 0), UPPER), "0.3"),
    ((math.nextafter(1.0, 0), LOWER), "0.9999"),
    ((math.nextafter(1.0, 0), UPPER), "1"),
    ((1.5e-300, LOWER), "1.5e-300"),
    ((1.5e-300, UPPER), "1.5e-300"),
    ((math.nextafter(1.5e-300, 0), LOWER), "1.499e-300"),
    ((math.nextafter(1.5e-300, 0), UPPER), "1.5e-300"),
    ((math.nextafter(1.5e300, 0), LOWER), "1.499e300"),
    ((math.nextafter(1.5e300, 0), UPPER), "1.5e300"),
    ((5e-324, LOWER), "5e-324"),
    ((5e-324, UPPER), "5e-324"),
    # Nobody counts zeros.
    ((9.99e-13, PLAIN), "9.99e-13"),
    ((1e-12, PLAIN), "0.000000000001"),
    ((9999.4, PLAIN), "9,999"),
    ((9999.6, PLAIN), "10,000"),
    ((123_456_789_012_345.0, PLAIN), "123,456,789,012,345"),
    ((1_234_567_890_123_456.0, PLAIN), "1,235,000,000,000,000"),
    ((1.234e17, PLAIN), "123,400,000,000,000,000"),
    ((1.234e18, PLAIN), "1.234e18"),
    ((1e18, PLAIN), "1e18"),
    # A unit, and a limit beside which it has as many digits as it takes.
    ((1.0, PLAIN), "1"),
    ((1.0, PLAIN, "EUR"), "1 EUR"),
    ((-3.14159, PLAIN, "EUR/h"), "−3.142 EUR/h"),
    ((12_345.67, SPENT, "EUR", 12_345.7), "12,345.7 EUR"),
    ((12_345.67, SPENT, "EUR", 12_345.0), "12,346 EUR"),
    ((1.23456789012341, UPPER, "", 1.23456789012345), "1.23456789012341"),
]
SHARES: list[Row] = [
    # As many digits as count.
    ((1e-9, UPPER), "0 %"),
    ((4.2e-5, UPPER), "0.0042 %"),
    ((0.00421, UPPER), "0.43 %"),
    ((0.0123, UPPER), "1.3 %"),
    ((16.1, UPPER), "1,610 %"),
    ((-1e-9, LOWER), "0 %"),
    ((1.1e-9, PLAIN), "0.00000011 %"),
    ((0.000994, PLAIN), "0.099 %"),
    ((0.001, PLAIN), "0.1 %"),
    ((0.001234, PLAIN), "0.12 %"),
    ((0.009949, PLAIN), "0.99 %"),
    ((0.01, PLAIN), "1 %"),
    ((0.0104, PLAIN), "1 %"),
    ((0.0106, PLAIN), "1.1 %"),
    ((0.9994, PLAIN), "99.9 %"),
    ((1.0, PLAIN), "100 %"),
    ((1.0049, PLAIN), "100 %"),
    ((1.0049, UPPER), "101 %"),
    ((1.0051, PLAIN), "101 %"),
    ((0.12345, TYPED), "12.345 %"),
]
CHANGES: list[Row] = [
    # It is one from rounding on.
    ((1e-9,), "0 %"),
    ((1.1e-9,), "+0.00000011 %"),
    ((-1e-9,), "0 %"),
    ((-1.1e-9,), "−0.00000011 %"),
    ((0.0,), "0 %"),
    ((0.5,), "+50 %"),
    ((-0.0123,), "−1.2 %"),
    *(((nothing,), NOTHING) for nothing in (None, math.inf, -math.inf, math.nan)),
]
CLOCKS: list[Row] = [
    # It turns over.
    ((59.0,), "00:00:59"),
    ((59.6,), "00:01"),
    ((60.0,), "00:01"),
    ((3599.0,), "00:59:59"),
    ((3600.0,), "01:00"),
    ((86_399.4,), "23:59:59"),
    ((86_400.0,), "00:00"),
    ((27_000.0,), "07:30"),
    ((27_005.4,), "07:30:05"),
    ((90_000.0,), "01:00"),
    ((-60.0,), "23:59"),
]
OTHERS: list[tuple[Callable[..., str], Row]] = [
    (in_joules, ((1234.5, SPENT, 1234.6), "1.2345 kJ")),
    *((in_joules, (given, words.replace("W", "J"))) for given, words in POWERS),
    *((typed, ((value,), words)) for value, words in ((0.1 + 0.2, "0.3"), (1e-7, "0.0000001"))),
    (typed, ((123_456.789,), "123,456.789")),
    *((counted, ((n, "task"), f"{n} tasks")) for n in (0, 2)),
    (counted, ((1, "task"), "1 task")),
    (counted, ((1100, "task"), "1,100 tasks")),
]
SAID: dict[Callable[..., str], list[Row]] = {
    **{duration: TIMES, energy: ENERGIES, power: POWERS, amount: AMOUNTS, share: SHARES},
    **{change: CHANGES, clock: CLOCKS},
}


@pytest.mark.parametrize(
    ("say", "given", "words"),
    [
        *((say, *row) for say, rows in SAID.items() for row in rows),
        *((say, *row) for say, row in OTHERS),
    ],
)
def test_it_is_said_in_these_words(
    say: Callable[..., str], given: tuple[Any, ...], words: str
) -> None:
    assert say(*given) == words


@pytest.mark.parametrize(
    ("sense", "mirrored", "above", "below", "negative"),
    [
        (LOWER, UPPER, "1.234", "1.233", "−1.235"),
        (UPPER, LOWER, "1.235", "1.234", "−1.234"),
        (SPENT, EARNED, "1.235", "1.234", "−1.234"),
        (EARNED, SPENT, "1.234", "1.233", "−1.235"),
        (PLAIN, PLAIN, "1.234", "1.234", "−1.234"),
    ],
)
def test_each_sense_rounds_its_way_and_a_sign_turns_it(
    sense: Sense, mirrored: Sense, above: str, below: str, negative: str
) -> None:
    assert sense.mirrored is mirrored
    assert TYPED.mirrored is TYPED
    assert amount(1.234001, sense) == above
    assert amount(1.233999, sense) == below
    assert amount(-1.234001, sense) == negative
    assert amount(1.234, sense) == "1.234"
    # A number for a table is the one that is said.
    assert rounded(1.234001, sense) == float(above)
    assert rounded(-1.234001, sense) == -float(negative[1:])
    assert rounded(0.1234001, sense) == float(f"{above}e-1")


def test_digits_are_as_many_as_are_asked_for() -> None:
    assert amount(math.pi, PLAIN, digits=3) == "3.14"
    assert amount(1234.5, PLAIN, digits=2) == "1,234"
    assert rounded(math.pi, PLAIN, digits=3) == 3.14
    assert rounded(1234.5, PLAIN, digits=2) == 1200
    assert rounded(12_345.0, SPENT) == 12_350
    assert rounded(0.0, SPENT) == 0
    assert rounded(math.inf, SPENT) == math.inf
    assert rounded(-math.inf, SPENT) == -math.inf
    assert math.isnan(rounded(math.nan, SPENT))
