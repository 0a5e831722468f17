"""Figures 3.5 and 3.8: the fronts of all methods."""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from benchmarks.publications.claim import NEAR, Claim, duration, percent, times
from benchmarks.publications.figure import Curve, Figure, Plane, Region, Table, window
from benchmarks.publications.front.environments import (
    EVOLVED,
    FILLED,
    METHODS,
    OURS,
    PUBLISHED,
    SEEDED,
    SWEPT,
    Environment,
    Environments,
)
from benchmarks.publications.front.front_causes import FrontTrials, widest
from benchmarks.publications.linear import above_bound
from benchmarks.publications.pictures import BLACK, BLUE, GREEN, PURPLE, VERMILION
from core.engines.relaxed import Front
from core.vocabulary.arrays import FloatArray

PUBLISHED_SECONDS: Final = 0.1
A_DAY: Final = 86_400.0
MUCH_FASTER: Final = 100
SAME_END: Final = 0.001
MOST_SCHEDULES: Final = 100
METHOD_COLOURS: Final = {
    EVOLVED: PURPLE,
    SWEPT: BLUE,
    SEEDED: VERMILION,
    FILLED: BLUE,
    OURS: GREEN,
}


def fronts(environments: Environments) -> Figure:
    """Figure 3.5: each environment without idle power."""
    each, nine, tried = environments.each, environments.nine, environments.tried
    shown = (EVOLVED, SEEDED, SWEPT)
    numbers = {name: len(environment.swept.assigned) for name, environment in each.items()}
    return Figure(
        "3.5",
        "Fronts of four environments, without idle power",
        "Nine, six, two and ten. Grey is what the exact front excludes; dots are schedules, with "
        "the seconds that it took to find them. NSGA-II seeded starts from the schedules of the "
        "LP-based method; its time includes theirs.",
        [
            _plane(f"({letter}) {name}", environment, shown)
            for letter, (name, environment) in zip("abcd", each.items(), strict=True)
        ],
        [
            *_of_the_sweep(environments),
            *_against_nsga2(environments),
            *_ends(nine, tried),
            Claim(
                "1,000 weights lead to fewer than 100 different schedules, usually",
                f"below {MOST_SCHEDULES}",
                ", ".join(f"{name} {number}" for name, number in numbers.items()),
                max(numbers.values()) < MOST_SCHEDULES,
            ),
        ],
        table=_seconds(each),
    )


def _of_the_sweep(environments: Environments) -> list[Claim]:
    """How near the LP-based method comes to the bound, and how long it takes."""
    each, nine, tried = environments.each, environments.nine, environments.tried
    lp = nine.attempts[SWEPT]
    above = {name: above_bound(environment.swept) for name, environment in each.items()}
    return [
        Claim(
            "a: lower bound and full allocations are nearly indistinguishable along the whole "
            f"front (read: the makespan is at most {percent(NEAR, 0)} above, on average)",
            "nearly indistinguishable",
            f"{percent(above['nine'])} above; "
            + ", ".join(f"{k} {percent(v)}" for k, v in above.items() if k != "nine"),
            above["nine"] <= NEAR,
            cause="There are few tasks for each machine: with ten times the tasks it is "
            f"{percent(tried.above_with_more_tasks)}. It also depends on the environment: "
            f"{percent(float(tried.above.min()))} to {percent(float(tried.above.max()))} in "
            "the ten candidates.",
        ),
        Claim(
            "a: the LP-based method takes 0.1 s",
            duration(PUBLISHED_SECONDS),
            duration(lp.seconds),
            lp.seconds <= PUBLISHED_SECONDS,
            f"{times(lp.seconds / PUBLISHED_SECONDS)} the published time",
            cause=f"The cost of calling the solver: {percent(tried.without_step)} of the "
            "programs need no step of the simplex method, and still all programs together "
            f"take {duration(tried.solver_seconds)}. Walking from vertex to vertex of the "
            f"exact front takes {duration(tried.walk_seconds)}.",
        ),
    ]


def _against_nsga2(environments: Environments) -> list[Claim]:
    """NSGA-II from basic seeds and from full allocations, beside the LP-based method."""
    each, nine, tried = environments.each, environments.nine, environments.tried
    lp, evolved, seeded = (nine.attempts[method] for method in (SWEPT, EVOLVED, SEEDED))
    faster = {
        name: environment.attempts[EVOLVED].seconds / environment.attempts[SWEPT].seconds
        for name, environment in each.items()
    }
    beaten = float(np.mean([_is_beaten(point, lp.points) for point in evolved.points]))
    filled = nine.attempts[FILLED].points
    beaten_by_filled = float(np.mean([_is_beaten(point, filled) for point in evolved.points]))
    return [
        Claim(
            "NSGA-II from basic seeds takes far longer than the LP-based method (read: "
            f"at least {MUCH_FASTER} times as long, in each environment)",
            "over a day against 0.1 s",
            ", ".join(f"{name} {times(ratio)}" for name, ratio in faster.items()),
            min(faster.values()) >= MUCH_FASTER,
            f"NSGA-II took {duration(evolved.seconds)} in nine, "
            f"{times(A_DAY / evolved.seconds)} faster than a day, on another machine",
        ),
        Claim(
            "a: NSGA-II from basic seeds is dominated by the LP-based method (read: at least "
            "90 % of its schedules are)",
            "dominated by all other curves",
            f"{percent(beaten, 0)} of {len(evolved.points)} are",
            beaten >= 0.9,
            cause="The schedules of NSGA-II lie in gaps between those of the LP-based method. "
            f"After convex fill, {percent(beaten_by_filled, 0)} of them are dominated.",
        ),
        Claim(
            "a: NSGA-II seeded is not as good as the full allocations in places (read: for "
            "some of them its last generation has no schedule as good in energy and makespan)",
            "in places",
            f"for {int(tried.missed.sum())} of {len(tried.missed)}",
            bool(tried.missed.any()),
            cause="NSGA-II drops undominated chromosomes only if there are more than the "
            f"population can hold. It can hold the {len(tried.missed)} undominated seeds, so "
            "the last generation still has them, or better ones.",
        ),
        Claim(
            "a: seeding NSGA-II with full allocations decreases its run time, and improves it "
            "(read: it leaves less area)",
            "both",
            f"{duration(seeded.seconds)} against {duration(evolved.seconds)}; "
            f"{_percent_less(nine.left_loose(SEEDED), nine.left_loose(EVOLVED))} area",
            seeded.seconds < evolved.seconds and nine.left_loose(SEEDED) < nine.left_loose(EVOLVED),
        ),
    ]


def _ends(nine: Environment, tried: FrontTrials) -> list[Claim]:
    least = {method: nine.attempts[method].points.min(axis=0) for method in PUBLISHED}
    energy = np.array([point[0] for point in least.values()])
    makespan = np.array([point[1] for point in least.values()])
    spread_of_energy = float(energy.max() / nine.front.utopia[0]) - 1
    spread_of_makespan = float(makespan.max() / makespan.min()) - 1
    return [
        Claim(
            "a: all methods find schedules of about the least energy (read: within "
            f"{percent(SAME_END)} of the bound)",
            "good",
            f"within {percent(spread_of_energy, 3)}",
            spread_of_energy <= SAME_END,
        ),
        Claim(
            "a: ... but differ in the least makespan (read: by 5 % or more)",
            "significant differences",
            f"the longest is {percent(spread_of_makespan)} above the shortest",
            spread_of_makespan >= 0.05,
            cause="Min-min's schedule, which is a seed: without it the least makespan is "
            f"{percent(tried.without_min_min / makespan.min() - 1)} above the shortest.",
        ),
    ]


def filled(environments: Environments) -> Figure:
    """Figure 3.8: like 3.5 a, after convex fill."""
    nine = environments.nine
    attempts = nine.attempts
    slower = attempts[FILLED].seconds / attempts[SWEPT].seconds
    before, after, polished = (widest(attempts[method].points) for method in (SWEPT, FILLED, OURS))
    return Figure(
        "3.8",
        "The front after convex fill, and after our polish",
        "The nine environment without idle power. Convex fill has spacing 0.01. Our polish, which "
        "the publication does not have, is shown beside it.",
        [_plane("nine", nine, (SEEDED, FILLED, OURS))],
        [
            Claim(
                "Convex fill increases the run time only slightly (read: by at most half)",
                "slightly",
                f"by {percent(slower - 1)}",
                slower <= 1.5,
            ),
            Claim(
                "It leaves no large gaps (read: the longest between neighbouring schedules is at "
                "most half as long)",
                "no large gaps",
                f"{percent(after)} of the whole front against {percent(before)} without",
                bool(after <= before / 2),
                cause=f"Of {len(nine.filled.assigned)} schedules of filled points "
                f"{len(attempts[FILLED].points)} are undominated, and more points do not help: "
                "with a tenth of the spacing the longest gap is "
                f"{percent(environments.tried.finer_gap)}. Better schedules close it: with our "
                f"polish it is {percent(polished)}.",
            ),
        ],
        table=Table(
            ["method", "undominated schedules", "seconds", "mean distance in makespan (%)"],
            [
                [
                    method,
                    f"{len(attempts[method].points)}",
                    f"{attempts[method].seconds:.2f}",
                    f"{100 * _distance(nine.front, attempts[method].points):.2f}",
                ]
                for method in METHODS
            ],
        ),
        notes=[
            "The distance is how far a schedule is above the front in makespan: how much shorter "
            "a schedule of the same energy could be at best."
        ],
    )


def _plane(title: str, environment: Environment, methods: Sequence[str]) -> Plane:
    shown = [environment.attempts[method] for method in methods]
    low, high = window(
        np.concatenate([environment.front.points, *(attempt.points for attempt in shown)])
    )
    front = environment.front.points
    curves = [
        Curve(
            f"{method} ({duration(attempt.seconds)})",
            attempt.points,
            "joined dots",
            METHOD_COLOURS[method],
        )
        for method, attempt in zip(methods, shown, strict=True)
    ]
    return Plane(
        title,
        low,
        high,
        [Curve("exact front", front, "line", BLACK), *curves],
        [Region("impossible", _below(front, low, high))],
    )


def _below(front: FloatArray, low: FloatArray, high: FloatArray) -> FloatArray:
    """The part of a window that is impossible because of a front."""
    top, right = [front[0, 0], high[1]], [high[0], front[-1, 1]]
    corners = [[high[0], low[1]], [low[0], low[1]], [low[0], high[1]]]
    return np.vstack([[top], front, [right], corners])


def _distance(front: Front, schedules: FloatArray) -> float:
    """By what share schedules are longer than the front at the same energy, on average."""
    shortest = np.array([front.least_makespan(energy) for energy in schedules[:, 0]])
    return float((schedules[:, 1] / shortest - 1).mean())


def _is_beaten(point: FloatArray, others: FloatArray) -> bool:
    return bool(((others <= point).all(axis=1) & (others < point).any(axis=1)).any())


def _percent_less(after: float, before: float) -> str:
    return f"{percent(1 - after / before)} less"


def _seconds(each: Mapping[str, Environment]) -> Table:
    rows = [
        [
            method,
            *(
                f"{environment.attempts[method].seconds:,.2f} s, "
                f"{len(environment.attempts[method].points)}"
                for environment in each.values()
            ),
        ]
        for method in METHODS
    ]
    return Table(["method (seconds, undominated schedules)", *each], rows)
