"""The widgets of one what-if: its name, place, counts, idle power and tariff."""

from dataclasses import replace
from typing import Any, Final, Literal

import streamlit as st

from core.vocabulary.say.without_work import assumed_without_work
from core.vocabulary.without_work import AS_GIVEN, USUAL_ASLEEP_WATTS, WithoutWork
from dashboard.parts.desk import EditedCells, show_draft
from dashboard.parts.fields.buttons import show_button
from dashboard.parts.fields.idle_power import fraction_of
from dashboard.parts.fields.setting import show_choice, show_look, show_widget
from dashboard.parts.frame.site import site_label
from dashboard.screens.what_if.compare import state
from dashboard.screens.what_if.compare.state import COUNT_RANGES, Counts
from dashboard.screens.what_if.compare.what_ifs import NAME_LENGTH, WhatIf
from dashboard.server.guard import callback
from dashboard.workspace import session

_NAME: Final = "compare.name"
_SHOWN: Final = "compare.counts"
_IDLE_OF: Final = "compare.idle.of"
_PERCENT: Final = "compare.idle.percent"
_PRICES_OF: Final = "compare.prices.of"
_TARIFF: Final = ("price", "carbon", "pue")
PricesOf = Literal["pages", "own"]
PRICES_OF: Final[dict[PricesOf, str]] = {"pages": "As on other pages", "own": "Its own"}
IdleOf = Literal["pages", "system", "own", "asleep"]
IDLE_OF: Final[dict[IdleOf, str]] = {
    "pages": "As on other pages",
    "system": "As in the system",
    "own": "Its own",
    "asleep": "Switched off when done",
}
_COUNTS: Final[dict[Counts, str]] = {"machines": "Machines", "tasks": "Tasks"}


def _key(field: str, number: int) -> str:
    """The key of a widget. Each what-if has its own widgets."""
    return f"{field}.{number}"


def show_what_if(what_if: WhatIf, place: int, of: int) -> None:
    _show_heading(what_if, place, of)
    _show_counts(what_if)
    _show_idle_power(what_if)
    _show_tariff(what_if)


def _show_heading(what_if: WhatIf, place: int, of: int) -> None:
    number, now = what_if.number, state.what_ifs()
    st.session_state[_key(_NAME, number)] = what_if.name
    st.text_input(
        "Name",
        key=_key(_NAME, number),
        placeholder=what_if.title,
        max_chars=NAME_LENGTH,
        on_change=_take_name,
        args=(number,),
        help="A what-if without a name is called by what it changes.",
    )
    with st.container(horizontal=True, gap="small"):
        up, down = place == 0, place == of - 1
        show_button("Move up", now.move, number, -1, icon="arrow_upward", disabled=up)
        show_button("Move down", now.move, number, 1, icon="arrow_downward", disabled=down)
        show_button(
            "Copy",
            now.copy,
            number,
            icon="content_copy",
            help="Adds another what-if that is equal to this one",
        )
        show_button("Remove", now.remove, number, icon="delete")


@callback
def _take_name(number: int) -> None:
    state.what_ifs().rename(number, st.session_state[_key(_NAME, number)])


def _show_counts(what_if: WhatIf) -> None:
    counts: Counts = show_look("Counts", _COUNTS, _SHOWN, _COUNTS.__getitem__)
    frame = state.editor_frame(what_if, counts)
    allowed = COUNT_RANGES[counts]
    column = st.column_config

    def changed(cells: EditedCells) -> tuple[WhatIf, ...]:
        now = state.what_ifs()
        found = now.find(what_if.number)
        if found is None:
            return now.inputs
        typed = state.counts_in_editor(found, counts, cells)
        if typed == getattr(found, counts):
            return now.inputs
        part: dict[str, Any] = {counts: typed}
        return tuple(replace(one, **part) if one is found else one for one in now.inputs)

    show_draft(
        state.what_ifs(),
        state.editor_of(what_if, counts),
        frame,
        {
            "Type": column.TextColumn(f"{_COUNTS[counts][:-1]} type", disabled=True, pinned=True),
            "As given": column.NumberColumn(disabled=True),
            "Here": column.NumberColumn(
                "Here (edit)",
                min_value=int(allowed.low),
                max_value=int(allowed.high),
                step=1,
                required=True,
                help="0 switches off all machines of this type" if counts == "machines" else None,
            ),
        },
        changed,
        f"Table to edit: {_COUNTS[counts].lower()} of each type",
    )


def _show_idle_power(what_if: WhatIf) -> None:
    if what_if.base.apc is None:
        st.caption("This system has no powers (APC). Only its makespan can be compared.")
        return
    number, fraction = what_if.number, what_if.idle.idle_power
    st.session_state[_key(_IDLE_OF, number)] = now = _idle_of(what_if)
    show_choice(
        "Idle power",
        IDLE_OF,
        format_func=IDLE_OF.__getitem__,
        key=_key(_IDLE_OF, number),
        on_change=_take_idle_power,
        args=(number,),
        help="Idle power is set above, for every page. Here a what-if can have another.",
    )
    if now == "asleep":
        st.caption(assumed_without_work(what_if.idle.of(what_if.base)))
    if now != "own":
        return
    st.session_state[_key(_PERCENT, number)] = round(100 * (fraction or 0.0))
    st.slider(
        "Share of the mean power at work",
        0,
        100,
        key=_key(_PERCENT, number),
        format="%d %%",
        on_change=_take_percent,
        args=(number,),
    )


def _idle_of(what_if: WhatIf) -> IdleOf:
    if what_if.follows:
        return "pages"
    if what_if.idle.asleep_watts is not None:
        return "asleep"
    return "system" if what_if.idle == AS_GIVEN else "own"


@callback
def _take_idle_power(number: int) -> None:
    """Takes where the idle power is from, or that machines are switched off. A power of its own
    begins where it is now.
    """
    wanted: IdleOf = st.session_state[_key(_IDLE_OF, number)]
    found = state.what_ifs().find(number)
    if found is None:
        return
    if wanted == "pages":
        state.what_ifs().replace(found.following(session.workspace().idle))
        return
    share = found.idle.idle_power
    if wanted == "asleep":
        own = WithoutWork(share, USUAL_ASLEEP_WATTS)
    elif wanted == "system":
        own = AS_GIVEN
    else:
        own = WithoutWork(round(fraction_of(found.base), 2) if share is None else share)
    _change(number, idle=own, follows=False)


@callback
def _take_percent(number: int) -> None:
    share = st.session_state[_key(_PERCENT, number)] / 100
    _change(number, idle=WithoutWork(share), follows=False)


def _show_tariff(what_if: WhatIf) -> None:
    now, number = what_if.tariff, what_if.number
    st.session_state[_key(_PRICES_OF, number)] = "pages" if what_if.prices_follow else "own"
    show_choice(
        "Tariff",
        PRICES_OF,
        format_func=PRICES_OF.__getitem__,
        key=_key(_PRICES_OF, number),
        on_change=_take_prices_of,
        args=(number,),
        help="What a kWh costs is set above, for every page. Here a what-if can have another.",
    )
    if what_if.prices_follow:
        return
    site = session.site()
    shown = replace(site, price=now.price_per_kwh, carbon=now.carbon_per_kwh, pue=now.pue)
    taken: dict[str, Any] = {"on_change": _take_tariff, "args": (number,), "width": 150}
    with st.container(horizontal=True, gap="small"):
        for name in _TARIFF:
            key = _key(f"compare.{name}", number)
            st.session_state[key] = getattr(shown, name)
            show_widget(shown, name, key=key, label=site_label(site, name), value="min", **taken)


@callback
def _take_prices_of(number: int) -> None:
    """Takes where the tariff is from. One of its own begins as that of the site."""
    found = state.what_ifs().find(number)
    if found is not None:
        own = st.session_state[_key(_PRICES_OF, number)] == "own"
        state.what_ifs().replace(replace(found.at(session.site()), prices_follow=not own))


@callback
def _take_tariff(number: int) -> None:
    price, carbon, pue = (st.session_state[_key(f"compare.{name}", number)] for name in _TARIFF)
    own = replace(session.site(), price=price, carbon=carbon, pue=pue)
    _change(number, tariff=own.tariff, prices_follow=False)


def _change(number: int, **changed: Any) -> None:
    """Changes fields of a what-if, if it still exists."""
    now = state.what_ifs()
    if found := now.find(number):
        now.replace(replace(found, **changed))
