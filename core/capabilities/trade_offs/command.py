"""`wattfront front SYSTEM`: the trade-off of energy and makespan, and schedules along it."""

import argparse
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from core import System, study
from core.capabilities.trade_offs.schedule_folder import check_folder, write_schedules
from core.capabilities.trade_offs.told import told, told_of_front
from core.engines.front.axis import usual_axis
from core.engines.front.data import front_as_data, unverified
from core.engines.front.methods import (
    DEFAULT_SPACING,
    GENERATION_COUNT,
    GENERATIONS,
    METHODS,
    SPACING,
    Lp,
    method_named,
)
from core.engines.front.study import sweep_idle_power
from core.engines.front.words import study_progress
from core.files.disk import FRONT_SUFFIX, file_faults, replacing
from core.shells.cli.answer import Answer, told_answer
from core.shells.cli.arguments import (
    add_effort,
    add_file,
    add_system,
    effort_of,
    read,
    unit_of_effort,
)
from core.shells.cli.outputs import add_study_file, settings_of, study_file_faults
from core.shells.cli.progress import watching
from core.shells.settings.forms import declare_flags
from core.shells.settings.numbers import number_within, several_within, whole_within
from core.shells.settings.site import add_site, given_site
from core.vocabulary.budget import DEFAULT_SECONDS
from core.vocabulary.problems import refuse
from core.vocabulary.ranges import IDLE_FRACTION
from core.vocabulary.say.aligned import table
from core.vocabulary.say.columns import VERIFIED, size_in_words, took
from core.vocabulary.say.phrases import estimates_as_dict, estimates_in_words
from core.vocabulary.say.words import Sense, counted, share, typed
from core.vocabulary.without_work import WithoutWork

if TYPE_CHECKING:
    from core.shells.studies import StudySettings


def declare(parser: argparse.ArgumentParser) -> None:
    add_system(parser)
    parser.add_argument(
        "--method",
        choices=METHODS,
        help="lp (the default) fills the exact front and polishes; bound is the front alone; paper "
        "is the published way; nsga2 evolves the published seeds, nsga2-seeded what paper gives",
    )
    parser.add_argument(
        "--spacing",
        type=number_within(SPACING),
        default=DEFAULT_SPACING,
        metavar="S",
        help=f"between schedules before polish, {SPACING} (default {typed(DEFAULT_SPACING)})",
    )
    add_effort(parser, DEFAULT_SECONDS)
    parser.add_argument(
        "--generations",
        type=whole_within(GENERATION_COUNT),
        metavar="N",
        help="of nsga2 and nsga2-seeded, if the seconds suffice (default "
        f"{GENERATIONS['nsga2']:,} and {GENERATIONS['nsga2-seeded']:,})",
    )
    parser.add_argument(
        "--idle-power",
        type=several_within(IDLE_FRACTION),
        metavar="FRACTION",
        help="an idle machine draws this fraction of the mean power of its column in apc "
        f"({typed(IDLE_FRACTION.low)} to {typed(IDLE_FRACTION.high)}; default: its "
        "own); several, as 0,0.1,0.2 or 0:1:0.05, give the front of each and no schedules",
    )
    declare_flags(parser, WithoutWork, "asleep_watts")
    add_file(
        parser, "-o --output", "write the schedules on the Pareto front, and an index.csv", "FOLDER"
    )
    add_file(
        parser,
        "--csv",
        f"write the front as one {FRONT_SUFFIX} table: the vertices of the bound, and the "
        "schedules on the Pareto front, with units in the column names",
    )
    add_study_file(parser, "the study")
    add_site(parser)


def run(arguments: argparse.Namespace) -> Answer:
    fractions: tuple[float, ...] = arguments.idle_power or ()
    refuse(_faults(arguments))  # before the long computation
    if arguments.output:
        check_folder(arguments.output)
    started = time.perf_counter()
    reading = read(arguments)
    system = reading.require()
    read_seconds = time.perf_counter() - started
    if len(fractions) > 1:
        answer = _sweep(system, arguments, fractions, read_seconds)
    else:
        answer = _front(system, arguments, read_seconds)
    return replace(answer, problems=(*answer.problems, *reading.problems))


def _faults(arguments: argparse.Namespace) -> Iterator[str]:
    """Faults of the arguments."""
    method: str = arguments.method or Lp.name
    sweeps = len(arguments.idle_power or ()) > 1
    if sweeps and arguments.method not in (None, "bound"):
        yield f"several idle powers give fronts alone; leave out --method {method}"
    if sweeps and arguments.asleep_watts is not None:
        yield "machines that are switched off draw no idle power; give one, or no --asleep-watts"
    if arguments.output and (sweeps or method == "bound"):
        yield "there are no schedules to write; leave out -o, or ask for one front of schedules"
    if arguments.study and sweeps:
        yield "a study file holds one front; leave out --study, or give one idle power"
    if arguments.csv and sweeps:
        yield "a CSV table holds one front; leave out --csv, or give one idle power"
    yield from file_faults(arguments.csv, (FRONT_SUFFIX,))
    yield from study_file_faults(arguments)
    if method in GENERATIONS and not arguments.seconds:
        yield f"--method {method} needs time; give --seconds above 0"
    if arguments.work is not None and (sweeps or method != Lp.name):
        yield f"--work is for schedules by --method {Lp.name}; leave it out"
    if arguments.generations and method not in GENERATIONS:
        yield f"--generations is not for --method {method}; leave it out"


def _front(system: System, arguments: argparse.Namespace, read_seconds: float) -> Answer:
    """The front of the system as it is, or with the powers without work that are given."""
    with watching(arguments.system) as watch:
        studied = study(
            _without_work(arguments).of(system),
            method_named(
                arguments.method or Lp.name,
                spacing=arguments.spacing,
                generations=arguments.generations,
            ),
            effort=effort_of(arguments),
            should_stop=watch.stop_was_asked,
            report=watch.showing(partial(study_progress, unit=unit_of_effort(arguments))),
        )
    seconds = {"read": read_seconds, **studied.seconds}
    axis = usual_axis(float(studied.front.energy.max()))
    said = told(studied, axis, given_site(arguments))
    also = {**estimates_as_dict(system), "seconds": seconds, "verified": studied.verified}
    checked = [("verified", VERIFIED[studied.verified])] if studied.schedules else []
    facts = [("system", size_in_words(studied.system)), *checked, ("took", took(seconds))]
    problems = () if studied.verified else (unverified(arguments.system),)
    answer = told_answer(arguments.system, said, facts, problems, also)
    if not studied.verified:
        return answer
    text = answer.text
    if arguments.output:
        best = [studied.schedules[place] for place in np.flatnonzero(studied.on_front).tolist()]
        write_schedules(best, studied.gaps, arguments.output)
        text += f"\nwritten to {arguments.output}: {counted(len(best), 'schedule')}"
    # Imported only if needed, because it takes a while.
    if arguments.csv:
        from core.engines.front.data import front_csv

        with replacing(arguments.csv) as stream:
            stream.write(front_csv(studied))
        text += f"\nwritten to {arguments.csv}: the front"
    if arguments.study:
        from core.shells.studies import write_study

        write_study(studied, _settings(arguments), arguments.study)
        text += f"\nwritten to {arguments.study}: the study"
    return replace(answer, text=text)


def _without_work(arguments: argparse.Namespace) -> WithoutWork:
    """What machines draw without work, where at most one idle power is given."""
    fraction: float | None = arguments.idle_power[0] if arguments.idle_power else None
    return WithoutWork(fraction, arguments.asleep_watts)


def _settings(arguments: argparse.Namespace) -> "StudySettings":
    return replace(
        settings_of(arguments),
        site=given_site(arguments),
        idle=_without_work(arguments),
        method=arguments.method or Lp.name,
        spacing=arguments.spacing,
        generations=arguments.generations,
    )


def _sweep(
    system: System, arguments: argparse.Namespace, fractions: tuple[float, ...], read_seconds: float
) -> Answer:
    """The front at each idle power."""
    started = time.perf_counter()
    with watching(arguments.system) as watch:
        fronts = sweep_idle_power(system, fractions, watch.stop_was_asked)
    seconds = {"read": read_seconds, "bound": time.perf_counter() - started}
    missing = len(fractions) - len(fronts)
    said = counted(len(fronts), "idle power")
    if missing:
        said += f", {missing:,} left out because of the stop"
    if fronts and (estimates := estimates_in_words(fronts[0].system)):
        said += f"; {estimates}"
    rows = [
        (share(fraction, Sense.TYPED), told_of_front(one, usual_axis(float(one.energy.max()))))
        for fraction, one in zip(fractions, fronts, strict=False)
    ]
    rows = [("idle power", "what no schedule can beat"), *rows, ("took", took(seconds))]
    return Answer(
        {
            "sweep": [
                {"idle_power": fraction, **front_as_data(front)}
                for fraction, front in zip(fractions, fronts, strict=False)
            ],
            **estimates_as_dict(system),
            "seconds": seconds,
        },
        f"{arguments.system}: {said}\n{table(rows)}",
    )
