"""The settings of the page Profit, as the session keeps them."""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, Final

import streamlit as st

from core import System
from core.capabilities.profit.settings import NAMED, USUAL_RATIOS, ProfitSettings
from core.capabilities.profit.study_block import as_block, profit_settings_in
from core.engines.relaxed import Front
from core.shells.studies import StudySettings
from core.vocabulary.say.words import Sense, rounded
from dashboard.screens.profit import address
from dashboard.screens.profit.address import ProfitPageSettings
from dashboard.workspace import session
from dashboard.workspace.page_state import PageState
from dashboard.workspace.workspace import Workspace

OVER: Final = "profit.sweep"
SHOWN: Final = "profit.shown"

_BY_TYPE: Final = (*NAMED, "deadline")
"""Settings that are kept only for the types for which they were given."""
_BESIDE: Final = (*_BY_TYPE, "day_tariff")
_FIELDS: Final = tuple(one.name for one in fields(ProfitSettings) if one.name not in _BESIDE)
_KEPT: Final = "profit.kept"
_KEPT_FOR: Final = "profit.kept_for"
_LATEST: Final = "profit.latest"
_ASKED: Final = "wattfront.profit"


class ProfitState(PageState):
    parameters = address.PARAMETERS

    def begin(self, parameters: Mapping[str, str], now: Workspace) -> list[str]:
        settings, notes = address.read(parameters, now.version.system)
        st.session_state[_ASKED] = settings
        return list(notes)

    def restore(self, settings: StudySettings) -> None:
        if (found := profit_settings_in(settings)) is not None:
            st.session_state[_ASKED] = address.restored(found)

    def blocks(self, system: System) -> Mapping[str, object]:
        return as_block(latest(system))


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
    chosen: dict[str, Any] = {field: st.session_state[key(field)] for field in _FIELDS}
    st.session_state[_LATEST] = settings = replace(kept, **chosen)
    return ProfitPageSettings(settings, st.session_state.get(OVER), st.session_state[SHOWN])


def keep(system: System, **changed: Any) -> None:
    """Keeps rates, rewards, a deadline or a tariff of the day."""
    kept: ProfitSettings = st.session_state[_LATEST]
    st.session_state[_KEPT] = replace(kept, **changed)
    st.session_state[_KEPT_FOR] = types_of(system)


def latest(system: System) -> ProfitSettings | None:
    """The prices and costs last used for a system; None if the page was never used."""
    if (asked := _settings_to_start_with()) is not None:
        return asked.profit.of(system) if asked != ProfitPageSettings() else None
    found: ProfitSettings | None = st.session_state.get(_LATEST)
    return None if found is None else found.of(system)


def write_address(settings: ProfitPageSettings, system: System) -> None:
    session.write_parameters(address.PARAMETERS, address.written(settings, system))


def _settings_to_start_with() -> ProfitPageSettings | None:
    """The settings that the page must still start with; at first those of the address."""
    session.workspace()  # which may open what the address says
    found: ProfitPageSettings | None = st.session_state.get(_ASKED)
    return found


def _begin(asked: ProfitPageSettings, system: System, front: Front) -> None:
    """Sets all widgets. If the ratio is in force, the price is set near it; if the ratio is beyond
    the slider, the price is in force instead.
    """
    wanted = asked.profit.of(system)
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
    for field in _FIELDS:
        st.session_state[key(field)] = getattr(wanted, field)
    st.session_state[_KEPT], st.session_state[_KEPT_FOR] = wanted, types_of(system)
    st.session_state[OVER], st.session_state[SHOWN] = asked.over, asked.show


def types_of(system: System) -> tuple[str, ...]:
    return system.task_names + system.machine_names
