"""The sections of the report that capabilities write."""

from collections.abc import Iterator
from typing import Protocol, cast

from core.capabilities import capabilities
from core.front.study import Study
from core.studies.settings import Choice, StudySettings


class ReportSection(Protocol):
    """A module that tells what its capability finds of a study."""

    def section(self, study: Study, settings: StudySettings, choice: Choice | None) -> str:
        """HTML; nothing where it was not asked. May raise `SolverFailed`."""


def sections(study: Study, settings: StudySettings, choice: Choice | None) -> Iterator[str]:
    """Of all capabilities, in the order in which people meet them."""
    for capability in capabilities():
        if capability.in_reports:
            part = cast("ReportSection", capability.part("report"))
            yield part.section(study, settings, choice)
