"""The line is the most that can be earned at each price, and the dot is what is found."""

import numpy as np
import pytest
from drawn import corners, dots, places_of

from core.capabilities.profit.curve import curve, price_range
from core.capabilities.profit.earn import earn
from core.capabilities.profit.report_picture import profit_picture
from core.capabilities.profit.settings import ProfitSettings
from core.engines.relaxed import Front
from core.vocabulary.budget import Effort
from core.vocabulary.system import System


@pytest.mark.parametrize(
    ("settings", "per_unit"),
    [
        (ProfitSettings(ratio=1.4, overhead=1e-3), True),
        (ProfitSettings(by="bag", price=2.0, energy_price=0.0), False),
    ],
)
def test_the_dot_is_at_its_price_and_profit(
    testbed: System, testbed_front: Front, settings: ProfitSettings, per_unit: bool
) -> None:
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
