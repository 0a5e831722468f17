"""What Slurm cannot express of a schedule, or may refuse: said before anything is written."""

import shlex
from collections.abc import Iterator
from typing import Final

import numpy as np

from core.engines.slurm.binding import Binding
from core.engines.slurm.job_arrays import SCHEDULE, JobArrays
from core.engines.slurm.job_names import Commands
from core.engines.slurm.requested import NOTHING_ASKED, Requested, licences_of
from core.files.findings import shown, shown_list
from core.vocabulary.problems import Problem
from core.vocabulary.say.words import as_sentence, counted
from core.vocabulary.tolerances import METHODS_AGREE

USUAL_MOST_JOBS: Final = 10_000
"""Slurm's own `MaxJobCount`, for which each task of a job array counts as a job."""

_MOST_SAID: Final = 3
"""Requests that are not as planned and are said; more of them are no news."""


def sentence_of(problem: Problem) -> str | None:
    """A problem of the whole schedule as a sentence; None for one of a place in a table."""
    if problem.file not in ("", SCHEDULE):
        return None
    return as_sentence(f"{problem.file} {problem.message}".strip())


def foreseen(
    arrays: JobArrays,
    binding: Binding | None,
    commands: Commands | None,
    asked: Requested = NOTHING_ASKED,
) -> Iterator[Problem]:
    """What will not be as planned, each with its remedy; errors if a script would be wrong."""
    yield from _without_place(arrays, binding)
    yield from _without_command(arrays, commands)
    yield from _read_as_code(arrays, commands)
    yield from _size(arrays)
    yield from _waiting(arrays)
    yield from _licences(arrays)
    for said in (*asked.lacking(arrays), *asked.apart(arrays))[:_MOST_SAID]:
        yield Problem("", "", "", said, "warning")
    yield from _names(arrays)


def _without_place(arrays: JobArrays, binding: Binding | None) -> Iterator[Problem]:
    if binding is None:
        yield Problem(
            "",
            "",
            "",
            "no table binds machines to nodes, so Slurm chooses a free node for each job, of any "
            "kind; give a map",
            "warning",
        )
        return
    machine_of: dict[str, str] = {}
    for chain in arrays.chains():
        kind, number = chain[0].machine_type, chain[0].machine
        name = arrays.system.machine_names[kind]
        machine = f"{name} #{number}"
        place = binding.place(kind, number)
        if place is None:
            said = f"machine {number:,} has tasks, but no place in the table; add a row for it"
            yield Problem(binding.label, name, "node", said)
        elif place.node and machine_of.setdefault(place.node, machine) != machine:
            yield Problem(
                binding.label,
                name,
                "node",
                f"node {place.node} is for two machines, {shown(machine_of[place.node])} and "
                f"{shown(machine)}, which run there at once, and perhaps other jobs; to have a "
                "node alone, give another",
                "warning",
            )


def _without_command(arrays: JobArrays, commands: Commands | None) -> Iterator[Problem]:
    if commands is None:
        yield Problem(
            "",
            "",
            "",
            "no commands are given, so the scripts only print what they would run; give commands, "
            "or write them into the scripts",
            "warning",
        )
        return
    for task_type in np.unique(arrays.blocks.task_type).tolist():
        if task_type not in commands.scripts:
            name = arrays.system.task_names[task_type]
            said = "the task type has tasks, but no command in the table; add a row for it"
            yield Problem(commands.label, name, "command", said)


def _read_as_code(arrays: JobArrays, commands: Commands | None) -> Iterator[Problem]:
    """Names that a shell would run, in places where a command has them read as code."""
    if commands is None:
        return
    blocks, system = arrays.blocks, arrays.system
    for task_type, found in commands.code.items():
        machines = np.unique(blocks.machine_type[blocks.task_type == task_type]).tolist()
        names = {
            "task_type": [system.task_names[task_type]],
            "machine": [system.machine_names[j] for j in machines],
        }
        for placeholder, program in found:
            unsafe = [name for name in names[placeholder] if _needs_quotes(name)]
            if machines and unsafe:
                yield Problem(
                    commands.label,
                    system.task_names[task_type],
                    "command",
                    f"{{{placeholder}}} is '{shown(unsafe[0])}', which {program} may read as code; "
                    f"let the program take it from its environment, WATTFRONT_"
                    f"{placeholder.upper()}, or rename it",
                )


def _size(arrays: JobArrays) -> Iterator[Problem]:
    if arrays.split:
        are = _are(arrays.split)
        yield _warning(
            f"{counted(arrays.split, 'block')} of equal tasks {are} larger than a job "
            f"array may be, and {are} split; give the MaxArraySize of your Slurm if "
            "that is larger (scontrol show config)"
        )
    tasks = int(arrays.blocks.count.sum())
    if tasks > USUAL_MOST_JOBS:
        yield _warning(
            f"has {tasks:,} tasks, and Slurm holds {USUAL_MOST_JOBS:,} jobs unless MaxJobCount is "
            "larger (each task counts as one); when Slurm refuses more, run submit.sh again later, "
            "and it goes on where it stopped"
        )


def _waiting(arrays: JobArrays) -> Iterator[Problem]:
    blocks = arrays.blocks
    if not len(blocks):
        return
    first = np.concatenate(
        [[True], (np.diff(blocks.machine_type) | np.diff(blocks.first_machine)) != 0]
    )
    idle_since = np.where(first, 0.0, np.roll(blocks.end, 1))
    waits = int(np.count_nonzero(blocks.start - idle_since > METHODS_AGREE * blocks.end))
    if waits:
        yield _warning(
            f"has {counted(waits, 'wait')} between tasks; Slurm does not wait, but starts the next "
            "job array when the one before has ended"
            + ("" if arrays.licences is None else " and the licences for its watts are free")
        )


def _licences(arrays: JobArrays) -> Iterator[Problem]:
    """Tasks that would wait for ever, because the cap leaves less than they need."""
    blocks, system = arrays.blocks, arrays.system
    if arrays.licences is None:
        return
    pairs = np.unique(np.column_stack([blocks.task_type, blocks.machine_type]), axis=0)
    for task, kind in pairs.tolist():
        watts = licences_of(system, task, kind)
        if watts > arrays.licences:
            where = f"{system.task_names[task]} on {system.machine_names[kind]}"
            said = (
                f"draws {watts:,} W more than idle, and the cap leaves {arrays.licences:,} W when "
                "all machines are on and idle; raise the cap"
            )
            yield Problem(SCHEDULE, where, "", said)


def _names(arrays: JobArrays) -> Iterator[Problem]:
    blocks, system = arrays.blocks, arrays.system
    tasks = [system.task_names[i] for i in np.unique(blocks.task_type).tolist()]
    machines = [system.machine_names[j] for j in np.unique(blocks.machine_type).tolist()]
    awkward = [name for name in (*tasks, *machines) if _needs_quotes(name)]
    if awkward:
        yield _warning(
            f"has names that need quotation marks in a shell ({shown_list(awkward)}); the scripts "
            "quote them, but commands that they are given to may not, so rename them if you can"
        )


def _needs_quotes(name: str) -> bool:
    return shlex.quote(name) != name or name.startswith("-")


def _are(number: int) -> str:
    return "is" if number == 1 else "are"


def _warning(message: str) -> Problem:
    return Problem(SCHEDULE, "", "", message, "warning")
