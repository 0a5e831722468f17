"""Case 24: days of a centre, their bounds, and how near plans come to them.

Days are those that `core/capabilities/centre/made.py` draws: 3 sizes x 3 profiles of green power x
3 targets x 3 seeds. At most 5 % of the time that jobs run may be late.
"""

import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np

from benchmarks.case import Case, Part, Section, Target
from benchmarks.report import duration, percent, table, times
from core.capabilities.centre.bound import DayBound, DaySearch
from core.capabilities.centre.centre import Centre, Cooling, PhysicalRoom, ServerKind
from core.capabilities.centre.cooling import FINE, cheapest_cooling, cooling_watts
from core.capabilities.centre.day import CentreDay, Curves, grouped
from core.capabilities.centre.made import (
    MADE_GREENS,
    MADE_JOBS,
    MADE_SEEDS,
    MADE_TARGETS,
    made_day,
)
from core.capabilities.centre.objectives import DayCaps, DayWeights
from core.capabilities.centre.plan import measured
from core.capabilities.centre.recover import Recovery, judged
from core.capabilities.centre.rivals.as_usual import as_usual
from core.capabilities.centre.rivals.evolving import evolved
from core.capabilities.centre.solving import GeneralSolver
from core.engines.lp.program import Entries, Program

BOUND, RIVAL, LARGE, WEEK = "Bound of a day", "The whole program", "A large day", "A week"
PLANS, EVOLVED = "Plans of 81 days", "Evolved plans of 9 days"
WEIGHTS: Final = DayWeights.only("cost")
LATE: Final = 0.05
SECONDS: Final = 3.0
"""How long plans are looked for."""


def _caps(day: CentreDay, late: float = LATE) -> DayCaps:
    return DayCaps(lateness=late * day.jobs.execution_steps)


def _bound(day: CentreDay) -> tuple[float, DayBound]:
    begun = time.perf_counter()
    bound = DaySearch(day).bound(WEIGHTS, _caps(day))
    return time.perf_counter() - begun, bound


def measure_bound(quick: bool) -> dict[str, Any]:
    """Seconds of a bound, of the next one with a slider moved, and of the cheapest cooling."""
    day = made_day("small" if quick else "large", "g1", "A", 1)
    _bound(day)  # compiles
    seconds, bound = _bound(day)
    search = DaySearch(day)
    search.bound(WEIGHTS, _caps(day))
    begun = time.perf_counter()
    search.bound(WEIGHTS, _caps(day, 0.06))
    slid = time.perf_counter() - begun
    servers, costs = np.full(day.steps, 1200.0), np.tile(cooling_watts(day), (day.steps, 1))
    cheapest_cooling(day, servers, costs)
    begun = time.perf_counter()
    cheapest_cooling(day, servers, costs, FINE)
    cooled = time.perf_counter() - begun
    apart = 1 - bound.value / bound.found
    return {"seconds": seconds, "slid": slid, "cooled": cooled, "apart": apart}


def measure_rival(quick: bool) -> dict[str, Any]:
    """Seconds of the same program without a cut of cooling: ours, and with every start from the
    beginning on by the interior point method of HiGHS, as we state it and as it is written down.
    """
    day = made_day("small" if quick else "large", "g1", "A", 1)
    _bound(made_day("small"))
    steps, jobs = np.arange(day.steps), day.jobs

    def compact() -> float:
        search = DaySearch(day, GeneralSolver)
        ends = steps + jobs.length[:, None]
        search.known |= (steps >= jobs.release[:, None]) & (ends <= day.steps)
        return search.settled(WEIGHTS, _caps(day)).value

    found: dict[str, float] = {}
    ways: dict[str, Callable[[], float]] = {
        "written": lambda: _as_written(day, LATE),
        "compact": compact,
        "uncut": lambda: DaySearch(day).settled(WEIGHTS, _caps(day)).value,
    }
    for name, solved in ways.items():
        seconds = []
        for _ in range(3):
            begun = time.perf_counter()
            value = solved()
            seconds.append(time.perf_counter() - begun)
        found |= {name: min(seconds), f"{name} value": value}
    return found


def _as_written(day: CentreDay, late: float) -> float:
    """The least cost, by the program of a made day as the specification writes it: tangents are
    rows, and each job has a column for each start.
    """
    centre, jobs, curves, steps = day.centre, day.jobs, day.curves, day.steps
    (kind,), cooling, law = centre.kinds, centre.cooling, centre.heat(day.step)
    each = np.repeat(np.arange(len(jobs)), jobs.count)
    program = Program(solver="ipm")
    at = np.arange(steps)
    one, inf = np.ones(steps), np.full(steps, np.inf)
    assigned = program.add_rows(np.ones(len(each)), np.ones(len(each)))
    flow = program.add_rows(np.zeros(steps + 1), np.append(np.zeros(steps), np.inf))
    program.set_row_bounds(flow[-1:], -np.inf, np.inf)
    mode = program.add_rows(-inf, one)
    touching = np.arange(0.05, 1.0, 0.1)
    tangents = [program.add_rows(-2 * a**3 * one, inf) for a in touching]
    warmed = law.outside * curves.outside + law.per_watt * day.base_watts
    warmed[0] += law.kept * centre.first
    room = program.add_rows(warmed, inf)
    colder = np.maximum(centre.limit - curves.outside, 0.0)
    colder[0] = max(centre.first - curves.outside[0], 0.0)
    within = program.add_rows(-inf, 0 * one)
    below = program.add_rows(-inf, np.append(np.inf, -curves.outside[1:]))
    after = program.add_rows(np.full(2, -np.inf), np.full(2, np.inf))
    bought = program.add_rows(day.base_watts / 1000 - curves.green / 1000, inf)
    lateness = program.add_rows(-np.inf, np.array([late * jobs.execution_steps]))
    busy = (kind.busy_watts - kind.asleep_watts) / 1000
    program.add_columns(
        [(flow[:-1], 1.0), (flow[1:], -1.0), (bought, -busy), (room, -busy * 1000 * law.per_watt)],
        0.0,
        0.0,
        float(kind.count),
    )
    program.add_columns(
        [(mode, 1.0), (bought, -cooling.compressor_watts / 1000), (room, law.compressor)],
        upper=1.0,
    )
    speed: list[Entries] = [(mode, 1.0), (within, -colder)]
    program.add_columns(
        [*speed, *((row, -3 * a**2) for row, a in zip(tangents, touching, strict=True))], upper=1.0
    )
    program.add_columns(
        [*((row, 1.0) for row in tangents), (bought, -cooling.fan_watts / 1000)], upper=1.0
    )
    program.add_columns([(within, 1.0), (below, 1.0), (room, law.fan)])
    program.add_columns(
        [
            (room, 1.0),
            (np.append(room[1:], after[0]), -law.kept),
            (np.append(below[1:], after[1]), -1.0),
        ],
        lower=-np.inf,
        upper=centre.limit,
    )
    program.add_columns([(bought, 1.0)], curves.price * day.step / 3600)
    job, start = np.nonzero(
        (at >= jobs.release[each][:, None]) & (at + jobs.length[each][:, None] <= steps)
    )
    group = each[job]
    width = jobs.width[group].astype(float)
    program.add_columns(
        [
            (assigned[job], 1.0),
            (flow[start], -width),
            (flow[start + jobs.length[group]], width),
            (np.full(len(job), lateness[0]), jobs.lateness(group, start)),
        ]
    )
    return program.minimise().objective


def large_day(steps: int, jobs: int, kinds: int) -> CentreDay:
    """Days of 288 steps of 5 minutes: sun and weather by the hour, jobs of so many kinds."""
    random = np.random.default_rng(1)
    length, width = random.integers(1, 25, kinds), random.choice([1, 1, 1, 2, 4, 8], kinds)
    release = random.integers(0, steps - 60, kinds)
    due = np.ceil(release + length * random.uniform(1.2, 4.0, kinds))
    rows = zip([0] * kinds, width, length, release, due, strict=True)
    day_jobs = grouped([row for row in rows for _ in range(jobs // kinds)])
    servers = int(2 * (day_jobs.count * day_jobs.width) @ day_jobs.length / steps)
    hour, size = np.arange(steps) / 12 % 24, servers / 64
    centre = Centre(
        (ServerKind("server", servers, 30.0, 22.0, 3.0, 120.0, 3600.0),),
        Cooling(410 * size, 1000 * size, 2300 * size, 5500 * size),
        PhysicalRoom(2e6 * size, 50 * size),
        limit=27.0,
        first=26.5,
    )
    curves = Curves(
        0.2 + 0.1 * np.sin(hour / 24 * 2 * np.pi),
        300 + 100 * np.cos(hour / 24 * 2 * np.pi),
        15 + 8 * np.sin((hour - 8) / 24 * 2 * np.pi),
        np.maximum(0, np.sin((hour - 6) / 12 * np.pi)) * 1000 * size,
        np.full(steps, 1000 * size),
    )
    return CentreDay(centre, day_jobs, curves, 300.0)


def measure_large(quick: bool, days: int = 1) -> dict[str, Any]:
    """Seconds of the bound of so many days as one, and of a first plan."""
    day = large_day(288 * days, (1_000 if quick else 10_000) * days, 200 * days)
    _bound(made_day("small"))
    seconds, bound = _bound(day)
    begun = time.perf_counter()
    found = Recovery(day, bound, WEIGHTS, _caps(day)).search(0.0)
    planned = time.perf_counter() - begun
    return {"seconds": seconds, "planned": planned, "above": found.value / bound.value - 1}


def measure_week(quick: bool) -> dict[str, Any]:
    """The same of a week."""
    return measure_large(quick, 7)


def _usual(day: CentreDay) -> float:
    """What the publication compares with: as usual, without green power."""
    none = replace(day.curves, green=np.zeros(day.steps))
    return measured(day, as_usual(day), none).cost


def measure_plans(quick: bool) -> list[dict[str, Any]]:
    """How far plans are above the bound, as a share of the cost as usual."""
    found = []
    for size in MADE_JOBS:
        for green in MADE_GREENS:
            for target in MADE_TARGETS[:1] if quick else MADE_TARGETS:
                for seed in MADE_SEEDS[:1] if quick else MADE_SEEDS:
                    day = made_day(size, green, target, seed)
                    seconds, bound = _bound(day)
                    usual = _usual(day)
                    recovery = Recovery(day, bound, WEIGHTS, _caps(day))
                    plan = recovery.search(0.3 if quick else SECONDS, 1e-4 * usual)
                    gap = (plan.value - max(bound.value, 0.0)) / usual
                    named = {"size": size, "green": green, "target": target, "seed": seed}
                    found.append(
                        named
                        | {"seconds": seconds, "bound": bound.value, "plan": plan.value}
                        | {"usual": usual, "gap": gap, "kept": plan.beyond == 0}
                    )
    return found


def measure_evolved(quick: bool) -> list[dict[str, Any]]:
    """NSGA-II and ev-MOGA with Best Fit Hole at their published settings, and our plan."""
    found = []
    for size in MADE_JOBS:
        for green in MADE_GREENS[:1] if quick else MADE_GREENS:
            day = made_day(size, green, "A", 1)
            _, bound = _bound(day)
            plan = Recovery(day, bound, WEIGHTS, _caps(day)).search(0.3 if quick else SECONDS)
            row: dict[str, Any] = {"size": size, "green": green, "ours": plan.value}
            for method in ("nsga2", "ev-moga"):
                begun = time.perf_counter()
                plans = [
                    judged(day, each, WEIGHTS, _caps(day), bound) for each in evolved(day, method)
                ]
                kept = [one.value for one in plans if one.beyond == 0]
                row[method] = min(kept, default=float("inf"))
                row[f"{method} seconds"] = time.perf_counter() - begun
            found.append(row | {"bound": bound.value})
    return found


def tell(parts: Mapping[str, Any]) -> Section:
    bound, rival, large, week = (parts[name] for name in (BOUND, RIVAL, LARGE, WEEK))
    plans, others = parts[PLANS], parts[EVOLVED]
    gaps = [one["gap"] for one in plans]
    best = [min(one["nsga2"], one["ev-moga"]) for one in others]
    below = sum(one["ours"] <= least + 1e-9 for one, least in zip(others, best, strict=True))
    return Section(
        [
            Target(
                "program as written / ours without cuts",
                rival["written"] / rival["uncut"],
                8.0,
                times,
                at_least=True,
            ),
            Target(
                "ours by HiGHS / ours without cuts",
                rival["compact"] / rival["uncut"],
                8.0,
                times,
                at_least=True,
            ),
            Target("program above its bound", bound["apart"], 1e-4, percent),
            Target("next bound, a slider moved", bound["slid"], 0.3, duration),
            Target("cheapest cooling of a day", bound["cooled"], 0.2, duration),
            Target("288 steps, 10,000 jobs", large["seconds"] + large["planned"], 10.0, duration),
            Target("a week of it", week["seconds"] + week["planned"], 90.0, duration),
            Target("plan above bound, mean of 81", float(np.mean(gaps)), 0.005, percent),
            Target("plan above bound, most of 81", max(gaps), 0.01, percent),
            Target(
                "days of 9 below both evolutions",
                below,
                len(others),
                lambda n: f"{n:.0f}",
                at_least=True,
            ),
        ],
        "\n\n".join(
            [
                "Days of 150 steps on 64 servers, least cost with at most 5 % late. Plans are "
                f"looked for {SECONDS:g} s; what they are above the bound is a share of the cost "
                "as usual, without green power. Mean of each size and profile of green power:",
                table(
                    ["Size", "green", "bound", "plan", "as usual", "above", "most"], _rows(plans)
                ),
                "Evolution at published settings (20 x 1,000 and 100 x 1,000), one run each, the "
                "least cost of those that keep the cap on lateness:",
                table(
                    ["Size", "green", "bound", "ours", "NSGA-II", "in", "ev-MOGA", "in"],
                    [
                        [
                            one["size"],
                            one["green"],
                            *(f"{one[name]:.3f}" for name in ("bound", "ours", "nsga2")),
                            duration(one["nsga2 seconds"]),
                            f"{one['ev-moga']:.3f}",
                            duration(one["ev-moga seconds"]),
                        ]
                        for one in others
                    ],
                ),
            ]
        ),
    )


def _rows(plans: list[dict[str, Any]]) -> list[list[str]]:
    rows = []
    for size in MADE_JOBS:
        for green in MADE_GREENS:
            some = [one for one in plans if (one["size"], one["green"]) == (size, green)]
            means = [
                f"{np.mean([one[name] for one in some]):.3f}" for name in ("bound", "plan", "usual")
            ]
            gaps = [one["gap"] for one in some]
            rows.append([size, green, *means, percent(float(np.mean(gaps))), percent(max(gaps))])
    return rows


CASE: Final = Case(
    "A day of a centre",
    {
        BOUND: Part(measure_bound),
        RIVAL: Part(measure_rival, ours=False),
        LARGE: Part(measure_large),
        WEEK: Part(measure_week),
        PLANS: Part(measure_plans),
        EVOLVED: Part(measure_evolved, ours=False),
    },
    tell,
)
