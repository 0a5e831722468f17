"""A share with its interval is said in tenths of a percent, and its interval is rounded up."""

import pytest

from core.vocabulary.say.within import points, points_up, share_within


@pytest.mark.parametrize(
    ("mean", "half_width", "said"),
    [
        (0.7834, 0.00401, "78.3 ± 0.5 %"),
        (0.7836, 0.004, "78.4 ± 0.4 %"),
        (1.0, 0.0, "100.0 ± 0.0 %"),
        (0.5, 1e-6, "50.0 ± 0.1 %"),
    ],
)
def test_a_share_with_its_interval(mean: float, half_width: float, said: str) -> None:
    assert share_within(mean, half_width) == said


def test_points_have_no_unit() -> None:
    assert (points(0.105), points_up(0.105), points_up(0.1051)) == ("10.5", "10.5", "10.6")
    assert points(-0.0123) == "−1.2"
