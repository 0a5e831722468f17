"""What a person chooses on the page Arrivals: a workload, policies, and what they may spend."""

from dataclasses import dataclass
from typing import Final, Literal

from core.arrivals.policies import (
    DROP_BELOW,
    FILTERS,
    PUBLISHED,
    PUBLISHED_LENIENCY,
    EnergyFilter,
    FilterName,
    PolicySwitches,
)
from core.arrivals.uncertain import ERROR_LEVELS, ErrorLevel
from core.model.ranges import Range

WorkloadName = Literal["budget", "testbed", "uncertain", "own"]
WORKLOADS: Final[dict[WorkloadName, str]] = {
    "budget": "A day with an energy budget",
    "testbed": "Testbed of four clusters",
    "uncertain": "Bags with uncertain run times",
    "own": "Your own workload",
}
"""The workloads to choose from. Each but `own` is drawn anew for each day."""

JOBS: Final = Range(100, 20_000, "jobs")
DAYS: Final = Range(1, 100, "days")
SEED: Final = Range(0, 2**31 - 1, "")
BUDGETS: Final = tuple(step / 100 for step in range(40, 125, 5))
"""The energy budgets to choose from, as shares of what is spent without a budget."""
USUAL_POLICIES: Final = ("easy", "max-util", "max-upr", "max-upe", "event-based")


@dataclass(frozen=True, slots=True)
class ArrivalsSettings:
    """The settings of the page. `budget` is a share of the energy that is spent without one; None:
    there is none. `own` is the digest of the workload that a person gave.
    """

    workload: WorkloadName = "budget"
    jobs: int = 5_000
    seed: int = 1
    days: int = 1
    policies: tuple[str, ...] = USUAL_POLICIES
    budget: float | None = 0.7
    drop_below: float = DROP_BELOW
    filter: FilterName | None = None
    errors: ErrorLevel = "medium"
    own: str = ""

    @property
    def all_days(self) -> int:
        """A workload that was given is the same on each day."""
        return 1 if self.workload == "own" else self.days

    @property
    def switches(self) -> PolicySwitches:
        kind = self.filter
        chosen = None if kind is None else EnergyFilter(kind, PUBLISHED_LENIENCY[kind])
        return PolicySwitches(self.drop_below, chosen)


ERRORS: Final[dict[ErrorLevel, str]] = {level: level.capitalize() for level in ERROR_LEVELS}
"""How far estimates of run times are above the truth."""


def label_of(policy: str) -> str:
    """The name of a policy for people."""
    return PUBLISHED[policy].label


FILTER_NAMES: Final[tuple[FilterName, ...]] = tuple(FILTERS)  # type: ignore[arg-type]
