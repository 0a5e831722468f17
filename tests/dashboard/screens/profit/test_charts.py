"""Figures of the profit page show what was computed; losses are told by more than colour."""

from dataclasses import replace

import numpy as np
import pytest

from core.capabilities.profit.earn import earn
from core.capabilities.profit.region import feasible_region
from core.capabilities.profit.settings import ProfitSettings
from core.capabilities.profit.sweep import curve, price_range
from core.engines.front.axis import axis_for
from core.engines.relaxed import trace_front
from core.vocabulary.budget import Effort
from core.vocabulary.prices.site import Site
from core.vocabulary.prices.tariff import Tariff
from core.vocabulary.say.words import JOULES_PER_KWH, Sense
from core.vocabulary.system import MachineType, System, TaskType
from dashboard.screens.profit.line_charts import curve_figure
from dashboard.screens.profit.plane_chart import (
    Contours,
    ProfitPlane,
    contours_figure,
    levels,
    plane_figure,
)
from dashboard.screens.profit.sweeps import Sweep, sweep_figure


@pytest.fixture(scope="module")
def axis(testbed_front):
    return axis_for("kWh", Tariff(1.0), "EUR", float(testbed_front.energy.max()))


def trace(figure, start):
    return next(one for one in figure.data if (one.name or "").startswith(start))


def named(figure):
    return [one.name for one in figure.data if one.name]


def drawn(testbed, testbed_front, axis, settings):
    terms = settings.terms(testbed_front)
    profit = earn(testbed, terms, effort=Effort(0))
    region = feasible_region(testbed, 2 * float(testbed_front.makespan[0]))
    return plane_figure(
        ProfitPlane(testbed_front, region, terms, profit, axis, settings.money)
    ), profit


def test_the_optimum_and_the_schedule_are_where_they_are(testbed, testbed_front, axis):
    figure, profit = drawn(testbed, testbed_front, axis, ProfitSettings(ratio=1.5))
    square, diamond = trace(figure, "Divisible"), trace(figure, "Schedule")
    assert axis.joules(square.x[0]) == pytest.approx(profit.bound_energy)
    assert square.y[0] * 3600 == pytest.approx(profit.bound_period)
    assert axis.joules(diamond.x[0]) == pytest.approx(profit.earnings.energy)
    assert diamond.y[0] * 3600 == pytest.approx(profit.earnings.period)
    line = trace(figure, "Front")
    assert [axis.joules(x) for x in line.x] == pytest.approx(testbed_front.energy)


@pytest.mark.parametrize("ratio", [0.95, 1.5])
def test_what_is_earned_is_written_beside_its_mark_and_drawn_on_no_axis_of_another_kind(
    testbed, testbed_front, axis, ratio
):
    settings = ProfitSettings(ratio=ratio)
    figure, profit = drawn(testbed, testbed_front, axis, settings)
    most, found = figure.layout.annotations
    assert (most.x, most.y) == (trace(figure, "Divisible").x[0], trace(figure, "Divisible").y[0])
    assert (found.x, found.y) == (trace(figure, "Schedule").x[0], trace(figure, "Schedule").y[0])
    assert most.text == f"at most {settings.money.say_rate(profit.bound.value, Sense.UPPER_BOUND)}"
    assert found.text == f"found {settings.money.say_rate(profit.value, Sense.EARNED)}"
    assert ("−" in found.text) == (profit.value < 0), "a loss is told by more than its colour"
    middle = sum(figure.layout.xaxis.range) / 2
    for label in (most, found):
        assert (label.xanchor == "left") == (label.x < middle), "on a phone, too, it is whole"
    assert {most.yshift, found.yshift} == {12, -12}
    upper = most if most.y >= found.y else found
    assert upper.yshift > 0
    assert {one.type for one in figure.data} == {"scatter"}
    assert not [name for name in named(figure) if name in ("Upper bound", "Found")]


def test_what_the_schedule_found_takes_is_rounded_up_in_its_hover(testbed, testbed_front, axis):
    """As in the figures above the chart; the divisible optimum is to the nearest."""
    settings = ProfitSettings(ratio=1.5)
    terms = settings.terms(testbed_front)
    profit = earn(testbed, terms, effort=Effort(0))
    assert profit.earnings is not None
    profit = replace(
        profit,
        bound_energy=100.01 * JOULES_PER_KWH,
        bound_period=100.01,
        most=100.01 / 3600,
        earnings=replace(
            profit.earnings, energy=100.01 * JOULES_PER_KWH, period=100.01, profit=99.996 / 3600
        ),
    )
    region = feasible_region(testbed, 2 * float(testbed_front.makespan[0]))
    figure = plane_figure(ProfitPlane(testbed_front, region, terms, profit, axis, settings.money))
    (optimum,), (found,) = (trace(figure, n).customdata for n in ("Divisible", "Schedule"))
    said = "one batch every 100 s, at most 100.1 EUR/h"
    assert optimum == f"Divisible optimum: 100 kWh, {said}"
    said = "one batch every 100.1 s, found 99.99 EUR/h"
    assert found == f"Schedule found: 100.1 kWh, {said}"


def test_all_charts_of_the_page_count_time_in_one_unit(testbed, testbed_front, axis):
    settings = ProfitSettings(ratio=1.5)
    terms, profit = settings.terms(testbed_front), None
    for reach in (60.0, 1_800.0, 1e6):
        region = feasible_region(testbed, reach * float(testbed_front.makespan[0]))
        plane = plane_figure(
            ProfitPlane(testbed_front, region, terms, profit, axis, settings.money)
        )
        lines = contours_figure(Contours(region, terms, 0.0, None, axis, settings.money))
        assert plane.layout.yaxis.title.text == lines.layout.yaxis.title.text


def test_the_cap_is_the_line_of_its_power(testbed, testbed_front, axis):
    figure, _ = drawn(
        testbed, testbed_front, axis, ProfitSettings(ratio=1.5, site=Site(cap_kw=0.3))
    )
    region = trace(figure, "Above the cap of 300 W")
    assert axis.joules(region.x[1]) / (region.y[1] * 3600) == pytest.approx(300.0)
    assert not [
        name
        for name in named(drawn(testbed, testbed_front, axis, ProfitSettings())[0])
        if "cap" in name
    ]


def test_without_running_or_with_too_low_a_cap_nothing_is_marked(testbed, testbed_front, axis):
    figure, _ = drawn(testbed, testbed_front, axis, ProfitSettings(ratio=0.3))
    assert named(figure) == ["Feasible", "Front (lower bound)"]
    settings = ProfitSettings(site=Site(cap_kw=0.0))
    terms, region = settings.terms(testbed_front), feasible_region(testbed, 1e5)
    plane = ProfitPlane(testbed_front, region, terms, None, axis, settings.money)
    assert named(plane_figure(plane))[-1] == "Front (lower bound)"


def contours_of(testbed, testbed_front, axis, ratio):
    rates = tuple((machine.name, 0.01) for machine in testbed.machine_types)
    settings = ProfitSettings(ratio=ratio, depreciation=rates, overhead=1e-4, site=Site(pue=1.2))
    terms = settings.terms(testbed_front)
    region = feasible_region(testbed, 2 * float(testbed_front.makespan[0]))
    standing = terms.depreciation_of_all(testbed)
    return Contours(region, terms, standing, None, axis, settings.money)


@pytest.mark.parametrize("ratio", [0.9, 1.2, 1.5])
def test_lines_of_equal_profit_are_that_and_aim_at_the_pivot(testbed, testbed_front, axis, ratio):
    contours = contours_of(testbed, testbed_front, axis, ratio)
    found = [value for value in levels(contours) if len(contours.line(value)) == 2]
    assert 3 <= len(found) <= 20
    scale = abs(contours.profit(contours.region)).max()
    for value in found:
        ends = contours.line(value)
        assert contours.profit(ends) == pytest.approx(value, abs=1e-9 * scale)
        near, far = ends - [contours.pivot, 0.0]
        assert near[0] * far[1] == pytest.approx(near[1] * far[0], rel=1e-6, abs=1e-6 * far[1])
    figure = contours_figure(contours)
    assert "Pivot" in " ".join(named(figure))
    dashes = {one.line.dash for one in figure.data if one.mode == "lines+text"}
    assert ("dash" in dashes) == any(value < 0 for value in found)


@pytest.mark.parametrize("ratio", [0.9, 1.2, 1.5])
def test_lines_of_equal_profit_lie_over_the_region_and_say_their_profit(
    testbed, testbed_front, axis, ratio
):
    """Issue 33, point 13: the region is filled below the lines, and not over them."""
    contours = contours_of(testbed, testbed_front, axis, ratio)
    figure = contours_figure(contours)
    region = named(figure).index("Feasible")
    assert region == 0
    assert figure.data[0].fill == "toself"
    lines = [one for one in figure.data if one.mode == "lines+text"]
    inside = [value for value in levels(contours) if len(contours.line(value)) == 2]
    assert [list(line.x) for line in lines] == [
        pytest.approx(axis.of(contours.line(value)[:, 0])) for value in inside
    ]
    said = [line.text[1].strip() for line in lines]
    assert "0" in said or 0 not in inside
    assert sum(map(bool, said)) >= 3
    for line, text in zip(lines, said, strict=True):
        at_the_top = line.y[1] == pytest.approx(max(figure.data[0].y))
        side = "left" if line.x[1] < line.x[0] else "right"
        assert line.textposition == ("top center" if at_the_top or not text else f"middle {side}")
    # Each can be read, and none is cut off.
    left, right = figure.layout.xaxis.range
    most = figure.layout.yaxis.range[1]
    ends = [(line.x[1], line.y[1]) for line, text in zip(lines, said, strict=True) if text]
    for k, (x, y) in enumerate(ends):
        assert left < x < right
        assert 0 < y < most
        for other_x, other_y in ends[:k]:
            assert abs(x - other_x) > 0.07 * (right - left) or abs(y - other_y) > 0.04 * most


def test_lines_of_equal_profit_over_a_region_without_width(axis):
    """One machine without idle power takes the same energy, however late it is done."""
    machine = MachineType("m", 1, 0.0)
    system = System((TaskType("a", 3),), (machine,), np.array([[10.0]]), np.array([[5.0]]))
    settings = ProfitSettings(ratio=1.5)
    region = feasible_region(system, 60.0)
    terms = settings.terms(trace_front(system))
    figure = contours_figure(Contours(region, terms, 0.0, None, axis, settings.money))
    said = [one.text[1].strip() for one in figure.data if one.mode == "lines+text"]
    assert sum(map(bool, said)) >= 2
    left, right = figure.layout.xaxis.range
    assert left < axis.of(region[:, 0]).min() < right


@pytest.mark.parametrize("cap", [None, 0.3])
def test_what_is_filled_hides_no_line_of_a_chart_of_energy_and_time(
    testbed, testbed_front, axis, cap
):
    """Issue 33, point 13: what is opaque is drawn first."""
    settings = ProfitSettings(ratio=1.5, site=Site(cap_kw=cap))
    terms = settings.terms(testbed_front)
    region = feasible_region(testbed, 2 * float(testbed_front.makespan[0]))
    contours = Contours(region, terms, 0.0, (8e7, 4e3), axis, settings.money)
    for figure in (drawn(testbed, testbed_front, axis, settings)[0], contours_figure(contours)):
        opaque = [one.fill is not None and "rgba" not in one.fillcolor for one in figure.data]
        assert opaque == sorted(opaque, reverse=True)


def test_the_earned_optimum_is_on_its_line(testbed, testbed_front, axis):
    contours = contours_of(testbed, testbed_front, axis, 1.5)
    profit = earn(testbed, contours.terms, effort=Effort(0))
    point = np.array([[profit.bound_energy, profit.bound_period]])
    assert contours.profit(point)[0] == pytest.approx(profit.bound.value, rel=1e-6)


def test_the_curve_shows_both_lines_and_where_things_are(testbed, testbed_front):
    settings = ProfitSettings(ratio=1.4)
    terms, unit = settings.terms(testbed_front), settings.unit_price(testbed_front)
    found = curve(testbed, terms, testbed_front, price_range(unit, terms.price))
    profit = earn(testbed, terms, effort=Effort(0))
    figure = curve_figure(found, unit, terms.overhead, profit, settings.money)
    assert trace(figure, "Upper").y == pytest.approx(3600 * found.at_most)
    assert trace(figure, "Best").y == pytest.approx(3600 * found.on_front)
    here = trace(figure, "Found")
    assert (here.x[0], here.y[0]) == (pytest.approx(1.4), pytest.approx(3600 * profit.value))
    assert figure.layout.yaxis.title.text == "Profit (EUR/h)"


def test_the_marked_break_even_price_is_that_under_the_cap(testbed, testbed_front):
    settings = ProfitSettings(by="bag", price=0.3, site=Site(cap_kw=0.04))
    terms = settings.terms(testbed_front)
    found = curve(testbed, terms, testbed_front, (0.0, 0.5))
    even = found.steps.capped_break_even
    assert 1.01 * found.steps.break_even < even < 0.5
    profit = earn(testbed, terms, effort=Effort(0))
    figure = curve_figure(found, 0.0, terms.overhead, profit, settings.money)
    marked = {one.text.rpartition(":")[0]: one.x for one in figure.layout.annotations}
    assert marked["break even"] == pytest.approx(even)
    assert "without the cap, fastest is best from" in marked


def test_a_sweep_has_a_gap_where_the_cap_cannot_be_kept():
    values, at_most = np.array([0.0, 1.0, 2.0]), np.array([np.nan, 1.0, 2.0])
    figure = sweep_figure(Sweep("Power cap (kW)", values, at_most, None), ProfitSettings().money)
    assert np.isnan(figure.data[0].y[0])
    assert list(figure.data[0].y[1:]) == [3600.0, 7200.0]
    assert figure.layout.xaxis.title.text == "Power cap (kW)"


def test_upper_bounds_are_rounded_up_in_hovers_and_what_is_found_down(testbed, testbed_front):
    conditions, rate = ProfitSettings(ratio=1.4), 100.01 / 3600
    sweep = Sweep("Power cap (kW)", np.array([2.0]), np.array([rate]), None)
    assert sweep_figure(sweep, conditions.money).data[0].customdata == ("2: 100.1 EUR/h",)
    terms, unit = conditions.terms(testbed_front), conditions.unit_price(testbed_front)
    found = curve(testbed, terms, testbed_front, price_range(unit, terms.price))
    found = replace(found, at_most=np.full(len(found.prices), rate))
    profit = earn(testbed, terms, effort=Effort(0))
    assert profit.earnings is not None
    profit = replace(profit, earnings=replace(profit.earnings, profit=99.996 / 3600))
    figure = curve_figure(found, unit, terms.overhead, profit, conditions.money)
    assert trace(figure, "Upper").customdata[0] == "Upper bound: 100.1 EUR/h"
    assert trace(figure, "Found").customdata == ("99.99 EUR/h",)
