"""Conditions in units that people use become terms in SI units, and words that name their unit."""

import math

import pytest

from core.capabilities.profit.settings import RATE, REWARD, USUAL_RATIOS, ProfitSettings
from core.engines.relaxed import trace_front
from core.files.samples.named import load_sample
from core.vocabulary.prices.site import Site
from core.vocabulary.say.words import Sense
from core.vocabulary.setting import NumberIn, settings_in


@pytest.fixture(scope="module")
def front():
    return trace_front(load_sample("testbed"))


def test_a_ratio_prices_a_batch_by_its_least_energy_carbon_included(front):
    settings = ProfitSettings(
        ratio=1.5, site=Site(price=0.3, carbon=0.5, carbon_price=0.2, pue=1.4)
    )
    a_joule = (0.3 + 0.5 * 0.2) / 3.6e6
    terms = settings.terms(front)
    assert terms.price == pytest.approx(1.5 * a_joule * front.energy[0])
    assert terms.energy_price == pytest.approx(a_joule)
    assert terms.pue == 1.4
    assert math.isinf(terms.power_cap)


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (ProfitSettings(by="bag", price=1.02521537973), "At 1.025 EUR a batch ("),
        (ProfitSettings(by="bag", price=12_345.6789), "At 12,346 EUR a batch ("),
        (ProfitSettings(by="bag", price=0.02), "At 0.02 EUR a batch ("),
        (ProfitSettings(ratio=1.234567891), "At 1.235 times the cost of the least energy"),
        (ProfitSettings(ratio=0.93), "At 0.93 times the cost of the least energy"),
    ],
)
def test_a_headline_has_few_digits(front, settings, said):
    """Issue 33, point 22: `At 1.02521537973 EUR a batch`."""
    assert settings.words(settings.terms(front), front).startswith(said)


def test_rates_are_an_hour_and_the_cap_is_kilowatts(front):
    first, *_, last = (machine.name for machine in front.system.machine_types)
    wear, depreciation = ((last, 3600.0),), ((first, 1.8),)
    terms = ProfitSettings(wear=wear, depreciation=depreciation, site=Site(cap_kw=0.5)).terms(front)
    assert terms.wear == (0.0, 0.0, 0.0, 1.0)
    assert terms.depreciation == pytest.approx((0.0005, 0.0, 0.0, 0.0))
    assert terms.power_cap == 500.0


def test_as_published_a_joule_costs_1_and_rates_are_a_second(front):
    name = front.system.machine_types[0].name
    settings = ProfitSettings(
        electricity="joule", wear=((name, 2.0),), site=Site(carbon=1.0, carbon_price=1.0)
    )
    terms = settings.terms(front)
    assert (terms.energy_price, terms.wear) == (1.0, (2.0, 0.0, 0.0, 0.0))
    assert settings.money.say_rate(3814.18, Sense.PLAIN) == "3,814 ¤/s"
    assert ProfitSettings().money.say_rate(0.5, Sense.PLAIN) == "1,800 EUR/h"


def test_what_is_said_of_other_types_is_left_out(front):
    machine, task = front.system.machine_types[0].name, front.system.task_types[0].name
    named = ProfitSettings(
        wear=((machine, 1.0), ("ghost", 2.0)), rewards=((task, 3.0), (machine, 4.0))
    )
    kept = named.of(front.system)
    assert (kept.wear, kept.rewards) == (((machine, 1.0),), ((task, 3.0),))
    assert named.terms(front) == kept.terms(front)
    rewards = named.rewards_in(front.system)
    assert (rewards[0], rewards.sum()) == (3.0, 3.0)
    assert ProfitSettings(wear=(("ghost", 2.0),)).terms(front).wear == ()


def test_single_tasks_are_rewarded_in_place_of_the_batch(front):
    settings = ProfitSettings(overhead=2.0)
    assert settings.terms_at(0.0, front.system).revenue == -2.0


def test_a_day_of_prices_has_carbon_and_pue_on_top():
    steps = ((20.0, 0.2), (7.0, 0.4))
    settings = ProfitSettings(site=Site(day_tariff=steps, carbon=0.5, carbon_price=0.2, pue=1.5))
    tariff = settings.site.day
    assert tariff.begins.tolist() == [0.0, 7 * 3600, 20 * 3600]
    assert tariff.price * 3.6e6 == pytest.approx([0.45, 0.75, 0.45])
    assert ProfitSettings().site.day is None


def test_a_price_is_said_with_its_ratio_where_it_has_one(two):
    priced = trace_front(two)
    dear = ProfitSettings(by="bag", price=0.02)
    assert dear.terms(priced).price == 0.02
    assert dear.words(dear.terms(priced), priced) == (
        "At 0.02 EUR a batch (173.9 times the cost of the least energy)"
    )
    free = ProfitSettings(by="bag", price=2.5, site=Site(price=0.0))
    assert free.words(free.terms(priced), priced) == "At 2.5 EUR a batch"
    usual = ProfitSettings()
    assert usual.words(usual.terms(priced), priced) == "At 1.2 times the cost of the least energy"


def test_numbers_have_these_limits():
    numbers = {
        name: one.kind.allowed
        for name, one in settings_in(ProfitSettings).items()
        if isinstance(one.kind, NumberIn)
    }
    assert {name: (allowed.low, allowed.high) for name, allowed in numbers.items()} == {
        "ratio": (0, 1e6),
        "price": (0, 1e15),
        "overhead": (0, 1e15),
        "deadline": (1e-9, 1e15),
    }
    assert [str(numbers[name]) for name in ("ratio", "deadline")] == [
        "0 to 1e+06 times what the least energy costs",
        "1e-09 to 1e+15 s",
    ]
    assert (str(RATE), str(REWARD)) == ("0 to 1e+12 an hour", "0 to 1e+12 a task")
    assert str(USUAL_RATIOS) == "0.3 to 3 times the cost of the least energy"


def test_a_kwh_costs_what_is_given_or_as_many_joules_as_it_has():
    site = Site(0.25, carbon=0.5, carbon_price=1.0)
    assert ProfitSettings(site=site).price_a_kwh == 0.25
    assert ProfitSettings(electricity="joule", site=site).price_a_kwh == 3.6e6
    assert ProfitSettings(electricity="joule", site=site).money_a_joule == 1
