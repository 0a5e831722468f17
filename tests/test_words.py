"""A quantity in words carries its unit and, rounded up or down, stays true."""

import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.words import clock, counted, duration, energy, share, significant

SECONDS = {
    "d": 86400.0,
    "h": 3600.0,
    "min": 60.0,
    "s": 1.0,
    "ms": 1e-3,
    "µs": 1e-6,
    "ns": 1e-9,
}


def read_back(text: str) -> float:
    parts = re.findall(r"([\d.,]+) (\S+)", text)
    return sum(float(number.replace(",", "")) * SECONDS[unit] for number, unit in parts)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.0, "0 s"),
        (0.0032, "3.2 ms"),
        (0.99999, "1,000 ms"),
        (10.799999999999947, "10.8 s"),
        (119.0, "119 s"),
        (120.0, "2 min"),
        (2597.218, "43 min 17 s"),
        (3599.7, "60 min"),
        (6420.0, "1 h 47 min"),
        (100_000.0, "1 d 4 h"),
        (86400.0 * 11_574, "11,574 d"),
    ],
)
def test_a_time_is_said_in_its_two_largest_units(seconds: float, words: str) -> None:
    assert duration(seconds) == words


@given(st.floats(1e-8, 1e14))
def test_a_time_rounded_down_or_up_is_no_longer_or_no_shorter(seconds: float) -> None:
    slack = 1e-8 * seconds  # what a computed value is off by
    assert read_back(duration(seconds, math.floor)) <= seconds + slack
    assert read_back(duration(seconds, math.ceil)) >= seconds - slack


@given(st.floats(1e-8, 1e14))
def test_a_time_is_rounded_by_a_few_percent_at_most(seconds: float) -> None:
    assert read_back(duration(seconds)) == pytest.approx(seconds, rel=0.03)


@pytest.mark.parametrize(
    ("joules", "words"),
    [
        (0.0, "0 J"),
        (1404.0, "1.4 kJ"),
        (0.5 * 3.6e6, "0.5 kWh"),
        (1.234e7, "3.43 kWh"),
        (3.6e9, "1 MWh"),
    ],
)
def test_an_energy_is_said_as_on_a_bill(joules: float, words: str) -> None:
    assert energy(joules) == words


@pytest.mark.parametrize(
    ("fraction", "words"),
    [(0.0, "0.00 %"), (0.00421, "0.43 %"), (0.0123, "1.3 %"), (0.932, "93.2 %"), (16.1, "1,610 %")],
)
def test_a_share_rounded_up_is_at_least_itself(fraction: float, words: str) -> None:
    assert share(fraction, math.ceil) == words


def test_a_number_and_its_noun_agree() -> None:
    assert [counted(n, "task") for n in (0, 1, 1100)] == ["0 tasks", "1 task", "1,100 tasks"]


@given(st.floats(1e-9, 1e12) | st.floats(5e-324, 1e-9))
def test_any_amount_rounded_up_or_down_stays_true(value: float) -> None:
    low = float(significant(value, math.floor).replace(",", ""))
    high = float(significant(value, math.ceil).replace(",", ""))
    assert low <= value * (1 + 1e-9)
    assert value <= high * (1 + 1e-9)
    assert high - low <= 1.001e-3 * high


@pytest.mark.parametrize(
    ("value", "said"),
    [(0, "0"), (12345.6, "12,346"), (0.012345, "0.01234"), (1.2345e-20, "1.234e-20")],
)
def test_four_digits_count(value: float, said: str) -> None:
    assert significant(value) == said


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
