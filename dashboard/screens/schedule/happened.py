"""What happened when a schedule was run: planned and measured, for the same machines."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Final

import numpy as np
import pandas as pd

from core.capabilities.compare_run.amiss import TaskAmiss, amiss_lines, tasks_amiss
from core.capabilities.compare_run.comparison import RunComparison, compare_run
from core.capabilities.compare_run.recorded import RAN, RecordedRun, read_recorded
from core.capabilities.compare_run.told import machine_name, nodes_in_words, remarks
from core.engines.logs.reading.logs import LogProgress, read_logs
from core.engines.slurm.job_arrays import ARRAY_SIZE, JobArrays, job_arrays_of
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.budget import never
from core.vocabulary.problems import InvalidInput, Problem
from core.vocabulary.say.units import time_unit
from core.vocabulary.say.words import Sense, rounded
from core.vocabulary.schedule import Schedule
from dashboard.parts.charts.timeline import MOST_BARS, Bars, Row, Timeline

MOST_MACHINES: Final = 24
"""Rows of each chart."""
MOST_LISTED: Final = 200
"""Rows of the table; the file has all machines."""
MOST_AMISS: Final = 1_000
"""Tasks that failed or are missing, of the table."""
MOST_IN_FILE: Final = 200_000
"""The most rows in the file that the page offers; the command line writes all."""
_UNSEEN: Final = 500
"""A wait shorter than the time axis over this is not seen, so tasks around it are one bar."""


@dataclass(frozen=True, eq=False, slots=True)
class Happened:
    """What a log says of a schedule, or why it says nothing.

    Both timelines have the same rows: the machines that deviate most, in the order of the schedule.
    `seconds` is the length of the axis that both need. `failed` are bars of tasks that failed.
    `amiss` are the first tasks that failed or are missing, and `amiss_file` a CSV file of more.
    """

    compared: RunComparison
    planned: Timeline
    measured: Timeline
    failed: Bars
    seconds: float
    amiss: tuple[TaskAmiss, ...]
    amiss_file: bytes


LogVerdict = Happened | tuple[Problem, ...]


def read_happened(
    folder: Path,
    paths: Sequence[Path],
    schedule: Schedule,
    should_stop: Callable[[], bool] = never,
    report: Callable[[LogProgress], None] | None = None,
) -> LogVerdict:
    """What these logs say of the schedule; a worker process computes it within the folder.

    Raises `Unreadable` and `Stopped`.
    """
    try:
        arrays = job_arrays_of(schedule.blocks(), schedule.system, int(ARRAY_SIZE.high))
        store = read_logs(paths, "sacct", folder=folder, should_stop=should_stop, report=report)
        return happened(read_recorded(arrays, store, should_stop=should_stop), should_stop)
    except InvalidInput as invalid:
        return invalid.problems


def happened(recorded: RecordedRun, should_stop: Callable[[], bool] = never) -> Happened:
    """The comparison, with the bars of the machines that deviate most. Raises `Stopped`."""
    compared = compare_run(recorded, should_stop)
    machines = compared.machines
    shown = np.sort(machines.most_deviating()[:MOST_MACHINES])
    seconds = max(compared.planned, compared.makespan or 0.0)
    rows = tuple(
        Row(kind, number, 1)
        for kind, number in zip(
            machines.machine_type[shown].tolist(), machines.machine[shown].tolist(), strict=True
        )
    )

    def drawn(bars: Bars, finish: FloatArray) -> Timeline:
        if len(bars) > MOST_BARS:
            bars = bars.merged(shorter_than=2 * len(rows) * seconds / MOST_BARS)
        return Timeline(rows, finish, "machine", bars, 0, len(rows))

    measured, failed = _measured_bars(recorded, shown, seconds / _UNSEEN)
    planned = _planned_bars(recorded.arrays, recorded.tasks.machine, shown)
    amiss = list(islice(tasks_amiss(recorded, should_stop), MOST_IN_FILE))
    return Happened(
        compared,
        drawn(planned, machines.planned[shown]),
        drawn(measured, machines.measured[shown]),
        failed,
        seconds,
        tuple(amiss[:MOST_AMISS]),
        "".join(amiss_lines(amiss, compared.system)).encode(),
    )


def _planned_bars(arrays: JobArrays, machine: IntArray, shown: IntArray) -> Bars:
    blocks = arrays.blocks
    at = np.flatnonzero(np.isin(machine, shown))
    row = np.searchsorted(shown, machine[at])
    return Bars(row, blocks.task_type[at], blocks.count[at], blocks.start[at], blocks.end[at])


def _measured_bars(recorded: RecordedRun, shown: IntArray, unseen: float) -> tuple[Bars, Bars]:
    """All tasks that ended, and those that failed. Equal tasks with no visible wait between them
    are one bar.
    """
    joined, failed = [], []
    for part in recorded.parts(shown):
        ended = part.ended
        records = ended.chosen(np.isin(ended.machine + part.first, shown))
        bars = Bars(
            np.searchsorted(shown, records.machine + part.first),
            recorded.arrays.blocks.task_type[records.row],
            np.ones(len(records), np.int64),
            records.start,
            records.end,
        )
        joined.append(bars.joined(unseen, overlapping=False))
        failed.append(bars.chosen(records.state != RAN))
    return Bars.concatenated(joined), Bars.concatenated(failed)


def machine_table(found: Happened) -> pd.DataFrame:
    """The machines that deviate most, at most `MOST_LISTED`; times in the unit of the charts."""
    compared, unit = found.compared, time_unit(found.seconds)
    machines = compared.machines
    shown = machines.most_deviating()[:MOST_LISTED]
    positions = shown.tolist()

    def times(values: FloatArray) -> list[float]:
        return [rounded(one, Sense.PLAIN) for one in (values[shown] / unit.size).tolist()]

    return pd.DataFrame(
        {
            "Machine": [machine_name(compared, k) for k in positions],
            "Nodes": [nodes_in_words(machines.nodes[k]) for k in positions],
            f"Planned ({unit.symbol})": times(machines.planned),
            f"Measured ({unit.symbol})": times(machines.measured),
            f"Later ({unit.symbol})": times(machines.later),
            f"Waited ({unit.symbol})": times(machines.waited),
            "Remarks": [remarks(compared, k) for k in positions],
        }
    )


def amiss_table(found: Happened) -> pd.DataFrame:
    """The tasks in `amiss`; times in the unit of the charts."""
    system, unit = found.compared.system, time_unit(found.seconds)
    machines, tasks = system.machine_names, found.amiss
    return pd.DataFrame(
        {
            "Machine": [f"{machines[task.machine_type]} #{task.machine}" for task in tasks],
            "Task type": [system.task_names[task.task_type] for task in tasks],
            "Index": [task.index for task in tasks],
            "Outcome": [task.outcome for task in tasks],
            "State": [task.state for task in tasks],
            "Nodes": [task.nodes for task in tasks],
            f"Started ({unit.symbol})": [
                math.nan if task.started is None else rounded(task.started / unit.size, Sense.PLAIN)
                for task in tasks
            ],
        }
    )
