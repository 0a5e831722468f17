"""The kernels of the clock: what happens at each mapping event.

At an event, jobs that are done leave, reserved jobs begin, new jobs arrive, hopeless ones are
dropped, and the policy decides. Within an event, free units only become fewer and starts only
later, so the measure of an option only falls: an old value is at least the present one. The loop
therefore looks again only at the job on top (lazy evaluation), and finds the same as a loop that
looks at all of them.
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

from typing import Final, NamedTuple

import numpy as np

from core.engine.compiled import Kernel
from core.model.arrays import FloatArray, IntArray
from core.model.tolerances import NOT_DIVISIBLE
from core.replay.profile import (
    Profile,
    copy_profile,
    earliest_start,
    forget_before,
    occupy,
    unused,
)
from core.replay.worth import CurveTable, curve_at

TO_COME: Final = 0
WAITING: Final = 1
RESERVED: Final = 2
RUNNING: Final = 3
DONE: Final = 4
DROPPED: Final = 5

# Places in `Clock.counts` and `Clock.floats`.
NEXT_ARRIVAL: Final = 0
WAITING_COUNT: Final = 1
UNDERWAY_COUNT: Final = 2
LOOSENED: Final = 3
EVENT: Final = 4
PICKS: Final = 5
WINDOW: Final = 6
COUNTS: Final = 7

# Codes of policies, as kernels compare them; equal to those of `core.replay.policy`.
_QUEUES = 1
_BEST = 2
_WORTH = 0
_PER_TIME = 1
_PER_RESOURCE = 2
_PER_ENERGY = 3
_EARLIEST = 4
_ANY = 5
_SURPLUS = 6
_WAIT = 0
_RESERVE = 1
_RESERVE_FIRST = 2
_HOLD = 3
_FILTER_RESOURCE = 1
_FILTER_TASK = 2
_BY_EVENT = 1
_BY_TASK = 2

_SMALL_QUEUE = 0.30
_LARGE_QUEUE = 0.60
_LARGE_A_ROUND = 1
_MEDIUM_A_ROUND = 4
_SMALL_A_ROUND = 8
NO_MORE: Final = 2**62


class Facts(NamedTuple):
    """What does not change: jobs, options, pools, and the windows of the energy budget.

    `time_share` and `power_share` are the truth; no decision reads them.
    """

    arrival: FloatArray
    priority: FloatArray
    urgency: FloatArray
    curve: IntArray
    curves: CurveTable
    first: IntArray
    pool: IntArray
    units: IntArray
    seconds: FloatArray
    watts: FloatArray
    state: IntArray
    shortest: FloatArray
    cores: IntArray
    edges: FloatArray
    end: float
    time_share: FloatArray
    power_share: FloatArray


class Rules(NamedTuple):
    """A policy in numbers, and its prices."""

    order: int
    measure: int
    blocked: int
    fastest_only: bool
    filter: int
    leniency: float
    switch: int
    drop_below: float
    seed: int
    price: FloatArray
    """`price[p, s]`: of all slots before slot s together, for one unit of pool p."""
    slot_seconds: float
    joule: FloatArray


class Clock(NamedTuple):
    """What changes: where every job stands, what is free, what is left of the energy."""

    status: IntArray
    option: IntArray
    start: FloatArray
    end: FloatArray
    estimated_end: FloatArray
    waiting: IntArray
    underway: IntArray
    """Jobs that run or have a promise."""
    tried: IntArray
    base: Profile
    plan: Profile
    budget: FloatArray
    left: FloatArray
    """Joules that are not spent and not promised, for each window."""
    left_now: FloatArray
    counts: IntArray
    key: FloatArray
    best: IntArray
    best_start: FloatArray
    stamp: IntArray
    heap: IntArray
    line: IntArray
    changed: IntArray
    limits: FloatArray
    """Of this event: most joules of a job, most joules for a second of a core."""
    size_sum: FloatArray
    """Of the jobs so far: core-seconds at full speed, number of jobs, most of one job."""


class Looked(NamedTuple):
    """What one event decided, for somebody who looks at it."""

    job: IntArray
    option: IntArray
    start: FloatArray
    measure: FloatArray


class EventRows(NamedTuple):
    """A row for each event: its time, how many jobs wait after it, the measure in use, and the
    joules of the present window that are spent or promised.
    """

    time: FloatArray
    waiting: IntArray
    measure: IntArray
    joules: FloatArray


@Kernel
def worth_at(facts, job, end):
    """What a job is worth that finishes at a time."""
    delay = end - facts.arrival[job]
    return facts.priority[job] * curve_at(facts.curves, facts.curve[job], facts.urgency[job], delay)


@Kernel
def _random(seed, job, event):
    """A number from 0 to below 1 that depends on these three alone."""
    mixed = np.uint64(seed) + np.uint64(0x9E3779B97F4A7C15) * np.uint64(job * 1_000_003 + event + 1)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed = mixed ^ (mixed >> np.uint64(31))
    return np.float64(mixed >> np.uint64(11)) / 9007199254740992.0


@Kernel
def _spend(left, edges, span, watts):
    """Takes from each window the energy that falls into it."""
    for window in range(len(left)):
        seconds = min(span[1], edges[window + 1]) - max(span[0], edges[window])
        if seconds > 0.0:
            left[window] -= watts * seconds


@Kernel
def _affordable(left, edges, span, watts):
    """Whether each window has the energy that falls into it."""
    for window in range(len(left)):
        seconds = min(span[1], edges[window + 1]) - max(span[0], edges[window])
        if seconds > 0.0 and watts * seconds > left[window]:
            return False
    return True


@Kernel
def _window(edges, now):
    window = 0
    while window + 2 < len(edges) and edges[window + 1] <= now:
        window += 1
    return window


@Kernel
def _priced(rules, pool, span):
    """What one unit of a pool costs over a span of time."""
    slots = rules.price.shape[1] - 1
    total = 0.0
    for side in range(2):
        place = span[side] / rules.slot_seconds
        slot = min(int(place), slots - 1)
        before = rules.price[pool, slot]
        value = before + (place - slot) * (rules.price[pool, slot + 1] - before)
        total += value if side == 1 else -value
    return total


@Kernel
def _measured(facts, rules, measure, job, option, start):
    """The measure of an option that starts at a time."""
    seconds = facts.seconds[option]
    if measure == _EARLIEST:
        return -start
    if measure == _ANY:
        return 0.0
    worth = worth_at(facts, job, start + seconds)
    if measure == _WORTH:
        return worth
    if measure == _PER_TIME:
        return worth / seconds
    pool = facts.pool[option]
    if measure == _PER_RESOURCE:
        return worth / (seconds * facts.units[option] * facts.cores[pool])
    joules = seconds * facts.watts[option]
    if measure == _PER_ENERGY:
        return worth / max(joules, NOT_DIVISIBLE)
    cost = facts.units[option] * _priced(rules, pool, (start, start + seconds))
    for window in range(len(rules.joule)):
        within = min(start + seconds, facts.edges[window + 1]) - max(start, facts.edges[window])
        if within > 0.0:
            cost += rules.joule[window] * facts.watts[option] * within
    return (worth - cost) / max(cost, NOT_DIVISIBLE)


@Kernel
def _allowed(facts, rules, clock, option):
    """Whether the policy and its filter let a job use an option."""
    if rules.fastest_only and facts.state[option] != 0:
        return False
    if rules.filter == 0:
        return True
    joules = facts.seconds[option] * facts.watts[option]
    if rules.filter == _FILTER_TASK:
        return joules <= clock.limits[0]
    pool = facts.pool[option]
    return (
        joules <= clock.limits[1] * facts.seconds[option] * facts.units[option] * facts.cores[pool]
    )


@Kernel
def _evaluate(facts, rules, clock, measure, job, now):
    """Finds the best option of a job in the present plan; whether there is one.

    Of equal options, the first is taken. The result goes to `clock.best`, `best_start` and `key`.
    """
    first, last = facts.first[job], facts.first[job + 1]
    if measure == _ANY:
        drawn = _random(rules.seed, job, clock.counts[EVENT])
        first += int(drawn * (last - first))
        last = first + 1
    found = False
    for option in range(first, last):
        if not _allowed(facts, rules, clock, option):
            continue
        if (
            found
            and measure != _SURPLUS
            and _measured(facts, rules, measure, job, option, now) <= clock.key[job]
        ):
            continue  # even a start now is no better
        pool = facts.pool[option]
        start = earliest_start(clock.plan, pool, facts.units[option], facts.seconds[option], now)
        if start >= facts.end:
            continue
        end = start + facts.seconds[option]
        if not _affordable(clock.left_now, facts.edges, (start, end), facts.watts[option]):
            continue
        value = _measured(facts, rules, measure, job, option, start)
        if measure == _SURPLUS and value <= 0.0:
            continue  # it is not worth its price
        if not found or value > clock.key[job]:
            found = True
            clock.key[job] = value
            clock.best[job] = option
            clock.best_start[job] = start
    return found


@Kernel
def _place(facts, rules, clock, job, now):
    """Commits a job to its best option: it starts, gets a promise, or a place-holder."""
    option, start = clock.best[job], clock.best_start[job]
    pool, units, watts = facts.pool[option], facts.units[option], facts.watts[option]
    end = start + facts.seconds[option]
    occupy(clock.plan, pool, units, start, end)
    _spend(clock.left_now, facts.edges, (start, end), watts)
    clock.changed[pool] += 1
    if start > now and rules.blocked == _HOLD:
        return
    if rules.blocked == _HOLD:
        occupy(clock.base, pool, units, start, end)
    _spend(clock.left, facts.edges, (start, end), watts)
    clock.status[job] = RUNNING if start <= now else RESERVED
    clock.option[job] = option
    _begin(facts, clock, job, start)
    clock.underway[clock.counts[UNDERWAY_COUNT]] = job
    clock.counts[UNDERWAY_COUNT] += 1


@Kernel
def _begin(facts, clock, job, start):
    seconds = facts.seconds[clock.option[job]]
    clock.start[job] = start
    clock.estimated_end[job] = start + seconds
    share = facts.time_share[job]
    clock.end[job] = start + (seconds if share == 1.0 else seconds * share)


@Kernel
def _above(clock, one, other):
    """Whether a job comes before another: by its measure, then by its arrival."""
    if clock.key[one] != clock.key[other]:
        return clock.key[one] > clock.key[other]
    return one < other


@Kernel
def _sink(clock, place, size):
    """Restores the heap below a place."""
    heap = clock.heap
    job = heap[place]
    while 2 * place + 1 < size:
        child = 2 * place + 1
        if child + 1 < size and _above(clock, heap[child + 1], heap[child]):
            child += 1
        if not _above(clock, heap[child], job):
            break
        heap[place] = heap[child]
        place = child
    heap[place] = job


@Kernel
def _least_units(facts, clock):
    """For each pool, the fewest units that a waiting job takes there."""
    least = np.full(len(clock.changed), np.iinfo(np.int64).max)
    for place in range(clock.counts[WAITING_COUNT]):
        job = clock.waiting[place]
        for option in range(facts.first[job], facts.first[job + 1]):
            pool = facts.pool[option]
            least[pool] = min(least[pool], facts.units[option])
    return least


@Kernel
def _any_could_start(clock, least):
    for pool in range(len(least)):  # noqa: SIM110
        if clock.plan.free[pool, 0] >= least[pool]:
            return True
    return False


@Kernel
def _note_pick(clock, looked, job):
    """Keeps a decision for those who look; nothing where nobody does."""
    if len(looked.job) == 0:
        return
    pick = clock.counts[PICKS]
    looked.job[pick] = job
    looked.option[pick] = clock.best[job]
    looked.start[pick] = clock.best_start[job]
    looked.measure[pick] = clock.key[job]
    clock.counts[PICKS] = pick + 1


@Kernel
def _heaped(facts, rules, clock, measure, now, jobs):
    """Makes the heap of the first so many jobs in `clock.line` that have an option; its size."""
    size = 0
    for place in range(jobs):
        job = clock.line[place]
        if _evaluate(facts, rules, clock, measure, job, now):
            clock.stamp[job] = clock.changed[facts.pool[clock.best[job]]]
            clock.heap[size] = job
            size += 1
    for place in range(size // 2 - 1, -1, -1):
        _sink(clock, place, size)
    return size


@Kernel
def _decide_by_measure(facts, rules, clock, looked, measure, now):
    """The job with the highest measure first, again and again. Returns the measure at the end."""
    count = clock.counts[WAITING_COUNT]
    clock.line[:count] = clock.waiting[:count]
    least = _least_units(facts, clock)
    if rules.blocked != _RESERVE and len(looked.job) == 0 and not _any_could_start(clock, least):
        return measure
    window = _window(facts.edges, now)
    goal = _goal(facts, clock, now)
    size = _heaped(facts, rules, clock, measure, now, count)
    while size > 0:
        job = clock.heap[0]
        option = clock.best[job]
        pool = facts.pool[option]
        span = (clock.best_start[job], clock.best_start[job] + facts.seconds[option])
        if clock.stamp[job] != clock.changed[pool] or not _affordable(
            clock.left_now, facts.edges, span, facts.watts[option]
        ):
            if _evaluate(facts, rules, clock, measure, job, now):
                clock.stamp[job] = clock.changed[facts.pool[clock.best[job]]]
            else:
                size -= 1
                clock.heap[0] = clock.heap[size]
            _sink(clock, 0, size)
            continue
        if clock.best_start[job] <= now or rules.blocked != _WAIT:
            _note_pick(clock, looked, job)
            _place(facts, rules, clock, job, now)
        size -= 1
        clock.heap[0] = clock.heap[size]
        _sink(clock, 0, size)
        if (
            rules.blocked != _RESERVE
            and len(looked.job) == 0
            and not _any_could_start(clock, least)
        ):
            return measure
        if rules.switch == _BY_TASK and measure == _PER_RESOURCE:
            spent = clock.budget[window] - clock.left_now[window]
            if spent >= goal:
                measure = _PER_ENERGY
                clock.line[:size] = clock.heap[:size]
                size = _heaped(facts, rules, clock, measure, now, size)
    return measure


@Kernel
def _goal(facts, clock, now):
    """The joules that a constant rate would have spent in this window by now."""
    window = _window(facts.edges, now)
    if np.isinf(clock.budget[window]):
        return np.inf
    begin, end = facts.edges[window], facts.edges[window + 1]
    return clock.budget[window] * (now - begin) / (end - begin)


@Kernel
def _mean_size(facts, job):
    """Core-seconds of a job, averaged over the pools where it may run at full speed."""
    total, count = 0.0, 0
    for option in range(facts.first[job], facts.first[job + 1]):
        if facts.state[option] == 0:
            cores = facts.units[option] * facts.cores[facts.pool[option]]
            total += facts.seconds[option] * cores
            count += 1
    return total / max(count, 1)


@Kernel
def _line_up_queues(facts, clock):
    """Waiting jobs in rounds of 1 large, 4 medium and 8 small, each queue by arrival."""
    count = clock.counts[WAITING_COUNT]
    most = clock.size_sum[2]
    queue = np.zeros(count, np.int64)
    for place in range(count):
        size = _mean_size(facts, clock.waiting[place])
        queue[place] = 0 if size > _LARGE_QUEUE * most else 2 if size < _SMALL_QUEUE * most else 1
    place_in = np.zeros(3, np.int64)
    a_round = (_LARGE_A_ROUND, _MEDIUM_A_ROUND, _SMALL_A_ROUND)
    made = 0
    while made < count:
        for which in range(3):
            taken = 0
            while taken < a_round[which] and place_in[which] < count:
                if queue[place_in[which]] == which:
                    clock.line[made] = clock.waiting[place_in[which]]
                    made += 1
                    taken += 1
                place_in[which] += 1


@Kernel
def _decide_in_line(facts, rules, clock, looked, now):
    """The jobs in a fixed order, each on its best option."""
    count = clock.counts[WAITING_COUNT]
    if rules.order == _QUEUES:
        _line_up_queues(facts, clock)
    else:
        clock.line[:count] = clock.waiting[:count]
    promised = rules.blocked == _RESERVE_FIRST and _has_promise(clock)
    for place in range(count):
        job = clock.line[place]
        now_only = promised or rules.blocked == _WAIT
        if now_only and not _fits_now(facts, clock, job):
            continue
        if clock.tried[job] == clock.counts[LOOSENED] and rules.measure != _ANY:
            continue  # it found no option, and nothing has become better since
        if not _evaluate(facts, rules, clock, rules.measure, job, now):
            if rules.blocked == _RESERVE and rules.filter == 0:
                clock.tried[job] = clock.counts[LOOSENED]
            continue
        if clock.best_start[job] > now:
            if now_only:
                continue
            promised = rules.blocked == _RESERVE_FIRST
        _note_pick(clock, looked, job)
        _place(facts, rules, clock, job, now)


@Kernel
def _has_promise(clock):
    for place in range(clock.counts[UNDERWAY_COUNT]):
        if clock.status[clock.underway[place]] == RESERVED:
            return True
    return False


@Kernel
def _fits_now(facts, clock, job):
    """Whether some pool has enough free units at this moment."""
    for option in range(facts.first[job], facts.first[job + 1]):
        if facts.units[option] <= clock.plan.free[facts.pool[option], 0]:
            return True
    return False


@Kernel
def _leave(facts, clock, now):
    """Begins what has a promise for now, and ends what is done by now."""
    kept = 0
    loosened = False
    for place in range(clock.counts[UNDERWAY_COUNT]):
        job = clock.underway[place]
        if clock.status[job] == RESERVED and clock.start[job] <= now:
            clock.status[job] = RUNNING
        if clock.status[job] == RUNNING and clock.end[job] <= now:
            clock.status[job] = DONE
            option = clock.option[job]
            watts, end = facts.watts[option], clock.end[job]
            if clock.estimated_end[job] > now:
                pool, units = facts.pool[option], facts.units[option]
                occupy(clock.base, pool, -units, now, clock.estimated_end[job])
                loosened = True
            if clock.estimated_end[job] > end or facts.power_share[job] != 1.0:
                span = (clock.start[job], clock.estimated_end[job])
                _spend(clock.left, facts.edges, span, -watts)
                _spend(clock.left, facts.edges, (span[0], end), watts * facts.power_share[job])
        else:
            clock.underway[kept] = job
            kept += 1
    clock.counts[UNDERWAY_COUNT] = kept
    return loosened


@Kernel
def _pull_forward(facts, clock, now):
    """Moves promises to earlier starts where jobs have ended early, the earliest first."""
    count = 0
    for place in range(clock.counts[UNDERWAY_COUNT]):
        job = clock.underway[place]
        if clock.status[job] == RESERVED:
            clock.line[count] = job
            clock.key[job] = -clock.start[job]
            count += 1
    for place in range(count):  # `line` becomes the order of starts
        clock.heap[place] = clock.line[place]
    for place in range(count // 2 - 1, -1, -1):
        _sink(clock, place, count)
    size = count
    while size > 0:
        job = clock.heap[0]
        size -= 1
        clock.heap[0] = clock.heap[size]
        _sink(clock, 0, size)
        option = clock.option[job]
        pool, units, seconds = facts.pool[option], facts.units[option], facts.seconds[option]
        span = (clock.start[job], clock.estimated_end[job])
        occupy(clock.base, pool, -units, span[0], span[1])
        start = earliest_start(clock.base, pool, units, seconds, now)
        _spend(clock.left, facts.edges, span, -facts.watts[option])
        if start >= span[0] or not _affordable(
            clock.left, facts.edges, (start, start + seconds), facts.watts[option]
        ):
            start = span[0]
        end = start + seconds if start != span[0] else span[1]
        occupy(clock.base, pool, units, start, end)
        _spend(clock.left, facts.edges, (start, end), facts.watts[option])
        if start != span[0]:
            _begin(facts, clock, job, start)
            if start <= now:
                clock.status[job] = RUNNING


@Kernel
def _arrive_and_drop(facts, rules, clock, now):
    """Takes in new jobs; drops those that can no longer be worth enough."""
    counts = clock.counts
    while counts[NEXT_ARRIVAL] < len(facts.arrival) and facts.arrival[counts[NEXT_ARRIVAL]] <= now:
        job = counts[NEXT_ARRIVAL]
        clock.status[job] = WAITING
        clock.tried[job] = -1
        clock.waiting[counts[WAITING_COUNT]] = job
        counts[WAITING_COUNT] += 1
        counts[NEXT_ARRIVAL] += 1
        size = _mean_size(facts, job)
        clock.size_sum[0] += size
        clock.size_sum[1] += 1.0
        clock.size_sum[2] = max(clock.size_sum[2], size)
    if rules.drop_below < 0.0:
        return
    kept = 0
    for place in range(counts[WAITING_COUNT]):
        job = clock.waiting[place]
        reach = worth_at(facts, job, now + facts.shortest[job])
        if reach < rules.drop_below or reach <= 0.0:
            clock.status[job] = DROPPED
            clock.end[job] = now
        else:
            clock.waiting[kept] = job
            kept += 1
    counts[WAITING_COUNT] = kept


@Kernel
def _set_limits(facts, rules, clock, now):
    """How much energy a job, and a second of a core, may take at this event."""
    window = _window(facts.edges, now)
    until = min(facts.edges[window + 1], facts.end)
    remaining = 0.0
    for pool in range(len(facts.cores)):
        remaining += facts.cores[pool] * unused(clock.base, pool, now, until)
    if remaining <= 0.0 or np.isinf(clock.left[window]):
        clock.limits[:] = np.inf
        return
    mean = clock.size_sum[0] / max(clock.size_sum[1], 1.0)
    clock.limits[0] = rules.leniency * clock.left[window] * mean / remaining
    clock.limits[1] = rules.leniency * clock.left[window] / remaining


@Kernel
def _drop_placed(clock):
    """Takes those that start or have a promise out of the waiting jobs."""
    kept = 0
    for place in range(clock.counts[WAITING_COUNT]):
        job = clock.waiting[place]
        if clock.status[job] == WAITING:
            clock.waiting[kept] = job
            kept += 1
    clock.counts[WAITING_COUNT] = kept


@Kernel
def run_event(facts, rules, clock, looked, now):
    """One mapping event; returns the measure that it ended with."""
    clock.counts[PICKS] = 0
    for pool in range(len(facts.cores)):
        forget_before(clock.base, pool, now)
    if _leave(facts, clock, now):
        clock.counts[LOOSENED] += 1
        if rules.blocked == _RESERVE or rules.blocked == _RESERVE_FIRST:
            _pull_forward(facts, clock, now)
            _leave(facts, clock, now)
    window = _window(facts.edges, now)
    if window != clock.counts[WINDOW]:
        clock.counts[WINDOW] = window
        clock.counts[LOOSENED] += 1
    _arrive_and_drop(facts, rules, clock, now)
    measure = rules.measure
    if clock.counts[WAITING_COUNT] > 0 and now < facts.end:
        if rules.filter != 0:
            _set_limits(facts, rules, clock, now)
        if rules.switch != 0:
            spent = clock.budget[window] - clock.left[window]
            over = not np.isinf(clock.budget[window]) and spent > _goal(facts, clock, now)
            measure = _PER_ENERGY if over else _PER_RESOURCE
        clock.left_now[:] = clock.left
        copy_profile(clock.base, clock.plan)
        if rules.order == _BEST:
            measure = _decide_by_measure(facts, rules, clock, looked, measure, now)
        else:
            _decide_in_line(facts, rules, clock, looked, now)
        if rules.blocked != _HOLD:
            copy_profile(clock.plan, clock.base)
        _drop_placed(clock)
    clock.counts[EVENT] += 1
    return measure


@Kernel
def room_needed(clock):
    """An upper bound on the steps of a pool during the next event, without new arrivals."""
    steps = 0
    for pool in range(len(clock.base.steps)):
        steps = max(steps, clock.base.steps[pool])
    return steps + 2 * clock.counts[WAITING_COUNT]


@Kernel
def next_moment(facts, clock):
    """When something happens next: an arrival, an end, or a promised start; or infinity."""
    moment = np.inf
    if clock.counts[NEXT_ARRIVAL] < len(facts.arrival):
        moment = facts.arrival[clock.counts[NEXT_ARRIVAL]]
    for place in range(clock.counts[UNDERWAY_COUNT]):
        job = clock.underway[place]
        begins = clock.status[job] == RESERVED
        moment = min(moment, clock.start[job] if begins else clock.end[job])
    return moment


@Kernel
def run_events(facts, rules, clock, tally, pace):
    """Runs events until the tally is full, the room of the profiles may not suffice, or the end.

    `pace` is the number of the next event, the seconds between events, the time before which to
    stop, and whether events at which nothing has happened may be left out. Returns how many rows of
    the tally are filled, the number of the next event, and whether more room is needed.
    """
    number, every, until, only_news = pace
    looked = Looked(np.zeros(0, np.int64), np.zeros(0, np.int64), np.zeros(0), np.zeros(0))
    rows = 0
    room = clock.base.time.shape[1]
    while rows < len(tally.time):
        now = number * every
        if now >= until:
            break
        arriving = 0
        coming = clock.counts[NEXT_ARRIVAL]
        while coming + arriving < len(facts.arrival) and facts.arrival[coming + arriving] <= now:
            arriving += 1
        if room_needed(clock) + 2 * arriving + 4 > room:
            return rows, number, True
        measure = run_event(facts, rules, clock, looked, now)
        window = _window(facts.edges, now)
        tally.time[rows] = now
        tally.waiting[rows] = clock.counts[WAITING_COUNT]
        tally.measure[rows] = measure
        spent = clock.budget[window] - clock.left[window]
        tally.joules[rows] = spent
        rows += 1
        number += 1
        moment = next_moment(facts, clock)
        waits = clock.counts[WAITING_COUNT] > 0
        if np.isinf(moment) and (not waits or only_news or np.isinf(facts.end)):
            number = NO_MORE
            break
        if only_news or not waits:
            number = max(number, np.int64(np.ceil(moment / every)))
    return rows, number, False
