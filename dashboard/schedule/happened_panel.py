"""The part *What happened* of the page: a log beside the schedule that was run."""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import streamlit as st

from core.compare_run.machine_file import machine_lines
from core.compare_run.unusable import DUMP
from core.compare_run.words import notes, sentence
from core.model.schedule import Schedule
from core.say.words import NOTHING
from dashboard.common import markup
from dashboard.common.drawing import TOOLS
from dashboard.common.gantt import gantt
from dashboard.common.take_away import CSV_MIME, download
from dashboard.schedule.happened import (
    MOST_LISTED,
    MOST_MACHINES,
    Happened,
    LogVerdict,
    machine_table,
    read_happened,
    refused,
)
from dashboard.workspace import asking, session
from dashboard.workspace.chosen import Chosen
from dashboard.workspace.export import file_name

_KEY: Final = "schedule.happened"


def show_happened(chosen: Chosen, bound: float) -> None:
    """The upload of a log, and what it says of the chosen schedule. `bound` is the lower bound on
    the makespan (s).
    """
    st.subheader("What happened", anchor=False)
    files = st.file_uploader(
        "What sacct says of the jobs of this schedule; plain, compressed, or in a ZIP",
        accept_multiple_files=True,
        key="schedule.log",
        help="Export the schedule as batch scripts, run submit.sh, and dump the log when the jobs "
        f"have ended: {DUMP}. Other jobs in the log are left out.",
    )
    if not files:
        st.session_state.pop(_KEY, None)
        st.caption(
            "Upload the log of a schedule that was run by its batch scripts, to see both Gantt "
            "charts one above the other."
        )
        return
    answer = _answer(files, chosen)
    if isinstance(answer, Happened):
        _show_answer(answer, chosen.schedule, bound)
    else:
        st.error("The log cannot be compared with this schedule:", icon=":material/error:")
        st.html(markup.problems(answer))


def _answer(files: Sequence[Any], chosen: Chosen) -> LogVerdict:
    asked = tuple(file.file_id for file in files), chosen.fingerprint
    if st.session_state.get(_KEY, (None, None))[0] != asked:
        with (
            st.spinner("Reading the log …", show_time=True),
            tempfile.TemporaryDirectory(prefix="wattfront-log-") as folder,
        ):
            paths = []
            for number, file in enumerate(files):
                inside = Path(folder) / str(number)
                inside.mkdir()
                paths.append(inside / (Path(file.name).name or "log"))
                paths[-1].write_bytes(file.getbuffer())
            names = [file.name for file in files]
            answer = asking.read(
                refused(names), read_happened, Path(folder), paths, chosen.schedule
            )
        st.session_state[_KEY] = asked, answer
    found: LogVerdict = st.session_state[_KEY][1]
    return found


def _show_answer(found: Happened, schedule: Schedule, bound: float) -> None:
    compared = found.compared
    st.html(markup.items([sentence(compared), *notes(compared)]))
    if compared.makespan is None:
        return
    machines = len(compared.machines)
    if machines > MOST_MACHINES:
        st.caption(f"The {MOST_MACHINES} machines of {machines:,} that deviate most.")
    planned = gantt(schedule, found.planned, bound, until=found.seconds)
    measured = gantt(schedule, found.measured, bound, until=found.seconds, failed=found.failed)
    for title, figure in (("Planned", planned), ("Measured", measured)):
        st.markdown(f"**{title}**")
        st.plotly_chart(
            figure,
            key=f"schedule_{title.lower()}",
            config=TOOLS,
            alt=f"Gantt chart: the tasks of each machine, {title.lower()}",
        )
    table = machine_table(found)
    numbers = table.select_dtypes(float).columns
    st.dataframe(
        table,
        hide_index=True,
        column_config={name: st.column_config.NumberColumn(format="%.12g") for name in numbers},
        placeholder=NOTHING,
        alt="Planned and measured, machine by machine; those that deviate most first",
    )
    if machines > MOST_LISTED:
        st.caption(f"The first {MOST_LISTED} of {machines:,} machines; the file has all.")
    with st.container(width=240):
        download(
            "All machines (CSV)",
            lambda: "".join(machine_lines(compared)).encode(),
            file_name(session.workspace().title, ".csv", "measured"),
            CSV_MIME,
        )
