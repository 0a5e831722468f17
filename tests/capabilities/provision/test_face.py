"""Rules that a program gives hold for what is bought, as text and as constraints of cvxpy alike."""

from functools import partial

import numpy as np
import pytest

from core import InvalidInput, plan, plan_front, plan_goal
from core.capabilities.provision.goals.goal import Goal


def test_a_rule_is_the_same_in_words_and_in_cvxpy():
    import cvxpy  # which takes a second

    free = plan("e1", scenarios=20, whole=False).compared.outcomes["rp"].purchase.counts
    assert free[1] < 0.5 * free.sum()
    found = [
        plan("e1", scenarios=20, whole=False, rules=[rule]).compared.outcomes["rp"].purchase.counts
        for rule in (
            "M2 >= 50 % of all",
            lambda bought, sold, there: there[1] >= 0.5 * cvxpy.sum(there),
        )
    ]
    assert found[0][1] >= 0.5 * found[0].sum() * (1 - 1e-9)
    np.testing.assert_allclose(found[0], found[1], atol=1e-6)


def test_rules_hold_for_goals_and_fronts():
    rules = ["bought(M1) <= 0"]
    answer = plan_goal("e1", Goal("cost", reward=1.0), scenarios=20, rules=rules)
    assert answer.decision.purchase.buy[0] <= 1e-9
    front = plan_front("e1", ["reward", "cost"], scenarios=2, rules=rules).front
    assert all(point.purchase.buy[0] <= 1e-9 for point in front.points)


def is_short(bought, sold, there):
    import cvxpy  # which takes a second

    return cvxpy.norm(there) <= 3


@pytest.mark.parametrize(
    ("rule", "why"), [("M1 * M2 <= 3", "not linear"), (is_short, "not linear")]
)
def test_a_rule_that_is_not_linear_is_refused(rule, why):
    with pytest.raises(InvalidInput, match=why):
        plan("e1", scenarios=20, rules=[rule])


@pytest.mark.parametrize(
    ("rules", "why"),
    [
        ([lambda bought: bought[0] <= 1], "have <lambda>, which is no function of the machines"),
        ([3], "have int, which is no function of the machines bought, sold and there"),
    ],
)
def test_what_is_no_rule_is_refused(rules, why):
    with pytest.raises(InvalidInput, match=why):
        plan("e1", scenarios=20, rules=rules)


def test_a_rule_may_be_a_function_of_which_some_is_given():
    def at_most(most, bought, _sold, _there):
        return bought[0] <= most

    found = plan("e1", scenarios=20, rules=[partial(at_most, 1.0)]).compared.outcomes["rp"]
    assert found.purchase.buy[0] <= 1
