"""Whatever the prices, no schedule earns more than they prove."""

import numpy as np
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from strategies import schedules, systems

from core.capabilities.profit.earn import earnings
from core.capabilities.profit.program import most_profit, most_profit_of_part
from core.capabilities.profit.proof import PartOfBatch, proven_profit


@examples(12)
@given(st.data())
def test_any_prices_prove_a_bound_on_any_schedule(any_terms, data):
    schedule = data.draw(schedules(systems(with_apc=True)))
    system = schedule.system
    terms = data.draw(any_terms(system))
    prices = st.floats(0, 1e6)
    machines = data.draw(st.tuples(*[prices] * len(system.machine_types)))
    # Without a cap a watt is free.
    cap_price = data.draw(prices) if np.isfinite(terms.cap) else 0.0
    bound = proven_profit(system, terms, np.array(machines), cap_price)
    assert earnings(schedule, terms).profit <= bound


@examples(12)
@given(st.data())
def test_no_prices_prove_less_than_the_optimum(any_terms, data):
    """Prices a little off the best prove a little more."""
    system = data.draw(systems(dyadic=True, with_apc=True))
    terms = data.draw(any_terms(system))
    best = most_profit(system, terms)
    factor = data.draw(st.floats(0, 3))
    off = proven_profit(
        system, terms, best.machine_prices * factor, best.cap_price * data.draw(st.floats(0, 3))
    )
    assert off >= best.value - 1e-8 * (abs(best.value) + best.standing_costs)
    same = proven_profit(system, terms, best.machine_prices, best.cap_price)
    assert same == best.value


@examples(12)
@given(st.data())
def test_of_part_of_a_bag_likewise(any_terms, any_rewards, data):
    system = data.draw(systems(dyadic=True, with_apc=True))
    terms = data.draw(any_terms(system))
    rewards = data.draw(any_rewards(system))
    period = data.draw(st.floats(0.1, 100))
    best = most_profit_of_part(system, terms, rewards, period)
    off = proven_profit(
        system,
        terms,
        best.machine_prices * data.draw(st.floats(0, 3)),
        best.cap_price * data.draw(st.floats(0, 3)),
        PartOfBatch(rewards, period),
    )
    scale = abs(best.value) + best.standing_costs + float(rewards @ system.task_counts) / period
    assert off >= best.value - 1e-8 * scale
