"""What a person opens beside a log: what Slurm lists of nodes, and samples of their power."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

import streamlit as st

from core.engines.logs.metered.sample_files import read_power_samples
from core.files.findings import Findings
from core.vocabulary.problems import Problem
from dashboard.parts.frame import markup
from dashboard.parts.frame.handed import given
from dashboard.parts.opening.log_folder import LogFolder
from dashboard.screens.importing.log_answer import NO_WATTS, LogDesk, WattsRead
from dashboard.screens.importing.log_machines import forget_table, take_table
from dashboard.workspace import asking

_KEPT: Final = "samples.npz"


def show_beside(desk: LogDesk) -> None:
    """What was opened beside a log, or before it: it is put in force, and said."""
    if (table := given("importing.nodes", partial(forget_table, desk))) is not None:
        take_table(desk, table)
    watts = given("importing.watts", partial(_forget_watts, desk))
    if watts is not None and watts.identity != desk.watts.file:
        folder = LogFolder()
        with st.spinner("Reading samples of power …", show_time=True):
            found = asking.read(_refused, read_samples, folder.path, folder.keep(watts.files))
        desk.watts = replace(found, file=watts.identity, folder=folder)
    if desk.watts.problems:
        st.html(markup.problems(desk.watts.problems))
    if desk.watts.said:
        st.html(markup.items(desk.watts.said))
    if desk.opened is None and (table or watts):
        st.caption("It counts as soon as you open the log of these nodes.")


def read_samples(folder: Path, paths: Sequence[Path]) -> WattsRead:
    """The samples of files, kept in a folder."""
    findings = Findings()
    samples = read_power_samples(paths, findings)
    if samples is None:
        return WattsRead(problems=findings.problems())
    path = folder / _KEPT
    samples.save(path)
    return WattsRead(path=path, said=(samples.in_words, *samples.notes))


def _refused(why: str) -> WattsRead:
    return WattsRead(problems=(Problem("", "", "", f"the samples of power: {why}"),))


def _forget_watts(desk: LogDesk) -> None:
    desk.watts = NO_WATTS
