"""The arrival pattern that a person edits: how many jobs of each type come in each hour."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np
import pandas as pd

from core import System
from core.capabilities.arrivals.asked import DAY_SEED, GivenWorkload
from core.capabilities.arrivals.files.workload_file import WorkloadFile
from core.capabilities.arrivals.made.patterns import (
    HOURS,
    ArrivalPattern,
    constant,
    hourly,
    sinusoidal,
    work_hours,
)
from core.capabilities.arrivals.made.system_work import HourlyWork, workload_of_hours
from core.capabilities.arrivals.study_block import digest_of
from core.engines.replay.workload import Truth
from core.vocabulary.arrays import FloatArray
from core.vocabulary.arrivals import HourlyArrivals
from core.vocabulary.problems import InvalidInput, Problem
from core.vocabulary.ranges import Range
from core.vocabulary.say.words import DAY, HOUR, Sense, duration
from core.vocabulary.setting import NumberIn, OneOf, WholeIn, setting
from dashboard.parts.replays.rates import rates_of, rounded_rates

DayShape = Literal["even", "noon", "work", "night"]
SHAPES: Final[dict[DayShape, str]] = {
    "even": "All hours alike",
    "noon": "Most at noon",
    "work": "Twice as many from 9 to 18",
    "night": "Twice as many from 21 to 6",
}
CELL: Final = Range(0.0, 100_000.0, "jobs an hour")
A_DAY: Final = Range(1.0, 100_000.0, "jobs a day")
FADES: Final = Range(0.01, 10_000.0, "hours")
MOST_TYPES: Final = 100
HOUR_COLUMN: Final = "hour"


@dataclass(frozen=True, slots=True)
class HoursFields:
    """What a person says beside the table: how to fill it in, and how jobs are drawn from it."""

    shape: DayShape = setting("even", OneOf(SHAPES, SHAPES.__getitem__), "Shape of the day")
    jobs: float = setting(5_000.0, NumberIn(A_DAY), "Jobs a day in all")
    fades: float | None = setting(
        None,
        NumberIn(FADES),
        "Worth falls to 0 in (h)",
        "A job is worth 1 if it is done at once, and less the later, evenly.",
        blank="Never",
    )
    seed: int = setting(1, WholeIn(DAY_SEED), "Seed", "Equal seeds draw equal days.")


MadeOfHours = GivenWorkload | tuple[Problem, ...]
"""The workload, or why there is none."""


def type_column(kind: int) -> str:
    """The column of a task type. Names may occur twice."""
    return f"t{kind}"


@dataclass(eq=False)
class HoursDesk:
    """What a person edits, for a system: `rates[hour, type]`, at first those that are `known`, if
    any. An editor reports its changes from the table that it was given. `is_open`: the editor is
    shown; `is_wanted`: a workload was asked for and is not made yet; `made` is what came of it
    last.
    """

    fingerprint: str
    names: tuple[str, ...]
    rates: FloatArray
    given: FloatArray
    known: HourlyArrivals | None = None
    turn: int = 0
    is_open: bool = False
    is_wanted: bool = False
    made: MadeOfHours | None = None

    @classmethod
    def of(cls, system: System, known: HourlyArrivals | None = None) -> "HoursDesk":
        """What is known; without, the mix of the tasks, at all hours alike."""
        rates = rounded_rates(rates_of(system, known))
        return cls(system.fingerprint, system.task_names, rates, rates, known)

    @property
    def source(self) -> str:
        """Where the table is from at first, as a sentence."""
        if self.known is None:
            return "The table begins with the mix of the tasks, at all hours alike."
        days = duration(self.known.days * DAY, Sense.PLAIN)
        return f"The table begins with the log of this system: means over {days}."

    @property
    def key(self) -> str:
        """The key of the editor; it changes whenever the editor begins anew."""
        return f"arrivals.hours {self.fingerprint[:16]} {self.turn}"

    @property
    def jobs_a_day(self) -> float:
        return float(self.rates.sum())

    def change(self, edited: Mapping[int, Mapping[str, Any]]) -> None:
        """Takes the cells that were edited in the table that the editor was given; blank is 0."""
        rates = self.given.copy()
        column = {type_column(kind): kind for kind in range(len(self.names))}
        for hour, cells in edited.items():
            for name, value in cells.items():
                rates[hour, column[name]] = value or 0.0
        self.rates = rates

    def fill(self, shape: DayShape, a_day: float) -> None:
        """The same mix of types in another shape of the day, with so many jobs in all."""
        mix = self.rates.sum(axis=0)
        if not mix.any():
            mix = np.ones(len(self.names))
        hours = _shares(shape)
        self.rates = rounded_rates(a_day * np.outer(hours, mix / mix.sum()))
        self.given, self.turn = self.rates, self.turn + 1


def _shares(shape: DayShape) -> FloatArray:
    """The share of each hour in the jobs of a day."""
    patterns: dict[DayShape, ArrivalPattern] = {
        "even": constant(),
        "noon": sinusoidal(0.5),
        "work": work_hours(),
        "night": hourly(np.roll(work_hours().rates, HOURS // 2).tolist()),
    }
    pattern = patterns[shape]
    rates = np.repeat(pattern.rates, max(HOURS // len(pattern.rates), 1))
    return np.asarray(rates.reshape(HOURS, -1).mean(axis=1) / HOURS)


def hours_frame(desk: HoursDesk) -> pd.DataFrame:
    """The table as the editor was given it: a row for each hour, a column for each type."""
    hours = [f"{hour:02}–{hour + 1:02}" for hour in range(HOURS)]
    columns = {type_column(kind): desk.given[:, kind] for kind in range(len(desk.names))}
    return pd.DataFrame({HOUR_COLUMN: hours, **columns})


def work_of(desk: HoursDesk, fades_hours: float | None, seed: int) -> HourlyWork:
    fades = None if fades_hours is None else fades_hours * HOUR
    return HourlyWork(tuple(map(tuple, desk.rates.tolist())), fades=fades, seed=seed)


def made_of_hours(system: System, work: HourlyWork, title: str) -> MadeOfHours:
    """The workload of a pattern; problems that a person can mend are its result."""
    name = f"Jobs by hour on {title}"
    try:
        workload = workload_of_hours(system, work, name)
    except InvalidInput as invalid:
        return invalid.problems
    if not len(workload.jobs):
        return (Problem("", "", "", "no job arrives; give larger numbers, or another seed"),)
    digest = digest_of(repr((system.fingerprint, work)).encode())
    truth = Truth.as_estimated(len(workload.jobs))
    return GivenWorkload(name, digest, WorkloadFile(workload, truth))
