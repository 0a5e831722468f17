"""The suffixes of study files and of fronts."""

from typing import Final

STUDY_SUFFIX: Final = ".json"
FRONT_SUFFIX: Final = ".csv"
