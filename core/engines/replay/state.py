"""The arrays of the clock, as its kernels take them: what is given, the rules, and what changes."""

from typing import Final, NamedTuple

from core.engines.compute.records import RecordRows, record
from core.engines.replay.profile import Profile
from core.engines.replay.worth import CurveTable
from core.vocabulary.arrays import FloatArray, IntArray

JOB: Final = record(
    "arrival:f8 priority:f8 urgency:f8 curve:i8 first:i8 last:i8 shortest:f8 most_extra:f8 "
    "time_share:f8 power_share:f8"
)
"""A job; its options are `first` to `last - 1`, and add at most `most_extra` to its worth. No
decision reads the shares: the truth. A job that was stopped, and keeps something, has one option,
which takes what remains of it.
"""

WAY: Final = record("pool:i8 units:i8 seconds:f8 watts:f8 state:i8 extra:f8")
"""An option."""

OUTLOOK: Final = record(
    "floor:f8 floor_age:i8 floor_stamp:i8 floor_bound:f8 floor_measure:i8 known:f8 bound:f8 "
    "stamp:i8"
)
"""What is known of an option of a waiting job.

Pools only fill up while nothing ends early. So a lower bound on a start that was once found by a
search holds until then, and the next search begins there.

- `floor`: no start is possible before, with nothing but what runs or has a promise; `floor_age` is
  how often the pool had been eased when it was found, or else it no longer holds. `floor_stamp` is
  how often the pool had changed when it was the start itself. `floor_bound` is the measure
  `floor_measure` of a start at `floor`; -2 in its place: the option was given up.
- `known`: no start is possible before, in the plan of this event; infinity: the policy leaves the
  option out. `stamp` is how often the plan of the pool had changed when `known` was the start.
- `bound`: the measure is at most this; minus infinity: out, unless the start changes.
"""

POOL: Final = record("changed:i8 based:i8 eased:i8")
"""How often the plan of a pool has changed at this event; how often something there has started or
was promised; how often something has ended or moved earlier than was expected.
"""

RUN: Final = record("status:i8 option:i8 start:f8 end:f8 estimated_end:f8 decided:i8 shut:i8")
"""Where a job stands. `decided` is the event, from 1, at which it was last decided on;
`shut` is 1 + how often the pools had been eased when it had no option any more: each was given up,
or could not start before the end.
"""

STOP: Final = record(
    "may_stop_others:i8 may_be_stopped:i8 tier:i8 count:i8 lead:f8 kept:f8 again:f8"
)
"""Whether a job may stop others and be stopped, and its tier. It was stopped `count` times, `kept`
of its seconds are done, and it goes on `lead` seconds after it starts. It cannot start before
`again`. Policies that stop nobody have no such rows.
"""

PIECE: Final = record("job:i8 option:i8 start:f8 end:f8 lead:f8 kept:f8 stopped_for:i8")
"""A part of a job that was stopped: it went on after `lead` seconds, and `kept` are kept."""

COUNT: Final = record(
    "arrived:i8 waiting:i8 underway:i8 promised:i8 events:i8 eased:i8 picks:i8 out:i8 lined:i8 "
    "pieces:i8 halted:i8"
)
"""Jobs that have arrived, that wait, that run or have a promise, that have a promise; events so
far, and how often a pool was eased. Of the present event: decisions, for somebody who looks,
options that were put out for want of energy, and jobs in line. Parts of jobs that were stopped, and
jobs that were stopped at the present event.
"""


class Facts(NamedTuple):
    """What does not change: jobs, options, pools, and the windows of the energy budget."""

    jobs: RecordRows
    ways: RecordRows
    shares: FloatArray
    """The sum of the shares of its pool that each option takes, weighed by the policy; no rows if
    it does not ask for them.
    """
    further: IntArray
    """What each option takes of each further resource, in parts of `PARTS`, beside what is held."""
    curves: CurveTable
    cores: IntArray
    edges: FloatArray
    end: float


class Rules(NamedTuple):
    """A policy in numbers, and its prices."""

    order: int
    measure: int
    holds: bool
    """Jobs that cannot start now hold a place for this event."""
    promises: bool
    """They get a promise ..."""
    only_first: bool
    """... but only the first of them, and none while one is kept."""
    fastest_only: bool
    filter: int
    leniency: float
    switch: int
    drop_below: float
    drops: bool
    """Jobs that are worth nothing at their starts in the plan of an event are dropped."""
    seed: int
    sequences: int
    price: FloatArray
    """Under prices, what each option must be worth; nobody else looks at it ..."""
    size: FloatArray
    """... nor at what its worth above that is divided by, ..."""
    least_size: FloatArray
    """... and the least of that of each job."""
    least_rate: FloatArray
    """The price of a second of the cheapest option of each pool."""
    technique: int
    checkpoints: float
    stop_seconds: float
    resume_seconds: float
    least_run: float
    most_stops: int
    whom: int


class Clock(NamedTuple):
    """What changes: where every job stands, what is free, what is left of the energy."""

    runs: RecordRows
    stops: RecordRows
    outlook: RecordRows
    pools: RecordRows
    counts: RecordRows
    """One record."""
    waiting: IntArray
    underway: IntArray
    """Jobs that run or have a promise."""
    base: Profile
    plan: Profile
    budget: FloatArray
    left: FloatArray
    """Joules that are not spent and not promised, for each window."""
    left_now: FloatArray
    key: FloatArray
    tilt: FloatArray
    """By how much a sequence raises the key of a job."""
    best: IntArray
    fronts: IntArray
    """At the first option of each `BLOCK` of a job with more: the one of it with the highest bound,
    of equal ones the first.
    """
    heap: IntArray
    line: IntArray
    limits: FloatArray
    """Limits of this event: most joules of a job, most joules for a second of a core."""
    size_sum: FloatArray
    """Sums over the jobs so far: core-seconds at full speed, number of jobs, most of one job."""
    pieces: RecordRows
    halted: IntArray
    held: IntArray
    """What the job of each option holds of each further resource while it is suspended: so much
    less its option takes when it goes on. No rows if nobody holds anything.
    """


class Looked(NamedTuple):
    """What one event decided, for somebody who looks at it."""

    job: IntArray
    option: IntArray
    start: FloatArray
    measure: FloatArray


class EventRows(NamedTuple):
    """A row for each event: its time, how many jobs wait after it, and the measure in use."""

    time: FloatArray
    waiting: IntArray
    measure: IntArray
