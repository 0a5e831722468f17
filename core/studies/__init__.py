"""Study files: the settings, the schedules found, and the commands that do it again."""

from core.studies.command_lines import commands, commands_without_front
from core.studies.reader import inspect_study, inspect_study_bytes
from core.studies.saved import SavedStudy, versions_here
from core.studies.settings import Choice, StudySettings
from core.studies.writer import lines_without_front, study_lines, write_study

__all__ = [
    "Choice",
    "SavedStudy",
    "StudySettings",
    "commands",
    "commands_without_front",
    "inspect_study",
    "inspect_study_bytes",
    "lines_without_front",
    "study_lines",
    "versions_here",
    "write_study",
]
