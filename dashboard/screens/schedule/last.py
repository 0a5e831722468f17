"""The machine that finishes last, and what moving one of its tasks would change."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.vocabulary.arrays import IntArray
from core.vocabulary.say.without_work import rest_word
from core.vocabulary.say.words import Sense, counted, duration, energy, settled, share
from core.vocabulary.schedule import Schedule

TASK_TYPES_NAMED: Final = 3
_SAME: Final = 1e-12


@dataclass(frozen=True, slots=True)
class Move:
    """A move of one task to another machine: by how many seconds the makespan becomes shorter, and
    how much energy (J) it takes more; None without powers.
    """

    task_type: int
    machine_type: int
    machine: int
    sooner: float
    joules: float | None


@dataclass(frozen=True, slots=True)
class LastMachine:
    """The machine that finishes last, or the first of `tied` machines that do.

    `runs` are what it runs, as (task type, tasks, seconds), in the order run. `next_finish` is when
    the next machine finishes (s; None if all finish together). `move` is the move that shortens the
    makespan most, if one does.
    """

    machine_type: int
    machine: int
    finish: float
    tied: int
    runs: tuple[tuple[int, int, float], ...]
    next_finish: float | None
    move: Move | None


@dataclass(frozen=True, slots=True)
class Part:
    """One machine, or of several the one that finishes last: when it finishes (s), what it `runs`
    as in `LastMachine`, and how long it `waits` for the last machine of all (s).
    """

    machine_type: int
    machine: int
    finish: float
    runs: tuple[tuple[int, int, float], ...]
    waits: float


def last_of(schedule: Schedule, machines: IntArray, machine: int | None = None) -> Part | None:
    """The last of so many machines of each group, all of one type; None if there are none.
    `machine` is its number if only one machine is shown.
    """
    groups = np.flatnonzero(machines)
    if not len(groups):
        return None
    group = int(groups[np.argmax(schedule.finish[groups])])
    finish = float(schedule.finish[group])
    return Part(
        int(schedule.machine_type[group]),
        int(schedule.first_machine[group]) if machine is None else machine,
        finish,
        _runs(schedule, group),
        max(schedule.makespan - finish, 0.0),
    )


def part_sentences(schedule: Schedule, part: Part, *, alone: bool) -> Iterator[str]:
    """When it finishes and what it runs, in words. `alone`: only one machine is shown."""
    system = schedule.system
    kind = system.machine_names[part.machine_type]
    name, finish = f"{kind} #{part.machine}", duration(part.finish, Sense.SPENT)
    if not part.runs:
        yield f"{name} runs nothing." if alone else f"No machine of {kind} runs anything."
        return
    yield f"{name} finishes{'' if alone else f' last of {kind},'} after {finish}."
    yield f"It runs {_listed(part.runs, system.task_names)}."
    if part.waits > _SAME * schedule.makespan:
        waits = duration(part.waits, Sense.PLAIN)
        yield f"Then it is {rest_word(system)} for {waits}, until the last machine of all finishes."
    else:
        yield "No other machine finishes later."


def last_machine(schedule: Schedule) -> LastMachine:
    load, makespan = schedule.finish, schedule.makespan
    at_end = load >= makespan * (1 - _SAME)
    last = int(np.flatnonzero(at_end)[0])
    kind = int(schedule.machine_type[last])
    runs = _runs(schedule, last)
    tied = int(schedule.machines[at_end].sum())
    earlier = load[~at_end]
    return LastMachine(
        kind,
        int(schedule.first_machine[last]),
        makespan,
        tied,
        runs,
        float(earlier.max()) if len(earlier) else None,
        _best_move(schedule, last, [i for i, _, _ in runs]) if tied == 1 else None,
    )


def sentences(schedule: Schedule, last: LastMachine) -> Iterator[str]:
    """Why it is last, and what one move would change, in words. Names are not escaped."""
    system = schedule.system
    tasks, machines = system.task_names, system.machine_names
    name = f"{machines[last.machine_type]} #{last.machine}"
    together = f" and {counted(last.tied - 1, 'other')}" if last.tied > 1 else ""
    finish = duration(last.finish, Sense.SPENT)
    yield f"{name}{together} finish{'' if together else 'es'} last, after {finish}."
    yield f"{name if together else 'It'} runs {_listed(last.runs, tasks)}."
    if last.next_finish is None:
        yield "All machines finish at the same time: the load is perfectly balanced."
        return
    earlier = duration(last.finish - last.next_finish, Sense.SPENT)
    yield (
        f"The next machine finishes {earlier} earlier. By less work on this machine alone, the "
        "makespan can become shorter by that much at most."
        if last.tied == 1
        else f"The next machine finishes {earlier} earlier."
    )
    if schedule.waits is None:
        yield _said(last, tasks, machines)


def _runs(schedule: Schedule, group: int) -> tuple[tuple[int, int, float], ...]:
    """What each machine of a group runs, as (task type, tasks, seconds), in the order run."""
    each = schedule.system.etc[:, schedule.machine_type[group]]
    tasks = schedule.tasks[group]
    order = np.argsort(-each, kind="stable")
    return tuple(
        (i, int(tasks[i]), float(tasks[i] * each[i])) for i in order[tasks[order] > 0].tolist()
    )


def _listed(runs: Sequence[tuple[int, int, float]], tasks: Sequence[str]) -> str:
    """The task types that take longest, by name, and how long all others take."""
    by_time = sorted(runs, key=lambda run: -run[2])
    listed = ", ".join(
        f"{count:,} × {tasks[i]} ({duration(seconds, Sense.PLAIN)})"
        for i, count, seconds in by_time[:TASK_TYPES_NAMED]
    )
    rest = sum(seconds for _, _, seconds in by_time[TASK_TYPES_NAMED:])
    return listed + (f", and others ({duration(rest, Sense.PLAIN)})" if rest else "")


def _said(last: LastMachine, tasks: Sequence[str], machines: Sequence[str]) -> str:
    if last.tied > 1:
        return (
            "Several machines finish last together, so moving one task does not shorten the "
            "makespan."
        )
    if last.move is None:
        return "Moving one of its tasks to another machine does not shorten the makespan."
    move = last.move
    sooner = duration(move.sooner, Sense.EARNED)
    part = share(move.sooner / last.finish, Sense.EARNED)
    said = (
        f"Moving one task {tasks[move.task_type]} to {machines[move.machine_type]} #{move.machine} "
        f"shortens the makespan by {sooner} ({part})"
    )
    if move.joules is None:
        return f"{said}."
    if not move.joules:
        return f"{said}, with the same energy."
    more = energy(abs(move.joules), Sense.PLAIN)
    return f"{said}, and takes {more} {'more' if move.joules > 0 else 'less'}."


def _best_move(schedule: Schedule, last: int, task_types: list[int]) -> Move | None:
    """The move of one task from a group of one machine that gives the shortest makespan, and of
    equal ones the least energy; None if no move shortens the makespan.
    """
    system, load, makespan = schedule.system, schedule.load, schedule.makespan
    kind = schedule.machine_type[last]
    elsewhere = np.arange(len(load)) != last
    if not elsewhere.any() or not task_types:
        return None
    others_end = load[elsewhere].max()
    best: tuple[float, float, Move] | None = None
    for i in task_types:
        arrives = load + system.etc[i, schedule.machine_type]
        arrives[last] = np.inf
        ends = np.maximum(np.maximum(arrives, others_end), makespan - system.etc[i, kind])
        joules = np.zeros(len(load))
        if system.apc is not None:
            there = np.isfinite(arrives)
            joules = np.full(len(load), np.inf)
            joules[there] = (
                system.dynamic_energy[i, schedule.machine_type[there]]
                - system.dynamic_energy[i, kind]
                - system.total_idle_power * (makespan - ends[there])
            )
        target = int(np.lexsort((joules, ends))[0])
        end, more = float(ends[target]), float(joules[target])
        if end >= makespan * (1 - _SAME) or (best is not None and (end, more) >= best[:2]):
            continue
        best = (
            end,
            more,
            Move(
                i,
                int(schedule.machine_type[target]),
                int(schedule.first_machine[target]),
                makespan - end,
                None if system.apc is None else settled(more, schedule.energy),
            ),
        )
    return None if best is None else best[2]
