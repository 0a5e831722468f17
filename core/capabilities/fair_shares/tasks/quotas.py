"""From a plan for tasks that can be split to whole tasks: how many each machine gets until when."""

import heapq

import numpy as np

from core.capabilities.fair_shares.tasks.machine_work import MachineWork
from core.capabilities.fair_shares.tasks.running import no_plan
from core.capabilities.fair_shares.tasks.state import TaskPlan
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.tolerances import METHODS_AGREE, SAME


def quotas(
    work: MachineWork, dates: FloatArray, sent: FloatArray, unsent: IntArray, due: FloatArray
) -> TaskPlan:
    """The quotas of a plan: `sent[k, u, j]` tasks of bag k are sent to worker u in interval j,
    which ends at `dates[j]`; of each bag, `unsent` tasks are there to be sent. Deadlines are `due`.

    Machines of a worker take turns. So each gets a share of what its worker gets, and what is sent
    until a date is rounded up for some of them and down for others. Tasks without data are sent at
    once, as that takes nothing.
    """
    until = np.cumsum(sent, axis=2)
    last = np.argmax(
        until.sum(axis=1) >= (until[:, :, -1].sum(axis=1) * (1 - SAME))[:, None], axis=1
    )
    until = np.where((work.data == 0)[:, None, None], until[:, :, -1:], until)
    alike = work.alike
    until = np.ascontiguousarray(until / alike[None, :, None])
    shift = _shifts(work, until[:, :, -1] * alike)
    most = _whole(work, until[:, :, -1], shift, unsent)
    # In another order, numbers would have the replay compiled a second time.
    return no_plan(work)._replace(
        dates=dates,
        until=until,
        last=last,
        shift=np.ascontiguousarray(shift),
        most=np.ascontiguousarray(most),
        due=np.ascontiguousarray(due),
    )


def _shifts(work: MachineWork, tasks: FloatArray) -> FloatArray:
    """What is added before rounding: 0 for the only machine of a worker. Of several, one after the
    other gets its next task; whose turn is first depends on the bags before.
    """
    alike = work.alike[work.worker]
    order = np.argsort(work.worker, kind="stable")
    place = np.empty(work.machines, np.int64)
    workers = work.worker[order]
    place[order] = np.arange(work.machines) - np.searchsorted(workers, workers)
    before = np.vstack([np.zeros((1, tasks.shape[1])), np.cumsum(tasks, axis=0)[:-1]])
    turn = (place[None, :] - np.rint(before).astype(np.int64)[:, work.worker]) % alike
    shifts: FloatArray = (alike - 1 - 2 * turn) / (2 * alike)
    return shifts


def _whole(work: MachineWork, total: FloatArray, shift: FloatArray, unsent: IntArray) -> IntArray:
    """How many whole tasks of each bag each machine gets; the last few go where they exceed the
    plan by the least time.
    """
    tasks = total[:, work.worker]
    whole = np.floor(tasks + METHODS_AGREE).astype(np.int64)
    seconds = work.seconds + work.data[:, None] / work.links
    for k in range(len(unsent)):
        left = int(unsent[k] - whole[k].sum())
        costs = (whole[k] + 1 - tasks[k] - shift[k]) * seconds[k]
        ahead = [(float(costs[m]), m) for m in np.flatnonzero(np.isfinite(seconds[k])).tolist()]
        heapq.heapify(ahead)
        for _ in range(left):
            cost, m = ahead[0]
            whole[k, m] += 1
            heapq.heapreplace(ahead, (cost + float(seconds[k, m]), m))
    return whole
