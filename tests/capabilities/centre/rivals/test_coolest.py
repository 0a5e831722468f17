"""No heuristic cools the room below the least temperature that it may be cooled to."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from core.capabilities.centre.day import CentreDay
from core.capabilities.centre.judge import judged_plan
from core.capabilities.centre.made import made_day
from core.capabilities.centre.plan import DayPlan
from core.capabilities.centre.rivals.as_usual import as_usual
from core.capabilities.centre.rivals.best_fit_hole import best_fit_hole
from core.capabilities.centre.rivals.due_first import due_first


@pytest.mark.parametrize("method", [as_usual, due_first, best_fit_hole])
@pytest.mark.parametrize("coolest", [18.0, 24.0, 26.0])
def test_no_plan_is_cooled_too_far(method: Callable[[CentreDay], DayPlan], coolest: float) -> None:
    """A small room that a step of the compressor cools by kelvins, under a cold night."""
    day = made_day("small")
    centre = replace(day.centre, coolest=coolest, first=26.8)
    curves = replace(day.curves, outside=np.linspace(10.0, 25.0, day.steps))
    day = replace(day, centre=centre, curves=curves)
    assert judged_plan(day, method(day)).problems == ()
