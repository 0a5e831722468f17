"""Whether an outcome of whole tasks keeps what it must, computed anew from the raw data.

It shares nothing with the replay that made the outcome. An outcome says when data were sent and had
arrived, but not at which rates; so the judge looks for rates that links and master can carry.
"""

import heapq
import math
from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np

from core.capabilities.fair_shares.recheck import ideal_durations
from core.capabilities.fair_shares.tasks.outcome import StretchScores, TaskOutcome
from core.engines.lp.program import Infeasible, Program
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray
from core.vocabulary.say.words import counted
from core.vocabulary.tolerances import SAME_OPTIMUM, SOLVED_ZERO

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
    over = [np.empty(0, np.int64)]
    for tasks in _by_machine(number):
        changes = np.concatenate([tasks, tasks + len(data)])
        changes = changes[np.lexsort((held[changes], times[changes]))]
        most = float(memory[outcome.machine_type[tasks[0]]]) * (1 + _NEAR)
        over.append(changes[np.cumsum(held[changes]) > most] % len(data))
    for j, task in _first_of_types(outcome, np.concatenate(over)):
        said = f"a machine of {bags.system.machine_names[j]} holds more than its memory"
        yield TaskFault(said, task, "sent")


def _bandwidth_faults(outcome: TaskOutcome) -> Iterator[TaskFault]:
    """There are rates at which all data arrive in time, within the links and the bandwidth."""
    bags, near, bandwidth = outcome.bags, _near(outcome), outcome.bags.network.bandwidth
    data = bags.data[bags.present][outcome.bag]
    links = bags.network.links[outcome.machine_type]
    # Where nothing limits, data arrive at once.
    sent = np.flatnonzero((data > 0) & (np.minimum(links, bandwidth) < np.inf))
    transfers = Transfers(
        outcome.sent, outcome.arrived, data * (1 - _NEAR), links, _machine_numbers(outcome)
    ).only(sent)
    fast = transfers.data / transfers.links > transfers.ends - transfers.begins + near
    for j, task in _first_of_types(outcome, sent[fast]):
        name = bags.system.machine_names[j]
        said = f"data arrive faster than the link of {name} can carry them"
        yield TaskFault(said, task, "arrived")
    late = None if fast.any() else _first_late(transfers, bandwidth, near)
    if late is not None:
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


def _first_late(transfers: Transfers, bandwidth: float, near: float) -> int | None:
    """A transfer that cannot have arrived by then beside all that had arrived before, if there is
    one. It may be late by `near` (s).
    """
    shared = [(sent, float(transfers.links[sent[0]])) for sent in _by_machine(transfers.number)]
    shared.append((np.arange(len(transfers.data)), bandwidth))
    late = [
        int(sent[k])
        for sent, rate in shared
        if np.isfinite(rate)
        for k in _late_alone(transfers.only(sent), rate, near)
    ]
    if late:
        return min(late, key=lambda k: float(transfers.ends[k]))
    if np.isinf(bandwidth) or (transfers.links >= bandwidth).all():
        return None
    # What arrives too early by rounding is not sent too fast.
    left = transfers.data - near * np.minimum(transfers.links, bandwidth)
    some = np.flatnonzero(left > 0)
    rest = transfers._replace(data=left).only(some)
    if _can_be_carried(rest, bandwidth):
        return None
    return int(some[_first_too_many(rest, bandwidth)])


def _late_alone(transfers: Transfers, rate: float, near: float) -> Iterator[int]:
    """Transfers that arrive late if nothing but them is sent, at this rate, what is due first
    before all else. Nothing is late if any other order has nothing late.
    """
    begins, ends = transfers.begins.tolist(), transfers.ends.tolist()
    seconds = (transfers.data / rate).tolist()
    coming = np.argsort(-transfers.begins, kind="stable").tolist()
    waiting: list[tuple[float, int]] = []
    now = -math.inf
    while coming or waiting:
        if not waiting:
            now = max(now, begins[coming[-1]])
        while coming and begins[coming[-1]] <= now:
            k = coming.pop()
            heapq.heappush(waiting, (ends[k], k))
        due, k = waiting[0]
        until = begins[coming[-1]] if coming else math.inf
        if now + seconds[k] > until:
            seconds[k] -= until - now
            now = until
            continue
        heapq.heappop(waiting)
        now += seconds[k]
        if now > due + near:
            yield k


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
    """Whether any rates let all data arrive in time, by a linear program.

    A column is what is sent of a transfer between two dates, as a share of the least of its data,
    what its link can carry then, and what the master can send. So each row is kept as exactly as
    any other one.
    """
    begins, ends, data, links, number = transfers
    dates = np.unique(np.concatenate([begins, ends]))
    lengths = np.diff(dates)
    transfer, date = np.nonzero((begins[:, None] <= dates[:-1]) & (ends[:, None] >= dates[1:]))
    over_link, of_master = links[transfer] * lengths[date], bandwidth * lengths[date]
    unit = np.minimum(np.minimum(over_link, of_master), data[transfer])
    used, row = np.unique(number[transfer] * len(lengths) + date, return_inverse=True)
    program = Program(solver="simplex")
    done = program.add_rows(np.full(len(data), 1 - SAME_OPTIMUM), np.inf)
    master = program.add_rows(-np.inf, np.ones(len(lengths)))
    link = program.add_rows(-np.inf, np.ones(len(used)))
    program.add_columns(
        [
            (done[transfer], unit / data[transfer]),
            (master[date], unit / of_master),
            (link[row], unit / over_link),
        ],
        upper=1.0,
    )
    try:
        program.minimise(("on", "off"), feasible=False)
    except Infeasible:
        return False
    return True


def _machine_numbers(outcome: TaskOutcome) -> IntArray:
    """A number for each machine of each type."""
    most = int(outcome.machine.max()) + 1
    numbers: IntArray = outcome.machine_type * most + outcome.machine
    return numbers


def _by_machine(number: IntArray) -> list[IntArray]:
    """The places of each machine's number, in their order."""
    order = np.argsort(number, kind="stable")
    return [
        each for each in np.split(order, 1 + np.flatnonzero(np.diff(number[order]))) if len(each)
    ]


def _near(outcome: TaskOutcome) -> float:
    """Seconds by which times may be wrong, also because they count from long before."""
    release, end = float(outcome.bags.release[outcome.bags.present].min()), outcome.end.max()
    digits = float(np.spacing(max(abs(release), abs(float(end)))))
    return _NEAR * max(float(end) - release, 0.0) + 4 * digits
