"""The sections of the report that capabilities add."""

from collections.abc import Iterator
from typing import Protocol, cast

from core.capabilities import capabilities
from core.front.study import Study
from core.studies.settings import Choice, StudySettings


class ReportSection(Protocol):
    """A module that writes what its capability finds about a study."""

    def section(self, study: Study, settings: StudySettings, choice: Choice | None) -> str:
        """The section as HTML; empty if the study did not ask for it. May raise `SolverFailed`."""


def sections(study: Study, settings: StudySettings, choice: Choice | None) -> Iterator[str]:
    """The sections of all capabilities, in the order of the registry."""
    for capability in capabilities():
        if capability.in_reports:
            part = cast("ReportSection", capability.part("report"))
            yield part.section(study, settings, choice)
