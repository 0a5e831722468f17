"""The exports of pages that replay work: figures of all policies, what became of each job, the
workload, and the command that replays it again.
"""

import io
import math
import zipfile
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pandas as pd
import streamlit as st

from core.capabilities.arrivals.asked import ArrivalsSettings
from core.capabilities.arrivals.bags_told import EXPECTED
from core.capabilities.arrivals.files.outcome_file import write_outcome
from core.capabilities.arrivals.files.workload_file import WorkloadFile
from core.capabilities.arrivals.files.workload_writer import write_workload
from core.capabilities.arrivals.labels import policy_label
from core.capabilities.arrivals.study_block import fits_study
from core.capabilities.arrivals.trials import PolicyTrial, ReplayComparison
from core.engines.replay.clock import EVERY, ReplaySettings
from core.shells.studies.settings import shell_line
from core.vocabulary.say.words import typed
from dashboard.parts.replays.replaying import ArrivalsFound, AskedReplays
from dashboard.parts.taking.take_away import (
    csv_of,
    download,
    show_command,
    show_study_downloads,
)
from dashboard.workspace import session
from dashboard.workspace.export import written_bytes

_FIGURES: Final = (
    *("worth", "joules", "joules_of_jobs", "completed", "dropped"),
    *("mean_flow", "max_stretch"),
)
FILE: Final = "wattfront-arrivals"
_TOO_LARGE: Final = (
    "The workload is too large for a study file. Report and study file are of the system alone."
)
_KEPT_NOTHING: Final = "The workload has too many jobs to keep what became of each."


def show_arrivals_downloads(found: ArrivalsFound) -> None:
    """Buttons for the figures, for what became of the jobs under one policy, and the workload."""
    each = "method and bag" if found.settings.of_bags else "policy and day"
    download(f"Figures by {each} (CSV)", partial(figures_csv, found), f"{FILE}.csv")
    if not found.records:
        st.caption(_KEPT_NOTHING)
        return
    policy = st.selectbox(
        "What became of each job under",
        list(found.records),
        format_func=policy_label,
        key="arrivals.export",
    )
    csv = partial(outcome_bytes, found, policy, ".csv")
    download("Jobs (CSV)", csv, f"{FILE}-{policy}.csv")
    parquet = partial(outcome_bytes, found, policy, ".parquet")
    download("Jobs (Parquet)", parquet, f"{FILE}-{policy}.parquet")
    every = partial(outcome_archive, found, policy)
    download("Jobs and workload, to verify (ZIP)", every, f"{FILE}-{policy}.zip")
    workload = partial(workload_bytes, found, policy)
    download("Workload (ZIP of CSV tables)", workload, f"{FILE}-workload.zip")
    first = "bag" if found.settings.of_bags else "day"
    show_command(
        command_of(found.settings),
        f"All of these are of the first {first}. The command that replays it:",
    )


def show_arrivals_study(asked: AskedReplays) -> None:
    """Buttons for a report and a study file with the question, and the command."""
    if asked.given is not None and not fits_study(asked.given.file):
        st.caption(_TOO_LARGE)
    show_study_downloads(session.system())


def command_of(settings: ArrivalsSettings) -> str:
    """The command line that replays the first day, from the file of its workload."""
    words = replace(settings, budget=None).words(is_file=True)
    words += [] if settings.every == EVERY else ["--every", f"{typed(settings.every)}s"]
    return shell_line("wattfront", "replay", f"{FILE}-workload.zip", *words)


def figures_csv(found: ArrivalsFound) -> bytes:
    """A line for each policy and day, or method and bag, in SI units. A budget without a limit is
    blank, and so is a bound that is not proven yet.
    """
    compared, row = found.compared, _bag_row if found.settings.of_bags else _day_row
    rows = [
        row(compared, policy, day, one)
        for day in range(compared.question.trials)
        for policy, trials in compared.trials.items()
        if (one := trials.get(day)) is not None
    ]
    return csv_of(pd.DataFrame(rows))


def _day_row(
    compared: ReplayComparison, policy: str, day: int, one: PolicyTrial
) -> dict[str, object]:
    bound = compared.bounds.get(day)
    return {
        "policy": policy,
        "day": day + 1,
        **{name: getattr(one.score, name) for name in _FIGURES},
        "jobs": one.jobs,
        "budget": one.budget if math.isfinite(one.budget) else None,
        "published_maximum": one.maximum,
        "bound": None if bound is None else bound.worth,
        "seconds": one.score.seconds,
        **({} if one.value is None else {"value_time": one.value.time}),
        **({} if one.value is None else {"value_energy": one.value.energy}),
    }


def _bag_row(
    compared: ReplayComparison, method: str, bag: int, one: PolicyTrial
) -> dict[str, object]:
    proven = compared.bounds.get(bag)
    bound = None if proven is None else proven.bag
    return {
        "method": method,
        "bag": bag + 1,
        "expected_makespan": EXPECTED["makespan"](one),
        "makespan": one.score.makespan,
        "expected_energy": EXPECTED["joules"](one),
        "energy": one.score.joules,
        "makespan_bound": None if bound is None else bound.makespan,
        "energy_bound": None if bound is None else bound.joules,
    }


def _joules(found: ArrivalsFound) -> float:
    """What the first day could spend (J). It is drawn once more for that."""
    return found.compared.question.day_joules(0, found.compared.unlimited.get(0))


def _written(found: ArrivalsFound, policy: str, path: Path) -> None:
    outcome, asked = found.records[policy], found.settings
    settings = ReplaySettings(outcome.windows, asked.every, asked.seed)
    write_outcome(outcome, path, settings, _joules(found))


def outcome_bytes(found: ArrivalsFound, policy: str, suffix: str) -> bytes:
    """What became of each job."""
    return written_bytes(partial(_written, found, policy), suffix)


def outcome_archive(found: ArrivalsFound, policy: str) -> bytes:
    """What became of each job, with notes and workload, as `wattfront verify` takes them."""
    with TemporaryDirectory() as folder:
        _written(found, policy, Path(folder) / f"{policy}.csv")
        stream = io.BytesIO()
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
            for file in sorted(Path(folder).iterdir()):
                archive.write(file, file.name)
        return stream.getvalue()


def workload_bytes(found: ArrivalsFound, policy: str) -> bytes:
    """The workload of the day, with its budget and what really happens."""
    outcome = found.records[policy]
    file = WorkloadFile(outcome.workload, outcome.truth, _joules(found))
    return written_bytes(partial(write_workload, file), ".zip")
