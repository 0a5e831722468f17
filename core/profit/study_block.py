"""The profit conditions in a study file; what is left out is as usual."""

import math
from collections.abc import Collection
from dataclasses import fields
from typing import Any, Final, get_args

from core.files.fields import Fields
from core.files.findings import shown
from core.files.strict_json import as_float
from core.model.ranges import Range
from core.model.system import System
from core.profit.conditions import RANGES, RATE, REWARD, By, Conditions, Electricity, Named
from core.profit.day_tariff import HOURS, Steps

_CHOICES: Final = {"by": get_args(By), "electricity": get_args(Electricity)}


def read_conditions(given: Fields, system: System | None) -> Conditions:
    """The conditions, of use only if nothing was reported; types must be those of the system."""
    given.warn_of_unused({field.name for field in fields(Conditions)})
    found: dict[str, Any] = {}
    for name, choices in _CHOICES.items():
        if given.has(name):
            found[name] = given.one_of(name, choices)
    for name, allowed in RANGES.items():
        if given.has(name):
            found[name] = given.number(name, allowed)
    if given.has("currency"):
        found["currency"] = given.text("currency")
    tasks = None if system is None else set(system.task_names)
    machines = None if system is None else set(system.machine_names)
    for name, names, allowed in (
        ("wear", machines, RATE),
        ("depreciation", machines, RATE),
        ("rewards", tasks, REWARD),
    ):
        if given.has(name):
            found[name] = _read_named(given, name, names, allowed)
    if given.has("day_tariff"):
        found["day_tariff"] = _read_steps(given)
    return Conditions(**found)


def _read_named(given: Fields, key: str, names: Collection[str] | None, allowed: Range) -> Named:
    """Money for each type that is named."""
    named = Fields.of(given.content, key, given.label, given.findings)
    for name in named.content:
        if names is not None and name not in names:
            named.error(name, "is no type of the system; correct the name")
    return tuple((name, named.number(name, allowed)) for name in named.content)


def _read_steps(given: Fields) -> Steps:
    """Hours of the day, each once, and prices."""
    items = given.content["day_tariff"]
    remedy = f"give [[hour, price a kWh], ...], hours from 0 to below {HOURS:g}, each once"
    if not isinstance(items, list) or not items:
        given.error("day_tariff", f"is no list of steps; {remedy}")
        return ()
    steps: list[tuple[float, float]] = []
    for k, item in enumerate(items, start=1):
        pair = item if isinstance(item, list) and len(item) == 2 else [None, None]
        hour, price = (math.nan if value is None else value for value in map(as_float, pair))
        if not 0 <= hour < HOURS or hour in dict(steps) or price not in RANGES["energy_price"]:
            given.error("day_tariff", f"step {k:,} is {shown(str(item))}; {remedy}")
        steps.append((hour, price))
    return tuple(steps)
