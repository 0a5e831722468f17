"""Case 15: times and powers of pairs never measured, where the truth is known."""

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Mapping
from typing import Any, Final

import numpy as np

from benchmarks.case import Case, Part, Section, Target
from benchmarks.report import duration, percent, table
from core import System, load_sample
from core.engines.operations import (
    HeldOut,
    RelativeError,
    estimate_pairs,
    factor,
    joules_per_operation,
)
from core.engines.operations.pairs import dispensable
from core.files.samples.named import SYSTEMS
from core.vocabulary.arrays import BoolArray, FloatArray

HIDDEN: Final = 0.2
UNKNOWN: Final = 0.4
REPEATS: Final = 20
LEAST_TYPES: Final = 3
TIMES, POWERS, SPEED = "times", "powers", "speed"
OURS, BY_TASK, BY_MACHINE = "Wattfront", "mean of the task type", "mean of the machine type"
SAID: Final = "said by held-out pairs"
PUBLISHED: Final = {"published, 1 kind": 1, "published, 2 kinds": 2}
# Task types and machine types, and the target for processor time (s).
SIZES: Final = {(30, 9): 0.1, (100, 40): 2.0, (10_000, 100): 10.0}


def samples(*, with_powers: bool) -> dict[str, System]:
    systems = {name: load_sample(name) for name in SYSTEMS}
    return {
        name: system
        for name, system in systems.items()
        if min(system.etc.shape) >= LEAST_TYPES and not (with_powers and system.apc is None)
    }


def hidden_pairs(known: BoolArray, seed: int) -> BoolArray:
    """About a share `HIDDEN` of the known pairs; the others still connect all types."""
    rng = np.random.default_rng(seed)
    return dispensable(known, rng.random(known.shape) < HIDDEN, rng.random(known.shape))


def measure_times(quick: bool) -> dict[str, Any]:
    """For each sample, the median and mean relative error of each way, and the kinds chosen."""
    told = {}
    for name, system in samples(with_powers=False).items():
        errors: dict[str, list[FloatArray]] = {OURS: [], BY_TASK: [], BY_MACHINE: []}
        said: list[float] = []
        kinds = []
        for seed in range(2 if quick else REPEATS):
            known = np.isfinite(system.etc)
            hidden = hidden_pairs(known, seed)
            times = np.where(hidden, np.nan, system.etc)
            found = estimate_pairs(times, seed=seed)
            kinds.append(found.kinds)
            said += [error.median for error in errors_said(found.held_out, found.kinds)]
            errors[OURS].append(relative(found.times, system.etc, hidden))
            for way, guess in guesses(times).items():
                errors[way].append(relative(guess, system.etc, hidden))
        told[name] = {
            "errors": summaries(errors),
            "repeats": len(kinds),
            "kinds": sorted(set(kinds) - {0}),
            "said": statistics.median(said),
        }
    return told


def errors_said(held_out: HeldOut | None, kinds: int) -> list[RelativeError]:
    return [] if held_out is None else [held_out.kinds[kinds - 1]]


def measure_powers(quick: bool) -> dict[str, Any]:
    """The same for powers where times are known. The published way fits energies to operations."""
    told = {}
    for name, system in samples(with_powers=True).items():
        errors: dict[str, list[FloatArray]] = {
            way: [] for way in (OURS, *PUBLISHED, BY_TASK, BY_MACHINE)
        }
        truth = np.array(system.apc)
        for seed in range(2 if quick else REPEATS):
            hidden = hidden_pairs(np.isfinite(system.etc), seed)
            powers = np.where(hidden, np.nan, truth)
            tried = {OURS: np.array(estimate_pairs(system.etc, powers).powers)} | guesses(powers)
            for way, kinds in PUBLISHED.items():
                operations = factor(system.etc, kinds)
                joules = joules_per_operation(operations, powers * system.etc)
                tried[way] = operations.per_task @ joules / operations.times
            for way, guess in tried.items():
                errors[way].append(relative(guess, truth, hidden))
        told[name] = {"errors": summaries(errors)}
    return told


def guesses(values: FloatArray) -> dict[str, FloatArray]:
    """What people do: the mean of what is known of the task type, or of the machine type."""
    known = np.where(np.isfinite(values), values, np.nan)
    return {
        way: np.broadcast_to(np.nanmean(known, axis=axis, keepdims=True), values.shape)
        for way, axis in ((BY_TASK, 1), (BY_MACHINE, 0))
    }


def relative(estimates: FloatArray, truth: FloatArray, hidden: BoolArray) -> FloatArray:
    errors: FloatArray = np.abs(estimates[hidden] / truth[hidden] - 1)
    return errors


def summaries(errors: Mapping[str, list[FloatArray]]) -> dict[str, dict[str, float]]:
    together = {way: np.concatenate(each) for way, each in errors.items()}
    return {
        way: {"median": float(np.median(each)), "mean": float(np.mean(each))}
        for way, each in together.items()
    }


def measure_speed(quick: bool) -> dict[str, float]:
    """The processor time (s) of all estimates, by size, each in a process of one thread, as pages
    have them. With more, BLAS waits for its threads on a busy computer, and that counts.
    """
    told = {}
    for tasks, machines in list(SIZES)[: 1 if quick else None]:
        finished = subprocess.run(
            [sys.executable, "-m", "benchmarks.estimates", str(tasks), str(machines)],
            env=os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        told[size(tasks, machines)] = float(finished.stdout)
    return told


def seconds(tasks: int, machines: int) -> float:
    """The processor time (s) of all estimates where 40 % of the pairs are unknown; the median of
    five.
    """
    rng = np.random.default_rng(tasks)
    times = rng.gamma(1, size=(tasks, 3)) @ rng.gamma(1, size=(3, machines))
    times *= np.exp(rng.normal(0, 0.1, times.shape))
    times[rng.random(times.shape) < UNKNOWN] = np.nan
    estimate_pairs(times[:9])  # loads SciPy
    took = []
    for _ in range(5):
        begun = time.process_time()
        estimate_pairs(times)
        took.append(time.process_time() - begun)
    return statistics.median(took)


def size(tasks: int, machines: int) -> str:
    return f"{tasks:,} x {machines}"


def tell(measured: Mapping[str, Any]) -> Section:
    times, powers, speed = measured[TIMES], measured[POWERS], measured[SPEED]
    repeats = next(iter(times.values()))["repeats"]
    limits = {size(*types): limit for types, limit in SIZES.items()}
    return Section(
        [
            *(share_of_guess(f"times of {name}", told["errors"]) for name, told in times.items()),
            *(share_of_guess(f"powers of {name}", told["errors"]) for name, told in powers.items()),
            *(Target(f"estimates of {s}", took, limits[s], duration) for s, took in speed.items()),
        ],
        "\n\n".join(
            [
                f"About {share(HIDDEN)} of the pairs of a sample are hidden, {repeats} times by "
                "other seeds, and estimated from the rest. Errors are |estimate / truth - 1| of "
                "all hidden pairs, median and mean. Targets compare means with the better of the "
                "two guesses.",
                table(
                    ["Times of", OURS, BY_TASK, BY_MACHINE, "kinds chosen", SAID],
                    [
                        [
                            name,
                            *(both(told["errors"][way]) for way in (OURS, BY_TASK, BY_MACHINE)),
                            ", ".join(map(str, told["kinds"])),
                            share(told["said"]),
                        ]
                        for name, told in times.items()
                    ],
                ),
                "The times of *ten* were drawn one by one: only the size of a task type can be "
                "learnt. The last column is the median error that we say without knowing the "
                "truth.",
                table(
                    ["Powers of", OURS, *PUBLISHED, BY_TASK, BY_MACHINE],
                    [
                        [
                            name,
                            *(
                                both(told["errors"][way])
                                for way in (OURS, *PUBLISHED, BY_TASK, BY_MACHINE)
                            ),
                        ]
                        for name, told in powers.items()
                    ],
                ),
                "Published: energies as joules of the operations that explain the times, divided "
                "by times.",
                table(
                    [f"Types, {share(UNKNOWN)} of the pairs unknown", "Processor time, 1 thread"],
                    [[types, duration(took)] for types, took in speed.items()],
                ),
            ]
        ),
    )


def share_of_guess(what: str, errors: Mapping[str, Mapping[str, float]]) -> Target:
    better = min(errors[way]["mean"] for way in (BY_TASK, BY_MACHINE))
    return Target(
        f"mean error of {what}, share of the better guess",
        errors[OURS]["mean"] / better,
        1.0,
        percent,
    )


def both(error: Mapping[str, float]) -> str:
    return f"{share(error['median'])}, {share(error['mean'])}"


def share(value: float) -> str:
    return f"{100 * value:.3g} %"


CASE: Final = Case(
    "Pairs never measured",
    {TIMES: Part(measure_times), POWERS: Part(measure_powers), SPEED: Part(measure_speed)},
    tell,
)

if __name__ == "__main__":
    print(seconds(*map(int, sys.argv[1:])))
