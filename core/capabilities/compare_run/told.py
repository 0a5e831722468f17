"""What became of a schedule, in sentences and tables that the command and the page share."""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from core.capabilities.compare_run.comparison import RunComparison
from core.files.findings import shown_list
from core.shells.told.told import Told, ToldTable
from core.vocabulary.arrays import IntArray
from core.vocabulary.say.units import durations, energies
from core.vocabulary.say.words import NOTHING, Sense, change, counted, duration, energy

_TITLES: Final = ("Machine", "Node", "Planned", "Measured", "Later", "Waited", "Remarks")
_NODES_SHOWN: Final = 3
_INSTANT: Final = 0.5
"""In place of 0 s, which is what `sacct` says of tasks that took less than a second."""


_MOST_MACHINES: Final = 10
"""The most rows of the table; `--json` and `-o` have all."""


def told(compared: RunComparison) -> Told:
    """All that is said of a run; its table has the machines that deviate most."""
    positions = compared.machines.most_deviating()
    rest = len(positions) - _MOST_MACHINES
    table = ToldTable(
        "Machines that deviate most",
        _TITLES,
        tuple(machine_rows(compared, positions[:_MOST_MACHINES])),
        note=f"… and {counted(rest, 'machine')} that deviate less" if rest > 0 else "",
    )
    data = _data(compared)
    return Told(sentence(compared), tuple(notes(compared)), tables=(table,), data=data)


def _data(compared: RunComparison) -> dict[str, object]:
    """The comparison for programs; times are in seconds, energies in joules."""
    found, machines = compared.energy, compared.machines
    pairs, system = compared.pairs, compared.system
    columns = pairs.task_type, pairs.machine_type, pairs.planned, pairs.measured, pairs.ran
    return {
        "run": compared.run,
        "makespan": {"planned": compared.planned, "measured": compared.makespan},
        "energy": {
            "planned": found.planned if found else None,
            "measured": found.measured if found else None,
            "tasks": found.tasks if found else 0,
        },
        "tasks": compared.tasks,
        "ran": compared.ran,
        "failed": compared.failed,
        "missing": compared.missing,
        "running": compared.running,
        "again": int(machines.again.sum()),
        "overlapping": int(machines.overlapping.sum()),
        "elsewhere": int(machines.elsewhere.sum()),
        "in_order": bool(machines.in_order.all()),
        "waited": float(machines.waited.sum()),
        "not_of_this_schedule": compared.others,
        "other_runs": [one for one in compared.runs if one != compared.run],
        "machines": list(machines.records(system)),
        "pairs": [
            {
                "task_type": system.task_names[i],
                "machine_type": system.machine_names[j],
                "planned": planned,
                "measured": measured,
                "ran": ran,
            }
            for i, j, planned, measured, ran in zip(
                *(column.tolist() for column in columns), strict=True
            )
        ],
    }


def sentence(compared: RunComparison) -> str:
    """The makespan, planned and measured."""
    if compared.makespan is None:
        return f"Planned for {duration(compared.planned, Sense.PLAIN)}; nothing has ended yet."
    planned, took = durations((compared.planned, compared.makespan))
    more = compared.makespan / compared.planned - 1 if compared.planned else None
    return f"Planned for {planned}; it took {took} ({change(more)})."


def notes(compared: RunComparison) -> Iterator[str]:
    """What deviates, a sentence each, and what was left out."""
    yield _tasks(compared)
    yield from _machines(compared)
    yield from _waits(compared)
    yield from _pairs(compared)
    yield from _energy(compared)
    if not compared.knows_states:
        yield (
            "The log has no column State, so every task that ended counts as run; dump it with "
            "State to see failures."
        )
    if compared.others:
        others = counted(compared.others, "other job")
        yield f"{others} in the log {_were(compared.others)} left out."
    rest = len(compared.runs) - 1
    if rest:
        yield (
            f"The scripts were run {len(compared.runs)} times; this is run {compared.run}, and "
            f"{shown_list(one for one in compared.runs if one != compared.run)} "
            f"{_were(rest)} left out."
        )


def _tasks(compared: RunComparison) -> str:
    tasks = counted(compared.tasks, "task")
    if compared.ran == compared.tasks:
        return f"All {tasks} ran." if compared.tasks > 1 else "The task ran."
    said = [f"{compared.ran:,} ran"]
    if compared.failed:
        said.append(f"{compared.failed:,} failed")
    if compared.missing:
        said.append(f"{compared.missing:,} {'is' if compared.missing == 1 else 'are'} missing")
    text = (
        f"Of {tasks}, {', '.join(said[:-1])} and {said[-1]}."
        if said[1:]
        else f"Of {tasks}, {said[0]}."
    )
    if compared.running:
        text += f" {compared.running:,} of the missing had started and not ended."
    return text


def _machines(compared: RunComparison) -> Iterator[str]:
    machines = compared.machines
    disordered = int((~machines.in_order).sum())
    if disordered:
        yield f"{counted(disordered, 'machine')} did not keep the order of the schedule."
    elif compared.ran or compared.failed:
        yield "Every machine kept the order of the schedule."
    for counts, what in (
        (machines.again, "{tasks} started more than once, as after a requeue."),
        (machines.overlapping, "{tasks} started before another one on the same machine had ended."),
        (machines.elsewhere, "{tasks} ran on another node than the others of their machine."),
    ):
        if counts.sum():
            yield what.format(tasks=counted(int(counts.sum()), "task"))


def _waits(compared: RunComparison) -> Iterator[str]:
    machines = compared.machines
    total = float(machines.waited.sum())
    if not total:
        return
    most = int(np.argmax(machines.waited))
    in_total, longest = durations((total, float(machines.waited[most])))
    yield (
        f"Between their tasks, machines waited {in_total} in total, "
        f"{machine_name(compared, most)} the longest ({longest}): Slurm takes time to start each "
        "task, and other jobs may hold a node."
    )


def _pairs(compared: RunComparison) -> Iterator[str]:
    pairs, system = compared.pairs, compared.system
    if not len(pairs):
        return
    off = np.abs(np.log(np.maximum(pairs.measured, _INSTANT) / pairs.planned))
    most = int(np.argmax(off))
    planned, measured = float(pairs.planned[most]), float(pairs.measured[most])
    if planned != measured:
        said = durations((measured, planned))
        yield (
            f"The pair most unlike its plan is {system.task_names[pairs.task_type[most]]} on "
            f"{system.machine_names[pairs.machine_type[most]]}: a task took "
            f"{said[0]} (median), planned {said[1]} "
            f"({change(measured / planned - 1)})."
        )


def _energy(compared: RunComparison) -> Iterator[str]:
    found = compared.energy
    if found is None:
        return
    of = counted(found.tasks, "task")
    if found.planned is None:
        measured = energy(found.measured, Sense.PLAIN)
        yield f"{of} took {measured}; without powers (APC), nothing was planned."
        return
    more = found.measured / found.planned - 1 if found.planned else None
    measured, planned = energies((found.measured, found.planned))
    yield (f"{of} took {measured} at work; planned for the same tasks: {planned} ({change(more)}).")


def machine_name(compared: RunComparison, k: int) -> str:
    """The machine at a position of the comparison: `GPU #3`."""
    machines = compared.machines
    return f"{compared.system.machine_names[machines.machine_type[k]]} #{machines.machine[k]}"


def nodes_in_words(nodes: Sequence[str]) -> str:
    return shown_list(nodes, _NODES_SHOWN) if nodes else NOTHING


def remarks(compared: RunComparison, k: int) -> str:
    """What is amiss on a machine; blank if nothing is."""
    machines = compared.machines
    said = [
        f"{int(counts[k]):,} {what}"
        for counts, what in (
            (machines.missing, "missing"),
            (machines.failed, "failed"),
            (machines.again, "started again"),
            (machines.overlapping, "overlapping"),
            (machines.elsewhere, "on another node"),
        )
        if counts[k]
    ]
    if not machines.in_order[k]:
        said.append("order not kept")
    return ", ".join(said)


def machine_rows(compared: RunComparison, positions: IntArray) -> Iterator[tuple[str, ...]]:
    """A row of texts for each of these machines, under `_TITLES`."""
    machines = compared.machines
    for k in positions.tolist():
        yield (
            machine_name(compared, k),
            nodes_in_words(machines.nodes[k]),
            duration(float(machines.planned[k]), Sense.PLAIN),
            duration(float(machines.measured[k]), Sense.PLAIN),
            signed(float(machines.later[k])),
            duration(float(machines.waited[k]), Sense.PLAIN),
            remarks(compared, k),
        )


def signed(seconds: float) -> str:
    """How much later, with its sign: `+12 s`, `−3 s`."""
    said = duration(seconds, Sense.PLAIN)
    return f"+{said}" if seconds > 0 else said


def _were(number: int) -> str:
    return "was" if number == 1 else "were"
