"""Reads the file of an outcome. Whether it can have happened is for the judge to say."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np

from core.capabilities.arrivals.files.outcome_file import (
    OUTCOME,
    OutcomeFile,
    OutcomeNotes,
    notes_beside,
)
from core.capabilities.arrivals.files.workload_file import WorkloadFile
from core.engines.replay.energy import EnergyWindows
from core.engines.replay.outcome import NOT_RUN
from core.engines.replay.stated import StatedOutcome
from core.engines.replay.workload import Workload
from core.files.beside import settings_of_toml
from core.files.columns import ReadColumns
from core.files.disk import read_file
from core.files.fields import Fields
from core.files.findings import Findings, shown
from core.files.reading import Reading
from core.files.strict_json import as_float
from core.files.table_file import read_table
from core.files.text import decode
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.ranges import SEED

_NOT_GIVEN: Final = -2
_KEYS: Final = (
    *("policy", "every", "seed", "worth", "energy"),
    *("jobs", "completed", "dropped", "budget"),
)


def inspect_outcome(path: Path, file: WorkloadFile) -> Reading[OutcomeFile]:
    """The outcome at `path`, of a workload, with the notes beside it if there are any."""

    def notes() -> bytes | None:
        beside = notes_beside(path)
        return read_file(beside) if beside.exists() else None

    return _reading(path.name, lambda: read_file(path), file, notes)


def inspect_outcome_bytes(
    name: str, data: bytes, file: WorkloadFile, notes: bytes | None = None
) -> Reading[OutcomeFile]:
    """`inspect_outcome` for the content of a file, and perhaps of its notes."""
    return _reading(name, lambda: data, file, lambda: notes)


def _reading(
    label: str,
    load: Callable[[], bytes],
    file: WorkloadFile,
    load_notes: Callable[[], bytes | None],
) -> Reading[OutcomeFile]:
    def read(findings: Findings) -> OutcomeFile | None:
        notes: OutcomeNotes | None = None
        place = notes_beside(Path(label)).name
        with findings.refusals(place):
            if (content := load_notes()) is not None:
                notes = _read_notes(decode(content, place, findings), place, findings)
        rows = read_table(label, load(), OUTCOME, findings, "outcome")
        if rows is None or findings.failed:
            return None
        return OutcomeFile(_stated(rows, file, notes), notes)

    return Reading.of(label, read)


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
    )


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
    worth = given.number("worth") if given.has("worth") else None
    joules = given.number("energy") if given.has("energy") else None
    return OutcomeNotes(
        given.text("policy") if given.has("policy") else "",
        given.number("every") if given.has("every") else math.nan,
        given.whole("seed", SEED) if given.has("seed") else 0,
        _windows(given) if given.has("budget") else None,
        worth,
        joules,
    )


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
