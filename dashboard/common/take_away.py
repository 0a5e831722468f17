"""A study to take away: to read, to open again, and to make again."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Final

import streamlit as st

from core.files.suffixes import FRONT_SUFFIX
from core.front.csv import front_csv
from core.front.study import Study, study
from core.model.system import System
from core.profit.conditions import Conditions
from core.profit.curve import ProfitCurve
from core.profit.earn import Profit
from core.profit.study_block import as_block
from core.profit.words import title
from core.relaxed import Front
from core.studies import StudySettings, commands
from core.studies.settings import STUDY_FILE
from dashboard.compare.export import comparison_csv, fronts_csv
from dashboard.compare.file import FILE as WHAT_IFS_FILE
from dashboard.compare.file import MIME as WHAT_IFS_MIME
from dashboard.compare.file import MOST, fits_file, what_ifs_bytes
from dashboard.compare.outcome import Outcome
from dashboard.profit import conditions as profit_conditions
from dashboard.profit.export import CSV_MIME, curve_csv, worth_csv
from dashboard.trade_offs.answering import QUICK_SPACING, Answer, Effort
from dashboard.trade_offs.report import (
    REPORT_MIME,
    STUDY_MIME,
    fits_study_file,
    report_bytes,
    settings_of,
    study_bytes,
)
from dashboard.workspace import session
from dashboard.workspace.axis import Axis
from dashboard.workspace.chosen import Chosen
from dashboard.workspace.export import file_name, system_bytes
from dashboard.workspace.options import Options

BUSY: Final = "Wait until the answer to these settings is finished"
TOO_LARGE: Final = "The chosen schedule is too large for a study file; download it by itself"
QUICK: Final = Effort(QUICK_SPACING, 0.0)
"""Of the study that is made where nobody asked for one yet."""


def show_answer_downloads(answer: Answer | None, system: System, options: Options) -> None:
    """The study of the trade-offs page, once it is all that was asked for."""
    name = file_name(session.workspace().version.title, FRONT_SUFFIX, "front")
    if answer is not None and answer.answers(system, options.effort):
        _button("Front (CSV)", lambda: front_csv(answer.study), name, CSV_MIME)
        _show(lambda: answer.study, session.chosen(), _settings(answer.made, options))
    else:
        _button("Front (CSV)", bytes, name, CSV_MIME, BUSY)
        _show(None, session.chosen(), _settings(options.effort, options))


def show_study_downloads(system: System, options: Options) -> None:
    """The study shown last if it is of this system, else a quick one, made when it is wanted."""
    study, effort = _study_at_hand(system)
    _show(study, session.chosen(), _settings(effort, options))


def show_profit_downloads(
    profit: Profit,
    earned: ProfitCurve,
    conditions: Conditions,
    front: Front,
    options: Options,
) -> None:
    """The numbers of the profit page, and a study with the schedule found and what it earns."""
    name = session.workspace().version.title
    unit = conditions.unit_price(front)
    curve = partial(curve_csv, earned, unit, conditions)
    _button("Profit over the price (CSV)", curve, file_name(name, ".csv", "profit"), CSV_MIME)
    worth = partial(worth_csv, profit, conditions)
    _button("What more is worth (CSV)", worth, file_name(name, ".csv", "worth"), CSV_MIME)
    chosen = None
    if profit.earnings is not None:
        chosen = Chosen.of(profit.earnings.schedule, title(profit, conditions.money))
    study, effort = _study_at_hand(profit.system)
    _show(study, chosen, replace(_settings(effort, options), blocks=as_block(conditions)))


def show_comparison_downloads(outcomes: Sequence[Outcome], along: Sequence[Axis]) -> None:
    """The figures of what is compared, its fronts, all of it to open again, and the system of each
    what-if.
    """
    figures = partial(comparison_csv, outcomes, along)
    _button("Figures (CSV)", figures, "wattfront-comparison.csv", CSV_MIME)
    fronts = partial(fronts_csv, outcomes)
    _button("Fronts (CSV)", fronts, "wattfront-comparison-fronts.csv", CSV_MIME)
    compared = [one.scenario for one in outcomes]
    why_not = None if fits_file(compared) else f"A file holds at most {MOST} what-ifs"
    kept = partial(what_ifs_bytes, compared)
    _button("What-ifs, to open again (JSON)", kept, WHAT_IFS_FILE, WHAT_IFS_MIME, why_not)
    for one in outcomes:
        if not one.problems:
            number = one.scenario.number
            data = partial(system_bytes, one.scenario.system, ".zip")
            name = f"wattfront-what-if-{number}.zip"
            label = f"System {number} (ZIP of CSV tables)"
            _button(label, data, name, "application/zip")
            st.text(one.title)


def _study_at_hand(system: System) -> tuple[Callable[[], Study], Effort]:
    answer = session.shown()
    if answer is not None and answer.answers(system, answer.effort):
        return lambda: answer.study, answer.made
    made = partial(session.compute, study, system, spacing=QUICK.spacing, seconds=QUICK.seconds)
    return made, QUICK


def _settings(effort: Effort, options: Options) -> StudySettings:
    return settings_of(
        session.workspace(),
        spacing=effort.spacing,
        seconds=effort.seconds,
        tariff=options.tariff if options.axis in ("money", "carbon") else None,
        currency=options.currency,
        profit=profit_conditions.latest(session.system()),
    )


def _show(
    study: Callable[[], Study] | None, chosen: Chosen | None, settings: StudySettings
) -> None:
    """The files, made when they are wanted, and the command; without a study nothing to press."""
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
    settings: StudySettings,
    written: Callable[[Study, Chosen | None, StudySettings], bytes],
) -> bytes:
    return b"" if study is None else written(study(), chosen, settings)


def _button(
    label: str, data: Callable[[], bytes], name: str, mime: str, why_not: str | None = None
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
