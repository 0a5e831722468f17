"""How many pairs are estimates is said once, out of those that can run, and not if none is."""

import numpy as np
import pytest
from drafts import Draft, mark

from core.vocabulary.say.columns import size_in_words
from core.vocabulary.say.estimates import estimates_in_a_sentence, estimates_in_words


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
