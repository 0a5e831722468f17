"""Writing a system, and saying so."""

from pathlib import Path
from typing import Final

from core import System, write_system
from core.cli.answer import Answer, as_dicts
from core.model.problems import Problem
from core.say.size import size_as_data, size_in_words

OUT_HELP: Final = "a .zip, .xlsx or .json file, or a folder for CSV tables"


def written(system: System, out: Path, warnings: tuple[Problem, ...] = ()) -> Answer:
    """Write the system as the suffix of `out` says; what stands there is replaced."""
    write_system(system, out)
    return Answer(
        {"ok": True, "problems": as_dicts(warnings), "path": str(out), **size_as_data(system)},
        f"{out}: {size_in_words(system)}",
        warnings,
    )
