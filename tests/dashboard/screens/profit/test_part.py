"""What is on offer sums to the price of a batch, and the sentence stays true when it is rounded."""

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from core.capabilities.profit.accept import accept
from core.capabilities.profit.settings import ProfitSettings
from core.capabilities.profit.terms import Terms
from core.engines.relaxed import Front
from core.vocabulary.system import System
from dashboard.screens.profit.part import accepted_frame, offer_of, sentence


def test_the_price_of_a_bag_is_shared_out(testbed_front: Front) -> None:
    settings = ProfitSettings(ratio=1.5)
    offer = offer_of(settings, testbed_front)
    assert offer.deadline == pytest.approx(testbed_front.makespan[-1] / 2, rel=0.01)
    price = settings.terms(testbed_front).price
    assert offer.rewards @ testbed_front.system.task_counts == pytest.approx(price, rel=1e-3)
    assert (
        offer.put_into(settings).rewards_in(testbed_front.system).tolist() == offer.rewards.tolist()
    )


def test_what_was_said_is_on_offer(testbed_front: Front) -> None:
    name = testbed_front.system.task_types[1].name
    offer = offer_of(ProfitSettings(deadline=7.0, rewards=((name, 3.0),)), testbed_front)
    assert offer.deadline == 7.0
    assert offer.frame["reward"].tolist() == [0.0, 3.0] + [0.0] * (len(offer.frame) - 2)


def test_a_price_of_nothing_offers_nothing(testbed_front: Front) -> None:
    assert not offer_of(ProfitSettings(by="bag", price=0.0), testbed_front).rewards.any()


@pytest.mark.parametrize(
    ("ratio", "deadline", "said"),
    [
        (2.0, 6000.0, "Accept {n} of "),
        (2.0, 1e6, "Accept all "),
        (
            0.0,
            6000.0,
            "Accept no tasks: no task earns money within 1 h 40 min, and idle machines cost ",
        ),
    ],
)
def test_the_sentence_says_how_many_and_what_they_earn(
    testbed_front: Front, ratio: float, deadline: float, said: str
) -> None:
    settings = ProfitSettings(ratio=ratio)
    offer = offer_of(settings, testbed_front)
    terms = settings.part_terms(testbed_front)
    part = accept(testbed_front.system, terms, offer.rewards, deadline)
    told = sentence(part, deadline, settings.money)
    assert told.startswith(said.format(n=f"{int(part.accepted.sum()):,}"))
    frame = accepted_frame(part)
    assert frame["Accept"].tolist() == part.accepted.tolist()
    offered = testbed_front.system.task_counts
    assert frame["Of all (%)"].to_numpy() * offered == pytest.approx(100 * part.accepted, rel=1e-3)
    if part.profit > 0:
        earned = float(told.split("earns ")[1].split()[0].replace(",", ""))
        assert earned == pytest.approx(part.profit * deadline, rel=1e-3)
        assert earned <= part.profit * deadline
        assert not math.isnan(earned)


def test_tasks_that_bring_less_than_machines_cost_lose(testbed_front: Front) -> None:
    settings = ProfitSettings(ratio=1.1, overhead=1.0)
    part = accept(
        testbed_front.system,
        settings.part_terms(testbed_front),
        offer_of(settings, testbed_front).rewards,
        2e4,
    )
    assert part.accepted.any()
    assert "tasks. This loses " in sentence(part, 2e4, settings.money)


@pytest.mark.parametrize(
    ("profit", "most", "said"),
    [
        (99.996, 100.014345, "earns 99.99 EUR within 3 min 20 s, at most 0.019 % below the best."),
        (
            -99.996,
            -50.004,
            "loses 100 EUR within 3 min 20 s; no choice can earn more than −50 EUR.",
        ),
    ],
)
def test_what_is_earned_is_rounded_down_what_is_lost_and_the_bound_up(
    two_by_two: Callable[..., System], profit: float, most: float, said: str
) -> None:
    part = accept(two_by_two(), Terms(0.0), np.array([300.0, 350.0]), 200.0)
    bound = replace(part.bound, value=most / 200)
    part = replace(part, profit=profit / 200, bound=bound)
    assert sentence(part, 200.0, ProfitSettings().money) == f"Accept all 12 tasks. This {said}"
