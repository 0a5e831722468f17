"""Under a power cap the peak is told: never below what is drawn, or above a cap that it keeps."""

import pytest

from core.vocabulary.say.caps import peak_in_words


@pytest.mark.parametrize(
    ("peak", "cap", "said"),
    [
        (
            28_250.0,
            20_000.0,
            "the cap of 20 kW limits only its average power: the peak is 28.25 kW",
        ),
        (
            20_000.1,
            20_000.0,
            "the cap of 20 kW limits only its average power: the peak is 20.01 kW",
        ),
        (20_000.000001, 20_000.0, "its power never exceeds the cap of 20 kW"),
        (20_000.0, 20_000.0, "its power never exceeds the cap of 20 kW"),
        (0.0, 20_000.0, "its power never exceeds the cap of 20 kW"),
    ],
)
def test_a_cap_limits_the_average_and_the_peak_is_told(peak: float, cap: float, said: str) -> None:
    """Issue 33, point 17: a schedule peaks at 28.25 kW under a cap of 20."""
    assert peak_in_words(peak, cap) == said
