"""Case 4: 512 single tasks on 16 machines, compared with CP-SAT and an integer program."""

import math
import statistics
from collections.abc import Mapping
from functools import partial
from typing import Any, Final, get_args

from benchmarks.case import Case, Part, Section, Target
from benchmarks.report import duration, percent, table, whole
from benchmarks.samples import HCSP_CLASSES
from benchmarks.timing import timed
from core import System, solve
from core.engines.rivals import RIVALS
from core.files.samples.generate import Consistency, Generation, generate
from core.vocabulary.budget import Effort, NoScheduleFound

THREADS: Final = 2
LIMIT: Final = 0.0025
LONGER: Final = 6
LONGER_LIMIT: Final = 0.0012

OURS, OURS_LONGER = "Wattfront", "Wattfront, 30 s"
RIVAL_TITLES: Final = {"cp-sat": "CP-SAT", "integer-program": "HiGHS"}


def instances(quick: bool) -> dict[str, System]:
    """The instances by name: two of each class of heterogeneity and consistency."""
    wanted = {
        f"{heterogeneity} {consistency} {seed}": Generation(
            etc=times,
            consistency=consistency,
            task_types=512,
            machine_types=16,
            tasks=512,
            machines=16,
            spread="equal",
            seed=seed,
        )
        for heterogeneity, times in HCSP_CLASSES.items()
        for consistency in get_args(Consistency)
        for seed in (1, 2)
    }
    names = list(wanted)[:2] if quick else list(wanted)
    return {name: generate(wanted[name]) for name in names}


def _allowed(quick: bool) -> float:
    return 0.5 if quick else 5.0


def measure_ours(quick: bool, *, times: int = 1) -> dict[str, Any]:
    systems = instances(quick)
    seconds = times * _allowed(quick)
    solve(
        next(iter(systems.values())), effort=Effort(seconds=seconds, threads=THREADS)
    )  # loads the kernels
    measured = {}
    for name, system in systems.items():
        run = solve(system, effort=Effort(seconds=seconds, threads=THREADS))
        measured[name] = {
            "makespan": run.schedule.makespan,
            "bound": run.bound.value,
            "seconds": sum(run.seconds.values()),
        }
    return measured


def measure_rival(rival: str, quick: bool) -> dict[str, Any]:
    """The results; a makespan is None if the rival finds no schedule in time."""
    measured = {}
    for name, system in instances(quick).items():
        seconds, makespan = timed(partial(_makespan, rival, system, _allowed(quick)))
        measured[name] = {"makespan": makespan, "seconds": seconds}
    return measured


def _makespan(rival: str, system: System, seconds: float) -> float | None:
    try:
        return RIVALS[rival].solve(system, seconds=seconds, threads=THREADS).makespan
    except NoScheduleFound:
        return None


def tell(measured: Mapping[str, Any]) -> Section:
    ours = measured[OURS]
    # Rivals are compared with the best bound; our schedules with the bound of their own run.
    bounds = {
        name: max(runs[name]["bound"] for runs in measured.values() if "bound" in runs[name])
        for name in ours
    }
    gaps = {
        title: {
            name: _gap(run["makespan"], run.get("bound", bounds[name]))
            for name, run in runs.items()
        }
        for title, runs in measured.items()
    }
    rows = [[name, *(percent(of_one[name]) for of_one in gaps.values())] for name in ours]
    rows += [
        ["**mean**", *(percent(statistics.fmean(of_one.values())) for of_one in gaps.values())],
        [
            "**mean time**",
            *(
                duration(statistics.fmean(run["seconds"] for run in runs.values()))
                for runs in measured.values()
            ),
        ],
    ]
    return Section(
        [
            Target("mean gap", statistics.fmean(gaps[OURS].values()), LIMIT, percent),
            *(
                Target("mean gap in 30 s", statistics.fmean(gaps[title].values()), limit, percent)
                # Older measurements do not have this part.
                for title, limit in [(OURS_LONGER, LONGER_LIMIT)]
                if title in gaps
            ),
            *(
                Target(
                    f"instances of {len(ours)} where better than {title}",
                    sum(gaps[OURS][name] < gaps[title][name] for name in ours),
                    len(ours),
                    whole,
                    at_least=True,
                )
                for title in RIVAL_TITLES.values()
            ),
        ],
        "\n\n".join(
            [
                "Range-based times; hi and lo: task range 3,000 or 100, then machine range 1,000 "
                f"or 10. {THREADS} threads and the same seconds each, {LONGER} times as many "
                "where it says so. Gaps are to our proven bound, ours to the "
                "one that the run itself proves, others to the best; ∞ means that no schedule was "
                "found in time. CP-SAT is not charged for the start of its process; HiGHS gets the "
                "assignment of tasks to machines as a plain integer program.",
                table(["Gap on class, consistency, seed", *gaps], rows),
            ]
        ),
    )


def _gap(makespan: float | None, bound: float) -> float:
    return math.inf if makespan is None else makespan / bound - 1


CASE: Final = Case(
    "512 single tasks on 16 machines, 5 s each",
    {
        OURS: Part(measure_ours),
        OURS_LONGER: Part(partial(measure_ours, times=LONGER)),
        **{
            title: Part(partial(measure_rival, rival), ours=False)
            for rival, title in RIVAL_TITLES.items()
        },
    },
    tell,
)
