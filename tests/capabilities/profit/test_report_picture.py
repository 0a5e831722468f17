"""The line is the most that can be earned at each price, and the dot is what is found."""

import numpy as np
import pytest
from drawn import corners, dots, places_of

from core.capabilities.profit.earn import earn
from core.capabilities.profit.report import profit_picture
from core.capabilities.profit.settings import ProfitSettings
from core.capabilities.profit.sweep import PriceSteps, ProfitCurve, curve, price_range
from core.vocabulary.budget import Effort
from core.vocabulary.prices.site import Site
from core.vocabulary.say.money import Money


@pytest.mark.parametrize(
    ("settings", "per_unit"),
    [
        (ProfitSettings(ratio=1.4, overhead=1e-3), True),
        (ProfitSettings(by="bag", price=2.0, site=Site(price=0.0)), False),
    ],
)
def test_the_dot_is_at_its_price_and_profit(testbed, testbed_front, settings, per_unit):
    terms, unit = settings.terms(testbed_front), settings.unit_price(testbed_front)
    assert bool(unit) == per_unit
    found = curve(testbed, terms, testbed_front, price_range(unit, terms.price))
    value = earn(testbed, terms, effort=Effort(0)).value
    drawing = profit_picture(found, unit, terms.overhead, (terms.price, value), settings.money)
    line = np.column_stack([found.prices, found.at_most])
    drawn = corners(drawing, "bound")
    assert drawn == pytest.approx(places_of(line, drawn, line), abs=0.2)
    at = np.array([[terms.price, value]])
    assert dots(drawing, "schedule") == pytest.approx(places_of(line, drawn, at), abs=0.3)
    assert ("Profit ratio" in str(drawing)) == per_unit


HOURLY, SECONDLY = Money("EUR", 3600.0), Money("EUR", 1.0)


def curve_of(at_most, ends, revenue):
    """Of an overhead of 100: what is best changes at these revenues, the first time breaking even
    and the second time to the thriftiest.
    """
    prices = np.linspace(*ends, len(at_most))
    costs = np.array([1.0, 2e3, 3e3])  # what breaks even without the cap is not drawn
    joules = np.array([3.0, 1.0, 2.0])
    steps = PriceSteps(
        np.array(revenue), costs, np.array([4.0, 3.0, 2.0]), joules, 0.0, True, revenue[0]
    )
    return ProfitCurve(prices, np.array(at_most), prices, steps)


def drawn(drawing):
    """Its parts, without axes."""
    return [part for part in drawing.parts if '"axis"' not in part and '"middle"' not in part]


def titles(drawing):
    return [
        part.partition(">")[2].removesuffix("</text>")
        for part in drawing.parts
        if '"middle title"' in part
    ]


def test_all_that_is_drawn():
    """From 400 to 2,000 of money to the right, which is 0.4 to 2 of the cost of the least energy;
    from -1 to 9 a second upwards, and 6 % more on either side.
    """
    curve = curve_of([-1.0, 1.0, np.nan, 9.0], (400.0, 2000.0), (500.0, 1200.0, 1440.0))
    drawing = profit_picture(curve, 1000.0, 100.0, (1200.0, 4.0), HOURLY)
    assert str(drawing).startswith('<svg viewBox="0 0 760 360"')
    assert drawing.label == "Profit over the price of a batch"
    assert [part for part in drawn(drawing) if 'class="end"' not in part][:8] == [
        '<path class="grid" d="M74 268L744 268"/>',
        '<path class="grid" d="M157.8 40L157.8 306"/>',
        '<text class="start title" x="161.8" y="54">breaks even 0.6</text>',
        '<path class="grid" d="M450.9 40L450.9 306"/>',
        '<text class="end title" x="446.9" y="70">thriftiest from 1.3</text>',
        '<path class="grid" d="M551.4 40L551.4 306"/>',
        '<text class="end title" x="547.4" y="86">fastest from 1.54</text>',
        '<path class="bound" d="M74 291.8L297.3 244.2L744 54.2"/>',
    ]
    assert '<circle class="schedule" cx="409" cy="173" r="5"/>' in drawing.parts
    assert drawing.parts[-4:] == [
        '<path class="bound" d="M74 16L90 16"/>',
        '<text class="start" x="95" y="20">at most, by any schedule (proven)</text>',
        '<circle class="schedule" cx="338.8" cy="16" r="5"/>',
        '<text class="start" x="348.8" y="20">found</text>',
    ]
    assert titles(drawing) == ["Profit ratio", "Profit (EUR/h)"]
    assert '<text class="end" x="66" y="272">0</text>' in drawing.parts


def test_where_energy_costs_nothing_prices_are_drawn():
    curve = curve_of([1.0, 9.0], (400.0, 2000.0), (299.0, 1200.0, 1901.0))
    drawing = profit_picture(curve, 0.0, 100.0, (2000.0, -1.0), SECONDLY)
    assert titles(drawing) == ["Price of a batch", "Profit (EUR/s)"]
    assert '<circle class="schedule" cx="744" cy="291.8" r="5"/>' in drawing.parts
    # What is beyond the ends is not drawn.
    assert [part.partition(">")[2] for part in drawn(drawing) if " title" in part][:1] == [
        "thriftiest from 1,300</text>"
    ]


def test_a_change_at_the_ends_is_drawn():
    curve = curve_of([0.0, 9.0], (400.0, 2000.0), (300.0, 1100.0, 1900.0))
    parts = drawn(profit_picture(curve, 0.0, 100.0, (400.0, 3.0), SECONDLY))
    assert '<text class="start title" x="78" y="54">breaks even 400</text>' in parts
    assert '<text class="end title" x="405" y="70">thriftiest from 1,200</text>' in parts
    assert '<text class="end title" x="740" y="86">fastest from 2,000</text>' in parts


@pytest.mark.parametrize(("value", "place"), [(0.0, 173), (2000.0, 54.2), (-2000.0, 291.8)])
def test_where_all_is_the_same_there_is_room_around_it(value, place):
    """One price, of which a thousandth more is shown; and from 0 to the one profit, or about it."""
    curve = curve_of([value, value], (5.0, 5.0), (9e3, 9e3, 9e3))
    drawing = profit_picture(curve, 0.0, 0.0, (5.0, value), SECONDLY)
    assert f'<circle class="schedule" cx="74" cy="{place}" r="5"/>' in drawing.parts
    assert '<text class="middle" x="744" y="323">5.005</text>' in drawing.parts
