"""Writes an outcome: its rows as CSV or Parquet, and beside them its notes and its workload."""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

import numpy as np
import tomli_w

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
from core.files.disk import cannot_write, replacing
from core.files.names import csv_cell
from core.model.arrays import BoolArray, FloatArray, IntArray
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
        tomli_w.dump(_notes(outcome, settings), stream)
    file = WorkloadFile(outcome.workload, outcome.truth, day_joules)
    write_workload(file, workload_beside(path))


def refuse_outcome_path(path: Path) -> None:
    """Raise `InvalidInput` if no outcome can have this name, before it is computed."""
    if path.suffix.casefold() not in OUTCOME_SUFFIXES:
        raise cannot_write(path, f"name a {' or '.join(OUTCOME_SUFFIXES)} file")
    if not path.absolute().parent.is_dir():
        raise cannot_write(path, "there is no such folder; make it first")


class _RowPart(NamedTuple):
    """Some rows: texts, whole numbers and times of the jobs that ran; worth and energy of all."""

    texts: dict[str, list[str | None]]
    wholes: dict[str, IntArray]
    numbers: dict[str, FloatArray]
    ran: BoolArray


def _parts(outcome: ReplayOutcome) -> Iterator[_RowPart]:
    workload = outcome.workload
    jobs, options, pools = workload.jobs, workload.options, workload.pools
    for begin in range(0, len(outcome.option), _ROWS_AT_ONCE):
        part = slice(begin, begin + _ROWS_AT_ONCE)
        ran = outcome.ran[part]
        taken = np.where(ran, outcome.option[part], 0)
        names = [pools.names[pool] for pool in options.pool[taken].tolist()]
        yield _RowPart(
            {
                "job": [jobs.name(job) for job in range(begin, begin + len(ran))],
                "job_type": [jobs.types[kind] for kind in jobs.type[part].tolist()],
                "pool": [n if yes else None for n, yes in zip(names, ran.tolist(), strict=True)],
            },
            {
                "option": taken - options.first[begin : begin + len(ran)] + 1,
                "units": options.units[taken],
            },
            {
                "start": outcome.start[part],
                "end": outcome.end[part],
                "worth": outcome.job_worth[part],
                "energy": outcome.job_joules[part],
                "estimated_end": outcome.estimated_end[part],
            },
            ran,
        )


def _write_csv(outcome: ReplayOutcome, stream: BinaryIO) -> None:
    write_lines(stream, [",".join(OUTCOME_COLUMNS) + "\n"])
    for part in _parts(outcome):
        ran = part.ran.tolist()
        cells = {
            name: ["" if text is None else csv_cell(text) for text in texts]
            for name, texts in part.texts.items()
        }
        for name, wholes in part.wholes.items():
            pairs = zip(wholes.tolist(), ran, strict=True)
            cells[name] = [str(whole) if yes else "" for whole, yes in pairs]
        for name, numbers in part.numbers.items():
            cells[name] = ["" if math.isnan(n) else repr(n) for n in numbers.tolist()]
        columns = [cells[name] for name in OUTCOME_COLUMNS]
        write_lines(stream, (",".join(row) + "\n" for row in zip(*columns, strict=True)))


def _write_parquet(outcome: ReplayOutcome, stream: BinaryIO) -> None:
    import pyarrow as pa  # it takes long to import
    import pyarrow.parquet as pq

    kinds = dict.fromkeys(OUTCOME_COLUMNS, pa.float64())
    kinds |= dict.fromkeys(TEXT_COLUMNS, pa.string())
    kinds |= dict.fromkeys(("option", "units"), pa.int64())
    schema = pa.schema(list(kinds.items()))
    with pq.ParquetWriter(stream, schema) as writer:
        for part in _parts(outcome):
            cells = {name: pa.array(texts, pa.string()) for name, texts in part.texts.items()}
            for name, wholes in part.wholes.items():
                cells[name] = pa.array(wholes, pa.int64(), mask=~part.ran)
            for name, numbers in part.numbers.items():
                cells[name] = pa.array(numbers, pa.float64(), mask=np.isnan(numbers))
            columns = [cells[name] for name in OUTCOME_COLUMNS]
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
