"""The settings of a plan (`plan.toml`, the sheet `plan`, or the object "plan"): read and written.

```toml
currency = "EUR"
rate_unit = "1/h"        # of arrival_rate and failure_rate: 1/s, 1/min, 1/h or 1/day
[limits]
budget = 400000          # what the change may cost; the only key that must be there
min_machines = 0
max_machines = 200
failure_rate = 0.5       # of all busy machines, in the unit of rates
power = "55 kW"          # watts without a unit
rules = ["A + B >= 30 % of all", "bought(C) <= 4"]    # linear rules about machines
[spread.arrivals]        # also spread.times and spread.powers
law = "uniform"          # uniform, lognormal or empirical
cov = "25 %"             # the coefficient of variation
correlation = 0.3        # of arrivals
[spread.times]
operations = "by error"  # or a number: kinds of operations that vary
[scenarios]
count = 3000
seed = 0
points = "sobol"         # independent, latin or sobol
```
"""

import math
from dataclasses import replace
from typing import Any, Final, NamedTuple, get_args

from core.capabilities.provision.files.plan_file import (
    RATE_UNITS,
    SCENARIO_COUNT,
    PlanFile,
    PlanSpread,
    ScenarioSettings,
)
from core.capabilities.provision.futures.uncertainty import MOST_UNIFORM, POINTS, Law, Variation
from core.capabilities.provision.futures.varying import BY_ERROR, KINDS, WantedKinds
from core.capabilities.provision.plan import PlanLimits
from core.files.beside import SettingsSource
from core.files.findings import Findings, Unreadable, shown
from core.files.numbers import number_cell, number_fault, parse_number, parse_share
from core.files.strict_json import Fields, as_float
from core.shells.settings.forms import written_block
from core.vocabulary.ranges import SEED, Range
from core.vocabulary.say.quantities import POWER
from core.vocabulary.say.words import counted, typed

_AMOUNT: Final = Range(-1e15, 1e15, "")
_MACHINES: Final = Range(0.0, 1e9, "machines")
_LIMITS: Final = {
    "min_machines": ("least_machines", _MACHINES),
    "max_machines": ("most_machines", _MACHINES),
    "failure_rate": ("failure_rate", Range(0.0, 1e12, "")),
    "power": ("power", Range(0.0, 1e12, "W")),
}
"""The keys of limits, beside the budget: their fields of `PlanLimits`, and their ranges."""
_COV: Final = Range(0.0, 10.0, "as a fraction (0.25 is 25 %)")
_CORRELATION: Final = Range(0.0, 1.0, "as a fraction (0.25 is 25 %)")
_MOST_SEEN: Final = 10_000
_MOST_RULES: Final = 100
_GROUPS: Final = {
    "limits": ("budget", *_LIMITS, "rules"),
    "spread": ("arrivals", "times", "powers"),
    "scenarios": ("count", "seed", "points"),
}
_KEYS: Final = ("currency", "rate_unit", *_GROUPS)
_LAW: Final = ("law", "cov", "file", "seen")
_OF_LAW: Final = {
    "arrivals": (*_LAW, "correlation"),
    "times": (*_LAW, "operations"),
    "powers": _LAW,
}


class PlanSettings(NamedTuple):
    """What the settings of a plan say; valid only if nothing was reported."""

    limits: PlanLimits
    rules: tuple[str, ...]
    spread: PlanSpread
    scenarios: ScenarioSettings
    currency: str
    rate_unit: str


def read_settings(
    content: dict[str, object], source: SettingsSource, findings: Findings
) -> PlanSettings:
    """The settings, with defaults for what is missing or wrong; what is wrong is reported."""
    top = Fields(content, source.label, findings)
    top.refuse_unknown(_KEYS, "plan")
    unit = top.one_of("rate_unit", RATE_UNITS) if top.has("rate_unit") else "1/s"
    currency = top.currency("currency") if top.has("currency") else "EUR"
    limits, spread, scenarios = (_group(top, name) for name in _GROUPS)
    for name, group in (("limits", limits), ("spread", spread), ("scenarios", scenarios)):
        group.refuse_unknown(_GROUPS[name], "plan")
    return PlanSettings(
        _limits(limits, RATE_UNITS.get(unit, 1.0)),
        _rules(limits),
        _spread(spread, source),
        _scenario_settings(scenarios),
        currency,
        unit if unit in RATE_UNITS else "1/s",
    )


def settings_of(file: PlanFile, rate_unit: str) -> dict[str, object]:
    """The settings of a plan, which can be read back; rates are in this unit."""
    limits, spread = file.limits, file.spread
    given: dict[str, object] = {"budget": limits.budget}
    for key, (name, _) in _LIMITS.items():
        limit = getattr(limits, name)
        if limit != getattr(PlanLimits(0.0), name):
            given[key] = in_unit(limit, rate_unit) if key == "failure_rate" else limit
    given |= {"rules": texts} if (texts := list(dict.fromkeys(r.text for r in file.rules))) else {}
    laws: dict[str, dict[str, object]] = {
        name: _written_law(getattr(spread, name)) for name in _OF_LAW
    }
    if spread.correlation:
        laws["arrivals"]["correlation"] = spread.correlation
    if spread.operations:
        laws["times"]["operations"] = spread.operations
    return {
        "currency": file.currency,
        "rate_unit": rate_unit,
        "limits": given,
        "spread": {name: law for name, law in laws.items() if law},
        "scenarios": written_block(file.scenarios),
    }


def in_unit(a_second: float, rate_unit: str) -> float:
    """A rate in a unit; in another unit than 1/s, with as many digits as a person types."""
    if RATE_UNITS[rate_unit] == 1.0:
        return a_second
    return float(number_cell(a_second * RATE_UNITS[rate_unit]))


def _written_law(variation: Variation) -> dict[str, object]:
    if not variation.varies:
        return {}
    if variation.law == "empirical":
        return {"law": "empirical", "seen": list(variation.seen)}
    return {"law": variation.law, "cov": variation.cov}


def _group(given: Fields, name: str) -> Fields:
    """The settings under a key; empty if there are none."""
    content: object = given.content.get(name, {})
    if not isinstance(content, dict):
        given.error(name, f"is not a group; give its keys below [{name}]")
        content = {}
    above = given.label.removesuffix("]") + "." if given.label.endswith("]") else f"{given.label} ["
    return Fields(content, f"{above}{name}]", given.findings)


def _limits(given: Fields, seconds: float) -> PlanLimits:
    found: dict[str, float] = {}
    if "budget" in given.content:
        found["budget"] = _number(given, "budget", _AMOUNT)
    else:
        given.error("budget", "is missing; give one, 0 to change at no cost at all")
    for key, (name, allowed) in _LIMITS.items():
        if key == "power" and key in given.content:
            found[name] = given.quantity(key, POWER, allowed)
        elif key in given.content:
            unit = seconds if key == "failure_rate" else 1.0
            found[name] = _number(given, key, allowed) / unit
    known = {name: value for name, value in found.items() if not math.isnan(value)}
    return PlanLimits(**({"budget": 0.0} | known))


def _rules(given: Fields) -> tuple[str, ...]:
    """The rules as they are written."""
    texts = given.content.get("rules", [])
    listed = texts if isinstance(texts, list) else [texts]
    for number, text in enumerate(listed, start=1):
        if not isinstance(text, str):
            given.error("rules", f"rule {number:,} is not a text; write it in quotation marks")
    if len(listed) > _MOST_RULES:
        given.error("rules", f"are {len(listed):,}; give at most {_MOST_RULES}")
    return tuple(text for text in listed[:_MOST_RULES] if isinstance(text, str))


def _number(given: Fields, key: str, allowed: Range) -> float:
    """A number, also as text that is one; NaN if it is not."""
    value = given.content[key]
    if not isinstance(value, str):
        return given.number(key, allowed)
    number = parse_number(value)
    if number is None or math.isnan(number):
        given.error(key, number_fault(value, unit="the unit of the plan"))
        return math.nan
    return replace(given, content={key: number}).number(key, allowed)


def _fraction(given: Fields, key: str, allowed: Range) -> float:
    """A fraction, or a percentage as `25 %`; 0 if it is none."""
    value = given.content[key]
    if isinstance(value, str):
        number = parse_share(value)
        if number is None or math.isnan(number):
            given.error(key, f"'{shown(value)}' is not a share; give one such as 0.25 or '25 %'")
            return 0.0
        value = number
    found = replace(given, content={key: value}).number(key, allowed)
    return 0.0 if math.isnan(found) else found


def _spread(given: Fields, source: SettingsSource) -> PlanSpread:
    found: dict[str, Any] = {}
    for name, keys in _OF_LAW.items():
        if name not in given.content:
            continue
        group = _group(given, name)
        group.refuse_unknown(keys, "plan")
        found[name] = _variation(group, source)
        if "correlation" in keys and "correlation" in group.content:
            found["correlation"] = _fraction(group, "correlation", _CORRELATION)
        if "operations" in keys and "operations" in group.content:
            found["operations"] = _operations(group)
    return PlanSpread(**found)


def _operations(given: Fields) -> WantedKinds:
    """A number of kinds of operations, or that it is chosen by error."""
    value = given.content["operations"]
    if not isinstance(value, str):
        return given.whole("operations", KINDS)
    if value.casefold().split() == BY_ERROR.split():
        return BY_ERROR
    given.error(
        "operations",
        f"'{shown(value)}' is no number of kinds of operations; give 1 to {typed(KINDS.high)}, or "
        f'"{BY_ERROR}", which chooses one',
    )
    return 0


def _variation(given: Fields, source: SettingsSource) -> Variation:
    law: Any = given.one_of("law", get_args(Law)) if given.has("law") else "uniform"
    if law == "empirical":
        return Variation(law=law, seen=_seen(given, source))
    for key in ("file", "seen"):
        if key in given.content:
            given.error(key, 'belongs to the empirical law; give law = "empirical", or remove it')
    cov = _fraction(given, "cov", _COV) if "cov" in given.content else 0.0
    if fault := cov_fault(cov, law):
        given.error("cov", fault)
        cov = 0.0
    return Variation(cov, law if law in get_args(Law) else "uniform")


def cov_fault(cov: float, law: Law) -> str | None:
    """Why a quantity cannot vary so much, and the remedy; None if it can."""
    if law != "uniform" or cov <= MOST_UNIFORM:
        return None
    return (
        f"a uniform law with a coefficient of variation of {typed(cov)} would go below 0; give at "
        'most 0.577, or law = "lognormal"'
    )


def _seen(given: Fields, source: SettingsSource) -> tuple[float, ...]:
    """The values that were seen, in the file that is named or in a list."""
    if "cov" in given.content:
        given.error("cov", "does not belong to the empirical law; remove it")
    if ("file" in given.content) == ("seen" in given.content):
        given.error("law", "needs what was seen; give one of file (a CSV file) and seen (a list)")
        return ()
    errors_before = given.findings.errors
    if "file" in given.content:
        values = _column(given, source)
        if given.findings.errors > errors_before:
            return ()
    else:
        listed = given.content["seen"]
        values = listed if isinstance(listed, list) else [listed]
    numbers = [as_float(value) for value in values[: _MOST_SEEN + 1]]
    key = "file" if "file" in given.content else "seen"
    good = [number for number in numbers if number is not None and 0 < number < math.inf]
    if len(good) < len(numbers):
        at = next(i for i, number in enumerate(numbers) if number not in good)
        given.error(key, f"value {at + 1:,} is not a number above 0; correct or remove it")
    elif not 2 <= len(good) <= _MOST_SEEN:
        given.error(
            key, f"has {counted(len(values), 'value')}; give 2 to {_MOST_SEEN:,} that were seen"
        )
    return tuple(good)


def _column(given: Fields, source: SettingsSource) -> list[object]:
    """The last column of a table; text above the first number is its header."""
    name = given.text("file")
    if not name:
        return []
    values: list[object] = []
    try:
        for row in source.sheet(name).rows:
            cell = next((cell for cell in reversed(row.cells) if cell.strip()), "")
            number = parse_number(cell) if cell else math.nan
            if number is None and not values:
                continue
            if number is None or not math.isnan(number):
                values.append(number)
            if len(values) > _MOST_SEEN:
                break
    except Unreadable as refusal:
        given.error("file", str(refusal))
    return values


def _scenario_settings(given: Fields) -> ScenarioSettings:
    found: dict[str, Any] = {}
    for key, allowed in (("count", SCENARIO_COUNT), ("seed", SEED)):
        if key in given.content:
            found[key] = given.whole(key, allowed)
    if "points" in given.content:
        found["points"] = given.one_of("points", POINTS) or "sobol"
    return ScenarioSettings(**found)
