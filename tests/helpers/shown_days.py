"""A day of a small centre under plans, as the page shows it."""

from functools import cache

from books import zipped
from capabilities.centre.files.centre_files import USUAL

from core.capabilities.centre.answer import CentreAnswer, MethodPlan, answered
from core.capabilities.centre.files.centre_reader import inspect_centre_bytes
from core.capabilities.centre.settings import DaySettings
from dashboard.screens.centre.power_panel import ShownPlan


@cache
def small_answer() -> CentreAnswer:
    """The answer of the small centre, with its curves as they were forecast."""
    file = inspect_centre_bytes("small.zip", zipped(USUAL)).require()
    return answered(file, DaySettings(seconds=0.0), ("plan", "edd"))


def shown_plan(one: MethodPlan) -> ShownPlan:
    """A plan as the page shows it."""
    shown = ShownPlan.of(one)
    assert shown is not None
    return shown
