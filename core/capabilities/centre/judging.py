"""Judges plans of a day that people give: `wattfront verify CENTRE PLAN`."""

from dataclasses import replace
from pathlib import Path
from typing import Final

from core.capabilities.centre.checking import centre_at
from core.capabilities.centre.files.centre_reader import is_centre
from core.capabilities.centre.files.day_plan_file import inspect_day_plan, is_day_plan
from core.capabilities.centre.given import inspect_given
from core.capabilities.centre.judge import DAY_CHECKS, STATED_FIGURES
from core.shells.cli.answer import Answer
from core.shells.studies import is_study_file
from core.vocabulary.say.aligned import table
from core.vocabulary.say.words import Sense, amount, duration, energy, power, share

JUDGED: Final = (
    "CENTRE PLAN, whether what wattfront centre -o wrote can be carried out, keeps the room below "
    "its limit, and adds up"
)
"""What it judges, as the help of the command says it."""


def judged(given: Path, stated: Path) -> Answer | None:
    """The verdict on the plan in the files `stated`; None if `given` is no centre."""
    path = centre_at(given)
    if not (is_centre(path) or (is_study_file(path) and is_day_plan(stated))):
        return None
    reading = inspect_given(given)
    file = reading.require()
    plan = inspect_day_plan(stated, file)
    verdict = plan.require().judged()
    problems = (
        *(replace(problem, file=problem.file or stated.name) for problem in verdict.problems),
        *reading.problems,
        *plan.problems,
    )
    if not verdict.ok:
        return Answer.refusal(problems, nothing=STATED_FIGURES)
    said = table(
        [
            ("cost", amount(verdict.cost, Sense.PLAIN, file.currency)),
            ("CO₂", amount(verdict.carbon / 1000, Sense.PLAIN, "kg of CO₂")),
            ("energy", energy(verdict.energy, Sense.PLAIN)),
            ("excess", energy(verdict.excess, Sense.PLAIN)),
            ("late in all", duration(verdict.lateness, Sense.PLAIN)),
            ("on time", share(verdict.on_time_share, Sense.PLAIN)),
            ("highest grid power", power(verdict.peak, Sense.PLAIN)),
            ("hottest", amount(verdict.hottest, Sense.PLAIN, "°C")),
            *(("checked", check) for check in DAY_CHECKS),
        ]
    )
    data = {name: getattr(verdict, name) for name in STATED_FIGURES}
    return Answer.done(f"{stated} is a plan for {given}\n{said}", data, problems)
