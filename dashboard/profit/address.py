"""The settings of the page Profit, and how the address says them.

Types are given by their position, so that an address contains no names from files.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, Final, Literal, get_args

from core import System
from core.model.ranges import Range
from core.profit.day_tariff import HOURS
from core.profit.settings import (
    NAMED,
    RANGES,
    RATE,
    REWARD,
    USUAL_RATIOS,
    Electricity,
    Named,
    ProfitSettings,
)
from core.profit.sweep import SweptQuantity
from dashboard.workspace.axis import CURRENCIES
from dashboard.workspace.parameters import Parameters, written_pairs
from dashboard.workspace.parameters import written as parameter

SectionName = Literal["lines", "part", "start"]
SECTIONS: Final[dict[SectionName, str]] = {
    "lines": "Lines of equal profit",
    "part": "Only part of the batch",
    "start": "When to start",
}

_PREFIX: Final = "profit_"
_RANGES: Final = RANGES | {"ratio": USUAL_RATIOS}
_CHOICES: Final = {"electricity": get_args(Electricity), "currency": CURRENCIES}
_NAMED: Final[dict[str, Range]] = {"wear": RATE, "depreciation": RATE, "rewards": REWARD}
# With more, the address would be too long for browsers and people.
_MOST_NAMED: Final = 60
_LAST_HOUR: Final = Range(0.0, HOURS - 1e-9, "")
PARAMETERS: Final = frozenset(
    f"{_PREFIX}{name}" for name in (*_RANGES, *_CHOICES, *_NAMED, "day_tariff", "over", "show")
)


@dataclass(frozen=True, slots=True)
class ProfitPageSettings:
    """All settings of the page: prices and costs, the range swept over, and the open sections."""

    profit: ProfitSettings = field(default_factory=ProfitSettings)
    over: SweptQuantity | None = None
    show: tuple[SectionName, ...] = ()


def restored(settings: ProfitSettings) -> ProfitPageSettings:
    """The settings from a study file, with the sections open that it has settings for."""
    said: dict[SectionName, bool] = {
        "part": bool(settings.rewards) or settings.deadline is not None,
        "start": bool(settings.day_tariff),
    }
    return ProfitPageSettings(
        settings, show=tuple(section for section, there in said.items() if there)
    )


def written(settings: ProfitPageSettings, system: System) -> dict[str, str]:
    """The parameters of settings that differ from the usual. `read` is the inverse, except that
    very many rates or rewards are left out. Of ratio and price there is the one in force.
    """
    now, usual = settings.profit, ProfitSettings()
    values: dict[str, str] = {}
    for name in (one.name for one in fields(ProfitSettings)):
        value = getattr(now, name)
        if name == "price" and now.by == "bag":
            values[name] = parameter(value)
        if name in ("by", "price") or value == getattr(usual, name):
            continue
        if name in NAMED:
            positions = _positions(value, _names(name, system))
            if len(positions) <= _MOST_NAMED:
                values[name] = written_pairs(positions)
        elif name == "day_tariff":
            values[name] = written_pairs(dict(value))
        elif name != "ratio" or now.by == "ratio":
            values[name] = parameter(value)
    if settings.over is not None:
        values["over"] = settings.over.replace(" ", "-")
    if settings.show:
        values["show"] = parameter(settings.show)
    return {f"{_PREFIX}{name}": value for name, value in values.items() if value}


def read(given: Mapping[str, str], system: System) -> tuple[ProfitPageSettings, tuple[str, ...]]:
    """The settings, and a sentence for each parameter that was ignored."""
    parameters = Parameters(given)
    found: dict[str, Any] = {}
    for name, allowed in _RANGES.items():
        found[name] = parameters.number(_PREFIX + name, allowed, float)
    for name, choices in _CHOICES.items():
        found[name] = parameters.choice(_PREFIX + name, choices)
    for name, allowed in _NAMED.items():
        names = _names(name, system)
        positions = Range(1, len(names), "")
        pairs = parameters.pairs(_PREFIX + name, int, positions, allowed, "1:0.5 3:2")
        found[name] = tuple((names[position - 1], money) for position, money in pairs)
    found["day_tariff"] = parameters.pairs(
        f"{_PREFIX}day_tariff", float, _LAST_HOUR, RANGES["energy_price"], "0:0.2 7:0.35"
    )
    if found["price"] is not None:
        found["by"] = "bag"
    quantities = {quantity.replace(" ", "-"): quantity for quantity in get_args(SweptQuantity)}
    over = parameters.choice(f"{_PREFIX}over", tuple(quantities))
    shown: Any = parameters.choices(f"{_PREFIX}show", tuple(SECTIONS)) or ()
    said = {name: value for name, value in found.items() if value is not None}
    return ProfitPageSettings(ProfitSettings(**said), quantities.get(over or ""), shown), tuple(
        parameters.notes
    )


def _names(field: str, system: System) -> Sequence[str]:
    """The names of the types to which a field refers."""
    return system.task_names if field == "rewards" else system.machine_names


def _positions(named: Named, names: Sequence[str]) -> dict[float, float]:
    """Amounts by position, from 1. Types that do not exist are left out."""
    place = {name: position for position, name in enumerate(names, start=1)}
    return {place[name]: money for name, money in named if name in place}
