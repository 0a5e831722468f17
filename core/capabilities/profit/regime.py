"""The regime: how the most profitable divisible schedule runs."""

from enum import Enum

import numpy as np

from core.capabilities.profit.program import ProfitBound, placed_total
from core.engines.relaxed import trace_front
from core.vocabulary.arrays import FloatArray
from core.vocabulary.system import System
from core.vocabulary.tolerances import SAME_OPTIMUM


class Regime(Enum):
    """How the most profitable divisible schedule runs."""

    RUNS_ON_FRONT = "runs_on_front"
    """No schedule is as good in both energy and makespan."""

    RUNS_OFF_FRONT = "runs_off_front"
    """It is slower and draws less power than any schedule on the front, because batches make a
    loss, or because of the cap.
    """

    THROTTLED = "throttled"
    """All machines wait between batches, because of the cap."""

    DOES_NOT_RUN = "does_not_run"
    """A batch costs more than it brings, however it is run."""


def energy_and_regime(system: System, bound: ProfitBound) -> tuple[float, Regime]:
    """The joules in a period of the divisible optimum, and its regime."""
    if not bound.runs:
        return 0.0, Regime.DOES_NOT_RUN
    period = 1 / bound.rate
    energy = placed_total(bound.placed, system.dynamic_energy) + system.total_idle_power * period
    if period > divisible_makespan(system, bound.placed) * (1 + SAME_OPTIMUM):
        return energy, Regime.THROTTLED
    front = trace_front(system)
    slower = period > front.makespan[0] * (1 + SAME_OPTIMUM)
    if slower or energy > front.least_energy(period * (1 + SAME_OPTIMUM)) * (1 + SAME_OPTIMUM):
        return energy, Regime.RUNS_OFF_FRONT
    return energy, Regime.RUNS_ON_FRONT


def divisible_makespan(system: System, placed: FloatArray) -> float:
    """The makespan, in seconds, of these tasks on machine types if they can be split."""
    busy = (placed * np.where(placed > 0, system.etc, 0.0)).sum(axis=0)
    return float((busy / np.maximum(system.machine_counts, 1)).max())
