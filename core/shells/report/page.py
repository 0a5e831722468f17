"""The page of the report: the question, what each capability tells, and how to do it again."""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Final, Protocol, cast

import numpy as np

from core.engines.front.study import Study
from core.engines.front.wish import Wish
from core.files.disk import cannot_write, replacing
from core.shells.registry import capabilities
from core.shells.report import markup
from core.shells.report.gantt_picture import gantt_picture, shows_all
from core.shells.report.markup import STYLE
from core.shells.report.tables import machines_table, system_tables
from core.shells.studies.settings import STUDY_FILE, Choice, StudySettings, commands
from core.shells.told.told import checked
from core.vocabulary.power import peak_power
from core.vocabulary.prices.words import site_facts
from core.vocabulary.say.phrases import estimates_in_a_sentence, peak_in_words
from core.vocabulary.say.without_work import assumed_without_work, idle_said, rest_word
from core.vocabulary.say.words import Sense, amount, begun, counted, duration, energy, share, typed
from core.vocabulary.system import System

SUFFIXES: Final = (".html", ".htm")
_PROVEN: Final = "What is proven, and what is not"
_DISAGREES: Final = "an independent check disagrees; do not use these schedules."
_TIMED: Final = (
    "Polish ends when its seconds are over, so that schedules may differ a little from machine to "
    "machine"
)
_COUNTED: Final = "The same work makes the same schedules, however busy the machine is"
# Nothing is loaded and no script runs, whatever a name contains.
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'"


class ReportSection(Protocol):
    """A module that writes what its capability finds about a study."""

    def section(self, study: Study | None, settings: StudySettings, choice: Choice | None) -> str:
        """The section as HTML; empty if the study did not ask for it. May raise `SolverFailed`.

        `study` is a `Study`, or None for a system without powers; then only capabilities are asked
        that read all from the study file (`Capability.from_study`).
        """


def report_html(
    study: Study | System,
    settings: StudySettings,
    choice: Choice | None,
    versions: Mapping[str, str],
    file: str = STUDY_FILE,
    report: Callable[[str], None] | None = None,
) -> str:
    """The whole page; `file` is the name of the study file in its commands. `report` is told which
    command's section is made, before each. A system without powers stands for its study, which has
    no front: the page has the sections of capabilities that do not need one.

    Without a choice the report shows the fastest schedule. May raise `SolverFailed` if a section
    needs a solver.
    """
    front, system = (None, study) if isinstance(study, System) else (study, study.system)
    if front is None:
        choice = None
    elif choice is None and len(front.achieved):
        fastest = int(np.flatnonzero(front.on_front)[-1])
        choice = Choice(front.schedules[fastest], "As soon as possible")
    title = settings.name if front is None else f"{settings.name}: energy against time"
    lines = commands(settings, choice, file, has_front=front is not None)
    about = {
        "Versions": ", ".join(f"{what} {version}" for what, version in versions.items()),
        "System": f"fingerprint {system.fingerprint[:16]}",
    }
    content = [
        f"<header><h1>{escape(title)}</h1>{_begin(front, settings, choice)}</header>",
        *_sections(front, settings, choice, report),
        "" if choice is None else _schedule(choice),
        _system(system, settings),
        "" if front is None else markup.section(_PROVEN, markup.items(_proofs(front))),
        markup.section("How to do it again", _shell(lines), *_made_with(front, settings, about)),
    ]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)} – Wattfront</title><style>{STYLE}</style></head>"
        f"<body>{''.join(content)}</body></html>\n"
    )


def _begin(study: Study | None, settings: StudySettings, choice: Choice | None) -> str:
    """The question and the figures of the chosen schedule, or why there are none."""
    if study is None:
        return markup.paragraph(
            "The powers of this system are unknown, so nothing is said about its energy."
        )
    return f"{markup.paragraph(_question(study, choice))}{_figures(study, settings, choice)}"


def write_report(html: str, path: Path) -> None:
    """Write the file, whole or not at all. Raises `InvalidInput` if it cannot be written."""
    if path.suffix.casefold() not in SUFFIXES:
        raise cannot_write(path, f"name a {SUFFIXES[0]} file")
    with replacing(path) as stream:
        # Names of files may contain bytes that are not text.
        stream.write(html.encode(errors="replace"))


def _sections(
    study: Study | None,
    settings: StudySettings,
    choice: Choice | None,
    report: Callable[[str], None] | None,
) -> Iterator[str]:
    """The sections of all capabilities in order; without a study, of those that need no front."""
    for capability in capabilities():
        if capability.offers("report") and (study is not None or capability.from_study):
            part = cast("ReportSection", capability.part("report"))
            if report is not None and capability.command is not None:
                report(capability.command)
            yield part.section(study, settings, choice)


def _question(study: Study, choice: Choice | None) -> str:
    system = study.system
    asked = (
        f"The question: {counted(system.tasks, 'task')} are to run on "
        f"{counted(system.machines, 'machine')}. How soon can all be done, with how little energy, "
        "and what does one cost of the other?"
    )
    return asked if choice is None else f"{asked} The chosen schedule: {_chosen(choice)}."


def _chosen(choice: Choice) -> str:
    """Why it was chosen; of a power cap, also what that leaves open."""
    if choice.wish is None or math.isinf(choice.wish.power_limit):
        return choice.title
    peak = peak_in_words(peak_power(choice.schedule), choice.wish.power_limit)
    return f"{choice.title}; {peak}"


def _point(joules: float, seconds: float, wish: Wish | None = None) -> str:
    """The makespan and the energy in words, rounded for the limits of the wish."""
    time = duration(seconds, Sense.SPENT, None if wish is None else wish.time_limit)
    limit = None if wish is None else wish.energy_limit
    return f"done in {time} with {energy(joules, Sense.SPENT, limit)}"


def _figures(study: Study, settings: StudySettings, choice: Choice | None) -> str:
    """The figures of the chosen schedule, with its gaps."""
    if choice is None:
        return ""
    chosen, wish = choice.schedule, choice.wish
    joules, seconds = chosen.energy, chosen.makespan
    here = np.array([[joules, seconds]])
    dearer, later = float(study.proven.energy_gaps(here)[0]), float(study.proven.time_gaps(here)[0])
    idle = float(chosen.idle_energy.sum())
    said = {
        "Makespan": duration(seconds, Sense.SPENT, None if wish is None else wish.time_limit),
        "Energy": energy(joules, Sense.SPENT, None if wish is None else wish.energy_limit),
        "Energy above the bound": f"at most {share(dearer, Sense.UPPER_BOUND)}",
        "Time above the bound": f"at most {share(later, Sense.UPPER_BOUND)}",
        f"Energy spent {rest_word(chosen.system)}": share(
            idle / joules if joules > 0 else None, Sense.PLAIN
        ),
    }
    if (site := settings.site) is not None:
        said["Cost"] = amount(site.tariff.cost(joules), Sense.SPENT, site.currency)
        if site.carbon:
            said["Carbon"] = amount(site.tariff.carbon(joules), Sense.SPENT, "kg CO₂")
    return markup.key_figures(said.items())


def _schedule(choice: Choice) -> str:
    schedule = choice.schedule
    caption = (
        "A row is machines that run the same, by their numbers within the type; colours are task "
        "types, those with most work first."
    )
    if not shows_all(schedule):
        caption += (
            f" Of {len(schedule.machines):,} such groups the last of each machine type to finish "
            "is shown."
        )
    return markup.section(
        f"The schedule: {choice.title}",
        markup.paragraph(
            f"All tasks are {_point(schedule.energy, schedule.makespan, choice.wish)}."
        ),
        markup.figure(gantt_picture(schedule), caption),
        machines_table(schedule),
    )


def _system(system: System, settings: StudySettings) -> str:
    cells = int(system.etc.size - np.isfinite(system.etc).sum())
    size = (
        f"{settings.name}: {counted(system.tasks, 'task')} of "
        f"{counted(len(system.task_types), 'type')} on {counted(system.machines, 'machine')} of "
        f"{counted(len(system.machine_types), 'type')}; "
        f"{counted(cells, 'pair') + ' cannot run' if cells else 'every pair can run'}. "
        f"{assumed_without_work(system)}"
    )
    if estimates := estimates_in_a_sentence(system):
        size += f" {estimates}"
    return markup.section("The system", markup.paragraph(size), system_tables(system))


def _proofs(study: Study) -> list[str]:
    front, proven = study.front, study.proven
    said = [
        f"Proven: no schedule is done before {duration(proven.soonest, Sense.LOWER_BOUND)}, and "
        f"none needs less than {energy(proven.thriftiest, Sense.LOWER_BOUND)}. Weak duality of "
        "linear programs proves it, and every line of the bound, with rounding errors counted "
        "against it.",
        f"The bound has {len(front):,} {'vertex' if len(front) == 1 else 'vertices'}; "
        + (
            "it is exact: schedules that may split tasks reach all of it."
            if front.exact
            else "it is not exact: such schedules may not reach all of it."
        ),
    ]
    if len(study.achieved):
        said += [
            *checked(
                "every schedule was computed again from the tables by code that shares nothing "
                "with what made it, and that agrees.",
                [] if study.verified else [_DISAGREES],
            ),
            "Not proven: that no better schedule of whole tasks exists. The tables say how much "
            "better one could be at most.",
        ]
    return said


def _made_with(
    study: Study | None, settings: StudySettings, about: Mapping[str, str]
) -> Iterator[str]:
    """How far a study comes out the same when it is done again, and a table of its settings, with
    what else is said `about` it.
    """
    if study is None:
        yield _table_of(about)
        return
    settled = "The bound comes out the same to the last digit that is shown. "
    yield markup.paragraph(
        f"{settled}{_TIMED if settings.work is None else _COUNTED}; those of this study are in its "
        "study file.",
        "quiet",
    )
    rows = {
        "Method": settings.method,
        "Spacing": f"{share(settings.spacing, Sense.TYPED)} of the front",
        "Polish": f"{duration(settings.seconds, Sense.TYPED)} on "
        f"{counted(settings.threads, 'thread')}"
        if settings.work is None
        else f"{typed(settings.work)} units of work",
        "Seed": f"{settings.seed}",
        "Without work": begun(idle_said(settings.idle)),
    }
    rows |= dict(site_facts(settings.site)) if settings.site else {}
    rows["Took"] = ", ".join(
        f"{phase} {duration(spent, Sense.PLAIN)}" for phase, spent in study.seconds.items()
    )
    yield _table_of({**rows, **about})


def _shell(lines: Sequence[str]) -> str:
    return f"<pre><code>{escape(chr(10).join(lines))}</code></pre>"


def _table_of(rows: Mapping[str, str]) -> str:
    cells = [[name, escape(value)] for name, value in rows.items()]
    return f'<div class="plain">{markup.table(["Setting", "Value"], cells)}</div>'
