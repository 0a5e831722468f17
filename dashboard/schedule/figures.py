"""A schedule in a sentence and key figures, each against what is proven."""

import math
from dataclasses import dataclass, replace

from core import System
from core.front.known import Known
from core.front.proven import raised, share_above
from core.model.schedule import Schedule
from core.relaxed import ENERGY, MAKESPAN, lower_bound
from core.say.words import Sense, amount, duration, energy, power, share
from core.verify.verdict import Verdict
from dashboard.common import answer
from dashboard.common.answer import KeyFigure, work_figures
from dashboard.schedule.power import PowerCurve


@dataclass(frozen=True, slots=True)
class Limits:
    """What no schedule of a system can beat: seconds of makespan, and joules (None without APC)."""

    seconds: float
    joules: float | None

    def with_known(self, known: Known) -> "Limits":
        """With what anybody has proven besides."""
        joules = None if self.joules is None else max(self.joules, known.least_energy)
        return replace(self, seconds=max(self.seconds, known.least_makespan), joules=joules)


def limits(system: System) -> Limits:
    """Proven, each by itself: no schedule need reach both."""
    return Limits(
        raised(lower_bound(system, MAKESPAN)).value,
        None if system.apc is None else raised(lower_bound(system, ENERGY)).value,
    )


def sentence(schedule: Schedule, proven: Limits) -> str:
    """When all is done and on how much energy, and how far that is from the limits at most."""
    joules = schedule.energy_if_known
    if joules is None or proven.joules is None:
        return answer.sentence(schedule.makespan, proven.seconds)
    done = duration(schedule.makespan, Sense.SPENT)
    later = share(share_above(schedule.makespan, proven.seconds), Sense.UPPER_BOUND)
    said = (
        f"Done in {done} on {energy(joules, Sense.SPENT)}: at most {later} later than the fastest "
        "schedule there could be"
    )
    waiting = schedule.system.total_idle_power * schedule.makespan
    more = share_above(joules, proven.joules, waiting)
    if math.isinf(more):
        return f"{said}."
    return f"{said}, with at most {share(more, Sense.UPPER_BOUND)} more energy than the thriftiest."


def figures(
    schedule: Schedule, verdict: Verdict, proven: Limits, curve: PowerCurve | None
) -> tuple[KeyFigure, ...]:
    """The figures to read first, as the independent check recomputed them."""
    said = [
        KeyFigure(
            "Makespan",
            duration(verdict.makespan, Sense.SPENT),
            f"When the last task ends: {_exact(verdict.makespan, 's')}. No schedule ends before "
            f"{duration(proven.seconds, Sense.LOWER_BOUND)}; this is proven.",
        )
    ]
    if verdict.energy is None or proven.joules is None or curve is None:
        said.append(
            KeyFigure("Energy", "unknown", "Give the average watts of each pair (APC) to know it.")
        )
    else:
        idle = math.fsum(schedule.idle_energy.tolist())
        said += [
            KeyFigure(
                "Energy",
                energy(verdict.energy, Sense.SPENT),
                "All machines from start to makespan, idle power included: "
                f"{_exact(verdict.energy, 'J')}. No schedule takes less than "
                f"{energy(proven.joules, Sense.LOWER_BOUND)}; this is proven.",
            ),
            KeyFigure(
                "Energy idle",
                share(idle / verdict.energy if verdict.energy > 0 else None, Sense.PLAIN),
                "The share of the energy that machines draw while they wait for the last one to "
                f"finish: {energy(idle, Sense.PLAIN)}.",
            ),
            KeyFigure("Average power", power(curve.average, Sense.SPENT), "Energy over makespan."),
            KeyFigure(
                "Peak power",
                power(curve.peak, Sense.SPENT),
                "The most that all machines draw together at any moment.",
            ),
        ]
    return (*said, *work_figures(verdict, schedule.system))


def _exact(value: float, unit: str) -> str:
    """More digits than people read, to compare with other programs."""
    return amount(value, Sense.SPENT, unit, digits=6)
