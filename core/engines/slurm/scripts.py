"""Batch scripts: for Slurm, with what they do in plain English, and a table of them."""

import io
import math
import os
import re
import shlex
import shutil
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from string import Template
from typing import Final

import numpy as np

from core.engines.slurm.binding import Binding, Place
from core.engines.slurm.job_arrays import JobArray, JobArrays
from core.engines.slurm.job_names import Commands, JobName
from core.engines.slurm.placeholders import VARIABLES
from core.engines.slurm.requested import NOTHING_ASKED, WATTS, Requested, licence_line, licences_of
from core.files.archive import write_lines, writing_archive
from core.files.disk import cannot_write, explained, is_named_as_file, name_beside
from core.files.sheet import csv_cell
from core.vocabulary.requests import TIMES_PLANNED
from core.vocabulary.say.words import MINUTE, Sense, counted, duration
from core.vocabulary.system import System

SUBMIT: Final = "submit.sh"
CANCEL: Final = "cancel.sh"
README: Final = "README.md"
PLAN: Final = "plan.csv"
TASKS: Final = "tasks"
"""The folder of the scripts, one for each task type."""

STATE: Final = "submitted"
"""The folder in which `submit.sh` keeps what it did."""

PLAN_COLUMNS: Final = (
    "machine_type",
    "machine",
    "node",
    "job",
    "task_type",
    "first_index",
    "count",
    "start (s)",
    "end (s)",
)

SPARE_MINUTES: Final = 5
TIME_LIMIT: Final = (
    f"{TIMES_PLANNED} times the longest planned time of its task type, and {SPARE_MINUTES} min more"
)
"""When Slurm ends a task. Times vary, and what a task has done until it is ended is lost."""

_MOST_MINUTES: Final = 2**31 - 1
"""A larger `--time` may have a meaning of its own in Slurm."""

_SLUG_CHARACTERS: Final = 40
_HERE: Final = Path(__file__).parent
_ANYWHERE: Final = Place()


def script_files(
    arrays: JobArrays,
    binding: Binding | None,
    commands: Commands | None,
    asked: Requested = NOTHING_ASKED,
) -> Mapping[str, Iterable[str]]:
    """The files by their paths in the folder, as lines; jobs request what is `asked`. What
    `foreseen` calls an error must be mended before.
    """
    scripts = _script_names(arrays)
    return {
        README: [_readme(arrays, commands, asked)],
        SUBMIT: _submit_lines(arrays, binding, scripts, asked),
        CANCEL: [_asset(CANCEL)],
        PLAN: _plan_lines(arrays, binding),
        **{
            path: [_task_script(arrays, task_type, commands, asked)]
            for task_type, path in scripts.items()
        },
    }


def is_executable(name: str) -> bool:
    """Whether a file is to be run by a person."""
    return name in (SUBMIT, CANCEL)


def _script_names(arrays: JobArrays) -> dict[int, str]:
    """The path of the script of each task type that has tasks."""
    width = len(str(len(arrays.system.task_types)))
    names = {}
    for task_type in sorted(set(arrays.blocks.task_type.tolist())):
        slug = re.sub(r"[^A-Za-z0-9_]+", "-", arrays.system.task_names[task_type]).strip("-")
        number = f"{task_type + 1:0{width}}"
        ending = f"-{slug[:_SLUG_CHARACTERS]}" if slug else ""
        names[task_type] = f"{TASKS}/{number}{ending}.sh"
    return names


def _submit_lines(
    arrays: JobArrays, binding: Binding | None, scripts: Mapping[int, str], asked: Requested
) -> Iterator[str]:
    system = arrays.system
    yield _asset(SUBMIT)
    yield f"begin {arrays.digest}\n"
    machines_on = Counter(_place(binding, chain[0]).node for chain in arrays.chains())
    for chain in arrays.chains():
        machine, place = _machine(system, chain[0]), _place(binding, chain[0])
        shared = bool(place.node) and machines_on[place.node] > 1
        yield _command("machine", *place.options(shared=shared))
        for array in chain:
            seconds = float(system.etc[array.task_type, array.machine_type])
            yield _command(
                *("array", _job(array).ending, array.tasks),
                *asked.options(array.task_type, array.machine_type),
                *_licences(arrays, array),
                *(scripts[array.task_type], array.first_index, machine, seconds),
            )
    yield "finish\n"


def _licences(arrays: JobArrays, array: JobArray) -> Iterator[str]:
    """The option of `sbatch` for the watts of a task, if Slurm counts them."""
    if arrays.licences is not None and (
        watts := licences_of(arrays.system, array.task_type, array.machine_type)
    ):
        yield f"--licenses={WATTS}:{watts}"


def _licences_said(arrays: JobArrays) -> str:
    if arrays.licences is None:
        return ""
    return (
        "\n- Each task takes licences, one for each watt that its machine draws more than idle.\n"
        "  Slurm starts it when so many are free, so the cap is kept at every moment.\n"
        f"  `slurm.conf` needs this line: `{licence_line(arrays.licences)}`"
    )


def _plan_lines(arrays: JobArrays, binding: Binding | None) -> Iterator[str]:
    yield ",".join(PLAN_COLUMNS) + "\n"
    system = arrays.system
    for chain in arrays.chains():
        node = _place(binding, chain[0]).node
        for array in chain:
            yield ",".join(
                (
                    csv_cell(system.machine_names[array.machine_type]),
                    str(array.machine),
                    csv_cell(node),
                    _job(array).ending,
                    csv_cell(system.task_names[array.task_type]),
                    f"{array.first_index},{array.tasks},{array.start!r},{array.end!r}\n",
                )
            )


def _time_limit(arrays: JobArrays, task_type: int, asked: Requested) -> str:
    """What `--time` says of a task type, in minutes: what a person says, or `TIME_LIMIT`."""
    said, of_log = asked.minutes(task_type)
    if said:
        return str(said)
    blocks = arrays.blocks
    machine_types = np.unique(blocks.machine_type[blocks.task_type == task_type])
    longest = float(arrays.system.etc[task_type, machine_types].max())
    minutes = max(math.ceil(TIMES_PLANNED * longest / MINUTE) + SPARE_MINUTES, of_log)
    return str(minutes) if minutes <= _MOST_MINUTES else "UNLIMITED"


def _task_script(
    arrays: JobArrays, task_type: int, commands: Commands | None, asked: Requested
) -> str:
    name = shlex.quote(arrays.system.task_names[task_type])
    if commands is None:
        body = (
            "# Replace this line by the command of one task:\n"
            "printf 'no command yet: task %s of %s on %s\\n' "
            '"$WATTFRONT_INDEX" "$WATTFRONT_TASK_TYPE" "$WATTFRONT_MACHINE"'
        )
    else:
        body = commands.scripts[task_type]
    return f"""\
#!/bin/bash
#SBATCH --output=output/%x-%a.txt
#SBATCH --time={_time_limit(arrays, task_type, asked)}
# Runs one task. Slurm ends it after the minutes in --time:
# {_limit_said(asked)}.
# submit.sh submits this script; options of sbatch for all tasks of the type, such as --mem, may be
# added above this line, each after #SBATCH.
export {VARIABLES["task_type"]}={name}
export {VARIABLES["index"]}=$(($1 + SLURM_ARRAY_TASK_ID))
export {VARIABLES["machine"]}=$2
export {VARIABLES["seconds"]}=$3
shift 3

{body}
"""


def _limit_said(asked: Requested) -> str:
    if asked.log is None:
        return TIME_LIMIT
    source = "log" if asked.log.is_of_log else "study"
    return f"{TIME_LIMIT}, or that of the {source} if it is longer"


def _readme(arrays: JobArrays, commands: Commands | None, asked: Requested) -> str:
    makespan = float(arrays.blocks.end.max(initial=0.0))
    return Template(_asset("folder_readme.md")).substitute(
        tasks=counted(int(arrays.blocks.count.sum()), "task"),
        machines=counted(sum(1 for _ in arrays.chains()), "machine"),
        makespan=duration(makespan, Sense.SPENT),
        job_arrays=counted(len(arrays), "job array"),
        without="" if commands else " No commands were given, so write them into these scripts.",
        digest=arrays.digest,
        time_limit=_limit_said(asked),
        licences=_licences_said(arrays),
    )


def _command(*words: object) -> str:
    return " ".join(shlex.quote(str(word)) for word in words) + "\n"


def _machine(system: System, array: JobArray) -> str:
    return f"{system.machine_names[array.machine_type]}-{array.machine}"


def _place(binding: Binding | None, array: JobArray) -> Place:
    place = binding.place(array.machine_type, array.machine) if binding else None
    return place or _ANYWHERE


def _job(array: JobArray) -> JobName:
    """The name of its job in no run in particular."""
    return JobName("", "", array.machine_type, array.machine, array.task_type, array.first_index)


def _asset(name: str) -> str:
    return (_HERE / name).read_text(encoding="utf-8")


_EXECUTABLE: Final = 0o755
_READABLE: Final = 0o644
_OURS: Final = frozenset({README, SUBMIT, CANCEL, PLAN, TASKS})


def check_scripts_folder(folder: Path) -> None:
    """Raise `InvalidInput` unless batch scripts can be written there: into a new folder, an empty
    one, or in place of earlier ones that were not submitted.
    """
    if is_named_as_file(folder):
        why = "batch scripts are a folder, so name one; --to csv, json or xlsx writes such a file"
        raise cannot_write(folder, why)
    with explained(folder):
        if not os.path.lexists(folder):
            if not folder.absolute().parent.is_dir():
                raise cannot_write(folder, "there is no folder to make it in; make that first")
            return
        if folder.is_symlink() or not folder.is_dir():
            raise cannot_write(folder, "it is not a folder; choose another place")
        names = {path.name for path in folder.iterdir()}
        if STATE in names:
            raise cannot_write(folder, "its jobs were submitted; choose another folder")
        foreign = sorted(names - _OURS)
        if foreign or (names and not names >= {SUBMIT, PLAN}):
            which = foreign[0] if foreign else min(names)
            raise cannot_write(
                folder, f"{which} there is not one of batch scripts; choose another folder"
            )


def write_scripts(files: Mapping[str, Iterable[str]], folder: Path) -> None:
    """Write files, by their paths, as a folder that is complete when it appears.

    Earlier batch scripts there are replaced. Raises `InvalidInput` if it cannot be written.
    """
    check_scripts_folder(folder)
    folder = folder.absolute()
    with explained(folder):
        beside, old = name_beside(folder), name_beside(folder)
        try:
            for name, lines in files.items():
                path = beside / name
                path.parent.mkdir(parents=True, exist_ok=True)
                with path.open("xb") as stream:
                    write_lines(stream, lines)
                if is_executable(name):
                    path.chmod(_EXECUTABLE)
            if folder.exists():
                folder.rename(old)
            try:
                beside.rename(folder)
            except OSError:
                if old.exists():
                    old.rename(folder)
                raise
        finally:
            shutil.rmtree(beside, ignore_errors=True)
            shutil.rmtree(old, ignore_errors=True)


def archived_scripts(files: Mapping[str, Iterable[str]], folder: str) -> bytes:
    """Files, by their paths, as a zip archive with one folder. Unpacked, what a person runs is
    executable.
    """
    stream = io.BytesIO()
    with writing_archive(stream) as archive:
        for name, lines in files.items():
            mode = _EXECUTABLE if is_executable(name) else _READABLE
            archive.add_with_mode(f"{folder}/{name}", lines, mode)
    return stream.getvalue()
