"""The purchase with the least energy is that of trying all purchases after which no queue is longer
than today's, and the cheapest of equals.
"""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from capabilities.provision.by_enumeration import purchases
from capabilities.provision.test_least_wait import longest_queue, small_week
from capabilities.provision.test_queue import makespan
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from core.capabilities.provision import week_search
from core.capabilities.provision.files.plan_format import read_plan
from core.capabilities.provision.first_stage import Purchase
from core.capabilities.provision.least_energy import (
    EnergySearch,
    LeastEnergy,
    WeekWork,
    least_energy,
)
from core.capabilities.provision.plan import MachineOffer, Plan, PlanLimits, TaskDemand
from core.capabilities.provision.queue import WeekQueue
from core.capabilities.provision.rules import read_rule
from core.capabilities.provision.week_search import GAP, NEAR
from core.capabilities.provision.week_told import WeekAnswer, told_of_week
from core.engines.lp.program import Infeasible, Program
from core.files.samples.named import plan_folder
from core.vocabulary.budget import Cancelled, never
from core.vocabulary.prices.site import Site
from core.vocabulary.problems import InvalidInput

_ALIKE = 1e-5
_WEEK = 168


def week_energy(plan, profile, counts, wait):
    """Joules a week from the definition: tasks of each hour that run on each machine type, and the
    machine-seconds that wait for it after the hour; infinite if no task may wait so long.
    """
    batches = plan.arrival_rates * 3600.0 * profile
    (hours, tasks), machines = batches.shape, len(counts)
    runs = np.isfinite(plan.times)
    width = hours * (tasks * machines + machines)

    def task_at(h, i, j):
        return (h * tasks + i) * machines + j

    def wait_at(h, j):
        return hours * tasks * machines + (h % hours) * machines + j

    costs, bounds = np.zeros(width), [(0, None)] * width
    all_run, none_late = np.zeros((hours * tasks, width)), np.zeros((hours * machines, width))
    for h in range(hours):
        for j in range(machines):
            row = none_late[h * machines + j]
            row[wait_at(h - 1, j)] += 1
            row[wait_at(h, j)] -= 1
            bounds[wait_at(h, j)] = (0, wait * counts[j] if np.isfinite(wait) else None)
            for i in range(tasks):
                at = task_at(h, i, j)
                all_run[h * tasks + i, at] = 1
                if runs[i, j]:
                    row[at] = plan.times[i, j]
                    costs[at] = plan.times[i, j] * plan.powers[i, j]
                else:
                    bounds[at] = (0, 0)
    found = linprog(
        costs,
        none_late,
        3600.0 * np.tile(counts, hours),
        all_run,
        batches.ravel(),
        bounds,
    )
    if found.status == 2:
        return np.inf
    assert found.status == 0
    idle = float(plan.idle_powers @ counts) * 3600.0 * hours
    return (found.fun + idle) * _WEEK / hours


def odd_week(seed):
    """A small week that keeps today's machines busy; some of them draw no more than when idle."""
    random = np.random.default_rng([seed, 9])
    plan, profile = small_week(seed)
    offers = tuple(
        replace(
            one,
            count=float(random.integers(1, 4)),
            most=float(random.choice([5, np.inf])),
            idle_power=float(random.choice([0, 0.3, 2.5])),
        )
        for one in plan.offers
    )
    less = random.choice([0.0, 1.0], len(offers)) * [one.idle_power for one in offers]
    plan = replace(plan, offers=offers, powers=plan.powers - less)
    mean = plan.arrival_rates * 3600.0 * profile.mean(axis=0)
    busy = 3600.0 * random.uniform(0.4, 1.05) / (makespan(plan, mean) or 1.0)
    demands = tuple(replace(one, arrival_rate=busy * one.arrival_rate) for one in plan.demands)
    return replace(plan, demands=demands), profile


@examples(16)
@given(st.integers(0, 2**32))
def test_it_is_the_best_of_all_purchases(seed):
    plan, profile = odd_week(seed)
    today = longest_queue(plan, profile, plan.counts)
    tried = []
    for buy, sell in purchases(plan):
        counts = plan.counts + buy - sell
        queue = longest_queue(plan, profile, counts)
        if queue <= today + 1e-3 and np.isfinite(queue):
            cost = plan.prices @ buy - plan.resales @ sell
            tried.append((week_energy(plan, profile, counts, today + 2 * NEAR), cost))
    if not tried:
        with pytest.raises(Infeasible):
            least_energy(plan, profile)
        return
    best = min(joules for joules, _ in tried)
    found = least_energy(plan, profile)
    counts, scale = found.purchase.counts, max(best, plan.idle_powers @ plan.counts * 604_800, 1.0)
    assert best < np.inf, "who can keep the queue can do so with the least energy"
    assert found.tries < 60
    assert found.bound <= best + _ALIKE * scale
    assert found.bound <= found.energy + _ALIKE * scale
    assert found.energy <= best * (1 + GAP) + _ALIKE * scale
    assert longest_queue(plan, profile, counts) <= today + NEAR * 1.01
    assert found.energy == pytest.approx(
        week_energy(plan, profile, counts, today + 2 * NEAR), rel=1e-6, abs=1e-3
    )
    if np.isfinite(today):
        before = week_energy(plan, profile, plan.counts, today + 2 * NEAR)
        assert found.before == pytest.approx(before, rel=1e-6, abs=1e-3)
    else:
        assert found.before == np.inf
    cheapest = min(cost for joules, cost in tried if joules <= best + 1e-7 * scale)
    assert found.purchase.cost <= cheapest + 1e-6


@examples(60)
@given(st.integers(0, 2**32))
def test_the_energy_is_that_of_its_definition_and_any_prices_bound_it(seed):
    random = np.random.default_rng([seed, 11])
    plan, _ = odd_week(seed)
    profile = random.choice([0.0, 0.5, 1.0, 3.0], (5, len(plan.demands)))
    wait = float(random.choice([0.0, 1800.0, 7200.0, np.inf]))
    week = WeekWork(plan, plan.powers, plan.arrival_rates * 3600.0 * profile, wait)
    prices = random.uniform(0, 2, (5, len(plan.offers)))
    for number in (1, 2, 4):
        counts = np.maximum(random.integers(-1, 3, len(plan.offers)) + number, 0.0)
        there = week.energy(counts) + plan.idle_powers @ counts * 18_000.0
        asked = week_energy(plan, profile, counts, wait) * 5 / _WEEK
        assert there == pytest.approx(asked, rel=1e-6, abs=1e-3)
        own = week.prices
        for one in (prices, own):
            slope, at = week.tangent(one)
            least = at - (slope - 18_000.0 * plan.idle_powers) @ counts
            assert least <= asked + _ALIKE * abs(at)
        if np.isfinite(asked):
            assert least == pytest.approx(asked, rel=1e-5, abs=_ALIKE * abs(at)), "it is tight"


def one_after_the_other(count, hours):
    """Two types of tasks that only one type of machines runs, each for two hours in another hour:
    what came first is done first, so the second waits for the first, though its machines idle.
    """
    offers = (
        MachineOffer("A", 9.0, 1.0, count=1.0, idle_power=50.0),
        MachineOffer("B", 5.0, 1.0, count=count, idle_power=50.0),
    )
    demands = TaskDemand("T", 1.0, 2 / hours / 3600), TaskDemand("U", 1.0, 2 / hours / 3600)
    times = np.array([[3600.0, np.inf], [np.inf, 3600.0]])
    plan = Plan(demands, offers, times, PlanLimits(5.0), np.full((2, 2), 10.0))
    profile = np.zeros((hours, 2))
    profile[0, 0] = profile[1, 1] = hours
    return plan, profile


def test_no_queue_is_longer_even_if_each_machine_type_alone_could_keep_it():
    plan, profile = one_after_the_other(2.0, 4)
    search = EnergySearch(plan, plan.powers, profile, never)
    fewer = np.array([1.0, 1.0])
    assert search.most == 3600
    assert np.isfinite(search.energy(fewer))
    assert search.value(fewer)[0] == np.inf
    assert search.value(plan.counts)[0] == search.energy(plan.counts)
    assert not least_energy(plan, profile).purchase.sell.any()


def test_today_may_have_a_queue_without_an_end():
    plan, profile = one_after_the_other(1.0, 3)
    search = EnergySearch(plan, plan.powers, profile, never)
    assert np.isfinite(search.energy(plan.counts))
    assert search.value(plan.counts)[0] == np.inf
    found = least_energy(plan, profile)
    assert found.purchase.buy.tolist() == [0, 1]
    assert found.before == np.inf
    assert np.isnan(found.saved)


def test_what_does_not_go_with_it_is_refused():
    plan, profile = odd_week(1)
    for limit in ({"power": 1e3}, {"failure_rate": 1.0}):
        bound = replace(plan, limits=replace(plan.limits, **limit))
        with pytest.raises(InvalidInput, match="does not go with the least energy"):
            least_energy(bound, profile)
    with pytest.raises(InvalidInput, match="powers of pairs"):
        least_energy(replace(plan, powers=None), profile)
    with pytest.raises(Cancelled):
        least_energy(plan, profile, lambda: True)


def test_two_machines_are_told_by_hand():
    """A task of 1 h an hour, on machines of 100 W at work; one idles at 20 W, the other at 60 W."""
    one, other = (MachineOffer(*said) for said in (("thrifty", 10.0, 5.0), ("old", 8.0, 4.0)))
    offers = replace(one, idle_power=20.0), replace(other, idle_power=60.0, count=2.0)
    powers = np.array([[80.0, 40.0]])
    plan = Plan(
        (TaskDemand("T", 1.0, 1 / 3600),), offers, np.full((1, 2), 3600.0), PlanLimits(6.0), powers
    )
    found = least_energy(plan, np.ones((24, 1)))
    assert found.purchase.buy.tolist() == [0, 0]
    assert found.purchase.sell.tolist() == [0, 1]
    assert found.energy == pytest.approx(100 * 604_800)
    assert found.before == pytest.approx(160 * 604_800)
    assert found.saved == pytest.approx(60 * 604_800)
    assert found.gap <= 1e-9
    # Half of the work alone is done by a new machine, for which both old ones go.
    half = replace(plan, demands=(TaskDemand("T", 1.0, 0.5 / 3600),))
    found = least_energy(half, np.ones((24, 1)))
    assert found.purchase.counts.tolist() == [1, 0]
    assert found.purchase.cost == 2
    assert found.energy == pytest.approx(60 * 604_800)
    # A rule that keeps the old ones: nothing is saved, and nothing is bought.
    kept = replace(half, rules=read_rule("sold(old) <= 0", ["thrifty", "old"]))
    found = least_energy(kept, np.ones((24, 1)))
    assert not (found.purchase.buy + found.purchase.sell).any()
    assert found.saved == pytest.approx(0)


_FILE = read_plan(plan_folder("e1"))


def told(site=None, cost=0.0, queue=10_800.0, idle=0.0, **said):
    """What is said of 3 kWh a week in place of 4 kWh, or of what is said."""
    waits = WeekQueue(np.full(24, queue), np.full(24, 3600.0))
    one, none = np.eye(3)[0], np.zeros(3)
    purchase = Purchase(one, none, one, cost)
    usual = {"energy": 3 * 3.6e6, "before": 4 * 3.6e6, "bound": 3 * 3.6e6}
    offers = tuple(replace(one, idle_power=idle) for one in _FILE.offers)
    found = LeastEnergy(purchase, waits, tries=3, **(usual | said))
    return told_of_week(WeekAnswer(replace(_FILE, offers=offers), "energy", found), site)


def test_what_changes_is_said():
    assert "falls by 25 %, from 4 kWh to 3 kWh." in told().lead
    assert "grows by 50 %, from 2 kWh to 3 kWh." in told(before=2 * 3.6e6).lead
    assert "stays at 3 kWh." in told(before=3 * 3.6e6).lead
    assert "a week then takes 3 kWh, and today’s machines cannot" in told(before=np.inf).lead
    assert told(before=np.inf).data["energy_before"] is None
    assert told().figures[0].value == "3 kWh"
    assert told().figures[1].value == "1 h"
    none = told_of_week(WeekAnswer(_FILE, "energy", None))
    assert none.lead.endswith("longer than today’s, or has no end (proven).")
    assert none.data["objective"] == "energy"
    sentences = told().sentences
    assert sentences[0].startswith("Buy 1 ")
    assert sentences[1] == "The queue of a day falls from 3 h to 1 h."
    assert sentences[2] == "It saves 52.14 kWh a year."
    assert "longest queue of today, 3 h." in sentences[-2]
    assert "None waits, as today." in told(queue=0.0).sentences[-2]
    assert "None" not in told(queue=np.inf).sentences[-2]
    assert sentences[-1].endswith("draws nothing.")
    assert told(idle=5.0).sentences[-1].startswith("All machines stay on")


def test_what_is_proven_is_said():
    assert told().sentences[3].endswith("takes less energy (proven).")
    said = told(bound=2.97 * 3.6e6).sentences[3]
    assert said.endswith("takes less than 2.97 kWh a week (proven), which is 1 % less.")
    assert told().data["proven"]
    assert not told(bound=2.97 * 3.6e6).data["proven"]


def test_the_site_says_money_and_when_it_has_paid():
    site = Site(0.5, 0.25, currency="CHF")
    rich = told(site, cost=52.0)
    year = 365 / 7
    assert "It saves 52.14 kWh a year: 26.07 CHF and 13.03 kg of CO₂." in rich.sentences[2]
    assert rich.sentences[2].endswith("the purchase pays for itself in 2.0 years.")
    assert rich.data["payback"] == pytest.approx(52.0 / (0.5 * year) * 365 * 86_400)
    assert [one.label for one in rich.figures][-2:] == ["Electricity a year", "Pays for itself in"]
    assert rich.figures[-2].value == "78 CHF"
    for more in (
        {"cost": -1.0},
        {"cost": 5.0, "before": 3 * 3.6e6},
        {"cost": 5.0, "before": np.inf},
    ):
        poor = told(site, **more)
        assert poor.data["payback"] is None
        assert not any("pays for itself" in one for one in poor.sentences)
    by_hour = replace(site, day_tariff=((0.0, 0.1), (8.0, 0.9)))
    assert any("each kWh costs 0.5 CHF" in one for one in told(by_hour).sentences)


def at_once(patch):
    """No program runs once there is a purchase."""
    patch.setattr(week_search, "MOST_SECONDS", 0.0)


def first_found(patch):
    """Each program that has a limit of time ends with the first purchase that it finds."""
    usual = Program.set_options

    def hurried(program, **options):
        limited = options.get("time_limit", np.inf) < np.inf
        usual(program, **options, **({"mip_max_improving_sols": 1} if limited else {}))

    patch.setattr(Program, "set_options", hurried)


def searched(seed, *limits):
    with pytest.MonkeyPatch.context() as patch:
        for limit in limits:
            limit(patch)
        return least_energy(*odd_week(seed))


@examples(8)
@given(st.integers(0, 2**32), st.sampled_from([at_once, first_found]))
def test_a_search_that_is_out_of_time_proves_what_it_knows(seed, limit):
    try:
        whole = searched(seed)
    except Infeasible:
        return
    found = searched(seed, limit)
    assert found.bound <= whole.energy * (1 + GAP)
    assert found.energy >= whole.bound * (1 - GAP)
    assert found.queue.after.max() <= whole.queue.before.max() + 2 * NEAR


def test_what_is_found_in_time_counts():
    """Of these weeks the searches end with their limits, not with a proof."""
    assert searched(15, at_once).tries < searched(15).tries
    early, hurried = searched(133, at_once), searched(133, first_found)
    assert hurried.energy < 0.95 * early.energy
    early, hurried = searched(177, at_once), searched(177, first_found)
    assert (hurried.energy, hurried.bound) == (early.energy, early.bound)
    assert hurried.purchase.cost < early.purchase.cost


@pytest.mark.parametrize(
    ("cost", "value", "kept"),
    [(-1.0, 0.0, True), (1.0, 0.0, False), (1.0, -2.0, True), (0.0, 0.0, False)],
)
def test_what_is_found_late_is_kept_if_it_is_cheaper_or_better(monkeypatch, cost, value, kept):
    """A search that ends with its time may find what costs more than what it has."""
    plan, profile = odd_week(15)
    search = EnergySearch(plan, plan.powers, profile, never)
    search.found()
    best, program = search.best, search.program(whole=True)
    found = replace(best, cost=best.cost + cost)
    value = search.least + value * search.alike(search.least)
    late = SimpleNamespace(values=None, iterations=0)
    monkeypatch.setattr(search, "_minimum", lambda program: late)
    monkeypatch.setattr(search, "_try", lambda program, purchase: value)
    monkeypatch.setattr(program.stage, "purchase", lambda values: found)
    assert search._cheapest(program, best) is (found if kept else best)
