"""Opens an outcome from its files: it is judged, and each pool has a Gantt chart."""

from functools import partial
from typing import Final

import streamlit as st

from core.capabilities.arrivals.files.outcome_file import is_outcome
from core.vocabulary.problems import Problem
from dashboard.parts.frame import markup
from dashboard.parts.opening.elsewhere import given, show_elsewhere
from dashboard.screens.arrivals.given_outcome import GivenOutcome, given_said, read_given_outcome
from dashboard.screens.arrivals.opening import show_problems
from dashboard.screens.arrivals.pool_panel import busiest_pool, choose_pool, show_pool
from dashboard.workspace import asking

FILES: Final = "arrivals.outcome"
_PLACE: Final = "arrivals.outcome"
_OPENED: Final = "arrivals.outcome.opened"


def show_open_outcome() -> None:
    """The upload of an outcome. It is read and judged once."""
    files = st.file_uploader(
        "An outcome: what became of each job, with its workload",
        accept_multiple_files=True,
        key=FILES,
        help="The ZIP archive “Jobs and workload, to verify” of Export, or the files that "
        "wattfront replay -o writes: NAME.csv or NAME.parquet, NAME.toml and NAME.workload.zip.",
    )
    opened: tuple[object, GivenOutcome] | None = st.session_state.get(_OPENED)
    identity: object = tuple(file.file_id for file in files)
    content = [(file.name, file.getvalue()) for file in files]
    if (handed := given(_PLACE, files, _forget)) is not None:
        identity, content = handed.identity, [(handed.name, handed.data), *handed.beside]
    if not content:
        _forget()
    elif opened is None or opened[0] != identity:
        with st.spinner("Reading and checking the outcome …", show_time=True):
            refused = partial(_refused, content[0][0])
            found = asking.read(refused, read_given_outcome, content)
        st.session_state[_OPENED] = identity, found
        st.rerun()


def _forget() -> None:
    st.session_state.pop(_OPENED, None)


def _refused(name: str, why: str) -> GivenOutcome:
    return GivenOutcome(name, None, None, (Problem(name, "", "", why),))


def show_opened_outcome() -> None:
    """What the judge says of the outcome that was opened last, and the Gantt chart of a pool."""
    opened: tuple[object, GivenOutcome] | None = st.session_state.get(_OPENED)
    if opened is None:
        return
    found, files = opened[1], st.session_state.get(FILES, ())
    st.subheader("Opened outcome", anchor=False)
    if found.outcome is None:
        refusal = "The files are no outcome:"
        if found.verdict is not None:
            refusal = "The check disagrees with this outcome:"
        show_problems(refusal, found.problems, ())
        if not any(is_outcome(file.getvalue()) for file in files):
            show_elsewhere(files, _PLACE)
        return
    st.html(markup.items(given_said(found)))
    show_problems("", found.problems, ())
    key, pools = "arrivals.outcome pool", range(len(found.outcome.workload.pools))
    if st.session_state.get(key, 0) not in pools:
        st.session_state.pop(key, None)
    usual = busiest_pool(found.outcome)
    pool = choose_pool(found.outcome, usual, key, persist_state="session")
    show_pool(found.outcome, pool, "arrivals_outcome_gantt", "an uploaded outcome")
