"""Examples in place of what a plan does not say yet."""

import math
from dataclasses import replace
from typing import Final

import numpy as np

from core import System
from core.vocabulary.arrays import FloatArray
from core.vocabulary.say.words import Sense, rounded
from dashboard.screens.provision.inputs import OfferInput, PlanInputs

_MEAN_PRICE: Final = 5_000.0
_PRICE_OF_A_WATT: Final = 20.0
"""A server with two processors draws about 400 W and costs about 8,000."""
_RESALE: Final = 0.2
_LOAD: Final = 2.0
_SHARE_OF_ALL: Final = 0.5
_FEW: Final = 4.0


def with_examples(system: System, inputs: PlanInputs) -> PlanInputs:
    """The inputs with examples in place of blanks, so that a person sees what an answer looks like.

    A machine costs 20 for each watt that it draws at work; where powers are unknown, in proportion
    to its speed at what it can run, 5,000 on average. A fifth of that is got back. A task is worth
    the seconds that it takes at best, unless tasks count by their work. Tasks arrive in the
    proportions of the system, and are twice the work that its machines can do at best. The budget
    is half of what all machines cost, or four machines where there are few.
    """
    possible = np.isfinite(system.etc)
    best = np.where(possible, system.etc, math.inf).min(axis=1)
    best = np.where(np.isfinite(best), best, 0.0)
    prices = [*map(_round, _prices(system, best))]
    shares = np.maximum(system.task_counts, 0) * 1.0
    if not shares.any():
        shares = np.ones(len(best))
    work = float(shares @ best) or 1.0
    machines = max(float(system.machines), 1.0)
    rates = (shares * machines * _LOAD / work).tolist()
    filled = set(inputs.examples)
    offers, demands, limits = list(inputs.offers), list(inputs.demands), inputs.limits
    for j, offer in enumerate(offers):
        if offer.price is None:
            resale = _round(_RESALE * prices[j]) if offer.resale is None else offer.resale
            offers[j] = replace(offer, price=max(prices[j], resale), resale=resale)
            filled.add("price")
    for i, demand in enumerate(demands):
        if demand.reward is None and not inputs.by_work:
            demand = replace(demand, reward=_round(float(best[i])))
            filled.add("reward")
        if demand.arrival_rate is None:
            in_units = _round(rates[i] * inputs.rate_seconds)
            demand = replace(demand, arrival_rate=in_units / inputs.rate_seconds)
            filled.add("arrival rate")
        demands[i] = demand
    if limits.budget is None:
        limits = replace(limits, budget=_round(_budget(system, offers)))
        filled.add("budget")
    return replace(
        inputs,
        offers=tuple(offers),
        demands=tuple(demands),
        limits=limits,
        examples=frozenset(filled),
    )


def _prices(system: System, best: FloatArray) -> list[float]:
    """An example of a price for each machine type."""
    if system.apc is not None and system.mean_power.max() > 0:
        return [float(_PRICE_OF_A_WATT * watts) for watts in system.mean_power]
    possible = np.isfinite(system.etc)
    speed = np.divide(best[:, None], system.etc, where=possible, out=np.zeros(system.etc.shape))
    level = speed.sum(axis=0) / np.maximum(possible.sum(axis=0), 1)
    return [float(_MEAN_PRICE * each / (level.mean() or 1.0)) for each in level]


def _budget(system: System, offers: list[OfferInput]) -> float:
    prices = np.array([offer.price or 0.0 for offer in offers])
    return max(_SHARE_OF_ALL * float(prices @ system.machine_counts), _FEW * float(prices.mean()))


def _round(value: float) -> float:
    """To two digits, as people give examples."""
    return rounded(value, Sense.PLAIN, 2)
