"""`wattfront generate-workload KIND -o WORKLOAD`: work that arrives, drawn or taken from a log."""

import argparse
import math
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from core.capabilities.arrivals.files.classes_file import read_classes
from core.capabilities.arrivals.files.hours_file import read_hours
from core.capabilities.arrivals.files.sizes_file import read_sizes
from core.capabilities.arrivals.files.workload_file import WorkloadFile
from core.capabilities.arrivals.files.workload_writer import refuse_workload_path, write_workload
from core.capabilities.arrivals.made.from_logs import LogWork, work_of_logs
from core.capabilities.arrivals.made.job_sizes import (
    NO_SIZES,
    OF_MODEL,
    USUAL_SPEED_UP,
    SpeedUp,
)
from core.capabilities.arrivals.made.patterns import (
    JOBS,
    SEED_FLAG,
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
    classes_of_types,
    workload_of_hours,
    workload_of_system,
)
from core.capabilities.arrivals.made.urgent import UrgentSettings, draw_urgent_day
from core.capabilities.arrivals.made.value import ValueSettings, draw_value_day
from core.capabilities.arrivals.made.value_testbed import HostSettings, draw_value_testbed
from core.capabilities.arrivals.uncertain.bags import (
    UncertainSettings,
    draw_uncertain,
)
from core.engines.logs.reading.logs import LogProgress
from core.engines.replay.classes import NO_CLASSES, JobClasses
from core.files import read_system
from core.files.disk import located
from core.files.samples.named import sample_folder
from core.shells.cli.answer import Answer
from core.shells.cli.progress import watching
from core.shells.settings.forms import declare_flags, flag_name, given_flags
from core.vocabulary.calendar import HOURS_OF_DAY
from core.vocabulary.problems import Problem, refuse
from core.vocabulary.ranges import SEED, Range
from core.vocabulary.say.words import HOUR, counted, typed
from core.vocabulary.setting import Flag, NumberIn, OneOf, WholeIn, setting, settings_in

PATTERNS: Final = ("constant", "sinusoidal", "work-hours", "bursts", "hourly")
_USUAL_SWING: Final = 0.5
_USUAL_BURST: Final = 16


@dataclass(frozen=True, slots=True)
class _SystemFlags:
    """How the tasks of a system arrive, as far as flags say it."""

    seed: int = setting(0, WholeIn(SEED), flag=SEED_FLAG)
    hours: float = setting(
        24.0,
        NumberIn(Range(1 / 60, 24 * 366, "hours")),
        flag=Flag("H", "for how long work arrives, from midnight on (default 24)"),
    )
    jobs: float | None = setting(
        None,
        NumberIn(JOBS),
        flag=Flag("N", f"jobs a day on average (default {typed(JOBS_A_DAY[0])})"),
    )
    pattern: str | None = setting(
        None,
        OneOf(PATTERNS),
        flag=Flag(
            "",
            "when work arrives: at all hours alike (constant, the default), most at noon "
            "(sinusoidal), twice as often from 9 to 18 (work-hours), many at once (bursts), or by "
            "a rate for each hour (hourly)",
        ),
    )
    swing: float | None = setting(
        None,
        NumberIn(Range(0, 1, "of the mean rate")),
        flag=Flag(
            "S",
            "sinusoidal: how far the rate goes above and below its mean "
            f"(default {typed(_USUAL_SWING)})",
        ),
    )
    burst: int | None = setting(
        None,
        WholeIn(Range(1, 1e6, "jobs at once")),
        flag=Flag("N", f"bursts: how many jobs come at once (default {_USUAL_BURST})"),
    )
    fades: float | None = setting(
        None,
        NumberIn(Range(0.001, 1e6, "hours")),
        flag=Flag(
            "H", "--by-hour: the worth of a job falls to 0 in so many hours (default: never)"
        ),
    )


_Made = tuple[WorkloadFile, tuple[Problem, ...]]
"""A workload, and warnings about what was done to a log."""


class _WorkKind(NamedTuple):
    """A kind of workload: what it is, what makes it of its arguments, and what declares these."""

    summary: str
    made: Callable[[argparse.Namespace], _Made]
    declare: Callable[[argparse.ArgumentParser], None]


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


def _flags(settings: type, *names: str) -> Callable[[argparse.ArgumentParser], None]:
    """Declares the flags of settings, and nothing else."""
    return lambda parser: declare_flags(parser, settings, *names)


def _declare_system(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("system", metavar="SYSTEM", help="its files, or the name of a sample")
    declare_flags(parser, _SystemFlags, "seed", "hours", "jobs", "pattern", "swing", "burst")
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
    declare_flags(parser, _SystemFlags, "fades")
    add_classes(parser, "the jobs of task types")


def _declare_log(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "log",
        type=Path,
        nargs="+",
        metavar="LOG",
        help="an accounting log, as for wattfront derive: SWF, sacct or a table of runs",
    )
    declare_flags(parser, LogWork)
    add_log_work(parser, "the jobs of the log")


def add_classes(parser: argparse.ArgumentParser, jobs: str) -> None:
    """Adds the flag for a file with classes of these jobs."""
    parser.add_argument(
        "--classes",
        type=Path,
        metavar="FILE",
        help=f"a CSV file that says what {jobs} are worth, and which may stop others: a row a "
        "class, with partition, qos, account, user and name (blank: any; a* is what begins with "
        "a), worth, full_hours, nothing_hours, tier, may_stop_others and may_be_stopped",
    )


def given_classes(arguments: argparse.Namespace) -> JobClasses:
    """The classes of the file that was given. Raises `InvalidInput` with all problems."""
    return NO_CLASSES if arguments.classes is None else read_classes(arguments.classes)


def add_log_work(parser: argparse.ArgumentParser, jobs: str) -> None:
    """Adds the flags that say more of these jobs than their log does: their classes and sizes."""
    add_classes(parser, jobs)
    parser.add_argument(
        "--sizes",
        type=Path,
        metavar="FILE",
        help=f"a CSV file of sizes, of which {jobs} run in one each: a row a size, with size (its "
        "name), cores, memory_gb, price (an hour, may be blank), and for jobs of a NAME "
        "seconds:NAME, what they take (blank: they cannot run in that size)",
    )
    declare_flags(parser, SpeedUp)


def given_log_work(arguments: argparse.Namespace) -> LogWork:
    """What is said of the jobs of a log. Raises `InvalidInput` with all problems."""
    given = given_flags(arguments, SpeedUp)
    refuse(_clashes_of_sizes(given, has_sizes=arguments.sizes is not None))
    sizes = NO_SIZES if arguments.sizes is None else read_sizes(arguments.sizes)
    return LogWork(
        **given_flags(arguments, LogWork),
        classes=given_classes(arguments),
        sizes=sizes,
        speed_up=SpeedUp(**given),
    )


def _clashes_of_sizes(given: Mapping[str, object], *, has_sizes: bool) -> Iterator[str]:
    declared = settings_in(SpeedUp)
    flags = {name: flag_name(name, one) for name in given if (one := declared[name].flag)}
    for flag in () if has_sizes else flags.values():
        yield f"{flag} needs --sizes FILE"
    model = given.get("model", USUAL_SPEED_UP.model)
    for other, names in OF_MODEL.items():
        if has_sizes and other != model:
            yield from (f"{flags[one]} needs --speed-up {other}" for one in names if one in flags)


def run(arguments: argparse.Namespace) -> Answer:
    refuse_workload_path(arguments.output)
    file, problems = _KINDS[arguments.kind].made(arguments)
    jobs, pools = len(file.workload.jobs), len(file.workload.pools)
    if not jobs:
        refuse(["no job was drawn; ask for more jobs, or draw with another --seed"])
    write_workload(file, arguments.output)
    data = {
        "path": str(arguments.output),
        "name": file.workload.name,
        "jobs": jobs,
        "pools": pools,
        "options": len(file.workload.options.pool),
    }
    text = f"{arguments.output}: {counted(jobs, 'job')} on {counted(pools, 'pool')}"
    return Answer.done(text, data, problems)


def _budget_day(arguments: argparse.Namespace) -> _Made:
    wanted = BudgetSettings(**given_flags(arguments, BudgetSettings))
    is_published = wanted.cores == CORES and wanted.a_day in DAY_JOULES
    joules = DAY_JOULES[int(wanted.a_day)] if is_published else math.inf
    return WorkloadFile.as_estimated(draw_budget_day(wanted), joules), ()


def _uncertain_bag(arguments: argparse.Namespace) -> _Made:
    settings = UncertainSettings(**given_flags(arguments, UncertainSettings))
    return WorkloadFile(*draw_uncertain(settings)), ()


def _urgent_day(arguments: argparse.Namespace) -> _Made:
    wanted = UrgentSettings(**given_flags(arguments, UrgentSettings))
    return WorkloadFile.as_estimated(draw_urgent_day(wanted)), ()


def _value_day(arguments: argparse.Namespace) -> _Made:
    return draw_value_day(ValueSettings(**given_flags(arguments, ValueSettings))).file, ()


def _value_testbed(arguments: argparse.Namespace) -> _Made:
    return draw_value_testbed(HostSettings(**given_flags(arguments, HostSettings))).file, ()


def _testbed(arguments: argparse.Namespace) -> _Made:
    return RECIPES["testbed"].draw(arguments.seed or 0), ()


def _of_system(arguments: argparse.Namespace) -> _Made:
    flags = _SystemFlags(**given_flags(arguments, _SystemFlags))
    refuse(_clashes(flags, has_rates=arguments.rates is not None, by_hour=arguments.by_hour))
    system = read_system(located(arguments.system, sample_folder))
    length, name = flags.hours * HOUR, Path(arguments.system).name
    classes = given_classes(arguments)
    problems = classes_of_types(system, classes).problems
    if arguments.by_hour is None:
        jobs = float(JOBS_A_DAY[0]) if flags.jobs is None else flags.jobs
        steady = SystemWork(jobs, _pattern(flags, arguments.rates), length, flags.seed, classes)
        return WorkloadFile.as_estimated(workload_of_system(system, steady, name)), problems
    rates = tuple(map(tuple, read_hours(arguments.by_hour, system.task_names).tolist()))
    fades = None if flags.fades is None else flags.fades * HOUR
    work = HourlyWork(rates, length, fades, flags.seed, classes)
    return WorkloadFile.as_estimated(workload_of_hours(system, work, name)), problems


def _clashes(flags: _SystemFlags, *, has_rates: bool, by_hour: Path | None) -> Iterator[str]:
    if (flags.pattern == "hourly") != has_rates:
        yield "--pattern hourly and --rates go together; give both or none"
    if by_hour is None and flags.fades is not None:
        yield "--fades needs --by-hour FILE"
    if by_hour is not None:
        for name, value in (("jobs", flags.jobs), ("pattern", flags.pattern)):
            if value is not None:
                yield f"--by-hour says when work arrives; leave --{name} out"
    for name, given, pattern in (
        ("swing", flags.swing, "sinusoidal"),
        ("burst", flags.burst, "bursts"),
    ):
        if given is not None and flags.pattern != pattern:
            yield f"--{name} needs --pattern {pattern}"


def _pattern(flags: _SystemFlags, rates: tuple[float, ...] | None) -> ArrivalPattern:
    match flags.pattern:
        case "sinusoidal":
            return sinusoidal(_USUAL_SWING if flags.swing is None else flags.swing)
        case "work-hours":
            return work_hours()
        case "bursts":
            return bursts(flags.burst or _USUAL_BURST)
        case "hourly":
            return hourly(rates or ())
    return constant()


def _of_log(arguments: argparse.Namespace) -> _Made:
    asked = given_log_work(arguments)
    if asked.memory is not None and not asked.sizes.rows:
        refuse(["--memory needs --sizes FILE"])
    with watching(str(arguments.log[0])) as watch:
        said = watch.showing(LogProgress.in_words)
        found = work_of_logs(arguments.log, asked, watch.stop_was_asked, said)
    notes = (Problem("", "", "", note, "warning") for note in found.notes)
    return found.file, (*found.problems, *notes)


def _rates(text: str) -> tuple[float, ...]:
    try:
        rates = tuple(float(part) for part in text.split(","))
        hourly(rates)
    except ValueError:
        raise argparse.ArgumentTypeError(
            f"'{text}' is no profile of a day; give {HOURS_OF_DAY} rates of at least 0 with commas"
        ) from None
    return rates


_KINDS: Final = {
    "budget": _WorkKind(
        "a day of parallel jobs under an energy budget",
        _budget_day,
        _flags(BudgetSettings, "seed", "a_day", "cores", "states"),
    ),
    "uncertain": _WorkKind(
        "tasks whose times are below their estimates",
        _uncertain_bag,
        _flags(UncertainSettings, "seed", "machines", "tasks", "rate", "errors", "heterogeneity"),
    ),
    "value": _WorkKind(
        "a day whose jobs run in one of several sizes, worth more early and with little energy",
        _value_day,
        _flags(ValueSettings, "seed", "cores", "memory"),
    ),
    "value-testbed": _WorkKind(
        "hours of such jobs on four small hosts, each of which a size has to fit",
        _value_testbed,
        _flags(HostSettings),
    ),
    "urgent": _WorkKind(
        "a day on which urgent jobs arrive in bursts, and may stop others",
        _urgent_day,
        _flags(
            UrgentSettings,
            *("seed", "a_day", "cores", "burst", "critical_share", "critical_time"),
            *("curves", "flags"),
        ),
    ),
    "testbed": _WorkKind(
        "benchmarks on four small clusters", _testbed, _flags(BudgetSettings, "seed")
    ),
    "system": _WorkKind(
        "the tasks of a system, which arrive by a pattern", _of_system, _declare_system
    ),
    "log": _WorkKind("the jobs of accounting logs", _of_log, _declare_log),
}
