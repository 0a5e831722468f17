"""Rivals: the schedules of well-known heuristics and solvers, to compare with."""

from collections.abc import Mapping
from types import MappingProxyType

from core.engines.rivals.heuristics import (
    max_min,
    min_min,
    minimum_completion,
    minimum_execution,
    opportunistic,
    sufferage,
)
from core.engines.rivals.nsga2 import basic_seeds, nsga2
from core.engines.rivals.rival import MissingExtra, Rival
from core.engines.rivals.solvers import cp_sat, integer_program
from core.engines.rivals.weighted_sweep import WeightedSweep, weighted_sweep
from core.vocabulary.budget import Cancelled, NoScheduleFound, TooLong

__all__ = [
    "RIVALS",
    "Cancelled",
    "MissingExtra",
    "NoScheduleFound",
    "Rival",
    "TooLong",
    "WeightedSweep",
    "basic_seeds",
    "nsga2",
    "weighted_sweep",
]

RIVALS: Mapping[str, Rival] = MappingProxyType(
    {
        rival.name: rival
        for rival in (
            Rival("min-min", "Min-min: the task that can end first goes first", min_min),
            Rival("max-min", "Max-min: the task that can end last goes first", max_min),
            Rival("sufferage", "Sufferage: the task with most to lose goes first", sufferage),
            Rival("mct", "MCT: in turn, where each task ends first", minimum_completion),
            Rival("met", "MET: in turn, where each task runs fastest", minimum_execution),
            Rival("olb", "OLB: in turn, on the machine that is free first", opportunistic),
            Rival("cp-sat", "CP-SAT: Google's constraint solver", cp_sat, anytime=True),
            Rival(
                "integer-program",
                "Integer program: plain, on HiGHS",
                integer_program,
                anytime=True,
            ),
        )
    }
)
"""Every rival for the makespan, by its name on the command line."""
