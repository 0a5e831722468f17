"""The command lines that ask for the same profit."""

from core.profit.conditions import Conditions, Named
from core.say.words import HOUR, JOULES_PER_KWH


def profit_commands(conditions: Conditions) -> list[list[object]]:
    """What stands behind `wattfront profit SYSTEM`: bag after bag, and part of one if wanted."""
    priced: list[object] = [f"--{conditions.by.replace('bag', 'price')}"]
    priced += [conditions.ratio if conditions.by == "ratio" else conditions.price]
    if conditions.electricity == "kWh" or conditions.by == "bag" or conditions.day_tariff:
        priced += _electricity(conditions)
    costs = _costs(conditions)
    day = [f"{said(hour)}:{said(price)}" for hour, price in conditions.day_tariff]
    asked = [[*priced, *costs, *(["--day-tariff", ",".join(day)] if day else [])]]
    if conditions.deadline is not None and conditions.rewards:
        part = ["--deadline", conditions.deadline, *_named("rewards", conditions.rewards, 1.0)]
        asked.append([*part, *_electricity(conditions), *costs])
    return asked


def said(word: object) -> str:
    """As a shell is told it: a number exactly, without a needless ".0"."""
    return repr(word).removesuffix(".0") if isinstance(word, float) else str(word)


def _electricity(conditions: Conditions) -> list[object]:
    if conditions.electricity == "joule":
        return ["--energy-price", JOULES_PER_KWH]
    words: list[object] = ["--energy-price", conditions.energy_price]
    if conditions.carbon and conditions.carbon_price:
        words += ["--carbon", conditions.carbon, "--carbon-price", conditions.carbon_price]
    return words


def _costs(conditions: Conditions) -> list[object]:
    words: list[object] = []
    if conditions.cap_kw is not None:
        words += ["--power-cap", f"{said(conditions.cap_kw)}kW"]
    if conditions.pue != 1:
        words += ["--pue", conditions.pue]
    if conditions.overhead:
        words += ["--overhead", conditions.overhead]
    hourly = HOUR / conditions.money.seconds
    for flag, rates in (("wear", conditions.wear), ("depreciation", conditions.depreciation)):
        words += _named(flag, rates, hourly)
    return words


def _named(flag: str, named: Named, factor: float) -> list[object]:
    """A name that begins with a dash is said in one word with the flag, or it would be one."""
    pairs = [f"{name}={said(money * factor)}" for name, money in named]
    words: list[object] = [pair for pair in pairs if not pair.startswith("-")]
    dashed = [f"--{flag}={pair}" for pair in pairs if pair.startswith("-")]
    return [*([f"--{flag}", *words] if words else []), *dashed]
