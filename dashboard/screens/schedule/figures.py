"""A schedule as a sentence and key figures, each with what is proven."""

import math
from dataclasses import dataclass, replace

from core import System
from core.capabilities.makespan import told as answer
from core.capabilities.makespan.told import work_figures
from core.engines.front.known import Known
from core.engines.front.proven import raised, share_above
from core.engines.relaxed import ENERGY, MAKESPAN, lower_bound
from core.engines.verify.verdict import Verdict
from core.shells.told.told import KeyFigure
from core.vocabulary.power import peak_power
from core.vocabulary.say.phrases import peak_in_words
from core.vocabulary.say.without_work import energy_of_rest
from core.vocabulary.say.words import Sense, amount, as_sentence, duration, energy, power, share
from core.vocabulary.schedule import Schedule
from core.vocabulary.tolerances import SAME
from dashboard.screens.schedule.power_chart import PowerCurve


@dataclass(frozen=True, slots=True)
class Limits:
    """Lower bounds of a system: on makespan (s), and on energy (J; None without APC)."""

    seconds: float
    joules: float | None

    def with_known(self, known: Known) -> "Limits":
        """The bounds, raised by all that is known of the system."""
        joules = None if self.joules is None else max(self.joules, known.least_energy)
        return replace(self, seconds=max(self.seconds, known.least_makespan), joules=joules)


def limits(system: System) -> Limits:
    """The lower bounds. Each is proven by itself; perhaps no schedule reaches both."""
    return Limits(
        raised(lower_bound(system, MAKESPAN)).value,
        None if system.apc is None else raised(lower_bound(system, ENERGY)).value,
    )


def sentence(
    schedule: Schedule, proven: Limits, cap: float = math.inf, *, every_moment: bool = False
) -> str:
    """Makespan and energy of a schedule, and the gaps to the lower bounds; with a power cap (W at
    the machines), on the average or on every moment, also the peak, or that the schedule does not
    keep the cap.
    """
    said, joules = _done(schedule, proven), schedule.energy_if_known
    if math.isinf(cap) or joules is None:
        return said
    limit = f"the cap of {power(cap, Sense.TYPED)} at the machines"
    if joules > cap * schedule.makespan * (1 + SAME):
        drawn = power(joules / schedule.makespan, Sense.SPENT, cap)
        return f"{said} It draws {drawn} on average, above {limit}."
    peak = peak_power(schedule)
    if every_moment and peak > cap * (1 + SAME):
        return f"{said} Its peak is {power(peak, Sense.SPENT, cap)}, above {limit}."
    return f"{said} {as_sentence(peak_in_words(peak, cap))}"


def _done(schedule: Schedule, proven: Limits) -> str:
    joules = schedule.energy_if_known
    if joules is None or proven.joules is None:
        return answer.sentence(schedule.makespan, proven.seconds)
    done = duration(schedule.makespan, Sense.SPENT)
    later = share_above(schedule.makespan, proven.seconds)
    said = f"Done in {done} with {energy(joules, Sense.SPENT)}: " + (
        f"at most {share(later, Sense.UPPER_BOUND)} later than the fastest possible schedule"
        if later > SAME
        else "as fast as possible"
    )
    waiting = schedule.system.total_idle_power * schedule.makespan
    more = share_above(joules, proven.joules, waiting)
    if math.isinf(more):
        return f"{said}."
    if more <= SAME:
        return f"{said}, and with the least energy possible."
    return f"{said}, and at most {share(more, Sense.UPPER_BOUND)} more energy than the thriftiest."


def figures(
    schedule: Schedule, verdict: Verdict, proven: Limits, curve: PowerCurve | None
) -> tuple[KeyFigure, ...]:
    """The key figures, as the judge computed them again."""
    said = [
        KeyFigure(
            "Makespan",
            duration(verdict.makespan, Sense.SPENT),
            "The time from the start to the end of the last task: "
            f"{_exact(verdict.makespan, 's')}. It is proven that no schedule is shorter than "
            f"{duration(proven.seconds, Sense.LOWER_BOUND)}.",
        )
    ]
    if verdict.energy is None or proven.joules is None or curve is None:
        said.append(
            KeyFigure(
                "Energy",
                "unknown",
                "Unknown without the average power of each pair. Add the table apc.",
            )
        )
    else:
        idle = math.fsum(schedule.idle_energy.tolist())
        said += [
            KeyFigure(
                "Energy",
                energy(verdict.energy, Sense.SPENT),
                "The energy of all machines, at work and after it, from the start to the makespan: "
                f"{_exact(verdict.energy, 'J')}. It is proven that no schedule takes less than "
                f"{energy(proven.joules, Sense.LOWER_BOUND)}.",
            ),
            KeyFigure(
                energy_of_rest(schedule.system),
                share(idle / verdict.energy if verdict.energy > 0 else None, Sense.PLAIN),
                "The share of the energy that machines use while they wait for the last one to "
                f"finish: {energy(idle, Sense.PLAIN)}.",
            ),
            KeyFigure(
                "Average power",
                power(curve.average, Sense.SPENT),
                "The energy divided by the makespan.",
            ),
            KeyFigure(
                "Peak power",
                power(curve.peak, Sense.SPENT),
                "The largest power that all machines draw together at any moment.",
            ),
        ]
    return (*said, *work_figures(verdict, schedule.system))


def _exact(value: float, unit: str) -> str:
    """With six digits, to compare with other programs."""
    return amount(value, Sense.SPENT, unit, digits=6)
