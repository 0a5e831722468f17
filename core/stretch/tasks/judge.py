"""Whether an outcome of whole tasks keeps what it must, computed anew from the raw data.

It shares nothing with the replay that made the outcome. An outcome says when data were sent and had
arrived, but not at which rates; so the judge looks for rates that links and master can carry.
"""

import math
from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from core.lp.program import Infeasible, Program
from core.model.arrays import BoolArray, FloatArray, IntArray
from core.model.tolerances import LARGEST_COEFFICIENT, SOLVED_ZERO
from core.say.words import counted
from core.stretch.recheck import ideal_durations
from core.stretch.tasks.outcome import StretchScores, TaskOutcome

_NEAR: Final = SOLVED_ZERO
"""What exceeds a limit by less, as a share of the longest time or the data, is rounding."""


class TaskFault(NamedTuple):
    """What is wrong, and where it is first: the task and its column, if it is of any."""

    said: str
    task: int | None = None
    column: str = ""


def judged_scores(outcome: TaskOutcome) -> StretchScores:
    """The scores of an outcome without faults."""
    bags = outcome.bags
    release = bags.release[bags.present].tolist()
    ends = [float(outcome.end[outcome.bag == k].max()) for k in range(len(release))]
    flows = [end - begin for end, begin in zip(ends, release, strict=True)]
    stretches = [flow / alone for flow, alone in zip(flows, ideal_durations(bags), strict=True)]
    return StretchScores(
        max(stretches), math.fsum(stretches), max(flows), math.fsum(flows), max(ends) - min(release)
    )


def task_faults(outcome: TaskOutcome) -> list[str]:
    """What is wrong with an outcome; empty if nothing is."""
    return [fault.said for fault in located_task_faults(outcome)]


def located_task_faults(outcome: TaskOutcome) -> list[TaskFault]:
    """`task_faults`, each with its place."""
    wrong = [*_count_faults(outcome)]
    if wrong:
        return wrong
    return [
        *_order_faults(outcome),
        *_overlap_faults(outcome),
        *_memory_faults(outcome),
        *_bandwidth_faults(outcome),
    ]


def _count_faults(outcome: TaskOutcome) -> Iterator[TaskFault]:
    """Each task once, on a machine that there is and that can run it, at times that are numbers."""
    system, present = outcome.bags.system, outcome.bags.present
    kinds = len(system.machine_types)
    for k, i in enumerate(present.tolist()):
        there = int((outcome.bag == k).sum())
        if there != system.task_types[i].count:
            yield TaskFault(
                f"of {system.task_names[i]}, {counted(there, 'task')} ran, "
                f"of {system.task_types[i].count:,}"
            )
    unknown = (outcome.bag < 0) | (outcome.bag >= len(present))
    if unknown.any():
        yield TaskFault("there are tasks of bags that do not exist", _first(unknown), "bag")
    unknown = (outcome.machine_type < 0) | (outcome.machine_type >= kinds)
    if unknown.any():
        said = "there are machine types that do not exist"
        yield TaskFault(said, _first(unknown), "machine_type")
        return
    counts = np.array([kind.count for kind in system.machine_types])
    unknown = (outcome.machine < 0) | (outcome.machine >= counts[outcome.machine_type])
    if unknown.any():
        yield TaskFault("there are machines that do not exist", _first(unknown), "machine")
    for column in ("sent", "arrived", "start", "end"):
        wrong = ~np.isfinite(getattr(outcome, column))
        if wrong.any():
            yield TaskFault("there are times that are not numbers", _first(wrong), column)
            return


def _order_faults(outcome: TaskOutcome) -> Iterator[TaskFault]:
    """Release, sending, arrival, start and end follow each other, and a task takes its time."""
    bags, near = outcome.bags, _near(outcome)
    of = bags.present[outcome.bag]
    seconds = bags.system.etc[of, outcome.machine_type]
    for wrong, column, what in (
        (outcome.sent < bags.release[of] - near, "sent", "is sent before its release"),
        (outcome.arrived < outcome.sent - near, "arrived", "arrives before it is sent"),
        (
            outcome.start < outcome.arrived - near,
            "start",
            "starts before its data have arrived",
        ),
        (
            ~(np.abs(outcome.end - outcome.start - seconds) <= near),
            "end",
            "takes another time than it should",
        ),
    ):
        for i in np.unique(of[wrong]).tolist():
            said = f"a task of {bags.system.task_names[i]} {what}"
            yield TaskFault(said, _first(wrong & (of == i)), column)


def _overlap_faults(outcome: TaskOutcome) -> Iterator[TaskFault]:
    """A machine runs one task at a time."""
    near, number = _near(outcome), _machine_numbers(outcome)
    order = np.lexsort((outcome.start, number))
    same = number[order][1:] == number[order][:-1]
    early = same & (outcome.start[order][1:] < outcome.end[order][:-1] - near)
    for j, task in _first_of_types(outcome, order[1:][early]):
        said = f"a machine of {outcome.bags.system.machine_names[j]} runs two tasks at a time"
        yield TaskFault(said, task, "start")


def _memory_faults(outcome: TaskOutcome) -> Iterator[TaskFault]:
    """From the begin of their sending to the end of the task, data fill memory."""
    bags, number = outcome.bags, _machine_numbers(outcome)
    data = bags.data[bags.present][outcome.bag]
    memory = bags.network.memory
    held = np.concatenate([data, -data])
    # What ends at a time leaves before what begins then, also if rounding has it begin before.
    times = np.concatenate([outcome.sent + 2 * _near(outcome), outcome.end])
    machines = np.concatenate([number, number])
    order = np.lexsort((held, times, machines))
    rising = np.cumsum(held[order])
    first = np.flatnonzero(np.diff(machines[order], prepend=-1))
    before = np.repeat(rising[first] - held[order][first], np.diff(first, append=len(order)))
    most = memory[np.concatenate([outcome.machine_type] * 2)[order]]
    over = rising - before > most * (1 + _NEAR) + _NEAR * float(data.max())
    for j, task in _first_of_types(outcome, order[over] % len(data)):
        said = f"a machine of {bags.system.machine_names[j]} holds more than its memory"
        yield TaskFault(said, task, "sent")


def _bandwidth_faults(outcome: TaskOutcome) -> Iterator[TaskFault]:
    """There are rates at which all data arrive in time, within the links and the bandwidth."""
    bags = outcome.bags
    data = bags.data[bags.present][outcome.bag]
    links = bags.network.links[outcome.machine_type]
    sent, number = np.flatnonzero(data > 0), _machine_numbers(outcome)
    if not len(sent):
        return
    transfers = Transfers(
        outcome.sent[sent],
        outcome.arrived[sent],
        # What arrives too early by rounding is not sent too fast.
        np.maximum(data[sent] * (1 - _NEAR) - _near(outcome) * np.minimum(links[sent], 1e300), 0.0),
        links[sent],
        number[sent],
    )
    carried = np.minimum(transfers.links, 1e300) * (transfers.ends - transfers.begins)
    fast = np.isfinite(transfers.links) & (transfers.data > carried)
    for j, task in _first_of_types(outcome, sent[fast]):
        name = bags.system.machine_names[j]
        said = f"data arrive faster than the link of {name} can carry them"
        yield TaskFault(said, task, "arrived")
    if not fast.any() and not _can_be_carried(transfers, bags.network.bandwidth):
        late = _first_too_many(transfers, bags.network.bandwidth)
        said = "the master or a link sends more than its bandwidth"
        yield TaskFault(said, int(sent[late]), "arrived")


def _first(wrong: BoolArray) -> int:
    return int(np.flatnonzero(wrong)[0])


def _first_of_types(outcome: TaskOutcome, wrong: IntArray) -> Iterator[tuple[int, int]]:
    """Each machine type of these tasks, with the first of them."""
    kinds, first = np.unique(outcome.machine_type[wrong], return_index=True)
    yield from zip(kinds.tolist(), wrong[first].tolist(), strict=True)


class Transfers(NamedTuple):
    """Bytes that have to arrive from `begins` to `ends` (s), each over the link of a machine."""

    begins: FloatArray
    ends: FloatArray
    data: FloatArray
    links: FloatArray
    number: IntArray

    def only(self, places: IntArray) -> "Transfers":
        begins, ends, data, links, number = self
        return Transfers(begins[places], ends[places], data[places], links[places], number[places])


def _can_be_carried(transfers: Transfers, bandwidth: float) -> bool:
    if not _share_links(transfers) and _arrive_evenly(transfers, bandwidth):
        return True
    return _arrive_somehow(transfers, bandwidth)


def _first_too_many(transfers: Transfers, bandwidth: float) -> int:
    """The transfer that cannot have arrived by then beside all that had arrived before."""
    order = np.argsort(transfers.ends, kind="stable")
    possible, impossible = 0, len(order)
    while impossible - possible > 1:
        middle = (possible + impossible) // 2
        if _can_be_carried(transfers.only(order[:middle]), bandwidth):
            possible = middle
        else:
            impossible = middle
    return int(order[possible])


def _share_links(transfers: Transfers) -> bool:
    """Whether two are sent over one link at a time."""
    order = np.lexsort((transfers.begins, transfers.number))
    same = transfers.number[order][1:] == transfers.number[order][:-1]
    return bool((same & (transfers.begins[order][1:] < transfers.ends[order][:-1])).any())


def _arrive_evenly(transfers: Transfers, bandwidth: float) -> bool:
    """Whether all data arrive in time if all that are sent at a time share the bandwidth evenly."""
    begins, ends = transfers.begins, transfers.ends
    dates = np.unique(np.concatenate([begins, ends]))
    beginning, ending = (np.argsort(each, kind="stable") for each in (begins, ends))
    first = np.searchsorted(begins[beginning], dates, side="right")
    last = np.searchsorted(ends[ending], dates, side="right")
    arrived = np.zeros(len(begins))
    active: set[int] = set()
    for j, seconds in enumerate(np.diff(dates).tolist()):
        active.update(beginning[first[j - 1] if j else 0 : first[j]].tolist())
        active.difference_update(ending[last[j - 1] if j else 0 : last[j]].tolist())
        now = np.fromiter(active, np.int64, len(active))
        arrived[now] += _even_rates(transfers.links[now], bandwidth) * seconds
    return bool((arrived >= transfers.data).all())


def _even_rates(links: FloatArray, bandwidth: float) -> FloatArray:
    """The smaller of its link and a level for each, which all together fill the bandwidth."""
    if links.sum() <= bandwidth:
        return links
    rising = np.sort(links)
    below = np.concatenate([[0.0], np.cumsum(rising)[:-1]])
    levels = (bandwidth - below) / np.arange(len(links), 0, -1)
    level = float(levels[np.flatnonzero(levels <= rising)[0]])
    rates: FloatArray = np.minimum(links, level)
    return rates


def _arrive_somehow(transfers: Transfers, bandwidth: float) -> bool:
    """Whether any rates let all data arrive in time, by a linear program."""
    begins, ends, data, links, number = transfers
    dates = np.unique(np.concatenate([begins, ends]))
    lengths = np.diff(dates)
    transfer, date = np.nonzero((begins[:, None] <= dates[:-1]) & (ends[:, None] >= dates[1:]))
    unit = float(data.max())
    used, row = np.unique(number[transfer] * len(lengths) + date, return_inverse=True)
    carried = np.empty(len(used))
    carried[row] = links[transfer] * lengths[date] / unit
    program = Program(solver="simplex")
    done = program.add_rows(data / unit, np.inf)
    master = program.add_rows(-np.inf, np.minimum(bandwidth * lengths / unit, LARGEST_COEFFICIENT))
    link = program.add_rows(-np.inf, np.minimum(carried, LARGEST_COEFFICIENT))
    program.add_columns([(done[transfer], 1.0), (master[date], 1.0), (link[row], 1.0)])
    try:
        program.minimise(feasible=False)
    except Infeasible:
        return False
    return True


def _machine_numbers(outcome: TaskOutcome) -> IntArray:
    """A number for each machine of each type."""
    most = int(outcome.machine.max()) + 1
    numbers: IntArray = outcome.machine_type * most + outcome.machine
    return numbers


def _near(outcome: TaskOutcome) -> float:
    release = float(outcome.bags.release[outcome.bags.present].min())
    return _NEAR * (float(outcome.end.max()) - release)
