"""What makes types of the runs of a log, and numbers of their times and powers."""

from dataclasses import dataclass
from typing import Final, Literal

from core.engines.logs.reading.sacct import MEASURED
from core.vocabulary.ranges import Range
from core.vocabulary.setting import Flag, OneOf, WholeIn, setting

Statistic = Literal["mean", "median", "trimmed"]
MachineUnit = Literal["node", "core", "gpu", "job"]
RareTypes = Literal["gather", "drop"]
STATISTICS: Final[dict[Statistic, str]] = {
    "mean": "Mean",
    "median": "Median",
    "trimmed": "Trimmed mean",
}
_UNITS: Final[dict[MachineUnit, str]] = {
    "node": "A node",
    "core": "A core",
    "gpu": "A GPU",
    "job": "Whatever a job got",
}
_RARE: Final[dict[RareTypes, str]] = {"gather": "Gather into one type", "drop": "Leave out"}
_CHOSEN: Final = "Chosen by Wattfront"

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
    machine: MachineUnit | None = setting(
        None,
        OneOf(_UNITS, _UNITS.__getitem__),
        "One machine is",
        "A job that had a quarter of a node counts a quarter of its time, if a machine is a node.",
        blank=_CHOSEN,
        flag=Flag("", "what counts as one machine (by default a node, if the log knows nodes)"),
    )
    states: tuple[str, ...] = (MEASURED,)
    statistic: Statistic = setting(
        "mean",
        OneOf(STATISTICS, STATISTICS.__getitem__),
        "Time of a pair",
        "With the mean, each pair keeps the total time and energy of its runs. The median and "
        "the trimmed mean, which leaves out the smallest and the largest fifth of the runs, do not "
        "follow a few odd runs.",
        flag=Flag(
            "",
            "the time of a pair: the mean (the default: totals are those of the log), the median, "
            "or a trimmed mean",
        ),
    )
    min_runs: int | None = setting(
        None,
        WholeIn(MIN_RUNS),
        "Runs that a pair needs to count as measured",
        blank=_CHOSEN,
        flag=Flag(
            "N", "runs that a pair needs to count as measured (by default 3; fewer in a small log)"
        ),
    )
    rare: RareTypes = setting(
        "gather",
        OneOf(_RARE, _RARE.__getitem__),
        "Rare task types",
        flag=Flag("", "gather task types with few runs into one, or drop them"),
    )
    rare_below: int | None = setting(
        None,
        WholeIn(MIN_RUNS),
        "A task type is rare below (runs)",
        blank=_CHOSEN,
        flag=Flag(
            "N",
            "runs below which a task type is rare (by default 3 to 10, by the size of the log; "
            "fewer in a small table of runs)",
        ),
    )
    allowed: tuple[tuple[str, str], ...] = ()
    begin: float | None = None
    end: float | None = None
