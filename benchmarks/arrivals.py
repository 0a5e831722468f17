"""Case 19: a day and a month of jobs that arrive, replayed under policies."""

import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final

import numpy as np

from benchmarks.arriving_files import (
    EASY,
    LOAD,
    TIME_SHARE,
    measure_log,
    measure_millions,
    month_of_jobs,
    sacct,
    swf,
)
from benchmarks.case import Case, Part, Section, Target
from benchmarks.per_node import PerNode
from benchmarks.prices import FILTERS
from benchmarks.process import peak_memory
from benchmarks.report import duration, megabytes, table, times, whole
from core.capabilities.arrivals.made.synthetic import BudgetSettings, draw_budget_day
from core.capabilities.arrivals.policies import (
    DROP_BELOW,
    PUBLISHED_LENIENCY,
    EnergyFilter,
    PolicySwitches,
    policy_named,
    takes_filter,
)
from core.engines.replay.clock import ReplaySettings, replay
from core.engines.replay.energy import EnergyWindows
from core.engines.replay.looking import RecordedPrices
from core.engines.replay.policy import NEVER_DROPPED, Policy, Prices
from core.engines.replay.pricing import BY_PRICES, Foresight
from core.engines.replay.workload import ArrivingJobs, Options, Pools, Truth, Workload

DAY, HALF_LEFT, MANY_NODES = "A day", "A day with little energy", "Many nodes"
MONTH, PER_NODE = "A month", "A list for every node"
PRICES: Final = "A day under prices"
LOGS: Final = ("A month in an SWF log", "A month in a dump of sacct")
MILLIONS: Final = "Ten million jobs in a CSV file"
HOLDING: Final = ("max-util", "max-upt", "max-upr", "max-upe", "event-based", "task-based")
"""All published policies that hold places."""
POLICIES: Final = (*HOLDING, "max-upr-res", "conservative", "easy")
A_DAY: Final = (5_000, 10_000)
SHARE: Final = 0.7
"""The budget, as a share of the energy that the policy spends if it may."""
LIMITS: Final = (3.0, 10.0)
"""Seconds for a day of so many jobs under the slowest policy that holds places."""
CORES: Final = (100_000, 10_000_000, 1_000_000_000)
ALIKE, MONTH_LIMIT, MONTH_MEMORY = 1.1, 120.0, 2e9
RIVAL_JOBS, RIVAL_CORES = 100, 2_000
RIVAL_POLICY: Final = "max-upr"


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


def _filtered(name: str) -> Iterator[tuple[str, Policy]]:
    """A policy without a filter, and with each that it can have, by names to show."""
    policy = policy_named(name).policy
    yield name, policy
    for kind in FILTERS if takes_filter(policy) else ():
        chosen = EnergyFilter(kind, PUBLISHED_LENIENCY[kind])
        yield f"{name}, filter {kind}", PolicySwitches(policy.drop_below, chosen).applied(policy)


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
    """By jobs a day and policy, also with each energy filter, as above."""
    _compile()
    found: dict[str, Any] = {}
    for size in (200,) if quick else A_DAY:
        workload, of_size = _day(size), found.setdefault(str(size), {})
        for name in HOLDING:
            free = _took(workload, policy_named(name).policy, ReplaySettings())
            windows = EnergyWindows.daily(workload.horizon, SHARE * free["joules"])
            for title, policy in _filtered(name):
                of_size[title] = _took(workload, policy, ReplaySettings(windows))
    return found


def measure_prices(quick: bool) -> dict[str, dict[str, Any]]:
    """By jobs a day and drop threshold: our policy by prices, with a share of the energy that Max
    UPR spends if it may.
    """
    _compile()
    found = {}
    for size in (200,) if quick else A_DAY:
        workload = _day(size)
        free = _took(workload, policy_named(RIVAL_POLICY).policy, ReplaySettings())
        windows = EnergyWindows.daily(workload.horizon, SHARE * free["joules"])
        settings = ReplaySettings(windows, pricing=Foresight())
        # It compiles what only policies by prices call.
        replay(workload, BY_PRICES, settings=replace(settings, pricing=RecordedPrices(())))
        found[str(size)] = {
            str(drop): _took(workload, replace(BY_PRICES, drop_below=drop), settings)
            for drop in (NEVER_DROPPED, DROP_BELOW)
        }
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


def measure_month(quick: bool) -> dict[str, Any]:
    """EASY backfilling of a month, at events 60 s apart; jobs take 30 % of their estimates."""
    _compile()
    month = month_of_jobs(quick)
    jobs = len(month.arrival)
    watts = np.full(jobs, 100.0)
    workload = Workload(
        Pools.of(["nodes"], [month.nodes]),
        ArrivingJobs.plain(month.arrival),
        Options.of(jobs, 0, month.units, month.seconds, watts),
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
    millions, prices = measured[MILLIONS], measured[PRICES]
    slowest = [
        max(
            *(day[size][name]["seconds"] for name in HOLDING),
            *(one["seconds"] for one in little[size].values()),
        )
        for size in day
    ]
    return Section(
        [
            *(
                Target(f"a day of {size:,} jobs, slowest that holds places", took, limit, duration)
                for size, took, limit in zip(A_DAY, slowest, LIMITS, strict=False)
            ),
            *(
                Target(
                    f"a day of {int(size):,} jobs under prices, with and without a drop threshold",
                    max(took["seconds"] for took in one.values()),
                    limit,
                    duration,
                )
                for (size, one), limit in zip(prices.items(), LIMITS, strict=False)
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
                "All published policies that hold places, with "
                f"{SHARE:.0%} of the energy that each spends if it may, and with energy filters:",
                table(
                    ["Policy", *(f"{int(size):,} jobs a day" for size in little)],
                    [
                        [name, *(duration(one[name]["seconds"]) for one in little.values())]
                        for name in next(iter(little.values()))
                    ],
                ),
                "Our policy by prices, which replays the rest of the day to set them, with "
                f"{SHARE:.0%} of the energy that {RIVAL_POLICY} spends if it may, with the "
                "published drop threshold and without one: "
                + "; ".join(
                    f"{int(size):,} jobs {duration(one[str(DROP_BELOW)]['seconds'])} and "
                    f"{duration(one[str(NEVER_DROPPED)]['seconds'])}"
                    for size, one in prices.items()
                )
                + ".",
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
                f"A CSV file of {millions['jobs']:,} jobs over a year, "
                f"{millions['bytes'] / 1e6:.0f} MB: read in {duration(millions['seconds'])} of "
                f"processor time and {megabytes(millions['memory'])}. `wattfront replay FILE "
                "--policy easy --no-bound`, which reads, replays and judges it: "
                f"{duration(millions['replayed'])} of processor time and "
                f"{megabytes(millions['replay_memory'])}, {millions['completed']:,.0f} jobs done, "
                f"verified: {millions['verified']}.",
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
        PRICES: Part(measure_prices),
        MANY_NODES: Part(measure_many_nodes),
        MONTH: Part(measure_month, ours=False),
        LOGS[0]: Part(partial(measure_log, swf), ours=False),
        LOGS[1]: Part(partial(measure_log, sacct), ours=False),
        MILLIONS: Part(measure_millions, ours=False),
        PER_NODE: Part(measure_per_node, ours=False),
    },
    tell,
)
