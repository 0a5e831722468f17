"""Loads what a replay needs, in the process that others are forked from."""

from core.capabilities.arrivals.kernels import load_kernels
from core.capabilities.arrivals.made.recipes import drawn
from core.capabilities.arrivals.trials import ReplayQuestion, outcome_of_trial
from core.capabilities.arrivals.uncertain.methods import METHODS


def prepare() -> None:
    outcome_of_trial(ReplayQuestion("testbed", ("easy",)), 0, "easy")
    drawn.cache_clear()
    for method in METHODS:
        load_kernels(method)
