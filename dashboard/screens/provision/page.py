"""Provision: which machines to buy and to sell before it is known what work arrives."""

from dataclasses import replace
from functools import partial
from typing import Any, Final

import plotly.graph_objects as go
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core import System
from core.capabilities.provision.files.plan_file import DRAWN_AT_ONCE, PlanFile
from core.capabilities.provision.files.plan_format import inspect_plan_bytes, read_plan
from core.capabilities.provision.told import told
from core.capabilities.provision.words import purchase_said
from core.files.samples.named import PLANS, plan_folder
from core.shells.told.told import Told
from core.vocabulary.problems import InvalidInput
from core.vocabulary.say.words import Sense, as_sentence, counted, joined, share
from core.vocabulary.setting import NumberIn
from core.vocabulary.without_work import AS_GIVEN
from dashboard.parts.charts.shown import show_chart
from dashboard.parts.desk import EditedCells, show_draft, show_undo
from dashboard.parts.fields.buttons import show_button
from dashboard.parts.fields.setting import show_look
from dashboard.parts.frame import markup
from dashboard.parts.frame.handed import Opening
from dashboard.parts.frame.watch import show_end, show_page_title, watch
from dashboard.parts.told import figures_row, show_key_figures, show_lead, show_sentences
from dashboard.screens.provision import state as provision_state
from dashboard.screens.provision.answer import (
    FIRST_GAP,
    FIRST_SCENARIOS,
    GoalFound,
    ProvisionAnswer,
    ProvisionAsked,
    searching,
)
from dashboard.screens.provision.charts import shopping_bars, shopping_figure, value_figure
from dashboard.screens.provision.closer import PAGE, show_closer
from dashboard.screens.provision.desk import PlanDesk, desk_of
from dashboard.screens.provision.examples import with_examples
from dashboard.screens.provision.inputs import (
    COLUMNS,
    NAME,
    RATES,
    TITLES,
    PlanInputs,
    PlanTable,
    changed,
    frame,
    missing,
    plan_file_of,
)
from dashboard.screens.provision.take_away import show_downloads, show_provisioned
from dashboard.screens.provision.toolbar import show_operations, show_toolbar
from dashboard.server.background import Job, patience
from dashboard.workspace import asking, session
from dashboard.workspace.workspace import Given, Version, undo
from dashboard.workspace.workspace import choose as choose_version

_JOB: Final = "answer"
_PATIENCE: Final = 1.0


def main() -> None:
    system = session.system()
    desk = provision_state.current(system)
    with st.container(horizontal=True, vertical_alignment="center", gap="medium", key="status"):
        status = show_page_title("What to buy")
        show_undo(desk, "Takes back the last change of this plan.")
        with st.popover("Sample plans", icon=":material/folder_open:"):
            show_samples()
        exports = st.container(width="content")
    OPENING.show()
    headline = st.container()
    arrivals = session.workspace().version.seen.arrivals
    asked = ProvisionAsked(system.fingerprint, desk.inputs, arrivals)
    places = show_toolbar(desk)
    found = st.container()
    with found:
        if lacks := list(missing(desk.inputs)):
            show_missing(desk, system, lacks)
        elif show_problems(system, desk) and desk.requested is None:
            desk.requested = asked
    if desk.requested is not None:
        begun(desk, system, desk.requested)
    show_tables(desk, system)
    provision_state.write_address(desk)
    if desk.requested is not None:
        follow(desk, system, asked, headline, found, status)
    with places.run:
        show_run(desk, asked)
    if (operations := desk.operations_of(asked)) is not None:
        with places.operations:
            show_operations(operations)
    last = desk.shown(asked)
    if last is not None and not (isinstance(last, ProvisionAnswer) and last.is_first):
        with exports, st.popover("Export", icon=":material/download:", key="take-away"):
            show_downloads(last)


def show_tables(desk: PlanDesk, system: System) -> None:
    """The tables of the plan, to edit."""
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.subheader("The plan", anchor=False, width="content")
        table: PlanTable = show_look(
            "Table of the plan", TITLES, "provision.table", TITLES.__getitem__
        )
    given = desk.begun_with(table)
    rows = frame(system, given, table)
    column = st.column_config
    configured: dict[str, Any] = {
        NAME: column.TextColumn(f"{TITLES[table][:-1]} type", disabled=True, pinned=True)
    }
    for name, one in COLUMNS[table].items():
        unit = given.rate_seconds if name in RATES else 1.0
        if isinstance(one.kind, NumberIn):
            configured[name] = column.NumberColumn(
                one.label.format(money=given.currency, rate=given.rate_unit),
                min_value=one.kind.allowed.low,
                max_value=one.kind.allowed.high * unit,
                help=one.meaning,
                format="%.6g",
            )

    def after(cells: EditedCells) -> PlanInputs:
        return changed(desk.inputs, desk.given[table], table, cells)

    alt = f"Table to edit: {TITLES[table].lower()} of the plan"
    step = partial(provision_state.take_typed, desk)
    show_draft(desk, table, rows, configured, after, alt, step)
    st.caption(
        "Prices, resales and failures are those of the cluster, on every page. Blank counts are "
        "those of the system. A blank limit does not bind."
        if table == "machines"
        else "Arrivals are a steady stream. Tasks that find no free machine are not done, and "
        "bring nothing. A reward that you type counts in place of the work of tasks."
    )


def show_run(desk: PlanDesk, asked: ProvisionAsked) -> None:
    blocked = any(missing(asked.inputs))
    show_button(
        "Find what to buy",
        _run,
        desk,
        asked,
        icon="shopping_cart",
        type="primary",
        disabled=blocked or desk.is_current(asked),
    )


def _run(desk: PlanDesk, asked: ProvisionAsked) -> None:
    asking.jobs(PAGE).drop(_JOB)
    desk.requested = asked


def show_missing(desk: PlanDesk, system: System, lacks: list[str]) -> None:
    with st.container(border=True):
        st.markdown(f"**To find what to buy, this plan still needs {joined(lacks)}.**")
        with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
            show_button(
                "Fill in examples",
                lambda: desk.fill(with_examples(system, desk.inputs)),
                icon="auto_fix_high",
                type="primary",
            )
            st.caption(
                "Type them into the tables below, or start from examples and replace them one by "
                "one."
            )


def show_problems(system: System, desk: PlanDesk) -> bool:
    """The problems of the plan, if any. Returns whether it can be computed."""
    try:
        warnings = plan_file_of(system, desk.inputs).plan.warnings
    except InvalidInput as refused:
        st.error("This plan cannot be computed:", icon=":material/error:")
        st.html(markup.problems(refused.problems))
        return False
    if warnings:
        st.warning("Not all of this plan counts:", icon=":material/warning:")
        st.html(markup.problems(warnings))
    return True


def begun(desk: PlanDesk, system: System, wanted: ProvisionAsked) -> Job[Any] | None:
    """The job that finds what is wanted; None if it has been found."""
    if desk.is_done(wanted):
        return None
    return asking.jobs(PAGE).ask(_JOB, wanted, searching(system, wanted))


def follow(
    desk: PlanDesk,
    system: System,
    asked: ProvisionAsked,
    headline: DeltaGenerator,
    found: DeltaGenerator,
    status: DeltaGenerator,
) -> None:
    """The answer as far as it is known, and progress."""
    jobs = asking.jobs(PAGE)
    wanted = desk.requested
    if wanted is not None and (job := begun(desk, system, wanted)) is not None:
        job.wait(1, patience(_PATIENCE))
        state = jobs.state()
        if job.latest is not None:
            desk.take(job.latest)
        with found:
            refused = "No purchase keeps all limits of this plan:"
            show_end(job, "The search was stopped.", lambda: jobs.drop(_JOB), refused=refused)
    else:
        state = jobs.state()
    last, is_current = desk.shown(asked), desk.is_current(asked)
    if last is not None:
        site = replace(session.site(), currency=desk.inputs.currency)
        use = session.workspace().version.seen.node_use
        if isinstance(last, GoalFound):
            said = last.told(site, use)
        else:
            said = told(last, site=site, use=use)
        with headline:
            show_headline(desk, last, said, is_current=is_current)
        with found:
            show_answer(last, said, is_current=is_current)
            if isinstance(last, ProvisionAnswer):
                show_closer(desk, last)
    with status:
        watch(jobs, state, awaited=True)


def show_headline(
    desk: PlanDesk, found: ProvisionAnswer | GoalFound, said: Told, *, is_current: bool
) -> None:
    show_lead(said)
    purchase = found.purchase if isinstance(found, GoalFound) else found.best.purchase
    if (purchase.buy + purchase.sell).any():
        st.html(markup.note(as_sentence(purchase_said(found.plan, purchase))))
    if isinstance(found, ProvisionAnswer) and found.is_first:
        count = found.asked.inputs.scenarios.count
        st.caption(
            f":material/hourglass_top: A first answer, from {FIRST_SCENARIOS} of {count:,} "
            f"scenarios and to {share(FIRST_GAP, Sense.TYPED)}. That of all of them follows."
        )
    if not is_current:
        st.caption(
            ":material/history: This answer is for earlier settings. Press “Find what to buy” for "
            "the present ones."
        )
    if examples := desk.inputs.examples:
        st.caption(
            ":material/edit_note: Examples, not your numbers: " + ", ".join(sorted(examples)) + "."
        )


def show_answer(found: ProvisionAnswer | GoalFound, said: Told, *, is_current: bool) -> None:
    """What the purchase leads to, and the shopping list beside those of others."""
    purchase = found.purchase if isinstance(found, GoalFound) else found.best.purchase
    bought = as_sentence(purchase_said(found.plan, purchase))  # it stands below the headline
    show_sentences(replace(said, sentences=tuple(one for one in said.sentences if one != bought)))
    with figures_row():
        show_key_figures(said.figures, "content")
        show_provisioned(purchase, is_current=is_current)
    if isinstance(found, GoalFound):
        show_titled(
            "What to buy",
            shopping_bars(found.plan, found.purchases, found.asked.inputs.currency),
            "Bar chart: the machines to buy and to sell for this goal, and if only the mean future "
            f"counted. {said.lead}",
            "goal",
        )
        return
    left, right = st.columns(2, gap="large")
    with left:
        show_titled(
            "What each method buys",
            shopping_figure(found),
            "Bar chart: the machines that each method buys and sells, by machine type. "
            f"{said.lead}",
            "shopping",
        )
    with right:
        show_titled(
            "What that is worth",
            value_figure(found),
            "Chart: what each method is expected to reach with its interval, beside what the "
            "method believed",
            "value",
        )


def show_titled(title: str, figure: go.Figure, alt: str, key: str) -> None:
    st.subheader(title, anchor=False)
    show_chart(figure, f"provision_{key}", alt=alt)


def show_samples() -> None:
    """Sample plans, to open."""
    st.caption(
        "The system of the plan becomes the one in force on every page; Undo brings it back."
    )
    for name in PLANS:
        show_button(name, _open_sample, name, type="tertiary")


def _open_sample(name: str) -> None:
    open_plan(read_plan(plan_folder(name)), f"plan {name}")


def open_plan(file: PlanFile, title: str) -> str:
    """Puts a plan in force. Returns what was changed about it, in words; empty if nothing was."""
    session.apply(choose_version, Version(file.types, Given(title)))
    session.set_idle(AS_GIVEN)
    inputs, note = PlanInputs.of_file(file), ""
    if inputs.scenarios.count > DRAWN_AT_ONCE.high:
        most = int(DRAWN_AT_ONCE.high)
        note = (
            f"The plan asks for {counted(inputs.scenarios.count, 'scenario')}; this page draws "
            f"{most:,} at most. The command wattfront provision draws them all."
        )
        inputs = replace(inputs, scenarios=replace(inputs.scenarios, count=most))
    desk_of(session.system()).open(inputs, also=partial(session.apply, undo))
    shown = inputs.at(session.site(), inputs).currency
    if shown != file.currency:
        note += f" Its amounts are in {file.currency}, and shown as {shown}: as they are."
    return note.strip()


OPENING: Final = Opening(
    "provision.plan",
    "The plan",
    "This file is no plan.",
    inspect_plan_bytes,
    lambda file, plan: open_plan(plan, file.name),
)


main()
