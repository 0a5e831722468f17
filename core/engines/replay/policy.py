"""Policies: what starts, waits, is promised or dropped at a mapping event.

All of them are one loop: take the waiting jobs in some order, each on its best option by a measure,
and do something with those that cannot start now. A policy is these three choices, by name, with
what it keeps away (a filter) and what it gives up (a drop threshold).
"""

from dataclasses import dataclass
from enum import IntEnum
from typing import Final, NamedTuple, TypeVar

import numpy as np

from core.engines.replay.stopping.rules import Technique
from core.engines.replay.workload import Workload
from core.vocabulary.arrays import FloatArray
from core.vocabulary.tolerances import NOT_DIVISIBLE

Taken = TypeVar("Taken", float, FloatArray)


class Order(IntEnum):
    """Which job is next."""

    ARRIVAL = 0
    QUEUES = 1
    """By arrival within three queues by size: of each round, 1 large, 4 medium and 8 small."""
    BEST = 2
    """The job whose best option has the highest measure."""
    ANY = 3
    """A random order, another one at each event."""


class Measure(IntEnum):
    """What makes an option the best of a job."""

    WORTH = 0
    """Worth when it is done (Util)."""
    PER_TIME = 1
    """Worth for each second (UPT)."""
    PER_RESOURCE = 2
    """Worth for each second of a core (UPR)."""
    PER_ENERGY = 3
    """Worth for each joule (UPE)."""
    EARLIEST = 4
    """The earliest start."""
    ANY = 5
    """An option drawn at random."""
    SURPLUS = 6
    """Worth above the price of its cores and its energy, over the size of the option (`Charges`).
    For the next job this is divided by the least size of its options once more. An option that is
    worth no more than its price is not used."""
    PER_SHARE = 7
    """Worth for each second of the shares that it takes of its pool: of the units, and of each
    further resource (VPTR). The policy weighs the shares (`weights`)."""


class Blocked(IntEnum):
    """What happens to a job that cannot start now."""

    WAIT = 0
    """It waits, and keeps nothing free."""
    RESERVE = 1
    """It gets a promise: a start that stays, and that nothing delays."""
    RESERVE_FIRST = 2
    """Only the first gets a promise; others start only if they can start now."""
    HOLD = 3
    """It keeps its place free for this event only (a place-holder)."""


class Filter(IntEnum):
    """Which options are left out to save energy for later."""

    NONE = 0
    PER_RESOURCE = 1
    PER_TASK = 2


class Switch(IntEnum):
    """Whether the measure changes between `PER_RESOURCE` and `PER_ENERGY` with the energy spent."""

    NEVER = 0
    BY_EVENT = 1
    BY_TASK = 2


@dataclass(frozen=True)
class Prices:
    """What a job must be worth under a policy by prices: `core_second` for each second of a core,
    `joule` for each joule, and `further` for each second of 1 of each further resource.
    """

    core_second: float = 0.0
    joule: float = 0.0
    further: tuple[float, ...] = ()
    by_share: bool = False
    """Nothing has a price: options are valued as by `Measure.PER_SHARE`."""

    def of(self, core_seconds: Taken, joules: Taken) -> Taken:
        """The price of what takes so much, and no further resource."""
        return self.core_second * core_seconds + self.joule * joules


NEVER_DROPPED: Final = -1.0


@dataclass(frozen=True)
class Policy:
    """A way to decide. `drop_below` is the worth that a job must still be able to reach by a start
    now on its fastest option; below it is dropped (`NEVER_DROPPED`: none is).
    """

    name: str
    order: Order
    measure: Measure
    blocked: Blocked
    fastest_only: bool = False
    """It uses only the fastest power state of each pool."""
    filter: Filter = Filter.NONE
    leniency: float = 1.0
    switch: Switch = Switch.NEVER
    drop_below: float = NEVER_DROPPED
    drops: bool = False
    """It drops a job that is worth nothing on any option at its earliest start in the plan of the
    event: places that are held count as taken."""
    by_resources: bool = False
    """Its prices are of cores and of further resources, as the jobs that came lately make them.
    Options have no sizes: the best one of a job has the most `SURPLUS`, and the next job has the
    most of it for the least price of its options."""
    weights: tuple[float, float] = (1.0, 1.0)
    """How much the share of the units counts, and that of each further resource."""
    only_news: bool = False
    """It decides only at events at which a job has arrived, ended or begun."""
    only_now: bool = False
    """It looks at options alone that can start now: no job waits for a better pool."""
    technique: Technique = Technique.NONE
    """Which jobs it stops for a job that cannot start now."""
    sequences: int = 1
    """So many orders of the waiting jobs are tried at an event, and the one is followed whose
    plan is worth the most above its price. All but the first are drawn near the usual order."""

    def __post_init__(self) -> None:
        by_prices = (self.order, self.measure, self.switch) == (
            Order.BEST,
            Measure.SURPLUS,
            Switch.NEVER,
        )
        if self.sequences > 1 and not (by_prices and self.blocked is Blocked.HOLD):
            raise ValueError("sequences are for policies by prices that hold places")
        if self.sequences > 1 and self.drops:
            raise ValueError("a policy that plans several sequences drops no job by a plan")
        if self.drops and (self.technique is not Technique.NONE or self.only_now):
            raise ValueError("a policy that drops jobs by its plan stops no other job")
        tiers = self.technique is Technique.TIERS
        if self.only_now and (tiers or self.blocked is not Blocked.WAIT or self.switches):
            raise ValueError("a policy that looks at what can start now keeps nothing free")
        if self.technique is not Technique.NONE and not (self.only_now or tiers):
            raise ValueError("to stop others for what they are worth, look at what can start now")
        if self.only_now and self.measure is Measure.SURPLUS:
            raise ValueError("a policy that looks at what can start now has another measure")
        compares = self.technique in (Technique.GREEDY, Technique.DIFF, Technique.PAIR)
        if compares and self.measure in (Measure.EARLIEST, Measure.ANY):
            raise ValueError("to stop others for what they are worth, measure what jobs are worth")
        if tiers and (self.order is not Order.ARRIVAL or self.blocked is Blocked.HOLD):
            raise ValueError("tiers are for policies that take jobs by arrival")

    @property
    def switches(self) -> bool:
        """Whether its measure changes, or it leaves options out to save energy."""
        return self.switch is not Switch.NEVER or self.filter is not Filter.NONE

    @property
    def by_price(self) -> bool:
        """Whether it asks what cores and energy cost."""
        return self.measure is Measure.SURPLUS or self.technique is Technique.PRICES

    @property
    def stops(self) -> bool:
        """Whether the loop of `core.engines.replay.stopping.events` runs it."""
        return self.only_now or self.technique is not Technique.NONE


class Charges(NamedTuple):
    """What options are charged: for each option, its `price` (worth) and its `size`; of each job,
    the `least_size`; of each pool, the `least_rate`: the price of a second of its cheapest option.

    A size is the root of the seconds times the root of the price for each second; where nothing
    has a price, of the cores. So of two jobs that take as much, the wide one comes before the long
    one: what is wide finds its place less often, and waits longer for it. By resources, each size
    is 1, and the least size of a job is the least price of its options.
    """

    price: FloatArray
    size: FloatArray
    least_size: FloatArray
    least_rate: FloatArray

    @classmethod
    def of(cls, workload: Workload, prices: Prices, *, by_resources: bool = False) -> "Charges":
        options = workload.options
        cores = workload.option_cores
        rate = prices.of(cores.astype(float), options.watts)
        if options.further is not None and prices.further:
            rate = rate + options.further @ np.array(prices.further)
        one_is_priced = by_resources and rate.any()
        paid = rate if one_is_priced else np.where(rate > 0.0, rate, cores)
        paid = np.maximum(paid, NOT_DIVISIBLE)
        size = options.seconds * paid if by_resources else np.sqrt(options.seconds * np.sqrt(paid))
        least = np.minimum.reduceat(size, options.first[:-1]) if len(size) else size
        size = np.ones(len(size)) if by_resources else size
        least_rate = np.full(len(workload.pools), np.inf)
        np.minimum.at(least_rate, options.pool, rate)
        return cls(rate * options.seconds, size, least, least_rate)

    @classmethod
    def by_share(cls, workload: Workload, shares: FloatArray) -> "Charges":
        """No option has a price, and its size is its seconds of these shares, of each option: so
        `Measure.SURPLUS` is the same as `Measure.PER_SHARE`.
        """
        size = np.maximum(workload.options.seconds * shares, NOT_DIVISIBLE)
        one = np.ones(len(workload.jobs))
        return cls(np.zeros(len(size)), size, one, np.zeros(len(workload.pools)))

    @classmethod
    def none(cls) -> "Charges":
        """For policies that look at no prices."""
        nothing = np.zeros(0)
        return cls(nothing, nothing, nothing, nothing)
