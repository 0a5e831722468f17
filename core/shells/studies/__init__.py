"""Study files: the settings, the schedules found, and the commands that do it again."""

from core.shells.studies.reader import inspect_study, inspect_study_bytes, is_study_file
from core.shells.studies.settings import Choice, SavedStudy, StudySettings, commands, versions_here
from core.shells.studies.writer import study_lines, write_study

__all__ = [
    "Choice",
    "SavedStudy",
    "StudySettings",
    "commands",
    "inspect_study",
    "inspect_study_bytes",
    "is_study_file",
    "study_lines",
    "versions_here",
    "write_study",
]
