"""Case 23: days on which jobs run in sizes of cores and memory, and how near the bound they come.

The seed of the days is 0, as that of the first day of `wattfront reproduce arrivals`.
"""

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import csc_array

from benchmarks.case import Case, Part, Section, Target
from benchmarks.per_node import PerNode
from benchmarks.report import duration, percent, table, times
from core.capabilities.arrivals.made.value import ENVIRONMENTS, ValueSettings, draw_value_day
from core.capabilities.arrivals.policies import VALUE
from core.engines.replay.bound import bound
from core.engines.replay.clock import ReplaySettings, replay
from core.engines.replay.energy import EnergyWindows
from core.engines.replay.outcome import ReplayOutcome
from core.engines.replay.policy import Prices
from core.engines.replay.pricing import Foresight
from core.engines.replay.workload import Horizon, Truth, Workload, beside_each_other
from core.vocabulary.arrays import FloatArray, IntArray

DAY, PLAIN = "A day in sizes", "A loop over cores and GB"
BOUNDS, HIGHS = "Bounds of ten environments", "SciPy's linprog, on HiGHS"
VPTR, OURS = "max-vptr", "value-prices"
LIMIT, BOUND_LIMIT = 0.5, 10.0
REACHED: Final = 0.83
"""What Max VPTR reaches of the bound at least."""
HOUR: Final = 3600.0
MORNING, DAWN = 10.0, 4.0
"""The loop has the first so many hours of a day, and what is only tried the first few."""


def _day(until: float | None = None, **more: Any) -> Workload:
    """A published day, or its first hours with the jobs that come by then."""
    day = draw_value_day(ValueSettings(**more)).workload
    return day if until is None else replace(day, horizon=Horizon(day.horizon.begin, until * HOUR))


def _took(workload: Workload, name: str) -> tuple[float, ReplayOutcome]:
    """Processor time (s)."""
    begun = time.process_time()
    outcome = replay(workload, VALUE[name].policy, settings=ReplaySettings(pricing=Foresight()))
    return time.process_time() - begun, outcome


def measure_day(quick: bool) -> dict[str, Any]:
    """By policy: processor time (s), and worth."""
    workload = _day(DAWN if quick else None)
    found = {}
    for name in VALUE:
        _took(_day(DAWN), name)  # compiles
        seconds, outcome = _took(workload, name)
        found[name] = {"seconds": seconds, "worth": outcome.worth}
    return {"jobs": len(workload.jobs), "policies": found}


def measure_plain(quick: bool) -> dict[str, Any]:
    """The published loop with a list for every core, and ours on the same hours."""
    _took(_day(DAWN), VPTR)
    workload = _day(DAWN if quick else MORNING)
    seconds, outcome = _took(workload, VPTR)
    policy, windows = VALUE[VPTR].policy, EnergyWindows.without_limit(workload.horizon)
    truth = Truth.as_estimated(len(workload.jobs))
    plain = PerNode(workload, truth, policy, windows, lambda *_: 0.0, Prices())
    begun = time.process_time()
    plain.run()
    rival = time.process_time() - begun
    begins = {job: (run.option, run.start) for job, run in plain.started.items()}
    ran = np.flatnonzero(outcome.ran)
    ours = zip(outcome.option[ran].tolist(), outcome.start[ran].tolist(), strict=True)
    return {
        "ran": len(ran),
        "ours": seconds,
        "rival": rival,
        "alike": begins == dict(zip(ran.tolist(), ours, strict=True)),
    }


def measure_bounds(quick: bool) -> list[dict[str, Any]]:
    """The processor time (s) of the bound in each environment, and what policies earn of it."""
    until = DAWN if quick else None
    bound(_day(DAWN))
    found = []
    for cores, memory in [
        *((cores, 256) for cores in ENVIRONMENTS),
        *((256, memory) for memory in ENVIRONMENTS),
    ]:
        workload = _day(until, cores=cores, memory=float(memory))
        begun = time.process_time()
        best = bound(workload).value
        seconds = time.process_time() - begun
        shares = {name: _took(workload, name)[1].worth / best for name in (VPTR, OURS)}
        found.append({"cores": cores, "memory": memory, "seconds": seconds, "shares": shares})
    return found


def measure_highs(quick: bool) -> dict[str, Any]:
    """The linear program whose dual the bound is, and ours with the same slots."""
    workload = _day(DAWN if quick else None)
    bound(_day(DAWN))
    begun = time.process_time()
    ours = bound(workload)
    seconds = time.process_time() - begun
    begun = time.process_time()
    value = divided_optimum(workload, ours.edges)
    rival = time.process_time() - begun
    return {
        "jobs": int((workload.jobs.arrival < workload.horizon.end).sum()),
        "ours": seconds,
        "rival": rival,
        "apart": ours.value / value - 1,
    }


def divided_optimum(workload: Workload, edges: FloatArray) -> float:
    """What jobs earn at most that may be divided among starts, if pools are full on average between
    these edges (s). Starts are where a run meets an edge, or its worth a threshold.
    """
    jobs, options, (begin, end) = workload.jobs, workload.options, workload.horizon
    option, start = _starts(workload, edges)
    job, seconds = options.job[option], options.seconds[option]
    full = workload.worth_of(job, option, start + seconds - jobs.arrival[job])
    within = np.minimum(start + seconds, end) - np.maximum(start, begin)
    worth = full * np.clip(within / seconds, 0.0, 1.0)
    kept = worth > 0.0
    option, start, job, worth = option[kept], start[kept], job[kept], worth[kept]
    first, last = np.maximum(start[:, None], edges[:-1]), start + options.seconds[option]
    spans = np.maximum(np.minimum(last[:, None], edges[1:]) - first, 0.0)
    column, slot = np.nonzero(spans)
    taken = beside_each_other(options.units, options.further)[option]
    there = beside_each_other(workload.pools.units, workload.pools.further)[0]
    length, slots = np.diff(edges), len(edges) - 1
    rows, columns, values = [job], [np.arange(len(job))], [np.ones(len(job))]
    for resource, has in enumerate(there):
        rows.append(len(jobs) + resource * slots + slot)
        columns.append(column)
        values.append(taken[column, resource] * spans[column, slot] / (has * length[slot]))
    place = np.concatenate(rows), np.concatenate(columns)
    matrix = csc_array((np.concatenate(values), place))
    return -float(linprog(-worth, matrix, np.ones(matrix.shape[0]), method="highs").fun)


def _starts(workload: Workload, edges: FloatArray) -> tuple[IntArray, FloatArray]:
    """Options with the starts that matter, each once."""
    jobs, options = workload.jobs, workload.options
    arrival, seconds = jobs.arrival[options.job, None], options.seconds[:, None]
    begins = [[piece.begin for piece in curve] for curve in workload.curves.pieces]
    most = max(map(len, begins))
    of_curve = np.array([[*one, *[one[-1]] * (most - len(one))] for one in begins])
    ends = arrival + of_curve[jobs.curve[options.job]]
    before = np.nextafter(ends - seconds, -np.inf)
    every = [arrival, edges + 0 * arrival, edges - seconds, ends - seconds, before]
    start = np.concatenate(every, axis=1)
    option, place = np.nonzero((start >= arrival) & (start < workload.horizon.end))
    found = np.unique(np.column_stack([option, start[option, place]]), axis=0)
    return found[:, 0].astype(np.int64), found[:, 1]


def tell(measured: Mapping[str, Any]) -> Section:
    day, plain, bounds, highs = (measured[name] for name in (DAY, PLAIN, BOUNDS, HIGHS))
    policies = day["policies"]
    return Section(
        [
            Target(
                "a published day, slowest policy",
                max(one["seconds"] for one in policies.values()),
                LIMIT,
                duration,
            ),
            Target(
                f"its first {MORNING:g} h: loop over cores and GB / ours",
                plain["rival"] / plain["ours"],
                1.0,
                times,
                at_least=True,
            ),
            Target(
                "bound of a day, slowest",
                max(one["seconds"] for one in bounds),
                BOUND_LIMIT,
                duration,
            ),
            Target(
                "a published day: SciPy's linprog / our bound",
                highs["rival"] / highs["ours"],
                1.0,
                times,
                at_least=True,
            ),
            Target(
                "Max VPTR / bound, least",
                min(one["shares"][VPTR] for one in bounds),
                REACHED,
                percent,
                at_least=True,
            ),
            Target(
                "ours / Max VPTR, least",
                min(one["shares"][OURS] / one["shares"][VPTR] for one in bounds),
                1.0,
                percent,
                at_least=True,
            ),
        ],
        "\n\n".join(
            [
                f"A published day: {day['jobs']:,} jobs in 26 h on 256 cores and 256 GB, each in "
                "one of three to eight sizes, events 60 s apart. Times are of one processor.",
                table(
                    ["Policy", "time", "worth"],
                    [
                        [name, duration(one["seconds"]), f"{one['worth']:,.0f}"]
                        for name, one in policies.items()
                    ],
                ),
                f"The published loop of Max VPTR with a list for every core and a sum of GB, in "
                f"plain Python, on the first {MORNING:g} h ({plain['ran']:,} jobs ran): "
                f"{duration(plain['rival'])}; ours {duration(plain['ours'])}. The same schedule: "
                f"{plain['alike']}.",
                "What no schedule earns more than, and what two policies earn of it, on one day of "
                "each environment:",
                table(
                    ["Cores", "GB", "time of the bound", VPTR, OURS],
                    [
                        [
                            f"{one['cores']}",
                            f"{one['memory']}",
                            duration(one["seconds"]),
                            *(percent(one["shares"][name]) for name in (VPTR, OURS)),
                        ]
                        for one in bounds
                    ],
                ),
                f"The linear program whose dual this bound is, for {highs['jobs']:,} jobs "
                "in slots of half an hour, by SciPy's linprog on HiGHS: "
                f"{duration(highs['rival'])}; ours {duration(highs['ours'])}, "
                f"{highs['apart']:.1e} above it.",
            ]
        ),
    )


CASE: Final = Case(
    "Value of service",
    {
        DAY: Part(measure_day),
        PLAIN: Part(measure_plain, ours=False),
        BOUNDS: Part(measure_bounds),
        HIGHS: Part(measure_highs, ours=False),
    },
    tell,
)
