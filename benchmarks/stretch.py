"""Case 20: the best possible worst stretch, beside a bisection that solves each time anew, and how
near whole tasks come to it online.
"""

import math
import statistics
import time
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np

from benchmarks.case import Case, Part, Section, Target
from benchmarks.report import duration, table, times, whole
from core.capabilities.fair_shares.bags import BagWork
from core.capabilities.fair_shares.energy import energy_front
from core.capabilities.fair_shares.epochs import LEAST_STRETCH, Epochs, epochs_between
from core.capabilities.fair_shares.optimum import least_stretch, stretch_in_turns
from core.capabilities.fair_shares.tasks.machine_work import MachineWork
from core.capabilities.fair_shares.tasks.policies import TASK_POLICIES, run_policy
from core.capabilities.fair_shares.trials import published_scenario
from core.engines.lp.program import Entries, Infeasible, Program
from core.vocabulary.arrays import IntArray
from core.vocabulary.budget import Effort

PART = "Wattfront and bisection"
ONLINE = "whole tasks online"
OURS, RIVAL = "polished-online", "cbs3m-edf-online"
ONLINE_SEEDS: Final = 10
POLISH_SECONDS: Final = 1.0
"""At each release."""
HALF: Final = 0.5
SMALL, MANY, LARGE = (
    "20 bags, 10 workers",
    "20 bags, 10,000 machines of 10 kinds",
    "40 bags, 10 workers",
)
SIZES: Final[Mapping[str, Mapping[str, int]]] = {
    SMALL: {},
    MANY: {"each": 1000},
    LARGE: {"bags": 40},
}
SEEDS: Final = {SMALL: 20, MANY: 20, LARGE: 10}
RIVAL_SEEDS: Final = {SMALL: 5, MANY: 0, LARGE: 1}
FIRST_SEED: Final = 200
LIMITS: Final = {SMALL: 0.3, LARGE: 3.0}
ALIKE: Final = 1.25
NEAR: Final = 1e-6
FRONT_SEEDS: Final = {SMALL: 10, LARGE: 2}
FRONT_LIMIT: Final = 5.0
WATTS: Final = (80, 300)
IDLE_WATTS: Final = 60.0
AGREE: Final = 2e-6


def measure(quick: bool) -> dict[str, Any]:
    """By size and scenario: what was found, programs solved and processor time (s), without and
    with the plan that is early; and the same of the bisection, where it was run.
    """
    least_stretch(published_scenario(0, 3, 2))  # imports what it needs
    found: dict[str, Any] = {}
    for name, shape in SIZES.items():
        ours, rival = [], []
        for seed in range(FIRST_SEED, FIRST_SEED + (2 if quick else SEEDS[name])):
            shape = {**shape, "bags": 6} if quick else shape
            ours.append(_ours(seed, shape))
            if seed - FIRST_SEED < RIVAL_SEEDS[name]:
                rival.append(_bisection(seed, shape))
        fronts = [
            _front(seed, {**shape, "bags": 6} if quick else shape)
            for seed in range(FIRST_SEED, FIRST_SEED + FRONT_SEEDS.get(name, 0))
        ]
        found[name] = {"ours": ours, "bisection": rival, "fronts": fronts[: 2 if quick else None]}
    return found


def measure_online(quick: bool) -> list[dict[str, float]]:
    """By scenario: the worst stretch online over the least possible one, by policy, releases, and
    seconds of ours.
    """
    found = []
    effort = Effort(POLISH_SECONDS / 100 if quick else POLISH_SECONDS)
    for seed in range(FIRST_SEED, FIRST_SEED + (2 if quick else ONLINE_SEEDS)):
        bags = published_scenario(seed, **({"bags": 6} if quick else {}))
        work, least = MachineWork.of(bags), least_stretch(bags, early=False).stretch
        over = {}
        for name in (RIVAL, OURS):
            begun = time.perf_counter()
            over[name] = run_policy(work, TASK_POLICIES[name], effort).scores.max_stretch / least
        seconds = time.perf_counter() - begun
        found.append({**over, "releases": len(np.unique(bags.release)), "seconds": seconds})
    return found


def _front(seed: int, shape: Mapping[str, int]) -> dict[str, float]:
    """The front of worst stretch and energy, of workers whose watts are drawn."""
    bags = published_scenario(seed, **shape)
    rng, system = np.random.default_rng(seed), bags.system
    watts = np.broadcast_to(rng.uniform(*WATTS, len(system.machine_types)), system.etc.shape)
    machines = tuple(replace(one, idle_power=IDLE_WATTS) for one in system.machine_types)
    powered = replace(bags, system=replace(system, apc=watts, machine_types=machines))
    least = least_stretch(powered, early=False)
    begun = time.process_time()
    front = energy_front(least)
    return {
        "vertices": len(front.points),
        "gap": front.gap if front.complete else math.inf,
        "programs": front.programs,
        "seconds": time.process_time() - begun,
    }


def _ours(seed: int, shape: Mapping[str, int]) -> dict[str, float]:
    bags = published_scenario(seed, **shape)
    begun = time.process_time()
    found = least_stretch(bags, early=False)
    took = time.process_time() - begun
    begun = time.process_time()
    least_stretch(published_scenario(seed, **shape))
    return {
        "stretch": found.stretch,
        "proven": found.proven,
        "milestones": len(found.milestones),
        "programs": found.programs,
        "seconds": took,
        "early": time.process_time() - begun,
    }


def _bisection(seed: int, shape: Mapping[str, int]) -> dict[str, float]:
    bags = published_scenario(seed, **shape)
    work, ideal, programs = bags.work, bags.ideal, 0
    begun = time.process_time()
    low, high = LEAST_STRETCH, stretch_in_turns(work.release, ideal)
    while high - low > NEAR:
        middle = (low + high) / 2
        programs += 1
        if possible(work, epochs_between(work.release, ideal, middle, middle), middle):
            high = middle
        else:
            low = middle
    return {"stretch": high, "programs": programs, "seconds": time.process_time() - begun}


def possible(work: BagWork, epochs: Epochs, stretch: float) -> bool:
    """Whether all deadlines of a stretch can be kept, by the published program: what is sent to and
    computed on each worker, and what waits there, for each bag and interval. Memory is unlimited.
    """
    lengths = np.diff(epochs.dates(stretch))
    bags, workers = work.seconds.shape
    interval = np.arange(len(lengths))
    windows = (interval >= epochs.first[:, None]) & (interval <= epochs.last[:, None])
    bag, j = np.nonzero(windows)
    bag, j = np.repeat(bag, workers), np.repeat(j, workers)
    worker = np.tile(np.arange(workers), len(bag) // workers)
    number: IntArray = np.full((bags, workers, len(lengths)), -1)
    number[bag, worker, j] = np.arange(len(bag))
    program = Program(solver="simplex")
    done = program.add_rows(work.counts, work.counts)
    limits = np.tile(lengths, workers)
    links = program.add_rows(-np.inf, limits).reshape(workers, -1)
    cpus = program.add_rows(-np.inf, limits).reshape(workers, -1)
    master = program.add_rows(-np.inf, lengths)
    balance = program.add_rows(np.zeros(len(bag)), 0.0)
    sent: list[Entries] = [
        (done[bag], 1.0),
        (links[worker, j], work.link_seconds[bag, worker]),
        (master[j], work.master_seconds[bag]),
        (balance, 1.0),
    ]
    program.add_columns(sent)
    program.add_columns([(cpus[worker, j], work.seconds[bag, worker]), (balance, -1.0)])
    later = np.flatnonzero(j > epochs.first[bag])
    before = number[bag[later], worker[later], j[later] - 1]
    program.add_columns([(balance[later], 1.0), (balance[before], -1.0)])
    try:
        program.minimise(feasible=False)
    except Infeasible:
        return False
    return True


def tell(measured: Mapping[str, Any]) -> Section:
    found, online = measured[PART], measured[ONLINE]
    excess = {name: statistics.mean(one[name] - 1 for one in online) for name in (OURS, RIVAL)}
    ours = {name: found[name]["ours"] for name in SIZES}
    rival = {name: found[name]["bisection"] for name in SIZES if found[name]["bisection"]}
    slowest = {name: max(one["seconds"] for one in ours[name]) for name in SIZES}
    medians = {name: _median(ours[name], "seconds") for name in SIZES}
    apart = max(
        abs(one["stretch"] - other["stretch"])
        for name in rival
        for one, other in zip(ours[name], rival[name], strict=False)
    )
    gap = max(1 - one["proven"] / one["stretch"] for name in SIZES for one in ours[name])
    targets = [
        *(
            Target(f"{name}, slowest of {len(ours[name])}", slowest[name], limit, duration)
            for name, limit in LIMITS.items()
        ),
        Target(
            "10,000 machines, times the time of 10",
            medians[MANY] / medians[SMALL],
            ALIKE,
            times,
        ),
        Target(
            f"front against energy, {SMALL}, slowest of {len(found[SMALL]['fronts'])}",
            max(one["seconds"] for one in found[SMALL]["fronts"]),
            FRONT_LIMIT,
            duration,
        ),
        Target(
            "front farthest from what is proven, as a share",
            max(one["gap"] for name in FRONT_SEEDS for one in found[name]["fronts"]),
            1e-9,
            _small,
        ),
        Target("farthest from the bisection", apart, AGREE, _small),
        Target(
            f"excess of the worst stretch online, {len(online)} scenarios, times that of CBS3M EDF",
            excess[OURS] / excess[RIVAL],
            HALF,
            times,
        ),
        Target("farthest from what is proven, as a share", gap, 1e-9, _small),
    ]
    rows = [
        [
            name,
            duration(medians[name]),
            duration(slowest[name]),
            duration(_median(ours[name], "early")),
            whole(_median(ours[name], "programs")),
            whole(_median(ours[name], "milestones")),
            *(
                (duration(_median(rival[name], "seconds")), whole(_median(rival[name], "programs")))
                if name in rival
                else ("", "")
            ),
        ]
        for name in SIZES
    ]
    summary = (statistics.mean, min, max)
    a_release = sum(one["seconds"] for one in online) / sum(one["releases"] for one in online)
    heads = ["Scenarios", "median", "slowest", "with early plan", "programs", "milestones"]
    return Section(
        targets,
        "\n\n".join(
            [
                "Processor time of the exact optimum with its proof. A bisection to a millionth "
                "solves the published program from nothing each time; it begins at the same "
                "stretch as ours.",
                table([*heads, "bisection", "its programs"], rows),
                "The front of worst stretch and energy, after the optimum: machines draw "
                f"{WATTS[0]} W to {WATTS[1]} W, and {IDLE_WATTS:g} W idle.",
                table(
                    ["Scenarios", "median", "slowest", "programs", "vertices"],
                    [
                        [
                            name,
                            duration(_median(found[name]["fronts"], "seconds")),
                            duration(max(one["seconds"] for one in found[name]["fronts"])),
                            whole(_median(found[name]["fronts"], "programs")),
                            whole(_median(found[name]["fronts"], "vertices")),
                        ]
                        for name in FRONT_SEEDS
                    ],
                ),
                f"Whole tasks online, 20 bags on 10 machines, with {POLISH_SECONDS:g} s of polish "
                "at each release: the worst stretch over the least possible one. The search ends "
                "sooner where it meets what is proven.",
                table(
                    ["Policy", "mean", "least", "most", "seconds a release"],
                    [
                        [
                            TASK_POLICIES[name].label,
                            *(times(of([one[name] for one in online])) for of in summary),
                            seconds,
                        ]
                        for name, seconds in ((OURS, duration(a_release)), (RIVAL, ""))
                    ],
                ),
            ]
        ),
    )


def _median(measured: list[dict[str, float]], what: str) -> float:
    return statistics.median(one[what] for one in measured)


def _small(value: float) -> str:
    return f"{value:.1g}" if math.isfinite(value) else "∞"


CASE: Final = Case(
    "Best possible worst stretch", {PART: Part(measure), ONLINE: Part(measure_online)}, tell
)
