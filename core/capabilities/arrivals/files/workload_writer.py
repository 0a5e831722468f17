"""Writes a workload: a folder of CSV files, .zip, .xlsx or .json, by the suffix."""

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import repeat
from pathlib import Path
from typing import BinaryIO, Final

import numpy as np

from core.capabilities.arrivals.files.value_tables import (
    VALUE_COLUMNS,
    WORTH_COLUMNS,
    period_rows,
    says_weights,
    value_cells,
    weight_rows,
)
from core.capabilities.arrivals.files.workload_file import (
    EXTRA,
    RIGHTS,
    SETTINGS,
    TABLES,
    WORKLOAD_FORMAT,
    WORKLOAD_VERSION,
    WorkloadFile,
    quoted,
    settings_of_workload,
    title_of_resource,
)
from core.engines.replay.workload import ArrivingJobs
from core.engines.replay.worth import ALWAYS_ONE
from core.files import limits
from core.files.archive import write_lines
from core.files.disk import cannot_write, is_named_as_file, refuse_missing_folder, replacing
from core.files.table_writer import WrittenTable, WrittenTables
from core.files.tables import YES
from core.vocabulary.arrays import FloatArray
from core.vocabulary.problems import InvalidInput, Problem

_ROWS_AT_ONCE: Final = 50_000
_HEAD: Final = {"format": WORKLOAD_FORMAT, "version": WORKLOAD_VERSION}
TableCells = Sequence[object]


def write_workload(file: WorkloadFile, path: str | Path) -> None:
    """Write .zip, .xlsx or .json, by the suffix; without one of these, a new folder, or one that
    has a workload.

    Old files are replaced only when the new ones are complete. Raises `InvalidInput` if it cannot
    be written. What is written reads back equal.
    """
    path = Path(path)
    refuse_workload_path(path)
    suffix = path.suffix.casefold()
    if suffix in _WRITERS:
        with replacing(path) as stream:
            _WRITERS[suffix](file, stream)
    else:
        _written(file, settings_of_workload(file)).write_folder(path, TABLES, "jobs")


def document_of_workload(file: WorkloadFile) -> dict[str, object]:
    """The JSON document of a workload, as a part of a larger one; it is all in memory."""
    tables = {name: [_titles(file, name), *rows] for name, rows in _tables(file).items()}
    return {**_HEAD, SETTINGS: settings_of_workload(file), **tables}


def refuse_workload_path(path: Path) -> None:
    """Raise `InvalidInput` if no workload can have this name, before it is computed."""
    if is_named_as_file(path) and path.suffix.casefold() not in _WRITERS:
        raise cannot_write(path, "name a folder, or a .zip, .xlsx or .json file")
    refuse_missing_folder(path)


def _tables(file: WorkloadFile) -> dict[str, Iterator[TableCells]]:
    """The rows of each table; numbers that are not known are None."""
    workload, truth = file.workload, file.truth
    tables = {"pools": _pool_rows(file), "jobs": _job_rows(file), "options": _option_rows(file)}
    if file.values is None and workload.curves != ALWAYS_ONE:
        tables["curves"] = _curve_rows(file)
    if file.values is not None and says_weights(file.values.weights):
        tables["weights"] = weight_rows(file.values.weights)
        tables["periods"] = period_rows(file.values.weights)
    if (truth.time != 1).any() or (truth.power != 1).any():
        tables["truth"] = _truth_rows(file)
    return tables


def _pool_rows(file: WorkloadFile) -> Iterator[TableCells]:
    pools = file.workload.pools
    marks = [YES if whole else "" for whole in pools.whole.tolist()]
    columns = (pools.units, pools.cores, pools.idle_watts, pools.sleep_watts)
    further = () if pools.further is None else tuple(pools.further.T.tolist())
    before = (column.tolist() for column in columns)
    yield from zip(pools.names, *before, marks, *further, strict=True)


def _job_rows(file: WorkloadFile) -> Iterator[TableCells]:
    jobs, curves = file.workload.jobs, file.workload.curves
    for begin in range(0, len(jobs), _ROWS_AT_ONCE):
        part = slice(begin, begin + _ROWS_AT_ONCE)
        numbers = (jobs.arrival, jobs.type, jobs.priority, jobs.urgency, jobs.curve)
        columns = zip(*(column[part].tolist() for column in numbers), strict=True)
        rights = _rights(jobs, part)
        values = repeat(()) if file.values is None else value_cells(file.values, part)
        for job, (arrival, kind, priority, urgency, curve) in enumerate(columns, begin):
            worth: TableCells = (float(priority), float(urgency), curves.names[curve])
            worth = worth if file.values is None else ()
            before = (jobs.name(job), jobs.types[kind], float(arrival), *worth)
            yield (*before, *next(rights), *next(values))


def _rights(jobs: ArrivingJobs, part: slice) -> Iterator[TableCells]:
    """Which of some jobs may stop others; nothing of each where none may."""
    if jobs.rights is None:
        yield from repeat(())
        return
    stop, stopped, tier = (column[part].tolist() for column in jobs.rights)
    marks = ((YES if one else "" for one in column) for column in (stop, stopped))
    yield from zip(*marks, tier, strict=True)


def _option_rows(file: WorkloadFile) -> Iterator[TableCells]:
    jobs, options, pools = file.workload.jobs, file.workload.options, file.workload.pools
    of = options.job
    for begin in range(0, len(of), _ROWS_AT_ONCE):
        part = slice(begin, begin + _ROWS_AT_ONCE)
        numbers = (of, options.pool, options.units, options.seconds, options.watts, options.state)
        more = _more_of_options(file, part)
        for job, pool, units, seconds, watts, state in zip(
            *(column[part].tolist() for column in numbers), strict=True
        ):
            taken = (units, float(seconds), float(watts), options.labels[state])
            yield (jobs.name(job), pools.names[pool], *taken, *next(more))


def _adds(file: WorkloadFile) -> FloatArray | None:
    """What options add to the worth of their jobs; None where value functions say it."""
    return file.workload.options.extra if file.values is None else None


def _more_of_options(file: WorkloadFile, part: slice) -> Iterator[TableCells]:
    """What some options add, and take of further resources; nothing of each where none does."""
    options, extra = file.workload.options, _adds(file)
    columns = [] if extra is None else [extra[part].tolist()]
    if options.further is not None:
        columns += options.further[part].T.tolist()
    yield from zip(*columns, strict=True) if columns else repeat(())


def _curve_rows(file: WorkloadFile) -> Iterator[TableCells]:
    curves = file.workload.curves
    for name, pieces in zip(curves.names, curves.pieces, strict=True):
        yield from ((name, *map(float, piece)) for piece in pieces)


def _truth_rows(file: WorkloadFile) -> Iterator[TableCells]:
    jobs, truth = file.workload.jobs, file.truth
    other = np.flatnonzero((truth.time != 1) | (truth.power != 1))
    for job in other.tolist():
        yield jobs.name(job), float(truth.time[job]), float(truth.power[job])


def _written(file: WorkloadFile, settings: dict[str, object]) -> WrittenTables:
    tables = {name: WrittenTable(_titles(file, name), rows) for name, rows in _tables(file).items()}
    return WrittenTables(tables, {SETTINGS: settings})


def _titles(file: WorkloadFile, name: str) -> list[str]:
    workload = file.workload
    left_out = RIGHTS if workload.jobs.rights is None else ()
    left_out += (EXTRA.name,) if _adds(file) is None else ()
    left_out += VALUE_COLUMNS if file.values is None else WORTH_COLUMNS
    titles = [column.name for column in TABLES[name] if column.is_written]
    has_amounts = {"pools": workload.pools.further, "options": workload.options.further}
    further = () if has_amounts.get(name) is None else workload.pools.resources
    return [one for one in titles if one not in left_out] + list(map(title_of_resource, further))


def _write_zip(file: WorkloadFile, stream: BinaryIO) -> None:
    _written(file, settings_of_workload(file)).write_zip(stream)


def _write_document(file: WorkloadFile, stream: BinaryIO) -> None:
    write_lines(stream, [json.dumps(_HEAD)[:-1]])
    write_lines(stream, [f',\n "{SETTINGS}": {json.dumps(settings_of_workload(file))}'])
    for name, rows in _tables(file).items():
        write_lines(stream, [f',\n "{name}": [\n  {json.dumps(_titles(file, name))}'])
        write_lines(stream, (f",\n  {json.dumps(cells, ensure_ascii=False)}" for cells in rows))
        write_lines(stream, ["]"])
    write_lines(stream, ["}\n"])


def _write_workbook(file: WorkloadFile, stream: BinaryIO) -> None:
    most = max(len(file.workload.jobs), len(file.workload.options.pool))
    if most >= limits.WORKBOOK_ROWS:
        message = (
            f"has a table of {most:,} rows, but a sheet holds {limits.WORKBOOK_ROWS - 1:,}; "
            "write .zip"
        )
        raise InvalidInput([Problem("the workload", "", "", message)])
    settings = {key: _quoted(value) for key, value in settings_of_workload(file).items()}
    _written(file, settings).write_workbook(stream)


def _quoted(value: object) -> object:
    """Texts that are no numbers as long as they do not begin with an apostrophe, which is kept."""
    if isinstance(value, list):
        return [_quoted(one) for one in value]
    return quoted(value) if isinstance(value, str) and not value.startswith("'") else value


_WRITERS: Final[dict[str, Callable[[WorkloadFile, BinaryIO], None]]] = {
    ".zip": _write_zip,
    ".xlsx": _write_workbook,
    ".json": _write_document,
}
