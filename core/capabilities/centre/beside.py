"""The day of a centre that a study file has beside its system, for `wattfront check`."""

from pathlib import Path

from core.capabilities.centre.asked import AskedCentre
from core.capabilities.centre.checking import centre_sizes, in_words
from core.files.beside import KeptBeside, SeenBeside
from core.shells.studies import inspect_study, is_study_file


def seen(path: Path) -> SeenBeside | None:
    """The centre in a study file, or what is wrong with it; None if there is none."""
    if not is_study_file(path):
        return None
    study = inspect_study(path)
    problems = tuple(one for one in study.problems if "[centre]" in one.file)
    if study.value is None:
        return SeenBeside(None, 0, problems) if problems else None
    asked = study.value.settings.block(AskedCentre)
    if asked is None:
        return None
    system, file = study.value.system, asked.file
    rows = tuple((f"centre: {name}", said) for name, said in in_words(file))
    return SeenBeside(system, system.machines, problems, rows, {"centre": centre_sizes(file)})


def kept(_: Path) -> KeptBeside:
    """Nothing: a study file with a centre is converted as a centre."""
    return KeptBeside()
