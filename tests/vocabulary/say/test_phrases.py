"""Short phrases say what is meant."""

import numpy as np
import pytest
from drafts import Draft, mark

from core.vocabulary.say.columns import size_in_words
from core.vocabulary.say.phrases import (
    core_hours,
    estimates_in_a_sentence,
    estimates_in_words,
    peak_in_words,
    points,
    points_up,
)


def test_points_have_no_unit() -> None:
    assert (points(0.105), points_up(0.105), points_up(0.1051)) == ("10.5", "10.5", "10.6")
    assert points(-0.0123) == "−1.2"


def test_one_core_hour_is_one() -> None:
    said = [core_hours(3600 * hours) for hours in (0.0, 0.5, 1.0001, 1234.0)]
    assert said == ["0 core-hours", "0.5 core-hours", "1 core-hour", "1,234 core-hours"]


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


def marked(*cells: tuple[int, int]) -> Draft:
    draft = Draft()
    mark(*cells)(draft)
    return draft


def test_of_a_system_that_was_measured_nothing_is_said() -> None:
    system = Draft().system()
    assert (estimates_in_words(system), estimates_in_a_sentence(system)) == ("", "")
    assert size_in_words(system).endswith("(5 machines)")


@pytest.mark.parametrize(
    ("cells", "said", "sentence"),
    [
        (
            [(0, 0)],
            "1 of 3 pairs that can run is an estimate",
            "1 of 3 pairs that can run is an estimate, not a measurement.",
        ),
        (
            [(0, 0), (1, 0)],
            "2 of 3 pairs that can run are estimates",
            "2 of 3 pairs that can run are estimates, not measurements.",
        ),
    ],
)
def test_pairs_that_cannot_run_are_left_out(
    cells: list[tuple[int, int]], said: str, sentence: str
) -> None:
    system = marked(*cells).system()
    assert estimates_in_words(system) == said
    assert estimates_in_a_sentence(system) == sentence
    assert size_in_words(system).endswith(f"(5 machines); {said}")


def test_if_every_pair_can_run_they_are_just_pairs() -> None:
    draft = marked((0, 0), (1, 1))
    draft.etc, draft.apc = np.ones((2, 2)), None
    assert estimates_in_words(draft.system()) == "2 of 4 pairs are estimates"
