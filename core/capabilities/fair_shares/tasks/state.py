"""The arrays of a replay of whole tasks, as its kernels take them: what is given, the rules, the
plan, and what changes.
"""

from typing import Any, Final, NamedTuple

import numpy as np

from core.vocabulary.arrays import BoolArray, FloatArray, IntArray

TaskRecords = np.recarray[Any, Any]
"""An array of records of one of the types below."""

MACHINE: Final = np.dtype(
    [
        ("sending", np.int64),
        ("left", float),
        ("since", float),
        ("rate", float),
        ("arrives", float),
        ("running", np.int64),
        ("ends", float),
        ("first", np.int64),
        ("last", np.int64),
        ("waiting", np.int64),
        ("waiting_seconds", float),
        ("held", float),
        ("queue_first", np.int64),
        ("queue_last", np.int64),
        ("kept", float),
    ],
    align=True,
)
"""A machine and its link. `sending` and `running` are tasks, or -1. Of the data that are sent,
`left` bytes were left at `since`; they arrive at `rate`. From `first` to `last`, tasks wait in the
order in which they arrived. `held` is what fills its memory, in bytes. In front of the link, places
from `queue_first` to `queue_last` wait to be sent.
"""

TASK: Final = np.dtype(
    [
        ("bag", np.int64),
        ("machine", np.int64),
        ("sent", float),
        ("arrived", float),
        ("start", float),
        ("end", float),
        ("next", np.int64),
    ],
    align=True,
)
"""A task, in the order of sending: when its data begin to be sent and have arrived, when it starts
and ends, and who waits behind it.
"""

BAG: Final = np.dtype(
    [
        ("unsent", np.int64),
        ("unfinished", np.int64),
        ("end", float),
        ("queued", np.int64),
        ("next", float),
    ],
    align=True,
)
"""Where a bag stands. Its tasks so far ended until `end`. `queued` are of its unsent tasks those in
front of links, and the `next` one joins them at that time.
"""

MOMENT: Final = np.dtype(
    [
        ("now", float),
        ("tasks", np.int64),
        ("unfinished", np.int64),
        ("pointer", np.int64),
        ("interval", np.int64),
        ("places", np.int64),
        ("plan_again", np.int64),
        ("events", np.int64),
    ],
    align=True,
)
"""The time, how many tasks were sent and how many of all have not ended, the machine whose turn is
next, the interval of the plan, the places that were given in front of links, whether the plan has
to be made again, and how many events there were.
"""


class TaskFacts(NamedTuple):
    """What does not change: bags (lines) on machines (columns), as in `MachineWork`."""

    release: FloatArray
    data: FloatArray
    seconds: FloatArray
    links: FloatArray
    memory: FloatArray
    bandwidth: float
    ideal: FloatArray
    throughput: FloatArray
    by_link: IntArray
    """The machines, slow links first."""


class TaskRules(NamedTuple):
    """A policy in numbers, as in `core.capabilities.fair_shares.tasks.policies`."""

    order: int
    choice: int
    by_deadline: bool
    """A machine runs the task with the earliest deadline first; else, what has arrived first."""
    ahead: bool
    """A task may be sent to a machine that is busy, if none waits there."""


class TaskPlan(NamedTuple):
    """What a policy has planned, if it plans.

    `dates` are the ends of intervals, and `until[k, u, j]` how many tasks of bag k are sent to each
    machine of worker u until the end of interval j, if tasks could be split; `last[k]` is the last
    interval in which any is sent. `shift` is added to them before they are rounded, and `most` is
    how many whole tasks of each bag each machine gets. Deadlines are `due`. In a steady state, bag
    k gives out `rates[k]` tasks a second, `shares[k, m]` of them to machine m.

    By due dates, bags come in their `order`, and get no machine that is `barred`. Before bag k is
    released, machine m gets no task that is done after `kept[k, m]`. None is sent a task for which
    tasks of more than `backlog` seconds wait. Links begin to send while those that do can carry
    less than so many times the bandwidth (`crowding`).
    """

    dates: FloatArray
    until: FloatArray
    last: IntArray
    worker: IntArray
    shift: FloatArray
    most: IntArray
    due: FloatArray
    rates: FloatArray
    shares: FloatArray
    order: IntArray
    barred: BoolArray
    kept: FloatArray
    backlog: float
    crowding: float


class TaskClock(NamedTuple):
    """What changes: machines, bags, tasks, the moment; `sent[k, m]` are those that were sent since
    the plan was made, `given[k, m]` those that were given to the link, and a place in front of a
    link is of a bag, before another place.
    """

    moment: TaskRecords
    """One record."""
    machines: TaskRecords
    bags: TaskRecords
    tasks: TaskRecords
    sent: IntArray
    given: IntArray
    place_bag: IntArray
    place_next: IntArray
