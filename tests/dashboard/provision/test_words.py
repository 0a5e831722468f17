"""What a purchase costs, brings and leaves, in words."""

from dataclasses import replace

import numpy as np
import pytest

from core.provision.first_stage import Purchase
from core.provision.two_stage import SearchProgress
from core.provision.words import TIES
from dashboard.provision.answer import ProvisionAnswer
from dashboard.provision.inputs import LimitInputs, PlanInputs
from dashboard.provision.words import (
    caution_sentence,
    figures,
    in_force,
    is_whole,
    more_sentence,
    sentence,
    sentences,
    so_far,
)


def bought(found: ProvisionAnswer, buy: list[float], sell: list[float]) -> ProvisionAnswer:
    """The same answer with another two-stage purchase."""
    plan = found.plan
    one, other = np.array(buy), np.array(sell)
    cost = float(one @ plan.prices - other @ plan.resales)
    purchase = Purchase(one, other, plan.counts + one - other, cost)
    best = replace(found.best, purchase=purchase)
    outcomes = {**found.found.outcomes, "rp": best}
    return replace(found, found=replace(found.found, outcomes=outcomes))


def test_buying_and_selling_are_said_with_their_cost(found: ProvisionAnswer) -> None:
    both = sentence(bought(found, [2.0, 0.0], [0.0, 1.0]))
    assert both.startswith("Buy 2 machines and sell 1 machine for 190 EUR. Expected reward: ")
    brings = sentence(bought(found, [0.0, 0.0], [1.0, 0.0]))
    assert brings.startswith("Sell 1 machine, which brings 40 EUR. ")
    assert sentence(bought(found, [0, 0], [0, 0])).startswith("Buy and sell nothing. ")
    assert sentence(found).endswith(" EUR an hour.")


def test_types_are_named_and_the_rest_of_the_budget_too(found: ProvisionAnswer) -> None:
    """Issue 33, point 32: also power, failures, limits, and what comes of buying nothing."""
    said = list(sentences(bought(found, [1.25, 0.0], [0.0, 1.0])))
    assert said[0] == "Buy 1.2 A, sell 1 B. Numbers of machines need not be whole here."
    assert said[1] == "85 EUR of the budget is left."
    assert said[2] == "Limits reached: none."
    assert said[3].startswith("It draws ")
    assert " failures an hour on average." in said[3]
    assert said[4].startswith("Buying and selling nothing earns ")
    assert "by its reward, the purchase pays for itself in " in said[4]
    assert said[5] == TIES
    whole = list(sentences(bought(found, [2.0, 0.0], [0.0, 0.0])))
    assert whole[0] == "Buy 2 A."
    assert not any("of the budget" in one for one in whole)
    assert whole[1] == "Limits reached: the budget."
    assert whole[4] == TIES, "the rule is said also where nothing is left"


def test_whole_is_but_for_rounding() -> None:
    nothing = np.zeros(1)
    assert is_whole(Purchase(np.array([2.004]), nothing, nothing, 0.0))
    assert not is_whole(Purchase(np.array([2.006]), nothing, nothing, 0.0))


def test_figures_have_power_and_failures_only_if_there_are_any(
    found: ProvisionAnswer, certain: ProvisionAnswer
) -> None:
    labels = [figure.label for figure in figures(found)]
    assert labels[:4] == ["Cost", "Expected reward", "Knowing the future", "Mean future only"]
    assert "Mean power" in labels
    best = replace(certain.best, power=None, failures=0.0)
    outcomes = {**certain.found.outcomes, "rp": best}
    without = replace(certain, found=replace(certain.found, outcomes=outcomes))
    assert [figure.label for figure in figures(without)] == labels[:4]


def test_what_is_in_force_has_units(inputs: PlanInputs) -> None:
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
        "Bad futures count 25 %",
        "16 scenarios, independent points",
    ]


def test_progress_says_how_much_more_is_possible_once_that_is_known(inputs: PlanInputs) -> None:
    assert so_far(SearchProgress(3, 1.0, np.inf), inputs) == "Try 3: 3,600 EUR an hour so far"
    assert so_far(SearchProgress(4, 1.0, 1.25), inputs) == (
        "Try 4: 3,600 EUR an hour so far, at most 25 % more is possible"
    )


def test_the_machine_that_adds_most_and_the_one_for_its_price(found: ProvisionAnswer) -> None:
    assert more_sentence(np.zeros(2), found).startswith("One more machine of any type adds nothing")
    same = more_sentence(np.array([1.0, 0.1]), found)
    assert same == "One more A adds most: 3,600 EUR an hour."
    other = more_sentence(np.array([1.0, 0.5]), found)
    assert other == "One more A adds most: 3,600 EUR an hour. For its price, B adds most."


def test_few_machines_are_not_said_to_be_none(found: ProvisionAnswer) -> None:
    few = list(sentences(bought(found, [0.02, 0.2], [0.0, 0.0])))
    assert few[0].startswith("Buy 0.2 B and 0.02 A. ")
    none = list(sentences(bought(found, [0.004, 0.2], [0.0, 0.0])))
    assert none[0].startswith("Buy 0.2 B. ")


@pytest.mark.parametrize(("share", "adds"), [(0.9e-6, False), (1.1e-6, True)])
def test_what_is_only_the_gap_of_the_methods_is_nothing(
    found: ProvisionAnswer, share: float, adds: bool
) -> None:
    """Sentences and key figures say it alike."""
    values = found.best.values + share * found.found.decision.upper
    known = replace(found, found=replace(found.found, wait_and_see=values))
    figure = next(one for one in figures(known) if one.label == "Knowing the future")
    assert (figure.value != "+0 EUR an hour") == adds
    assert any("would add nothing (EVPI)" in one for one in sentences(known)) == (not adds)


def test_what_is_best_for_bad_futures_is_said_with_its_price(found: ProvisionAnswer) -> None:
    best = found.best
    same = caution_sentence(best.values, best.purchase, found)
    assert same == (
        "For the worst 5 % of scenarios alone, no purchase is better than the two-stage one."
    )
    lower = caution_sentence(best.values - 1 / 3600, best.purchase, found)
    assert lower.endswith("that earns 0 EUR an hour more there, and 1 EUR an hour less on average.")


def test_what_is_left_may_be_too_little_for_a_machine(found: ProvisionAnswer) -> None:
    """Issue 33, point 32: of a budget that is reached, something is left if machines are whole."""
    one = bought(found, [1.0, 1.5], [0.0, 0.0])
    decision = replace(one.found.decision, in_parts=9.0)
    whole = replace(one, found=replace(one.found, decision=decision))
    said = list(sentences(whole))
    assert said[1] == "40 EUR of the budget is left."
    less = list(sentences(replace(whole, found=bought(whole, [1.0, 1.75], [0.0, 0.0]).found)))
    assert less[1] == "30 EUR of the budget is left, less than one more machine costs."
    assert less[2] == "Limits reached: the budget."


def test_power_is_one_number_in_words_and_figures(found: ProvisionAnswer) -> None:
    power = next(one.value for one in figures(found) if one.label == "Mean power")
    assert any(f"It draws {power} and has " in one for one in sentences(found))
