"""Case 22: days and a month on which jobs stop others, and how near the best possible they come."""

import time
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final

import numpy as np

from benchmarks.arriving_files import LOAD, TIME_SHARE, month_of_jobs
from benchmarks.case import Case, Part, Section, Target
from benchmarks.per_core import plain_greedy
from benchmarks.process import peak_memory
from benchmarks.report import duration, megabytes, percent, table, times, whole
from core.capabilities.arrivals.made.urgent import UrgentSettings, draw_urgent_day
from core.capabilities.arrivals.policies import policy_named
from core.engines.replay.bound import bound
from core.engines.replay.clock import ReplaySettings, replay
from core.engines.replay.outcome import ReplayOutcome
from core.engines.replay.pricing import Foresight
from core.engines.replay.stopping.rules import FREE, NOTHING, Stopping
from core.engines.replay.stopping.score import StopScore
from core.engines.replay.workload import ArrivingJobs, Options, Pools, StopRights, Truth, Workload

BURSTS: Final = (64, 1)
DAYS: Final = {burst: f"A day in bursts of {burst}" for burst in BURSTS}
PAIR: Final = {burst: f"A day under Pair in bursts of {burst}" for burst in BURSTS}
PLAIN, MONTH = "A loop over cores", "A month with tiers"
CURVES: Final = {"step": "steps", "classes": "20 classes"}
BOUND: Final = {curves: f"Bound with {said}" for curves, said in CURVES.items()}
GREEDY, TIERS, PRICES = "upt-greedy", "easy-tiers", "prices-stop"
POLICIES: Final = (
    *(f"{measure}-{kind}" for measure in ("util", "upt") for kind in ("greedy", "diff")),
    TIERS,
    PRICES,
)
LIMITS: Final = {64: 1.0, 1: 3.0}
"""Seconds for a day in such bursts."""
PAIR_LIMIT, BOUND_LIMIT, MONTH_LIMIT, MONTH_MEMORY = 60.0, 30.0, 180.0, 2e9
SHARES: Final = {"step": 0.97, "classes": 0.95}
"""What Max UPT Greedy earns at least of the bound, by curves."""
RIVAL_PART: Final = 8
"""The loop over cores has a day with an eighth of the jobs and cores."""
URGENT: Final = 0.1
"""The share of the jobs of the month that are of the higher tier."""


def _day(quick: bool, part: int = 1, **more: Any) -> Workload:
    usual, part = UrgentSettings(), 40 * part if quick else part
    return draw_urgent_day(
        replace(usual, a_day=usual.a_day / part, cores=usual.cores // part, **more)
    )


def _took(workload: Workload, name: str) -> tuple[float, ReplayOutcome]:
    """Processor time (s). By prices, what was done is lost: nothing has a price if it is kept."""
    stopping = Stopping(NOTHING) if name == PRICES else FREE
    begun = time.process_time()
    settings = ReplaySettings(stopping=stopping, pricing=Foresight())
    outcome = replay(workload, policy_named(name).policy, settings=settings)
    return time.process_time() - begun, outcome


def measure_day(burst: int, quick: bool, names: tuple[str, ...] = POLICIES) -> dict[str, Any]:
    """By policy: processor time (s), events, worth, and how often a job was stopped."""
    workload, small = _day(quick, burst=burst), _day(True)
    found = {}
    for name in names:
        _took(small, name)  # compiles
        seconds, outcome = _took(workload, name)
        found[name] = {
            "seconds": seconds,
            "events": len(outcome.decisions.time),
            "worth": outcome.worth,
            "stops": StopScore.of(outcome).stops,
        }
    return {"jobs": len(workload.jobs), "policies": found}


def measure_plain(quick: bool) -> dict[str, Any]:
    """The published loop, compiled, and ours on the same day."""
    plain_greedy(_day(True))
    _took(_day(True), GREEDY)
    workload = _day(quick, RIVAL_PART)
    seconds, outcome = _took(workload, GREEDY)
    begun = time.process_time()
    worth = plain_greedy(workload)
    return {
        "jobs": len(workload.jobs),
        "cores": int(workload.pools.units.sum()),
        "ours": seconds,
        "rival": time.process_time() - begun,
        "apart": abs(worth / outcome.worth - 1),
    }


def measure_bound(curves: str, quick: bool) -> dict[str, Any]:
    """Processor time (s) of the bound, by the clock, too, and what Max UPT Greedy earns of it."""
    workload = _day(quick, curves=curves)
    begun, cpu = time.perf_counter(), time.process_time()
    best = bound(workload, checkpoints=0.0).value
    took = {"seconds": time.process_time() - cpu, "clock": time.perf_counter() - begun}
    _, outcome = _took(workload, GREEDY)
    return {**took, "share": outcome.worth / best}


def measure_month(quick: bool) -> dict[str, Any]:
    """A month of a million jobs, a tenth of which are of a higher tier; they take 30 % of their
    estimates.
    """
    _took(_day(True), TIERS)
    month = month_of_jobs(quick)
    count = len(month.arrival)
    tier = np.random.default_rng(5).random(count) < URGENT
    workload = Workload(
        Pools.of(["nodes"], [month.nodes]),
        replace(ArrivingJobs.plain(month.arrival), rights=StopRights.of(count, tier=tier)),
        Options.of(count, 0, month.units, month.seconds),
    )
    begun = time.process_time()
    outcome = replay(
        workload, policy_named(TIERS).policy, Truth(np.full(count, TIME_SHARE), np.ones(count))
    )
    seconds = time.process_time() - begun
    return {
        "jobs": count,
        "nodes": month.nodes,
        "seconds": seconds,
        "memory": peak_memory(),
        "completed": outcome.completed,
        "stops": StopScore.of(outcome).stops,
    }


def tell(measured: Mapping[str, Any]) -> Section:
    days = {burst: measured[name] for burst, name in DAYS.items()}
    pair = {burst: measured[name]["policies"] for burst, name in PAIR.items()}
    plain, month = measured[PLAIN], measured[MONTH]
    bounds = {curves: measured[name] for curves, name in BOUND.items()}
    slowest = {
        burst: max(one["seconds"] for one in found["policies"].values())
        for burst, found in days.items()
    }
    return Section(
        [
            *(
                Target(
                    f"a day in bursts of {burst}, slowest but for Pair",
                    slowest[burst],
                    LIMITS[burst],
                    duration,
                )
                for burst in BURSTS
            ),
            *(
                Target(
                    f"a day in bursts of {burst} under Pair",
                    max(one["seconds"] for one in found.values()),
                    PAIR_LIMIT,
                    duration,
                )
                for burst, found in pair.items()
            ),
            Target(
                "an eighth of it: loop over cores / ours",
                plain["rival"] / plain["ours"],
                1.0,
                times,
                at_least=True,
            ),
            *(
                target
                for curves, found in bounds.items()
                for target in (
                    Target(f"bound, {CURVES[curves]}", found["seconds"], BOUND_LIMIT, duration),
                    Target(
                        f"Max UPT Greedy / bound, {CURVES[curves]}",
                        found["share"],
                        SHARES[curves],
                        percent,
                        at_least=True,
                    ),
                )
            ),
            Target("a month of 1,000,000 jobs with tiers", month["seconds"], MONTH_LIMIT, duration),
            Target("its memory", month["memory"], MONTH_MEMORY, megabytes),
        ],
        "\n\n".join(
            [
                "Days of the published kind: 60,000 jobs a day on 800 cores in five clusters, 20 "
                "classes of curves, 28 h, events 60 s apart. Times are of one processor. By "
                "prices, what was done is lost; otherwise it is kept.",
                table(
                    ["Jobs in a burst", "Policy", "time", "an event", "stops"],
                    [
                        [
                            f"{burst}",
                            name,
                            duration(one["seconds"]),
                            duration(one["seconds"] / one["events"]),
                            whole(one["stops"]),
                        ]
                        for burst, found in days.items()
                        for name, one in (found["policies"] | pair[burst]).items()
                    ],
                ),
                f"The published loop of Max UPT Greedy over all cores and all jobs that wait, "
                f"compiled, on {plain['jobs']:,} jobs and {plain['cores']:,} cores: "
                f"{duration(plain['rival'])}; ours {duration(plain['ours'])}. Their worths differ "
                f"by {plain['apart']:.1e} of ours.",
                "The bound of a day on which jobs go on where they were stopped, and what Max UPT "
                "Greedy earns of it: "
                + "; ".join(
                    f"{CURVES[curves]} {duration(found['seconds'])} ({duration(found['clock'])} by "
                    f"the clock), {percent(found['share'])}"
                    for curves, found in bounds.items()
                )
                + ".",
                f"A month of {month['jobs']:,} jobs on {month['nodes']:,} nodes, EASY with tiers, "
                f"at {LOAD:.0%} load, a tenth of the jobs of a higher tier, jobs that take "
                f"{TIME_SHARE:.0%} of their estimates: {duration(month['seconds'])}, "
                f"{megabytes(month['memory'])}, {month['completed']:,.0f} jobs done, "
                f"{month['stops']:,} stops.",
            ]
        ),
    )


CASE: Final = Case(
    "Work that stops other work",
    {
        **{name: Part(partial(measure_day, burst)) for burst, name in DAYS.items()},
        **{
            name: Part(partial(measure_day, burst, names=("util-pair", "upt-pair")))
            for burst, name in PAIR.items()
        },
        PLAIN: Part(measure_plain, ours=False),
        **{
            name: Part(partial(measure_bound, curves), ours=False) for curves, name in BOUND.items()
        },
        MONTH: Part(measure_month, ours=False),
    },
    tell,
)
