"""Policies by name, and what the publication's results are shares of."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Final, Literal, NamedTuple, get_args

import numpy as np

from core.engines.replay.policy import Blocked, Filter, Measure, Order, Policy, Switch
from core.engines.replay.pricing import BY_PRICES
from core.engines.replay.stopping.rules import Technique
from core.engines.replay.workload import Truth, Workload
from core.engines.replay.worth import curves_at
from core.vocabulary.ranges import Range
from core.vocabulary.say.words import typed

DROP_BELOW: Final = 0.5
"""The published threshold: a job that cannot be worth more is dropped."""
LENIENCY: Final = Range(0.001, 1e6, "times the mean energy that is left")
MEMORY_WEIGHT: Final = Range(0.0, 1e6, "times a share of cores")
BY_SHARES: Final = "max-vptr"
"""The policy that looks at shares of cores and of memory together."""
DROP: Final = Range(-1.0, 1e15, "worth (-1: none is dropped)")

FilterName = Literal["resource", "task"]
FILTERS: Final[Mapping[FilterName, Filter]] = {
    "resource": Filter.PER_RESOURCE,
    "task": Filter.PER_TASK,
}
PUBLISHED_LENIENCY: Final[Mapping[str, float]] = {"resource": 4.0, "task": 2.0}


class NamedPolicy(NamedTuple):
    policy: Policy
    label: str

    @property
    def name(self) -> str:
        return self.policy.name


class EnergyFilter(NamedTuple):
    """Which options are left out to save energy: those that take more than `leniency` times what
    is left on average, for each second of a core ("resource") or for each job ("task").
    """

    kind: FilterName
    leniency: float

    @classmethod
    def usual(cls, kind: FilterName) -> "EnergyFilter":
        """The filter with its published leniency."""
        return cls(kind, PUBLISHED_LENIENCY[kind])

    @property
    def text(self) -> str:
        return f"{self.kind}:{typed(self.leniency)}"


@dataclass(frozen=True)
class PolicySwitches:
    """What holds for all policies of a run. The filter is used by those alone that do not look at
    energy themselves.
    """

    drop_below: float = DROP_BELOW
    filter: EnergyFilter | None = None
    memory_weight: float = 1.0
    """How many times a share of memory counts as much as one of cores, for `BY_SHARES`."""

    def applied(self, policy: Policy) -> Policy:
        says_itself = policy.name in VALUE
        if policy.name == BY_SHARES:
            policy = replace(policy, weights=(1.0, self.memory_weight))
        changed = policy if says_itself else replace(policy, drop_below=self.drop_below)
        if self.filter is None or not takes_filter(policy):
            return changed
        kind, leniency = self.filter
        return replace(changed, filter=FILTERS[kind], leniency=leniency)


class UnknownPolicy(ValueError):
    """There is no policy of this name; the message says which there are."""


_MEASURES: Final = (
    ("util", Measure.WORTH, "Most worth"),
    ("upt", Measure.PER_TIME, "Most worth per second"),
    ("upr", Measure.PER_RESOURCE, "Most worth per core-second"),
    ("upe", Measure.PER_ENERGY, "Most worth per kWh"),
)
_IN_LINE: Final = (
    NamedPolicy(Policy("random", Order.ARRIVAL, Measure.ANY, Blocked.RESERVE), "Random"),
    NamedPolicy(
        Policy("conservative", Order.ARRIVAL, Measure.EARLIEST, Blocked.RESERVE, fastest_only=True),
        "Conservative backfilling",
    ),
    NamedPolicy(
        Policy("easy", Order.ARRIVAL, Measure.EARLIEST, Blocked.RESERVE_FIRST, fastest_only=True),
        "EASY backfilling",
    ),
    NamedPolicy(
        Policy("queues", Order.QUEUES, Measure.EARLIEST, Blocked.RESERVE, fastest_only=True),
        "Multiple queues",
    ),
)
"""The policies that do not look at worth."""
_BY_MEASURE: Final = tuple(
    NamedPolicy(Policy(f"max-{short}{ending}", Order.BEST, measure, blocked), f"{label}{said}")
    for ending, blocked, said in (
        ("", Blocked.HOLD, ""),
        ("-res", Blocked.RESERVE, " (with reservations)"),
    )
    for short, measure, label in _MEASURES
)
"""The policies that take the job with the highest measure first."""
_SWITCHING: Final = tuple(
    NamedPolicy(Policy(name, Order.BEST, Measure.PER_RESOURCE, Blocked.HOLD, switch=switch), label)
    for name, switch, label in (
        ("event-based", Switch.BY_EVENT, "Event-Based"),
        ("task-based", Switch.BY_TASK, "Task-Based"),
    )
)
_SIMPLE: Final = tuple(
    NamedPolicy(Policy(f"simple{ending}", Order.ANY, Measure.ANY, blocked, drops=drops), label)
    for ending, blocked, drops, label in (
        ("", Blocked.RESERVE, False, "Any job, any size"),
        ("-d", Blocked.RESERVE, True, "Any job, any size, drops what is worth nothing"),
        ("-p", Blocked.HOLD, False, "Any job, any size, holds places"),
        ("-dp", Blocked.HOLD, True, "Any job, any size, drops and holds places"),
    )
)
_BY_VALUE: Final = tuple(
    NamedPolicy(
        Policy(f"max-{short}", Order.BEST, measure, Blocked.HOLD, drops=True, weights=weights),
        label,
    )
    for short, measure, weights, label in (
        ("vptr", Measure.PER_SHARE, (1.0, 1.0), "Most value per share of the pool and second"),
        ("value", Measure.WORTH, (1.0, 1.0), "Most value"),
        ("vpt", Measure.PER_TIME, (1.0, 1.0), "Most value per second"),
        ("vpc", Measure.PER_SHARE, (1.0, 0.0), "Most value per core-second"),
        ("vpm", Measure.PER_SHARE, (0.0, 1.0), "Most value per GB-second"),
    )
)
_VALUE_PRICES: Final = NamedPolicy(
    Policy(
        "value-prices", Order.BEST, Measure.SURPLUS, Blocked.HOLD, drops=True, by_resources=True
    ),
    "Prices of cores and memory (Wattfront)",
)
VALUE: Final[Mapping[str, NamedPolicy]] = {
    one.name: one for one in (*_BY_VALUE, *_SIMPLE, _VALUE_PRICES)
}
"""Policies for value of service, ours last. They say themselves what they drop."""
PUBLISHED: Final[Mapping[str, NamedPolicy]] = {
    one.name: one for one in (*_IN_LINE, *_BY_MEASURE, *_SWITCHING)
}
"""All published policies, in the order in which they are shown. None drops a job or has a filter
until `PolicySwitches` say so.
"""

OURS: Final = NamedPolicy(BY_PRICES, "Energy prices (Wattfront)")
POLICIES: Final[Mapping[str, NamedPolicy]] = {**PUBLISHED, OURS.name: OURS}
"""All policies that look at no value of options and stop no job, in the order in which they are
shown.
"""
CHOICES: Final[Mapping[str, NamedPolicy]] = {**POLICIES, **VALUE}
"""All policies that stop no job."""

StopName = Literal["now", "greedy", "diff", "pair", "tiers", "prices"]
_TECHNIQUES: Final[Mapping[StopName, tuple[Technique, str]]] = {
    "now": (Technique.NONE, "of what can start now"),
    "greedy": (Technique.GREEDY, "stops others for more of it"),
    "diff": (Technique.DIFF, "stops others for the largest difference"),
    "pair": (Technique.PAIR, "stops others if that order is better"),
}
_PAIRED: Final = ("util", "upt")
_BY_ARRIVAL: Final = ("conservative", "easy")


def _stopping() -> Iterator[tuple[StopName, str, NamedPolicy]]:
    """What stops jobs: the technique, the policy that it is made of, and what that becomes."""
    for technique, (code, said) in _TECHNIQUES.items():
        for short, measure, label in _MEASURES:
            if technique != "pair" or short in _PAIRED:
                name = f"{short}-{technique}"
                policy = Policy(name, Order.BEST, measure, Blocked.WAIT, only_now=True)
                made = replace(policy, technique=code)
                yield technique, f"max-{short}", NamedPolicy(made, f"{label}, {said}")
    for name, measure, label in (
        ("random", Measure.ANY, "Random"),
        ("fcfs", Measure.EARLIEST, "First come, first served"),
    ):
        policy = Policy(f"{name}-now", Order.BEST, measure, Blocked.WAIT, only_now=True)
        yield "now", name, NamedPolicy(policy, f"{label}, of what can start now")
    for one in (POLICIES[name] for name in _BY_ARRIVAL):
        name = f"{one.name}-tiers"
        made = replace(one.policy, name=name, technique=Technique.TIERS)
        yield "tiers", one.name, NamedPolicy(made, f"{one.label}, stops lower tiers")
    made = Policy("prices-stop", Order.BEST, Measure.PER_TIME, Blocked.WAIT, only_now=True)
    made = replace(made, technique=Technique.PRICES)
    yield "prices", OURS.name, NamedPolicy(made, "Prices, stops others (Wattfront)")


STOPPING: Final[Mapping[str, NamedPolicy]] = {one.name: one for _, _, one in _stopping()}
"""Policies that look at what can start now alone, or stop jobs that run."""
STOPS: Final[Mapping[StopName, Mapping[str, str]]] = {
    stop: {base: one.name for name, base, one in _stopping() if name == stop}
    for stop in get_args(StopName)
}
"""What policies become that stop others by a technique, by their names."""


STOP_LABELS: Final[Mapping[StopName, str]] = {
    "tiers": "By tiers, as Slurm does",
    "greedy": "For more of the measure (Greedy)",
    "diff": "For the largest difference (Diff)",
    "pair": "For the better order of two (Pair)",
    "prices": "By prices (Wattfront)",
    "now": "None, but of what can start now",
}
"""What a page calls the techniques."""
USUAL_STOPPERS: Final[Mapping[StopName, str]] = {
    "tiers": "easy-tiers",
    "prices": "prices-stop",
    **{name: f"upt-{name}" for name in ("greedy", "diff", "pair", "now")},
}
"""The policy that stands for each technique."""


def with_stoppers(names: tuple[str, ...], stop: StopName | None) -> tuple[str, ...]:
    """The policies, and those that they become if they stop others; if none can, the usual one."""
    if stop is None:
        return names
    made = [STOPS[stop][name] for name in names if name in STOPS[stop]]
    return *names, *(made or [USUAL_STOPPERS[stop]])


def stops_jobs(name: str) -> bool:
    """Whether the policy of a name stops jobs that run."""
    return name in STOPPING and STOPPING[name].policy.technique is not Technique.NONE


def takes_filter(policy: Policy) -> bool:
    """Whether an energy filter is for this policy: it looks at worth, but never at energy."""
    looks = policy.order == Order.BEST and policy.switch == Switch.NEVER and not policy.only_now
    looks = looks and not policy.drops
    return looks and policy.measure in (Measure.WORTH, Measure.PER_TIME, Measure.PER_RESOURCE)


def policy_named(name: str) -> NamedPolicy:
    """The policy of this name; raises `UnknownPolicy`."""
    every = {**POLICIES, **STOPPING, **VALUE}
    if name in every:
        return every[name]
    usual = get_close_matches(name.casefold(), CHOICES, cutoff=0.5)
    close = usual or get_close_matches(name.casefold(), STOPPING, cutoff=0.7)
    hint = f"did you mean {' or '.join(close)}?" if close else "there are these:"
    raise UnknownPolicy(f"no policy is called {name!r}; {hint} ({', '.join(every)})")


def stopping_policy(name: str, stop: StopName) -> str:
    """The name of the policy that decides like one of this name, but stops others by a technique.
    Raises `UnknownPolicy` if there is none.
    """
    made = STOPS[stop]
    if name in STOPPING:
        return name
    if name not in made:
        raise UnknownPolicy(f"{name} stops no job by {stop!r}; these do: {', '.join(made)}")
    return made[name]


def published_maximum(workload: Workload, truth: Truth | None = None) -> float:
    """What the publication calls the maximum system utility: the worth within the horizon if every
    job began when it arrived, on its fastest option, and had the most that any option adds.

    It is no bound: a job that is worth nothing within the horizon if it begins at once (since it
    arrived before it) may be worth something if it waits. `core.engines.replay` has the bound.
    """
    jobs, options = workload.jobs, workload.options
    seconds = np.minimum.reduceat(options.seconds, options.first[:-1])
    if truth is not None:
        seconds = seconds * truth.time
    begin, end = workload.horizon
    within = np.minimum(jobs.arrival + seconds, end) - np.maximum(jobs.arrival, begin)
    share = np.clip(within / seconds, 0.0, 1.0)
    curve = curves_at(workload.curves, jobs.curve, jobs.urgency, seconds)
    extra = np.maximum.reduceat(options.added, options.first[:-1])
    worth = jobs.priority * curve + np.where(curve > 0.0, extra, 0.0)
    return float((worth * share).sum())
