"""The toolbar of the page Fair shares: bags, bandwidth, what-ifs and the clock."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import streamlit as st

from core.capabilities.fair_shares.bags_reader import MASTER, MEGABYTE
from core.capabilities.fair_shares.changes import NO_CHANGE, MachinesAdded, OneMoreBag
from core.capabilities.fair_shares.day_clock import DayClock
from core.capabilities.fair_shares.share_words import change_named
from core.vocabulary.ranges import MACHINE_COUNT
from core.vocabulary.say.words import Sense, rounded
from dashboard.parts.frame import markup
from dashboard.screens.fair_shares import state
from dashboard.screens.fair_shares.desk import BagsDesk, take_field
from dashboard.screens.fair_shares.inputs import BagsInputs
from dashboard.screens.fair_shares.tables import MOST_TASKS
from dashboard.screens.fair_shares.words import chips
from dashboard.server.guard import callback
from dashboard.workspace import session

PutBags = Callable[[BagsInputs, Any], BagsInputs]
_NONE: Final = -1


def show_toolbar(desk: BagsDesk) -> None:
    inputs = desk.inputs
    with st.container(
        horizontal=True, vertical_alignment="bottom", gap="small", key="stretch-toolbar"
    ):
        _show_source()
        _megabytes(
            desk,
            "bandwidth",
            "Bandwidth (MB/s)",
            inputs.bandwidth,
            lambda it, value: replace(it, bandwidth=value),
            "What the master sends to all machines together. Blank: no limit.",
            "no limit",
        )
        with st.popover("What if", icon=":material/help_center:"):
            _show_change(desk)
        with st.popover("Clock", icon=":material/schedule:"):
            _show_clock(desk)
    change = change_named(desk.system, inputs.change)
    st.html(markup.chips(chips(inputs.clock, change)), width="content")


def _show_source() -> None:
    titles, chosen = state.titles(), state.source()
    key = session.fresh_key("stretch.source", chosen)
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
    _megabytes(
        desk,
        "faster",
        "Bandwidth then (MB/s)",
        desk.inputs.change.bandwidth,
        lambda it, value: _changed(it, bandwidth=value),
        "What the master would send. Blank: as it is.",
        "as it is",
    )
    st.button(
        "Remove the change",
        icon=":material/close:",
        type="tertiary",
        disabled=not desk.inputs.change.is_any,
        on_click=callback(_remove_change),
        args=(desk,),
    )


def _remove_change(desk: BagsDesk) -> None:
    desk.change(replace(desk.inputs, change=NO_CHANGE))


def _show_another_bag(desk: BagsDesk) -> None:
    bag = desk.inputs.change.bag
    names = desk.system.task_names
    options = [_NONE, *range(len(names))]
    chosen = _NONE if bag is None else bag.task_type
    key = session.fresh_key("stretch.another", chosen)
    st.selectbox(
        "One more bag, like",
        options,
        options.index(chosen),
        format_func=lambda k: "None" if k == _NONE else names[k],
        key=key,
        on_change=take_field,
        args=(desk, key, _put_bag),
    )
    if bag is None:
        return
    left, right = st.columns(2, gap="small")
    with left:
        key = session.fresh_key("stretch.another.tasks", bag.tasks)
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
        key = session.fresh_key("stretch.another.release", shown)
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


_FAULT: Final = "stretch.another.fault"


def _take_release(desk: BagsDesk, key: str) -> None:
    st.session_state.pop(_FAULT, None)
    try:
        release = desk.inputs.clock.typed(st.session_state[key])
    except ValueError as fault:
        st.session_state[_FAULT] = f"{fault}."
        return
    desk.change(_with_bag(desk.inputs, release=release))


def _put_bag(inputs: BagsInputs, like: int) -> BagsInputs:
    if like == _NONE:
        return _changed(inputs, bag=None)
    alike = inputs.bags[like]
    return _changed(inputs, bag=OneMoreBag(like, max(alike.tasks, 1), alike.release))


def _with_bag(inputs: BagsInputs, **changed: Any) -> BagsInputs:
    bag = inputs.change.bag
    return inputs if bag is None else _changed(inputs, bag=bag._replace(**changed))


def _show_machines(desk: BagsDesk) -> None:
    more = desk.inputs.change.machines
    names = desk.system.machine_names
    options = [_NONE, *range(len(names))]
    chosen = _NONE if more is None else more.machine_type
    key = session.fresh_key("stretch.more.kind", chosen)
    st.selectbox(
        "More machines of",
        options,
        options.index(chosen),
        format_func=lambda j: "None" if j == _NONE else names[j],
        key=key,
        on_change=take_field,
        args=(desk, key, _put_machines),
    )
    if more is None:
        return
    key = session.fresh_key("stretch.more", more.machines)
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


def _put_machines(inputs: BagsInputs, kind: int) -> BagsInputs:
    if kind == _NONE:
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
    key = session.fresh_key("stretch.clock", shown)
    hours = [f"{hour:02}:00" for hour in range(24)]
    if shown not in hours:
        hours = sorted([*hours, shown])
    st.selectbox(
        "Time 0 is",
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


def _megabytes(
    desk: BagsDesk,
    name: str,
    title: str,
    value: float | None,
    put: PutBags,
    meaning: str,
    blank: str,
) -> None:
    shown = None if value is None else rounded(value / MEGABYTE, Sense.PLAIN, 12)
    key = session.fresh_key(f"stretch.{name}", shown)
    st.number_input(
        title,
        float(MASTER.low),
        float(MASTER.high),
        shown,
        step=None,
        key=key,
        format="%.6g",
        placeholder=blank,
        width=200,
        on_change=take_field,
        args=(desk, key, lambda it, mb: put(it, None if mb is None else mb * MEGABYTE)),
        help=meaning,
    )
