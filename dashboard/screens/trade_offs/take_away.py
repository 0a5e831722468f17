"""The exports of the page Trade-offs."""

from core import System
from core.engines.front.data import front_csv
from core.files.disk import FRONT_SUFFIX
from dashboard.parts.taking.batch_dialog import offer_batch_scripts
from dashboard.parts.taking.take_away import BUSY, CSV_MIME, download, show_files, study_settings
from dashboard.workspace import session
from dashboard.workspace.answering import StagedStudy
from dashboard.workspace.export import file_name
from dashboard.workspace.trade_off_settings import TradeOffSettings


def show_answer_downloads(
    answer: StagedStudy | None, system: System, settings: TradeOffSettings
) -> None:
    """Buttons for the front, the report and the study file, once the study is whole."""
    name = file_name(session.workspace().version.title, FRONT_SUFFIX, "front")
    if answer is not None and answer.answers(system, settings.polish_settings):
        download("Front (CSV)", lambda: front_csv(answer.study), name, CSV_MIME)
        show_files(lambda: answer.study, session.chosen(), study_settings(answer.made, settings))
    else:
        download("Front (CSV)", bytes, name, CSV_MIME, BUSY)
        show_files(None, session.chosen(), study_settings(settings.polish_settings, settings))
    chosen = session.chosen()
    if chosen is not None and chosen.fingerprint_of_system == system.fingerprint:
        offer_batch_scripts(chosen.schedule, session.workspace().title, "trade_offs")
