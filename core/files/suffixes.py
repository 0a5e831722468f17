"""How the names of files end."""

from typing import Final

STUDY_SUFFIX: Final = ".json"
FRONT_SUFFIX: Final = ".csv"
