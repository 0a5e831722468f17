"""A schedule in a sentence and key figures, each against what is proven."""

import math
from dataclasses import dataclass

from core.relaxed import ENERGY, MAKESPAN, lower_bound
from core.schedule import Schedule
from core.system import System
from core.verify import Verdict
from core.words import duration, energy, share
from dashboard.logic.answer import Figure, work_figures
from dashboard.logic.schedule_power import PowerCurve
from dashboard.logic.units import watts


@dataclass(frozen=True, slots=True)
class Limits:
    """What no schedule of a system can beat: seconds of makespan, and joules (None without APC)."""

    seconds: float
    joules: float | None


def limits(system: System) -> Limits:
    """Proven, each by itself: no schedule need reach both."""
    return Limits(
        lower_bound(system, MAKESPAN).value,
        None if system.apc is None else lower_bound(system, ENERGY).value,
    )


def sentence(schedule: Schedule, proven: Limits) -> str:
    """When all is done and on how much energy, and how far that is from the limits at most."""
    done = duration(schedule.makespan, math.ceil)
    joules = schedule.energy_if_known
    later = share(_above(schedule.makespan, proven.seconds), math.ceil)
    if joules is None or proven.joules is None:
        return f"Done in {done}: at most {later} later than the fastest schedule there could be."
    dearer = share(_above(joules, proven.joules), math.ceil)
    return (
        f"Done in {done} on {energy(joules)}: at most {later} later than the fastest schedule "
        f"there could be, and {dearer} dearer than the thriftiest."
    )


def figures(
    schedule: Schedule, verdict: Verdict, proven: Limits, curve: PowerCurve | None
) -> tuple[Figure, ...]:
    """The figures to read first, as the independent check recomputed them."""
    said = [
        Figure(
            "Makespan",
            duration(verdict.makespan, math.ceil),
            f"When the last task ends: {verdict.makespan:,.6g} s. No schedule ends before "
            f"{duration(proven.seconds, math.floor)}; this is proven.",
        )
    ]
    if verdict.energy is None or proven.joules is None or curve is None:
        said.append(
            Figure("Energy", "unknown", "Give the average watts of each pair (APC) to know it.")
        )
    else:
        idle = math.fsum(schedule.idle_energy.tolist())
        said += [
            Figure(
                "Energy",
                energy(verdict.energy),
                f"All machines from start to makespan, idle power included: {verdict.energy:,.6g} "
                f"J. No schedule takes less than {energy(proven.joules, math.floor)}; this is "
                "proven.",
            ),
            Figure(
                "Energy idle",
                share(idle / verdict.energy if verdict.energy > 0 else 0.0),
                "The share of the energy that machines draw while they wait for the last one to "
                f"finish: {energy(idle)}.",
            ),
            Figure("Average power", watts(curve.average), "Energy over makespan."),
            Figure(
                "Peak power",
                watts(curve.peak),
                "The most that all machines draw together at any moment.",
            ),
        ]
    return (*said, *work_figures(verdict, schedule.system))


def _above(value: float, bound: float) -> float:
    return max(value / bound - 1, 0.0) if bound > 0 else 0.0
