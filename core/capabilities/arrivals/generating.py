"""`wattfront generate-workload -o WORKLOAD`: work that arrives, drawn or taken from a log."""

import argparse
import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final, get_args

from core.capabilities.arrivals.files.hours_file import read_hours
from core.capabilities.arrivals.files.workload_file import WorkloadFile
from core.capabilities.arrivals.files.workload_writer import refuse_workload_path, write_workload
from core.capabilities.arrivals.made.from_logs import LogUnit, LogWork
from core.capabilities.arrivals.made.given_logs import read_log_work
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
from core.engines.replay.workload import UNITS, WATTS, Truth, Workload
from core.files import read_system
from core.files.samples.named import sample_folder
from core.shells.cli.answer import Answer, as_dicts
from core.shells.cli.arguments import located, refuse
from core.shells.cli.numbers import number_within, whole_within
from core.vocabulary.problems import Problem
from core.vocabulary.ranges import SEED, Range
from core.vocabulary.say.words import DAY, HOUR, counted, typed

KINDS: Final = ("budget", "uncertain", "testbed", "system", "log")
PATTERNS: Final = ("constant", "sinusoidal", "work-hours", "bursts", "hourly")
_FLAGS: Final[dict[tuple[str, ...], tuple[str, ...]]] = {
    ("budget", "system"): ("jobs",),
    ("budget",): ("cores", "states"),
    ("uncertain",): ("machines", "tasks", "rate", "errors", "heterogeneity"),
    ("system",): ("system", "hours", "pattern", "swing", "burst", "rates", "by_hour", "fades"),
    ("log",): ("log", "unit", "units", "watts"),
}
"""The kinds that use each flag."""
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


def declare(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        required=True,
        metavar="WORKLOAD",
        help="a folder for CSV tables, or a .zip, .xlsx or .json file",
    )
    parser.add_argument(
        "--like",
        choices=KINDS,
        default=KINDS[0],
        help="budget: a day of parallel jobs (the default); uncertain: tasks whose times are below "
        "their estimates; testbed: benchmarks on four small clusters; system: the tasks of a "
        "system, which arrive by a pattern; log: the jobs of accounting logs",
    )
    parser.add_argument(
        "--seed", type=whole_within(SEED), default=0, metavar="N", help="of what is drawn"
    )
    parser.add_argument(
        "--jobs",
        type=number_within(_JOBS),
        default=float(JOBS_A_DAY[0]),
        metavar="N",
        help=f"budget, system: jobs a day on average (default {typed(JOBS_A_DAY[0])})",
    )
    _declare_drawn(parser)
    _declare_system(parser)
    _declare_log(parser)


def _declare_drawn(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--cores",
        type=whole_within(_CORES),
        default=CORES,
        metavar="N",
        help=f"budget: cores of all pools (default {typed(CORES)})",
    )
    parser.add_argument(
        "--states",
        type=whole_within(_STATES),
        default=3,
        metavar="N",
        help="budget: power states of each pool (default 3)",
    )
    parser.add_argument(
        "--machines",
        type=whole_within(_MACHINES),
        default=MACHINES[0],
        metavar="N",
        help=f"uncertain: machines (default {typed(MACHINES[0])})",
    )
    parser.add_argument(
        "--tasks",
        type=whole_within(_TASKS),
        default=TASKS,
        metavar="N",
        help=f"uncertain: tasks (default {typed(TASKS)})",
    )
    parser.add_argument(
        "--rate",
        type=number_within(_RATE),
        default=RATES[0],
        metavar="R",
        help=f"uncertain: tasks that arrive in a second (default {typed(RATES[0])})",
    )
    parser.add_argument(
        "--errors",
        choices=ERROR_LEVELS,
        default="medium",
        help="uncertain: by how much true times are below estimates (default medium)",
    )
    parser.add_argument(
        "--heterogeneity",
        choices=HETEROGENEITIES,
        default="high",
        help="uncertain: how different machines are (default high)",
    )


def _declare_system(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--system", metavar="SYSTEM", help="system: its files, or the name of a sample"
    )
    parser.add_argument(
        "--hours",
        type=number_within(_LENGTH),
        default=24.0,
        metavar="H",
        help="system: for how long work arrives, from midnight on (default 24)",
    )
    parser.add_argument(
        "--pattern",
        choices=PATTERNS,
        default=PATTERNS[0],
        help="system: when work arrives: at all hours alike (constant, the default), most at noon "
        "(sinusoidal), twice as often from 9 to 18 (work-hours), many at once (bursts), or by a "
        "rate for each hour (hourly)",
    )
    parser.add_argument(
        "--swing",
        type=number_within(_SWING),
        default=0.5,
        metavar="S",
        help="system, sinusoidal: how far the rate goes above and below its mean (default 0.5)",
    )
    parser.add_argument(
        "--burst",
        type=whole_within(_BURST),
        default=16,
        metavar="N",
        help="system, bursts: how many jobs come at once (default 16)",
    )
    parser.add_argument(
        "--rates",
        type=_rates,
        metavar="A,B,...",
        help="system, hourly: 24 rates, from midnight on, as multiples of each other",
    )
    parser.add_argument(
        "--by-hour",
        type=Path,
        metavar="FILE",
        help="system: a CSV file with job_type, hour (0 to 23) and jobs: how many arrive in that "
        "hour on average. In place of --jobs and --pattern",
    )
    parser.add_argument(
        "--fades",
        type=number_within(_FADES),
        metavar="H",
        help="system, --by-hour: the worth of a job falls to 0 in so many hours (default: never)",
    )


def _declare_log(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--log",
        type=Path,
        action="append",
        metavar="FILE",
        help="log: an accounting log, as for wattfront derive: SWF, sacct or a table of runs. Can "
        "be given several times",
    )
    parser.add_argument(
        "--unit",
        choices=get_args(LogUnit),
        default="cores",
        help="log: what jobs take of the pool (default cores)",
    )
    parser.add_argument(
        "--units",
        type=whole_within(UNITS),
        metavar="N",
        help="log: how many there are (default: as the log says, or as jobs had at once)",
    )
    parser.add_argument(
        "--watts",
        type=number_within(WATTS),
        metavar="W",
        help="log: what one draws while it works (default: by the energy in the log; without, 0)",
    )


def run(arguments: argparse.Namespace) -> Answer:
    refuse(_faults(arguments))
    refuse_workload_path(arguments.output)
    file, problems = _made(arguments)
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


def _faults(arguments: argparse.Namespace) -> Iterator[str]:
    """What a kind needs and was not given, and what was given in vain."""
    yield from _strays(arguments)
    if arguments.like == "system" and arguments.system is None:
        yield "--like system needs --system SYSTEM"
    if arguments.like == "log" and not arguments.log:
        yield "--like log needs --log FILE"
    if (arguments.pattern == "hourly") != (arguments.rates is not None):
        yield "--pattern hourly and --rates go together; give both or none"
    if arguments.fades is not None and arguments.by_hour is None:
        yield "--fades needs --by-hour FILE"


def _strays(arguments: argparse.Namespace) -> Iterator[str]:
    """Flags that the kind or the pattern does not use."""
    usual = argparse.ArgumentParser()
    declare(usual)

    def given(name: str) -> bool:
        return bool(getattr(arguments, name) != usual.get_default(name))

    for kinds, names in _FLAGS.items():
        for name in names if arguments.like not in kinds else ():
            if given(name):
                flag = f"--{name.replace('_', '-')}"
                yield f"{flag} is for --like {' and '.join(kinds)}; leave it out"
    if arguments.by_hour is not None:
        for name in ("jobs", "pattern"):
            if given(name):
                yield f"--by-hour says when work arrives; leave --{name} out"
    for name, pattern in (("swing", "sinusoidal"), ("burst", "bursts")):
        if given(name) and arguments.like == "system" and arguments.pattern != pattern:
            yield f"--{name} needs --pattern {pattern}"


def _made(arguments: argparse.Namespace) -> tuple[WorkloadFile, tuple[Problem, ...]]:
    """The workload, and what was done to a log, as warnings."""
    if arguments.like == "log":
        return _of_log(arguments)
    if arguments.like == "system":
        return _as_estimated(_of_system(arguments)), ()
    if arguments.like == "testbed":
        return RECIPES["testbed"].draw(arguments.seed), ()
    if arguments.like == "uncertain":
        settings = UncertainSettings(
            arguments.machines,
            arguments.heterogeneity,
            arguments.errors,
            arguments.rate,
            arguments.tasks,
            arguments.seed,
        )
        return WorkloadFile(*draw_uncertain(settings)), ()
    wanted = BudgetSettings(arguments.jobs, arguments.states, arguments.cores, arguments.seed)
    drawn = _as_estimated(draw_budget_day(wanted))
    is_published = arguments.cores == CORES and arguments.jobs in DAY_JOULES
    joules = DAY_JOULES[int(arguments.jobs)] if is_published else math.inf
    return replace(drawn, day_joules=joules), ()


def _as_estimated(workload: Workload) -> WorkloadFile:
    return WorkloadFile(workload, Truth.as_estimated(len(workload.jobs)))


def _of_system(arguments: argparse.Namespace) -> Workload:
    system = read_system(located(arguments.system, sample_folder))
    length, seed, name = arguments.hours * HOUR, arguments.seed, Path(arguments.system).name
    if arguments.by_hour is None:
        work = SystemWork(arguments.jobs, _pattern(arguments), length, seed)
        return workload_of_system(system, work, name)
    rates = tuple(map(tuple, read_hours(arguments.by_hour, system.task_names).tolist()))
    fades = None if arguments.fades is None else arguments.fades * HOUR
    return workload_of_hours(system, HourlyWork(rates, length, fades, seed), name)


def _pattern(arguments: argparse.Namespace) -> ArrivalPattern:
    if arguments.pattern == "sinusoidal":
        return sinusoidal(arguments.swing, DAY / 2)
    if arguments.pattern == "work-hours":
        return work_hours()
    if arguments.pattern == "bursts":
        return bursts(arguments.burst)
    if arguments.pattern == "hourly":
        return hourly(arguments.rates)
    return constant()


def _of_log(arguments: argparse.Namespace) -> tuple[WorkloadFile, tuple[Problem, ...]]:
    found = read_log_work(arguments.log, LogWork(arguments.unit, arguments.units, arguments.watts))
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
