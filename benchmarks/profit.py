"""Case 8: the most profitable schedule, large and small."""

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

import numpy as np

from benchmarks.case import Case, Part, Section, Target
from benchmarks.report import duration, percent, table
from benchmarks.samples import resample
from benchmarks.timing import in_turns, timed
from core import Effort, System, Terms, earn, load_sample
from core.capabilities.profit.terms import ratio_price
from core.engines.relaxed import trace_front

RATIO: Final = 1.5
TASKS_A_MACHINE: Final = 30
SEED: Final = 42
SECONDS: Final = 1.0
LIMIT: Final = 0.05
FIFTH: Final = 0.2
LARGE, BAGS = "Large", "100 bags"


def priced(system: System) -> Terms:
    """A batch earns `RATIO` times the cost of its least energy, at 1 per joule."""
    return Terms(ratio_price(trace_front(system), RATIO, 1.0))


def measure_large(quick: bool) -> dict[str, float]:
    """The median time of bound, schedule and verification (s), by the number of tasks."""
    nine = load_sample("nine")
    calls = {}
    for tasks in (10**6, 10**9 if quick else 10**12):
        system = nine.with_counts(nine.task_counts * (tasks // 1100), nine.machine_counts * 40)
        run = partial(earn, system, priced(system), effort=Effort(0))
        calls[f"{system.tasks:,}"] = partial(timed, run)
    runs = in_turns(calls, 3 if quick else 9)
    return {name: float(np.median([took for took, _ in each])) for name, each in runs.items()}


def measure_bags(quick: bool) -> dict[str, Any]:
    """The gap of profit, as a share of the upper bound: the three published phases, and ours."""
    nine, rng = load_sample("nine"), np.random.default_rng(SEED)
    bags = [
        resample(nine, TASKS_A_MACHINE * nine.machines, rng) for _ in range(3 if quick else 100)
    ]
    lost: dict[str, list[float]] = {"published": [], "ours": []}
    earn(bags[0], priced(bags[0]), effort=Effort(0.05))  # loads the kernels
    for bag in bags:
        terms = priced(bag)
        for name, seconds in (("published", 0.0), ("ours", 0.1 if quick else SECONDS)):
            found = earn(bag, terms, effort=Effort(seconds=seconds, threads=2))
            lost[name].append(found.gap / found.bound.value)
    return lost


def tell(measured: Mapping[str, Any]) -> Section:
    large, lost = measured[LARGE], measured[BAGS]
    published, ours = float(np.mean(lost["published"])), float(np.mean(lost["ours"]))
    return Section(
        [
            Target("bound and schedule", max(large.values()), LIMIT, duration),
            Target("mean profit gap, share of the published", ours / published, FIFTH, percent),
        ],
        "\n\n".join(
            [
                "Nine environment, 160 machines, price 1.5 times the least energy's cost:",
                table(["Tasks", "Time"], [[name, duration(took)] for name, took in large.items()]),
                f"{len(lost['ours'])} bags of {TASKS_A_MACHINE} tasks a machine; ours polished for "
                f"{SECONDS:g} s on 2 threads:",
                table(
                    ["Profit below its bound", "Mean", "Worst"],
                    [
                        ["published three phases", percent(published), _worst(lost["published"])],
                        ["Wattfront", percent(ours), _worst(lost["ours"])],
                    ],
                ),
            ]
        ),
    )


def _worst(lost: list[float]) -> str:
    return percent(float(np.max(lost)))


CASE: Final = Case("Profit", {LARGE: Part(measure_large), BAGS: Part(measure_bags)}, tell)
