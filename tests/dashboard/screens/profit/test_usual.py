"""What is on offer sums to the price of a batch, and the sentence stays true when it is rounded."""

import math

import numpy as np
import pytest
from studied import on_the_wasteful

from core.capabilities.profit.accept import accept
from core.capabilities.profit.day import Day, day_of, starts
from core.capabilities.profit.earn import earn
from core.capabilities.profit.settings import ProfitSettings
from core.capabilities.profit.told import told_of_day, told_of_part
from core.engines.relaxed import trace_front
from core.files.samples.named import load_sample
from core.vocabulary.budget import Effort
from core.vocabulary.prices.day import DayTariff
from core.vocabulary.prices.site import Site
from dashboard.screens.profit import usual
from dashboard.screens.profit.line_charts import start_figure
from dashboard.screens.profit.usual import accepted_frame, costs, offer_of, with_prices_by_hour


def test_the_price_of_a_bag_is_shared_out(testbed_front):
    settings = ProfitSettings(ratio=1.5)
    offer = offer_of(settings, testbed_front)
    assert offer.deadline == pytest.approx(testbed_front.makespan[-1] / 2, rel=0.01)
    price = settings.terms(testbed_front).price
    assert offer.rewards @ testbed_front.system.task_counts == pytest.approx(price, rel=1e-3)
    assert (
        offer.put_into(settings).rewards_in(testbed_front.system).tolist() == offer.rewards.tolist()
    )


def test_what_was_said_is_on_offer(testbed_front):
    name = testbed_front.system.task_types[1].name
    offer = offer_of(ProfitSettings(deadline=7.0, rewards=((name, 3.0),)), testbed_front)
    assert offer.deadline == 7.0
    assert offer.frame["reward"].tolist() == [0.0, 3.0] + [0.0] * (len(offer.frame) - 2)


def test_a_price_of_nothing_offers_nothing(testbed_front):
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
def test_the_sentence_says_how_many_and_what_they_earn(testbed_front, ratio, deadline, said):
    settings = ProfitSettings(ratio=ratio)
    offer = offer_of(settings, testbed_front)
    terms = settings.terms_at(0.0, testbed_front.system)
    part = accept(testbed_front.system, terms, offer.rewards, deadline)
    told = told_of_part(part, deadline, settings.money).lead
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


def test_tasks_that_bring_less_than_machines_cost_lose(testbed_front):
    settings = ProfitSettings(ratio=1.1, overhead=1.0)
    part = accept(
        testbed_front.system,
        settings.terms_at(0.0, testbed_front.system),
        offer_of(settings, testbed_front).rewards,
        2e4,
    )
    assert part.accepted.any()
    assert "tasks. This loses " in told_of_part(part, 2e4, settings.money).lead


def sentence(day, money):
    return told_of_day(day, day.best, money).lead


def day(said):
    system = load_sample("testbed").with_idle_fraction(0.1)
    front = trace_front(system)
    settings = with_prices_by_hour(said)
    terms = settings.terms(front)
    earned, tariff = earn(system, terms, effort=Effort(0)).earnings, settings.site.day
    assert tariff is not None
    return day_of(earned.schedule, terms, tariff), settings


def test_nights_are_cheap_until_somebody_says_otherwise():
    usual = with_prices_by_hour(ProfitSettings(site=Site(price=0.4))).site.day_tariff
    assert usual == ((0.0, 0.3), (7.0, 0.5), (20.0, 0.3))
    mine = ProfitSettings(site=Site(day_tariff=((3.0, 9.0),)))
    assert with_prices_by_hour(mine) is mine
    assert (
        with_prices_by_hour(ProfitSettings(electricity="joule")).site.day_tariff[1][1]
        == 3.6e6 * 1.25
    )


def test_the_sentence_names_the_cheapest_and_the_dearest_hour():
    found, settings = day(
        ProfitSettings(site=Site(day_tariff=((0.0, 0.5), (3.0, 0.1), (9.0, 0.5))))
    )
    said = sentence(found, settings.money)
    assert said.startswith("Start at 03:00: electricity then costs ")
    assert " EUR more." in said
    flat, _ = day(ProfitSettings(site=Site(day_tariff=((0.0, 0.1),))))
    assert sentence(flat, settings.money).startswith("Start at any time")


@pytest.mark.parametrize("most", [usual._MOST_CORNERS, 3])
def test_what_is_drawn_is_what_it_costs(monkeypatch, most):
    monkeypatch.setattr(usual, "_MOST_CORNERS", most)
    found, settings = day(ProfitSettings())
    hours, money = costs(found)
    assert (hours[0], hours[-1]) == (0.0, 24.0)
    for hour in (0.0, 6.5, 13.25, 20.0):
        there = np.interp(hour, hours, money)
        assert there == pytest.approx(found.at(hour * 3600).cost, rel=1e-9)
    line, best = start_figure(found, settings.money).data
    assert list(line.y) == money.tolist()
    assert min(line.y) == pytest.approx(best.y[0])
    assert line.customdata[0].startswith("start at 00:00: ")
    assert line.customdata[0].endswith(" EUR")


def dear(before, *steps):
    """A batch of 1,441,182.17 J that brings so much; electricity costs 100.0043 for it at midnight,
    and so many times that from each full hour on.
    """
    schedule = on_the_wasteful()
    price = 100.0043 / schedule.energy
    tariff = DayTariff(3600.0 * np.arange(len(steps) + 1), price * np.array([1.0, *steps]))
    return Day(schedule, tariff, starts(schedule, tariff), before)


def test_what_is_paid_or_lost_is_rounded_up_and_what_is_earned_down():
    money = ProfitSettings().money
    assert sentence(dear(200.0, 2.0), money) == (
        "Start at 00:00: electricity then costs 100.1 EUR, and the batch earns 99.99 EUR. A start "
        "at 01:00 would cost 100 EUR more."
    )
    assert "and the batch loses 100.1 EUR." in sentence(dear(0.0, 2.0), money)
    assert sentence(dear(200.0), money) == (
        "Start at any time: electricity costs 100.1 EUR at every hour."
    )
    line, best = start_figure(dear(200.0, 2.0), money).data
    assert line.customdata[0] == "start at 00:00: 100.1 EUR"
    assert best.customdata == ("00:00: 100.1 EUR",)


@pytest.mark.parametrize(("more", "exact"), [(-1, False), (0, True), (1, True)])
def test_a_curve_is_exact_up_to_so_many_corners(monkeypatch, more, *, exact):
    found = dear(200.0, 2.0)
    corners = len(found.starts.seconds)
    monkeypatch.setattr(usual, "_MOST_CORNERS", corners + more)
    assert (len(costs(found)[0]) == corners) is exact
