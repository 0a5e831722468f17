"""The settings of the page Profit: in the session, and in the address.

Types are given by their position, so that an address contains no names from files.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, Final, Literal, get_args

import streamlit as st

from core import System
from core.capabilities.profit import CAPABILITY
from core.capabilities.profit.settings import (
    NAMED,
    RATE,
    REWARD,
    USUAL_RATIOS,
    Named,
    ProfitSettings,
)
from core.capabilities.profit.sweep import SweptQuantity
from core.engines.relaxed import Front
from core.shells.studies import StudySettings
from core.vocabulary.ranges import Range
from core.vocabulary.say.words import Sense, rounded
from dashboard.workspace import session
from dashboard.workspace.page_state import PageState
from dashboard.workspace.parameters import (
    Parameters,
    parameters_of,
    read_settings,
    written_pairs,
    written_settings,
)
from dashboard.workspace.parameters import written as parameter
from dashboard.workspace.workspace import Workspace

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
PARAMETERS: Final = frozenset(
    {
        *parameters_of(ProfitSettings, _PREFIX),
        *(f"{_PREFIX}{name}" for name in (*_NAMED, "over", "show")),
    }
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
        "start": settings.site.day is not None,
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
    own = replace(now, **{unused: getattr(usual, unused)})
    said = written_settings(own, usual, _PREFIX)
    values: dict[str, str] = {}
    if now.by == "bag":
        values["price"] = parameter(now.price)
    for name in _NAMED:
        positions = _positions(getattr(now, name), _names(name, system))
        if len(positions) <= _MOST_NAMED:
            values[name] = written_pairs(positions)
    if settings.over is not None:
        values["over"] = settings.over.replace(" ", "-")
    if settings.show:
        values["show"] = parameter(settings.show)
    return said | {f"{_PREFIX}{name}": value for name, value in values.items() if value}


def read(given: Mapping[str, str], system: System) -> tuple[ProfitPageSettings, tuple[str, ...]]:
    """The settings, and a sentence for each parameter that was ignored."""
    parameters = Parameters(given)
    found: dict[str, Any] = {}
    for name, allowed in _NAMED.items():
        names = _names(name, system)
        positions = Range(1, len(names), "")
        pairs = parameters.pairs(_PREFIX + name, int, positions, allowed, "1:0.5 3:2")
        found[name] = tuple((names[position - 1], money) for position, money in pairs)
    quantities = {quantity.replace(" ", "-"): quantity for quantity in get_args(SweptQuantity)}
    over = parameters.choice(f"{_PREFIX}over", tuple(quantities))
    shown: Any = parameters.choices(f"{_PREFIX}show", tuple(SECTIONS)) or ()
    usual = ProfitSettings()
    # A price that is not a number is none that an address can say.
    profit = replace(read_settings(parameters, replace(usual, price=math.nan), _PREFIX), **found)
    priced = not math.isnan(profit.price)
    profit = replace(profit, by="bag") if priced else replace(profit, price=usual.price)
    return ProfitPageSettings(profit, quantities.get(over or ""), shown), tuple(parameters.notes)


def _names(field: str, system: System) -> Sequence[str]:
    """The names of the types to which a field refers."""
    return system.task_names if field == "rewards" else system.machine_names


def _positions(named: Named, names: Sequence[str]) -> dict[float, float]:
    """Amounts by position, from 1. Types that do not exist are left out."""
    place = {name: position for position, name in enumerate(names, start=1)}
    return {place[name]: money for name, money in named if name in place}


OVER: Final = "profit.sweep"
SHOWN: Final = "profit.shown"

_BY_TYPE: Final = (*NAMED, "deadline")
"""Settings that are kept only for the types for which they were given."""
_BESIDE: Final = (*_BY_TYPE, "site")
_FIELDS: Final = tuple(one.name for one in fields(ProfitSettings) if one.name not in _BESIDE)
_KEPT: Final = "profit.kept"
_KEPT_FOR: Final = "profit.kept_for"
_LATEST: Final = "profit.latest"
_ASKED: Final = "wattfront.profit"


class ProfitState(PageState):
    parameters = PARAMETERS

    def begin(self, parameters: Mapping[str, str], now: Workspace) -> list[str]:
        settings, notes = read(parameters, now.version.system)
        st.session_state[_ASKED] = settings
        return list(notes)

    def restore(self, settings: StudySettings) -> None:
        if (found := settings.block(ProfitSettings)) is not None:
            st.session_state[_ASKED] = restored(found)
            if found.electricity == "kWh":
                session.open_site(found.site.on_a_page())

    def blocks(self, system: System) -> Mapping[str, object]:
        return CAPABILITY.block(latest(system))


STATE: Final = ProfitState()


def key(field: str) -> str:
    return f"profit.{field}"


def current(system: System, front: Front) -> ProfitPageSettings:
    """The settings of this session; at first, what the address says or the usual ones."""
    if (asked := _settings_to_start_with()) is not None:
        _begin(asked, system, front)
        st.session_state[_ASKED] = None
    kept: ProfitSettings = st.session_state[_KEPT]
    if st.session_state[_KEPT_FOR] != types_of(system):
        usual = ProfitSettings()
        kept = replace(kept, **{name: getattr(usual, name) for name in _BY_TYPE})
    chosen: dict[str, Any] = {name: st.session_state[key(name)] for name in _FIELDS}
    st.session_state[_LATEST] = settings = replace(kept, site=session.site(), **chosen)
    return ProfitPageSettings(settings, st.session_state.get(OVER), st.session_state[SHOWN])


def keep(system: System, **changed: Any) -> None:
    """Keeps rates, rewards or a deadline."""
    kept: ProfitSettings = st.session_state[_LATEST]
    st.session_state[_KEPT] = replace(kept, **changed)
    st.session_state[_KEPT_FOR] = types_of(system)


def latest(system: System) -> ProfitSettings | None:
    """The prices and costs last used for a system; None if the page was never used."""
    if (asked := _settings_to_start_with()) is not None:
        return _here(asked.profit, system) if asked != ProfitPageSettings() else None
    found: ProfitSettings | None = st.session_state.get(_LATEST)
    return None if found is None else _here(found, system)


def _here(settings: ProfitSettings, system: System) -> ProfitSettings:
    return replace(settings.of(system), site=session.site())


def write_address(settings: ProfitPageSettings, system: System) -> None:
    session.write_parameters(PARAMETERS, written(settings, system))


def _settings_to_start_with() -> ProfitPageSettings | None:
    """The settings that the page must still start with; at first those of the address."""
    session.workspace()  # which may open what the address says
    return st.session_state.get(_ASKED)


def _begin(asked: ProfitPageSettings, system: System, front: Front) -> None:
    """Sets all widgets. If the ratio is in force, the price is set near it; if the ratio is beyond
    the slider, the price is in force instead.
    """
    wanted = _here(asked.profit, system)
    if wanted.by == "ratio":
        price = wanted.ratio * wanted.unit_price(front)
        beyond = wanted.ratio not in USUAL_RATIOS
        wanted = replace(
            wanted,
            by="bag" if beyond else "ratio",
            price=price if beyond else rounded(price, Sense.PLAIN, 3),
        )
    if wanted.ratio not in USUAL_RATIOS:
        wanted = replace(wanted, ratio=ProfitSettings().ratio)
    for name in _FIELDS:
        st.session_state[key(name)] = getattr(wanted, name)
    st.session_state[_KEPT], st.session_state[_KEPT_FOR] = wanted, types_of(system)
    st.session_state[OVER], st.session_state[SHOWN] = asked.over, asked.show


def types_of(system: System) -> tuple[str, ...]:
    return system.task_names + system.machine_names
