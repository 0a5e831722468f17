"""The exports of any page: schedules, a report, a study file, and the command for that."""

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import PurePath
from types import MappingProxyType
from typing import Any, Final

import pandas as pd
import streamlit as st

from core import Effort, System, study
from core.engines.front.methods import Lp
from core.engines.front.study import Study
from core.files import limits
from core.shells.report import report_html
from core.shells.studies import (
    Choice,
    StudySettings,
    commands,
    study_lines,
    versions_here,
)
from core.shells.studies.settings import STUDY_FILE, without_front
from core.vocabulary.schedule import Schedule
from core.vocabulary.without_work import AS_GIVEN
from dashboard.parts.taking.batch_dialog import offer_batch_scripts
from dashboard.workspace import asking, session
from dashboard.workspace.answering import QUICK_SPACING, PolishSettings
from dashboard.workspace.chosen import Chosen
from dashboard.workspace.export import (
    FORMATS,
    blocks_fit,
    file_blocks,
    file_name,
    schedule_bytes,
)
from dashboard.workspace.page_state import states
from dashboard.workspace.workspace import Sample, Workspace


def settings_of(
    workspace: Workspace,
    polish: PolishSettings,
    blocks: Mapping[str, object],
    view: Mapping[str, str] = MappingProxyType({}),
) -> StudySettings:
    """The settings of a study of the system in force, as the command line takes them. Pages count
    the seconds of polish as work. Without powers, there are only the blocks that need no front.
    """
    version = workspace.version
    sample = version.origin.name if isinstance(version.origin, Sample) else None
    has_powers = version.system.apc is not None
    return StudySettings(
        name=version.title,
        sample=sample if version.is_as_found else None,
        idle=workspace.idle if has_powers else AS_GIVEN,
        spacing=polish.spacing,
        seconds=polish.seconds,
        work=polish.seconds or None,
        site=workspace.site,
        blocks=blocks if has_powers else without_front(blocks),
        view=view,
        seen=version.seen,
    )


def report_bytes(study: Study | System, chosen: Chosen | None, settings: StudySettings) -> bytes:
    """The report as one HTML file. Without a chosen schedule it shows the fastest one."""
    html = report_html(study, settings, _choice(study, chosen), versions_here())
    return html.encode()


def study_bytes(study: Study | System, chosen: Chosen | None, settings: StudySettings) -> bytes:
    """The study file, which the page Import and the command line can open."""
    return "".join(study_lines(study, settings, _choice(study, chosen))).encode()


def fits_study_file(chosen: Chosen | None) -> bool:
    """Whether a study file can hold the chosen schedule."""
    return chosen is None or chosen.schedule.tasks.size <= limits.CELLS


def _choice(study: Study | System, chosen: Chosen | None) -> Choice | None:
    """The chosen schedule; None if it was chosen for another system, or if there is no front."""
    if chosen is None or isinstance(study, System):
        return None
    if chosen.fingerprint_of_system != study.system.fingerprint:
        return None
    return Choice(chosen.schedule, chosen.title, chosen.wish)


MIMES: Final = {
    ".csv": "text/csv",
    ".html": "text/html",
    ".json": "application/json",
    ".parquet": "application/vnd.apache.parquet",
    ".xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    ".zip": "application/zip",
}
"""The MIME types of the files that pages give, by suffix."""
BUSY: Final = "Wait until the study with these settings is finished."
TOO_LARGE: Final = "The chosen schedule is too large for a study file. Export the schedule itself."
QUICK: Final = PolishSettings(QUICK_SPACING, 0.0)
"""The settings of a study that is made for an export, if there is none yet."""


def show_study_downloads(system: System, chosen: Chosen | None = None) -> None:
    """Buttons that export the study of a system and the chosen schedule, or another `chosen` one.
    Without powers there is no front: then the study has what is about the system alone.
    """
    if system.apc is None:
        show_files(lambda: system, None, study_settings(QUICK), has_front=False)
        return
    study, polish = study_at_hand(system)
    show_files(study, chosen or session.chosen(), study_settings(polish))


def study_at_hand(system: System) -> tuple[Callable[[], Study], PolishSettings]:
    """The study shown last if it is of this system; else a quick one, made when it is needed."""
    answer = session.shown()
    if answer is not None and answer.answers(system, answer.settings):
        return lambda: answer.study, answer.made
    made = partial(asking.compute, study, system, Lp(QUICK.spacing), effort=Effort(QUICK.seconds))
    return made, QUICK


def study_settings(polish: PolishSettings) -> StudySettings:
    """The settings of a study of the system in force, with the blocks and views of all pages."""
    system = session.system()
    blocks: dict[str, object] = {}
    view: dict[str, str] = {}
    for state in states().values():
        blocks |= state.blocks(system)
        view |= state.view(system)
    return settings_of(session.workspace(), polish, blocks, view)


def show_files(
    study: Callable[[], Study | System] | None,
    chosen: Chosen | None,
    settings: StudySettings,
    *,
    has_front: bool = True,
) -> None:
    """Buttons for report and study file, and the command. Without a study, buttons are disabled."""

    def content(written: Callable[..., bytes]) -> Callable[[], bytes]:
        return lambda: b"" if study is None else written(study(), chosen, settings)

    busy = BUSY if study is None else None
    name = file_name(settings.name, ".html", "report")
    download("Report (HTML)", content(report_bytes), name, busy)
    why_not = busy if fits_study_file(chosen) else TOO_LARGE
    # The command below calls the file by this name.
    note = session.noting_a_save()
    download("Study file (JSON)", content(study_bytes), STUDY_FILE, why_not, on_click=note)
    lines = commands(settings, None, has_front=has_front)
    show_command("\n".join(lines), "The command that makes this study:")


def csv_of(frame: pd.DataFrame) -> bytes:
    """A table as a CSV file, without its index."""
    return frame.to_csv(index=False, lineterminator="\n").encode()


def show_command(command: str, said: str) -> None:
    """A command to copy, below a sentence that says what it does."""
    st.caption(said)
    st.code(command, language="bash", wrap_lines=True)


def download(
    label: str,
    data: Callable[[], bytes],
    name: str,
    why_not: str | None = None,
    **how: Any,
) -> None:
    """A button for a file, which is made when it is pressed. With `why_not` it is disabled; `how`
    has other arguments of Streamlit's button: with `on_click`, the page is drawn again.
    """
    st.download_button(
        label,
        data,
        name,
        MIMES[PurePath(name).suffix],
        icon=":material/download:",
        disabled=why_not is not None,
        **{"on_click": "ignore", "width": "stretch", "help": why_not, **how},
    )


def show_downloads(schedule: Schedule, system_title: str, where: str) -> None:
    """Buttons that export a schedule, on the page `where`."""
    blocks = file_blocks(schedule)
    for form in FORMATS:
        fits = blocks_fit(blocks, form.suffix)
        why_not = None if fits else f"This format cannot hold {blocks:,} blocks of equal tasks"
        meaning = f"The schedule: {blocks:,} blocks of equal tasks"
        data = partial(schedule_bytes, schedule, form.suffix)
        name = file_name(system_title, form.suffix)
        look = {"width": "content", "help": why_not or meaning}
        download(form.label, data, name, why_not, **look)
    offer_batch_scripts(schedule, system_title, where)
