"""The queue over a week: the work that waits if machines run what arrives, hour by hour.

Work is a fluid that comes at a steady rate within each hour. The work of an hour takes all machines
at best so long as the linear program of the shortest makespan says; that of earlier hours is done
first. So the queue at the end of an hour is the most by which what came since any hour before
exceeds the time since then, or nothing.
"""

from dataclasses import dataclass

import numpy as np

from core.capabilities.provision.first_stage import Purchase
from core.capabilities.provision.plan import Plan
from core.engines.lp.program import Infeasible, Program
from core.vocabulary.arrays import FloatArray, IntArray
from core.vocabulary.calendar import HOURS_OF_DAY, WEEKDAYS
from core.vocabulary.say.words import HOUR


@dataclass(frozen=True, slots=True, eq=False)
class WeekQueue:
    """The queue at the end of each hour of a week, or of a day if no more is known, with the
    machines that are there `before` and `after` a purchase: in seconds that all of these machines
    need for the work that waits. It is infinite if more work arrives than they can ever do.
    """

    before: FloatArray
    after: FloatArray

    @property
    def worst_day(self) -> int:
        """The number of the day with the longest queue: of that before, or of that after if the one
        before has no end or is none.
        """
        of_days = [one.reshape(-1, HOURS_OF_DAY).max(axis=1) for one in (self.before, self.after)]
        decides = 0 if 0 < of_days[0].max() < np.inf else 1
        return int(of_days[decides].argmax())

    @property
    def day(self) -> str:
        """The name of that day; empty where days are not told apart."""
        return WEEKDAYS[self.worst_day] if len(self.before) > HOURS_OF_DAY else ""

    @property
    def longest(self) -> tuple[float, float]:
        """The longest queue of that day before and after, in seconds."""
        hours = slice(self.worst_day * HOURS_OF_DAY, (self.worst_day + 1) * HOURS_OF_DAY)
        return float(self.before[hours].max()), float(self.after[hours].max())


def week_queue(plan: Plan, profile: FloatArray, purchase: Purchase) -> WeekQueue:
    """The queue before and after a purchase, if tasks arrive at the rates of a plan times the
    shares of `profile` (hours x task types).
    """
    arrivals = plan.arrival_rates * HOUR * profile
    return WeekQueue(
        *(
            queue_after(shortest_times(plan, arrivals, counts))
            for counts in (plan.counts, purchase.counts)
        )
    )


def queue_after(needed: FloatArray) -> FloatArray:
    """The queue at the end of each hour of a period that is repeated for ever, in seconds, if the
    work of each hour needs so many.
    """
    over = needed - HOUR
    if not over.sum() <= 0:
        return np.full(len(needed), np.inf)
    # What came less what was done since the beginning, over two periods: where the second begins,
    # every earlier hour that can matter has been.
    since = np.cumsum(np.concatenate([over, over]))
    least = np.minimum.accumulate(np.concatenate([[0.0], since[:-1]]))
    return np.asarray(np.maximum(since - least, 0.0)[len(needed) :])


def shortest_times(plan: Plan, batches: FloatArray, counts: FloatArray) -> FloatArray:
    """The shortest time in which so many machines can do each batch of tasks (a line each), in
    seconds; infinity for a batch with tasks that none of them runs.
    """
    return shortest_makespans(plan, batches, counts)[0]


def shortest_makespans(
    plan: Plan, batches: FloatArray, counts: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """The `shortest_times`, and prices of a machine of each type that prove them (a line each)."""
    tasks, machines = np.nonzero(np.isfinite(plan.times))
    best = np.where(np.isfinite(plan.times), plan.times, np.inf).min(axis=1)
    program = Program(threads=1)
    work = program.add_rows(np.zeros(len(best)), np.inf)
    room = program.add_rows(np.full(len(counts), -np.inf), 0.0)
    pairs = [
        (work[tasks], best[tasks] / plan.times[tasks, machines]),
        (room[machines], np.ones(len(machines))),
    ]
    program.add_columns(pairs)
    every: IntArray = room[None]
    program.add_columns([(every, -np.maximum(counts, 0.0)[None])], costs=1.0)
    needed, prices = np.zeros(len(batches)), np.zeros((len(batches), len(counts)))
    scale = float((batches * best).max()) or 1.0
    for at, batch in enumerate(batches * best / scale):
        program.set_row_bounds(work, batch, np.inf)
        try:
            found = program.minimise(("off", "on"), feasible=False)
            needed[at] = found.objective * scale
            prices[at] = np.maximum(-found.duals[room], 0.0)
        except Infeasible:
            needed[at] = np.inf
    return needed, prices
