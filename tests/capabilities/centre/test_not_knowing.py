"""What is not known of a day, and is as forecast until it comes; all else is as it came."""

from dataclasses import replace

import numpy as np
import pytest
from capabilities.centre.files.centre_files import read

from core.capabilities.centre.bound import DaySearch
from core.capabilities.centre.files.centre_file import CentreFile
from core.capabilities.centre.not_knowing import LivedDay, Unknown, unknown_in
from core.capabilities.centre.objectives import NO_CAPS, DayAim, DayCaps, DayWeights
from core.capabilities.centre.settings import DaySettings

_HOURS = [f"2026-{day}:00Z" for day in ("07-31T23", "08-01T00", "08-01T01", "08-01T02")]


def _rows(value: float, issued: str = "") -> str:
    """A value for all hours of the day."""
    head = f"time,value{',issued' * bool(issued)}\n"
    return head + "".join(f"{hour},{value}{issued}\n" for hour in _HOURS)


def forecast_file(*without: str) -> CentreFile:
    """Each curve comes as 20, and was forecast as 10 but for some, for which there is none."""
    files: dict[str, str | None] = {"signals_carbon_forecast__csv": None}
    for name in ("price", "carbon", "temperature", "green", "target"):
        files[f"signals_{name}__csv"] = _rows(20)
        if name not in without:
            files[f"signals_{name}_forecast__csv"] = _rows(10, ",2026-07-31T12:00Z")
    return read(**files)


@pytest.mark.parametrize(
    ("minimise", "caps", "unknown"),
    [
        ("cost", NO_CAPS, {"price", "green"}),
        ("carbon", NO_CAPS, {"carbon", "green"}),
        ("energy", NO_CAPS, set()),
        ("excess", NO_CAPS, {"target"}),
        ("lateness", NO_CAPS, set()),
        ("lateness", DayCaps(cost=1.0), {"price", "green"}),
        ("lateness", DayCaps(carbon=1.0), {"carbon", "green"}),
        ("lateness", DayCaps(excess=1.0), {"target"}),
        ("lateness", DayCaps(peak=1.0), {"green"}),
        ("energy", DayCaps(lateness=1.0, energy=9.0), set()),
    ],
)
def test_what_matters_to_what_is_asked(minimise: DayAim, caps: DayCaps, unknown: set[str]) -> None:
    """The temperature outside always does."""
    file, asked = forecast_file(), DaySettings(minimise)
    assert unknown_in(file, asked, caps, "forecast") == unknown | {"outside"}
    assert unknown_in(file, asked, caps, "came") == set()
    come = replace(asked, unannounced=True)
    assert unknown_in(file, come, caps, "forecast") == unknown | {"outside", "jobs"}
    assert unknown_in(file, come, caps, "came") == {"jobs"}


def test_a_curve_without_a_forecast_is_known() -> None:
    file = forecast_file("price", "temperature")
    assert unknown_in(file, DaySettings("cost"), NO_CAPS, "forecast") == {"green"}
    assert unknown_in(file, DaySettings("energy"), NO_CAPS, "forecast") == set()


@pytest.mark.parametrize("unknown", [{"price"}, {"price", "outside", "jobs"}, {"jobs"}])
def test_only_what_is_not_known_is_as_forecast(unknown: set[Unknown]) -> None:
    file = forecast_file()
    bound = DaySearch(file.day()).bound(DayWeights.only("energy"))
    day = LivedDay(file, DaySettings(), NO_CAPS, bound, frozenset(unknown))
    came, known = day.came.curves, day.known(6)
    for name, values in vars(known).items():
        forecast = values != getattr(came, name)
        past = np.arange(16) < 4  # steps of an hour that has ended by then
        assert forecast.tolist() == (~past & (name in unknown)).tolist()
