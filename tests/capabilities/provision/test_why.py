"""What another number of machines of a type loses is what trying all purchases says."""

from dataclasses import replace

import numpy as np
import pytest
from capabilities.provision.by_enumeration import best_whole
from capabilities.provision.plans import e1, odder_plan
from examples import examples
from hypothesis import assume, given
from hypothesis import strategies as st

from core.capabilities.provision.first_stage import Purchase
from core.capabilities.provision.second_stages import Weights
from core.capabilities.provision.two_stage import decide
from core.capabilities.provision.why import Regret, TypeRegret, regrets
from core.capabilities.provision.words import why_said
from core.engines.lp.program import Infeasible
from core.vocabulary.budget import Cancelled


def with_counts(plan, least, most):
    """The plan with other limits of counts; None if they contradict each other."""
    if any(low > high for low, high in zip(least, most, strict=True)):
        return None
    bounds = zip(plan.offers, least, most, strict=True)
    return replace(
        plan, offers=tuple(replace(one, least=low, most=high) for one, low, high in bounds)
    )


@examples(3)
@given(st.integers(0, 2**32))
def test_regrets_are_those_of_enumeration(seed):
    plan, scenarios = odder_plan(seed)
    weights = Weights()
    try:
        best = decide(plan, scenarios, weights, whole=True)
    except Infeasible:
        assume(False)
        return
    counts, least, most = best.purchase.counts, plan.least.tolist(), plan.most.tolist()
    found = regrets(plan, scenarios, weights, best.purchase)
    for j, regret in enumerate(found):
        others = [min(high, one) for high, one in zip(most, plan.counts.tolist(), strict=True)]
        tries = {
            "more": (_at(least, j, max(least[j], counts[j] + 1)), most),
            "fewer": (least, _at(most, j, min(most[j], counts[j] - 1))),
            "alone": (least, _at(others, j, most[j])),
        }
        for way, (low, high) in tries.items():
            other = with_counts(plan, low, high)
            value = -np.inf if other is None else best_whole(other, scenarios, weights)
            lost = getattr(regret, way)
            if lost is None:
                assert value == -np.inf
            else:
                loss = (best.lower - value) / (abs(best.lower) or 1.0)
                assert lost.loss == pytest.approx(max(loss, 0.0), abs=1e-5)
                assert lost.loss > 0 or lost.cost >= -1e-3 * plan.prices.max()


def _at(values, place, value):
    return [value if j == place else one for j, one in enumerate(values)]


def test_a_search_that_is_stopped_says_so():
    plan, scenarios = odder_plan(1)
    best = decide(plan, scenarios, Weights(), whole=True)
    with pytest.raises(Cancelled):
        regrets(plan, scenarios, Weights(), best.purchase, should_stop=lambda: True)


def test_each_type_has_a_sentence():
    plan = e1()
    purchase = Purchase(np.array([2.0, 0, 0]), np.zeros(3), np.array([2.0, 0, 0]), 2.0)
    none = TypeRegret(None, None, None)
    first = TypeRegret(Regret(0.0, 1.5), Regret(0.012, -2.0), Regret(0.0, 0.0))
    assert why_said(plan, purchase, [first, none, none], "EUR") == [
        "M1: buy 2; one fewer loses 1.2 %, one more costs 1.5 EUR more and to buy no other type "
        "is as good.",
        "M2: buy none; one more breaks a limit.",
        "M3: buy none; one more breaks a limit.",
    ]
