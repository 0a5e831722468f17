"""What a person can change about a day of a centre: what is asked, and the target power."""

from dataclasses import dataclass, field, replace
from typing import Final
from zoneinfo import ZoneInfo

import numpy as np

from core.capabilities.centre.files.centre_file import CentreFile
from core.capabilities.centre.settings import DaySettings
from core.engines.signals.kinds import TARGET
from core.engines.signals.signal import Signal
from core.vocabulary.arrays import FloatArray
from core.vocabulary.prices.day import DailySteps, DayTariff
from core.vocabulary.ranges import Range
from core.vocabulary.say.words import JOULES_PER_KWH
from core.vocabulary.setting import ByHour, setting
from dashboard.screens.centre.draft import CentreDraft

WATTS: Final = 1000.0
TARGET_KW: Final = Range(0.0, 1e6, "kW")


@dataclass(frozen=True, slots=True)
class CentreInputs:
    """What is asked of a day; the target power by the hour of its clock, if it is not that of the
    files; and the centre as it was `edited`.
    """

    asked: DaySettings = field(default_factory=DaySettings)
    target: DailySteps = setting(
        (),
        ByHour(TARGET_KW, "power", "kW"),
        "Target power by hour (kW)",
        "What the centre should not draw more than, from each hour on: 0:15 17:7 21:15. Drag its "
        "corners in the chart, too. Empty: as in the files.",
    )
    edited: CentreDraft | None = None


def with_target(file: CentreFile, target: DailySteps) -> CentreFile:
    """The centre with a target in kW by the hour of its clock; as it is if there is none."""
    if not target:
        return file
    grid = file.grid
    tariff = DayTariff.of_day((hour, level / JOULES_PER_KWH) for hour, level in target)
    steps = Signal.of_day(tariff, grid.begins, grid.ends, ZoneInfo(grid.zone))
    watts = np.round(steps.values * WATTS, 6)
    signal = Signal(TARGET, steps.begins, steps.seconds, watts)
    forecast = {kind: one for kind, one in file.signals.forecast.items() if kind != TARGET}
    signals = replace(file.signals, came={**file.signals.came, TARGET: signal}, forecast=forecast)
    moved = {kind: days for kind, days in file.moved.items() if kind != TARGET}
    return replace(file, signals=signals, moved=moved)


def target_corners(file: CentreFile, watts: FloatArray) -> list[tuple[float, float]]:
    """From which second of the day on the target is how many watts."""
    new = np.flatnonzero(np.append(True, np.diff(watts) != 0))
    return [(step * file.grid.step, float(watts[step])) for step in new.tolist()]
