"""Kernels that value an option: its measure, its price, and the joules that it takes."""

# Numba infers the types of the kernels that it compiles:
# mypy: allow-untyped-defs

from typing import Final

import numpy as np

from core.engines.compute.compiled import InPlaceKernel
from core.engines.replay.worth import curve_at
from core.vocabulary.tolerances import NOT_DIVISIBLE

# Codes of measures, as kernels compare them; equal to those of `core.engines.replay.policy`.
WORTH: Final = 0
PER_TIME: Final = 1
PER_RESOURCE: Final = 2
PER_ENERGY: Final = 3
EARLIEST: Final = 4
ANY: Final = 5
SURPLUS: Final = 6
PER_SHARE: Final = 7


@InPlaceKernel
def worth_at(facts, job, end, extra):
    """What a job is worth that finishes at a time, on an option that adds `extra`."""
    one = facts.jobs[job]
    share = curve_at(facts.curves, one.curve, one.urgency, end - one.arrival)
    return one.priority * share + extra if share > 0.0 else 0.0


@InPlaceKernel
def drawn_number(seed, job, event):
    """A number from 0 to below 1 that depends on these three alone."""
    mixed = np.uint64(seed) + np.uint64(0x9E3779B97F4A7C15) * np.uint64(job * 1_000_003 + event + 1)
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    mixed = mixed ^ (mixed >> np.uint64(31))
    return np.float64(mixed >> np.uint64(11)) / 9007199254740992.0


@InPlaceKernel
def spend(left, edges, span, watts):
    """Takes from each window the energy that falls into it."""
    for window in range(len(left)):
        seconds = min(span[1], edges[window + 1]) - max(span[0], edges[window])
        if seconds > 0.0:
            left[window] -= watts * seconds


@InPlaceKernel
def affordable(left, edges, span, watts):
    """Whether each window has the energy that falls into it."""
    for window in range(len(left)):
        seconds = min(span[1], edges[window + 1]) - max(span[0], edges[window])
        if seconds > 0.0 and watts * seconds > left[window]:
            return False
    return True


@InPlaceKernel
def window_at(edges, now):
    """The window of a time; after the last one, the last."""
    window = 0
    while window + 2 < len(edges) and edges[window + 1] <= now:
        window += 1
    return window


@InPlaceKernel
def steady_joules(budget, edges, now):
    """The joules that a constant rate would have spent in this window by now."""
    window = window_at(edges, now)
    if np.isinf(budget[window]):
        return np.inf
    begin, end = edges[window], edges[window + 1]
    return budget[window] * (now - begin) / (end - begin)


@InPlaceKernel
def rated(facts, measure, option, worth, seconds):
    """The measure of a worth for so many seconds on an option."""
    way = facts.ways[option]
    if measure == PER_TIME:
        return worth / seconds
    if measure == PER_RESOURCE:
        return worth / (seconds * way.units * facts.cores[way.pool])
    if measure == PER_ENERGY:
        return worth / max(seconds * way.watts, NOT_DIVISIBLE)
    if measure == PER_SHARE:
        return worth / max(seconds * facts.shares[option], NOT_DIVISIBLE)
    return worth


@InPlaceKernel
def measured(facts, rules, measure, job, option, start):
    """The measure of an option that starts at a time. It never rises with the time."""
    way = facts.ways[option]
    end = start + way.seconds
    if rules.drops and worth_at(facts, job, end, way.extra) <= 0.0:
        return -np.inf
    if measure == EARLIEST:
        return -start
    if measure == ANY:
        return 0.0
    worth = worth_at(facts, job, end, way.extra)
    if measure != SURPLUS:
        return rated(facts, measure, option, worth, way.seconds)
    surplus = worth - rules.price[option]
    return surplus / rules.size[option] if surplus > 0.0 else -np.inf
