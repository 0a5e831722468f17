"""A day of a centre in a study file: the centre whole, and what is asked of it."""

from typing import Final

from core.capabilities.centre.asked import AskedCentre
from core.capabilities.centre.files.centre_reader import centre_in_document
from core.capabilities.centre.files.centre_writer import document_of_centre
from core.capabilities.centre.settings import DaySettings, PlanningSettings
from core.files.strict_json import Fields
from core.shells.settings.forms import read_block, written_block
from core.vocabulary.prices.site import Site
from core.vocabulary.setting import settings_in
from core.vocabulary.system import System

_KINDS: Final = (DaySettings, PlanningSettings)
_FILE: Final = "file"


def read(given: Fields, _system: System | None, site: Site | None = None) -> AskedCentre | None:
    """What is asked, valid only if nothing was reported; the centre has servers of its own."""
    given.warn_of_unused(("name", _FILE, *(name for kind in _KINDS for name in settings_in(kind))))
    document = Fields.of(given.content, _FILE, given.label, given.findings)
    if not document.content:
        return None
    asked = DaySettings(**read_block(given, DaySettings))
    planning = PlanningSettings(**read_block(given, PlanningSettings))
    name = given.text("name") if given.has("name") else ""
    said = len(given.findings.notes)
    file = centre_in_document(document.content, document.label, given.findings)
    del given.findings.notes[said:]  # who wrote the study has read them
    return None if file is None else AskedCentre(file, name, asked, planning, site)


def written(asked: AskedCentre | None) -> dict[str, object]:
    """What is asked as JSON, with the centre as a document."""
    if asked is None:
        return {}
    return {
        "name": asked.name,
        **written_block(asked.settings),
        **written_block(asked.planning),
        _FILE: document_of_centre(asked.file),
    }


def commands(asked: AskedCentre | None) -> list[list[object]]:
    """The arguments of `wattfront centre` after the study file, which has the centre."""
    return [] if asked is None else [asked.words]
