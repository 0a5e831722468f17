"""Other readings of what tables 6.2 to 6.4 do not print, on a few instances of each row.

They say which of our choices moves which numbers, and whether another one is nearer to the print.
"""

import heapq
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import product
from typing import Final

import numpy as np

from benchmarks.publications.arrivals.uncertain_runs import (
    OFFLINE,
    UncertainCell,
    UncertainCells,
    UncertainRun,
    instances_of,
)
from benchmarks.publications.publication import silent
from core.capabilities.arrivals.uncertain.bags import (
    ERROR_LEVELS,
    MACHINES,
    TASKS,
    UncertainSettings,
    draw_uncertain,
)
from core.capabilities.arrivals.uncertain.methods import (
    METHODS,
    BagSettings,
    outcome_of,
    run_method,
)
from core.capabilities.arrivals.uncertain.running import no_runs
from core.engines.compute.executors import Engine, InThisThread
from core.engines.compute.many import run_many
from core.engines.replay.outcome import ReplayOutcome
from core.engines.replay.workload import Switching, Truth, Workload

READ_INSTANCES: Final = 8
"""Instances of each number of machines and level of errors: two of each heterogeneity and rate."""
AS_HERE: Final = "as here"
SHARED: Final = "queue of a machine"


@dataclass(frozen=True)
class OtherReading:
    """What is read otherwise: settings of offline methods, and of others; whether offline plans
    have one queue a machine, from which a core that becomes free takes the next task; the power to
    which all speeds are raised (0: equal speeds); and when machines draw idle power.
    """

    sentence: str
    offline: BagSettings = field(default_factory=BagSettings)
    online: BagSettings = field(default_factory=BagSettings)
    shared: bool = False
    spread: float = 1.0
    switching: Switching = "always on"


_ALONE: Final = BagSettings(criterion="task")
READINGS: Final[Mapping[str, OtherReading]] = {
    AS_HERE: OtherReading("As in the tables."),
    SHARED: OtherReading(
        "Offline plans have a queue for each machine, not for each core.", shared=True
    ),
    "task energy": OtherReading(
        "MIN is the energy of the task alone, without that of machines that stay on longer for it.",
        _ALONE,
        _ALONE,
    ),
    "task energy offline": OtherReading("The same, of offline methods only.", _ALONE),
    "machine energy offline": OtherReading(
        "MIN of offline methods is the energy of the task, and that of its machine if it stays on "
        "longer.",
        BagSettings(criterion="machine"),
    ),
    "both offline": OtherReading(
        "Offline, a queue for each machine and the energy of the task alone.", _ALONE, shared=True
    ),
    "slow batches": OtherReading("Batches are an hour apart.", online=BagSettings(every=3600.0)),
    "equal speeds": OtherReading("All cores have the same speed.", spread=0.0),
    "speeds far apart": OtherReading("Speeds are the third powers of ours.", spread=3.0),
    "off at the end": OtherReading(
        "A machine is off after its last task, and does not draw idle power until the makespan.",
        switching="until last job",
    ),
}

ReadCells = Mapping[str, UncertainCells]
"""The rows of the tables under each of `READINGS`."""


def read_instance(reading: OtherReading, settings: UncertainSettings) -> UncertainRun:
    """The published methods on one instance as it is read; there is no bound."""
    workload, truth = draw_uncertain(settings)
    workload = replace(with_speeds(workload, reading.spread), switching=reading.switching)
    known = Truth.as_estimated(len(truth.time))
    plans = {name: run_method(workload, known, METHODS[name], reading.offline) for name in OFFLINE}
    outcomes = []
    for name, method in METHODS.items():
        if reading.shared and name in plans:
            outcomes.append(run_shared(plans[name], truth))
        else:
            chosen = reading.offline if name in plans else reading.online
            outcomes.append(run_method(workload, truth, method, chosen))
    return UncertainRun(
        [(one.makespan, one.joules) for one in outcomes],
        [(one.makespan, one.joules) for one in plans.values()],
        (),
    )


def run_shared(plan: ReplayOutcome, truth: Truth) -> ReplayOutcome:
    """What comes of a plan if the tasks of a machine are one queue in the planned order, and the
    core that is free first takes the next.
    """
    workload = plan.workload
    options, arrival = workload.options, workload.jobs.arrival
    machine = options.pool[plan.option]
    free = [[0.0] * int(units) for units in workload.pools.units]
    runs = no_runs(len(arrival), int(workload.pools.units.sum()))
    runs.machine[:] = machine
    for task in np.argsort(plan.start, kind="stable").tolist():
        queue = free[machine[task]]
        runs.start[task] = max(heapq.heappop(queue), arrival[task])
        taken = options.seconds[plan.option[task]] * truth.time[task]
        runs.end[task] = runs.start[task] + taken
        heapq.heappush(queue, float(runs.end[task]))
    return outcome_of(workload, truth, plan.policy, runs, np.zeros(1))


def with_speeds(workload: Workload, power: float) -> Workload:
    """The workload with speeds of machines to a power; their geometric mean stays."""
    options = workload.options
    first = options.seconds[options.job == 0]
    faster = np.exp(np.log(first).mean()) / first
    seconds = options.seconds * faster[options.pool] ** (1 - power)
    return replace(workload, options=replace(options, seconds=seconds))


def measure_readings(
    count: int = READ_INSTANCES,
    say: Callable[[str], None] = silent,
    engine: Engine | None = None,
    tasks: int = TASKS,
) -> ReadCells:
    """Runs `count` instances of each row under each reading; None: in this thread.

    The result is the same on every engine.
    """
    return {
        name: _cells(name, reading, count, say, engine or InThisThread(), tasks)
        for name, reading in READINGS.items()
    }


def _cells(
    name: str,
    reading: OtherReading,
    count: int,
    say: Callable[[str], None],
    engine: Engine,
    tasks: int,
) -> UncertainCells:
    say(f"uncertain times, reading: {name}, {count} instances of each kind")
    rows = {row: instances_of(*row, count, tasks) for row in product(MACHINES, ERROR_LEVELS)}
    asked = [one for instances in rows.values() for one in instances]
    chunks = run_many(partial(read_instance, reading), asked, engine)
    found = dict(pair for chunk in chunks for pair in chunk)
    return {
        row: UncertainCell.of([found[one] for one in instances]) for row, instances in rows.items()
    }
