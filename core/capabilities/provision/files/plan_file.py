"""A plan with all that its files say: also how it varies, and how futures are drawn from that."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Final

import numpy as np

from core.capabilities.provision.confidence import Sampling
from core.capabilities.provision.futures.uncertainty import POINTS, Points, Uncertainty, Variation
from core.capabilities.provision.futures.varying import (
    NEAR_ENOUGH,
    WANTED,
    OperationsFound,
    WantedKinds,
    find_operations,
    varying,
)
from core.capabilities.provision.plan import MachineOffer, Plan, PlanLimits, TaskDemand
from core.capabilities.provision.rules import PurchaseRule
from core.vocabulary.arrays import FloatArray
from core.vocabulary.ranges import SEED, Range
from core.vocabulary.say.words import HOUR, Sense, share
from core.vocabulary.setting import NumberIn, OneOf, WholeIn, setting
from core.vocabulary.system import System

RATE_UNITS: Final = MappingProxyType({"1/s": 1.0, "1/min": 60.0, "1/h": 3600.0, "1/day": 86400.0})
"""Units of rates, and their seconds."""
SCENARIO_COUNT: Final = Range(1, 1_000_000, "scenarios")
SPREADS: Final = ("arrivals", "times", "powers")
"""What varies."""
DRAWN_AT_ONCE: Final = Range(2, 20_000, "scenarios")
"""How many scenarios a page draws."""


@dataclass(frozen=True, slots=True)
class PlanSpread:
    """How arrivals, times and powers of a plan vary, as its files say it.

    With `operations`, times are explained by so many kinds of abstract operations, and these vary.
    """

    arrivals: Variation = field(default_factory=Variation)
    times: Variation = field(default_factory=Variation)
    powers: Variation = field(default_factory=Variation)
    correlation: float = setting(
        0.0,
        NumberIn(Range(0.0, 1.0, "")),
        "Correlation of arrivals",
        "0: each task type varies on its own. 100 %: all rise and fall together.",
    )
    operations: WantedKinds = setting(
        0,
        OneOf(WANTED),
        "Model of the times",
        "With abstract operations, some task types get slower on a machine type while others "
        "do not: each kind of operation varies on its own. Chosen by error: the fewest kinds that "
        f"explain all times to {share(NEAR_ENOUGH, Sense.TYPED)} on average, or the nearest.",
    )


@dataclass(frozen=True, slots=True)
class ScenarioSettings:
    """How many futures are drawn, from which seed, and how their points are spread."""

    count: int = setting(
        3000,
        WholeIn(DRAWN_AT_ONCE),
        "Scenarios",
        "Possible futures, all equally likely. More of them take longer and say more.",
        parameter="scenarios",
    )
    seed: int = setting(
        0,
        WholeIn(Range(0, min(SEED.high, 2**31 - 1), "")),
        "Seed",
        "Equal seeds draw equal scenarios.",
    )
    points: Points = setting(
        "sobol",
        OneOf(POINTS, POINTS.__getitem__),
        "Points",
        "Latin hypercube and Sobol points cover the possible futures more evenly than "
        "independent draws.",
    )


@dataclass(frozen=True, eq=False)
class PlanFile:
    """A plan as files have it.

    `types` has the times, powers (idle power included) and idle powers of the plan. Its counts of
    tasks are those of the files; of each machine type it has at least one machine, and `offers`
    say how many there are. `labels` say where its tables and limits are, if it was read. If it
    counts `by_work`, nobody said what tasks are worth: a reward is the node-hours of a task.

    Raises `InvalidInput`, as a `Plan` does.
    """

    types: System
    offers: tuple[MachineOffer, ...]
    demands: tuple[TaskDemand, ...]
    limits: PlanLimits
    spread: PlanSpread = field(default_factory=PlanSpread)
    scenarios: ScenarioSettings = field(default_factory=ScenarioSettings)
    currency: str = "EUR"
    rate_unit: str = "1/s"
    rules: tuple[PurchaseRule, ...] = ()
    labels: Mapping[str, str] = field(default_factory=dict)
    by_work: bool = False

    def __post_init__(self) -> None:
        _ = self.plan  # which is checked

    @cached_property
    def plan(self) -> Plan:
        """The plan, with powers above idle power."""
        return plan_of(self.types, self.offers, self.demands, self.limits, self.rules)

    @cached_property
    def operations(self) -> OperationsFound | None:
        """The operations that explain its times; None if times do not vary by operations."""
        spread = self.spread
        if not spread.operations or not spread.times.varies:
            return None
        return find_operations(self.plan, spread.operations)

    @cached_property
    def uncertainty(self) -> Uncertainty:
        """How the plan varies."""
        return self.uncertainty_with(self.spread)

    def uncertainty_with(self, spread: PlanSpread) -> Uncertainty:
        """How the plan would vary with another spread and the same operations."""
        found = self.operations if spread.times.varies else None
        vary = None if found is None else varying(self.plan, found.taken.operations, spread.times)
        return Uncertainty(spread.arrivals, spread.times, spread.powers, spread.correlation, vary)

    @property
    def sampling(self) -> Sampling:
        """How its futures are drawn."""
        asked = self.scenarios
        return Sampling(self.uncertainty, asked.count, asked.seed, asked.points)


def node_hours(types: System) -> FloatArray:
    """The hours of one task of each type on the machine type that is the fastest for it."""
    return np.asarray(np.where(np.isfinite(types.etc), types.etc, np.inf).min(axis=1) / HOUR)


def plan_of(
    types: System,
    offers: Sequence[MachineOffer],
    demands: Sequence[TaskDemand],
    limits: PlanLimits,
    rules: tuple[PurchaseRule, ...] = (),
) -> Plan:
    """The plan for these types. Raises `InvalidInput`."""
    powers = None if types.apc is None else types.apc - types.always_on.idle_power
    return Plan(tuple(demands), tuple(offers), types.etc, limits, powers, rules)
