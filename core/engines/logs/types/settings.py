"""What makes types of the runs of a log, and numbers of their times and powers."""

from dataclasses import dataclass
from typing import Final, Literal

from core.engines.logs.reading.sacct import MEASURED
from core.vocabulary.ranges import Range

Statistic = Literal["mean", "median", "trimmed"]
STATISTICS: Final[tuple[Statistic, ...]] = ("mean", "median", "trimmed")

MachineUnit = Literal["node", "core", "gpu", "job"]
MACHINE_UNITS: Final[tuple[MachineUnit, ...]] = ("node", "core", "gpu", "job")

RareTypes = Literal["gather", "drop"]
RARE_TYPES: Final[tuple[RareTypes, ...]] = ("gather", "drop")

ANY: Final = "*"
"""Stands for all task types, or all machine types."""

MIN_RUNS: Final = Range(1, 1_000_000, "runs")


@dataclass(frozen=True, slots=True)
class RunSettings:
    """What a person chooses; None lets Wattfront choose.

    - `task_type` and `machine_type` are rules (see `task_rules` and `machine_rules`).
    - `machine` is what counts as one machine: a node, a core, a GPU, or whatever a job got.
    - `states` are those of jobs whose time is a measurement.
    - `statistic` is the time of a pair; with the mean, each pair keeps the total of its runs.
    - `min_runs` are needed for a pair to count as measured. None: 3; or 2 or 1, if otherwise most
      runs would be of pairs that are not measured.
    - `rare` says what becomes of task types with fewer than `rare_below` runs.
      None: a hundredth of the runs that are measurements, but 3 (1 in a table of runs) to 10.
    - `allowed` pairs of a task type and a machine type may run although the log says that they
      cannot (`core.engines.logs.pairs.needs`); `ANY` stands for all types.
    - `begin` and `end` are a window of starts, in seconds since 1970.
    """

    task_type: str | None = None
    machine_type: str | None = None
    machine: MachineUnit | None = None
    states: tuple[str, ...] = (MEASURED,)
    statistic: Statistic = "mean"
    min_runs: int | None = None
    rare: RareTypes = "gather"
    rare_below: int | None = None
    allowed: tuple[tuple[str, str], ...] = ()
    begin: float | None = None
    end: float | None = None
