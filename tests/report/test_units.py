"""Numbers are said with four digits, or all before the point."""

import pytest

from core.report.units import digits


@pytest.mark.parametrize(
    ("value", "said"),
    [
        (0.0, "0"),
        (1234567.0, "1,234,567"),
        (12.3456, "12.35"),
        (0.00123456, "0.001235"),
        (1e-9, "1.000e-09"),
        (float("inf"), "–"),
        (float("nan"), "–"),
    ],
)
def test_four_digits_or_all_before_the_point(value: float, said: str) -> None:
    assert digits(value) == said
