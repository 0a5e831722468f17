"""Centres in another format, for `wattfront convert`."""

from pathlib import Path
from typing import Final

from core.capabilities.centre.checking import centre_at
from core.capabilities.centre.files.centre_reader import is_centre
from core.capabilities.centre.files.centre_writer import refuse_centre_path, write_centre
from core.capabilities.centre.given import inspect_given
from core.shells.cli.answer import Answer
from core.shells.studies import is_study_file
from core.vocabulary.say.words import counted

CONVERTED: Final = (
    "CENTRE OUT, a centre for wattfront centre, of a folder, an archive, a document or a study, as "
    "a .zip or .json file or a folder"
)
"""What it converts, as the help of the command says it."""


def converted(given: Path, out: Path) -> Answer | None:
    """Writes the centre in the format of the suffix of `out`; None if there is none."""
    path = centre_at(given)
    if not is_centre(path) and not (is_study_file(path) and inspect_given(path).ok):
        return None
    refuse_centre_path(out)
    reading = inspect_given(given)
    file = reading.require()
    write_centre(file, out)
    jobs, servers = int(file.jobs.count.sum()), int(file.centre.counts.sum())
    said = f"{out}: a centre with {counted(servers, 'server')} and {counted(jobs, 'job')}"
    data = {"path": str(out), "servers": servers, "jobs": jobs, "steps": file.grid.steps}
    return Answer.done(said, data, reading.problems)
