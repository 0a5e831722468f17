"""Case 19: a day and a month of jobs that arrive, replayed under policies."""

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np

from benchmarks.case import Case, Part, Section, Target
from benchmarks.per_node import PerNode
from benchmarks.process import peak_memory
from benchmarks.report import duration, megabytes, table, times, whole
from core.arrivals.policies import policy_named
from core.arrivals.synthetic import BudgetSettings, draw_budget_day
from core.model.arrays import FloatArray, IntArray
from core.replay.clock import ReplaySettings, replay
from core.replay.energy import EnergyWindows
from core.replay.policy import Policy, Prices
from core.replay.workload import ArrivingJobs, Options, Pools, Truth, Workload

DAY, HALF_LEFT, MANY_NODES = "A day", "A day with little energy", "Many nodes"
MONTH, PER_NODE = "A month", "A list for every node"
LOGS: Final = ("A month in an SWF log", "A month in a dump of sacct")
HOLDING: Final = ("max-upr", "max-upe", "max-util", "event-based", "task-based")
POLICIES: Final = (*HOLDING, "max-upr-res", "conservative", "easy")
A_DAY: Final = (5_000, 10_000)
SHARE: Final = 0.7
"""Of the energy that the policy spends if it may."""
LIMITS: Final = (3.0, 10.0)
"""Seconds for a day of so many jobs under the slowest policy that holds places."""
CORES: Final = (100_000, 10_000_000, 1_000_000_000)
ALIKE, MONTH_LIMIT, MONTH_MEMORY = 1.1, 120.0, 2e9
RIVAL_JOBS, RIVAL_CORES = 100, 2_000
RIVAL_POLICY: Final = "max-upr"
EASY: Final = "easy"
WATTFRONT: Final = str(Path(sys.executable).with_name("wattfront"))
TIME_SHARE, LOAD, DAYS = 0.3, 0.96, 30


def _took(workload: Workload, policy: Policy, settings: ReplaySettings) -> dict[str, Any]:
    begun = time.process_time()
    outcome = replay(workload, policy, settings=settings)
    return {
        "seconds": time.process_time() - begun,
        "events": len(outcome.decisions.time),
        "waiting": float(outcome.decisions.waiting.mean()),
        "ran": outcome.completed,
        "joules": outcome.joules,
    }


def _day(jobs: float, cores: int = CORES[0]) -> Workload:
    return draw_budget_day(BudgetSettings(a_day=jobs, cores=cores))


def _compile() -> None:
    replay(_day(20), policy_named(RIVAL_POLICY).policy)


def measure_day(quick: bool) -> dict[str, Any]:
    """By jobs a day and policy: processor time (s), events, jobs that wait."""
    _compile()
    sizes = (200,) if quick else A_DAY
    return {
        str(size): {
            name: _took(workload, policy_named(name).policy, ReplaySettings()) for name in POLICIES
        }
        for size, workload in ((size, _day(size)) for size in sizes)
    }


def measure_little_energy(quick: bool) -> dict[str, Any]:
    _compile()
    workload = _day(200 if quick else A_DAY[0])
    found = {}
    for name in HOLDING:
        policy = policy_named(name).policy
        joules = SHARE * _took(workload, policy, ReplaySettings())["joules"]
        windows = EnergyWindows.daily(workload.horizon, joules)
        found[name] = _took(workload, policy, ReplaySettings(windows))
    return found


def measure_many_nodes(quick: bool) -> dict[str, Any]:
    """The same day with every pool and every job so many times as large; the least of three."""
    _compile()
    workload = _day(200 if quick else A_DAY[0])
    policy = policy_named(RIVAL_POLICY).policy
    found = {}
    for cores in CORES:
        many = cores // CORES[0]
        larger = replace(
            workload,
            pools=replace(workload.pools, units=workload.pools.units * many),
            options=replace(workload.options, units=workload.options.units * many),
        )
        found[str(cores)] = min(
            _took(larger, policy, ReplaySettings())["seconds"] for _ in range(3)
        )
    return found


class _Month(NamedTuple):
    """Jobs of a month in the order of their arrival, with estimated seconds, and its nodes."""

    arrival: FloatArray
    units: IntArray
    seconds: FloatArray
    nodes: int


def _month(quick: bool) -> _Month:
    jobs = 10_000 if quick else 1_000_000
    random = np.random.default_rng(3)
    seconds: FloatArray = random.lognormal(np.log(3600), 1.0, jobs).clip(60, 86_400)
    units = 2 ** random.integers(0, 7, jobs)
    whole_time = DAYS * 86_400.0
    nodes = max(64, int(TIME_SHARE * seconds @ units / (LOAD * whole_time)))
    return _Month(np.sort(random.uniform(0, whole_time, jobs)), units, seconds, nodes)


def measure_month(quick: bool) -> dict[str, Any]:
    """EASY backfilling of a month, at events 60 s apart; jobs take 30 % of their estimates."""
    _compile()
    month = _month(quick)
    jobs = len(month.arrival)
    nothing = np.zeros(jobs, np.int64)
    watts = np.full(jobs, 100.0)
    workload = Workload(
        Pools.of(["nodes"], [month.nodes]),
        ArrivingJobs.plain(month.arrival, nothing, ("job",)),
        Options(np.arange(jobs + 1), nothing, month.units, month.seconds, watts, nothing),
    )
    begun = time.process_time()
    outcome = replay(
        workload, policy_named(EASY).policy, Truth(np.full(jobs, TIME_SHARE), np.ones(jobs))
    )
    return {
        "jobs": jobs,
        "nodes": month.nodes,
        "seconds": time.process_time() - begun,
        "events": len(outcome.decisions.time),
        "waiting": int(outcome.decisions.waiting.max()),
        "memory": peak_memory(),
    }


def _swf(month: _Month) -> Iterator[str]:
    yield f"; MaxProcs: {month.nodes}\n"
    for job, (at, asked, took, units) in enumerate(_rows(month), 1):
        yield f"{job} {at} -1 {took} {units} -1 -1 {units} {asked} -1 1 1 1 -1 1 1 -1 -1\n"


def _sacct(month: _Month) -> Iterator[str]:
    yield "JobID|JobName|User|State|Submit|Start|End|Elapsed|Timelimit|AllocCPUS|NNodes\n"
    for job, (at, asked, took, units) in enumerate(_rows(month), 1):
        moment = f"2024-04-{at // 86_400 + 1:02}T{_clock(at % 86_400)}"
        yield (
            f"{job}|job_{job % 5000}|user{job % 99}|COMPLETED|{moment}|{moment}|Unknown|"
            f"{_span(took)}|{_span(asked)}|{units}|{units}\n"
        )


def _rows(month: _Month) -> Iterator[tuple[int, int, int, int]]:
    """Arrival, seconds asked for, seconds taken and units of each job, as logs have them."""
    asked = month.seconds.astype(int)
    took = np.maximum(TIME_SHARE * month.seconds, 1.0).astype(int)
    columns = (month.arrival.astype(int), asked, took, month.units)
    return zip(*(column.tolist() for column in columns), strict=True)


def _clock(second: int) -> str:
    return f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}"


def _span(seconds: int) -> str:
    return f"{seconds // 86_400}-{_clock(seconds % 86_400)}"


def measure_log(lines: Callable[[_Month], Iterator[str]], quick: bool) -> dict[str, Any]:
    """The same month as a log, by the command in a process of its own: it is read, replayed under
    EASY, judged, and what was possible at most is proven.
    """
    month = _month(quick)
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder, "month.log")
        with log.open("w", encoding="ascii") as stream:
            stream.writelines(lines(month))
        size = log.stat().st_size
        command = [WATTFRONT, "replay", str(log), "--policy", EASY, "--json"]
        begun = time.perf_counter()
        told = subprocess.run(
            command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True
        )
        seconds = time.perf_counter() - begun
    (found,) = json.loads(told.stdout)["policies"].values()
    return {
        "jobs": len(month.arrival),
        "bytes": size,
        "seconds": seconds,
        "memory": resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024,
        "completed": found["completed"],
        "verified": found["verified"],
    }


def measure_per_node(quick: bool) -> dict[str, Any]:
    """Ours, and the published loop with a list for every node, on a day that the latter can do."""
    _compile()
    workload = _day(20 if quick else RIVAL_JOBS, RIVAL_CORES)
    policy, windows = (
        policy_named(RIVAL_POLICY).policy,
        EnergyWindows.without_limit(workload.horizon),
    )
    ours = _took(workload, policy, ReplaySettings(windows))
    prices = Prices()
    plain = PerNode(
        workload, Truth.as_estimated(len(workload.jobs)), policy, windows, lambda *_: 0.0, prices
    )
    begun = time.process_time()
    plain.run()
    return {
        "jobs": len(workload.jobs),
        "ours": ours["seconds"],
        "rival": time.process_time() - begun,
        "alike": len(plain.started) == ours["ran"],
    }


def tell(measured: Mapping[str, Any]) -> Section:
    day, little, many = measured[DAY], measured[HALF_LEFT], measured[MANY_NODES]
    month, rival = measured[MONTH], measured[PER_NODE]
    logs = [measured[name] for name in LOGS]
    slowest = [max(one[name]["seconds"] for name in HOLDING) for one in day.values()]
    return Section(
        [
            *(
                Target(f"a day of {size:,} jobs, slowest of {len(HOLDING)}", took, limit, duration)
                for size, took, limit in zip(A_DAY, slowest, LIMITS, strict=False)
            ),
            Target("10,000 times the nodes", max(many.values()) / min(many.values()), ALIKE, times),
            Target("a month of 1,000,000 jobs", month["seconds"], MONTH_LIMIT, duration),
            Target("its memory", month["memory"], MONTH_MEMORY, megabytes),
            *(
                target
                for name, log in zip(("SWF", "sacct"), logs, strict=True)
                for target in (
                    Target(
                        f"the month by the command, {name}", log["seconds"], MONTH_LIMIT, duration
                    ),
                    Target(f"its memory, {name}", log["memory"], MONTH_MEMORY, megabytes),
                )
            ),
        ],
        "\n\n".join(
            [
                "Days of the published kind: six pools of 100,000 cores, three power states, 28 h, "
                "events 60 s apart. Times are of one processor.",
                table(
                    ["Jobs a day", "Policy", "time", "an event", "jobs that wait"],
                    [
                        [
                            f"{int(size):,}",
                            name,
                            duration(one["seconds"]),
                            duration(one["seconds"] / one["events"]),
                            whole(one["waiting"]),
                        ]
                        for size, found in day.items()
                        for name, one in found.items()
                    ],
                ),
                f"With {SHARE:.0%} of the energy that each spends if it may, "
                f"{A_DAY[0]:,} jobs a day:",
                table(
                    ["Policy", "time"],
                    [[name, duration(one["seconds"])] for name, one in little.items()],
                ),
                f"The same day with so many cores, under {RIVAL_POLICY} (the least of three): "
                + ", ".join(f"{int(n):,}: {duration(took)}" for n, took in many.items())
                + ".",
                f"A month of {month['jobs']:,} jobs on {month['nodes']:,} nodes, EASY, at "
                f"{LOAD:.0%} load, jobs that take {TIME_SHARE:.0%} of their estimates: "
                f"{duration(month['seconds'])}, {megabytes(month['memory'])}, "
                f"{month['events']:,} events, at most {month['waiting']:,} jobs that wait.",
                "The same month as a log, by `wattfront replay LOG --policy easy` as a whole "
                "process: read, replayed, judged, and what is possible at most proven. "
                + " ".join(
                    f"{name}: {log['bytes'] / 1e6:.0f} MB, {duration(log['seconds'])}, "
                    f"{megabytes(log['memory'])}, {log['completed']:,.0f} jobs done, "
                    f"verified: {log['verified']}."
                    for name, log in zip(LOGS, logs, strict=True)
                ),
                f"The published loop with a list for every node, in plain Python, on "
                f"{rival['jobs']:,} jobs and {RIVAL_CORES:,} cores: {duration(rival['rival'])}; "
                f"ours {duration(rival['ours'])}. As many jobs ran: {rival['alike']}.",
            ]
        ),
    )


CASE: Final = Case(
    "Work that arrives",
    {
        DAY: Part(measure_day),
        HALF_LEFT: Part(measure_little_energy),
        MANY_NODES: Part(measure_many_nodes),
        MONTH: Part(measure_month, ours=False),
        LOGS[0]: Part(partial(measure_log, _swf), ours=False),
        LOGS[1]: Part(partial(measure_log, _sacct), ours=False),
        PER_NODE: Part(measure_per_node, ours=False),
    },
    tell,
)
