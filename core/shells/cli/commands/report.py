"""`wattfront report STUDY.json -o report.html`: a study as one page without other files."""

import argparse
from pathlib import Path
from typing import Final

from core.engines.front.data import unverified
from core.files import Reading
from core.files.disk import file_faults
from core.shells.cli.answer import SUCCESS, UNVERIFIED, Answer, as_dicts
from core.shells.cli.arguments import add_file
from core.shells.cli.progress import watching
from core.shells.report import html_without_front, report_html, write_report
from core.shells.report.page import SUFFIXES
from core.shells.studies import SavedStudy, inspect_study
from core.vocabulary.problems import Problem, refuse
from core.vocabulary.say.phrases import size_as_dict
from core.vocabulary.say.words import counted

_DIFFERENT: Final = "the front in the file is not the one found here, which the report shows"


def declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("study", type=Path, metavar="STUDY", help="a study file: .json")
    add_file(parser, "-o --output", "where to write it (default: beside the study, as .html)")


def run(arguments: argparse.Namespace) -> Answer:
    path: Path = arguments.study
    refuse(file_faults(arguments.output, SUFFIXES))  # before the long computation
    reading = inspect_study(path)
    saved = reading.require()
    out: Path = arguments.output or path.with_suffix(SUFFIXES[0])
    if not saved.has_front:
        return _without_front(reading, path, out)
    with watching(str(path)) as watch:
        study = saved.study(watch.stop_was_asked)
        told = watch.showing(lambda command: f"the section of wattfront {command} ...")
        html = report_html(study, saved.settings, saved.choice, saved.versions, path.name, told)
    write_report(html, out)
    problems = reading.problems
    if not saved.agrees_with(study.front):
        problems = (*problems, Problem(path.name, "", "vertices", _DIFFERENT, "warning"))
    if not study.verified:
        problems = (unverified(path.name), *problems)
    return Answer(
        {
            "ok": study.verified,
            "problems": as_dicts(problems),
            "path": str(out),
            "schedules": len(study.schedules),
            **size_as_dict(study.system),
        },
        f"{out}: {counted(len(study.schedules), 'schedule')} along the front of "
        f"{saved.settings.name}",
        problems,
        SUCCESS if study.verified else UNVERIFIED,
    )


def _without_front(reading: Reading[SavedStudy], path: Path, out: Path) -> Answer:
    """The report on a system without powers: what was asked beside energy."""
    saved = reading.require()
    with watching(str(path)) as watch:
        told = watch.showing(lambda command: f"the section of wattfront {command} ...")
        html = html_without_front(
            saved.system, saved.settings, saved.versions, path.name, report=told
        )
    write_report(html, out)
    problems = reading.problems
    return Answer(
        {
            "ok": True,
            "problems": as_dicts(problems),
            "path": str(out),
            "schedules": 0,
            **size_as_dict(saved.system),
        },
        f"{out}: {saved.settings.name}, without energy, since powers are unknown",
        problems,
    )
