"""The toolbar of the page Fair shares: bags, bandwidth, what-ifs and the clock."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

import streamlit as st

from core.capabilities.fair_shares.day_clock import DayClock
from core.capabilities.fair_shares.settings import SharesSettings
from core.capabilities.fair_shares.shares import NO_CHANGE, MachinesAdded, OneMoreBag
from core.capabilities.fair_shares.words import change_named
from core.vocabulary.calendar import HOURS_OF_DAY
from core.vocabulary.ranges import MACHINE_COUNT
from dashboard.parts.desk import take_field
from dashboard.parts.fields.buttons import show_button
from dashboard.parts.fields.setting import show_field
from dashboard.parts.frame import markup
from dashboard.screens.fair_shares import state
from dashboard.screens.fair_shares.inputs import MOST_TASKS, BagsInputs
from dashboard.screens.fair_shares.state import BagsDesk
from dashboard.screens.fair_shares.words import chips
from dashboard.server.guard import callback
from dashboard.workspace import session

Put = Callable[[BagsInputs, Any], BagsInputs]
_FAULT: Final = "shares.another.fault"


def show_toolbar(desk: BagsDesk) -> None:
    inputs = desk.inputs
    with st.container(
        horizontal=True, vertical_alignment="bottom", gap="small", key="fair-shares-toolbar"
    ):
        _show_source()
        now = SharesSettings(inputs.bandwidth)
        show_field("shares.now", partial(_take_bandwidth, desk), now, "bandwidth", width=200)
        with st.popover("What if", icon=":material/help_center:"):
            _show_change(desk)
        with st.popover("Clock", icon=":material/schedule:"):
            _show_clock(desk)
    change = change_named(desk.system, inputs.change)
    st.html(markup.chips(chips(inputs.clock, change)), width="content")


@callback
def _take_bandwidth(desk: BagsDesk, _name: str, key: str) -> None:
    desk.change(replace(desk.inputs, bandwidth=st.session_state[key]))


@callback
def _take_faster(desk: BagsDesk, _name: str, key: str) -> None:
    then = replace(desk.inputs.what_if, bandwidth=st.session_state[key])
    desk.change(desk.inputs.with_what_if(then))


def _show_source() -> None:
    titles, chosen = state.titles(), state.source()
    key = session.fresh_key("fair_shares.source", chosen)
    st.selectbox(
        "Bags",
        list(titles),
        list(titles).index(chosen),
        format_func=titles.__getitem__,
        key=key,
        width=300,
        on_change=state.choose,
        args=(key,),
        help="The system in force says nothing about arrivals: its tasks come all at once and need "
        "no data, until you change that in the table. Open bags from a file that has them.",
    )


def _show_change(desk: BagsDesk) -> None:
    st.caption(
        "What would one more bag, more machines or another bandwidth do to every promise? "
        "Stretches stay multiples of what each bag takes alone now, so that promises can be "
        "compared."
    )
    _show_another_bag(desk)
    st.divider()
    _show_machines(desk)
    st.divider()
    then = desk.inputs.what_if
    show_field("shares.then", partial(_take_faster, desk), then, "bandwidth", width=200)
    show_button(
        "Remove the change",
        lambda: desk.change(replace(desk.inputs, change=NO_CHANGE)),
        icon="close",
        type="tertiary",
        disabled=not desk.inputs.change.is_any,
    )


def _choose(desk: BagsDesk, label: str, names: Sequence[str], chosen: int | None, put: Put) -> None:
    """A choice of one of the names, or of none."""
    key = session.fresh_key(f"shares.{label}", chosen)
    options = [None, *range(len(names))]
    st.selectbox(
        label,
        options,
        options.index(chosen),
        format_func=lambda k: "None" if k is None else names[k],
        key=key,
        on_change=take_field,
        args=(desk, key, put),
    )


def _show_another_bag(desk: BagsDesk) -> None:
    bag = desk.inputs.change.bag
    chosen = None if bag is None else bag.task_type
    _choose(desk, "One more bag, like", desk.system.task_names, chosen, _put_bag)
    if bag is None:
        return
    left, right = st.columns(2, gap="small")
    with left:
        key = session.fresh_key("fair_shares.another.tasks", bag.tasks)
        st.number_input(
            "Its tasks",
            1,
            int(MOST_TASKS.high),
            bag.tasks,
            key=key,
            on_change=take_field,
            args=(desk, key, lambda it, tasks: _with_bag(it, tasks=int(tasks))),
        )
    with right:
        shown = desk.inputs.clock.cell(bag.release)
        key = session.fresh_key("fair_shares.another.release", shown)
        st.text_input(
            "Released",
            shown,
            key=key,
            max_chars=40,
            on_change=callback(_take_release),
            args=(desk, key),
        )
    if (fault := st.session_state.get(_FAULT)) is not None:
        st.warning(fault, icon=":material/warning:")


def _take_release(desk: BagsDesk, key: str) -> None:
    st.session_state.pop(_FAULT, None)
    try:
        release = desk.inputs.clock.typed(st.session_state[key])
    except ValueError as fault:
        st.session_state[_FAULT] = f"{fault}."
        return
    desk.change(_with_bag(desk.inputs, release=release))


def _put_bag(inputs: BagsInputs, like: int | None) -> BagsInputs:
    if like is None:
        return _changed(inputs, bag=None)
    alike = inputs.bags[like]
    return _changed(inputs, bag=OneMoreBag(like, max(alike.tasks, 1), alike.release))


def _with_bag(inputs: BagsInputs, **changed: Any) -> BagsInputs:
    bag = inputs.change.bag
    return inputs if bag is None else _changed(inputs, bag=bag._replace(**changed))


def _show_machines(desk: BagsDesk) -> None:
    more = desk.inputs.change.machines
    chosen = None if more is None else more.machine_type
    _choose(desk, "More machines of", desk.system.machine_names, chosen, _put_machines)
    if more is None:
        return
    key = session.fresh_key("fair_shares.more", more.machines)
    st.number_input(
        "How many more",
        -int(MACHINE_COUNT.high),
        int(MACHINE_COUNT.high),
        more.machines,
        key=key,
        on_change=take_field,
        args=(desk, key, _put_count),
        help="Below 0: so many fewer. 0: no change.",
    )


def _put_machines(inputs: BagsInputs, kind: int | None) -> BagsInputs:
    if kind is None:
        return _changed(inputs, machines=None)
    more = inputs.change.machines
    return _changed(inputs, machines=MachinesAdded(kind, 1 if more is None else more.machines))


def _put_count(inputs: BagsInputs, count: int | None) -> BagsInputs:
    more = inputs.change.machines
    if more is None or not count:
        return _changed(inputs, machines=None)
    return _changed(inputs, machines=more._replace(machines=int(count)))


def _changed(inputs: BagsInputs, **changed: Any) -> BagsInputs:
    return replace(inputs, change=replace(inputs.change, **changed))


def _show_clock(desk: BagsDesk) -> None:
    shown = desk.inputs.clock.cell(0.0)
    key = session.fresh_key("fair_shares.clock", shown)
    hours = [f"{hour:02}:00" for hour in range(HOURS_OF_DAY)]
    if shown not in hours:
        hours = sorted([*hours, shown])
    st.selectbox(
        "Clock at time 0",
        hours,
        hours.index(shown),
        key=key,
        on_change=callback(_take_clock),
        args=(desk, key),
        help="The time of day at 0 s of the release dates in files. Changing it moves all dates.",
    )


def _take_clock(desk: BagsDesk, key: str) -> None:
    """The tables begin anew, since their dates are written otherwise."""
    begins = DayClock(0.0).typed(st.session_state[key])
    desk.fill(replace(desk.inputs, clock=DayClock(begins), untyped={}))
