"""What a bag earns and costs: the widgets of the profit page, and their state."""

from dataclasses import fields
from typing import Any, Final, Literal

import pandas as pd
import streamlit as st

from core.relaxed import Front
from core.system import Range, System
from dashboard import session
from dashboard.guard import callback
from dashboard.logic import axis
from dashboard.logic.profit_conditions import (
    AMOUNT,
    ELECTRICITY,
    PRICED_BY,
    PUE,
    RATIO,
    Conditions,
)

_RATES: Final = ("wear", "depreciation")
_FIELDS: Final = tuple(field.name for field in fields(Conditions) if field.name not in _RATES)
_SET: Final = "profit.set"
_EDITOR: Final = "profit.rates"
_EDITED_FROM: Final = "profit.rates.edited_from"
_KEPT: Final = "profit.rates.kept"
_NAME: Final = "Machine type"


def key(field: str) -> str:
    return f"profit.{field}"


def current(system: System, front: Front) -> Conditions:
    """The conditions of this session; at first the usual ones."""
    if _SET not in st.session_state:
        st.session_state[_SET] = True
        usual = Conditions()
        for field in _FIELDS:
            st.session_state[key(field)] = getattr(usual, field)
        # A price to begin with that is about right.
        unit = usual.ratio * usual.unit_price(front)
        st.session_state[key("price")] = float(f"{unit:.3g}")
    chosen: dict[str, Any] = {field: st.session_state[key(field)] for field in _FIELDS}
    return Conditions(**chosen | _rates(system))


def show_price(chosen: Conditions) -> None:
    """What a bag is paid."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        st.segmented_control(
            "A bag is paid by",
            PRICED_BY,
            format_func=PRICED_BY.__getitem__,
            key=key("by"),
            persist_state="session",
            required=True,
            width="content",
        )
        if chosen.by == "bag":
            _number(f"Price a bag ({chosen.money.currency})", "price", AMOUNT, "%.6g", width=200)
        else:
            st.slider(
                "Profit ratio",
                RATIO.low,
                RATIO.high,
                step=0.01,
                key=key("ratio"),
                persist_state="session",
                help="The price of a bag over what the electricity for it costs at least, PUE left "
                "out.",
                width=560,
            )
        with st.popover("Costs", icon=":material/payments:"):
            _show_costs(chosen)
        with st.popover("Wear and depreciation", icon=":material/build:"):
            _show_rates(chosen)


def _show_costs(chosen: Conditions) -> None:
    st.segmented_control(
        "Electricity",
        ELECTRICITY,
        format_func=ELECTRICITY.__getitem__,
        key=key("electricity"),
        persist_state="session",
        required=True,
        help="As published: money is what a joule costs (¤), and rates are a second's.",
    )
    currency = chosen.money.currency
    if chosen.electricity == "kWh":
        left, right = st.columns([3, 2], gap="small")
        with left:
            _number(f"Electricity ({currency} a kWh)", "energy_price", AMOUNT, "%.4g", step=0.01)
            _number("Carbon (kg CO₂ a kWh)", "carbon", AMOUNT, "%.4g", step=0.05)
        with right:
            st.selectbox("Currency", axis.CURRENCIES, key=key("currency"), persist_state="session")
            _number(f"Carbon price ({currency} a kg)", "carbon_price", AMOUNT, "%.4g", step=0.01)
    left, right = st.columns([3, 2], gap="small")
    with left:
        _number(
            f"Overhead ({currency} a bag)",
            "overhead",
            AMOUNT,
            "%.6g",
            "What each bag costs besides, however it is run.",
        )
    with right:
        _number("PUE", "pue", PUE, "%.3g", "What the site draws for one joule at the machines.")
    st.number_input(
        "Power cap (kW)",
        0.0,
        AMOUNT.high,
        value=None,
        placeholder="none",
        key=key("cap_kw"),
        persist_state="session",
        format="%.6g",
        help="The whole site may not draw more on average. Empty for none.",
    )


def _number(
    label: str,
    field: str,
    allowed: Range,
    form: str,
    meaning: str | None = None,
    *,
    step: float | None = None,
    width: int | Literal["stretch"] = "stretch",
) -> None:
    st.number_input(
        label,
        allowed.low,
        allowed.high,
        step=step,
        key=key(field),
        format=form,
        persist_state="session",
        help=meaning,
        width=width,
    )


def _show_rates(chosen: Conditions) -> None:
    """A row a machine type; the table that was edited from stays, or it would lose its place."""
    system = session.system()
    if _editor(system) not in st.session_state:
        st.session_state[_EDITED_FROM] = _table(system)
    per = "hour" if chosen.money.per == "h" else "second"
    unit = chosen.money.currency
    st.data_editor(
        st.session_state[_EDITED_FROM],
        key=_editor(system),
        hide_index=True,
        disabled=[_NAME],
        on_change=_take_rates,
        args=(_types(system), _editor(system)),
        column_config={
            "wear": st.column_config.NumberColumn(
                f"Wear ({unit} a busy {per})", min_value=0.0, max_value=AMOUNT.high
            ),
            "depreciation": st.column_config.NumberColumn(
                f"Depreciation ({unit} a{'n' if per == 'hour' else ''} {per})",
                min_value=0.0,
                max_value=AMOUNT.high,
            ),
        },
    )
    st.caption(
        "Of one machine. Depreciation is its purchase price over its lifetime, due even when it is "
        f"switched off. Wear counts only the {per}s at work."
    )


@callback
def _take_rates(types: tuple[str, ...], editor: str) -> None:
    """An emptied cell is 0."""
    table: pd.DataFrame = st.session_state[_EDITED_FROM]
    rates = {name: table[name].tolist() for name in _RATES}
    for row, cells in st.session_state[editor]["edited_rows"].items():
        for name, value in cells.items():
            rates[name][int(row)] = float(value or 0.0)
    st.session_state[_KEPT] = types, {name: tuple(values) for name, values in rates.items()}


def _rates(system: System) -> dict[str, tuple[float, ...]]:
    """Kept for the machine types that they were given for."""
    types, rates = st.session_state.get(_KEPT, ((), {}))
    if types != _types(system):
        return {}
    return {name: values for name, values in rates.items() if any(values)}


def _table(system: System) -> pd.DataFrame:
    none = (0.0,) * len(system.machine_types)
    rates = _rates(system)
    return pd.DataFrame({_NAME: _types(system)} | {name: rates.get(name, none) for name in _RATES})


def _editor(system: System) -> str:
    return f"{_EDITOR} {hash(_types(system))}"


def _types(system: System) -> tuple[str, ...]:
    return tuple(machine.name for machine in system.machine_types)
