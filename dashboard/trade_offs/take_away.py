"""The exports of the page Trade-offs."""

from core import System
from core.files.disk import FRONT_SUFFIX
from core.front.csv import front_csv
from dashboard.common.take_away import BUSY, CSV_MIME, download, settings_at, show_files
from dashboard.workspace import session
from dashboard.workspace.answering import StagedStudy
from dashboard.workspace.export import file_name
from dashboard.workspace.options import TradeOffSettings


def show_answer_downloads(
    answer: StagedStudy | None, system: System, options: TradeOffSettings
) -> None:
    """Buttons for the front, the report and the study file, once the study is whole."""
    name = file_name(session.workspace().version.title, FRONT_SUFFIX, "front")
    if answer is not None and answer.answers(system, options.effort):
        download("Front (CSV)", lambda: front_csv(answer.study), name, CSV_MIME)
        show_files(lambda: answer.study, session.chosen(), settings_at(answer.made, options))
    else:
        download("Front (CSV)", bytes, name, CSV_MIME, BUSY)
        show_files(None, session.chosen(), settings_at(options.effort, options))
