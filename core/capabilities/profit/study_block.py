"""The settings of profit in a study file; missing ones have their defaults."""

import math
from collections.abc import Collection
from dataclasses import fields
from typing import get_args

from core.capabilities.profit.settings import (
    ENERGY_PRICE,
    HOURS,
    NAMED,
    RATE,
    REWARD,
    DailySteps,
    Named,
    PriceBasis,
    ProfitSettings,
)
from core.files.fields import Fields
from core.files.findings import shown
from core.files.strict_json import as_float
from core.shells.settings.forms import flag_words, read_block
from core.shells.studies.command_lines import shell_word
from core.vocabulary.ranges import Range
from core.vocabulary.say.words import HOUR, JOULES_PER_KWH
from core.vocabulary.system import System


def read(given: Fields, system: System | None) -> ProfitSettings:
    """The settings, valid only if nothing was reported. Types must be those of the system."""
    given.warn_of_unused({field.name for field in fields(ProfitSettings)})
    found = read_block(given, ProfitSettings)
    if given.has("by"):
        found["by"] = given.one_of("by", get_args(PriceBasis))
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


def written(settings: ProfitSettings) -> dict[str, object]:
    """The settings that differ from their defaults, with types by name."""
    given = {field.name: getattr(settings, field.name) for field in fields(ProfitSettings)}
    unused = "price" if settings.by == "ratio" else "ratio"
    return {
        name: dict(value) if name in NAMED else value
        for name, value in given.items()
        if value not in (None, ()) and name != unused
    }


def commands(settings: ProfitSettings) -> list[list[object]]:
    """The arguments of `wattfront profit SYSTEM`: for batch after batch, and for part of one."""
    priced: list[object] = [f"--{settings.by.replace('bag', 'price')}"]
    priced += [settings.ratio if settings.by == "ratio" else settings.price]
    if settings.electricity == "kWh" or settings.by == "bag" or settings.day_tariff:
        priced += _electricity(settings)
    costs = _costs(settings)
    day = [f"{shell_word(hour)}:{shell_word(price)}" for hour, price in settings.day_tariff]
    lines = [[*priced, *costs, *(["--day-tariff", ",".join(day)] if day else [])]]
    if settings.deadline is not None and settings.rewards:
        part = ["--deadline", settings.deadline, *_named("rewards", settings.rewards, 1.0)]
        lines.append([*part, *_electricity(settings), *costs])
    return lines


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
        if not 0 <= hour < HOURS or hour in dict(steps) or price not in ENERGY_PRICE:
            given.error("day_tariff", f"step {k:,} is {shown(str(item))}; {remedy}")
        steps.append((hour, price))
    return tuple(steps)


def _electricity(settings: ProfitSettings) -> list[object]:
    if settings.electricity == "joule":
        return ["--energy-price", JOULES_PER_KWH]
    words: list[object] = ["--energy-price", settings.energy_price]
    if settings.carbon and settings.carbon_price:
        words += ["--carbon", settings.carbon, "--carbon-price", settings.carbon_price]
    return words


def _costs(settings: ProfitSettings) -> list[object]:
    words: list[object] = []
    if settings.cap_kw is not None:
        words += ["--power-cap", f"{shell_word(settings.cap_kw)}kW"]
    words += flag_words(settings, ProfitSettings(), "pue", "overhead")
    hourly = HOUR / settings.money.seconds
    for flag, rates in (("wear", settings.wear), ("depreciation", settings.depreciation)):
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
