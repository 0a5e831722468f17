"""The workload that a name, a path or a program gives, and the question that is asked about it."""

import math
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from core.capabilities.arrivals.asked import COMMAND_USUAL
from core.capabilities.arrivals.files.workload_file import WorkloadFile
from core.capabilities.arrivals.files.workload_reader import inspect_workload
from core.capabilities.arrivals.made.from_logs import (
    USUAL_LOG_WORK,
    LogWork,
    is_log_alone,
    work_of_logs,
)
from core.capabilities.arrivals.made.job_sizes import NO_SIZES, JobSizes
from core.capabilities.arrivals.made.recipes import DRAWN_JOBS, RECIPES, recipe_named
from core.capabilities.arrivals.policies import (
    POLICIES,
    STOPPING,
    STOPS,
    VALUE,
    EnergyFilter,
    PolicySwitches,
    StopName,
    UnknownPolicy,
    policy_named,
    stopping_policy,
)
from core.capabilities.arrivals.question import JoulesAllowed, ReplayQuestion
from core.capabilities.arrivals.study_block import asked_in
from core.capabilities.arrivals.uncertain.methods import BAG_METHODS, WEIGHED, bag_of
from core.engines.logs.reading.logs import LogProgress, refusal_of
from core.engines.logs.types.requeued import LostWork
from core.engines.replay.classes import JobClass
from core.engines.replay.clock import EVERY
from core.engines.replay.stopping.rules import FREE, Stopping
from core.engines.replay.value import ValueWeights
from core.files.disk import located
from core.shells.studies import inspect_study, is_study_file
from core.vocabulary.budget import never
from core.vocabulary.prices.site import Site
from core.vocabulary.problems import InvalidInput, Problem, refuse, refusing

ALL: Final = "all"


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
        source, weights = self.source, asked.weights
        if weights is not None and isinstance(source, WorkloadFile):
            source, weights = source.weighed(weights), None
        question = ReplayQuestion(
            source,
            policies,
            PolicySwitches(drop_below, asked.filter, asked.memory_weight),
            asked.budget,
            asked.every or self.every,
            asked.seed,
            asked.trials,
            asked.bounded,
            asked.exchange,
            asked.stopping,
            weights,
        )
        if weights is not None:
            question.file(0)  # which refuses those that are not for it
        refuse(_no_bags(question))
        return question


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
        refuse(no_log(name, work))
        return GivenWork(name, name, recipe.every, recipe.of_bags)
    path = located(name, _sample)
    is_log = is_log_alone(path)
    refuse([] if is_log else no_log(name, work))
    if is_study_file(path):
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


def no_log(name: str, work: LogWork) -> Iterator[str]:
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
