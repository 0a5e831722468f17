"""A system from accounting logs: rules with a live preview, and what became of the rows."""

from dataclasses import replace
from datetime import UTC, date, datetime, time
from functools import partial
from typing import Any, Final

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.capabilities.derive.told import not_used_in_words, notes
from core.engines.logs.reading.sacct import MEASURED
from core.engines.logs.types.settings import RunSettings
from core.files.samples.named import LOG_FILES, LOGS, first_line, log_folder
from core.vocabulary.say.words import DAY
from dashboard.parts.fields.buttons import show_button
from dashboard.parts.fields.setting import show_widget
from dashboard.parts.frame import markup
from dashboard.parts.frame.handed import (
    Handed,
    forget_given,
    given,
    hand,
    is_awaited,
    set_importing,
)
from dashboard.parts.frame.watch import show_end, watch
from dashboard.parts.opening.log_folder import LogFolder
from dashboard.parts.opening.log_reading import show_outcome, show_refused
from dashboard.parts.taking.take_away import download
from dashboard.screens.importing import import_steps, log_words
from dashboard.screens.importing.import_steps import STEPS, ImportStep
from dashboard.screens.importing.log_answer import (
    MOST_REJECTED,
    NO_WATTS,
    LogAnswer,
    LogAsked,
    LogDesk,
    OpenLog,
    deriving,
    provenance_file,
    reading,
    rejected_file,
)
from dashboard.screens.importing.log_beside import forget_table, show_beside, show_machines
from dashboard.screens.importing.log_preview import show_preview
from dashboard.server.background import Job, Jobs, patience
from dashboard.server.guard import callback
from dashboard.workspace import asking

PAGE: Final = "importing"
_DESK: Final = "log.desk"
_WATCHED: Final = "log.watched"
"""The state of the jobs before they were looked at, and where progress is shown."""
_READ: Final = "log read"
_DERIVE: Final = "log derive"
_PATIENCE: Final = 1.0
_MOST_PAIRS: Final = 1_000
"""Pairs that are offered to be allowed; the command takes any."""


def cancel_import() -> None:
    """Forgets the log and what was beside it; the system in force stays."""
    forget_given("importing.log", "importing.nodes", "importing.watts")
    desk = _desk()
    forget_table(desk)
    desk.watts = NO_WATTS
    _forget()


def show_way_back() -> None:
    """What waits for its log; and a button that goes on with an import that was left."""
    st.session_state.pop(_WATCHED, None)  # of a run that went on to another page
    desk = _desk()
    show_beside(desk)
    if desk.opened is not None:
        show_button(f"Go on with the import of {desk.opened.name}", _go_on, icon="history")


def _go_on() -> None:
    set_importing(is_open=True)


def show_log() -> None:
    """The files, and the step of their import that a person is at."""
    desk = _desk()
    jobs = asking.jobs(PAGE)
    if is_awaited("importing.log"):
        import_steps.begin()
    step = import_steps.choose_step()
    with st.expander("Files", expanded=step == STEPS[0]):
        _show_files(desk, jobs)
    if desk.opened is None:
        return
    place = st.container()
    if step == "Recognised":
        _show_recognised(desk.opened)
    elif step == "Check":
        desk.asked = _show_choices(desk, desk.opened)
    elif step == "Not in the log":
        if desk.answered is not None and desk.answered.system is not None:
            import_steps.show_missing(desk.answered.system, desk.table_in_force)
        show_machines(desk)
    asked = desk.asked = replace(desk.asked, table=desk.table_in_force, samples=desk.watts.path)
    job = jobs.ask(_DERIVE, (desk.log, asked), deriving(desk.opened, asked))
    _wait(job, jobs, place)
    desk.answered = job.latest or desk.answered
    is_current = desk.answered is not None and desk.answered.asked == asked
    with place:
        stopped, action = "Deriving was stopped.", "Derive the system"
        if job.latest is not None:
            stopped, action = "The comparison with what was possible was stopped.", "Compare"
        show_end(job, stopped, lambda: _begin_again(desk), action)
        if desk.answered is not None and not is_current:
            rest = "; the new one comes" if job.running else ""
            st.caption(f"This is the result of the choices before{rest}.")
    if desk.answered is not None:
        _show_answer(desk.opened, desk.answered, step, is_compared=not job.running)
    if step == "Go on":
        found = desk.answered if is_current and desk.answered else LogAnswer(asked)
        if import_steps.show_use(desk.opened.name, found.system, found.seen):
            set_importing(is_open=False)
            st.switch_page("screens/trade_offs/page.py")
    import_steps.show_moves(step)


def _show_recognised(opened: OpenLog) -> None:
    st.html(markup.note(log_words.said_of_logs(opened.store)))
    show_refused(opened.store.refused)
    for odd in opened.store.notes:
        st.html(markup.note(f"{odd}."))


def take_sample_log(name: str) -> None:
    origin, folder = f"of the sample log '{name}'", log_folder(name)
    log, nodes = (
        Handed(f"{name} {file}", file, (folder / file).read_bytes(), origin=origin)
        for file in LOG_FILES
    )
    hand({"importing.log": log, "importing.nodes": nodes})


def show_sample_logs() -> None:
    for name in LOGS:
        show_button(
            f"Sample log: {name}",
            take_sample_log,
            name,
            icon="history",
            help=first_line(log_folder(name)),
        )


def watch_log() -> None:
    """Progress, Stop, and polling; to be called last on the page."""
    if (watched := st.session_state.pop(_WATCHED, None)) is not None:
        state, place = watched
        with place:
            watch(asking.jobs(PAGE), state, awaited=True)


def _wait(job: Job[Any], jobs: Jobs, place: DeltaGenerator) -> None:
    """Waits a moment for a first result; progress is shown in a place that is always there. If what
    stands below moved, the browser would close a list that a person has just opened.
    """
    job.wait(1, patience(_PATIENCE))
    st.session_state[_WATCHED] = jobs.state(), place


def _desk() -> LogDesk:
    found: LogDesk = st.session_state.setdefault(_DESK, LogDesk())
    return found


def _show_files(desk: LogDesk, jobs: Jobs) -> None:
    log = given("importing.log", _forget)
    show_beside(desk)
    place = st.container()
    if log is not None and log.identity != desk.log:
        desk.take(log.identity)
        set_importing(is_open=True)
        jobs.drop(_DERIVE)
        jobs.ask(_READ, log.identity, reading(LogFolder(), log.files))
    if desk.opened is not None:
        return
    job: Job[OpenLog] = jobs.ask(_READ, desk.log, lambda _: None)
    _wait(job, jobs, place)
    with place:
        desk.opened = show_outcome(job, lambda: _begin_again(desk))


@callback
def _forget() -> None:
    jobs = asking.jobs(PAGE)
    jobs.drop(_READ)
    jobs.drop(_DERIVE)
    _desk().take("")
    set_importing(is_open=False)


def _begin_again(desk: LogDesk) -> None:
    """Forgets the jobs that were stopped; they begin again when the page is drawn."""
    jobs = asking.jobs(PAGE)
    jobs.drop(_DERIVE)
    if desk.opened is None:
        jobs.drop(_READ)
        desk.log = ""


def _show_choices(desk: LogDesk, opened: OpenLog) -> LogAsked:
    """The rules and settings, as a person has chosen them."""
    store = opened.store
    left, right = st.columns(2, gap="medium")
    with left:
        tasks = _rule(
            "Task types",
            log_words.task_rules(store),
            "log.task",
            r"([A-Za-z]+)",
        )
    with right:
        machines = _rule(
            "Machine types",
            log_words.machine_rules(store, has_table=desk.table.has_nodes),
            "log.machine",
            r"^([A-Za-z]+)",
        )
    with st.popover("More choices", icon=":material/tune:"):
        settings, estimates = _show_more(desk, opened)
    return LogAsked(
        replace(settings, task_type=tasks, machine_type=machines),
        estimates,
        desk.table_in_force,
        desk.watts.path,
    )


def _rule(title: str, rules: dict[str, str], key: str, example: str) -> str | None:
    """The rule chosen; None leaves it to Wattfront."""
    chosen = st.selectbox(
        title,
        list(rules),
        format_func=rules.__getitem__,
        key=key,
        persist_state="session",
    )
    if chosen != log_words.PATTERN:
        return chosen or None
    pattern = st.text_input(
        "Pattern (regular expression)",
        value=example,
        key=f"{key}.pattern",
        max_chars=500,
        persist_state="session",
        help="What its groups find, with dashes between, is the type; without groups, all that it "
        "finds. Where it finds nothing, the run has no type.",
    )
    return f"pattern:{pattern}"


def _show_more(desk: LogDesk, opened: OpenLog) -> tuple[RunSettings, bool]:
    usual = RunSettings()
    show = partial(show_widget, usual, persist_state="session")
    unit = show("machine", key="log.unit")
    ended = [state for state in opened.overview.states if state]
    states = st.multiselect(
        "Jobs that count ended as",
        ended,
        default=[state for state in ended if state == MEASURED],
        format_func=lambda state: f"{state} ({opened.overview.states[state]:,})",
        key="log.states",
        persist_state="session",
        disabled=not ended,
        help="A job that failed or ran into its time limit does not show how long its task takes.",
    )
    statistic = show("statistic", key="log.statistic", segmented=True)
    least = show("min_runs", key="log.least")
    rare_below = show("rare_below", key="log.rare_below")
    rare = show("rare", key="log.rare", segmented=True)
    estimates = st.toggle(
        "Estimate pairs that were never measured",
        value=True,
        key="log.estimates",
        persist_state="session",
        help="From the measured pairs of the same types. Without estimates, such a pair cannot "
        "run.",
    )
    allowed = _allowed(desk)
    begin, end = _window(opened)
    settings = RunSettings(
        begin=begin,
        end=end,
        machine=unit,
        states=tuple(states) if ended else usual.states,
        statistic=statistic,
        min_runs=least,
        rare=rare,
        rare_below=rare_below,
        allowed=allowed,
    )
    return settings, estimates


def _allowed(desk: LogDesk) -> tuple[tuple[str, str], ...]:
    """The pairs that may run although the log says that they cannot, as a person has chosen."""
    pairs = {" on ".join(pair): pair for pair in desk.pairs_to_allow[:_MOST_PAIRS]}
    key = f"log.allow.{hash(tuple(pairs))}"

    @callback
    def take() -> None:
        desk.allowed = tuple(pairs[said] for said in st.session_state[key])

    st.multiselect(
        "Pairs that may run although the log says that they cannot",
        list(pairs),
        default=[said for said, pair in pairs.items() if pair in desk.allowed],
        key=key,
        on_change=take,
        disabled=not pairs,
        help="The preview Pairs has the reason of each. They are estimated like other pairs that "
        "were never measured.",
    )
    return desk.allowed


def _window(opened: OpenLog) -> tuple[float | None, float | None]:
    """The window of starts that a person has chosen; None for the whole log."""
    first, last = opened.overview.begin, opened.overview.end
    if first is None or last is None:
        return None, None
    days = _day(first), _day(last)
    chosen = st.date_input(
        "Jobs that began from … to",
        days,
        *days,
        key=f"log.window.{days[0]}.{days[1]}",
        format="YYYY-MM-DD",
        persist_state="session",
        help="Both days are included. Times are those of the cluster's clock.",
    )
    if not isinstance(chosen, tuple) or len(chosen) != 2 or chosen == days:
        return None, None
    begin, end = (datetime.combine(day, time(), UTC).timestamp() for day in chosen)
    return begin, end + DAY


def _day(moment: float) -> date:
    return datetime.fromtimestamp(moment, UTC).date()


def _show_answer(opened: OpenLog, found: LogAnswer, step: ImportStep, *, is_compared: bool) -> None:
    derived = found.derived
    if derived is None:
        st.error("These choices give no system:", icon=":material/error:")
        st.html(markup.items(f"{problem.message}." for problem in found.problems))
        return
    st.html(markup.note(next(notes(derived))))
    if without := log_words.without_type_in_words(derived):
        st.html(markup.note(without))
    st.html(markup.chips(log_words.facts(derived)))
    if step not in ("Recognised", "Check"):
        return
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        if not_used := [*not_used_in_words(derived)]:
            with st.popover("Not used", icon=":material/filter_alt_off:"):
                _show_rejected(opened, found, not_used)
        download(
            "Provenance",
            partial(asking.compute, provenance_file, opened.store.folder, found.asked),
            "provenance.json",
            width="content",
            help="Which logs, which rules and which runs the system is from",
        )
    if step == "Check":
        show_preview(found, derived, is_compared=is_compared)


def _show_rejected(opened: OpenLog, found: LogAnswer, not_used: list[tuple[str, str]]) -> None:
    """Why rows are not used, with some of them, and all of them to download."""
    for count, reason in not_used:
        st.html(markup.note(f"{count}: {reason}"))
        examples = found.examples.get(reason, ())
        if examples:
            st.html(markup.items(log_words.example_in_words(example) for example in examples))
    download(
        "All of them, with reasons (CSV)",
        partial(asking.compute, rejected_file, opened.store.folder, found.asked),
        "rows-not-used.csv",
        width="content",
        help=f"At most {MOST_REJECTED:,} rows; the command wattfront derive --rejected writes all",
    )
