"""A plan with all that its files say: also how it varies, and how futures are drawn from that."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType
from typing import Final

from core.capabilities.provision.confidence import Sampling
from core.capabilities.provision.futures.uncertainty import Points, Uncertainty, Variation
from core.capabilities.provision.futures.varying import (
    OperationsFound,
    WantedKinds,
    find_operations,
    varying,
)
from core.capabilities.provision.plan import MachineOffer, Plan, PlanLimits, TaskDemand
from core.capabilities.provision.rules import PurchaseRule
from core.vocabulary.ranges import Range
from core.vocabulary.system import System

RATE_UNITS: Final = MappingProxyType({"1/s": 1.0, "1/min": 60.0, "1/h": 3600.0, "1/day": 86400.0})
"""Units of rates, and their seconds."""
SCENARIO_COUNT: Final = Range(1, 1_000_000, "scenarios")


@dataclass(frozen=True, slots=True)
class PlanSpread:
    """How arrivals, times and powers of a plan vary, as its files say it.

    With `operations`, times are explained by so many kinds of abstract operations, and these vary.
    """

    arrivals: Variation = field(default_factory=Variation)
    times: Variation = field(default_factory=Variation)
    powers: Variation = field(default_factory=Variation)
    correlation: float = 0.0
    operations: WantedKinds = 0


@dataclass(frozen=True, slots=True)
class ScenarioSettings:
    """How many futures are drawn, from which seed, and how their points are spread."""

    count: int = 3000
    seed: int = 0
    points: Points = "sobol"


@dataclass(frozen=True, eq=False)
class PlanFile:
    """A plan as files have it.

    `types` has the times, powers (idle power included) and idle powers of the plan. Its counts of
    tasks are those of the files; of each machine type it has at least one machine, and `offers`
    say how many there are. `labels` say where its tables and limits are, if it was read.

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


def plan_of(
    types: System,
    offers: Sequence[MachineOffer],
    demands: Sequence[TaskDemand],
    limits: PlanLimits,
    rules: tuple[PurchaseRule, ...] = (),
) -> Plan:
    """The plan for these types. Raises `InvalidInput`."""
    powers = None if types.apc is None else types.apc - types.idle_power
    return Plan(tuple(demands), tuple(offers), types.etc, limits, powers, rules)
