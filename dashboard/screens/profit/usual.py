"""What closed sections of the page begin with: an offer of tasks, and prices over the day."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from core import System
from core.capabilities.profit.accept import Acceptance
from core.capabilities.profit.day import Day
from core.capabilities.profit.settings import ProfitSettings
from core.engines.relaxed import Front
from core.vocabulary.arrays import FloatArray
from core.vocabulary.calendar import HOURS_OF_DAY
from core.vocabulary.say.words import HOUR, Sense, rounded

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


# In the usual tariff, nights are cheaper and days more expensive by this share.
_SWING = 0.25
_USUAL_DAY = ((0.0, -1), (7.0, 1), (20.0, -1))
# Up to so many corners of the cost curve are drawn exactly.
_MOST_CORNERS = 2_000


def with_prices_by_hour(settings: ProfitSettings) -> ProfitSettings:
    """The settings with prices that change with the hour; an example if the site says none."""
    site = settings.site
    if site.day is not None:
        return settings
    price = settings.price_a_kwh
    steps = tuple(
        (hour, rounded(price * (1 + _SWING * way), Sense.PLAIN)) for hour, way in _USUAL_DAY
    )
    return replace(settings, site=replace(site, day_tariff=steps))


def costs(day: Day) -> tuple[FloatArray, FloatArray]:
    """Hours of the day, and what the electricity of a batch that starts then costs (money); one
    point every quarter of an hour if the exact curve has too many corners.
    """
    starts = day.starts
    if len(starts.seconds) <= _MOST_CORNERS:
        return starts.seconds / HOUR, starts.costs
    hours = np.union1d(np.arange(0.0, HOURS_OF_DAY + 0.25, 0.25), [day.best.second / HOUR])
    return hours, np.interp(hours * HOUR, starts.seconds, starts.costs)
