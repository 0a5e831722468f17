"""`wattfront generate-workload KIND -o WORKLOAD`: work that arrives, drawn or taken from a log."""

import argparse
import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple, get_args

from core.capabilities.arrivals.files.hours_file import read_hours
from core.capabilities.arrivals.files.workload_file import WorkloadFile
from core.capabilities.arrivals.files.workload_writer import refuse_workload_path, write_workload
from core.capabilities.arrivals.made.from_logs import LogUnit, LogWork, work_of_logs
from core.capabilities.arrivals.made.patterns import (
    HOURS,
    ArrivalPattern,
    bursts,
    constant,
    hourly,
    sinusoidal,
    work_hours,
)
from core.capabilities.arrivals.made.recipes import DAY_JOULES, RECIPES
from core.capabilities.arrivals.made.synthetic import (
    CORES,
    JOBS_A_DAY,
    BudgetSettings,
    draw_budget_day,
)
from core.capabilities.arrivals.made.system_work import (
    HourlyWork,
    SystemWork,
    workload_of_hours,
    workload_of_system,
)
from core.capabilities.arrivals.uncertain.bags import (
    ERROR_LEVELS,
    HETEROGENEITIES,
    MACHINES,
    RATES,
    TASKS,
    UncertainSettings,
    draw_uncertain,
)
from core.engines.logs.reading.logs import LogProgress
from core.engines.logs.reading.store import Stopped
from core.engines.replay.workload import UNITS, WATTS, Truth, Workload
from core.files import read_system
from core.files.disk import located
from core.files.samples.named import sample_folder
from core.shells.cli.answer import Answer, as_dicts
from core.shells.cli.numbers import number_within, whole_within
from core.shells.cli.progress import watching
from core.vocabulary.problems import Problem, refuse
from core.vocabulary.ranges import SEED, Range
from core.vocabulary.say.words import DAY, HOUR, counted, typed

PATTERNS: Final = ("constant", "sinusoidal", "work-hours", "bursts", "hourly")
_JOBS: Final = Range(1, 1e7, "jobs a day")
_STATES: Final = Range(1, 100, "power states")
_CORES: Final = Range(100, 1e9, "cores")
_LENGTH: Final = Range(1 / 60, 24 * 366, "hours")
_SWING: Final = Range(0, 1, "of the mean rate")
_BURST: Final = Range(1, 1e6, "jobs at once")
_MACHINES: Final = Range(1, 1000, "machines")
_TASKS: Final = Range(1, 1e7, "tasks")
_FADES: Final = Range(0.001, 1e6, "hours")
_RATE: Final = Range(0.001, 1e6, "tasks a second")
_USUAL_SWING: Final = 0.5
_USUAL_BURST: Final = 16
_Made = tuple[WorkloadFile, tuple[Problem, ...]]
"""A workload, and warnings about what was done to a log."""


class _WorkKind(NamedTuple):
    """A kind of workload: what it is, its flags, and what makes it of them."""

    summary: str
    declare: Callable[[argparse.ArgumentParser], None]
    made: Callable[[argparse.Namespace], _Made]


def declare(parser: argparse.ArgumentParser) -> None:
    kinds = parser.add_subparsers(dest="kind", metavar="KIND", required=True)
    for name, kind in _KINDS.items():
        one = kinds.add_parser(
            name, help=kind.summary, description=f"{kind.summary}.".capitalize(), allow_abbrev=False
        )
        one.add_argument(
            "-o",
            "--output",
            type=Path,
            required=True,
            metavar="WORKLOAD",
            help="a folder for CSV tables, or a .zip, .xlsx or .json file",
        )
        kind.declare(one)


def _declare_seed(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--seed",
        type=whole_within(SEED),
        default=0,
        metavar="N",
        help="equal seeds draw equal workloads (default 0)",
    )


def _declare_budget(parser: argparse.ArgumentParser) -> None:
    _declare_seed(parser)
    parser.add_argument(
        "--jobs",
        type=number_within(_JOBS),
        default=float(JOBS_A_DAY[0]),
        metavar="N",
        help=f"jobs a day on average (default {typed(JOBS_A_DAY[0])})",
    )
    parser.add_argument(
        "--cores",
        type=whole_within(_CORES),
        default=CORES,
        metavar="N",
        help=f"cores of all pools (default {typed(CORES)})",
    )
    parser.add_argument(
        "--states",
        type=whole_within(_STATES),
        default=3,
        metavar="N",
        help="power states of each pool (default 3)",
    )


def _declare_uncertain(parser: argparse.ArgumentParser) -> None:
    _declare_seed(parser)
    parser.add_argument(
        "--machines",
        type=whole_within(_MACHINES),
        default=MACHINES[0],
        metavar="N",
        help=f"machines (default {typed(MACHINES[0])})",
    )
    parser.add_argument(
        "--tasks",
        type=whole_within(_TASKS),
        default=TASKS,
        metavar="N",
        help=f"tasks (default {typed(TASKS)})",
    )
    parser.add_argument(
        "--rate",
        type=number_within(_RATE),
        default=RATES[0],
        metavar="R",
        help=f"tasks that arrive in a second (default {typed(RATES[0])})",
    )
    parser.add_argument(
        "--errors",
        choices=ERROR_LEVELS,
        default="medium",
        help="by how much true times are below estimates (default medium)",
    )
    parser.add_argument(
        "--heterogeneity",
        choices=HETEROGENEITIES,
        default="high",
        help="how different machines are (default high)",
    )


def _declare_system(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("system", metavar="SYSTEM", help="its files, or the name of a sample")
    _declare_seed(parser)
    parser.add_argument(
        "--hours",
        type=number_within(_LENGTH),
        default=24.0,
        metavar="H",
        help="for how long work arrives, from midnight on (default 24)",
    )
    parser.add_argument(
        "--jobs",
        type=number_within(_JOBS),
        metavar="N",
        help=f"jobs a day on average (default {typed(JOBS_A_DAY[0])})",
    )
    parser.add_argument(
        "--pattern",
        choices=PATTERNS,
        help="when work arrives: at all hours alike (constant, the default), most at noon "
        "(sinusoidal), twice as often from 9 to 18 (work-hours), many at once (bursts), or by a "
        "rate for each hour (hourly)",
    )
    parser.add_argument(
        "--swing",
        type=number_within(_SWING),
        metavar="S",
        help="sinusoidal: how far the rate goes above and below its mean "
        f"(default {typed(_USUAL_SWING)})",
    )
    parser.add_argument(
        "--burst",
        type=whole_within(_BURST),
        metavar="N",
        help=f"bursts: how many jobs come at once (default {_USUAL_BURST})",
    )
    parser.add_argument(
        "--rates",
        type=_rates,
        metavar="A,B,...",
        help="hourly: 24 rates, from midnight on, as multiples of each other",
    )
    parser.add_argument(
        "--by-hour",
        type=Path,
        metavar="FILE",
        help="a CSV file with job_type, hour (0 to 23) and jobs: how many arrive in that hour on "
        "average. In place of --jobs and --pattern",
    )
    parser.add_argument(
        "--fades",
        type=number_within(_FADES),
        metavar="H",
        help="--by-hour: the worth of a job falls to 0 in so many hours (default: never)",
    )


def _declare_log(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "log",
        type=Path,
        nargs="+",
        metavar="LOG",
        help="an accounting log, as for wattfront derive: SWF, sacct or a table of runs",
    )
    parser.add_argument(
        "--unit",
        choices=get_args(LogUnit),
        default="cores",
        help="what jobs take of the pool (default cores)",
    )
    parser.add_argument(
        "--units",
        type=whole_within(UNITS),
        metavar="N",
        help="how many there are (default: as the log says, or as jobs had at once)",
    )
    parser.add_argument(
        "--watts",
        type=number_within(WATTS),
        metavar="W",
        help="what one draws while it works (default: by the energy in the log; without, 0)",
    )


def run(arguments: argparse.Namespace) -> Answer:
    refuse_workload_path(arguments.output)
    file, problems = _KINDS[arguments.kind].made(arguments)
    write_workload(file, arguments.output)
    jobs, pools = len(file.workload.jobs), len(file.workload.pools)
    data = {
        "ok": True,
        "problems": as_dicts(problems),
        "path": str(arguments.output),
        "name": file.workload.name,
        "jobs": jobs,
        "pools": pools,
        "options": len(file.workload.options.pool),
    }
    text = f"{arguments.output}: {counted(jobs, 'job')} on {counted(pools, 'pool')}"
    return Answer(data, text, problems)


def _budget_day(arguments: argparse.Namespace) -> _Made:
    wanted = BudgetSettings(arguments.jobs, arguments.states, arguments.cores, arguments.seed)
    drawn = _as_estimated(draw_budget_day(wanted))
    is_published = arguments.cores == CORES and arguments.jobs in DAY_JOULES
    joules = DAY_JOULES[int(arguments.jobs)] if is_published else math.inf
    return replace(drawn, day_joules=joules), ()


def _uncertain_bag(arguments: argparse.Namespace) -> _Made:
    settings = UncertainSettings(
        arguments.machines,
        arguments.heterogeneity,
        arguments.errors,
        arguments.rate,
        arguments.tasks,
        arguments.seed,
    )
    return WorkloadFile(*draw_uncertain(settings)), ()


def _testbed(arguments: argparse.Namespace) -> _Made:
    return RECIPES["testbed"].draw(arguments.seed), ()


def _as_estimated(workload: Workload) -> WorkloadFile:
    return WorkloadFile(workload, Truth.as_estimated(len(workload.jobs)))


def _of_system(arguments: argparse.Namespace) -> _Made:
    refuse(_clashes(arguments))
    system = read_system(located(arguments.system, sample_folder))
    length, seed, name = arguments.hours * HOUR, arguments.seed, Path(arguments.system).name
    if arguments.by_hour is None:
        jobs = float(JOBS_A_DAY[0]) if arguments.jobs is None else arguments.jobs
        steady = SystemWork(jobs, _pattern(arguments), length, seed)
        return _as_estimated(workload_of_system(system, steady, name)), ()
    rates = tuple(map(tuple, read_hours(arguments.by_hour, system.task_names).tolist()))
    fades = None if arguments.fades is None else arguments.fades * HOUR
    return _as_estimated(
        workload_of_hours(system, HourlyWork(rates, length, fades, seed), name)
    ), ()


def _clashes(arguments: argparse.Namespace) -> Iterator[str]:
    """Why flags do not go together."""
    if (arguments.pattern == "hourly") != (arguments.rates is not None):
        yield "--pattern hourly and --rates go together; give both or none"
    if arguments.by_hour is None and arguments.fades is not None:
        yield "--fades needs --by-hour FILE"
    if arguments.by_hour is not None:
        for name in ("jobs", "pattern"):
            if getattr(arguments, name) is not None:
                yield f"--by-hour says when work arrives; leave --{name} out"
    for name, pattern in (("swing", "sinusoidal"), ("burst", "bursts")):
        if getattr(arguments, name) is not None and arguments.pattern != pattern:
            yield f"--{name} needs --pattern {pattern}"


def _pattern(arguments: argparse.Namespace) -> ArrivalPattern:
    if arguments.pattern == "sinusoidal":
        swing = _USUAL_SWING if arguments.swing is None else arguments.swing
        return sinusoidal(swing, DAY / 2)
    if arguments.pattern == "work-hours":
        return work_hours()
    if arguments.pattern == "bursts":
        return bursts(arguments.burst or _USUAL_BURST)
    if arguments.pattern == "hourly":
        return hourly(arguments.rates)
    return constant()


def _of_log(arguments: argparse.Namespace) -> _Made:
    asked = LogWork(arguments.unit, arguments.units, arguments.watts)
    with watching(str(arguments.log[0])) as watch:
        try:
            said = watch.showing(LogProgress.in_words)
            found = work_of_logs(arguments.log, asked, watch.stop_was_asked, said)
        except Stopped:
            raise KeyboardInterrupt from None
    notes = (Problem("", "", "", note, "warning") for note in found.notes)
    return found.file, (*found.problems, *notes)


def _rates(text: str) -> tuple[float, ...]:
    try:
        rates = tuple(float(part) for part in text.split(","))
        hourly(rates)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"'{text}' is no profile of a day; give {HOURS} rates of at least 0 with commas"
        ) from None
    return rates


_KINDS: Final = {
    "budget": _WorkKind(
        "a day of parallel jobs under an energy budget", _declare_budget, _budget_day
    ),
    "uncertain": _WorkKind(
        "tasks whose times are below their estimates", _declare_uncertain, _uncertain_bag
    ),
    "testbed": _WorkKind("benchmarks on four small clusters", _declare_seed, _testbed),
    "system": _WorkKind(
        "the tasks of a system, which arrive by a pattern", _declare_system, _of_system
    ),
    "log": _WorkKind("the jobs of accounting logs", _declare_log, _of_log),
}
