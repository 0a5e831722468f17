"""What a front means is said truly: from schedules that exist, with proven gaps."""

from dataclasses import replace

import numpy as np
import pytest
from pages import module_of
from studied import on_the_wasteful, study_of, uneven

from core.engines.front.axis import axis_for
from core.engines.front.study import study
from core.files.samples.named import load_sample
from core.vocabulary.budget import Effort
from core.vocabulary.prices.tariff import Tariff
from core.vocabulary.say.words import Sense, rounded, share
from dashboard.screens.trade_offs.figures import Standing, idle_power_said, price, rates, table

JOULES = axis_for("MJ", Tariff(1.0), "EUR", 1.0)


def test_no_schedule_is_below_what_is_proven_and_gaps_say_how_far_above(testbed_study):
    standing = Standing.of(testbed_study.proven, testbed_study.points)
    for (joules, seconds), gap in zip(testbed_study.points, standing.energy_gap, strict=True):
        least = testbed_study.front.least_energy(seconds)
        assert joules / (1 + gap) == pytest.approx(least)
        assert gap >= 0
    vertices = Standing.of(testbed_study.proven, testbed_study.front.points)
    assert vertices.energy_gap == pytest.approx(0, abs=1e-6)
    assert vertices.time_gap == pytest.approx(0, abs=1e-6)


def test_the_next_second_costs_what_the_next_edge_of_the_front_costs(testbed_study):
    points = testbed_study.front.points
    edges = np.diff(points[:, 0]) / -np.diff(points[:, 1])
    middles = (points[:-1, 1] + points[1:, 1]) / 2
    assert rates(testbed_study.front, middles) == pytest.approx(edges)
    assert rates(testbed_study.front, points[:, 1]) == pytest.approx([*edges, np.inf])
    assert price(float(rates(testbed_study.front, points[-1:, 1])[0]), JOULES) == (
        "no schedule can be faster"
    )
    assert price(100.0, JOULES) == "one second less costs 100 J, one minute 6 kJ"


def test_an_idle_power_that_moves_the_answer_is_said(testbed_study, kwh):
    """By the energies of both schedules, counted here; and nothing where little moves."""
    ends = [testbed_study.schedules[k] for k in np.flatnonzero(testbed_study.on_front)[[0, -1]]]
    there = load_sample("testbed").with_idle_fraction(0.3)
    waiting = [
        float((there.machine_counts * end.makespan - end.busy_seconds) @ there.idle_power)
        for end in ends
    ]
    slow, fast = (float(end.busy_energy.sum()) + w for end, w in zip(ends, waiting, strict=True))
    said = idle_power_said(testbed_study, 0.0, 0.3)
    assert said.startswith("Assumed: idle machines draw 0 % of their power at work. At 30 %, ")
    saves = share(abs(1 - slow / fast), Sense.HEADLINE)
    verb = f"saves {saves} of" if slow < fast else f"takes {saves} more"
    assert f"the slowest of these schedules {verb}" in said
    assert idle_power_said(testbed_study, 0.0, 0.0) == ""


def test_the_table_lists_the_front_fastest_first_and_knows_each_schedule(testbed_study, kwh):
    frame, indices = table(testbed_study, kwh)
    assert len(frame) == len(indices) <= testbed_study.on_front.sum()
    makespans = [testbed_study.schedules[index].makespan for index in indices]
    assert makespans == sorted(makespans)
    energies = [testbed_study.schedules[index].energy for index in indices]
    assert frame[kwh.label].tolist() == [
        rounded(kwh.of(joules), Sense.SPENT) for joules in energies
    ]


@pytest.fixture(scope="module")
def uneven_study():
    """A schedule of 100.04001 s and 200.0884 Wh, and one of 200.04001 s and 100.02002 Wh."""
    return study(uneven(), effort=Effort(0))


def test_the_table_rounds_what_schedules_take_up_and_what_they_save_down(uneven_study, kwh):
    frame, _ = table(uneven_study, kwh)
    assert frame["Makespan"].tolist() == ["100.1 s", "3 min 21 s"]
    assert frame[kwh.label].tolist() == [200.1, 100.1]
    assert frame["Average power (kW)"].tolist() == [7.201, 1.801]
    assert frame["Saved (%)"].tolist() == [0.0, 50.01]
    frame, _ = table(study_of(on_the_wasteful()), kwh)
    assert frame["From the best, at most (%)"].tolist() == [100.1]  # 100.075


def test_the_title_of_a_schedule_that_is_picked_is_rounded_up(uneven_study, kwh, monkeypatch):
    page = module_of("dashboard.screens.trade_offs.page")
    chosen = []
    monkeypatch.setattr(page, "choose_by_hand", lambda _, title: chosen.append(title))
    page.take_schedule(uneven_study, 1, kwh)
    assert chosen == ["100.1 s, 200.1 Wh"]


def test_the_table_shows_one_schedule_of_each_step_and_the_chosen_one(kwh):
    """Of 1,000 schedules along a line those in another thirtieth of it, and both ends."""
    one = study_of(on_the_wasteful())
    schedules = [replace(one.schedules[0]) for _ in range(1000)]
    along = np.arange(1000.0)
    many = replace(
        one,
        schedules=schedules,
        points=np.column_stack([5e6 + 1000 * along, 2000 - along]),
        on_front=np.ones(1000, bool),
    )
    frame, indices = table(many, kwh, schedules[500])
    assert 30 < len(frame) < 65
    assert (indices[0], indices[-1]) == (999, 0)
    assert 500 in indices
    assert indices == sorted(indices, reverse=True)
    assert max(-np.diff(indices)) <= 34
    assert "Average power (kW)" in frame


def test_columns_that_say_the_same_of_every_schedule_are_left_out(kwh):
    one = study_of(on_the_wasteful())
    points = np.array([[3.6e6, 1800.0], [7.2e6, 3600.0]])
    both = replace(one, schedules=one.schedules * 2, points=points, on_front=np.ones(2, bool))
    assert "Average power (kW)" not in table(both, kwh)[0]
