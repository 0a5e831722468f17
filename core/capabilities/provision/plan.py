"""What is to be decided: which machines can be bought and sold, and what they are to do."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

import numpy as np

from core.capabilities.provision.rules import PurchaseRule
from core.vocabulary.arrays import FloatArray
from core.vocabulary.problems import InvalidInput, Problem, errors
from core.vocabulary.ranges import ETC, MACHINE_COUNT, MACHINE_PRICE, POWER, Range

RATE: Final = Range(0.0, 1e12, "tasks a second")
REWARD: Final = Range(0.0, 1e12, "a task")
PRICE: Final = MACHINE_PRICE
BUSY_POWER: Final = Range(-POWER.high, POWER.high, POWER.unit)
"""Above idle power; below 0 for a machine that draws more when it is idle."""
FAILURE_RATE: Final = Range(0.0, 1e9, "failures a second")


@dataclass(frozen=True, slots=True)
class MachineOffer:
    """A machine type: what one costs and brings, how many there are and may be, the failures a
    second of one that is busy, and the watts of one that is idle.
    """

    name: str
    price: float
    resale: float = 0.0
    failure_rate: float = 0.0
    count: float = 0.0
    least: float = 0.0
    most: float = math.inf
    idle_power: float = 0.0


@dataclass(frozen=True, slots=True)
class TaskDemand:
    """A task type: what one task is worth, and how many arrive a second on average."""

    name: str
    reward: float
    arrival_rate: float


@dataclass(frozen=True, slots=True)
class PlanLimits:
    """What all machines together must keep: the cost of the change, their number, the failures a
    second of busy ones, and the power in watts.
    """

    budget: float
    least_machines: float = 0.0
    most_machines: float = math.inf
    failure_rate: float = math.inf
    power: float = math.inf


def _of_each(types: str, name: str) -> cached_property[FloatArray]:
    """What each offer or demand of a plan says under this name."""
    return cached_property(
        lambda plan: np.array([getattr(one, name) for one in getattr(plan, types)])
    )


@dataclass(frozen=True, eq=False)
class Plan:
    """A plan, in the steady state: work arrives at rates, and does not wait.

    `times[i, j]` is the seconds that one task of type i takes on one machine of type j; infinity
    where the pair cannot run. `powers[i, j]` is the watts that the machine then draws above its
    idle power; None if powers are unknown.

    Raises `InvalidInput`, which lists every error.
    """

    demands: tuple[TaskDemand, ...]
    offers: tuple[MachineOffer, ...]
    times: FloatArray
    limits: PlanLimits
    powers: FloatArray | None = None
    rules: tuple[PurchaseRule, ...] = ()
    _problems: tuple[Problem, ...] = field(init=False, repr=False, default=())

    def __post_init__(self) -> None:
        for name in ("times", "powers"):
            values = getattr(self, name)
            if values is not None:
                frozen = np.array(values, float)
                frozen.flags.writeable = False
                object.__setattr__(self, name, frozen)
        found = tuple(find_plan_problems(self))
        if errors(found):
            raise InvalidInput(found)
        object.__setattr__(self, "_problems", found)

    rewards = _of_each("demands", "reward")
    """What one task of each type earns."""
    arrival_rates = _of_each("demands", "arrival_rate")
    """Tasks of each type a second, on average."""
    counts = _of_each("offers", "count")
    """Machines of each type that there are."""
    prices = _of_each("offers", "price")
    """What one machine of each type costs."""
    resales = _of_each("offers", "resale")
    """What one machine of each type brings."""
    failure_rates = _of_each("offers", "failure_rate")
    """Failures a second of one busy machine of each type."""
    idle_powers = _of_each("offers", "idle_power")
    """Watts of one idle machine of each type."""
    least = _of_each("offers", "least")
    """Machines of each type that there must be."""
    most = _of_each("offers", "most")
    """Machines of each type that there may be."""

    @property
    def warnings(self) -> tuple[Problem, ...]:
        return self._problems


def find_plan_problems(plan: Plan) -> Iterator[Problem]:
    """Every problem of a plan, with its remedy."""
    shape = (len(plan.demands), len(plan.offers))
    if 0 in shape:
        yield Problem("", "", "", "has no task type or no machine type; give at least one of each")
        return
    yield from _names("tasks", [demand.name for demand in plan.demands])
    yield from _names("machines", [offer.name for offer in plan.offers])
    for table, values, allowed in (("etc", plan.times, ETC), ("apc", plan.powers, BUSY_POWER)):
        if values is not None and values.shape != shape:
            yield Problem(
                table, "", "", f"has the shape {values.shape}, where {shape} types are; mend it"
            )
            return
        if values is not None:
            yield from _cells(plan, table, values, allowed)
    for demand in plan.demands:
        yield from _within("tasks", demand.name, "reward", demand.reward, REWARD)
        yield from _within("tasks", demand.name, "arrival_rate", demand.arrival_rate, RATE)
    for offer in plan.offers:
        yield from _offer_problems(offer)
    yield from _limit_problems(plan.limits)
    yield from _needs_of_limits(plan)


def _names(table: str, names: Sequence[str]) -> Iterator[Problem]:
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield Problem(table, name, "", "is there more than once; give each type a name of its own")


def _cells(plan: Plan, table: str, values: FloatArray, allowed: Range) -> Iterator[Problem]:
    for i, demand in enumerate(plan.demands):
        for j, offer in enumerate(plan.offers):
            value = float(values[i, j])
            if plan.times[i, j] != math.inf and value not in allowed:
                yield Problem(
                    table, demand.name, offer.name, f"{value:g} is outside {allowed}; mend it"
                )


def _within(table: str, row: str, column: str, value: float, allowed: Range) -> Iterator[Problem]:
    if value not in allowed:
        yield Problem(table, row, column, f"{value:g} is outside {allowed}; mend it")


def _offer_problems(offer: MachineOffer) -> Iterator[Problem]:
    for column, value, allowed in (
        ("price", offer.price, PRICE),
        ("resale", offer.resale, PRICE),
        ("failure_rate", offer.failure_rate, FAILURE_RATE),
        ("count", offer.count, MACHINE_COUNT),
        ("min", offer.least, MACHINE_COUNT),
        ("idle_power", offer.idle_power, POWER),
    ):
        yield from _within("machines", offer.name, column, value, allowed)
    if not offer.most >= offer.least:
        said = (
            f"at most {offer.most:g} machines contradict at least {offer.least:g}; raise max, or "
            "lower min"
        )
        yield Problem("machines", offer.name, "max", said)
    if offer.resale > offer.price >= 0:
        said = (
            f"a machine would be sold for {offer.resale:g} and bought for {offer.price:g}, a gain "
            "without end; let it bring at most its price"
        )
        yield Problem("machines", offer.name, "resale", said)


def _limit_problems(limits: PlanLimits) -> Iterator[Problem]:
    if math.isnan(limits.budget) or limits.budget == math.inf:
        said = "there is no budget; give one, 0 to change at no cost at all"
        yield Problem("plan", "", "budget", said)
    if not limits.most_machines >= limits.least_machines:
        said = (
            f"at most {limits.most_machines:g} machines contradict at least "
            f"{limits.least_machines:g}; raise max_machines, or lower min_machines"
        )
        yield Problem("plan", "", "max_machines", said)
    for name in ("failure_rate", "power"):
        if not getattr(limits, name) >= 0:
            yield Problem("plan", "", name, "is below 0; give 0 or more, or leave it out")


def _needs_of_limits(plan: Plan) -> Iterator[Problem]:
    """Limits of what the plan does not know."""
    if plan.limits.power < math.inf and plan.powers is None:
        said = (
            "a limit needs the powers of pairs (apc), since idle powers do not say what busy "
            "machines draw; add apc, or remove the limit"
        )
        yield Problem("plan", "", "power", said)
    if 0 <= plan.limits.failure_rate < math.inf and not plan.failure_rates.any():
        said = (
            "the limit changes nothing, since no machine type has a failure_rate; add that column "
            "to the machines, or remove the limit"
        )
        yield Problem("plan", "", "failure_rate", said, "warning")
