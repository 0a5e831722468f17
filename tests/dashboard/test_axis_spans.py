"""On every chart of values, what differs by a millionth looks the same."""

import numpy as np
import plotly.graph_objects as go
import pytest

from core import System
from core.capabilities.profit.earn import earn
from core.capabilities.profit.region import feasible_region
from core.capabilities.profit.settings import ProfitSettings
from core.capabilities.profit.sweep import curve, price_range
from core.engines.front.axis import axis_for
from core.engines.front.study import study
from core.engines.relaxed import trace_front
from core.vocabulary.budget import Effort
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.prices.tariff import Tariff
from dashboard.parts.charts.drawing import LEAST_SPAN
from dashboard.parts.fields.idle_power import IdlePowerCurve
from dashboard.screens.profit.line_charts import curve_figure
from dashboard.screens.profit.plane_chart import ProfitPlane, plane_figure
from dashboard.screens.profit.sweeps import Sweep, sweep_figure
from dashboard.screens.trade_offs.front_chart import Picture, front_figure
from dashboard.screens.trade_offs.idle_powers_chart import idle_figure
from dashboard.screens.what_if.compare.fronts_chart import compare_fronts
from dashboard.screens.what_if.compare.outcome import axes, outcome
from dashboard.screens.what_if.compare.what_ifs import WhatIf


@pytest.fixture(scope="module")
def alike() -> System:
    """Two machine types of which one is a millionth faster, and the other a millionth thriftier."""
    return System(
        (TaskType("T", 1000),),
        (MachineType("A", 5, 30.0), MachineType("B", 5, 30.0)),
        np.array([[250_000.0, 250_000.2]]),
        np.array([[100.0001, 100.0]]),
    )


def spans(*ranges: tuple[float, float]) -> list[float]:
    return [(high - low) / max(abs(low), abs(high)) for low, high in ranges]


def both(figure: go.Figure) -> list[float]:
    return spans(figure.layout.xaxis.range, figure.layout.yaxis.range)


def test_no_chart_is_filled_by_a_difference_that_nobody_notices(alike: System) -> None:
    """Issue 33, point 20: an axis had gone from 2.8988 to 2.8996 d; rounding filled charts."""
    front = trace_front(alike)
    axis = axis_for("kWh", Tariff(1.0), "EUR", float(front.energy.max()))
    settings = ProfitSettings(ratio=1.5)
    terms, unit = settings.terms(front), settings.unit_price(front)
    profit = earn(alike, terms, effort=Effort(0))
    region = feasible_region(alike, 1.5 * float(front.makespan[0]))
    noisy = np.array([2.8988, 2.8996, 2.8989])
    one = outcome(WhatIf.of(1, "alike", alike), trace_front)
    compared = compare_fronts([one], axes([one], "kWh", "EUR"))
    assert compared is not None
    plane = ProfitPlane(front, region, terms, profit, axis, settings.money)
    prices = curve(alike, terms, front, price_range(unit, terms.price))
    found = {
        "front": both(front_figure(Picture(study(alike, effort=Effort(0)), axis))),
        "compare": both(compared),
        "plane": both(plane_figure(plane)),
        "curve": spans(curve_figure(prices, unit, 0.0, profit, settings.money).layout.yaxis.range),
        "sweep": spans(
            sweep_figure(
                Sweep("Power cap (kW)", np.arange(3.0), noisy, None), settings.money
            ).layout.yaxis.range
        ),
    }
    for values, of in ((noisy, "d"), (1e-9 * noisy, "%")):
        drawn = idle_figure(IdlePowerCurve("", of, np.array([0.0, 0.5, 1.0]), values), 0.3)
        low, high = drawn.layout.yaxis.range
        found[f"idle {of}"] = [(high - low) / (50.0 if of == "%" else high)]
    assert not [name for name, each in found.items() if min(each) < 0.99 * LEAST_SPAN], found


def test_where_values_differ_the_axis_is_theirs() -> None:
    rates = np.array([0.5, 1.0]) / 3600
    drawn = sweep_figure(Sweep("x", np.arange(2.0), rates, None), ProfitSettings().money)
    assert drawn.layout.yaxis.range == pytest.approx((0.47, 1.03))
    rates = np.array([0.2, 1.0]) / 3600
    drawn = sweep_figure(Sweep("x", np.arange(2.0), rates, None), ProfitSettings().money)
    assert drawn.layout.yaxis.range == pytest.approx((-0.06, 1.06)), "0 is near"
    drawn = sweep_figure(Sweep("x", np.arange(2.0), -rates, None), ProfitSettings().money)
    assert drawn.layout.yaxis.range == pytest.approx((-1.06, 0.06))
    nothing = Sweep("x", np.arange(2.0), np.full(2, np.nan), None)
    assert sweep_figure(nothing, ProfitSettings().money).layout.yaxis.range is None
