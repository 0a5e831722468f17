"""The arrays of a replay of whole tasks, as its kernels take them: what is given, the rules, the
plan, and what changes.
"""

from typing import Final, NamedTuple

from core.engines.compute.records import RecordRows, record
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray

MACHINE: Final = record(
    "sending:i8 left:f8 since:f8 rate:f8 arrives:f8 running:i8 ends:f8 first:i8 last:i8 "
    "waiting:i8 waiting_seconds:f8 held:f8 queue_first:i8 queue_last:i8 kept:f8"
)
"""A machine and its link. `sending` and `running` are tasks, or -1. Of the data that are sent,
`left` bytes were left at `since`; they arrive at `rate`. From `first` to `last`, tasks wait in the
order in which they arrived. `held` is what fills its memory, in bytes. In front of the link, places
from `queue_first` to `queue_last` wait to be sent.
"""

TASK: Final = record("bag:i8 machine:i8 sent:f8 arrived:f8 start:f8 end:f8 next:i8")
"""A task, in the order of sending: when its data begin to be sent and have arrived, when it starts
and ends, and who waits behind it.
"""

BAG: Final = record("unsent:i8 unfinished:i8 end:f8 queued:i8 next:f8")
"""Where a bag stands. Its tasks so far ended until `end`. `queued` are of its unsent tasks those in
front of links, and the `next` one joins them at that time.
"""

MOMENT: Final = record(
    "now:f8 tasks:i8 unfinished:i8 pointer:i8 interval:i8 places:i8 plan_again:i8 events:i8"
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

    moment: RecordRows
    """One record."""
    machines: RecordRows
    bags: RecordRows
    tasks: RecordRows
    sent: IntArray
    given: IntArray
    place_bag: IntArray
    place_next: IntArray
