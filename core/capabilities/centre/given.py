"""The centre that a person names: at a path, a sample, or the one in a study file."""

from pathlib import Path

from core.capabilities.centre.asked import AskedCentre
from core.capabilities.centre.checking import centre_at
from core.capabilities.centre.files.centre_file import CentreFile
from core.capabilities.centre.files.centre_reader import inspect_centre
from core.files.findings import Reading
from core.shells.studies import inspect_study, is_study_file


def inspect_given(given: Path) -> Reading[CentreFile]:
    """The centre, or all problems; of a study file it is that which its page Centre was about."""
    path = centre_at(given)
    if not is_study_file(path):
        return inspect_centre(path)
    study = inspect_study(path)
    if study.value is None:
        return Reading(None, study.problems)
    asked = study.value.settings.block(AskedCentre)
    if asked is None:
        return Reading.refused(path.name, "the study has no day of a centre; give a centre")
    return Reading(asked.here, study.problems)
