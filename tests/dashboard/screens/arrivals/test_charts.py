"""The charts of a day say what its outcome says."""

from dataclasses import replace

import numpy as np
import pytest
from arriving_days import HOUR, KWH, a_day, a_trial, tried, two_nodes

from core.capabilities.arrivals.asked import ArrivalsSettings
from core.capabilities.arrivals.told import worth_bars
from core.capabilities.arrivals.trials import TrialBound
from core.engines.replay.curves import TimeCurve
from core.engines.replay.outcome import PricesFrom
from core.engines.replay.policy import Measure, Prices, Switch
from core.vocabulary.intervals import Interval
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System
from dashboard.parts.charts.bars import bars_figure
from dashboard.parts.charts.palette import paint_task
from dashboard.parts.replays.gantt_chart import MOST_BARS, MOST_ROWS, pool_gantt, pool_rows
from dashboard.parts.replays.replaying import ArrivalsFound
from dashboard.screens.arrivals import curves_chart
from dashboard.screens.arrivals.budgets import STEPS, BudgetScores
from dashboard.screens.arrivals.comparison_chart import budgets_figure
from dashboard.screens.arrivals.curves_chart import (
    busy_figure,
    changes_said,
    earned_figure,
    energy_figure,
    mean_curve,
    measure_spans,
    power_figure,
    waiting_figure,
)


def test_energy_ends_at_what_all_jobs_drew_and_the_goal_at_the_budget() -> None:
    outcome = a_day(joules=30 * KWH)
    spent, goal = energy_figure(outcome).data
    assert spent.y[-1] == pytest.approx(20.0)
    assert (goal.y[0], goal.y[-1]) == (0.0, pytest.approx(30.0))
    assert goal.line.dash == "dash"
    assert len(energy_figure(a_day()).data) == 1, "without a budget there is no goal"


def test_each_change_of_the_measure_is_an_end_of_colour_in_the_strip() -> None:
    """The jobs draw 1 kW on average until 10:00 and nothing later; the budget is 21 kWh a day."""
    outcome = a_day(joules=21 * KWH, switch=Switch.BY_EVENT)
    spans = measure_spans(outcome)
    changes = np.flatnonzero(np.diff(outcome.decisions.measure))
    assert len(spans) == len(changes) + 1 > 1
    assert [one.end for one in spans[:-1]] == [one.begin for one in spans[1:]]
    assert [one.begin for one in spans[1:]] == outcome.decisions.time[changes + 1].tolist()
    figure = energy_figure(outcome)
    strips = [trace for trace in figure.data if trace.name.startswith("as ")]
    assert [trace.name for trace in strips] == [
        "as most worth per core-second",
        "as most worth per kWh",
    ]
    for trace, measure in zip(strips, (Measure.PER_RESOURCE, Measure.PER_ENERGY), strict=True):
        mine = [one for one in spans if one.measure is measure]
        drawn = np.array(trace.x).reshape(-1, 3)
        assert drawn[:, 0].tolist() == pytest.approx([one.begin / HOUR for one in mine])
        assert drawn[:, 1].tolist() == pytest.approx([one.end / HOUR for one in mine])
        assert np.isnan(drawn[:, 2]).all()
        assert figure.layout.yaxis.range[0] < np.nanmax(trace.y) < 0
    assert f"changes its measure {len(changes):,} times" in changes_said(outcome)


def test_a_strip_of_very_many_spans_says_how_many_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    outcome = a_day(joules=21 * KWH, switch=Switch.BY_EVENT)
    changes = len(measure_spans(outcome)) - 1
    assert "first" not in changes_said(outcome)
    monkeypatch.setattr(curves_chart, "MOST_SPANS", changes)
    strips = [one for one in energy_figure(outcome).data if one.name.startswith("as ")]
    assert sum(len(one.x) for one in strips) == 3 * changes
    assert f", the first {changes - 1:,} times" in changes_said(outcome)


def test_a_policy_that_keeps_its_measure_has_no_strip() -> None:
    figure = energy_figure(a_day(joules=21 * KWH))
    assert [trace.name for trace in figure.data] == ["spent", "constant rate"]
    assert figure.layout.yaxis.range[0] == 0
    assert changes_said(a_day()) == ""


def test_prices_that_are_set_anew_are_marked_on_the_line_of_what_is_spent() -> None:
    prices = Prices(0.1 / HOUR, 2.0 / KWH), Prices(0.2 / HOUR, 3.0 / KWH)
    there = a_day(joules=21 * KWH)
    priced = tuple(map(PricesFrom, (2 * HOUR, 10 * HOUR), prices))
    outcome = replace(there, decisions=replace(there.decisions, priced=priced))
    (marks,) = (one for one in energy_figure(outcome).data if one.mode == "markers")
    assert marks.x == pytest.approx([2, 10])
    assert marks.y == pytest.approx([3.5, 19.5])  # one node of 1 kW for half an hour, then two
    assert (
        marks.customdata[1] == "10 h: a job must be worth 3 for each kWh and 0.2 for each core-hour"
    )
    assert changes_said(outcome) == "The policy sets its prices 2 times: at the diamonds."


def test_worth_rises_to_that_of_the_day() -> None:
    outcome = a_day()
    (line,) = earned_figure(outcome).data
    assert line.y[0] == 0
    assert all(np.diff(line.y) >= 0)
    assert line.y[-1] == pytest.approx(outcome.worth)


def test_queue_busy_units_and_power_are_those_of_one_node() -> None:
    outcome = a_day(workload=two_nodes(nodes=1))
    assert max(waiting_figure(outcome).data[0].y) == 10
    busy, power = busy_figure(outcome).data[0], power_figure(outcome).data[0]
    assert (max(busy.y), busy.name) == (pytest.approx(100.0), "nodes")
    assert max(power.y) == 1.0, "in kW"


def test_means_of_steps_keep_what_is_below_the_curve() -> None:
    curve = TimeCurve(np.array([0.0, 1.0, 5.0, 8.0]), np.array([3.0, 0.0, 7.0, 7.0]), steps=True)
    means = mean_curve(curve)
    total = float((means.value[:-1] * np.diff(means.time)).sum())
    assert total == pytest.approx(3 * 1 + 0 * 4 + 7 * 3)
    assert means.value.max() <= 7 + 1e-9


@pytest.mark.thorough
def test_each_row_of_a_gantt_chart_has_all_jobs_of_its_unit() -> None:
    outcome = a_day()
    rows = pool_rows(outcome, 0)
    assert rows.units.tolist() == [0, 1]
    assert sorted(rows.job.tolist()) == list(range(20))
    bars = [bar for trace in pool_gantt(outcome, rows).data for bar in trace.x]
    assert len(bars) == 20
    assert sum(bars) == pytest.approx(20.0), "hours"


def test_jobs_of_task_types_of_a_study_have_its_colours() -> None:
    outcome = a_day()
    types = outcome.workload.jobs.types
    names = [*(f"x{k}" for k in range(3)), *types]
    study = System(
        tuple(TaskType(name, 1) for name in names),
        (MachineType("M", 1),),
        np.arange(len(names), 0, -1.0)[:, None],
    )
    for trace in pool_gantt(outcome, pool_rows(outcome, 0), study).data:
        assert trace.marker.color == paint_task(names.index(trace.name)).fill
    (alone, *_) = pool_gantt(outcome, pool_rows(outcome, 0)).data
    assert alone.marker.color == paint_task(0).fill


def test_a_large_pool_shows_some_units_and_few_bars() -> None:
    workload = two_nodes(jobs=6_000, nodes=100, end=4_000 * HOUR)
    outcome = a_day(workload=workload)
    rows = pool_rows(outcome, 0)
    assert len(rows.units) == MOST_ROWS
    assert (rows.units[0], rows.units[-1]) == (0, 99)
    assert 0 < len(rows.bars) <= MOST_BARS
    assert len(rows.job) == len(rows.bars)


@pytest.mark.thorough
def test_no_more_short_bars_become_one_than_are_too_many() -> None:
    """6,000 jobs from a minute to a hundred hours, on 20 nodes."""
    workload = two_nodes(jobs=6_000, nodes=20, end=4_000 * HOUR)
    lengths = np.random.default_rng(1).permutation(np.geomspace(60.0, 100 * HOUR, 6_000))
    workload = replace(workload, options=replace(workload.options, seconds=lengths))
    rows = pool_rows(a_day(workload=workload), 0)
    assert 0.9 * MOST_BARS < len(rows.bars) <= MOST_BARS


@pytest.fixture
def found() -> ArrivalsFound:
    """Two days: on both, one policy earns 10 % of all more than the other."""
    settings = ArrivalsSettings(policies=("easy", "max-upe"), days=2)
    runs = {"easy": [a_trial(60), a_trial(80)], "max-upe": [a_trial(70), a_trial(90)]}
    compared = tried(settings.question(None), runs, 2 * [TrialBound(90.0)])
    return ArrivalsFound(settings, None, compared)


def test_bars_have_the_best_policy_first_with_its_interval_and_the_bound(
    found: ArrivalsFound,
) -> None:
    """Issue 33, point 10: bars are shares of the bound, and intervals do not run past it."""
    figure = bars_figure(worth_bars(found.shown), 30)
    bars, paper, ink = figure.data
    assert bars.y == ("Most worth per kWh", "EASY backfilling")
    assert bars.x == pytest.approx((800 / 9, 700 / 9))
    assert Interval.of(np.array([7 / 9, 1.0])).half_width > 1, "by far wider than what is drawn"
    for marks in (paper, ink):
        assert (marks.x, marks.y) == (bars.x, bars.y)
        assert marks.error_x.array == pytest.approx((100 / 9, 200 / 9))
        assert marks.error_x.arrayminus == pytest.approx((800 / 9, 700 / 9))
    assert paper.error_x.thickness > 2 * ink.error_x.thickness
    assert figure.layout.shapes[0].x0 == 100
    assert figure.layout.annotations[0].text == "possible at most"
    assert figure.layout.xaxis.title.text == "Worth (% of what is possible at most)"


def test_without_a_bound_bars_are_shares_of_the_published_maximum(found: ArrivalsFound) -> None:
    partly = replace(found.compared, bounds={0: TrialBound(90.0)})
    figure = bars_figure(worth_bars(partly.so_far), 30)
    assert figure.data[0].x == pytest.approx((80.0, 70.0))
    assert not figure.layout.shapes
    assert figure.layout.xaxis.title.text == "Worth (% of that without waiting)"


def test_lines_over_the_budget_have_the_points_that_are_there(found: ArrivalsFound) -> None:
    some = BudgetScores(found, {("easy", 0, STEPS[0]): 0.5, ("easy", 1, STEPS[0]): 0.7})
    easy, other = budgets_figure(some).data
    assert (easy.x, easy.y) == ((100 * STEPS[0],), pytest.approx((60.0,)))
    assert not other.x
