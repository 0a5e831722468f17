"""`wattfront export SYSTEM SCHEDULE --to slurm`: a schedule as batch scripts, or as a file."""

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, TypeVar

from core import System
from core.batch import binding, commands
from core.batch.folder import check_scripts_folder, write_scripts
from core.batch.foreseen import foreseen
from core.batch.plan import ARRAY_SIZE, USUAL_ARRAY_SIZE, plan_batch
from core.batch.scripts import script_files
from core.cli.answer import Answer, as_dicts
from core.cli.arguments import add_schedule, add_system, read, refuse
from core.cli.numbers import whole_within
from core.cli.outputs import file_faults
from core.files import inspect_schedule
from core.files.disk import read_file
from core.files.findings import Findings
from core.files.schedule_writer import write_blocks
from core.files.sheet import Sheet
from core.files.table_file import sheet_of_table
from core.model.problems import InvalidInput
from core.model.schedule import Blocks
from core.say.words import counted
from core.verify.judge import verify_stated

SLURM: Final = "slurm"
FILES: Final = ("csv", "json", "xlsx")
Told = TypeVar("Told")


def declare(parser: argparse.ArgumentParser) -> None:
    add_system(parser)
    add_schedule(parser)
    parser.add_argument(
        "--to", choices=(SLURM, *FILES), required=True, help="batch scripts of Slurm, or a file"
    )
    parser.add_argument(
        "--map",
        type=Path,
        metavar="FILE",
        help="a table that binds machines to nodes, .csv or .xlsx: machine_type, machine (blank: "
        "all of the type), node (also a list, as n[1-4,7]), constraint, partition",
    )
    parser.add_argument(
        "--commands",
        type=Path,
        metavar="FILE",
        help="a table with the command of each task type, .csv or .xlsx: task_type, command; with "
        "placeholders {task_type} {index} {machine} {seconds}",
    )
    parser.add_argument(
        "--max-array-size",
        type=whole_within(ARRAY_SIZE),
        metavar="N",
        help=f"MaxArraySize of your Slurm (default {USUAL_ARRAY_SIZE}): the most tasks of a job "
        "array",
    )
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        required=True,
        metavar="OUT",
        help="a new folder for the batch scripts, or the file",
    )


def run(arguments: argparse.Namespace) -> Answer:
    refuse(_faults(arguments))
    if arguments.to == SLURM:
        check_scripts_folder(arguments.output)
    reading = read(arguments)
    system = reading.require()
    stated = inspect_schedule(arguments.schedule, system)
    verdict = verify_stated(stated.require(), system, part=arguments.part)
    findings = Findings()
    findings.extend(verdict.problems)
    _stop_if_failed(findings)
    blocks = stated.require().in_order()
    findings.extend((*reading.problems, *stated.problems))
    data: dict[str, object] = {"to": arguments.to, "path": str(arguments.output)}
    if arguments.to == SLURM:
        arrays = _write_slurm(blocks, system, arguments, findings)
        data["job_arrays"] = arrays
        text = f"{counted(arrays, 'job array')} for {counted(verdict.machines, 'machine')}"
    else:
        write_blocks(blocks, system, arguments.output)
        text = f"{counted(verdict.tasks, 'task')} on {counted(verdict.machines, 'machine')}"
    problems = findings.problems()
    data |= {"tasks": verdict.tasks, "machines": verdict.machines, "makespan": verdict.makespan}
    return Answer(
        {"ok": True, "problems": as_dicts(problems), **data},
        f"{arguments.output}: {text}",
        problems,
    )


def _faults(arguments: argparse.Namespace) -> Iterator[str]:
    """Faults of the arguments."""
    if arguments.to == SLURM:
        return
    for name in ("map", "commands", "max_array_size"):
        if getattr(arguments, name) is not None:
            yield f"--{name.replace('_', '-')} is for --to {SLURM}; leave it out"
    yield from file_faults(arguments.output, (f".{arguments.to}",))


def _write_slurm(
    blocks: Blocks, system: System, arguments: argparse.Namespace, findings: Findings
) -> int:
    """Write the batch; returns the number of its job arrays. Raises `InvalidInput` if it would not
    run as planned.
    """
    bound = _table(arguments.map, binding.TITLE, binding.read_binding, system, findings)
    told = _table(arguments.commands, commands.TITLE, commands.read_commands, system, findings)
    _stop_if_failed(findings)
    plan = plan_batch(blocks, system, arguments.max_array_size or USUAL_ARRAY_SIZE)
    findings.extend(foreseen(plan, bound, told))
    _stop_if_failed(findings)
    write_scripts(script_files(plan, bound, told), arguments.output)
    return len(plan)


def _table(
    path: Path | None,
    title: str,
    read_table: Callable[[Sheet, System, Findings], Told | None],
    system: System,
    findings: Findings,
) -> Told | None:
    """What a table file says; None if none is given, or if it has errors."""
    if path is None:
        return None
    label = path.name or str(path)
    with findings.refusals(label):
        return read_table(sheet_of_table(label, read_file(path), title, findings), system, findings)
    return None


def _stop_if_failed(findings: Findings) -> None:
    if findings.failed:
        raise InvalidInput(findings.problems())
