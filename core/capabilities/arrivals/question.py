"""What is asked of policies: on which workloads, with which budget, and in how many trials."""

import math
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from core.capabilities.arrivals.files.workload_file import WorkloadFile
from core.capabilities.arrivals.made.recipes import drawn
from core.capabilities.arrivals.policies import STOPPING, PolicySwitches
from core.capabilities.arrivals.uncertain.methods import BAG_METHODS
from core.engines.replay.clock import EVERY
from core.engines.replay.energy import DAY_SECONDS, EnergyWindows
from core.engines.replay.stopping.rules import FREE, Stopping
from core.engines.replay.value import ValueWeights
from core.engines.replay.workload import Horizon

UNLIMITED: Final = "max-upr"
"""The policy whose jobs draw 100 % of a budget without one, as on the published testbed."""


@dataclass(frozen=True)
class JoulesAllowed:
    """Joules of jobs for a day, or a `share` of what they draw under Max UPR with place-holders
    without a budget; if neither is given, what the workload says.
    """

    day_joules: float | None = None
    share: float | None = None


class TrialPart(NamedTuple):
    """A policy in a trial; without a policy, the bound of the trial. `unlimited` is what jobs draw
    without a budget (J), if that of the trial is a share of it; None: it has none yet.
    """

    trial: int
    policy: str | None
    unlimited: float | None = None


@dataclass(frozen=True)
class ReplayQuestion:
    """Which policies to compare on which workload.

    `source` is a workload, or the name of a recipe (`core.capabilities.arrivals.made.recipes`) that
    draws one for each trial, by the seeds `seed`, `seed + 1` and so on.
    """

    source: WorkloadFile | str
    policies: tuple[str, ...]
    switches: PolicySwitches = field(default_factory=PolicySwitches)
    budget: JoulesAllowed = field(default_factory=JoulesAllowed)
    every: float = EVERY
    seed: int = 0
    trials: int = 1
    bounded: bool = True
    """Whether to prove what no policy could have beaten."""
    exchange: float | None = None
    """What a second less of makespan may cost under the weighed method (J/s); None: its usual."""
    stopping: Stopping = FREE
    """What stopping a job costs, under policies that do so."""
    weights: ValueWeights | None = None
    """In place of those with which value functions come."""

    @property
    def of_bags(self) -> bool:
        """Whether all policies are methods for bags: they do all jobs, so worth says nothing."""
        return bool(self.policies) and all(one in BAG_METHODS for one in self.policies)

    @property
    def checkpoints(self) -> float | None:
        """How far apart the checkpoints of jobs are (s) if a policy stops any; else None."""
        stops = any(name in STOPPING and STOPPING[name].policy.technique for name in self.policies)
        return self.stopping.checkpoints if stops else None

    def is_unlimited(self, part: TrialPart) -> bool:
        """Whether a part is to find what its trial draws without a budget."""
        return self.budget.share is not None and part.unlimited is None

    def file(self, trial: int) -> WorkloadFile:
        """The workload of a trial."""
        file = self.source
        if isinstance(file, str):
            file = drawn(file, self.seed + trial)
        return file if self.weights is None else file.weighed(self.weights)

    def windows(self, trial: int, unlimited: float | None) -> EnergyWindows:
        """The energy budget of a trial. For a share, `unlimited` is what jobs draw without a budget
        (J); None: there is none yet.
        """
        horizon = self.file(trial).workload.horizon
        return EnergyWindows.daily(horizon, self.day_joules(trial, unlimited))

    def day_joules(self, trial: int, unlimited: float | None) -> float:
        """The joules of a day of that budget; infinite without a limit."""
        file = self.file(trial)
        if self.budget.share is not None:
            if not unlimited:  # not known, or no job draws anything
                return math.inf
            return (
                self.budget.share * unlimited * DAY_SECONDS / budget_seconds(file.workload.horizon)
            )
        asked = self.budget.day_joules
        return file.day_joules if asked is None else asked


def budget_seconds(horizon: Horizon) -> float:
    """How long a horizon has its daily energy budget (s); without an end, it has that of a day."""
    return DAY_SECONDS if math.isinf(horizon.end) else horizon.end - horizon.begin
