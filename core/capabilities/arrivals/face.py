"""What the library's face has of work that arrives."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, get_args

from core.capabilities.arrivals.asked import COMMAND_USUAL, SHARE, TRIALS
from core.capabilities.arrivals.files.classes_file import read_classes
from core.capabilities.arrivals.files.outcome_file import OUTCOME_SUFFIXES, write_outcome
from core.capabilities.arrivals.files.sizes_file import read_sizes
from core.capabilities.arrivals.files.weights_file import read_weights
from core.capabilities.arrivals.files.workload_file import WorkloadFile
from core.capabilities.arrivals.given import ALL, AskedReplay, GivenWork, given_work, no_log
from core.capabilities.arrivals.made.from_logs import LogWork
from core.capabilities.arrivals.made.job_sizes import (
    NO_SIZES,
    USUAL_SPEED_UP,
    SpeedUp,
)
from core.capabilities.arrivals.policies import (
    DROP,
    FILTERS,
    LENIENCY,
    MEMORY_WEIGHT,
    EnergyFilter,
    FilterName,
    StopName,
)
from core.capabilities.arrivals.question import JoulesAllowed, ReplayQuestion
from core.capabilities.arrivals.study_block import QUESTIONS
from core.capabilities.arrivals.trials import (
    ReplayComparison,
    compare_policies,
    outcome_of_trial,
    settings_of_trial,
)
from core.capabilities.arrivals.uncertain.methods import EXCHANGE
from core.engines.compute.executors import EngineRefused, engine_named, usual_engine
from core.engines.compute.many import RunsProgress
from core.engines.replay.classes import NO_CLASSES
from core.engines.replay.stopping.rules import FREE, Stopping
from core.files.disk import refuse_path
from core.vocabulary.budget import never
from core.vocabulary.problems import refuse, refusing
from core.vocabulary.ranges import SEED, Range
from core.vocabulary.setting import WholeIn, lone, strange, strange_settings

_JOULES: Final = Range(0.0, math.inf, "J")
BETWEEN_EVENTS: Final = Range(0.001, 1e9, "s")
_PREPARATION: Final = "core.capabilities.arrivals.trials"


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
        refuse(no_log("the workload", work))
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


def _write(found: ReplayComparison, path: Path) -> None:
    question = found.question
    policy = question.policies[0]
    unlimited = found.unlimited.get(0)
    outcome, _ = outcome_of_trial(question, 0, policy, unlimited)
    settings = settings_of_trial(question, 0, unlimited)
    write_outcome(outcome, path, replace(settings, windows=outcome.windows))
