"""The purchase with the least wait is that of trying all purchases, and the cheapest of equals."""

from dataclasses import replace

import numpy as np
import pytest
from capabilities.provision.by_enumeration import purchases
from capabilities.provision.plans import odd_plan
from capabilities.provision.test_queue import makespan
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from core.capabilities.provision.files.plan_format import read_plan
from core.capabilities.provision.first_stage import Purchase
from core.capabilities.provision.least_wait import LeastWait, least_wait
from core.capabilities.provision.queue import WeekQueue, queue_after
from core.capabilities.provision.week_search import NEAR
from core.capabilities.provision.week_told import WeekAnswer, best_of_week, told_of_week
from core.engines.lp.program import Infeasible
from core.files.samples.named import plan_folder
from core.vocabulary.budget import Cancelled
from core.vocabulary.problems import InvalidInput


def small_week(seed):
    """A small plan without limits on what machines do, and the tasks of each of five hours."""
    random = np.random.default_rng([seed, 7])
    plan, _ = odd_plan(seed)
    limits = replace(plan.limits, power=np.inf, failure_rate=np.inf)
    demands = tuple(replace(one, arrival_rate=random.uniform(0.1, 0.8)) for one in plan.demands)
    profile = random.choice([0.0, 0.2, 1.0, 2.5], (3, len(demands)))
    return replace(plan, demands=demands, limits=limits), profile


def cost_of(plan, buy, sell):
    return plan.prices @ buy - plan.resales @ sell


def longest_queue(plan, profile, counts):
    """By the program of each hour, from its definition."""
    batches = plan.arrival_rates * 3600.0 * profile
    counted = replace(
        plan,
        offers=tuple(
            replace(offer, count=count, most=np.inf, least=0.0)
            for offer, count in zip(plan.offers, counts.tolist(), strict=True)
        ),
    )
    needed = np.array([makespan(counted, batch) for batch in batches])
    return float(queue_after(needed).max())


def test_what_does_not_go_with_it_is_refused():
    plan, profile = small_week(1)
    for limit in ({"power": 1e3}, {"failure_rate": 1.0}):
        bound = replace(plan, limits=replace(plan.limits, **limit))
        with pytest.raises(InvalidInput, match="least wait"):
            least_wait(bound, profile)
    with pytest.raises(InvalidInput, match="hours in which work arrives"):
        best_of_week(read_plan(plan_folder("e1")), "wait", None)
    with pytest.raises(Cancelled):
        least_wait(plan, profile, lambda: True)


def told(file, found):
    return told_of_week(WeekAnswer(file, "wait", found))


def test_its_proof_is_said():
    file = read_plan(plan_folder("e1"))
    counts = file.plan.counts
    waits = WeekQueue(np.full(24, 10_800.0), np.append(np.zeros(23), 3600.0))
    none = Purchase(0 * counts, 0 * counts, counts, 0.0)
    proven, open_gap = (LeastWait(none, waits, bound, 3) for bound in (3600.0, 1800.0))
    assert "has a shorter longest queue (proven)" in told(file, proven).sentences[1]
    assert "has a longest queue below 30 min" in told(file, open_gap).sentences[1]
    assert told(file, proven).figures[0].value == "1 h"
    assert "falls from 3 h to 1 h" in told(file, proven).lead
    assert told(file, None).lead.endswith("no end (proven).")


@examples(12)
@given(st.integers(0, 2**32))
def test_it_is_the_best_of_all_purchases(seed):
    plan, profile = small_week(seed)
    tried = [
        (
            longest_queue(plan, profile, plan.counts + buy - sell),
            plan.prices @ buy - plan.resales @ sell,
        )
        for buy, sell in purchases(plan)
    ]
    best = min((queue for queue, _ in tried), default=np.inf)
    if best == np.inf:
        with pytest.raises(Infeasible):
            least_wait(plan, profile)
        return
    found = least_wait(plan, profile)
    near = max(NEAR, 2e-3 * best)
    assert found.is_proven
    assert found.bound <= best + 1e-3
    assert found.longest <= best + near
    assert found.longest == pytest.approx(
        longest_queue(plan, profile, found.purchase.counts), rel=1e-6, abs=1e-3
    )
    cheapest = min(cost for queue, cost in tried if queue <= best + 1e-6)
    assert found.purchase.cost <= cheapest + 1e-6
