"""What is said of value of service: what worth is for, which sizes run, what cores and memory are
worth in each hour of the day.
"""

from collections.abc import Iterator, Mapping
from typing import Final

import numpy as np

from core.capabilities.arrivals.files.workload_file import MEMORY_GB
from core.capabilities.arrivals.labels import policy_label
from core.capabilities.arrivals.made.job_sizes import JobSizes
from core.capabilities.arrivals.trials import PolicyTrial, ReplayComparison, worth_of
from core.engines.replay.hourly_prices import CORES, HourlyPrices
from core.engines.replay.value_score import ValueScore
from core.shells.told.told import ToldTable
from core.vocabulary.arrays import FloatArray
from core.vocabulary.say.words import (
    HOUR,
    Sense,
    amount,
    as_sentence,
    clock,
    counted,
    joined,
    share,
    typed,
)

_UNITS: Final = {CORES: "core", MEMORY_GB: "GB"}
_PLURALS: Final = {MEMORY_GB: "memory"}
_MOST_SIZES: Final = 100
_MOST_POOLS: Final = 4
_SHORT: Final = 1e-3
"""A resource is short if all of it is worth this share of the bound in a day."""
_PRICES_NOTE: Final = (
    "With 1 more in that hour, nobody can earn more than the bound and so much. The prices that "
    "prove the bound say so."
)
_SHOWN: Final = _PRICES_NOTE + " The pools where the day is worth the most are shown."


def _scores(found: ReplayComparison, policy: str) -> list[ValueScore]:
    """The figures of the common trials; empty where there is nothing of value of service."""
    trials: list[PolicyTrial] = [found.trials[policy][trial] for trial in found.common]
    return [one.value for one in trials if one.value is not None]


def _worths(found: ReplayComparison, policy: str) -> tuple[float, float] | None:
    """What jobs earn by being early, and what options add, on average; None where none adds any."""
    scores = _scores(found, policy)
    added = [one.energy for one in scores if one.energy is not None]
    if not added:
        return None
    return float(np.mean([one.time for one in scores])), float(np.mean(added))


def jobs_by_size(found: ReplayComparison, policy: str) -> dict[tuple[float, ...], float]:
    """How many jobs ran in each size on average, the smallest size first."""
    scores, jobs = _scores(found, policy), dict[tuple[float, ...], float]()
    for size, count in (pair for one in scores for pair in one.sizes.items()):
        jobs[size] = jobs.get(size, 0.0) + count / len(scores)
    return dict(sorted(jobs.items()))


def taken_resources(found: ReplayComparison) -> tuple[str, ...]:
    """What sizes have: cores, and the further resources of the pools."""
    return CORES, *_scores(found, found.ranked[0])[0].resources


def size_said(size: tuple[float, ...], resources: tuple[str, ...]) -> str:
    """A size by what it has: "4 cores, 6 GB"."""
    cores, *further = size
    taken = [(CORES, cores), *zip(resources, further, strict=True)]
    return ", ".join(amount_said(has, name) for name, has in taken if has or name == CORES)


def amount_said(amount: float, resource: str) -> str:
    """An amount of a resource: "16 cores", "64 GB"."""
    if resource == CORES:
        return counted(round(amount), "core")
    return f"{typed(amount)} {_UNITS.get(resource, resource)}"


def resource_title(resource: str) -> str:
    """What a resource is called on an axis, with its unit."""
    return {CORES: "Cores", MEMORY_GB: "Memory (GB)"}.get(resource, resource)


def _said_sizes(found: ReplayComparison, policy: str) -> dict[str, float]:
    scores, sizes = _scores(found, policy), jobs_by_size(found, policy)
    return {size_said(size, scores[0].resources): jobs for size, jobs in sizes.items()}


def cost_column(found: ReplayComparison, sizes: JobSizes, currency: str) -> dict[str, list[str]]:
    """What the sizes cost in which jobs ran; no column where no price is known."""
    costs = [sizes_cost(found, one, sizes) for one in found.ranked]
    if all(one is None for one in costs):
        return {}
    said = ["–" if one is None else amount(one, Sense.PLAIN, currency) for one in costs]
    return {"Cost of sizes": said}


def value_columns(found: ReplayComparison) -> dict[str, list[str]]:
    """What the worth of each policy is for; no column where options add nothing."""
    worths = [_worths(found, one) for one in found.ranked]
    known = [one for one in worths if one is not None]
    if not known or len(known) < len(worths):
        return {}
    early, added = zip(*known, strict=True)
    return {
        "Worth of being early": [amount(one, Sense.PLAIN) for one in early],
        "Worth of little energy": [amount(one, Sense.PLAIN) for one in added],
    }


def sizes_table(found: ReplayComparison) -> ToldTable | None:
    """The sizes in which jobs ran under each policy; None if they had none to choose from."""
    each = {policy: jobs_by_size(found, policy) for policy in found.ranked}
    every = sorted({size for sizes in each.values() for size in sizes})
    if not every:
        return None
    resources = taken_resources(found)[1:]
    shown, more = every[:_MOST_SIZES], len(every) - _MOST_SIZES
    columns = {"Size": [size_said(size, resources) for size in shown]}
    for policy, sizes in each.items():
        jobs = [amount(sizes.get(size, 0.0), Sense.PLAIN) for size in shown]
        columns[policy_label(policy)] = jobs
    note = "How many jobs ran in each size."
    note = f"{note} Left out: {more:,} larger ones." if more > 0 else note
    return ToldTable.of_columns("Sizes", columns, note=note)


def sizes_cost(found: ReplayComparison, policy: str, sizes: JobSizes) -> float | None:
    """What all hours of jobs in their sizes cost on average; None if the price of one in which jobs
    ran is not known.
    """
    price = dict[tuple[float, ...], float | None]()
    price.update({(one.cores, one.memory_gb): one.price for one in sizes.rows})
    scores, cost = _scores(found, policy), 0.0
    for size, seconds in (pair for one in scores for pair in one.seconds.items()):
        if (hourly := price.get(size[:2])) is None:
            return None
        cost += hourly * seconds / HOUR / len(scores)
    return cost if any(one.seconds for one in scores) else None


def priced_lines(prices: HourlyPrices) -> dict[str, FloatArray]:
    """What 1 of each resource is worth in each hour, by what it is called; of several pools, those
    in which a day of all that they have is worth the most.
    """
    day = (prices.worth.sum(axis=2) * prices.amounts).sum(axis=1)
    pools = np.sort(np.argsort(-day, kind="stable")[:_MOST_POOLS]).tolist()
    several = len(prices.pools) > 1
    return {
        f"{hour_of(name)}{f' of {prices.pools[pool]}' if several else ''}": prices.worth[pool, row]
        for pool in pools
        for row, name in enumerate(prices.resources)
    }


def prices_table(prices: HourlyPrices) -> ToldTable:
    """What 1 of each resource is worth by the hour, as `priced_lines`."""
    lines = priced_lines(prices)
    hours = [_span(hour) for hour in range(prices.worth.shape[2])]
    columns = {"Hour": [*hours, "Whole day"]}
    for name, worth in lines.items():
        each = [*worth.tolist(), float(worth.sum())]
        columns[f"A {name}"] = [amount(one, Sense.PLAIN) for one in each]
    left_out = len(prices.pools) > _MOST_POOLS
    note = _SHOWN if left_out else _PRICES_NOTE
    return ToldTable.of_columns("What cores and memory are worth by hour", columns, note=note)


def hour_of(resource: str) -> str:
    """What 1 of a resource for an hour is called: "core-hour"."""
    return f"{_UNITS.get(resource, resource)}-hour"


def _span(hour: int) -> str:
    return f"{clock(hour * HOUR)} to {clock((hour + 1) * HOUR)}"


def value_sentences(found: ReplayComparison) -> Iterator[str]:
    """What the worth of the best policy is for, and when each resource is worth the most."""
    best = found.ranked[0]
    worths, earned = _worths(found, best), found.mean(best, worth_of)
    if worths is not None and earned > 0:
        early, added = (share(one / earned, Sense.PLAIN) for one in worths)
        yield (
            f"Under {policy_label(best)}, {early} of the worth is for being early, and "
            f"{added} for taking little energy."
        )
    if found.prices is not None:
        yield _when_short(found.prices, float(found.bound_values.mean()))


def _when_short(prices: HourlyPrices, bound: float) -> str:
    """When each resource is worth the most, and which are short at no hour."""
    held = (prices.worth.sum(axis=2) * prices.amounts).sum(axis=0)
    dear, never = list[str](), list[str]()
    for row, name in enumerate(prices.resources):
        if held[row] <= _SHORT * bound:
            never.append(_PLURALS.get(name, name))
            continue
        worth = prices.worth[:, row]
        pool, hour = map(int, np.unravel_index(np.argmax(worth), worth.shape))
        where = f" in {prices.pools[pool]}" if len(prices.pools) > 1 else ""
        verb = "" if dear else " is worth most"
        most = amount(float(worth[pool, hour]), Sense.PLAIN)
        dear.append(f"a {hour_of(name)}{verb}{where} from {_span(hour)} ({most})")
    verb = "is" if never == [_PLURALS[MEMORY_GB]] else "are"
    short = f"{joined(never)} {verb} short at no hour" if never else ""
    return as_sentence("; ".join(filter(None, [", ".join(dear), short])))


def value_data(found: ReplayComparison, policy: str) -> dict[str, object]:
    """The figures of a policy; those of what a workload does not have are missing."""
    worths, sizes = _worths(found, policy), _said_sizes(found, policy)
    data: dict[str, object] = {}
    if worths is not None:
        data |= {"value_time": worths[0], "value_energy": worths[1]}
    return data | ({"sizes": sizes} if sizes else {})


def prices_data(found: ReplayComparison) -> dict[str, object]:
    """What 1 of each resource is worth in each hour of the day, by pool; empty where no bound has
    such prices.
    """
    prices = found.prices
    if prices is None:
        return {}
    pools: Mapping[str, object] = {
        pool: dict(zip(prices.resources, worth.tolist(), strict=True))
        for pool, worth in zip(prices.pools, prices.worth, strict=True)
    }
    return {"prices": pools}
