"""What only the page What to buy says: settings in force, progress, and closer looks."""

from dataclasses import replace

import numpy as np

from core.capabilities.provision.two_stage import SearchProgress
from dashboard.screens.provision.answer import so_far
from dashboard.screens.provision.inputs import LimitInputs
from dashboard.screens.provision.words import caution_sentence, in_force, more_sentence


def test_what_is_in_force_has_units(inputs):
    limits = LimitInputs(1.0, 2.0, 9.0, 0.001, 1500.0)
    limited = replace(inputs, limits=limits, whole=True, caution=0.25)
    assert in_force(limited) == [
        "Power up to 1.5 kW",
        "Failures up to 3.6 an hour",
        "At least 2 machines",
        "At most 9 machines",
        "Arrivals ± 50 %, uniform",
        "Times ± 20 %, uniform",
        "Powers ± 10 %, uniform",
        "Whole machines",
        "Weight of the worst 5 %: 25 %",
        "16 scenarios, independent points",
    ]


def test_progress_says_how_much_more_is_possible_once_that_is_known(inputs):
    assert so_far(SearchProgress(3, 1.0, np.inf), inputs) == "Try 3: 3,600 EUR an hour so far"
    assert so_far(SearchProgress(4, 1.0, 1.25), inputs) == (
        "Try 4: 3,600 EUR an hour so far, at most 25 % more is possible"
    )


def test_the_machine_that_adds_most_and_the_one_for_its_price(found):
    assert more_sentence(np.zeros(2), found).startswith("One more machine of any type adds nothing")
    same = more_sentence(np.array([1.0, 0.1]), found)
    assert same == "One more A adds most: 3,600 EUR an hour."
    other = more_sentence(np.array([1.0, 0.5]), found)
    assert other == "One more A adds most: 3,600 EUR an hour. For its price, B adds most."


def test_what_is_best_for_bad_futures_is_said_with_its_price(found):
    best = found.best
    same = caution_sentence(best.values, best.purchase, found)
    assert same == (
        "For the worst 5 % of scenarios alone, no purchase is better than the two-stage one."
    )
    lower = caution_sentence(best.values - 1 / 3600, best.purchase, found)
    assert lower.endswith("that earns 0 EUR an hour more there, and 1 EUR an hour less on average.")
