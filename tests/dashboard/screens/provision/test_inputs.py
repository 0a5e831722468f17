"""What a plan lacks is said, examples fill only what is blank, and a plan is what was typed."""

import math
from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from core.capabilities.provision.files.plan_file import PlanSpread
from core.capabilities.provision.futures.uncertainty import Variation
from core.capabilities.provision.settings import PlanAim
from core.files.samples.named import SYSTEMS, load_sample
from core.vocabulary.arrivals import HourlyArrivals
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.prices.site import Site
from core.vocabulary.problems import InvalidInput
from core.vocabulary.system import System
from dashboard.screens.provision.desk import PlanDesk
from dashboard.screens.provision.examples import with_examples
from dashboard.screens.provision.inputs import (
    DemandInput,
    LimitInputs,
    OfferInput,
    PlanInputs,
    changed,
    missing,
    plan_file_of,
)
from dashboard.screens.provision.state import known_of
from dashboard.screens.provision.toolbar import put_rules
from dashboard.workspace import session
from dashboard.workspace.workspace import begin, say_beside


def test_a_plan_of_a_system_lacks_all_that_a_system_does_not_have(types):
    assert list(missing(PlanInputs.of(types))) == [
        "the price of 2 machine types",
        "the arrival rate of 2 task types",
        "the budget",
    ]
    by_reward = replace(PlanInputs.of(types), by_work=False)
    assert "the reward of 2 task types" in missing(by_reward)


def test_what_machine_types_say_is_typed_nowhere_else(types: System) -> None:
    """One type has a price and failures; the other has an example until it has a price, too."""
    first, second = types.machine_types
    known = replace(first, price=900.0, resale=90.0, failures_a_year=0.5)
    system = replace(types, machine_types=(known, second))
    inputs = with_examples(system, PlanInputs.of(system))
    assert inputs.offers[0] == OfferInput(900.0, 90.0, failure_rate=0.5 / (365 * 86_400))
    assert inputs.offers[1].price
    assert "price" in inputs.examples
    desk = PlanDesk("desk", inputs, inputs)
    begin = lambda now: with_examples(now, PlanInputs.of(now))  # noqa: E731
    desk.take_market(system, begin)
    assert desk.inputs == inputs
    typed = replace(inputs.offers[0], price=950.0)
    desk.change(replace(inputs, offers=(typed, inputs.offers[1])))
    priced = replace(second, price=70.0)
    desk.take_market(replace(system, machine_types=(known, priced)), begin)
    assert desk.inputs.offers == (typed, OfferInput(70.0))
    assert "price" not in desk.inputs.examples


def test_the_plan_follows_the_arrivals_of_the_study_but_for_what_was_typed(types: System) -> None:
    known = HourlyArrivals(types.task_names, np.full((24, 2), 2.0), 7.0)
    busier = known.with_rates(np.tile([[6.0], [2.0]], (12, 2)))

    def begun(with_these: HourlyArrivals | None) -> PlanInputs:
        return with_examples(types, PlanInputs.of(types, with_these))

    def follows(desk: PlanDesk, *these: HourlyArrivals | None) -> PlanInputs:
        for one in these:
            desk.take_arrivals(one, partial(begun, one))
        return desk.inputs

    desk = PlanDesk("desk", begun(known), begun(known))
    typed = DemandInput(arrival_rate=9.0)
    desk.change(replace(desk.inputs, demands=(typed, desk.inputs.demands[1])))
    after = follows(desk, known, busier)
    assert after.demands == (typed, DemandInput(arrival_rate=4 / 3600))
    assert after.spread == begun(busier).spread != begun(known).spread
    assert follows(desk, known).demands == (typed, DemandInput(arrival_rate=2 / 3600))
    unknown = PlanDesk("desk", begun(None), begun(None))
    assert "arrival rate" in follows(unknown, None).examples
    assert "arrival rate" not in follows(unknown, busier).examples
    of_file = PlanDesk("desk", begun(known), begun(known))
    follows(of_file, known)
    of_file.open(replace(begun(known), demands=(typed, typed)))
    assert follows(of_file, busier).demands == (typed, typed)


def test_a_sample_plan_follows_the_arrivals_that_are_typed(monkeypatch: pytest.MonkeyPatch) -> None:
    now = begin("e1")
    assert now.version.seen.arrivals is None
    monkeypatch.setattr(session, "workspace", lambda: now)
    before, names = known_of(now.system), now.system.task_names
    monkeypatch.undo()
    rates = np.tile([[6.0], [2.0]], (12, len(names)))
    seen = replace(now.version.seen, arrivals=HourlyArrivals(names, rates, 0.0))
    after = say_beside(now, seen)
    monkeypatch.setattr(session, "workspace", lambda: after)
    inputs = known_of(now.system)
    rewards = [one.reward for one in before.demands]
    assert inputs.demands == tuple(DemandInput(reward, 4 / 3600) for reward in rewards)
    assert set(inputs.spread.arrivals.seen) == {1.5, 0.5}
    assert inputs.spread.times == before.spread.times
    assert (inputs.offers, inputs.limits) == (before.offers, before.limits)


def test_the_aim_alone_goes_to_a_worker(inputs: PlanInputs) -> None:
    asked = replace(inputs, whole=True, caution=0.25, sought="wait")
    assert asked.aim == PlanAim(whole=True, caution=0.25, sought="wait")


def test_what_a_log_says_of_arrivals_is_not_missing(types):
    rates = np.tile([[2.0], [0.0]], (12, 2)) * [1.0, 0.12345]
    known = HourlyArrivals(types.task_names, rates, 7.0)
    inputs = PlanInputs.of(types, known)
    assert not any("arrival" in lack for lack in missing(inputs))
    assert [demand.arrival_rate for demand in inputs.demands] == [1 / 3600, 0.123 / 3600]
    assert inputs.spread.correlation == 1
    # The busy hours have twice the mean; no hour has nothing.
    assert set(inputs.spread.arrivals.seen) == {2.0, 0.001}
    renamed = HourlyArrivals((types.task_names[0], "of another name"), rates, 7.0)
    assert "the arrival rate of 1 task type" in missing(PlanInputs.of(types, renamed))


def test_what_is_0_is_not_missing(types, inputs):
    free = replace(
        inputs,
        offers=(OfferInput(0.0), OfferInput(None)),
        demands=(DemandInput(0.0, 0.0),) * 2,
        limits=LimitInputs(0.0),
    )
    assert list(missing(free)) == ["the price of 1 machine type"]
    assert plan_file_of(types, free).plan.limits.budget == 0


def test_a_plan_is_what_was_typed(types, inputs):
    plan = plan_file_of(types, inputs).plan
    assert plan.prices.tolist() == [100, 40]
    assert plan.resales.tolist() == [40, 10]
    assert plan.counts.tolist() == [1, 2], "blank: that of the system"
    assert plan.least.tolist() == [0, 0]
    assert plan.most.tolist() == [math.inf, math.inf]
    assert plan.failure_rates.tolist() == [0, 1e-3]
    assert plan.idle_powers.tolist() == [10, 20]
    assert plan.rewards.tolist() == [1, 6]
    assert plan.arrival_rates.tolist() == [2, 0.5]
    assert plan.powers[0].tolist() == [100, 40], "above idle power"
    limits = plan.limits
    assert (limits.budget, limits.least_machines, limits.most_machines) == (200, 0, math.inf)
    assert (limits.failure_rate, limits.power) == (math.inf, math.inf)


def test_rules_are_typed_one_a_line(types, inputs):
    typed = put_rules(inputs, "A <= 3\n\n  B = 2  \nA <= 3")
    assert typed.rules == ("A <= 3", "B = 2")
    file = plan_file_of(types, typed)
    assert [rule.most for rule in file.plan.rules] == [3, 2, -2]
    assert PlanInputs.of_file(file).rules == typed.rules
    assert put_rules(typed, None).rules == ()
    with pytest.raises(InvalidInput) as refused:
        plan_file_of(types, put_rules(inputs, "C <= 1\nA * B <= 1"))
    assert [problem.message[:19] for problem in refused.value.problems] == [
        "rule 'C <= 1' names",
        "rule 'A * B <= 1' i",
    ]


def test_a_uniform_spread_below_0_is_refused(types, inputs):
    for cov, law in ((0.577, "uniform"), (0.578, "lognormal")):
        plan_file_of(types, replace(inputs, spread=PlanSpread(times=Variation(cov, law))))
    wrong = replace(inputs, spread=PlanSpread(powers=Variation(covs=(0.1, 0.578))))
    with pytest.raises(InvalidInput, match=r"spread\.powers\.cov"):
        plan_file_of(types, wrong)


def test_more_scenarios_than_one_server_should_compute_are_refused(types, inputs, monkeypatch):
    monkeypatch.setattr("dashboard.screens.provision.inputs.MOST_CELLS", 48)
    plan_file_of(types, inputs)  # 16 scenarios of 3 pairs
    monkeypatch.setattr("dashboard.screens.provision.inputs.MOST_CELLS", 47)
    with pytest.raises(InvalidInput, match="at most 15, or use wattfront provision"):
        plan_file_of(types, inputs)


def test_a_plan_file_says_the_same_inputs(types, inputs):
    typed = replace(
        inputs,
        offers=(OfferInput(9.0, 1.0, 2.0, 1.0, 4.0, 0.5), OfferInput(3.0, 0.0, 0.0)),
        limits=LimitInputs(9.0, 1.0, 5.0, 0.25, 700.0),
        rate_unit="1/day",
        currency="USD",
        whole=True,
    )
    assert PlanInputs.of_file(plan_file_of(types, typed)) == typed


@pytest.mark.parametrize(
    ("site", "money"),
    [(Site(pue=1.5, cap_kw=1.0), "USD"), (Site(price=0.2), "EUR"), (Site(currency="CHF"), "CHF")],
)
def test_money_is_that_of_the_site_once_a_price_or_the_money_is_said(inputs, site, money):
    own = replace(inputs, currency="USD")
    assert inputs.at(site, own).currency == money


@pytest.mark.parametrize("name", SYSTEMS)
def test_examples_make_a_plan_of_any_sample(name):
    system = load_sample(name)
    filled = with_examples(system, PlanInputs.of(system))
    assert list(missing(filled)) == []
    assert filled.examples == {"price", "arrival rate", "budget"}
    plan = plan_file_of(system, filled).plan
    assert (plan.prices > plan.resales).all()
    assert plan.arrival_rates.sum() > 0
    assert 0 < plan.limits.budget < np.inf


def test_examples_keep_what_was_typed(types):
    own = replace(
        PlanInputs.of(types),
        by_work=False,
        offers=(OfferInput(7.0), OfferInput(resale=99_999.0)),
        demands=(DemandInput(reward=3.0), DemandInput(arrival_rate=0.25)),
        limits=LimitInputs(5.0, power=90.0),
    )
    filled = with_examples(types, own)
    assert filled.offers[0] == OfferInput(7.0)
    assert filled.offers[1] == OfferInput(99_999.0, 99_999.0), "not below what it brings"
    assert filled.demands[0].reward == 3
    assert filled.demands[1] == DemandInput(4.0, 0.25)
    assert filled.limits == own.limits
    assert filled.examples == {"price", "reward", "arrival rate"}
    assert with_examples(types, filled) == filled


def test_examples_are_twice_the_work_that_machines_can_do(types):
    filled = with_examples(types, replace(PlanInputs.of(types), by_work=False))
    # At best 3 short tasks take 3 s and a long one 4 s: 7 s for two machines.
    rates = [demand.arrival_rate * 3600 for demand in filled.demands]
    assert rates == pytest.approx([6200, 2100])
    assert [demand.reward for demand in filled.demands] == [1, 4]


def test_without_rewards_a_task_is_worth_its_hours(types):
    filled = with_examples(types, PlanInputs.of(types))
    assert [demand.reward for demand in filled.demands] == [None, None]
    file = plan_file_of(types, filled)
    assert file.by_work
    assert file.plan.rewards.tolist() == [1 / 3600, 4 / 3600]
    assert PlanInputs.of_file(file).demands == filled.demands
    typed = changed(filled, filled, "tasks", {0: {"reward": 2.0}})
    assert not typed.by_work
    assert list(missing(typed)) == ["the reward of 1 task type"]


def test_examples_of_prices_follow_the_watts_at_work():
    """So GPU nodes, which run few of the tasks, are not the cheapest; without powers they are not
    either.
    """
    tasks = tuple(TaskType(f"t{k}", 9) for k in range(3))
    machines = (MachineType("cpu", 40, 100.0), MachineType("gpu", 4, 300.0))
    etc = np.array([[10.0, np.inf], [20.0, np.inf], [30.0, 5.0]])
    apc = np.array([[400.0, np.nan], [400.0, np.nan], [400.0, 1500.0]])
    system = System(tasks, machines, etc, apc)
    prices = [one.price for one in with_examples(system, PlanInputs.of(system)).offers]
    assert prices == [8_000, 30_000]
    timed = System(tasks, machines, etc)
    cpu, gpu = (one.price or 0 for one in with_examples(timed, PlanInputs.of(timed)).offers)
    assert 0 < cpu < gpu
