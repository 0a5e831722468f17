"""What the trade-offs page is set to: its widgets, their state, and the address."""

from dataclasses import fields
from typing import Any, Final

import streamlit as st

from core.model.ranges import Range
from core.say.words import Sense, duration, share
from dashboard.common.in_browser import Passing, follow_slider
from dashboard.shell.guard import callback
from dashboard.trade_offs import idle_powers
from dashboard.trade_offs.before import Before
from dashboard.trade_offs.contenders import NAMES, SECONDS_EACH
from dashboard.trade_offs.picking import Asked
from dashboard.workspace import axis, options, session
from dashboard.workspace.options import LAYERS, Options
from dashboard.workspace.workspace import Workspace, set_idle_fraction

SPACINGS: Final = (0.1, 0.05, 0.02, 0.01, 0.005)
SECONDS: Final = (0.0, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 300.0)
_WITH_TARIFF: Final = ("money", "carbon")
WISH: Final = "trade_offs.wish"
_KEPT: Final = "trade_offs.options"
_TURN: Final = "trade_offs.turn"
_IDLE: Final = "trade_offs.idle"
PASSING: Final = "trade_offs.passing"
BEFORE: Final = "trade_offs.before"
_FIELDS: Final = tuple(field.name for field in fields(Options) if field.name != "wish")


def key(field: str) -> str:
    """The key of a widget: another one whenever all widgets begin anew."""
    turn: int = st.session_state.get(_TURN, 0)
    return f"trade_offs.{field}" + (f" {turn}" if turn else "")


def current() -> Options:
    """The options of this session; at first, what the address says."""
    asked = session.options_asked()
    if asked is not None:
        ask(asked)
    kept: Options = st.session_state.get(_KEPT) or session.options_at_first()
    st.session_state.setdefault(WISH, kept.wish)
    state: dict[str, Any] = {
        field: st.session_state.get(key(field), getattr(kept, field)) for field in _FIELDS
    }
    state |= {name: tuple(state[name]) for name in ("show", "rivals")}
    st.session_state[_KEPT] = found = Options(**state, wish=st.session_state[WISH])
    return found


def write_address(chosen: Options) -> None:
    session.write_parameters(options.PARAMETERS, options.written(chosen))


def ask(wanted: Options) -> None:
    """Sets the page to these options, whatever its widgets said."""
    st.session_state[_TURN] = st.session_state.get(_TURN, 0) + 1
    st.session_state[PASSING] = None
    st.session_state[_KEPT] = wanted
    set_wish(wanted.wish)


def set_wish(wish: Asked | None) -> None:
    st.session_state[WISH] = wish


def show_toolbar(chosen: Options) -> None:
    """What is drawn, and how hard it is worked at."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small", key="toolbar"):
        st.selectbox(
            "Axis",
            axis.QUANTITIES,
            list(axis.QUANTITIES).index(chosen.axis),
            format_func=axis.QUANTITIES.__getitem__,
            key=key("axis"),
            label_visibility="collapsed",
            width=150,
        )
        if chosen.axis in _WITH_TARIFF:
            with st.popover("Tariff", icon=":material/payments:"):
                _show_tariff(chosen)
        with st.popover("Show", icon=":material/layers:"):
            st.pills(
                "In the chart",
                LAYERS,
                selection_mode="multi",
                default=chosen.show,
                format_func=LAYERS.__getitem__,
                key=key("show"),
            )
            st.pills(
                "What others would do",
                NAMES,
                selection_mode="multi",
                default=chosen.rivals,
                format_func=NAMES.__getitem__,
                key=key("rivals"),
                help="Each runs in the background, for "
                f"{duration(SECONDS_EACH, Sense.TYPED)} at most. All but NSGA-II look for the "
                "shortest makespan alone.",
            )
        with st.popover("Effort", icon=":material/tune:"):
            _show_effort(chosen)


def show_prices(chosen: Options) -> None:
    """What energy costs, as far as the tariff of the axis is not in sight."""
    if chosen.axis != "money":
        _show_price(chosen)
    if chosen.axis not in _WITH_TARIFF:
        _show_pue(chosen)


def _show_tariff(chosen: Options) -> None:
    if chosen.axis == "money":
        _show_price(chosen)
    else:
        _number("Carbon, kg CO₂ a kWh", "carbon", chosen.carbon, axis.CARBON, "%.4g")
    _show_pue(chosen)


def _show_price(chosen: Options) -> None:
    price, currency = st.columns([3, 2], gap="small", wrap=False)
    with price:
        _number("Price a kWh", "price", chosen.price, axis.PRICE, "%.4g")
    with currency:
        st.selectbox(
            "Currency",
            axis.CURRENCIES,
            axis.CURRENCIES.index(chosen.currency),
            key=key("currency"),
        )


def _show_pue(chosen: Options) -> None:
    _number(
        "PUE",
        "pue",
        chosen.pue,
        axis.PUE,
        "%.3g",
        "Power usage effectiveness: what the site draws for one joule at the machines.",
    )


def _number(
    label: str, field: str, value: float, allowed: Range, form: str, meaning: str | None = None
) -> None:
    st.number_input(
        label,
        allowed.low,
        allowed.high,
        value,
        key=key(field),
        format=form,
        help=meaning,
    )


def _show_effort(chosen: Options) -> None:
    st.select_slider(
        "Spacing of the schedules",
        _with(SPACINGS, chosen.spacing, down=True),
        chosen.spacing,
        format_func=lambda value: share(value, Sense.TYPED),
        key=key("spacing"),
        help="How far apart schedules are at first, as a share of the front.",
    )
    st.select_slider(
        "Polish for",
        _with(SECONDS, chosen.polish),
        chosen.polish,
        format_func=lambda value: duration(value, Sense.TYPED),
        key=key("polish"),
        help="Runs in the background and brings schedules closer to the proven bound.",
    )


def _with(offered: tuple[float, ...], value: float, *, down: bool = False) -> list[float]:
    """What is offered, and what the address asked for."""
    return sorted({*offered, value}, reverse=down)


def show_idle_power() -> None:
    """The slider of the setting that all pages share; the page follows while it is dragged."""
    now = session.workspace()
    given = now.idle_fraction is None
    percent = _percent()
    idle_key = session.fresh_key(_IDLE, percent)
    with st.container(key="idle-power"):
        st.slider(
            "Idle power, of the mean power at work" + (" (as given)" if given else ""),
            0,
            100,
            percent,
            key=idle_key,
            format="%d %%",
            on_change=_take_idle_power,
            args=(idle_key,),
            help="An idle machine draws this share of the mean APC of its machine type. Every page "
            "uses it.",
        )
    follow_slider("idle-power", _take_passing)
    if not given:
        st.button(
            "Idle power as given",
            icon=":material/undo:",
            type="tertiary",
            on_click=callback(session.set_idle),
            args=(None,),
        )


def _percent() -> int:
    """Where the slider stands."""
    now = session.workspace()
    given = now.idle_fraction is None
    fraction = idle_powers.fraction_of(now.system) if given else now.idle_fraction
    return round(100 * (fraction or 0.0))


@callback
def _take_idle_power(idle_key: str) -> None:
    remember()
    st.session_state[PASSING] = None
    session.set_idle(st.session_state[idle_key] / 100)


def _take_passing(passing: Passing) -> None:
    """Where the slider is; what comes late, from before it was let go, is of no interest."""
    if passing.percent is None or passing.since != _percent():
        st.session_state[PASSING] = None
        return
    remember()
    st.session_state[PASSING] = passing.percent / 100


def looked_at() -> Workspace:
    """What the page shows: the workspace, at the idle power that the slider is just passing."""
    passing: float | None = st.session_state.get(PASSING)
    now = session.workspace()
    return now if passing is None else set_idle_fraction(now, passing)


def is_passing() -> bool:
    return st.session_state.get(PASSING) is not None


def remember() -> None:
    """Keeps what is shown as what was before, unless the slider is on its way already."""
    now, shown = session.workspace(), session.shown()
    if not is_passing() and shown is not None and shown.system == now.system:
        st.session_state[BEFORE] = Before(shown.study, now.version, now.idle_fraction)


def before() -> Before | None:
    """What was shown before the idle power was last changed here, of the same system."""
    found: Before | None = st.session_state.get(BEFORE)
    now = looked_at()
    if found is None or found.version is not now.version:
        return None
    return None if found.study.system == now.system else found
