"""Case 18: what to buy before it is known what arrives, for thousands of scenarios."""

import time
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from benchmarks.case import Case, Part, Section, Target
from benchmarks.plan_as_stated import decide_as_stated
from benchmarks.process import peak_memory
from benchmarks.publications.provision.examples import E3_COV, E3_WEIGHTS, e3_scenarios, like_e3
from benchmarks.report import duration, megabytes, percent, table, whole
from core.capabilities.provision.comparison import decide_directly
from core.capabilities.provision.confidence import Sampling, out_of_sample
from core.capabilities.provision.futures.uncertainty import Uncertainty, Variation
from core.capabilities.provision.plan import Plan
from core.capabilities.provision.second_stages import SecondStages
from core.capabilities.provision.two_stage import decide
from core.vocabulary.intervals import Interval

OURS, DIRECT, STATED = "Decomposition", "One program, interior point", "As stated, CVXPY on HiGHS"
MANY, WHOLE, EVEN, EQUAL = "100,000 scenarios", "Whole machines", "Even points", "Equal time"
SIZES: Final = (300, 1000, 3000)
STATED_SIZE: Final = 100
SMALL: Final = 10
"""Scenarios where all is to be quick."""
MOST_SCENARIOS: Final = 100_000
SAMPLE: Final = 1000
"""Scenarios of the published sampler, where as much time is given to ours."""
POINTS: Final = ("independent", "latin", "sobol")
DRAWN: Final = 512
REPETITIONS: Final = 32
LIMIT, MANY_LIMIT, MANY_MEMORY = 10.0, 300.0, 4e9
AGREE: Final = 1e-6
HALF: Final = 0.5


def measure_decomposition(quick: bool) -> dict[str, Any]:
    """By number of scenarios: how long it took (s), what was found, and what is possible."""
    _decided(SMALL)  # compiles, or loads what is compiled
    return {str(size): _decided(size) for size in _sizes(quick, (STATED_SIZE, *SIZES))}


def measure_direct(quick: bool) -> dict[str, Any]:
    plan = like_e3()
    found = {}
    for size in _sizes(quick, SIZES):
        scenarios = e3_scenarios(plan, size)
        begun = time.perf_counter()
        _, value = decide_directly(plan, scenarios, E3_WEIGHTS)
        found[str(size)] = {"seconds": time.perf_counter() - begun, "value": value}
    return found


def measure_stated(quick: bool) -> dict[str, Any]:
    plan = like_e3()
    scenarios = e3_scenarios(plan, SMALL if quick else STATED_SIZE)
    begun = time.perf_counter()
    _, value = decide_as_stated(plan, scenarios, E3_WEIGHTS)
    return {str(len(scenarios)): {"seconds": time.perf_counter() - begun, "value": value}}


def measure_many(quick: bool) -> dict[str, Any]:
    _decided(SMALL)
    return _decided(1000 if quick else MOST_SCENARIOS) | {"memory": peak_memory()}


def measure_whole(quick: bool) -> dict[str, Any]:
    """What whole machines cost: both optima, by number of scenarios."""
    _decided(SMALL)
    return {
        str(size): {"any": _decided(size), "whole": _decided(size, whole=True)}
        for size in _sizes(quick, (300, 3000))
    }


def measure_even(quick: bool) -> dict[str, Any]:
    """The standard deviation of the optimum over samples of one size, by kind of points."""
    plan = like_e3()
    seeds = range(4 if quick else REPETITIONS)
    return {
        points: float(
            np.std(
                [
                    decide(plan, e3_scenarios(plan, DRAWN, seed, points), E3_WEIGHTS).lower
                    for seed in seeds
                ],
                ddof=1,
            )
        )
        for points in POINTS
    }


def measure_equal_time(quick: bool) -> dict[str, Any]:
    """Half of the interval of the mean, as published and ours, in the time of the former.

    The published sampler draws independent scenarios and solves the program of all of them. Ours
    decides on Sobol points and evaluates the purchase on fresh ones, as many as there is time for.
    """
    plan, size = like_e3(), 100 if quick else SAMPLE
    spread = Variation(E3_COV)
    uncertainty = Uncertainty(arrivals=spread, times=spread)
    _decided(SMALL)
    begun = time.perf_counter()
    scenarios = e3_scenarios(plan, size)
    purchase, _ = decide_directly(plan, scenarios, E3_WEIGHTS)
    allowed = time.perf_counter() - begun
    stages = SecondStages(plan, scenarios, E3_WEIGHTS)
    published = Interval.of(stages.of(purchase.counts).values - stages.spent(purchase))
    ours = _ours(plan, uncertainty, 64)
    while (more := _ours(plan, uncertainty, 2 * ours["scenarios"]))["seconds"] <= allowed:
        ours = more
    return {
        "published": {
            "scenarios": size,
            "seconds": allowed,
            "mean": published.mean,
            "half_width": published.half_width,
        },
        "ours": ours,
    }


def _ours(plan: Plan, uncertainty: Uncertainty, count: int) -> dict[str, Any]:
    """A purchase for so many Sobol points, and its mean on as many fresh ones, 16 times."""
    begun = time.perf_counter()
    sampling = Sampling(uncertainty, count)
    decision = decide(plan, sampling.scenarios(plan), E3_WEIGHTS)
    aim = out_of_sample(plan, decision.purchase, E3_WEIGHTS, sampling).aim
    return {
        "scenarios": count,
        "seconds": time.perf_counter() - begun,
        "mean": aim.mean,
        "half_width": aim.half_width,
    }


def _sizes(quick: bool, sizes: Sequence[int]) -> Sequence[int]:
    return [SMALL] if quick else sizes


def _decided(size: int, *, whole: bool = False) -> dict[str, Any]:
    plan = like_e3()
    scenarios = e3_scenarios(plan, size)
    begun, computed = time.perf_counter(), time.process_time()
    found = decide(plan, scenarios, E3_WEIGHTS, whole=whole)
    return {
        "seconds": time.perf_counter() - begun,
        "processor": time.process_time() - computed,
        "value": found.lower,
        "upper": found.upper,
        "tries": found.tries,
    }


def tell(measured: Mapping[str, Any]) -> Section:
    ours, direct, stated = measured[OURS], measured[DIRECT], measured[STATED]
    many, whole_ones = measured[MANY], measured[WHOLE]
    even, equal = measured[EVEN], measured[EQUAL]
    apart = [abs(ours[k]["value"] / one["value"] - 1) for k, one in (direct | stated).items()]
    narrower = equal["ours"]["half_width"] / equal["published"]["half_width"]
    last = max(direct, key=int)
    return Section(
        [
            Target(f"{int(last):,} scenarios", ours[last]["seconds"], LIMIT, duration),
            Target("ours and the direct optimum differ", max(apart), AGREE, _share),
            Target("100,000 scenarios", many["seconds"], MANY_LIMIT, duration),
            Target("memory of 100,000 scenarios", many["memory"], MANY_MEMORY, megabytes),
            Target("interval at equal time, share of the published", narrower, HALF, percent),
        ],
        "\n\n".join(
            [
                "Ten task types, nine machine types, rates and times that vary by a quarter (like "
                "the third published example). Ours proves its optimum to a millionth; the "
                "published way is one program of all scenarios, here by HiGHS.",
                table(
                    ["Scenarios", OURS, "tries", DIRECT, STATED],
                    [
                        [
                            f"{int(size):,}",
                            duration(one["seconds"]),
                            whole(one["tries"]),
                            _took(direct, size),
                            _took(stated, size),
                        ]
                        for size, one in ours.items()
                    ],
                ),
                f"100,000 scenarios: {duration(many['seconds'])} "
                f"({duration(many['processor'])} of the processors), {whole(many['tries'])} tries, "
                f"{megabytes(many['memory'])}.",
                table(
                    ["Whole machines", "time", "tries", "cost in value"],
                    [
                        [
                            f"{int(size):,} scenarios",
                            duration(both["whole"]["seconds"]),
                            whole(both["whole"]["tries"]),
                            _share(1 - both["whole"]["value"] / both["any"]["upper"]),
                        ]
                        for size, both in whole_ones.items()
                    ],
                ),
                f"The optimum of {DRAWN} scenarios varies from sample to sample, by kind of "
                f"points ({REPETITIONS} samples each; as many independent scenarios would be "
                "needed for the same):",
                table(
                    ["Points", "standard deviation", "independent scenarios"],
                    [
                        [
                            points,
                            f"{deviation:.2e}",
                            whole(DRAWN * (even["independent"] / deviation) ** 2),
                        ]
                        for points, deviation in even.items()
                    ],
                ),
                "Half of the interval of the mean with 95 % confidence, in the same time: the "
                "published sampler (independent scenarios, one program of all), and ours (Sobol "
                "points; the purchase is evaluated on fresh ones, 16 times):",
                table(
                    ["", "scenarios", "time", "mean", "half of the interval"],
                    [
                        [
                            name,
                            whole(one["scenarios"]),
                            duration(one["seconds"]),
                            f"{one['mean']:.5f}",
                            f"{one['half_width']:.2e}",
                        ]
                        for name, one in equal.items()
                    ],
                ),
            ]
        ),
    )


def _took(found: Mapping[str, Any], size: str) -> str:
    return duration(found[size]["seconds"]) if size in found else ""


def _share(value: float) -> str:
    return f"{value:.1e}"


CASE: Final = Case(
    "What to buy",
    {
        OURS: Part(measure_decomposition),
        DIRECT: Part(measure_direct, ours=False),
        STATED: Part(measure_stated, ours=False),
        MANY: Part(measure_many, ours=False),
        WHOLE: Part(measure_whole),
        EVEN: Part(measure_even),
        EQUAL: Part(measure_equal_time, ours=False),
    },
    tell,
)
