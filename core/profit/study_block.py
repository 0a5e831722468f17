"""The settings of profit in a study file; missing ones have their defaults."""

import math
from collections.abc import Collection
from dataclasses import fields
from typing import Any, Final, get_args

from core.files.fields import Fields
from core.files.findings import shown
from core.files.strict_json import as_float
from core.model.ranges import Range
from core.model.system import System
from core.profit import CAPABILITY
from core.profit.conditions import (
    NAMED,
    RANGES,
    RATE,
    REWARD,
    Electricity,
    Named,
    PriceBasis,
    ProfitSettings,
)
from core.profit.day_tariff import HOURS, DailySteps
from core.say.words import HOUR, JOULES_PER_KWH
from core.studies.command_lines import shell_word
from core.studies.settings import StudySettings

_CHOICES: Final = {"by": get_args(PriceBasis), "electricity": get_args(Electricity)}


def read(given: Fields, system: System | None) -> ProfitSettings:
    """The settings, valid only if nothing was reported. Types must be those of the system."""
    given.warn_of_unused({field.name for field in fields(ProfitSettings)})
    found: dict[str, Any] = {}
    for name, choices in _CHOICES.items():
        if given.has(name):
            found[name] = given.one_of(name, choices)
    for name, allowed in RANGES.items():
        if given.has(name):
            found[name] = given.number(name, allowed)
    if given.has("currency"):
        found["currency"] = given.currency("currency")
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
    return ProfitSettings(**found)


def written(asked: ProfitSettings) -> dict[str, object]:
    """The settings that differ from their defaults, with types by name."""
    given = {field.name: getattr(asked, field.name) for field in fields(ProfitSettings)}
    unused = "price" if asked.by == "ratio" else "ratio"
    return {
        name: dict(value) if name in NAMED else value
        for name, value in given.items()
        if value not in (None, ()) and name != unused
    }


def commands(asked: ProfitSettings) -> list[list[object]]:
    """The arguments of `wattfront profit SYSTEM`: for batch after batch, and for part of one."""
    priced: list[object] = [f"--{asked.by.replace('bag', 'price')}"]
    priced += [asked.ratio if asked.by == "ratio" else asked.price]
    if asked.electricity == "kWh" or asked.by == "bag" or asked.day_tariff:
        priced += _electricity(asked)
    costs = _costs(asked)
    day = [f"{shell_word(hour)}:{shell_word(price)}" for hour, price in asked.day_tariff]
    lines = [[*priced, *costs, *(["--day-tariff", ",".join(day)] if day else [])]]
    if asked.deadline is not None and asked.rewards:
        part = ["--deadline", asked.deadline, *_named("rewards", asked.rewards, 1.0)]
        lines.append([*part, *_electricity(asked), *costs])
    return lines


def asked_of(settings: StudySettings) -> ProfitSettings | None:
    """The settings of profit of a study; None if it has none."""
    found = settings.blocks.get(CAPABILITY.name)
    return found if isinstance(found, ProfitSettings) else None


def as_block(conditions: ProfitSettings | None) -> dict[str, object]:
    """The blocks of a study with these settings of profit; empty without them."""
    return {} if conditions is None else {CAPABILITY.name: conditions}


def _read_named(given: Fields, key: str, names: Collection[str] | None, allowed: Range) -> Named:
    """Money for each named type."""
    named = Fields.of(given.content, key, given.label, given.findings)
    for name in named.content:
        if names is not None and name not in names:
            named.error(name, "is no type of the system; correct the name")
    return tuple((name, named.number(name, allowed)) for name in named.content)


def _read_steps(given: Fields) -> DailySteps:
    """The hours of the day, each at most once, and their prices."""
    items = given.content["day_tariff"]
    remedy = f"give [[hour, price a kWh], ...], hours from 0 to below {HOURS:g}, each once"
    if not isinstance(items, list) or not items:
        given.error("day_tariff", f"is not a list of steps; {remedy}")
        return ()
    steps: list[tuple[float, float]] = []
    for k, item in enumerate(items, start=1):
        pair = item if isinstance(item, list) and len(item) == 2 else [None, None]
        hour, price = (math.nan if value is None else value for value in map(as_float, pair))
        if not 0 <= hour < HOURS or hour in dict(steps) or price not in RANGES["energy_price"]:
            given.error("day_tariff", f"step {k:,} is {shown(str(item))}; {remedy}")
        steps.append((hour, price))
    return tuple(steps)


def _electricity(conditions: ProfitSettings) -> list[object]:
    if conditions.electricity == "joule":
        return ["--energy-price", JOULES_PER_KWH]
    words: list[object] = ["--energy-price", conditions.energy_price]
    if conditions.carbon and conditions.carbon_price:
        words += ["--carbon", conditions.carbon, "--carbon-price", conditions.carbon_price]
    return words


def _costs(conditions: ProfitSettings) -> list[object]:
    words: list[object] = []
    if conditions.cap_kw is not None:
        words += ["--power-cap", f"{shell_word(conditions.cap_kw)}kW"]
    if conditions.pue != 1:
        words += ["--pue", conditions.pue]
    if conditions.overhead:
        words += ["--overhead", conditions.overhead]
    hourly = HOUR / conditions.money.seconds
    for flag, rates in (("wear", conditions.wear), ("depreciation", conditions.depreciation)):
        words += _named(flag, rates, hourly)
    return words


def _named(flag: str, named: Named, factor: float) -> list[object]:
    """The flags of named amounts; a name that begins with a dash is joined to its flag, or it would
    be read as one.
    """
    pairs = [f"{name}={shell_word(money * factor)}" for name, money in named]
    words: list[object] = [pair for pair in pairs if not pair.startswith("-")]
    dashed = [f"--{flag}={pair}" for pair in pairs if pair.startswith("-")]
    return [*([f"--{flag}", *words] if words else []), *dashed]
