"""Writes an outcome: its rows as CSV or Parquet, and beside them its notes and its workload."""

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import BinaryIO, Final

import numpy as np
import tomli_w

from core.capabilities.arrivals.files.outcome_file import (
    OUTCOME,
    OUTCOME_COLUMNS,
    OUTCOME_SUFFIXES,
    notes_beside,
    workload_beside,
)
from core.capabilities.arrivals.files.workload_file import WorkloadFile
from core.capabilities.arrivals.files.workload_writer import write_workload
from core.engines.replay.clock import ReplaySettings
from core.engines.replay.outcome import NOT_RUN, ReplayOutcome
from core.files.archive import write_lines
from core.files.disk import cannot_write, replacing
from core.files.table_writer import WrittenTable
from core.vocabulary.arrays import BoolArray

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
        tomli_w.dump(_notes(outcome, settings), stream)
    file = WorkloadFile(outcome.workload, outcome.truth, day_joules)
    write_workload(file, workload_beside(path))


def refuse_outcome_path(path: Path) -> None:
    """Raise `InvalidInput` if no outcome can have this name, before it is computed."""
    if path.suffix.casefold() not in OUTCOME_SUFFIXES:
        raise cannot_write(path, f"name a {' or '.join(OUTCOME_SUFFIXES)} file")
    if not path.absolute().parent.is_dir():
        raise cannot_write(path, "there is no such folder; make it first")


def _parts(outcome: ReplayOutcome) -> Iterator[dict[str, Sequence[object]]]:
    """Some rows after the other, in columns; None and NaN where there is nothing to say."""
    workload = outcome.workload
    jobs, options, pools = workload.jobs, workload.options, workload.pools
    for begin in range(0, len(outcome.option), _ROWS_AT_ONCE):
        part = slice(begin, begin + _ROWS_AT_ONCE)
        ran = outcome.ran[part]
        taken = np.where(ran, outcome.option[part], 0)
        number = taken - options.first[begin : begin + len(ran)] + 1
        names = [pools.names[pool] for pool in options.pool[taken].tolist()]
        yield {
            "job": [jobs.name(job) for job in range(begin, begin + len(ran))],
            "job_type": [jobs.types[kind] for kind in jobs.type[part].tolist()],
            "pool": _where(ran, names),
            "option": _where(ran, number.tolist()),
            "units": _where(ran, options.units[taken].tolist()),
            "start": outcome.start[part].tolist(),
            "end": outcome.end[part].tolist(),
            "worth": outcome.job_worth[part].tolist(),
            "energy": outcome.job_joules[part].tolist(),
            "estimated_end": outcome.estimated_end[part].tolist(),
        }


def _where(ran: BoolArray, values: Sequence[object]) -> list[object]:
    return [value if yes else None for value, yes in zip(values, ran.tolist(), strict=True)]


def _write_csv(outcome: ReplayOutcome, stream: BinaryIO) -> None:
    rows = (row for part in _parts(outcome) for row in zip(*part.values(), strict=True))
    write_lines(stream, WrittenTable(OUTCOME_COLUMNS, rows).csv_lines())


def _write_parquet(outcome: ReplayOutcome, stream: BinaryIO) -> None:
    import pyarrow as pa  # it takes long to import
    import pyarrow.parquet as pq

    kinds = {"name": pa.string(), "whole": pa.int64(), "number": pa.float64()}
    schema = pa.schema([(column.name, kinds[column.kind]) for column in OUTCOME])
    with pq.ParquetWriter(stream, schema) as writer:
        for part in _parts(outcome):
            columns = [pa.array(part[one.name], one.type, from_pandas=True) for one in schema]
            writer.write_table(pa.table(columns, schema=schema))


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
