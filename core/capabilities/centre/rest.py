"""The rest of a day: what is left to plan when some of it has passed."""

from dataclasses import replace

import numpy as np

from core.capabilities.centre.day import Begun, CentreDay, Curves, DayJobs
from core.capabilities.centre.plan import DayPlan, executing, started, starting
from core.vocabulary.arrays import IntArray


def later(curves: Curves, step: int) -> Curves:
    """The curves from a step on."""
    return Curves(**{name: values[step:] for name, values in vars(curves).items()})


def rest_of(
    day: CentreDay, plan: DayPlan, step: int, left: IntArray, first: float, peak: float
) -> CentreDay:
    """The day from a step on under the curves of `day`: jobs that a plan has started go on, and
    `left[g]` jobs of group g are still to be started. It is `first` degrees inside, and the highest
    grid power so far was `peak` watts. Groups of which none is left are left out.
    """
    group, jobs = np.flatnonzero(left), day.jobs
    begun = None
    if step:
        gone = plan.start < step
        busy = executing(day, *(each[gone] for each in (plan.group, plan.start, plan.count)))
        ready = started(day, plan.awake)[:, step:]
        begun = Begun(busy[:, step:], plan.awake[:, step - 1], ready, peak)
    return replace(
        day,
        centre=replace(day.centre, first=min(first, day.centre.limit)),
        jobs=DayJobs(
            jobs.kind[group],
            jobs.width[group],
            jobs.length[group],
            np.maximum(jobs.release[group] - step, 0),
            jobs.due[group] - step,
            left[group],
            tuple(jobs.names[each] for each in group.tolist()) if jobs.names else (),
        ),
        curves=later(day.curves, step),
        begins=day.begins + step * day.step,
        begun=begun,
    )


def able(day: CentreDay, busy: IntArray, awake: IntArray) -> IntArray:
    """Servers of each kind that are awake, as near to `awake` as what has begun allows: starts that
    run end as begun, and no other ends before there was time for it.
    """
    begun, counts = day.begun, day.centre.counts
    if begun is None:
        return awake
    found, start_steps = awake.copy(), day.centre.start_steps(day.step)
    level = np.maximum.accumulate(begun.allowed(begun.before, start_steps), axis=1)
    needed = np.maximum.accumulate(busy, axis=1)
    for kind, steps in enumerate(start_steps.tolist()):
        if steps:
            # Who slept before does not wait for a job awake.
            found[kind] = np.minimum(awake[kind], np.maximum(level[kind], needed[kind]))
            until = int(np.max(np.flatnonzero(begun.ready[kind, :steps]), initial=-1)) + 1
            found[kind, :until] = level[kind, :until]
    early = np.arange(day.steps) < start_steps[:, None]
    odd = (found + starting(day, found) > counts[:, None]).any(axis=1)
    odd |= (early & (started(day, found) != begun.ready)).any(axis=1)
    found[odd] = np.maximum(level, needed)[odd]
    return found


def joined(before: DayPlan, step: int, group: IntArray, rest: DayPlan) -> DayPlan:
    """A plan of a whole day: one until a step, and then one for its rest, whose groups are those of
    the day with the numbers `group`.
    """
    gone = before.start < step
    return DayPlan(
        np.append(before.group[gone], group[rest.group]),
        np.append(before.start[gone], rest.start + step),
        np.append(before.count[gone], rest.count),
        np.append(before.awake[:, :step], rest.awake, axis=1),
        np.append(before.speed[:step], rest.speed),
        np.append(before.compressor[:step], rest.compressor),
    )
