"""A day of a small centre under plans, as the page shows it."""

from functools import cache

from books import zipped
from capabilities.centre.files.centre_files import TOML, USUAL, changed

from core.capabilities.centre.answer import CentreAnswer, answered
from core.capabilities.centre.files.centre_reader import inspect_centre_bytes
from core.capabilities.centre.front import DaySlice
from core.capabilities.centre.method_plan import MethodPlan
from core.capabilities.centre.settings import DaySettings
from dashboard.screens.centre.front_panel import slices_found
from dashboard.screens.centre.inputs import with_target
from dashboard.screens.centre.power_panel import ShownPlan


@cache
def small_answer() -> CentreAnswer:
    """The answer of the small centre, with its curves as they were forecast."""
    file = inspect_centre_bytes("small.zip", zipped(USUAL)).require()
    return answered(file, DaySettings(seconds=0.0), ("plan", "edd"))


@cache
def small_slices() -> tuple[DaySlice, ...]:
    """Its front, with a target that some plans exceed."""
    file = with_target(small_answer().file, ((0.0, 0.6),))
    asked = DaySettings(seconds=0.5)
    return slices_found(file, asked, str)


def shown_plan(one: MethodPlan) -> ShownPlan:
    """A plan as the page shows it."""
    shown = ShownPlan.of(one)
    assert shown is not None
    return shown


DAYS: dict[str, str | None] = {
    "centre__toml": TOML.replace('"4h"', '"196h"')
    .replace('"15min"', '"60min"')
    .replace("T00:00", "T18:00"),
    "jobs__csv": "job,kind,servers,seconds,release,due,count\n"
    "render,cpu,2,7200,0,,30\ntrain,gpu,1,7200,90000,,20\n",
    "signals_carbon__csv": None,
    "signals_carbon_forecast__csv": None,
}
"""From Saturday at 18:00 for more than eight days."""


@cache
def several_days() -> CentreAnswer:
    """The answer of a small centre for these days."""
    file = inspect_centre_bytes("days.zip", zipped(changed(**DAYS))).require()
    asked = DaySettings(seconds=0.0)
    return answered(with_target(file, ((0.0, 0.5),)), asked, without=("worth",))
