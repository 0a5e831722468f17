"""The results of a sweep as files, and the command line that computes them again."""

import io
from functools import partial
from typing import Final

from core.capabilities.sweep.axes import SweptAxis
from core.capabilities.sweep.question import SweepQuestion, schema_of
from core.capabilities.sweep.told import sweep_command
from core.engines.compute.parts import write_table
from dashboard.parts.taking.take_away import download, show_command
from dashboard.screens.what_if.sweeps.running import SweepRows
from dashboard.workspace.export import system_bytes
from dashboard.workspace.workspace import Sample, Workspace

SYSTEM_FILE: Final = "wattfront-system.zip"
FILE: Final = "wattfront-sweep"


def results_bytes(question: SweepQuestion, rows: SweepRows, suffix: str) -> bytes:
    """The results so far, by run: the file that the command writes, if all runs are done."""
    import pyarrow as pa

    schema = schema_of(question)
    columns = zip(*(rows[run] for run in sorted(rows)), strict=True)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, schema, strict=False)]
    table = pa.table(arrays, schema=schema) if rows else schema.empty_table()
    stream = io.BytesIO()
    write_table(table, suffix, stream)
    return stream.getvalue()


def command_of(now: Workspace, axes: tuple[SweptAxis, ...]) -> tuple[str, bool]:
    """The command line of a sweep, and whether it needs the file of the system."""
    origin = now.version.origin
    as_sample = isinstance(origin, Sample) and now.version.is_as_found
    name = origin.name if isinstance(origin, Sample) and as_sample else SYSTEM_FILE
    varied, idle = {one.name for one in axes}, now.idle
    if as_sample and "idle" not in varied:
        fixed = {"idle": idle.idle_power, "asleep": idle.asleep_watts}
        axes += tuple(
            SweptAxis(name, (value,))
            for name, value in fixed.items()
            if value is not None and name not in varied
        )
    return sweep_command(name, axes, output=f"{FILE}.parquet"), not as_sample


def show_sweep_downloads(question: SweepQuestion, rows: SweepRows, now: Workspace) -> None:
    """Buttons for both files and for the system, and the command."""
    why_not = None if rows else "Run the sweep first."
    results = partial(results_bytes, question, rows)
    download("Results (CSV)", partial(results, ".csv"), f"{FILE}.csv", why_not)
    parquet = partial(results, ".parquet")
    download("Results (Parquet)", parquet, f"{FILE}.parquet", why_not)
    command, needs_file = command_of(now, question.axes)
    if needs_file:
        system = partial(system_bytes, question.system, ".zip")
        download("System (ZIP of CSV tables)", system, SYSTEM_FILE)
    show_command(command, "The command that computes this sweep:")
