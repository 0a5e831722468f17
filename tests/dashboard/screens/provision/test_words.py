"""What only the page What to buy says: settings in force, progress, and closer looks."""

from dataclasses import replace

import numpy as np
from capabilities.provision.plans import e1

from core.capabilities.provision.first_stage import Purchase
from core.capabilities.provision.two_stage import SearchProgress
from core.vocabulary.node_use import BusyChanges, NodeUse
from dashboard.screens.provision.answer import so_far
from dashboard.screens.provision.inputs import LimitInputs
from dashboard.screens.provision.words import (
    busy_at_once_said,
    caution_sentence,
    in_force,
    more_sentence,
)


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


def test_a_sale_that_leaves_fewer_nodes_than_were_busy_at_once_is_said():
    """Issue 35: What to buy sold 38 of 40 nodes of which 26 were needed at once."""
    busy = tuple(BusyChanges(np.array([1.0, 2.0]), np.array([most, -1])) for most in (26, 3, 9))
    use = NodeUse(
        ("M1", "M2", "gone"),
        np.array([40, 40, 40]),
        np.array([1.0, 2.0, 1.0]),
        0.0,
        9.0,
        busy,
        (),
        np.zeros(0, np.int64),
        np.zeros(0),
    )

    def said(left, sold):
        counts = np.array([*left, 0.0])
        return busy_at_once_said(
            e1(), Purchase(0 * counts, np.array([*sold, 0.0]), counts, 0.0), use
        )

    assert said((2, 80), (38, 0)).startswith(
        "In the log up to 26 nodes of M1 (2 left after the sale) were busy at once. The advice "
    )
    assert "M1 (25 left after the sale) and 3 nodes of M2 (2.5 left" in said((25, 5), (15, 75))
    assert said((26, 6), (14, 74)) == ""
    assert said((2, 2), (0, 0)) == "", "what is not sold is no advice"
