"""Centre: a day of a centre, when what runs, which servers sleep, and how it is cooled."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Final

import streamlit as st

from core.capabilities.centre.answer import CentreAnswer
from core.capabilities.centre.asked import fits_study
from core.capabilities.centre.files.centre_file import CentreFile
from core.capabilities.centre.files.centre_reader import inspect_centre_bytes
from core.capabilities.centre.front import sliced_aim
from core.capabilities.centre.method_plan import MethodPlan
from core.capabilities.centre.settings import DayMethod
from core.capabilities.centre.told import NOT_KNOWING, WORTH, told, worth_bars
from core.shells.told.told import Told
from core.vocabulary.say.units import power_unit
from core.vocabulary.say.words import HOUR, Sense, duration, joined, share
from dashboard.parts.charts.bars import bars_figure
from dashboard.parts.charts.shown import show_chart
from dashboard.parts.desk import show_undo
from dashboard.parts.fields.setting import show_choice, show_field, show_steps
from dashboard.parts.frame import markup
from dashboard.parts.frame.handed import Handed, Opening, show_ask
from dashboard.parts.frame.watch import show_end, show_page_title, watch
from dashboard.parts.told import (
    figures_row,
    show_key_figures,
    show_lead,
    show_sentences,
    show_table,
    show_unverified,
)
from dashboard.screens.centre import state
from dashboard.screens.centre.clock_axis import OneDate
from dashboard.screens.centre.curves import curves_opening, show_gaps
from dashboard.screens.centre.day_chart import all_day, day_figure
from dashboard.screens.centre.editor import show_editor
from dashboard.screens.centre.front_panel import ask_front, show_front
from dashboard.screens.centre.not_knowing_panel import ask_price, show_against_actual
from dashboard.screens.centre.planning import PAGE, kept_answers, planning
from dashboard.screens.centre.power_panel import ShownPlan, highest
from dashboard.screens.centre.state import CLOSER, CentreDesk, CentreLook, CloserDay
from dashboard.screens.centre.take_away import show_centre_downloads
from dashboard.screens.centre.target_panel import has_target, show_target, show_target_handles
from dashboard.screens.centre.week_chart import dates_of, week_figure
from dashboard.server.background import Job, patience
from dashboard.workspace import asking, session

_PATIENCE: Final = 1.5
LATE_STEPS: Final = (0.0, 0.02, 0.05, 0.1, 0.2, None)
REPLANS: Final = (0.0, *(hours * HOUR for hours in (6, 3, 2, 1, 0.5, 0.25)))
_ANSWER: Final = "answer"


def _take_file(file: Handed, centre: CentreFile) -> None:
    state.give(file.identity, file.name, centre)


OPENING: Final = Opening(
    "centre.file",
    "The centre",
    "This file is no day of a centre.",
    inspect_centre_bytes,
    _take_file,
)


def main() -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="medium", key="status"):
        status = show_page_title("Centre")
        undo = st.container(width="content")
        exports = st.container(width="content")
    OPENING.show()
    desk, look = state.current(), state.look()
    curves_opening(desk).show()
    show_gaps(desk)
    with undo:
        show_undo(desk, "Takes back the last change of what is asked.")
    headline = st.container()
    left, right = st.columns([3, 1], gap="large")
    with right:
        show_controls(desk, look)
    state.write_address()
    jobs = asking.jobs(PAGE)
    asked = desk.name, desk.inputs, look.forecast, look.methods, desk.file.fingerprint
    work = planning(desk.file, desk.inputs.asked, look, kept_answers())
    job: Job[CentreAnswer] = jobs.ask(_ANSWER, asked, work)
    job.wait(1, patience(_PATIENCE))
    answer = known_answer(desk, job)
    closer, front, price = closer_looks(desk, look), None, None
    if answer is not None and closer[0] == "front":
        front = ask_front(desk)
    if answer is not None and not job.running:
        price = ask_price(desk, look, answer)
        if price is not None:
            price.wait(1, patience(0.0))
            answer = replace(answer, not_knowing=price.latest)
    seen = jobs.state()
    with headline:
        show_end(job, "The search was stopped.", _search_again, refused=_REFUSED)
    if answer is not None:
        said = told(answer)
        with headline:
            show_lead(said)
            if job.latest is None:
                st.caption("This is the answer to what was asked before; the new one comes.")
            with figures_row():
                show_key_figures(said.figures, 190)
        with left:
            shown = show_day(answer, desk.file, look, said)
        show_words(said)
        choose_closer(look, closer)
        if front is not None:
            show_front(answer, sliced_aim(desk.inputs.asked), front)
        elif closer[0] == "worth":
            show_worth(answer, said)
        else:
            show_against_actual(answer, look, price, said)
        with exports, st.popover("Export", icon=":material/download:", key="take-away"):
            show_centre_downloads(answer, shown, said, look, fits=fits_study(desk.file))
    elif job.running:
        with left:
            st.caption("A first plan of the day is being looked for.")
    show_editor(desk)
    with status:
        watch(jobs, seen, awaited=True)


_REFUSED: Final = "No plan keeps all that is asked:"


def known_answer(desk: CentreDesk, job: Job[CentreAnswer]) -> CentreAnswer | None:
    """The answer, or as long as it is looked for, the one before of the same centre."""
    if job.latest is not None:
        st.session_state[state.ANSWERED] = desk.name, job.latest
        return job.latest
    last: tuple[str, CentreAnswer] | None = st.session_state.get(state.ANSWERED)
    return last[1] if job.running and last is not None and last[0] == desk.name else None


def _search_again() -> None:
    asking.jobs(PAGE).drop(_ANSWER)


def show_controls(desk: CentreDesk, look: CentreLook) -> None:
    """Which centre, and what is asked of its day."""
    asked = desk.inputs.asked
    show = partial(show_field, "centre", state.take, asked)
    show_look = partial(show_field, "centre.look", state.take_look, look)
    titles = state.titles()
    show_look("centre", options=list(titles), format_func=titles.__getitem__)
    show_ask("Open a centre", type="tertiary")
    show("minimise", label="Minimise")
    if asked.minimise != "lateness":
        key = session.fresh_key("centre.most_late", asked.most_late)
        show_steps(
            asked,
            "most_late",
            LATE_STEPS,
            lambda one: share(one, Sense.TYPED),
            key=key,
            on_change=state.take,
            args=("most_late", key),
            label="Lateness at most",
        )
    for name in ("excess", "peak"):
        if asked.minimise != name:
            show(f"most_{name}")
    show_target(desk)
    with st.expander("More caps"):
        for name in ("cost", "carbon", "energy"):
            if asked.minimise != name:
                show(f"most_{name}")
    if desk.file.has_forecast:
        show_look("forecast")
        if look.forecast:
            key = session.fresh_key("centre.replan", asked.replan)
            show_steps(
                asked,
                "replan",
                [every for every in REPLANS if every % desk.file.grid.step == 0],
                lambda every: duration(every, Sense.TYPED) if every else "once a day",
                key=key,
                on_change=state.take,
                args=("replan", key),
            )
    show("unannounced")
    with st.expander("Effort and rivals"):
        show_look("methods")
        show("seconds")
        show("seed")


def show_day(answer: CentreAnswer, file: CentreFile, look: CentreLook, said: Told) -> MethodPlan:
    """The day under the plan that is chosen, and perhaps as usual beside it."""
    there: dict[DayMethod, MethodPlan] = {
        one.method: one for one in (*answer.plans, answer.usual) if one.found is not None
    }
    chosen = there.get(look.plan) or there.get("plan") or answer.usual
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        show_field(
            "centre.look",
            state.take_look,
            replace(look, plan=chosen.method),
            "plan",
            segmented=True,
            options=list(there),
            label_visibility="collapsed",
        )
        if chosen is not answer.usual:
            show_field("centre.look", state.take_look, look, "beside")
    if chosen.verdict is not None and not chosen.verdict.ok:
        show_unverified("this plan")
    beside = look.beside and chosen is not answer.usual
    shown, usual = ShownPlan.of(chosen), ShownPlan.of(answer.usual)
    if shown is not None:
        plans = [shown] if usual is None or not beside else [shown, usual]
        show_chart(
            day_figure(answer.file, plans, show_dates(answer.file, shown, look)),
            "centre-day",
            f"Charts of a day with one time axis: power, curves, temperature, servers. {said.lead}",
        )
        most = highest(answer.file, plans)
        show_target_handles(file, power_unit(most), most)
        if same := all_day(answer.file):
            st.html(markup.note(same))
    return chosen


def show_dates(file: CentreFile, shown: ShownPlan, look: CentreLook) -> OneDate | None:
    """The dates of several days as small charts to choose from; returns the one that is open."""
    dates = dates_of(file)
    if not dates:
        return None
    opened = look.date if look.date < len(dates) else state.ALL_DATES
    chosen = None if opened == state.ALL_DATES else dates[opened]

    def take(mark: list[Any]) -> None:
        if mark and mark[0] in range(len(dates)):
            state.see(date=state.ALL_DATES if mark[0] == opened else int(mark[0]))

    show_chart(
        week_figure(file, shown, dates, chosen),
        "centre-week",
        f"Small charts of power against the target, one for each of {len(dates)} dates.",
        take,
    )
    names = {state.ALL_DATES: "All days", **{place: one.name for place, one in enumerate(dates)}}
    key = session.fresh_key("centre.look.date", opened)
    how = {"format_func": names.__getitem__, "label_visibility": "collapsed", "key": key}
    how |= {"on_change": state.take_look, "args": ("date", key)}
    show_choice("Dates", list(names), default=opened, **how)
    return chosen


def closer_looks(desk: CentreDesk, look: CentreLook) -> list[CloserDay]:
    """What there is to look at more closely; the first is that which is open."""
    there: dict[CloserDay, bool] = {
        "front": has_target(desk.file),
        "worth": True,
        "actual": desk.file.has_forecast or desk.inputs.asked.unannounced,
    }
    usual: CloserDay = "actual" if look.forecast or desk.inputs.asked.unannounced else "front"
    return sorted(
        (one for one, is_there in there.items() if is_there),
        key=lambda one: (one != look.closer, one != usual),
    )


def choose_closer(look: CentreLook, there: Sequence[CloserDay]) -> None:
    """The choice of a closer look."""
    st.subheader("A closer look", anchor=False)
    show_field(
        "centre.look",
        state.take_look,
        replace(look, closer=there[0]),
        "closer",
        segmented=True,
        options=[one for one in CLOSER if one in there],
        label_visibility="collapsed",
        wrap=True,
    )


def show_words(said: Told) -> None:
    """Tables that have no closer look of their own, and all that is said beside."""
    for table in said.tables:
        if table.title not in (WORTH, NOT_KNOWING):
            st.subheader(table.title, anchor=False)
            show_table(table)
    show_sentences(said)


_ROW: Final = 34.0


def show_worth(answer: CentreAnswer, said: Told) -> None:
    """What one more of each is worth; the amounts stand beside the bars."""
    table = next((one for one in said.tables if one.title == WORTH), None)
    if table is None:
        st.caption("What one more is worth is found when the plan is.")
        return
    bars = worth_bars(answer)
    if bars is None:
        show_table(table)
        return
    named = tuple(replace(bar, label=f"{bar.label} ({bar.said})") for bar in bars.bars)
    show_chart(
        bars_figure(replace(bars, bars=named), _ROW),
        "centre-worth",
        f"Bar chart: {table.title}: {', '.join(': '.join(row) for row in table.rows)}.",
    )
    nothing = [what for what, saved in table.rows if saved == "nothing"]
    worthless = f" Nothing: {joined(nothing)}." if nothing else ""
    st.html(markup.note(f"By how much the bound falls, at most.{worthless} {table.note}"))


main()
