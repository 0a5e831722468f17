"""The exports of a study: a report to read, and a study file that opens it again."""

from collections.abc import Mapping
from typing import Final

from core.engines.front.study import Study
from core.engines.front.tariff import Tariff
from core.files import limits
from core.shells.report import html_without_front, report_html
from core.shells.studies import (
    Choice,
    StudySettings,
    lines_without_front,
    study_lines,
    versions_here,
)
from core.shells.studies.settings import without_front
from core.vocabulary.system import System
from dashboard.workspace.chosen import Chosen
from dashboard.workspace.workspace import Sample, Workspace

REPORT_MIME: Final = "text/html"
STUDY_MIME: Final = "application/json"


def settings_of(
    workspace: Workspace,
    *,
    spacing: float,
    seconds: float,
    tariff: Tariff | None = None,
    currency: str = "EUR",
    blocks: Mapping[str, object] | None = None,
) -> StudySettings:
    """The settings of a study of the system in force, as the command line takes them. Pages count
    the seconds of polish as work.
    """
    version = workspace.version
    sample = version.origin.name if isinstance(version.origin, Sample) else None
    return StudySettings(
        name=version.title,
        sample=sample if version.is_as_found else None,
        idle_power=None if version.system.apc is None else workspace.idle_fraction,
        spacing=spacing,
        seconds=seconds,
        work=seconds or None,
        tariff=tariff,
        currency=currency,
        blocks=_blocks_of(version.system, blocks or {}),
    )


def _blocks_of(system: System, blocks: Mapping[str, object]) -> Mapping[str, object]:
    """The blocks that the study of a system may have; without powers it has no front."""
    return without_front(blocks) if system.apc is None else blocks


def report_without_front(system: System, settings: StudySettings) -> bytes:
    """The report on a system without powers."""
    return html_without_front(system, settings, versions_here()).encode()


def study_without_front(system: System, settings: StudySettings) -> bytes:
    """The study file of a system without powers."""
    return "".join(lines_without_front(system, settings)).encode()


def report_bytes(study: Study, chosen: Chosen | None, settings: StudySettings) -> bytes:
    """The report as one HTML file. Without a chosen schedule it shows the fastest one."""
    html = report_html(study, settings, _choice(study, chosen), versions_here())
    return html.encode()


def study_bytes(study: Study, chosen: Chosen | None, settings: StudySettings) -> bytes:
    """The study file, which the page System and the command line can open."""
    return "".join(study_lines(study, settings, _choice(study, chosen))).encode()


def fits_study_file(chosen: Chosen | None) -> bool:
    """Whether a study file can hold the chosen schedule."""
    return chosen is None or chosen.schedule.tasks.size <= limits.CELLS


def _choice(study: Study, chosen: Chosen | None) -> Choice | None:
    """The chosen schedule; None if it was chosen for another system."""
    if chosen is None or chosen.fingerprint_of_system != study.system.fingerprint:
        return None
    return Choice(chosen.schedule, chosen.title, chosen.wish)
