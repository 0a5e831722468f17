"""A study to take away: to read, to open again, and to make again."""

from collections.abc import Callable
from functools import partial
from typing import Final

import streamlit as st

from core import study as studies
from core.studies import Settings, commands
from core.studies.settings import STUDY_FILE
from core.study import Study
from core.system import System
from dashboard import session
from dashboard.logic.answering import QUICK_SPACING, Answer, Effort
from dashboard.logic.chosen import Chosen
from dashboard.logic.export import file_name
from dashboard.logic.options import Options
from dashboard.logic.report import (
    REPORT_MIME,
    STUDY_MIME,
    fits_study_file,
    report_bytes,
    settings_of,
    study_bytes,
)

BUSY: Final = "Wait until the answer to these settings is finished"
TOO_LARGE: Final = "The chosen schedule is too large for a study file; download it by itself"
QUICK: Final = Effort(QUICK_SPACING, 0.0)
"""Of the study that is made where nobody asked for one yet."""


def show_answer_downloads(answer: Answer | None, system: System, options: Options) -> None:
    """The study of the trade-offs page, once it is all that was asked for."""
    if answer is not None and answer.answers(system, options.effort):
        _show(lambda: answer.study, _settings(answer.made, options))
    else:
        _show(None, _settings(options.effort, options))


def show_study_downloads(system: System, options: Options) -> None:
    """The study shown last if it is of this system, else a quick one, made when it is wanted."""
    answer = session.shown()
    if answer is not None and answer.answers(system, answer.effort):
        _show(lambda: answer.study, _settings(answer.made, options))
    else:
        quick = partial(studies.study, system, spacing=QUICK.spacing, seconds=QUICK.seconds)
        _show(quick, _settings(QUICK, options))


def _settings(effort: Effort, options: Options) -> Settings:
    return settings_of(
        session.workspace(),
        spacing=effort.spacing,
        seconds=effort.seconds,
        tariff=options.tariff if options.axis in ("money", "carbon") else None,
        currency=options.currency,
    )


def _show(study: Callable[[], Study] | None, settings: Settings) -> None:
    """The files, made when they are wanted, and the command; without a study nothing to press."""
    chosen = session.chosen()
    busy = BUSY if study is None else None
    make = partial(_made, study, chosen, settings)
    name = file_name(settings.name, ".html", "report")
    _button("Report (HTML)", partial(make, report_bytes), name, REPORT_MIME, busy)
    why_not = busy if fits_study_file(chosen) else TOO_LARGE
    # The command below calls the file by this name.
    _button("Study file (JSON)", partial(make, study_bytes), STUDY_FILE, STUDY_MIME, why_not)
    st.caption("The study again, from a command line:")
    st.code("\n".join(commands(settings, None)), language="bash", wrap_lines=True)


def _made(
    study: Callable[[], Study] | None,
    chosen: Chosen | None,
    settings: Settings,
    written: Callable[[Study, Chosen | None, Settings], bytes],
) -> bytes:
    return b"" if study is None else written(study(), chosen, settings)


def _button(
    label: str, data: Callable[[], bytes], name: str, mime: str, why_not: str | None
) -> None:
    st.download_button(
        label,
        data,
        name,
        mime,
        icon=":material/download:",
        on_click="ignore",
        width="stretch",
        disabled=why_not is not None,
        help=why_not,
    )
