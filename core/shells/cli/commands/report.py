"""`wattfront report STUDY.json -o report.html`: a study as one page without other files."""

import argparse
from pathlib import Path
from typing import Final

from core.engines.front.data import unverified
from core.files.disk import file_faults
from core.shells.cli.answer import SUCCESS, UNVERIFIED, Answer, as_dicts
from core.shells.cli.arguments import add_file
from core.shells.cli.progress import watching
from core.shells.report import report_html, write_report
from core.shells.report.page import SUFFIXES
from core.shells.studies import inspect_study
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
    with watching(str(path)) as watch:
        study = saved.study(watch.stop_was_asked) if saved.has_front else None
        told = watch.showing(lambda command: f"the section of wattfront {command} ...")
        subject = saved.system if study is None else study
        html = report_html(subject, saved.settings, saved.choice, saved.versions, path.name, told)
    write_report(html, out)
    problems, name = reading.problems, saved.settings.name
    if study is None:
        found, sound, said = 0, True, f"{name}, without energy, since powers are unknown"
    else:
        found, sound = len(study.schedules), study.verified
        said = f"{counted(found, 'schedule')} along the front of {name}"
        if not saved.agrees_with(study.front):
            problems = (*problems, Problem(path.name, "", "vertices", _DIFFERENT, "warning"))
    if not sound:
        problems = (unverified(path.name), *problems)
    return Answer(
        {
            "ok": sound,
            "problems": as_dicts(problems),
            "path": str(out),
            "schedules": found,
            **size_as_dict(saved.system),
        },
        f"{out}: {said}",
        problems,
        SUCCESS if sound else UNVERIFIED,
    )
