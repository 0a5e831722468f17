"""The queue over a week is that of a queue run second by second, and the time that each hour of
work takes is that of a program written down as it is.
"""

from dataclasses import replace

import numpy as np
import pytest
from capabilities.provision.plans import odd_plan
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from core.capabilities.provision.first_stage import Purchase
from core.capabilities.provision.plan import Plan
from core.capabilities.provision.queue import WeekQueue, queue_after, shortest_times, week_queue
from core.vocabulary.arrivals import HourlyArrivals
from core.vocabulary.say.words import HOUR


def run_step_by_step(needed, periods):
    """The queue at the end of each hour of the last of some periods, which begin with none."""
    waits, ends = 0.0, np.zeros(len(needed))
    for _ in range(periods):
        for hour, work in enumerate(needed.tolist()):
            for _ in range(4):
                waits = max(waits + (work - HOUR) / 4, 0.0)
            ends[hour] = waits
    return ends


@examples(60)
@given(st.lists(st.floats(0, 3 * HOUR), min_size=1, max_size=30))
def test_the_queue_is_that_of_a_run_step_by_step(needed):
    hours = np.array(needed)
    found = queue_after(hours)
    if hours.sum() <= HOUR * len(hours):
        assert found == pytest.approx(run_step_by_step(hours, 3), abs=1e-6)
    else:
        assert np.isinf(found).all()


@examples(16)
@given(st.integers(0, 2**32))
def test_hours_of_work_take_the_shortest_makespan(seed):
    plan, _ = odd_plan(seed)
    random = np.random.default_rng([seed, 2])
    batches = random.uniform(0, 5, (3, len(plan.demands)))
    found = shortest_times(plan, batches, plan.counts)
    for batch, seconds in zip(batches, found.tolist(), strict=True):
        assert seconds == pytest.approx(makespan(plan, batch), rel=1e-7)


def makespan(plan, batch):
    """The shortest time of a batch, from its definition: seconds of each pair, and the time."""
    tasks, machines = plan.times.shape
    columns = tasks * machines + 1
    runs, busy = np.zeros((tasks, columns)), np.zeros((machines, columns))
    for i in range(tasks):
        for j in range(machines):
            if np.isfinite(plan.times[i, j]):
                runs[i, i * machines + j] = 1 / plan.times[i, j]
                busy[j, i * machines + j] = 1
    busy[:, -1] = -plan.counts
    found = linprog(np.eye(columns)[-1], busy, np.zeros(machines), runs, batch, method="highs")
    return float(found.fun) if found.status == 0 else np.inf


def test_a_purchase_shortens_the_queue_of_the_worst_day():
    """One machine does 60 tasks an hour. On Tuesday, 90 an hour come for 8 hours; a second one
    leaves no queue.
    """
    plan, _ = odd_plan(0)
    plan = Plan(
        plan.demands[:1],
        (replace(plan.offers[0], count=1.0, most=np.inf),),
        np.array([[60.0]]),
        replace(plan.limits, budget=10.0),
    )
    week = np.full((168, 1), 30.0)
    week[24 + 9 : 24 + 17] = 90.0
    plan = replace(plan, demands=(replace(plan.demands[0], arrival_rate=week.mean() / HOUR),))
    known = HourlyArrivals((plan.demands[0].name,), np.full((24, 1), week.mean()), 14.0, week)
    bought = Purchase(np.ones(1), np.zeros(1), np.full(1, 2.0), 1.0)
    found = week_queue(plan, known.profile([plan.demands[0].name]), bought)
    assert found.day == "Tuesday"
    assert found.longest == pytest.approx((4 * HOUR, 0.0), abs=1e-6)


def test_without_a_week_the_queue_is_of_a_day():
    found = WeekQueue(np.arange(24.0), np.zeros(24))
    assert (found.day, found.longest) == ("", (23.0, 0.0))
    endless = WeekQueue(np.full(168, np.inf), np.arange(168.0))
    assert (endless.day, endless.longest) == ("Sunday", (np.inf, 167.0))
