"""Kernels that decide which waiting jobs start, wait, or get a promise: the published loop.

It decides the same as a loop that looks at every job again after each decision. But it looks only
at jobs that may be next (see `options.py`), and it ends as soon as none that is left could start
now, if places are held for this event only.
"""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

import numpy as np

from core.engines.compute.compiled import InPlaceKernel, Kernel
from core.engines.replay.heap import pop, sink, stack
from core.engines.replay.measures import (
    PER_ENERGY,
    PER_RESOURCE,
    SURPLUS,
    drawn_number,
    steady_joules,
    window_at,
    worth_at,
)
from core.engines.replay.options import (
    begin_job,
    could_start,
    find_best,
    fits_now,
    give_up,
    is_exact,
    rank_job,
    revive_options,
    search_option,
)
from core.engines.replay.profile import copy_profile
from core.engines.replay.standing import DROPPED, hold_place, mean_size, place_job

_QUEUES = 1
_ANY = 3
_BY_TASK = 2
"""As in `core.engines.replay.policy`."""

_NEAR = 0.6
"""How near to the usual order a sequence is: the logarithm of a key changes by this much at most.
Watched by `python -m benchmarks prices`.
"""
_SMALL_QUEUE = 0.30
_LARGE_QUEUE = 0.60
_LARGE_A_ROUND = 1
_MEDIUM_A_ROUND = 4
_SMALL_A_ROUND = 8
OTHER_NUMBERS = 0x2545F491
"""Makes another seed of a seed, for numbers of another kind."""


@InPlaceKernel
def _note_pick(clock, looked, job):
    """Keeps a decision for those who look; nothing where nobody does."""
    if len(looked.job) == 0:
        return
    pick = clock.counts[0].picks
    option = clock.best[job]
    looked.job[pick] = job
    looked.option[pick] = option
    looked.start[pick] = clock.outlook[option].known
    looked.measure[pick] = clock.key[job]
    clock.counts[0].picks = pick + 1


@InPlaceKernel
def now_or_never(rules, clock):
    """Whether a job that cannot start now just waits."""
    if rules.only_first:
        return clock.counts[0].promised > 0
    return not rules.holds and not rules.promises


@InPlaceKernel
def _hopeful(facts, rules, clock, measure, now, place):
    """The first place in line, from `place` on, of an undecided job that could start now."""
    count = clock.counts[0].lined
    while place < count:
        job = clock.line[place]
        if clock.runs[job].decided <= clock.counts[0].events and could_start(
            facts, rules, clock, measure, job, now
        ):
            break
        place += 1
    return place


@InPlaceKernel
def _ends_early(rules, clock, looked):
    """Whether only jobs that start now matter."""
    only_now = rules.holds or now_or_never(rules, clock)
    return len(looked.job) == 0 and only_now and not rules.drops


@InPlaceKernel
def _drop_worthless(facts, rules, clock, job, now):
    """Drops a job that is worth nothing at its starts in the plan of this event, or starts only
    after the end, if the policy drops such jobs and looks at any of its options.
    """
    if not rules.drops:
        return
    looks = False
    for option in range(facts.jobs[job].first, facts.jobs[job].last):
        way, known = facts.ways[option], clock.outlook[option].known
        looks = looks or known < np.inf
        if known < facts.end and worth_at(facts, job, known + way.seconds, way.extra) > 0.0:
            return
    if looks:
        clock.runs[job].status = DROPPED
        clock.runs[job].end = now
        clock.runs[job].decided = clock.counts[0].events + 1


@InPlaceKernel
def _heaped(facts, rules, clock, measure, now):
    """Makes the heap of the undecided jobs that have an option; its size."""
    size = 0
    for place in range(clock.counts[0].lined):
        job = clock.line[place]
        if clock.runs[job].shut > clock.counts[0].eased:
            continue
        if clock.runs[job].decided > clock.counts[0].events:
            continue
        if rank_job(facts, rules, clock, measure, job, -1):
            clock.heap[size] = job
            size += 1
        else:
            _drop_worthless(facts, rules, clock, job, now)
    stack(clock.heap, clock.key, size)
    return size


@InPlaceKernel
def _begin_jobs(facts, rules, clock, measure, now):
    for place in range(clock.counts[0].lined):
        job = clock.line[place]
        undecided = clock.runs[job].decided <= clock.counts[0].events
        if undecided and clock.runs[job].shut <= clock.counts[0].eased:
            if measure == SURPLUS and not rules.drops:  # which looks at what each is worth
                give_up(facts, rules, clock, job, now)
            begin_job(facts, rules, clock, measure, job, now)


@InPlaceKernel
def _revived(facts, rules, clock, measure, job, now):
    """Makes the heap again after a job was placed, with options that may have become better."""
    option = clock.best[job]
    start = clock.outlook[option].known
    taken = (facts.ways[option].pool, start, start + facts.ways[option].seconds)
    for place in range(clock.counts[0].lined):
        other = clock.line[place]
        if clock.runs[other].decided <= clock.counts[0].events:
            revive_options(facts, rules, clock, measure, other, taken)
    return _heaped(facts, rules, clock, measure, now)


@InPlaceKernel
def line_up(clock):
    """The waiting jobs by arrival, without those that no option is left for."""
    count = 0
    for place in range(clock.counts[0].waiting):
        job = clock.waiting[place]
        if clock.runs[job].shut <= clock.counts[0].eased:
            clock.line[count] = job
            count += 1
    clock.counts[0].lined = count


@InPlaceKernel
def decide_by_measure(facts, rules, clock, looked, measure, now):
    """The job with the highest measure first, again and again. Returns the measure at the end."""
    line_up(clock)
    if rules.sequences > 1:
        _choose_order(facts, rules, clock, looked, measure, now)
    return _take_turns(facts, rules, clock, looked, measure, now, False)[0]


@InPlaceKernel
def _choose_order(facts, rules, clock, looked, measure, now):
    """Tilts the keys of the waiting jobs as in the sequence whose plan is worth the most above its
    price, the first of equal ones; not at all if no job could start now.
    """
    _tilt(rules, clock, 0)
    _begin_jobs(facts, rules, clock, measure, now)
    lined = clock.counts[0].lined
    if lined <= 1 or _hopeful(facts, rules, clock, measure, now, 0) == lined:
        return
    chosen, most = 0, -np.inf
    for sequence in range(rules.sequences):
        _tilt(rules, clock, sequence)
        planned = _take_turns(facts, rules, clock, looked, measure, now, True)[1]
        if planned > most:
            chosen, most = sequence, planned
        _forget_plan(clock)
    _tilt(rules, clock, chosen)


@InPlaceKernel
def _tilt(rules, clock, sequence):
    """Draws by how much each waiting job comes earlier or later; not in the first sequence."""
    for place in range(clock.counts[0].lined):
        job = clock.line[place]
        if sequence == 0:
            clock.tilt[job] = 1.0
        else:
            number = drawn_number(
                rules.seed, job, clock.counts[0].events * rules.sequences + sequence
            )
            clock.tilt[job] = np.exp(_NEAR * (2.0 * number - 1.0))


@InPlaceKernel
def _forget_plan(clock):
    """Lets the plan of this event be what runs, and decides on no waiting job."""
    copy_profile(clock.base, clock.plan)
    for window in range(len(clock.left)):
        clock.left_now[window] = clock.left[window]
    for pool in range(len(clock.pools)):
        clock.pools[pool].changed = 0
    clock.counts[0].out = 0
    for place in range(clock.counts[0].lined):
        clock.runs[clock.line[place]].decided = 0


@InPlaceKernel
def _above_price(facts, rules, clock, job):
    """What a job is worth above its price on its best option, as it is planned."""
    option = clock.best[job]
    end = clock.outlook[option].known + facts.ways[option].seconds
    return worth_at(facts, job, end, facts.ways[option].extra) - rules.price[option]


@InPlaceKernel
def _take_turns(facts, rules, clock, looked, measure, now, only_plan):
    """Decides on the jobs in the order of their keys; or only plans, and starts nothing. Returns
    the measure at the end, and what that plan is worth above its price.
    """
    _begin_jobs(facts, rules, clock, measure, now)
    goal = steady_joules(clock.budget, facts.edges, now)
    window = window_at(facts.edges, now)
    hope = _hopeful(facts, rules, clock, measure, now, 0)
    early = not only_plan and _ends_early(rules, clock, looked)
    if early and hope == clock.counts[0].lined:
        return measure, 0.0
    planned = 0.0
    size = _heaped(facts, rules, clock, measure, now)
    while size > 0:
        job = clock.heap[0]
        if not is_exact(facts, clock, job):
            if search_option(facts, rules, clock, measure, job):
                sink(clock.heap, clock.key, 0, size)
            else:
                size = pop(clock.heap, clock.key, size)
                _drop_worthless(facts, rules, clock, job, now)
            continue
        size = pop(clock.heap, clock.key, size)
        clock.runs[job].decided = clock.counts[0].events + 1
        if only_plan:
            hold_place(facts, clock, job)
            planned += _above_price(facts, rules, clock, job)
            if clock.counts[0].out > 0:
                size = _revived(facts, rules, clock, measure, job, now)
            continue
        if clock.outlook[clock.best[job]].known <= now or not now_or_never(rules, clock):
            _note_pick(clock, looked, job)
            place_job(facts, rules, clock, job, now)
            if clock.counts[0].out > 0:
                size = _revived(facts, rules, clock, measure, job, now)
        hope = _hopeful(facts, rules, clock, measure, now, hope)
        if early and hope == clock.counts[0].lined:
            return measure, 0.0
        may_switch = rules.switch == _BY_TASK and measure == PER_RESOURCE
        if may_switch and clock.budget[window] - clock.left_now[window] >= goal:
            measure = PER_ENERGY
            _begin_jobs(facts, rules, clock, measure, now)
            size = _heaped(facts, rules, clock, measure, now)
    return measure, planned


@Kernel
def _line_up_queues(facts, clock):
    """Waiting jobs in rounds of 1 large, 4 medium and 8 small, each queue by arrival."""
    count = clock.counts[0].waiting
    most = clock.size_sum[2]
    queue = np.zeros(count, np.int64)
    for place in range(count):
        size = mean_size(facts, clock.waiting[place])
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
    clock.counts[0].lined = count


@InPlaceKernel
def _shuffle(rules, clock):
    """Draws an order of the line; no option is drawn by the same numbers."""
    size = clock.counts[0].lined
    for place in range(size):
        job = clock.line[place]
        clock.heap[place] = job
        clock.key[job] = drawn_number(rules.seed ^ OTHER_NUMBERS, job, clock.counts[0].events)
    stack(clock.heap, clock.key, size)
    for place in range(size):
        clock.line[place] = clock.heap[0]
        pop(clock.heap, clock.key, size - place)


@InPlaceKernel
def decide_in_line(facts, rules, clock, looked, now):
    """The jobs in a fixed order, each on its best option."""
    measure = rules.measure
    if rules.order == _QUEUES:
        _line_up_queues(facts, clock)
    else:
        line_up(clock)
    if rules.order == _ANY:
        _shuffle(rules, clock)
    for place in range(clock.counts[0].lined):
        job = clock.line[place]
        never = now_or_never(rules, clock)
        if clock.runs[job].shut > clock.counts[0].eased:
            continue
        only_now = never and not rules.drops
        if only_now and not fits_now(facts.jobs[job], facts.ways, facts.further, clock.plan):
            continue
        begin_job(facts, rules, clock, measure, job, now)
        if only_now and not could_start(facts, rules, clock, measure, job, now):
            continue
        if not find_best(facts, rules, clock, measure, job):
            _drop_worthless(facts, rules, clock, job, now)
            continue
        if clock.outlook[clock.best[job]].known <= now or not never:
            _note_pick(clock, looked, job)
            place_job(facts, rules, clock, job, now)
