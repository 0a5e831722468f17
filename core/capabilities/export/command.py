"""`wattfront export SYSTEM SCHEDULE --to slurm`: a schedule as batch scripts, or as a file."""

import argparse
from pathlib import Path

from core.capabilities.export.face import FILES, SLURM, export
from core.engines.slurm.job_arrays import ARRAY_SIZE, USUAL_ARRAY_SIZE
from core.files.findings import Findings
from core.shells.cli.answer import Answer
from core.shells.cli.arguments import add_file, add_schedule, add_system, read, system_path
from core.shells.settings.numbers import reading, whole_within
from core.vocabulary.say.quantities import POWER
from core.vocabulary.say.words import counted


def declare(parser: argparse.ArgumentParser) -> None:
    add_system(parser)
    add_schedule(parser)
    parser.add_argument(
        "--to", choices=(SLURM, *FILES), required=True, help="batch scripts of Slurm, or a file"
    )
    add_file(
        parser,
        "--map",
        "a table that binds machines to nodes, .csv or .xlsx: machine_type, machine (blank: "
        "all of the type), node (also a list, as n[1-4,7]), constraint, partition (default: as the "
        "log says that the system is derived from)",
    )
    add_file(
        parser,
        "--commands",
        "a table with the command of each task type, .csv or .xlsx: task_type, command; with "
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
        "--peak-cap",
        type=reading(POWER),
        metavar="POWER",
        help="for Slurm: tasks take licences for their watts, so that all machines at no moment "
        f"draw more than this: {POWER}",
    )
    add_file(
        parser,
        "-o --output",
        "a new folder for the batch scripts, or the file",
        "OUT",
        required=True,
    )


def run(arguments: argparse.Namespace) -> Answer:
    out: Path = arguments.output
    reading = read(arguments)
    exported = export(
        reading.require(),
        arguments.schedule,
        out,
        to=arguments.to,
        nodes=arguments.map,
        commands=arguments.commands,
        max_array_size=arguments.max_array_size,
        peak_cap=arguments.peak_cap,
        part=arguments.part,
        source=system_path(arguments),
    )
    findings = Findings()
    findings.extend((*reading.problems, *exported.warnings))
    problems, verdict = findings.problems(), exported.verdict
    data: dict[str, object] = {"to": arguments.to, "path": str(out)}
    on = counted(verdict.machines, "machine")
    if exported.job_arrays is not None:
        data["job_arrays"] = exported.job_arrays
        done = f"{counted(exported.job_arrays, 'job array')} for {on}"
    else:
        done = f"{counted(verdict.tasks, 'task')} on {on}"
    data |= {"tasks": verdict.tasks, "machines": verdict.machines, "makespan": verdict.makespan}
    return Answer.done(f"{out}: {done}", data, problems)
