"""What the library's face has of exports."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal, TypeVar, get_args

from core.engines.slurm import binding
from core.engines.slurm.foreseen import foreseen
from core.engines.slurm.job_arrays import ARRAY_SIZE, USUAL_ARRAY_SIZE, job_arrays_of, judged_blocks
from core.engines.slurm.job_names import TITLE as COMMANDS
from core.engines.slurm.job_names import read_commands
from core.engines.slurm.places import bound_by, first_rows, nodes_of_machines
from core.engines.slurm.requested import PEAK_CAP, Requested, licences_within
from core.engines.slurm.scripts import check_scripts_folder, script_files, write_scripts
from core.engines.verify.verdict import Verdict
from core.files.disk import file_faults, read_file
from core.files.findings import Findings
from core.files.schedule_file import write_blocks
from core.files.sheet import Sheet
from core.files.table_file import sheet_of_table
from core.shells.studies.log_seen import seen_beside
from core.shells.studies.seen import NOTHING_SEEN
from core.vocabulary.problems import InvalidInput, Problem, refuse
from core.vocabulary.schedule import Schedule
from core.vocabulary.setting import NumberIn, WholeIn, strange
from core.vocabulary.system import System

ExportKind = Literal["slurm", "csv", "json", "xlsx"]
SLURM: Final = "slurm"
FILES: Final = ("csv", "json", "xlsx")
SheetRead = TypeVar("SheetRead")


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written: where, what the judge says of the schedule, how many job arrays there are
    (None: a file has none), and warnings.
    """

    path: Path
    verdict: Verdict
    job_arrays: int | None
    warnings: tuple[Problem, ...]


def export(
    system: System,
    schedule: Schedule | str | Path,
    output: str | Path,
    *,
    to: ExportKind = "slurm",
    nodes: str | Path | None = None,
    commands: str | Path | None = None,
    max_array_size: int | None = None,
    peak_cap: float | None = None,
    part: bool = False,
    source: str | Path | None = None,
) -> Exported:
    """Write a schedule as batch scripts of Slurm, or as a file.

    Parameters
    ----------
    system : System
        The system that the schedule is for.
    schedule : Schedule, str or Path
        The schedule, or a file of one: .csv, .xlsx or .json. It is verified first.
    output : str or Path
        A new folder for the batch scripts, or the file.
    to : {"slurm", "csv", "json", "xlsx"}
        What to write.
    nodes : str or Path, optional
        For Slurm: a table that binds machines to nodes (the flag --map), with the columns
        machine_type, machine, node, constraint and partition.
    commands : str or Path, optional
        For Slurm: a table with the command of each task type.
    max_array_size : int, optional
        For Slurm: its MaxArraySize, in tasks (default 1001).
    peak_cap : float, optional
        For Slurm: watts that all machines must not exceed at any moment. Each task
        then takes licences for its watts above idle; ``README.md`` of the folder has
        the line for ``slurm.conf``.
    part : bool
        Whether the schedule may leave out tasks.
    source : str or Path, optional
        For Slurm: where the system is, if it is derived from a log: a study file, or what
        ``derive`` wrote. Tasks then request what the jobs of the log asked for, and without
        ``nodes`` machines are the nodes of the log.

    Returns
    -------
    Exported
        Where it is, what the judge says, and warnings.

    Raises
    ------
    InvalidInput
        If the schedule or a table is wrong, or the output cannot be written.

    Examples
    --------
    >>> schedule = solve(load_sample("two-by-two"), effort=Effort(0)).schedule
    >>> exported: Exported = export(schedule.system, schedule, "batch")
    >>> exported.job_arrays, exported.verdict.ok
    (3, True)
    """
    kinds = get_args(ExportKind)
    refuse(
        strange(
            to=(to, kinds),
            max_array_size=(max_array_size, WholeIn(ARRAY_SIZE)),
            peak_cap=(peak_cap, NumberIn(PEAK_CAP)),
        )
    )
    out = Path(output)
    given: dict[str, object] = {"map": nodes, "commands": commands}
    given |= {"max_array_size": max_array_size, "peak_cap": peak_cap}
    refuse(_faults(out, to, [name for name, value in given.items() if value is not None]))
    if to == SLURM:
        check_scripts_folder(out)
    blocks, verdict, warnings = judged_blocks(schedule, system, part=part)
    if to != SLURM:
        write_blocks(blocks, system, out)
        return Exported(out, verdict, None, warnings)
    findings = Findings()
    findings.extend(warnings)
    seen = NOTHING_SEEN if source is None else seen_beside(Path(source), findings)
    if nodes is None:
        rows = first_rows(system, nodes_of_machines(seen.node_use, system), seen.requests)
        # A log that does not name all nodes binds none: Slurm chooses, and a warning says so.
        known = all(row.has_place for row in rows)
        bound = bound_by(rows, system, findings) if known else None
    else:
        bound = _table(nodes, binding.TITLE, binding.read_binding, system, findings)
    told = _table(commands, COMMANDS, read_commands, system, findings)
    _stop_if_failed(findings)
    arrays = job_arrays_of(blocks, system, max_array_size or USUAL_ARRAY_SIZE)
    if peak_cap is not None:
        arrays = replace(arrays, licences=licences_within(system, peak_cap))
    asked = Requested(system, seen.requests)
    findings.extend(foreseen(arrays, bound, told, asked))
    _stop_if_failed(findings)
    write_scripts(script_files(arrays, bound, told, asked), out)
    return Exported(out, verdict, len(arrays), findings.problems())


def _faults(out: Path, to: str, given: list[str]) -> Iterator[str]:
    """Why what is given does not fit what is written."""
    if to == SLURM:
        return
    for name in given:
        yield f"--{name.replace('_', '-')} is for --to {SLURM}; leave it out"
    yield from file_faults(out, (f".{to}",))


def _table(
    path: str | Path | None,
    title: str,
    read_table: Callable[[Sheet, System, Findings], SheetRead | None],
    system: System,
    findings: Findings,
) -> SheetRead | None:
    """What a table file says; None if none is given, or if it has errors."""
    if path is None:
        return None
    label = Path(path).name or str(path)
    with findings.refusals(label):
        sheet = sheet_of_table(label, read_file(Path(path)), title, findings)
        return read_table(sheet, system, findings)
    return None


def _stop_if_failed(findings: Findings) -> None:
    if findings.failed:
        raise InvalidInput(findings.problems())
