"""Workloads that are drawn anew for each trial, by name."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Final

from core.capabilities.arrivals.files.workload_file import WorkloadFile
from core.capabilities.arrivals.made.synthetic import BudgetSettings, draw_budget_day
from core.capabilities.arrivals.made.testbed import BUDGET as TESTBED_BUDGET
from core.capabilities.arrivals.made.testbed import EVERY as TESTBED_EVERY
from core.capabilities.arrivals.made.testbed import LENGTH as TESTBED_LENGTH
from core.capabilities.arrivals.made.testbed import BladeSettings, draw_testbed
from core.capabilities.arrivals.made.urgent import (
    A_CORE,
    A_DAY,
    CLUSTERS,
    UrgentSettings,
    draw_urgent_day,
)
from core.capabilities.arrivals.made.value import (
    CORES,
    MEMORY,
    ValueSettings,
    draw_value_day,
)
from core.capabilities.arrivals.made.value_testbed import HostSettings, draw_value_testbed
from core.capabilities.arrivals.uncertain.bags import (
    ERROR_LEVELS,
    MACHINES,
    ErrorLevel,
    UncertainSettings,
    draw_uncertain,
)
from core.engines.replay.clock import EVERY
from core.engines.replay.energy import DAY_SECONDS
from core.vocabulary.ranges import Range
from core.vocabulary.say.words import typed
from core.vocabulary.setting import NumberIn, WholeIn, settings_in

DAY_JOULES: Final = {5_000: 12e9, 10_000: 15e9}
"""The published budgets, by jobs a day; days of other sizes have none."""
DRAWN_VALUE: Final = "value"
OF_VALUE: Final = {
    name: one.kind.allowed
    for name, one in settings_in(ValueSettings).items()
    if name != "seed" and isinstance(one.kind, NumberIn | WholeIn)
}
"""The cores and GB of days of value of service."""
_DIGITS: Final = 9
DRAWN_JOBS: Final = Range(100, 20_000, "jobs")
"""Jobs a day of the recipes `budget-N` and `urgent-N`."""


@dataclass(frozen=True)
class Recipe:
    """How to draw a workload by a seed, and the seconds between its mapping events."""

    name: str
    draw: Callable[[int], WorkloadFile]
    every: float = EVERY
    of_bags: bool = False
    """Its jobs are tasks of one core, for the methods of
    `core.capabilities.arrivals.uncertain.methods`.
    """
    of_value: bool = False
    """Its options add to the worth of their jobs, for the policies of value of service."""
    draws: bool = True
    """Its jobs draw energy, which a budget may limit."""


def _budget(a_day: int) -> Callable[[int], WorkloadFile]:
    def draw(seed: int) -> WorkloadFile:
        workload = draw_budget_day(BudgetSettings(a_day, seed=seed))
        return WorkloadFile.as_estimated(workload, DAY_JOULES.get(a_day, math.inf))

    return draw


def _urgent(a_day: int) -> Callable[[int], WorkloadFile]:
    """So many jobs a day, on as many cores as have the published load."""
    cores = max(round(a_day / A_CORE), CLUSTERS)

    def draw(seed: int) -> WorkloadFile:
        return WorkloadFile.as_estimated(draw_urgent_day(UrgentSettings(a_day, cores, seed=seed)))

    return draw


_OF_SIZE: Final[Mapping[str, Callable[[int], Callable[[int], WorkloadFile]]]] = {
    "budget": _budget,
    "urgent": _urgent,
}
"""What draws days of so many jobs, by names of recipes."""


def value_recipe(cores: int, memory: float) -> Recipe:
    """Days of value of service on so many cores and GB."""

    def draw(seed: int) -> WorkloadFile:
        return draw_value_day(ValueSettings(cores, memory, seed)).file

    is_usual = (cores, memory) == (CORES, MEMORY)
    name = DRAWN_VALUE if is_usual else f"{DRAWN_VALUE}-{cores}-{typed(memory)}"
    return Recipe(name, draw, of_value=True)


def _value_named(name: str) -> Recipe | None:
    """Days of a name as `value_recipe` gives it."""
    base, *amounts = name.split("-")
    if base != DRAWN_VALUE or len(amounts) != len(OF_VALUE):
        return None
    if not all(one.isascii() and one.replace(".", "", 1).isdecimal() for one in amounts):
        return None
    cores, memory = map(float, amounts)
    if cores not in OF_VALUE["cores"] or memory not in OF_VALUE["memory"]:
        return None
    found = value_recipe(int(cores), memory)
    return found if found.name == name else None


def _value_testbed(seed: int) -> WorkloadFile:
    return draw_value_testbed(HostSettings(seed=seed)).file


def _testbed(seed: int) -> WorkloadFile:
    a_day = TESTBED_BUDGET * DAY_SECONDS / TESTBED_LENGTH
    return WorkloadFile.as_estimated(draw_testbed(BladeSettings(seed=seed)), a_day)


def _uncertain(errors: ErrorLevel, machines: int = MACHINES[0]) -> Callable[[int], WorkloadFile]:
    def draw(seed: int) -> WorkloadFile:
        return WorkloadFile(*draw_uncertain(UncertainSettings(machines, errors=errors, seed=seed)))

    return draw


RECIPES: Final[Mapping[str, Recipe]] = {
    one.name: one
    for one in (
        Recipe("budget", _budget(5_000)),
        Recipe("budget-10000", _budget(10_000)),
        Recipe("testbed", _testbed, TESTBED_EVERY),
        Recipe("uncertain", _uncertain("medium"), of_bags=True),
        Recipe("urgent", _urgent(A_DAY), draws=False),
        value_recipe(CORES, MEMORY),
        Recipe("value-testbed", _value_testbed, of_value=True),
    )
}


def recipe_named(name: str) -> Recipe | None:
    """A recipe of `RECIPES`, or one of other jobs a day (`budget-N`, `urgent-N`), with other errors
    and machines (`uncertain-LEVEL`, `uncertain-LEVEL-MACHINES`), or on other cores and GB
    (`value-CORES-GB`); None if there is none of this name.
    """
    if name in RECIPES:
        return RECIPES[name]
    if (of_value := _value_named(name)) is not None:
        return of_value
    base, _, asked = name.partition("-")
    if base in _OF_SIZE and asked.isascii() and asked.isdecimal() and len(asked) < _DIGITS:
        jobs = int(asked)
        if jobs in DRAWN_JOBS and str(jobs) == asked:
            return replace(RECIPES[base], name=name, draw=_OF_SIZE[base](jobs))
    for level in ERROR_LEVELS:
        for machines in MACHINES:
            if name == f"uncertain-{level}-{machines}":
                return Recipe(name, _uncertain(level, machines), of_bags=True)
        if name == f"uncertain-{level}":
            return recipe_named(f"{name}-{MACHINES[0]}")
    return None


@lru_cache(maxsize=2)
def drawn(name: str, seed: int) -> WorkloadFile:
    """The workload of a recipe and a seed; the same for the same two. Raises `KeyError` if there is
    no such recipe.
    """
    recipe = recipe_named(name)
    if recipe is None:
        raise KeyError(name)
    return recipe.draw(seed)
