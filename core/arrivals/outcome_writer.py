"""Writes an outcome: its rows as CSV or Parquet, and beside them its notes and its workload."""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np

from core.arrivals.outcome_file import (
    OUTCOME_COLUMNS,
    OUTCOME_SUFFIXES,
    TEXT_COLUMNS,
    notes_beside,
    workload_beside,
)
from core.arrivals.workload_file import WorkloadFile
from core.arrivals.workload_writer import write_workload
from core.files.archive import write_lines
from core.files.beside import toml_lines
from core.files.disk import cannot_write, replacing
from core.files.names import csv_cell
from core.model.arrays import FloatArray
from core.replay.clock import ReplaySettings
from core.replay.outcome import NOT_RUN, ReplayOutcome

_ROWS_AT_ONCE: Final = 50_000


def write_outcome(
    outcome: ReplayOutcome, path: str | Path, settings: ReplaySettings, day_joules: float = math.inf
) -> None:
    """Write .csv or .parquet, by the suffix, and beside it `NAME.toml` and `NAME.workload.zip`.

    Each file is replaced only when the new one is complete. Raises `InvalidInput` if one cannot be
    written. What is written reads back to rows that the judge accepts.
    """
    path = Path(path)
    refuse_outcome_path(path)
    with replacing(path) as stream:
        if path.suffix.casefold() == ".csv":
            _write_csv(outcome, stream)
        else:
            _write_parquet(outcome, stream)
    with replacing(notes_beside(path)) as stream:
        write_lines(stream, toml_lines(_notes(outcome, settings)))
    file = WorkloadFile(outcome.workload, outcome.truth, day_joules)
    write_workload(file, workload_beside(path))


def refuse_outcome_path(path: Path) -> None:
    """Raise `InvalidInput` if no outcome can have this name, before it is computed."""
    if path.suffix.casefold() not in OUTCOME_SUFFIXES:
        raise cannot_write(path, f"name a {' or '.join(OUTCOME_SUFFIXES)} file")
    if not path.absolute().parent.is_dir():
        raise cannot_write(path, "there is no such folder; make it first")


def _columns(outcome: ReplayOutcome, begin: int, end: int) -> dict[str, list[Any]]:
    """The columns of some rows; None where a cell is blank."""
    workload = outcome.workload
    jobs, options, pools = workload.jobs, workload.options, workload.pools
    part = slice(begin, end)
    option, ran = outcome.option[part], outcome.ran[part]
    taken = np.where(ran, option, 0)
    number = (taken - options.first[begin:end] + 1).tolist()

    def where_ran(values: list[Any]) -> list[Any]:
        return [value if yes else None for value, yes in zip(values, ran.tolist(), strict=True)]

    def times(values: FloatArray) -> list[Any]:
        return [None if math.isnan(value) else value for value in values[part].tolist()]

    return {
        "job": [jobs.name(job) for job in range(begin, begin + len(option))],
        "job_type": [jobs.types[kind] for kind in jobs.type[part].tolist()],
        "pool": where_ran([pools.names[pool] for pool in options.pool[taken].tolist()]),
        "option": where_ran(number),
        "units": where_ran(options.units[taken].tolist()),
        "start": times(outcome.start),
        "end": times(outcome.end),
        "worth": outcome.job_worth[part].tolist(),
        "energy": outcome.job_joules[part].tolist(),
        "estimated_end": times(outcome.estimated_end),
    }


def _parts(outcome: ReplayOutcome) -> Iterator[dict[str, list[Any]]]:
    jobs = len(outcome.option)
    for begin in range(0, jobs, _ROWS_AT_ONCE):
        yield _columns(outcome, begin, min(begin + _ROWS_AT_ONCE, jobs))


def _write_csv(outcome: ReplayOutcome, stream: BinaryIO) -> None:
    write_lines(stream, [",".join(OUTCOME_COLUMNS) + "\n"])
    for part in _parts(outcome):
        cells = (
            [("" if cell is None else csv_cell(cell)) for cell in column]
            if name in TEXT_COLUMNS
            else [("" if cell is None else repr(cell)) for cell in column]
            for name, column in part.items()
        )
        write_lines(stream, (",".join(row) + "\n" for row in zip(*cells, strict=True)))


def _write_parquet(outcome: ReplayOutcome, stream: BinaryIO) -> None:
    import pyarrow as pa  # it takes long to import
    import pyarrow.parquet as pq

    kinds = dict.fromkeys(OUTCOME_COLUMNS, pa.float64())
    kinds |= dict.fromkeys(TEXT_COLUMNS, pa.string())
    kinds |= dict.fromkeys(("option", "units"), pa.int64())
    schema = pa.schema(list(kinds.items()))
    with pq.ParquetWriter(stream, schema) as writer:
        for part in _parts(outcome):
            writer.write_table(pa.table(part, schema=schema))


def _notes(outcome: ReplayOutcome, settings: ReplaySettings) -> dict[str, object]:
    windows = outcome.windows
    found: dict[str, object] = {
        "policy": outcome.policy,
        "every": float(settings.every),
        "seed": settings.seed,
        "worth": outcome.worth,
        "energy": outcome.joules,
        "jobs": len(outcome.option),
        "completed": int(np.count_nonzero(outcome.option != NOT_RUN)),
        "dropped": int(np.count_nonzero(outcome.dropped)),
    }
    limits = windows.joules.tolist()
    if any(not math.isinf(joules) for joules in limits):
        edges = windows.edges.tolist()
        found["budget"] = {
            "begins": edges[:-1],
            "joules": [-1.0 if math.isinf(joules) else joules for joules in limits],
            **({} if math.isinf(edges[-1]) else {"end": edges[-1]}),
        }
    return found
