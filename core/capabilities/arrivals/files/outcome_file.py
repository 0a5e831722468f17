"""An outcome as a file: a row for each job, and beside it how it came about.

`NAME.csv` or `NAME.parquet` has the rows. `option` is the number of the option among those of the
job, from 1; `units`, `pool` and times are those of that option. A job that was dropped has only an
`end`, when it was given up; one that never ran has no times at all. `NAME.toml` has the policy, the
energy budget and the sums. `NAME.workload.zip` is the workload.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import BinaryIO, Final

import numpy as np
import tomli_w

from core.capabilities.arrivals.files.workload_file import WorkloadFile
from core.capabilities.arrivals.files.workload_writer import write_workload
from core.engines.replay.clock import ReplaySettings
from core.engines.replay.energy import EnergyWindows
from core.engines.replay.outcome import NOT_RUN, ReplayOutcome, StatedOutcome, StatedParts
from core.engines.replay.stopping.rules import Stopping
from core.engines.replay.workload import Workload
from core.files.archive import ZipArchive, is_archive, write_lines
from core.files.beside import SETTINGS_SUFFIX, settings_of_toml
from core.files.columns import ReadColumns
from core.files.disk import read_file, refuse_path, replacing
from core.files.findings import Findings, Reading, Unreadable, shown
from core.files.schema import Column, Schema
from core.files.strict_json import Fields, as_float
from core.files.table_file import is_parquet, read_table
from core.files.table_writer import WrittenTable
from core.files.text import decode, titles_of
from core.shells.settings.forms import read_block, written_block
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray
from core.vocabulary.ranges import SEED
from core.vocabulary.setting import settings_in

OUTCOME: Final[Schema] = (
    Column("job", "name"),
    Column("job_type", "name", ""),
    Column("pool", "name", "", always=True),
    Column("option", "whole", 0, always=True),
    Column("units", "whole", 0, always=True),
    Column("start", "number", math.nan, "seconds", always=True),
    Column("end", "number", math.nan, "seconds", always=True),
    Column("worth", "number", 0.0, "worth", always=True),
    Column("energy", "number", 0.0, "joules", always=True),
    Column("estimated_end", "number", math.nan, "seconds", always=True),
    Column("part", "whole", 0),
    Column("lead", "number", 0.0, "seconds"),
    Column("kept", "number", 0.0, "seconds"),
)
_PARTS: Final = ("part", "lead", "kept")
"""Columns that are there if jobs were stopped."""
OUTCOME_COLUMNS: Final = tuple(column.name for column in OUTCOME if column.name not in _PARTS)
OUTCOME_SUFFIXES: Final = (".csv", ".parquet")
WORKLOAD_SUFFIX: Final = ".workload.zip"


@dataclass(frozen=True)
class OutcomeNotes:
    """How an outcome came about: its policy, the seconds between events, the seed, the windows of
    the energy budget, and the sums that were stated.
    """

    policy: str
    every: float
    seed: int
    windows: EnergyWindows | None = None
    worth: float | None = None
    joules: float | None = None
    stopping: Stopping | None = None


@dataclass(frozen=True)
class OutcomeFile:
    """The rows of an outcome, and the notes beside them if there are any."""

    stated: StatedOutcome
    notes: OutcomeNotes | None


def is_outcome(data: bytes) -> bool:
    """Whether content says that it is an outcome, with or without faults: a table, or an archive
    with its workload.
    """
    if is_archive(data):
        try:
            names = ZipArchive(data).names
        except Unreadable:
            return False
        return any(name.endswith(WORKLOAD_SUFFIX) for name in names)
    return is_parquet(data) or titles_of(data).issuperset(OUTCOME_COLUMNS)


def notes_beside(path: Path) -> Path:
    return path.with_suffix(SETTINGS_SUFFIX)


def workload_beside(path: Path) -> Path:
    return path.with_suffix(WORKLOAD_SUFFIX)


_NOT_GIVEN: Final = -2
_KEYS: Final = (
    *("policy", "every", "seed", "worth", "energy"),
    *("jobs", "completed", "dropped", "budget", "stopping"),
)


def inspect_outcome(path: Path, file: WorkloadFile) -> Reading[OutcomeFile]:
    """The outcome at `path`, of a workload, with the notes beside it if there are any."""
    beside = notes_beside(path)
    load_notes = partial(read_file, beside) if beside.exists() else None
    read = partial(_read, path.name, partial(read_file, path), file, load_notes)
    return Reading.of(path.name, read)


def inspect_outcome_bytes(
    name: str, data: bytes, file: WorkloadFile, notes: bytes | None = None
) -> Reading[OutcomeFile]:
    """`inspect_outcome` for the content of a file, and perhaps of its notes."""
    load_notes = None if notes is None else lambda: notes
    return Reading.of(name, partial(_read, name, lambda: data, file, load_notes))


def _read(
    label: str,
    load: Callable[[], bytes],
    file: WorkloadFile,
    load_notes: Callable[[], bytes] | None,
    findings: Findings,
) -> OutcomeFile | None:
    notes, place = None, notes_beside(Path(label)).name
    if load_notes is not None:
        with findings.refusals(place):
            notes = _read_notes(decode(load_notes(), place, findings), place, findings)
    rows = read_table(label, load(), OUTCOME, findings, "outcome")
    if rows is None or findings.failed:
        return None
    return OutcomeFile(_stated(rows, file, notes), notes)


def _stated(rows: ReadColumns, file: WorkloadFile, notes: OutcomeNotes | None) -> StatedOutcome:
    workload = file.workload
    options = workload.options
    # A job that is not there is for the judge to report.
    job = rows.positions("job", [workload.jobs.name(job) for job in range(len(workload.jobs))])
    _check_types(rows, workload, job)
    number = rows.wholes["option"]
    known = np.where(job >= 0, job, 0)
    within = (number >= 1) & (number <= np.diff(options.first)[known])
    beyond = len(options.pool)  # no option at all: the judge says so
    option = np.where(within, options.first[known] + number - 1, beyond)
    start, end = rows.numbers["start"], rows.numbers["end"]
    never = (number == 0) & np.isnan(start)
    return StatedOutcome(
        workload,
        file.truth,
        file.windows if notes is None or notes.windows is None else notes.windows,
        job,
        np.where(never, NOT_RUN, option),
        rows.positions("pool", workload.pools.names, blank=NOT_RUN),
        rows.wholes["units"],
        start,
        end,
        rows.numbers["estimated_end"],
        rows.numbers["worth"],
        rows.numbers["energy"],
        never & ~np.isnan(end),
        None if notes is None else notes.worth,
        None if notes is None else notes.joules,
        _parts(rows, job, start, end),
        None if notes is None else notes.stopping,
    )


def _parts(
    rows: ReadColumns, job: IntArray, start: FloatArray, end: FloatArray
) -> StatedParts | None:
    """The parts of jobs that were stopped, of which none may be missing; None if there are none. A
    job without parts keeps all that it does.
    """
    part = rows.wholes["part"]
    in_parts = part > 0
    if not in_parts.any():
        return None
    there = np.flatnonzero(in_parts & (job >= 0))
    there = there[np.lexsort((start[there], job[there]))]
    nth = part.copy()
    nth[there] = np.arange(len(there)) - np.searchsorted(job[there], job[there]) + 1
    rows.report(
        nth != part,
        "part",
        lambda row: (
            f"is {part[row]}, but by its start the row is part {nth[row]} of the job "
            f"'{shown(rows.text('job', row))}'; give a row for each part, from 1 on by their starts"
        ),
    )
    length = np.nan_to_num(end - start)
    kept = np.where(in_parts, rows.numbers["kept"], length)
    return StatedParts(rows.numbers["lead"], kept)


def _check_types(rows: ReadColumns, workload: Workload, job: IntArray) -> None:
    """A job type that is given is that of the job."""
    stated = rows.positions("job_type", workload.jobs.types, blank=_NOT_GIVEN)
    mine = workload.jobs.type[np.where(job >= 0, job, 0)]
    rows.report(
        (stated != _NOT_GIVEN) & (job >= 0) & (stated != mine),
        "job_type",
        lambda row: (
            f"is '{shown(rows.text('job_type', row))}', but the job is of type "
            f"'{shown(workload.jobs.types[mine[row]])}'; correct it"
        ),
    )


def _read_notes(text: str, label: str, findings: Findings) -> OutcomeNotes:
    given = Fields(settings_of_toml(text), label, findings)
    given.warn_of_unused(_KEYS)
    return OutcomeNotes(
        given.text("policy") if given.has("policy") else "",
        given.number("every") if given.has("every") else math.nan,
        given.whole("seed", SEED) if given.has("seed") else 0,
        _windows(given) if given.has("budget") else None,
        given.number("worth") if given.has("worth") else None,
        given.number("energy") if given.has("energy") else None,
        stopping=_stopping(given) if "stopping" in given.content else None,
    )


def _stopping(given: Fields) -> Stopping | None:
    """What became of a job that was stopped."""
    said = Fields.of(given.content, "stopping", given.label, given.findings)
    said.warn_of_unused(tuple(settings_in(Stopping)))
    given_block = read_block(said, Stopping)
    return None if said.findings.errors else Stopping(**given_block)


def _windows(given: Fields) -> EnergyWindows | None:
    """The windows of the energy budget; -1 joules mean that a window has no limit."""
    content = given.content["budget"]
    if not isinstance(content, dict):
        given.error("budget", "is not a group; give [budget] with begins and joules")
        return None
    begins, joules = _list(content.get("begins")), _list(content.get("joules"))
    end = as_float(content["end"]) if "end" in content else math.inf
    if begins is None or joules is None or end is None:
        given.error("budget", "has no lists of numbers; give begins and joules")
        return None
    try:
        return EnergyWindows(np.append(begins, end), np.where(joules == -1.0, np.inf, joules))
    except ValueError as refused:
        given.error("budget", f"{refused}; correct it")
        return None


def _list(value: object) -> FloatArray | None:
    if not isinstance(value, list):
        return None
    numbers = [as_float(item) for item in value]
    known = [number for number in numbers if number is not None]
    return np.array(known) if len(known) == len(numbers) > 0 else None


_ROWS_AT_ONCE: Final = 50_000


def write_outcome(
    outcome: ReplayOutcome, path: str | Path, settings: ReplaySettings, day_joules: float = math.inf
) -> None:
    """Write .csv or .parquet, by the suffix, and beside it `NAME.toml` and `NAME.workload.zip`.

    Each file is replaced only when the new one is complete. Raises `InvalidInput` if one cannot be
    written. What is written reads back to rows that the judge accepts.
    """
    path = Path(path)
    refuse_path(path, OUTCOME_SUFFIXES)
    with replacing(path) as stream:
        if path.suffix.casefold() == ".csv":
            _write_csv(outcome, stream)
        else:
            _write_parquet(outcome, stream)
    with replacing(notes_beside(path)) as stream:
        tomli_w.dump(_notes(outcome, settings), stream)
    file = WorkloadFile(outcome.workload, outcome.truth, day_joules)
    write_workload(file, workload_beside(path))


def _rows(outcome: ReplayOutcome) -> Iterator[dict[str, Sequence[object]]]:
    """Some rows after the other, in columns; None and NaN where there is nothing to say."""
    workload, stated = outcome.workload, StatedOutcome.of(outcome)
    jobs, options, pools = workload.jobs, workload.options, workload.pools
    place = np.arange(len(stated.job))
    nth = place - np.searchsorted(stated.job, stated.job) + 1
    broken = np.isin(stated.job, stated.job[stated.stopped])
    for begin in range(0, len(stated.job), _ROWS_AT_ONCE):
        part = slice(begin, begin + _ROWS_AT_ONCE)
        job, option = stated.job[part], stated.option[part]
        ran = option != NOT_RUN
        taken = np.where(ran, option, 0)
        number = taken - options.first[job] + 1
        names = [pools.names[pool] for pool in options.pool[taken].tolist()]
        found: dict[str, Sequence[object]] = {
            "job": [jobs.name(one) for one in job.tolist()],
            "job_type": [jobs.types[kind] for kind in jobs.type[job].tolist()],
            "pool": _where(ran, names),
            "option": _where(ran, number.tolist()),
            "units": _where(ran, options.units[taken].tolist()),
            "start": stated.start[part].tolist(),
            "end": stated.end[part].tolist(),
            "worth": stated.worth[part].tolist(),
            "energy": stated.joules[part].tolist(),
            "estimated_end": stated.estimated_end[part].tolist(),
        }
        if stated.parts is not None:
            mine = broken[part]
            found["part"] = _where(mine, nth[part].tolist())
            found["lead"] = _where(mine, stated.parts.lead[part].tolist())
            found["kept"] = _where(mine, stated.parts.kept[part].tolist())
        yield found


def _where(ran: BoolArray, values: Sequence[object]) -> list[object]:
    return [value if yes else None for value, yes in zip(values, ran.tolist(), strict=True)]


def _write_csv(outcome: ReplayOutcome, stream: BinaryIO) -> None:
    rows = (row for part in _rows(outcome) for row in zip(*part.values(), strict=True))
    write_lines(stream, WrittenTable(_titles(outcome), rows).csv_lines())


def _titles(outcome: ReplayOutcome) -> tuple[str, ...]:
    return OUTCOME_COLUMNS + (() if outcome.broken is None else _PARTS)


def _write_parquet(outcome: ReplayOutcome, stream: BinaryIO) -> None:
    import pyarrow as pa  # it takes long to import
    import pyarrow.parquet as pq

    kinds = {"name": pa.string(), "whole": pa.int64(), "number": pa.float64()}
    titles = _titles(outcome)
    schema = pa.schema([(one.name, kinds[one.kind]) for one in OUTCOME if one.name in titles])
    with pq.ParquetWriter(stream, schema) as writer:
        for part in _rows(outcome):
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
    if outcome.broken is not None and outcome.stopping is not None:
        said = written_block(outcome.stopping)
        found["stopping"] = {name: value for name, value in said.items() if value is not None}
    limits = windows.joules.tolist()
    if any(not math.isinf(joules) for joules in limits):
        edges = windows.edges.tolist()
        found["budget"] = {
            "begins": edges[:-1],
            "joules": [-1.0 if math.isinf(joules) else joules for joules in limits],
            **({} if math.isinf(edges[-1]) else {"end": edges[-1]}),
        }
    return found
