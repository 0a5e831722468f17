"""Which tasks to accept until a deadline: the usual settings, and the answer in words."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from core import System
from core.capabilities.profit.accept import Acceptance
from core.capabilities.profit.part_words import peak_said
from core.capabilities.profit.settings import ProfitSettings
from core.engines.relaxed import Front
from core.vocabulary.arrays import FloatArray
from core.vocabulary.say.money import Money
from core.vocabulary.say.words import Sense, as_sentence, duration, rounded, share
from core.vocabulary.tolerances import SAME

TYPE = "Task type"
OFFERED = "Tasks"
REWARD = "reward"
# Not all tasks can be done within this share of the shortest makespan.
_USUAL_DEADLINE = 0.5


@dataclass(frozen=True, eq=False)
class Offer:
    """The deadline (s), and the reward of a task of each type (money)."""

    system: System
    deadline: float
    rewards: FloatArray

    @property
    def frame(self) -> pd.DataFrame:
        """A table with a row for each task type."""
        names, counts = self.system.task_names, self.system.task_counts
        return pd.DataFrame({TYPE: names, OFFERED: counts, REWARD: self.rewards})

    def put_into(self, settings: ProfitSettings) -> ProfitSettings:
        rewards = tuple(zip(self.system.task_names, self.rewards.tolist(), strict=True))
        return replace(settings, deadline=self.deadline, rewards=rewards)


def offer_of(settings: ProfitSettings, front: Front) -> Offer:
    """The offer of the settings. Without settings the deadline is half the shortest makespan, and
    the rewards are the price of a batch, divided among tasks by their least energy.
    """
    system, deadline = front.system, settings.deadline
    if deadline is None:
        deadline = rounded(_USUAL_DEADLINE * float(front.makespan[-1]), Sense.PLAIN, 3)
    if settings.rewards:
        return Offer(system, deadline, settings.rewards_in(system))
    at_work = np.where(system.can_run, system.etc, 0.0) * system.idle_power
    joules = np.where(system.can_run, system.dynamic_energy + at_work, np.inf).min(axis=1)
    joules = np.where(np.isfinite(joules), joules, 0.0)
    of_all = float(joules @ system.task_counts)
    rewards = joules * (settings.terms(front).price / of_all if of_all else 0.0)
    return Offer(system, deadline, np.array([rounded(money, Sense.PLAIN) for money in rewards]))


def accepted_frame(part: Acceptance) -> pd.DataFrame:
    """How many tasks of each type to accept."""
    offered = part.system.task_counts
    shares = np.divide(part.accepted, offered, out=np.full(len(offered), np.nan), where=offered > 0)
    return pd.DataFrame(
        {
            TYPE: part.system.task_names,
            "Accept": part.accepted,
            "Of all (%)": [rounded(100 * part, Sense.PLAIN) for part in shares.tolist()],
        }
    )


def sentence(part: Acceptance, period: float, money: Money) -> str:
    """How many tasks to accept, and the money earned until the deadline; under a power cap, the
    peak.
    """
    peak = peak_said(part)
    return f"{_earned(part, period, money)}{f' {as_sentence(peak)}' if peak else ''}"


def _earned(part: Acceptance, period: float, money: Money) -> str:
    accepted, offered = int(part.accepted.sum()), part.system.tasks
    until = f"within {duration(period, Sense.TYPED)}"
    sense = Sense.EARNED if part.profit >= 0 else Sense.SPENT
    earns = money.say(abs(part.profit) * period, sense)
    most = money.say(part.bound.value * period, Sense.UPPER_BOUND)
    if not accepted:
        idle = f"idle machines cost {earns}" if part.profit < 0 else "idle machines cost nothing"
        return f"Accept no tasks: no task earns money {until}, and {idle}."
    verb = "earns" if part.profit >= 0 else "loses"
    which = "all" if accepted == offered else f"{accepted:,} of"
    said = f"Accept {which} {offered:,} tasks. This {verb} {earns} {until}"
    if part.gap <= SAME * max(abs(part.bound.value), abs(part.profit)):
        return f"{said}, and no choice can earn more."
    if part.bound.value > 0 and part.profit > 0:
        below = share(part.gap / part.bound.value, Sense.UPPER_BOUND)
        return f"{said}, at most {below} below the best."
    return f"{said}; no choice can earn more than {most}."
