"""What a person asks of work that arrives: a workload, policies, and what they may spend."""

import math
from dataclasses import dataclass
from typing import Final, Literal

from core.arrivals.policies import (
    DROP_BELOW,
    PUBLISHED_LENIENCY,
    EnergyFilter,
    FilterName,
    PolicySwitches,
)
from core.arrivals.recipes import DRAWN_JOBS, Recipe, recipe_named
from core.arrivals.trials import JoulesAllowed, ReplayQuestion
from core.arrivals.uncertain import MACHINES, ErrorLevel
from core.arrivals.uncertain_methods import BAG_METHODS
from core.arrivals.workload_file import WorkloadFile
from core.model.ranges import Range
from core.replay.clock import EVERY

WorkloadName = Literal["budget", "testbed", "uncertain", "own"]
WORKLOADS: Final[dict[WorkloadName, str]] = {
    "budget": "A day with an energy budget",
    "testbed": "Testbed of four clusters",
    "uncertain": "Bags with uncertain run times",
    "own": "Your own workload",
}
"""The workloads to choose from. Each but `own` is drawn anew for each day."""

JOBS: Final = DRAWN_JOBS
DAYS: Final = Range(1, 100, "days")
DAY_SEED: Final = Range(0, 2**31 - 1, "")
BUDGET_SHARE: Final = Range(0.01, 10.0, "times the energy without a budget")
USUAL_POLICIES: Final = ("easy", "max-util", "max-upr", "max-upe", "event-based", "prices")


@dataclass(frozen=True, eq=False, slots=True)
class GivenWorkload:
    """A workload that a person gave: the name and the digest of its file, and what it says."""

    name: str
    digest: str
    file: WorkloadFile

    @property
    def has_budget(self) -> bool:
        """Whether the file says what a day may spend."""
        return math.isfinite(self.file.day_joules)


@dataclass(frozen=True, slots=True)
class ArrivalsSettings:
    """What is asked. `budget` is a share of the energy that is spent without one; None: there is
    none, or that of the file. Bags have `methods`; with the weighed one, a second less of makespan
    may cost `exchange` (J/s; None: its usual). `own` is the digest of the workload that a person
    gave.
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
    machines: int = MACHINES[0]
    methods: tuple[str, ...] = tuple(BAG_METHODS)
    exchange: float | None = None
    own: str = ""

    @property
    def all_days(self) -> int:
        """A workload that was given is the same on each day."""
        return 1 if self.workload == "own" else self.days

    @property
    def of_bags(self) -> bool:
        """Whether jobs are tasks of one core, which have methods of their own."""
        return self.workload == "uncertain"

    @property
    def chosen(self) -> tuple[str, ...]:
        """The policies to compare; of bags the methods."""
        return self.methods if self.of_bags else self.policies

    @property
    def switches(self) -> PolicySwitches:
        kind = self.filter
        chosen = None if kind is None else EnergyFilter(kind, PUBLISHED_LENIENCY[kind])
        return PolicySwitches(self.drop_below, chosen)

    @property
    def recipe(self) -> Recipe | None:
        """How its days are drawn; None for a workload that a person gave."""
        names = {
            "budget": f"budget-{self.jobs}",
            "uncertain": f"uncertain-{self.errors}-{self.machines}",
        }
        return None if self.workload == "own" else recipe_named(names.get(self.workload, "testbed"))

    def question(self, given: GivenWorkload | None) -> ReplayQuestion:
        """The replays that answer it; `given` is needed for a workload of a person's own."""
        return ReplayQuestion(
            self._source(given),
            self.chosen,
            self.switches,
            self._joules,
            self.every,
            self.seed,
            self.all_days,
            exchange=self.exchange,
        )

    @property
    def every(self) -> float:
        """Seconds between two mapping events."""
        return EVERY if self.recipe is None else self.recipe.every

    def _source(self, given: GivenWorkload | None) -> WorkloadFile | str:
        if self.recipe is not None:
            return self.recipe.name
        if given is None:
            raise ValueError("no workload was given")
        return given.file

    @property
    def _joules(self) -> JoulesAllowed:
        """The budget. Methods for bags know none; days that are drawn have none of their own."""
        if self.of_bags or (self.budget is None and self.workload == "own"):
            return JoulesAllowed()
        return JoulesAllowed(math.inf if self.budget is None else None, self.budget)
