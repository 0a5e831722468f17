"""What an administrator can set for the work of a schedule, besides running its scripts."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

import numpy as np

from core.engines.relaxed import Front
from core.engines.slurm.places import fold_nodes
from core.engines.slurm.requested import licence_line, licences_within
from core.vocabulary.arrays import FloatArray
from core.vocabulary.say.words import Sense, amount, duration, power
from core.vocabulary.schedule import Schedule
from core.vocabulary.timed import TimedSchedule
from core.vocabulary.tolerances import SOLVED_ZERO

_MOST_WEIGHT: Final = 65_533
"""The largest weight of a node that Slurm takes."""
_STEPS: Final = 10
"""Weights are whole numbers: so many for the least worth that there is."""

_worth = partial(amount, sense=Sense.PLAIN, digits=2)


def worth_of_machines(front: Front, makespan: float) -> FloatArray:
    """What a busy second of a machine of each type is worth to work that takes so long (s), the
    least worth being 1. Of machines that are worth 0, more would save nothing.

    These are the prices that prove the line of the front there.
    """
    line = int(np.count_nonzero(front.makespan >= makespan))
    prices = front.lines.machine_prices[line]
    prices = np.where(prices > SOLVED_ZERO * prices.max(), prices, 0.0)
    return np.asarray(prices / prices.min(initial=np.inf, where=prices > 0))


def cluster_lines(schedule: Schedule, front: Front, nodes: Sequence[Sequence[str]] = ()) -> str:
    """Lines to copy, each ended. `nodes` are those of the machines of each type that are known."""
    return "".join(f"{line}\n" for line in _lines(schedule, front, nodes))


def _lines(schedule: Schedule, front: Front, nodes: Sequence[Sequence[str]]) -> Iterator[str]:
    system, takes = schedule.system, duration(schedule.makespan, Sense.SPENT)
    worth = worth_of_machines(front, schedule.makespan)
    kinds = [kind for kind in np.argsort(worth, kind="stable") if system.machine_counts[kind]]
    nodes = nodes or [()] * len(worth)
    listed = {kind: fold_nodes(nodes[kind]) for kind in kinds}
    if worth.any():
        yield f"# What an hour of one machine is worth to this work if it takes {takes}, by the"
        yield "# prices that prove the bound. Of machines worth 0, more would save nothing."
        yield from (f"# {system.machine_names[kind]}: {_worth(worth[kind])}" for kind in kinds)
        yield "# In slurm.conf: jobs that can run anywhere begin on machines of the least worth."
        for kind in kinds:
            weight = min(1 + round(_STEPS * worth[kind]), _MOST_WEIGHT)
            if listed[kind]:
                yield f"NodeName={listed[kind]} Weight={weight}"
            else:
                yield f"#NodeName= Weight={weight}  (the nodes of {system.machine_names[kind]})"
        yield "# In the lines of their partitions: a share is used up by what nodes are worth."
        for kind in kinds:
            counted = f'TRESBillingWeights="Node={_worth(worth[kind])}"'
            yield f"#{counted}  ({system.machine_names[kind]})"
    else:
        yield f"# If this work may take {takes}, no machine is short: more would save nothing."
    if isinstance(schedule, TimedSchedule):
        yield f"# At no moment above {power(schedule.peak, Sense.SPENT)}: a licence is a watt above"
        yield "# idle power, and each task takes those of its machine (--licenses in submit.sh)."
        yield licence_line(licences_within(system, schedule.peak))
    idle = fold_nodes(_without_work(schedule, nodes))
    if idle:
        yield "# This schedule gives these nodes no work:"
        yield f'scontrol update NodeName={idle} State=DRAIN Reason="no work in the plan"'


def _without_work(schedule: Schedule, nodes: Sequence[Sequence[str]]) -> set[str]:
    """Nodes of which no machine has tasks."""
    with_work: dict[bool, set[str]] = {True: set(), False: set()}
    last = schedule.first_machine + schedule.machines - 1
    for group, kind in enumerate(schedule.machine_type):
        there = nodes[kind][schedule.first_machine[group] - 1 : last[group]]
        with_work[bool(schedule.tasks[group].any())].update(there)
    return with_work[False] - with_work[True]
