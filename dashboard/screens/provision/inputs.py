"""What is known of a plan so far, cell by cell, and the plan that it makes once complete."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final, Literal, Self, TypeVar

import numpy as np
import pandas as pd

from core import System
from core.capabilities.provision.files.plan_file import (
    RATE_UNITS,
    SPREADS,
    PlanFile,
    PlanSpread,
    ScenarioSettings,
    node_hours,
)
from core.capabilities.provision.files.plan_settings import cov_fault
from core.capabilities.provision.futures.uncertainty import Variation
from core.capabilities.provision.goals.goal import Goal
from core.capabilities.provision.plan import (
    FAILURE_RATE,
    PRICE,
    RATE,
    REWARD,
    MachineOffer,
    PlanLimits,
    TaskDemand,
)
from core.capabilities.provision.rules import PurchaseRule, UnreadableRule, read_rule
from core.capabilities.provision.settings import PlanAim
from core.capabilities.provision.words import RewardRate
from core.vocabulary.arrivals import HourlyArrivals
from core.vocabulary.kinds import MARKET
from core.vocabulary.prices.site import ASSUMED, Site
from core.vocabulary.problems import InvalidInput, Problem
from core.vocabulary.ranges import MACHINE_COUNT, Range
from core.vocabulary.say.words import HOUR, YEAR, Sense, counted, rounded
from core.vocabulary.setting import NumberIn, Setting, YesNo, setting, settings_in

MOST_CELLS: Final = 20_000_000
"""The most pairs in all scenarios together: about 2 GB while they are computed."""
MARKET_CELLS: Final = ("price", "resale", "failure_rate")
"""The cells of what machine types say of buying and selling them, in the order of `MARKET`."""
BUDGET: Final = Range(-PRICE.high, PRICE.high, "")


def _cell(allowed: Range, title: str, meaning: str) -> Any:
    """A cell of a table, which may be blank."""
    return setting(None, NumberIn(allowed), title, meaning)


@dataclass(frozen=True, slots=True)
class OfferInput:
    """What is known of a machine type. None is a blank cell: the count is that of the system, a
    limit does not bind, a resale and a failure rate (failures a second) are 0.
    """

    price: float | None = _cell(PRICE, "Price ({money})", "What one machine costs.")
    resale: float | None = _cell(
        PRICE,
        "Resale ({money})",
        "What one machine brings if it is sold, at most its price. Blank: nothing.",
    )
    count: float | None = _cell(
        MACHINE_COUNT, "There now", "Machines of this type that there are. They can be sold."
    )
    least: float | None = _cell(
        MACHINE_COUNT, "At least", "Machines that must be there in the end."
    )
    most: float | None = _cell(
        MACHINE_COUNT, "At most", "Machines that may be there in the end. Blank: no limit."
    )
    failure_rate: float | None = _cell(
        FAILURE_RATE,
        "Failures ({rate})",
        "Failures of one busy machine. An idle machine does not fail. Blank: none.",
    )

    def market_beside(self, other: Self) -> dict[str, float | None]:
        """What a machine type says of buying and selling it (`MARKET`), where another differs."""
        rate = self.failure_rate
        year = None if rate is None else rounded(rate * YEAR, Sense.PLAIN, 12)
        said = zip(MARKET, MARKET_CELLS, (self.price, self.resale, year), strict=True)
        return {
            name: value for name, cell, value in said if getattr(self, cell) != getattr(other, cell)
        }


@dataclass(frozen=True, slots=True)
class DemandInput:
    """What is known of a task type: what one task is worth, and the tasks that arrive a second."""

    reward: float | None = _cell(
        REWARD, "Reward ({money} a task)", "What one task is worth when it is done."
    )
    arrival_rate: float | None = _cell(
        RATE, "Arrivals ({rate})", "Tasks of this type that arrive on average."
    )


@dataclass(frozen=True, slots=True)
class LimitInputs:
    """What all machines together must keep, failures a second and watts; None is no limit."""

    budget: float | None = setting(None, NumberIn(BUDGET), "Budget ({currency})")
    least_machines: float | None = setting(
        None, NumberIn(MACHINE_COUNT), "At least (machines)", parameter="min_machines"
    )
    most_machines: float | None = setting(
        None, NumberIn(MACHINE_COUNT), "At most (machines)", parameter="max_machines"
    )
    failure_rate: float | None = setting(
        None, NumberIn(FAILURE_RATE), "Failures ({every})", "Of busy machines, in every scenario."
    )
    power: float | None = None


Inputs = TypeVar("Inputs", OfferInput, DemandInput, LimitInputs)
USUAL_SPREAD: Final = PlanSpread(Variation(0.25), Variation(0.1), Variation(0.05))
USUAL_GOAL: Final = Goal()
USUAL_SCENARIOS: Final = ScenarioSettings(512, 0, "independent")


@dataclass(frozen=True, slots=True)
class PlanInputs(PlanAim):
    """A plan as far as it is known: offers and demands in the order of the types of the system.
    Rewards do not count if tasks count `by_work`.

    `examples` are the parts that were filled in and are not a person's own numbers.
    """

    offers: tuple[OfferInput, ...]
    demands: tuple[DemandInput, ...]
    limits: LimitInputs = LimitInputs()
    spread: PlanSpread = USUAL_SPREAD
    scenarios: ScenarioSettings = USUAL_SCENARIOS
    currency: str = ASSUMED.currency
    rate_unit: str = "1/h"
    goal: Goal = USUAL_GOAL
    rules: tuple[str, ...] = ()
    by_work: bool = setting(
        False,
        YesNo(),
        "Tasks count by their work",
        "A task is worth the hours that it takes on the machine type that is the fastest for it "
        "(node-hours). Otherwise it is worth its reward, a number that you give.",
    )
    examples: frozenset[str] = field(default=frozenset(), compare=False)

    @classmethod
    def of(cls, system: System, known: HourlyArrivals | None = None) -> Self:
        """What is known of machines that are bought and sold; and how often tasks arrive, and how
        much that changes over the hours of a week, if a log says so. Tasks count by their work.
        """
        demands, spread = (DemandInput(),) * len(system.task_types), USUAL_SPREAD
        if known is not None:
            spread = _spread_of(system, known)
            hourly = known.of(system).mean(axis=0).tolist()
            demands = tuple(
                DemandInput(arrival_rate=rounded(rate, Sense.PLAIN, _DIGITS) / HOUR)
                if name in known.names
                else DemandInput()
                for name, rate in zip(system.task_names, hourly, strict=True)
            )
        return cls(market_of(system), demands, spread=spread, by_work=True)

    @classmethod
    def of_file(cls, file: PlanFile) -> Self:
        """All that a plan file says."""
        demands = tuple(_known(DemandInput, demand) for demand in file.demands)
        if file.by_work:
            demands = tuple(replace(demand, reward=None) for demand in demands)
        return cls(
            tuple(_known(OfferInput, offer, "least", "failure_rate") for offer in file.offers),
            demands,
            _known(LimitInputs, file.limits, "least_machines"),
            file.spread,
            file.scenarios,
            file.currency,
            file.rate_unit,
            rules=tuple(dict.fromkeys(rule.text for rule in file.rules)),
            by_work=file.by_work,
        )

    def with_market(self, system: System) -> Self:
        """The inputs with what the machine types of the system say of buying and selling them."""
        offers = tuple(
            replace(
                offer,
                **{
                    name: value
                    for name in MARKET_CELLS
                    if (value := getattr(said, name)) is not None
                },
            )
            for offer, said in zip(self.offers, market_of(system), strict=True)
        )
        return replace(self, offers=offers)

    def arriving_as(self, other: Self) -> Self:
        """The inputs with how often tasks arrive in others, and how that varies."""
        demands = tuple(
            own if new.arrival_rate is None else replace(own, arrival_rate=new.arrival_rate)
            for own, new in zip(self.demands, other.demands, strict=True)
        )
        spread = replace(
            self.spread, arrivals=other.spread.arrivals, correlation=other.spread.correlation
        )
        return replace(self, demands=demands, spread=spread)

    def at(self, site: Site, own: Self) -> Self:
        """The inputs with the money and the power cap of the site. As long as nobody has said
        its prices or its money, that of what is its `own` holds, and without a cap there, its own
        limit.
        """
        watts = own.limits.power if site.cap_kw is None else site.cap_at_machines
        is_said = not site.prices_are_assumed or site.currency != ASSUMED.currency
        currency = site.currency if is_said else own.currency
        return replace(self, currency=currency, limits=replace(self.limits, power=watts))

    @property
    def is_usual(self) -> bool:
        """Whether the most reward is sought, without limits on means."""
        return self.goal.is_usual and self.of_week is None

    @property
    def rate_seconds(self) -> float:
        """The seconds that the rates of the page are for."""
        return RATE_UNITS[self.rate_unit]

    @property
    def rates(self) -> RewardRate:
        """How rewards and rates of the page are written."""
        return RewardRate(self.rate_unit, self.currency, self.by_work)


def market_of(system: System) -> tuple[OfferInput, ...]:
    """What the machine types of a system say of buying and selling them."""
    return tuple(
        OfferInput(
            one.price,
            one.resale,
            failure_rate=None if one.failures_a_year is None else one.failures_a_year / YEAR,
        )
        for one in system.machine_types
    )


def missing(inputs: PlanInputs) -> Iterator[str]:
    """What a plan still needs, in words."""
    blanks = {
        ("price", "machine type"): [offer.price for offer in inputs.offers],
        ("reward", "task type"): [demand.reward for demand in inputs.demands],
        ("arrival rate", "task type"): [demand.arrival_rate for demand in inputs.demands],
    }
    if inputs.by_work:
        del blanks["reward", "task type"]
    for (part, kind), values in blanks.items():
        if blank := sum(value is None for value in values):
            yield f"the {part} of {counted(blank, kind)}"
    if inputs.limits.budget is None:
        yield "the budget"


def goal_problems(inputs: PlanInputs) -> Iterator[Problem]:
    """What does not go together with the goal, for which machines are in parts."""
    if not inputs.is_usual and inputs.caution:
        said = "does not go with another objective or limits on means; leave one of them out"
        yield Problem("plan", "", "weight of the worst 5 %", said)


def plan_file_of(system: System, inputs: PlanInputs) -> PlanFile:
    """The plan; blank cells that it cannot do without count as 0. Raises `InvalidInput`."""
    offers = tuple(
        MachineOffer(
            kind.name,
            **{"price": 0.0, "count": kind.count} | _given(offer),
            idle_power=kind.idle_power,
        )
        for kind, offer in zip(system.machine_types, inputs.offers, strict=True)
    )
    worth = [demand.reward or 0.0 for demand in inputs.demands]
    if inputs.by_work:
        worth = node_hours(system).tolist()
    demands = tuple(
        TaskDemand(kind.name, reward, demand.arrival_rate or 0.0)
        for kind, reward, demand in zip(system.task_types, worth, inputs.demands, strict=True)
    )
    if faults := (
        *_spread_problems(inputs.spread),
        *_size_problems(system, inputs),
        *goal_problems(inputs),
    ):
        raise InvalidInput(faults)
    rules = tuple(_rules(system, inputs.rules))
    return PlanFile(
        system,
        offers,
        demands,
        PlanLimits(**{"budget": 0.0} | _given(inputs.limits)),
        inputs.spread,
        inputs.scenarios,
        inputs.currency,
        inputs.rate_unit,
        rules,
        by_work=inputs.by_work,
    )


def _rules(system: System, texts: Sequence[str]) -> Iterator[PurchaseRule]:
    names, faults = system.machine_names, []
    for text in texts:
        try:
            yield from read_rule(text, names)
        except UnreadableRule as refusal:
            faults.append(Problem("plan", "", "rules", f"rule '{text}' {refusal}"))
    if faults:
        raise InvalidInput(faults)


def _spread_problems(spread: PlanSpread) -> Iterator[Problem]:
    for name in SPREADS:
        variation: Variation = getattr(spread, name)
        most = max((variation.cov, *variation.covs))
        if fault := cov_fault(most, variation.law):
            yield Problem("plan", "", f"spread.{name}.cov", fault)


def _size_problems(system: System, inputs: PlanInputs) -> Iterator[Problem]:
    """One server computes for many."""
    pairs = int(np.isfinite(system.etc).sum())
    if inputs.scenarios.count * pairs > MOST_CELLS:
        most = MOST_CELLS // pairs
        yield Problem(
            "plan",
            "",
            "scenarios.count",
            f"{counted(inputs.scenarios.count, 'scenario')} of {counted(pairs, 'pair')} are more "
            f"than this page computes; give at most {most:,}, or use wattfront provision",
        )


def _known(kind: type[Inputs], source: object, *nothing: str) -> Inputs:
    """What a part of a plan says; what is infinite is a blank, and so is 0 of `nothing`."""
    values: dict[str, float] = {one.name: getattr(source, one.name) for one in fields(kind)}
    blank = {name for name, value in values.items() if value == math.inf}
    blank |= {name for name in nothing if not values[name]}
    return kind(**{name: None if name in blank else value for name, value in values.items()})


def _given(part: OfferInput | LimitInputs) -> dict[str, float]:
    """What is no blank."""
    values = {one.name: getattr(part, one.name) for one in fields(part)}
    return {name: value for name, value in values.items() if value is not None}


def _spread_of(system: System, known: HourlyArrivals) -> PlanSpread:
    """The usual spread, with arrivals as they change over the hours of a log: the work that comes
    in each, of all task types together.
    """
    place = [name in known.names for name in system.task_names]
    work = known.of(system).mean(axis=0) * node_hours(system)
    hours = known.profile(system.task_names) @ np.where(place, work, 0.0)
    if not hours.any():
        return USUAL_SPREAD
    shares = np.maximum(hours / hours.mean(), _LEAST_HOUR).tolist()
    seen = tuple(rounded(hour, Sense.PLAIN, _DIGITS) for hour in shares)
    return replace(USUAL_SPREAD, arrivals=Variation(law="empirical", seen=seen), correlation=1.0)


_LEAST_HOUR: Final = 1e-3
"""No hour has less work than this share of the mean: factors stay above 0."""
_DIGITS: Final = 3
"""Significant digits of rates that are counted in a log."""

PlanTable = Literal["machines", "tasks"]
TITLES: Final[dict[PlanTable, str]] = {"machines": "Machines", "tasks": "Tasks"}
NAME: Final = "name"


COLUMNS: Final[dict[PlanTable, Mapping[str, Setting]]] = {
    "machines": {"count": settings_in(OfferInput)["count"]} | dict(settings_in(OfferInput)),
    "tasks": settings_in(DemandInput),
}
"""The columns to edit, in SI units: the count comes first."""
RATES: Final = ("failure_rate", "arrival_rate")
"""A person reads and writes these in the unit of rates."""
_EXAMPLES: Final = {"price": "price", "reward": "reward", "arrival_rate": "arrival rate"}
"""The part of the plan that is no longer an example once such a cell was edited."""


def frame(system: System, inputs: PlanInputs, table: PlanTable) -> pd.DataFrame:
    """A row for each type; rates are in the unit of the page. The first column has the names."""
    kinds = system.machine_types if table == "machines" else system.task_types
    rows = _rows(inputs, table)
    cells: dict[str, object] = {NAME: [kind.name for kind in kinds]}
    for name in COLUMNS[table]:
        unit = inputs.rate_seconds if name in RATES else 1.0
        values = [getattr(row, name) for row in rows]
        if name == "count":
            pairs = zip(values, system.machine_counts.tolist(), strict=True)
            values = [there if value is None else value for value, there in pairs]
        cells[name] = pd.array(
            [None if value is None else rounded(value * unit, Sense.PLAIN, 12) for value in values],
            dtype="Float64",
        ).to_numpy(float, na_value=float("nan"))
    return pd.DataFrame(cells)


def changed(
    inputs: PlanInputs, given: PlanInputs, table: PlanTable, edited: Mapping[int, Mapping[str, Any]]
) -> PlanInputs:
    """The inputs with the edits of a table that was given with others, and their unit of rates."""
    rows = list(_rows(given, table))
    for place, cells in edited.items():
        for name, value in cells.items():
            unit = given.rate_seconds if name in RATES else 1.0
            rows[place] = replace(rows[place], **{name: None if value is None else value / unit})
    done = {_EXAMPLES.get(name) for cells in edited.values() for name in cells}
    part: dict[str, Any] = {"offers" if table == "machines" else "demands": tuple(rows)}
    if "reward" in done:  # a reward that is typed is to count
        part["by_work"] = False
    return replace(inputs, **part, examples=inputs.examples - done)


def _rows(inputs: PlanInputs, table: PlanTable) -> tuple[Any, ...]:
    return inputs.offers if table == "machines" else inputs.demands
