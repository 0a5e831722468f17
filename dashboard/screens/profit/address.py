"""The settings of the page Profit, and how the address says them.

Types are given by their position, so that an address contains no names from files.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, get_args

from core import System
from core.capabilities.profit.day_tariff import HOURS
from core.capabilities.profit.settings import (
    ENERGY_PRICE,
    RATE,
    REWARD,
    Named,
    ProfitSettings,
)
from core.capabilities.profit.sweep import SweptQuantity
from core.engines.front.tariff import MONEY
from core.vocabulary.ranges import Range
from dashboard.workspace.axis import CURRENCIES
from dashboard.workspace.parameters import (
    Parameters,
    parameters_of,
    read_settings,
    written_pairs,
    written_settings,
)
from dashboard.workspace.parameters import written as parameter

SectionName = Literal["lines", "part", "start"]
SECTIONS: Final[dict[SectionName, str]] = {
    "lines": "Lines of equal profit",
    "part": "Only part of the batch",
    "start": "When to start",
}

_PREFIX: Final = "profit_"
_NAMED: Final[dict[str, Range]] = {"wear": RATE, "depreciation": RATE, "rewards": REWARD}
# With more, the address would be too long for browsers and people.
_MOST_NAMED: Final = 60
_LAST_HOUR: Final = Range(0.0, HOURS - 1e-9, "")
PARAMETERS: Final = parameters_of(ProfitSettings, _PREFIX) | {
    f"{_PREFIX}{name}" for name in (*_NAMED, "currency", "day_tariff", "over", "show")
}


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
    unused = "price" if now.by == "ratio" else "ratio"
    said = written_settings(replace(now, **{unused: getattr(usual, unused)}), usual, _PREFIX)
    values: dict[str, str] = {}
    if now.by == "bag":
        values["price"] = parameter(now.price)
    if now.currency != usual.currency:
        values["currency"] = now.currency
    for name in _NAMED:
        positions = _positions(getattr(now, name), _names(name, system))
        if len(positions) <= _MOST_NAMED:
            values[name] = written_pairs(positions)
    values["day_tariff"] = written_pairs(dict(now.day_tariff))
    if settings.over is not None:
        values["over"] = settings.over.replace(" ", "-")
    if settings.show:
        values["show"] = parameter(settings.show)
    return said | {f"{_PREFIX}{name}": value for name, value in values.items() if value}


def read(given: Mapping[str, str], system: System) -> tuple[ProfitPageSettings, tuple[str, ...]]:
    """The settings, and a sentence for each parameter that was ignored."""
    parameters = Parameters(given)
    found: dict[str, Any] = {}
    found["currency"] = parameters.choice(f"{_PREFIX}currency", CURRENCIES)
    for name, allowed in _NAMED.items():
        names = _names(name, system)
        positions = Range(1, len(names), "")
        pairs = parameters.pairs(_PREFIX + name, int, positions, allowed, "1:0.5 3:2")
        found[name] = tuple((names[position - 1], money) for position, money in pairs)
    found["day_tariff"] = parameters.pairs(
        f"{_PREFIX}day_tariff", float, _LAST_HOUR, ENERGY_PRICE, "0:0.2 7:0.35"
    )
    quantities = {quantity.replace(" ", "-"): quantity for quantity in get_args(SweptQuantity)}
    over = parameters.choice(f"{_PREFIX}over", tuple(quantities))
    shown: Any = parameters.choices(f"{_PREFIX}show", tuple(SECTIONS)) or ()
    said = {name: value for name, value in found.items() if value is not None}
    profit = replace(read_settings(parameters, ProfitSettings(), _PREFIX), **said)
    if Parameters(given).number(f"{_PREFIX}price", MONEY, float) is not None:
        profit = replace(profit, by="bag")
    return ProfitPageSettings(profit, quantities.get(over or ""), shown), tuple(parameters.notes)


def _names(field: str, system: System) -> Sequence[str]:
    """The names of the types to which a field refers."""
    return system.task_names if field == "rewards" else system.machine_names


def _positions(named: Named, names: Sequence[str]) -> dict[float, float]:
    """Amounts by position, from 1. Types that do not exist are left out."""
    place = {name: position for position, name in enumerate(names, start=1)}
    return {place[name]: money for name, money in named if name in place}
