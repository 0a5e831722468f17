"""What a person asks of work that arrives: a workload, policies, and what they may spend."""

import math
from dataclasses import dataclass, replace
from typing import Final, Literal

from core.capabilities.arrivals.files.workload_file import WorkloadFile
from core.capabilities.arrivals.made.job_sizes import GIGABYTES, NO_SIZES, JobSizes
from core.capabilities.arrivals.made.recipes import (
    DRAWN_JOBS,
    OF_VALUE,
    Recipe,
    recipe_named,
    value_recipe,
)
from core.capabilities.arrivals.made.value import CORES, MEMORY
from core.capabilities.arrivals.policies import (
    BY_SHARES,
    CHOICES,
    DROP,
    DROP_BELOW,
    FILTERS,
    MEMORY_WEIGHT,
    STOP_LABELS,
    EnergyFilter,
    FilterName,
    PolicySwitches,
    StopName,
    with_stoppers,
)
from core.capabilities.arrivals.question import JoulesAllowed, ReplayQuestion
from core.capabilities.arrivals.uncertain.bags import ERROR_LEVELS, MACHINES, ErrorLevel
from core.capabilities.arrivals.uncertain.methods import BAG_METHODS, EXCHANGE, WEIGHED
from core.engines.logs.types.requeued import LostWork
from core.engines.replay.classes import JobClass
from core.engines.replay.clock import EVERY
from core.engines.replay.stopping.rules import Stopping
from core.shells.settings.forms import flag_words
from core.vocabulary.ranges import SEED, Range
from core.vocabulary.say.words import typed
from core.vocabulary.setting import (
    Flag,
    NumberIn,
    OneOf,
    SomeOf,
    WholeIn,
    setting,
    settings_in,
)

WorkloadName = Literal[
    "budget", "urgent", "value", "value-testbed", "testbed", "uncertain", "own", "tasks"
]
WORKLOADS: Final[dict[WorkloadName, str]] = {
    "budget": "A day with an energy budget",
    "urgent": "A day with urgent jobs in bursts",
    "value": "A day of value of service",
    "value-testbed": "Value of service on four hosts",
    "testbed": "Testbed of four clusters",
    "uncertain": "Bags with uncertain run times",
    "own": "Your own workload",
    "tasks": "A day of your own tasks",
}
"""The workloads to choose from. Each but those of `GIVEN` is drawn anew for each day."""
GIVEN: Final = ("own", "tasks")
"""Workloads that a person gives, or that are made of a system; methods for bags run the `tasks`."""

BUDGET_SHARE: Final = Range(0.01, 10.0, "times the energy without a budget")
_DAYS: Final = Range(1, 100, "days")
DAY_SEED: Final = Range(0, 2**31 - 1, "")
SHARE: Final = Range(0.0, 1000.0, "")
TRIALS: Final = Range(1, 100_000, "trials")
_FILTER_LABELS: Final[dict[FilterName, str]] = {
    "resource": "For each second of a core",
    "task": "For each job",
}
USUAL_POLICIES: Final = ("easy", "max-util", "max-upr", "max-upe", "event-based", "prices")
USUAL_OF_VALUE: Final = ("max-vptr", "max-value", "max-vpc", "max-vpm", "simple-dp", "value-prices")
"""The same where options add to the worth of their jobs."""


@dataclass(frozen=True, eq=False, slots=True)
class GivenWorkload:
    """A workload that a person gave: the name and the digest of its file, and what it says. One
    that is `of_study` was drawn of the tasks of the study, and is drawn anew when they change. Its
    jobs were made with these `classes` and `sizes`, if there are any; `lost` is what a log lost
    with jobs that were requeued.
    """

    name: str
    digest: str
    file: WorkloadFile
    of_study: bool = False
    classes: tuple[JobClass, ...] = ()
    lost: LostWork | None = None
    sizes: JobSizes = NO_SIZES

    @property
    def has_budget(self) -> bool:
        """Whether the file says what a day may spend."""
        return math.isfinite(self.file.day_joules)


@dataclass(frozen=True, slots=True)
class ArrivalsSettings(Stopping):
    """What is asked, and what becomes of a job that is stopped. `budget` is a share of the energy
    that jobs take without one; None: there is none, or that of the file. Bags have `methods`; with
    the weighed one, a second less of makespan may cost `exchange` (J/s; None: its usual). `own` is
    the digest of the workload that a person gave.
    """

    workload: WorkloadName = setting(
        "budget", OneOf(WORKLOADS, WORKLOADS.__getitem__, private=GIVEN), "Workload"
    )
    jobs: int = setting(
        5_000,
        WholeIn(DRAWN_JOBS),
        "Jobs a day",
        "Of a day with an energy budget, or with urgent jobs.",
    )
    cores: int = setting(
        CORES,
        WholeIn(OF_VALUE["cores"]),
        "Cores",
        "Of the cluster. Its jobs stay as they are.",
        flag=Flag("N", f"of the cluster of value (default {CORES})"),
    )
    memory: float = setting(
        MEMORY,
        NumberIn(OF_VALUE["memory"]),
        "Memory (GB)",
        "Of the cluster. Its jobs stay as they are.",
        flag=Flag(
            "GB",
            f"memory of the cluster of value (default {typed(MEMORY)}), or of --sizes (default: as "
            "much as jobs asked for at once)",
            NumberIn(GIGABYTES),
        ),
    )
    days: int = setting(
        1,
        WholeIn(_DAYS),
        "Days",
        "Each day is drawn anew, and each policy has the same days. More days take longer and "
        "make the intervals narrower.",
        flag=Flag(
            "N",
            "how many workloads to draw (default 1); a given workload needs no trials",
            WholeIn(TRIALS),
            name="--trials",
        ),
    )
    seed: int = setting(
        1,
        WholeIn(DAY_SEED),
        "Seed",
        "Equal seeds draw equal days.",
        flag=Flag(
            "N",
            "of the first trial; the next have the next ones (default 0)",
            WholeIn(SEED),
        ),
    )
    policies: tuple[str, ...] = setting(
        USUAL_POLICIES,
        SomeOf(CHOICES, "policy", lambda name: CHOICES[name].label),
        "Policies",
        "What the scheduler follows: which job is next, where it runs, and what happens if it "
        "cannot start now.",
    )
    budget: float | None = setting(
        0.7,
        NumberIn(BUDGET_SHARE),
        "Energy budget",
        "For each day, as a share of the energy that jobs take under *Most worth per core-second* "
        "without a budget.",
        blank="None",
        flag=Flag(
            "S",
            "the same, as a share of what jobs draw under max-upr without a budget, in each trial",
            NumberIn(SHARE),
            name="--budget-share",
        ),
    )
    drop_below: float = setting(
        DROP_BELOW,
        NumberIn(DROP),
        "Drop a job below a worth of",
        "A job is dropped if it cannot be worth so much any more, even if it began now. "
        "−1: no job is dropped.",
        flag=Flag(
            "X",
            "a job is dropped when it can no longer be worth so much (default "
            f"{typed(DROP_BELOW)}; -1: none is dropped)",
            name="--drop",
        ),
    )
    memory_weight: float = setting(
        1.0,
        NumberIn(MEMORY_WEIGHT),
        "Weight of memory",
        "For *Most value per share of the pool and second*: a share of the memory counts as so "
        "many shares of the cores.",
        flag=Flag(
            "W",
            f"for {BY_SHARES}: a share of the memory counts as so many of the cores (default 1)",
        ),
    )
    filter: FilterName | None = setting(
        None,
        OneOf(FILTERS, _FILTER_LABELS.__getitem__),
        "Energy filter",
        "It leaves out ways to run a job that take far more energy than there is left on "
        "average. Only policies that do not look at energy themselves use it.",
        blank="None",
    )
    errors: ErrorLevel = setting(
        "medium",
        OneOf(ERROR_LEVELS, str.capitalize),
        "Errors of estimates",
        "Users ask for more time than their tasks take: none, or on average 48, 56 or 67 % of "
        "it is not needed.",
    )
    machines: int = setting(
        MACHINES[0], OneOf(MACHINES), "Machines", "Of each bag; each has 4 to 32 cores."
    )
    methods: tuple[str, ...] = setting(
        tuple(BAG_METHODS),
        SomeOf(BAG_METHODS, "method for bags", lambda name: BAG_METHODS[name].label),
        "Methods",
        "How tasks are planned with estimates. MIN in capitals means energy.",
    )
    exchange: float | None = setting(
        None,
        NumberIn(EXCHANGE),
        "Exchange rate of the method weighed",
        "It takes a second less of makespan for so many joules. 0 saves energy alone. With "
        "bad estimates, high rates can cost both. Idle power: what all machines draw while idle.",
        blank="idle power",
        flag=Flag(
            "J_PER_S",
            "for bags of tasks, method weighed: a second less of makespan is worth this many "
            "joules; 0 saves energy alone (default: the idle power of all machines)",
            name="--exchange-rate",
        ),
    )
    stop: StopName | None = setting(
        None,
        OneOf(STOP_LABELS, STOP_LABELS.__getitem__),
        "Which jobs are stopped",
        "For a job that may stop others, and cannot start now. Each policy that can stop jobs this "
        "way is replayed twice: without, and with.",
        blank="None",
    )
    own: str = ""

    def __post_init__(self) -> None:
        """Nothing is refused here: who reads values says what is wrong with them."""

    @property
    def stopping(self) -> Stopping:
        """What becomes of a job that is stopped."""
        return Stopping(**{name: getattr(self, name) for name in settings_in(Stopping)})

    @property
    def all_days(self) -> int:
        """A workload that was given is the same on each day."""
        return 1 if self.is_given else self.days

    @property
    def is_given(self) -> bool:
        """Whether the workload is there once, and is not drawn by a recipe."""
        return self.workload in GIVEN

    @property
    def of_bags(self) -> bool:
        """Whether jobs are tasks of one core, which have methods of their own."""
        return self.workload in ("uncertain", "tasks")

    def is_of_value(self, given: GivenWorkload | None) -> bool:
        """Whether options add to the worth of their jobs; `given` is a workload of a person's
        own.
        """
        if self.workload == "own":
            return given is not None and given.file.of_value
        return self.recipe is not None and self.recipe.of_value

    def draws(self, given: GivenWorkload | None) -> bool:
        """Whether jobs draw energy; `given` is a workload that a person gave, if there is one."""
        if self.is_given:
            return given is None or given.file.draws
        return self.recipe is None or self.recipe.draws

    @property
    def chosen(self) -> tuple[str, ...]:
        """The policies to compare; of bags the methods."""
        return self.methods if self.of_bags else with_stoppers(self.policies, self.stop)

    def called(self, given: GivenWorkload | None) -> str:
        """What its workload is called in sentences; `given` is a workload of a person's own."""
        if given is not None:
            return given.name
        if self.of_bags:
            return f"tasks on {self.machines} machines, with {self.errors} errors of estimates"
        return WORKLOADS[self.workload]

    @property
    def switches(self) -> PolicySwitches:
        chosen = None if self.filter is None else EnergyFilter.usual(self.filter)
        return PolicySwitches(self.drop_below, chosen, self.memory_weight)

    @property
    def recipe(self) -> Recipe | None:
        """How its days are drawn; None for a workload that a person gave."""
        names = {
            "budget": f"budget-{self.jobs}",
            "urgent": f"urgent-{self.jobs}",
            "uncertain": f"uncertain-{self.errors}-{self.machines}",
            "value": value_recipe(self.cores, self.memory).name,
        }
        return None if self.is_given else recipe_named(names.get(self.workload, self.workload))

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
            stopping=self.stopping,
        )

    def words(self, *, is_file: bool) -> list[object]:
        """The words after `wattfront replay WORKLOAD` that ask for the same. If the workload
        `is_file`, it is there once, and may have a budget of its own.
        """
        words = [word for policy in self.chosen for word in ("--policy", policy)]
        if self.of_bags:
            words = [] if self.methods == tuple(BAG_METHODS) and not is_file else words
            names = ["exchange"] if WEIGHED.name in self.methods else []
        else:
            kept = self.switches.filter
            words += ["--budget", "none"] if self.budget is None and not is_file else []
            words += [] if kept is None else ["--filter", kept.text]
            names = ["budget", "drop_below", "memory_weight", *(["seed"] if is_file else [])]
            names += [] if self.stop is None else settings_in(Stopping)
        names += [] if is_file else ["days", "seed"]
        return [*words, *(flag_words(self, COMMAND_USUAL, *names) if names else [])]

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


def usual_of(usual: ArrivalsSettings, *, of_value: bool) -> ArrivalsSettings:
    """The usual settings; where options add to the worth of their jobs, with policies that look at
    it, and without an energy budget.
    """
    return replace(usual, policies=USUAL_OF_VALUE, budget=None) if of_value else usual


COMMAND_USUAL: Final = ArrivalsSettings(days=1, seed=0, budget=None)
"""What `wattfront replay` takes for flags that are not given, except policies."""
