"""The exports of the page Arrivals: figures of all policies, what became of each job, the workload,
and the command that replays it again.
"""

import io
import zipfile
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pandas as pd
import streamlit as st

from core.arrivals.outcome_writer import write_outcome
from core.arrivals.study_block import fits_study
from core.arrivals.workload_file import WorkloadFile
from core.arrivals.workload_writer import write_workload
from core.replay.clock import EVERY, ReplaySettings
from core.replay.outcome import ReplayOutcome
from core.say.words import typed
from dashboard.arrivals.found import ArrivalsFound
from dashboard.arrivals.replaying import AskedReplays
from dashboard.arrivals.settings import label_of
from dashboard.common import trade_off_state
from dashboard.common.take_away import CSV_MIME, download, show_files, study_at_hand, study_settings
from dashboard.workspace import session
from dashboard.workspace.export import written_bytes

PARQUET_MIME: Final = "application/vnd.apache.parquet"
_ZIP_MIME: Final = "application/zip"
_FIGURES: Final = ("worth", "joules", "completed", "dropped", "mean_flow", "max_stretch")
FILE: Final = "wattfront-arrivals"
_TOO_LARGE: Final = (
    "The workload is too large for a study file. Report and study file are of the system alone."
)
_KEPT_NOTHING: Final = "The workload has too many jobs to keep what became of each."


def show_arrivals_downloads(found: ArrivalsFound) -> None:
    """Buttons for the figures, for what became of the jobs under one policy, and the workload."""
    download(
        "Figures by policy and day (CSV)", partial(figures_csv, found), f"{FILE}.csv", CSV_MIME
    )
    if not found.records:
        st.caption(_KEPT_NOTHING)
        return
    policy = st.selectbox(
        "What became of each job under",
        list(found.records),
        format_func=label_of,
        key="arrivals.export",
    )
    outcome = found.records[policy]
    csv = partial(outcome_bytes, found, outcome, ".csv")
    download("Jobs (CSV)", csv, f"{FILE}-{policy}.csv", CSV_MIME)
    parquet = partial(outcome_bytes, found, outcome, ".parquet")
    download("Jobs (Parquet)", parquet, f"{FILE}-{policy}.parquet", PARQUET_MIME)
    every = partial(outcome_archive, found, outcome, policy)
    download("Jobs and workload, to verify (ZIP)", every, f"{FILE}-{policy}.zip", _ZIP_MIME)
    workload = partial(workload_bytes, found, outcome)
    download("Workload (ZIP of CSV tables)", workload, f"{FILE}-workload.zip", _ZIP_MIME)
    st.caption("All of these are of the first day. The command that replays it:")
    st.code(command_of(found), language="bash", wrap_lines=True)


def show_arrivals_study(asked: AskedReplays) -> None:
    """Buttons for a report and a study file with the question, and the command."""
    system = session.system()
    if system.apc is None:
        st.caption("Report and study file need a system with powers, which has none.")
        return
    if asked.given is not None and not fits_study(asked.given.file):
        st.caption(_TOO_LARGE)
    study, polish = study_at_hand(system)
    show_files(study, session.chosen(), study_settings(polish, trade_off_state.current()))


def command_of(found: ArrivalsFound) -> str:
    """The command line that replays the first day, from the file of its workload."""
    settings, rules = found.settings, found.settings.switches
    words = [f"wattfront replay {FILE}-workload.zip"]
    words += [f"--policy {policy}" for policy in settings.policies]
    words += [f"--drop {settings.drop_below!r}", f"--seed {settings.seed}"]
    words += [f"--filter {rules.filter.text}"] if rules.filter else []
    words += [f"--every {typed(settings.every)}s"] if settings.every != EVERY else []
    return " ".join(words)


def figures_csv(found: ArrivalsFound) -> bytes:
    """A line for each policy and day, in SI units; a budget without a limit is blank."""
    rows = []
    for (policy, day), score in found.scores.items():
        facts = found.days[day]
        rows.append(
            {
                "policy": policy,
                "day": day + 1,
                **{name: getattr(score, name) for name in _FIGURES},
                "jobs": facts.jobs,
                "budget": None if facts.joules == float("inf") else facts.joules,
                "published_maximum": facts.maximum,
                "bound": facts.bound,
                "seconds": score.seconds,
            }
        )
    return pd.DataFrame(rows).to_csv(index=False, lineterminator="\n").encode()


def _written(found: ArrivalsFound, outcome: ReplayOutcome, path: Path) -> None:
    settings = ReplaySettings(outcome.windows, found.settings.every, found.settings.seed)
    write_outcome(outcome, path, settings, found.days[0].joules)


def outcome_bytes(found: ArrivalsFound, outcome: ReplayOutcome, suffix: str) -> bytes:
    """What became of each job."""
    return written_bytes(partial(_written, found, outcome), suffix)


def outcome_archive(found: ArrivalsFound, outcome: ReplayOutcome, policy: str) -> bytes:
    """What became of each job, with notes and workload, as `wattfront verify` takes them."""
    with TemporaryDirectory() as folder:
        _written(found, outcome, Path(folder) / f"{policy}.csv")
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in sorted(Path(folder).iterdir()):
                archive.write(file, file.name)
        return stream.getvalue()


def workload_bytes(found: ArrivalsFound, outcome: ReplayOutcome) -> bytes:
    """The workload of the first day, with its budget and what really happens."""
    file = WorkloadFile(outcome.workload, outcome.truth, found.days[0].joules)
    return written_bytes(partial(write_workload, file), ".zip")
