"""What the library's face has of work that arrives."""

import math
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, get_args

from core.capabilities.arrivals.asked import COMMAND_USUAL, SHARE, TRIALS
from core.capabilities.arrivals.files.classes_file import read_classes
from core.capabilities.arrivals.files.outcome_file import OUTCOME_SUFFIXES, write_outcome
from core.capabilities.arrivals.files.sizes_file import read_sizes
from core.capabilities.arrivals.files.weights_file import read_weights
from core.capabilities.arrivals.files.workload_file import WorkloadFile
from core.capabilities.arrivals.files.workload_reader import inspect_workload
from core.capabilities.arrivals.made.from_logs import (
    USUAL_LOG_WORK,
    LogWork,
    is_log_alone,
    work_of_logs,
)
from core.capabilities.arrivals.made.job_sizes import (
    NO_SIZES,
    USUAL_SPEED_UP,
    JobSizes,
    SpeedUp,
)
from core.capabilities.arrivals.made.recipes import DRAWN_JOBS, RECIPES, recipe_named
from core.capabilities.arrivals.policies import (
    DROP,
    FILTERS,
    LENIENCY,
    MEMORY_WEIGHT,
    POLICIES,
    STOPPING,
    STOPS,
    VALUE,
    EnergyFilter,
    FilterName,
    PolicySwitches,
    StopName,
    UnknownPolicy,
    policy_named,
    stopping_policy,
)
from core.capabilities.arrivals.study_block import QUESTIONS, asked_in
from core.capabilities.arrivals.trials import (
    JoulesAllowed,
    ReplayComparison,
    ReplayQuestion,
    compare_policies,
    outcome_of_trial,
    settings_of_trial,
)
from core.capabilities.arrivals.uncertain.methods import BAG_METHODS, EXCHANGE, WEIGHED, bag_of
from core.engines.compute.executors import EngineRefused, engine_named, usual_engine
from core.engines.compute.many import RunsProgress
from core.engines.logs.reading.logs import LogProgress, refusal_of
from core.engines.logs.types.requeued import LostWork
from core.engines.replay.classes import NO_CLASSES, JobClass
from core.engines.replay.clock import EVERY
from core.engines.replay.stopping.rules import FREE, Stopping
from core.engines.replay.value import ValueWeights
from core.files.disk import STUDY_SUFFIX, located, refuse_path
from core.files.document import STUDY_FORMAT
from core.shells.studies import inspect_study
from core.vocabulary.budget import never
from core.vocabulary.prices.site import Site
from core.vocabulary.problems import InvalidInput, Problem, refuse, refusing
from core.vocabulary.ranges import SEED, Range
from core.vocabulary.setting import WholeIn, lone, strange, strange_settings

ALL: Final = "all"
_HEAD: Final = 200
_JOULES: Final = Range(0.0, math.inf, "J")
BETWEEN_EVENTS: Final = Range(0.001, 1e9, "s")
_PREPARATION: Final = "core.capabilities.arrivals.trials"


@dataclass(frozen=True, slots=True)
class AskedReplay:
    """What is asked of a workload. None: it was not said, and the usual value holds."""

    policies: tuple[str, ...] = (ALL,)
    budget: JoulesAllowed = field(default_factory=JoulesAllowed)
    drop_below: float | None = None
    filter: EnergyFilter | None = None
    every: float | None = None
    exchange: float | None = None
    trials: int = COMMAND_USUAL.days
    seed: int = COMMAND_USUAL.seed
    bounded: bool = True
    stop: StopName | None = None
    stopping: Stopping = FREE
    weights: ValueWeights | None = None
    memory_weight: float = COMMAND_USUAL.memory_weight


@dataclass(frozen=True, slots=True, eq=False)
class GivenWork:
    """The workload that was named: itself, or the name of a recipe; the seconds between events;
    what its files say, also of a site; what a log lost with jobs that were requeued; and classes
    and sizes.
    """

    name: str
    source: WorkloadFile | str
    every: float = EVERY
    of_bags: bool = False
    problems: tuple[Problem, ...] = ()
    notes: tuple[str, ...] = ()
    site: Site | None = None
    lost: LostWork | None = None
    classes: tuple[JobClass, ...] = ()
    sizes: JobSizes = NO_SIZES

    @property
    def _of_value(self) -> bool:
        """Whether its options add to the worth of their jobs, as in value of service."""
        if isinstance(self.source, WorkloadFile):
            return self.source.of_value
        recipe = recipe_named(self.source)
        return recipe is not None and recipe.of_value

    def asked(self, asked: AskedReplay) -> ReplayQuestion:
        """The question about it. Raises `InvalidInput` if something does not fit it."""
        policies = _policies(asked, of_bags=self.of_bags, of_value=self._of_value)
        refuse(_clashes(self, asked, policies))
        drop_below = COMMAND_USUAL.drop_below if asked.drop_below is None else asked.drop_below
        question = ReplayQuestion(
            self.source,
            policies,
            PolicySwitches(drop_below, asked.filter, asked.memory_weight),
            asked.budget,
            asked.every or self.every,
            asked.seed,
            asked.trials,
            asked.bounded,
            asked.exchange,
            asked.stopping,
            asked.weights,
        )
        question.file(0)  # which refuses weights that are not for it
        refuse(_no_bags(question))
        return question


def replay(
    workload: WorkloadFile | str | Path,
    *,
    policies: Sequence[str] = (ALL,),
    budget: float | None = None,
    budget_share: float | None = None,
    drop: float | None = None,
    energy_filter: tuple[FilterName, float] | None = None,
    every: float | None = None,
    exchange_rate: float | None = None,
    trials: int = COMMAND_USUAL.days,
    seed: int = COMMAND_USUAL.seed,
    bound: bool = True,
    question: str | None = None,
    stop: StopName | None = None,
    stopping: Stopping = FREE,
    classes: str | Path | None = None,
    sizes: str | Path | None = None,
    speed_up: SpeedUp = USUAL_SPEED_UP,
    weights: str | Path | None = None,
    memory_weight: float = COMMAND_USUAL.memory_weight,
    engine: str | None = None,
    output: str | Path | None = None,
    should_stop: Callable[[], bool] = never,
    report: Callable[[RunsProgress], None] | None = None,
) -> ReplayComparison:
    """What comes of work that arrives, under each policy.

    Parameters
    ----------
    workload : WorkloadFile, str or Path
        A workload, a file of one, an accounting log, a study file with such a question, the name of
        a sample, or of a recipe that draws one for each trial, such as "testbed".
    policies : sequence of str
        Names of policies, or of methods for bags of tasks; "all" is all that fit.
    budget : float, optional
        The energy that jobs may draw in a day (J); infinite: no limit (default: what the workload
        says).
    budget_share : float, optional
        The same, as a share of what jobs draw under max-upr without a budget, in each trial.
    drop : float, optional
        A job is dropped when it can no longer be worth so much; -1: none is dropped.
    energy_filter : tuple of str and float, optional
        Leaves out options that take much energy, for policies that do not look at energy: a kind,
        "resource" or "task", with its leniency, such as ("task", 2.0).
    every : float, optional
        The time between mapping events (s).
    exchange_rate : float, optional
        For the method "weighed": what a second less of makespan is worth (J/s).
    trials : int
        How many workloads to draw.
    seed : int
        The seed of the first trial; the next have the next ones.
    bound : bool
        Whether to prove what no policy could have beaten.
    question : str, optional
        Of a study file that asks both: "arrivals", what policies do, or "late", what methods for
        bags of tasks do (default: the first that is there).
    stop : {"now", "greedy", "diff", "pair", "tiers", "prices"}, optional
        How the policies stop jobs that run for others; those that cannot are refused, or with "all"
        left out.
    stopping : Stopping
        What becomes of a job that is stopped, in seconds, and whom to stop first.
    classes : str or Path, optional
        Of an accounting log: a CSV file of classes of jobs, what they are worth, and which of them
        may stop others.
    sizes : str or Path, optional
        Of an accounting log: a CSV file of sizes (cores, memory), of which each job runs in one.
    speed_up : SpeedUp
        How what jobs take in a size follows from what they took in the log.
    weights : str or Path, optional
        For value of service: a CSV file of weights by category and period, beside periods.csv, in
        place of those of the workload.
    memory_weight : float
        For the policy "max-vptr": a share of the memory counts as so many shares of the cores.
    engine : str, optional
        Where it is computed: "here", "processes", "processes:N" or the address of a Dask
        scheduler. Without one, what the variable WATTFRONT_ENGINE says, or here.
    output : str or Path, optional
        A .csv or .parquet file for the outcome of the one policy in the first trial.
    should_stop : callable
        Asked from time to time; the answer has the trials that are done.
    report : callable, optional
        Told how many replays are done.

    Returns
    -------
    ReplayComparison
        The trials of each policy: worth, energy (J), and what the judge says.

    Raises
    ------
    InvalidInput
        If the workload, a policy or the output cannot be used, or they do not go together.

    Examples
    --------
    >>> compared: ReplayComparison = replay("small-day", policies=["max-upr"])
    >>> compared.complete, compared.refused
    (True, [])
    >>> Stopping(checkpoints=3600.0).is_free
    False
    >>> SpeedUp("downey", parallelism=32.0).in_words
    "Downey's model (average parallelism 32, sigma 1)"
    """
    refuse(lone(policies=policies))
    refuse(
        strange(
            budget=(budget, _JOULES),
            budget_share=(budget_share, SHARE),
            drop=(drop, DROP),
            every=(every, BETWEEN_EVENTS),
            exchange_rate=(exchange_rate, EXCHANGE),
            trials=(trials, WholeIn(TRIALS)),
            seed=(seed, WholeIn(SEED)),
            question=(question, QUESTIONS),
            stop=(stop, get_args(StopName)),
            memory_weight=(memory_weight, MEMORY_WEIGHT),
        )
    )
    refuse(_strange_filter(energy_filter))
    refuse(strange_settings(speed_up))
    if budget is not None and budget_share is not None:
        refuse(["budget and budget_share say the same in two ways; give one of them"])
    if not policies:
        refuse([f"policies are empty; give some, or {ALL}"])
    with refusing(EngineRefused, of=""):
        where = engine or usual_engine()
    path = None if output is None else Path(output)
    refuse_output(path, policies)
    asked = AskedReplay(
        tuple(policies),
        JoulesAllowed(budget, budget_share),
        drop,
        None if energy_filter is None else EnergyFilter(*energy_filter),
        every,
        exchange_rate,
        trials,
        seed,
        bound,
        stop,
        stopping,
        None if weights is None else read_weights(Path(weights)),
        memory_weight,
    )
    work = LogWork(
        classes=NO_CLASSES if classes is None else read_classes(Path(classes)),
        sizes=NO_SIZES if sizes is None else read_sizes(Path(sizes)),
        speed_up=speed_up,
    )
    if isinstance(workload, WorkloadFile):
        refuse(_no_log("the workload", work))
        given = GivenWork("", workload)
    else:
        name = str(workload)
        given = given_work(name, should_stop, question=question, work=work)
    return replayed(given.asked(asked), where, path, should_stop=should_stop, report=report)


def _strange_filter(given: tuple[FilterName, float] | None) -> Iterator[str]:
    if given is None:
        return
    if not isinstance(given, tuple) or len(given) != len(EnergyFilter._fields):
        yield f"energy_filter is {given!r}; give its kind and its leniency, as ('task', 2.0)"
        return
    kind, leniency = given
    yield from strange(kind=(kind, FILTERS), leniency=(leniency, LENIENCY))


def refuse_output(output: Path | None, policies: Sequence[str]) -> None:
    """Raise `InvalidInput` if the outcome cannot be written there, or is not of one policy."""
    if output is None:
        return
    if len(policies) != 1 or ALL in policies:
        refuse(["--output takes the outcome of one policy; name it with --policy"])
    refuse_path(output, OUTCOME_SUFFIXES)


def replayed(
    question: ReplayQuestion,
    engine: str,
    output: Path | None,
    *,
    should_stop: Callable[[], bool],
    report: Callable[[RunsProgress], None] | None,
) -> ReplayComparison:
    """`replay` of a question. Raises `InvalidInput` if the engine cannot be used."""
    with refusing(EngineRefused, of=""), engine_named(engine, _PREPARATION) as used:
        found = compare_policies(question, used, should_stop=should_stop, report=report)
        if found.complete and output is not None:
            _write(found, output)
    return found


def given_work(
    name: str,
    should_stop: Callable[[], bool] = never,
    report: Callable[[LogProgress], None] | None = None,
    question: str | None = None,
    work: LogWork = USUAL_LOG_WORK,
) -> GivenWork:
    """The workload of this name, or at this path; of a study, that of its `question`; of a log,
    with this said of its jobs. Raises `InvalidInput`, and `Stopped` while a log is read.
    """
    recipe = recipe_named(name)
    if recipe is not None and not os.path.lexists(name):
        refuse(_no_log(name, work))
        return GivenWork(name, name, recipe.every, recipe.of_bags)
    path = located(name, _sample)
    is_log = is_log_alone(path)
    refuse([] if is_log else _no_log(name, work))
    if _is_study(path):
        return _in_study(path, name, question)
    if question:
        refuse([f"--question {question}: {name} is no study file; leave --question out"])
    if is_log:
        found = work_of_logs([path], work, should_stop, report)
        return GivenWork(
            name,
            found.file,
            problems=found.problems,
            notes=found.notes,
            lost=found.lost,
            classes=work.classes.rows,
            sizes=work.sizes,
        )
    reading = inspect_workload(path)
    if reading.value is None and (why := refusal_of(path)):
        raise InvalidInput([Problem(path.name, "", "", why)])
    file = reading.require()
    return GivenWork(name, file, problems=reading.problems, notes=reading.notes)


def _no_log(name: str, work: LogWork) -> Iterator[str]:
    """Why classes or sizes, if there are any, cannot be used: this workload is no log."""
    if work.sizes.rows:
        yield (
            f"--sizes are for an accounting log, and {name} is none; leave --sizes out, and give "
            "each job its sizes in options.csv, with units and memory_gb"
        )
    if work.classes.rows:
        yield (
            f"--classes are for an accounting log, and {name} is none; leave --classes out, and "
            "say of each job in jobs.csv its priority and curve, may_stop_others, may_be_stopped "
            "and tier"
        )


def _is_study(path: Path) -> bool:
    """Whether a file says in its first bytes that it is a study, as Wattfront writes them."""
    if path.suffix.casefold() != STUDY_SUFFIX or not path.is_file():
        return False
    with path.open("rb") as stream:
        return STUDY_FORMAT.encode() in stream.read(_HEAD)


def _in_study(path: Path, name: str, question: str | None) -> GivenWork:
    reading = inspect_study(path)
    study = reading.require().settings
    asked = asked_in(study, question)
    if asked is None:
        what = "work that arrives; replay a workload"
        if question and asked_in(study) is not None:
            what = f"this; leave --question {question} out"
        message = f"the study does not ask about {what}"
        raise InvalidInput([Problem(path.name, "", "", message)])
    replays = asked.settings.question(asked.given)
    of_bags = asked.settings.of_bags
    every, problems = replays.every, reading.problems
    given = asked.given
    work = GivenWork(name, replays.source, every, of_bags, problems, (), study.site)
    if given is None:
        return work
    return replace(work, lost=given.lost, classes=given.classes, sizes=given.sizes)


def _sample(name: str) -> Path:
    from core.files.samples.named import workload_folder  # not needed for a path

    try:
        return workload_folder(name)
    except ValueError as unknown:
        sizes = f"{DRAWN_JOBS.low:,} to {DRAWN_JOBS.high:,}"
        drawn = (
            f"{', '.join(RECIPES)}, budget-N and urgent-N with N jobs a day ({sizes}), and "
            "value-CORES-GB"
        )
        raise ValueError(f"{unknown}; these are drawn: {drawn}") from unknown


def _policies(asked: AskedReplay, *, of_bags: bool, of_value: bool) -> tuple[str, ...]:
    if ALL in asked.policies:
        if asked.stop is not None and not of_bags:
            return tuple(STOPS[asked.stop].values())
        return tuple(BAG_METHODS) if of_bags else tuple(VALUE) if of_value else tuple(POLICIES)
    names = list(dict.fromkeys(asked.policies))
    with refusing(UnknownPolicy, of=""):
        for name in names:
            if name not in BAG_METHODS:
                policy_named(name)
        if asked.stop is not None:
            names = [stopping_policy(name, asked.stop) for name in names]
    return tuple(dict.fromkeys(names))


def _clashes(given: GivenWork, asked: AskedReplay, policies: tuple[str, ...]) -> Iterator[str]:
    if asked.trials > 1 and not isinstance(given.source, str):
        yield (
            f"--trials {asked.trials}: {given.name} is one workload, and a replay of "
            "it gives the same each time; leave --trials out, or name one that is drawn: "
            f"{', '.join(RECIPES)}"
        )
    limited = asked.budget.day_joules not in (None, math.inf) or asked.budget.share is not None
    for method in _first_of_bags(policies):
        if limited:
            yield f"{method} knows no energy budget; leave the budget out, or the method"
        if asked.drop_below is not None:
            yield f"{method} does all jobs and drops none; leave --drop out, or the method"
        if asked.filter is not None:
            yield f"{method} uses no energy filter; leave --filter out, or the method"
    if asked.every is not None and not any(map(_has_events, policies)):
        yield f"{policies[0]} plans at no fixed times; leave --every out, or choose batch methods"
    if asked.stopping != FREE and not STOPPING.keys() & set(policies):
        yield "no policy stops a job; give --stop, or leave out what becomes of one"
    if asked.exchange is not None and WEIGHED.name not in policies:
        yield f"--exchange-rate is for the method {WEIGHED.name}; add it, or leave the rate out"


def _first_of_bags(policies: tuple[str, ...]) -> list[str]:
    return [policy for policy in policies if policy in BAG_METHODS][:1]


def _no_bags(question: ReplayQuestion) -> Iterator[str]:
    """Why a workload is none for methods for bags, if there are any. Raises `InvalidInput` for what
    they do not take.
    """
    for method in _first_of_bags(question.policies):
        bag_of(question.file(0).workload)
        if math.isfinite(question.day_joules(0, None)):
            yield (
                f"{method} knows no energy budget, and the workload has one; add --budget none, or "
                "leave the method out"
            )


def _has_events(policy: str) -> bool:
    return policy not in BAG_METHODS or BAG_METHODS[policy].when == "batch"


def _write(found: ReplayComparison, path: Path) -> None:
    question = found.question
    policy = question.policies[0]
    unlimited = found.unlimited.get(0)
    outcome, _ = outcome_of_trial(question, 0, policy, unlimited)
    settings = settings_of_trial(question, 0, unlimited)
    write_outcome(outcome, path, replace(settings, windows=outcome.windows))
