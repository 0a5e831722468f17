"""What the library's face has of fair shares."""

import math
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from core.capabilities.fair_shares.bags import ArrivingBags
from core.capabilities.fair_shares.bags_reader import MASTER, MEMORY, inspect_bags
from core.capabilities.fair_shares.day_clock import UNKNOWN_HOURS, DayClock
from core.capabilities.fair_shares.energy import EnergyFront, energy_front
from core.capabilities.fair_shares.optimum import LeastStretch, StretchRange, least_stretch
from core.capabilities.fair_shares.recheck import faults, front_faults
from core.capabilities.fair_shares.shares import AskedBags, changed_bags
from core.capabilities.fair_shares.tasks.outcome_file import SUFFIXES, write_tasks
from core.capabilities.fair_shares.tasks.policies import (
    POLISH_EFFORT,
    TASK_POLICIES,
    PolicyRun,
    TaskPolicy,
    UnknownTaskPolicy,
    compare_policies,
    task_policy_named,
)
from core.capabilities.fair_shares.trials import NetworkChange
from core.engines.lp.program import SolverFailed
from core.files import Reading, inspect_system
from core.files.disk import STUDY_SUFFIX, located, refuse_path
from core.shells.studies import inspect_study
from core.vocabulary.arrays import FloatArray
from core.vocabulary.budget import SECONDS, Budget, Effort, NoScheduleFound, never
from core.vocabulary.prices.site import Site
from core.vocabulary.problems import Problem, refuse, refusing
from core.vocabulary.ranges import SEED
from core.vocabulary.setting import WholeIn, lone, strange
from core.vocabulary.system import NoPowerData, System

ALL: Final = "all"
"""Stands for all policies."""


class GivenBags(NamedTuple):
    """The bags; the durations that stretches are multiples of, if these are not the ideal ones (s);
    what is to be said about their files; and the clock and the site that these say.
    """

    bags: ArrivingBags
    baseline: FloatArray | None
    problems: tuple[Problem, ...]
    clock: DayClock = UNKNOWN_HOURS
    site: Site | None = None


@dataclass(frozen=True, slots=True, eq=False)
class FairSharing:
    """How fairly bags can share machines and links.

    `optimum` is the best possible worst stretch, and `wrong` what an independent check finds wrong
    with its plan. `runs` are what comes of whole tasks under each policy, measured by ideal
    durations: `ideal` is the optimum of these. `front` is that of worst stretch and energy; None
    if it was not asked for, or was stopped before it had a vertex.
    """

    optimum: LeastStretch
    wrong: tuple[str, ...]
    ideal: LeastStretch
    runs: tuple[PolicyRun, ...]
    front: EnergyFront | None
    front_wrong: tuple[str, ...]
    seconds: float

    @property
    def verified(self) -> bool:
        """Whether independent checks agree with all plans and outcomes."""
        return not (self.wrong or self.front_wrong or any(run.faults for run in self.runs))


def fair_shares(
    bags: ArrivingBags | str | Path,
    *,
    policies: Sequence[str] = (),
    front: bool = False,
    bandwidth: float | None = None,
    buffers: float | None = None,
    seconds: float = POLISH_EFFORT.seconds,
    seed: int = 0,
    output: str | Path | None = None,
    should_stop: Callable[[], bool] = never,
    report: Callable[[StretchRange | float], None] | None = None,
) -> FairSharing:
    """How fairly bags of tasks that arrive can share machines and links.

    Parameters
    ----------
    bags : ArrivingBags, str or Path
        The bags: a system with their tables, a study file, or the name of a sample.
    policies : sequence of str
        Policies for whole tasks, as `--policy` names them; `all` are all of them.
    front : bool
        Whether the front of worst stretch and energy is computed, too.
    bandwidth : float, optional
        What the master sends to all machines together (MB/s), in place of what the files say.
    buffers : float, optional
        The memory of each machine for data of tasks (MB; infinite: unlimited), in place of what
        the files say.
    seconds : float
        Polish at each release, for policies that polish (s).
    seed : int
        The seed of polish.
    output : str or Path, optional
        A .csv file for when each task is sent, starts and ends, under the one policy.
    should_stop : callable
        Asked from time to time.
    report : callable, optional
        Told between which values the least worst stretch is, then how far the front is known.

    Returns
    -------
    FairSharing
        Stretches are multiples of the time that a bag takes alone.

    Raises
    ------
    InvalidInput
        If the bags, a policy or the output cannot be used.
    NoScheduleFound
        If it was stopped before the optimum was known.

    Examples
    --------
    >>> shared: FairSharing = fair_shares("morning", policies=["fifo-rr"])
    >>> round(shared.optimum.stretch, 3), shared.runs[0].scores.max_stretch >= 2.417
    (2.417, True)
    """
    refuse(lone(policies=policies))
    refuse(
        strange(
            bandwidth=(None if bandwidth == math.inf else bandwidth, MASTER),
            buffers=(None if buffers == math.inf else buffers, MEMORY),
            seconds=(seconds, SECONDS),
            seed=(seed, WholeIn(SEED)),
        )
    )
    chosen = chosen_policies(policies)
    refuse_output(output, chosen)
    name = "" if isinstance(bags, ArrivingBags) else str(bags)
    given = GivenBags(bags, None, ()) if isinstance(bags, ArrivingBags) else bags_named(name)
    given = given._replace(bags=NetworkChange(bandwidth, buffers).applied(given.bags))
    budget, effort = Budget(should_stop=should_stop), Effort(seconds, seed=seed)
    with refusing(NoPowerData, SolverFailed, of=name):
        shared = sharing_of(given, chosen, effort, budget, front=front, report=report)
    if output is not None:
        write_tasks(shared.runs[0].outcome, Path(output))
    return shared


def chosen_policies(names: Sequence[str]) -> list[TaskPolicy]:
    """Policies by their names, each once; `all` are all of them. Raises `InvalidInput`."""
    with refusing(UnknownTaskPolicy, of=""):
        named = [task_policy_named(name) for name in dict.fromkeys(names) if name != ALL]
    return [*TASK_POLICIES.values()] if ALL in names else named


def refuse_output(
    output: str | Path | None, policies: Sequence[TaskPolicy], trials: int = 1
) -> None:
    """Raise `InvalidInput` if no outcome can be written there, before it is computed."""
    if output is None:
        return
    if len(policies) != 1 or trials > 1:
        refuse(["--output takes the outcome of one policy in one trial; name it with --policy"])
    refuse_path(Path(output), SUFFIXES)


def sharing_of(
    given: GivenBags,
    policies: Sequence[TaskPolicy],
    effort: Effort,
    budget: Budget,
    *,
    front: bool,
    report: Callable[[StretchRange | float], None] | None,
) -> FairSharing:
    """`fair_shares` of bags that are read. Raises the errors of that."""
    bags, baseline = given.bags, given.baseline
    if front and bags.system.apc is None:
        raise NoPowerData
    begun = time.perf_counter()
    optimum = least_stretch(bags, budget, report, baseline=baseline)
    seconds = time.perf_counter() - begun
    ideal, runs = optimum, []
    if policies:
        if baseline is not None:
            ideal = least_stretch(bags, budget, early=False)
        runs = compare_policies(ideal, policies, effort, budget)
    measure = None if baseline is None else baseline.tolist()
    wrong = faults(optimum.plan, optimum.plan_stretch, measure)
    found = None
    if front:
        with suppress(NoScheduleFound):  # it was stopped before there was a vertex
            found = energy_front(optimum, budget, report)
    front_wrong = [] if found is None else front_faults(found, measure)
    return FairSharing(
        optimum,
        tuple(wrong),
        ideal,
        tuple(runs),
        found,
        tuple(front_wrong),
        seconds,
    )


def bags_named(
    name: str, read_system: Callable[[Path], Reading[System]] = inspect_system
) -> GivenBags:
    """The bags at a path, of a sample, or of a study with its what-if. Raises `InvalidInput`."""
    path = located(name, _sample)
    if path.suffix.casefold() == STUDY_SUFFIX and (found := _of_study(path)) is not None:
        return found
    reading = read_system(path)
    bags = inspect_bags(path, reading.require())
    new = (one for one in bags.problems if one not in reading.problems)
    return GivenBags(bags.require(), None, (*reading.problems, *new))


def _of_study(path: Path) -> GivenBags | None:
    """None if the file is no study, or one that asks nothing about bags."""
    study = inspect_study(path)
    settings = None if study.value is None else study.value.settings
    asked = None if settings is None else settings.block(AskedBags)
    if settings is None or asked is None:
        return None
    bags, baseline = asked.bags, None
    if asked.change.is_any:
        bags, baseline = changed_bags(bags, asked.change)
    return GivenBags(bags, baseline, study.problems, asked.clock, settings.site)


def _sample(name: str) -> Path:
    from core.files.samples.named import BAGS, bags_folder, sample_folder  # not needed for a path

    return bags_folder(name) if name in BAGS else sample_folder(name)
