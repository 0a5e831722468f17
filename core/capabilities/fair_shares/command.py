"""`wattfront stretch SYSTEM`: how fairly bags that arrive can share machines and links."""

import argparse
import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from core.capabilities.fair_shares.bags import ArrivingBags
from core.capabilities.fair_shares.bags_reader import MASTER, MEGABYTE, MEMORY
from core.capabilities.fair_shares.day_clock import ElapsedTime
from core.capabilities.fair_shares.energy_words import reached_said, told_of_front
from core.capabilities.fair_shares.face import FairSharing, sharing_of
from core.capabilities.fair_shares.given_bags import GivenBags, given_bags
from core.capabilities.fair_shares.optimum import StretchRange
from core.capabilities.fair_shares.redrawn import mean_gap
from core.capabilities.fair_shares.scenarios import published_scenario
from core.capabilities.fair_shares.shares import AskedBags, FairShares
from core.capabilities.fair_shares.tasks.comparison import PolicyRun
from core.capabilities.fair_shares.tasks.outcome_writer import refuse_task_path, write_tasks
from core.capabilities.fair_shares.tasks.policies import (
    POLISH_EFFORT,
    TASK_POLICIES,
    TaskPolicy,
    UnknownTaskPolicy,
    task_policy_named,
)
from core.capabilities.fair_shares.tasks.words import told_of_policies
from core.capabilities.fair_shares.told import told
from core.capabilities.fair_shares.trials.drawn import (
    DrawnTrials,
    MeasuredBags,
    NetworkChange,
    run_trials,
)
from core.capabilities.fair_shares.trials.means import TaskPolicyMeans, TrialMeans
from core.capabilities.fair_shares.trials.words import redrawn_said, told_of_trials, trials_progress
from core.capabilities.fair_shares.words import range_said
from core.engines.compute.executors import (
    EngineRefused,
    engine_named,
    usual_engine,
)
from core.engines.compute.many import RunsFailed
from core.engines.lp.program import SolverFailed
from core.shells.cli.answer import SUCCESS, UNVERIFIED, Answer, told_answer
from core.shells.cli.arguments import add_engine, add_system
from core.shells.cli.numbers import number_within, whole_within
from core.shells.cli.progress import watching
from core.shells.told.told import Told
from core.vocabulary.budget import SECONDS, Budget, Effort
from core.vocabulary.problems import InvalidInput, Problem, refuse, refusing
from core.vocabulary.ranges import SEED, Range
from core.vocabulary.say.words import Sense, counted, duration, typed

ALL: Final = "all"
DRAWN: Final = "published"
"""Names scenarios that are drawn like the published ones."""
_PREPARATION: Final = "core.capabilities.fair_shares.trials.drawn"
TRIALS: Final = Range(1, 10_000, "trials")


def declare(parser: argparse.ArgumentParser) -> None:
    add_system(parser)
    parser.add_argument(
        "--policy",
        action="append",
        metavar="NAME",
        help="what comes of whole tasks under a policy: "
        f"{', '.join(TASK_POLICIES)}; or {ALL}. Can be given several times",
    )
    known = parser.add_mutually_exclusive_group()
    known.add_argument(
        "--offline",
        action="store_true",
        help=f"of --policy {ALL}, leave out plans that learn of a bag only at its release",
    )
    known.add_argument(
        "--online",
        action="store_true",
        help=f"of --policy {ALL}, leave out plans that know all bags from the beginning",
    )
    parser.add_argument(
        "--front",
        action="store_true",
        help="the least energy for each worst stretch, with every vertex of this front",
    )
    parser.add_argument(
        "--bandwidth",
        type=number_within(MASTER),
        metavar="B",
        help="what the master sends to all machines together (MB/s), in place of what the files "
        "say",
    )
    parser.add_argument(
        "--buffers",
        type=_buffers,
        metavar="unlimited|none|MB",
        help="memory of each machine for data of tasks, in place of what the files say",
    )
    parser.add_argument(
        "--trials",
        type=whole_within(TRIALS),
        default=1,
        metavar="N",
        help="compare the policies in so many trials, by means with 95 %% intervals: each has the "
        "bags in another random order with random gaps, or is, for the SYSTEM "
        f"{DRAWN}, a scenario of 20 bags on 10 machines like those of the publication (default 1: "
        "the release dates as they are)",
    )
    add_engine(parser, "--trials are")
    parser.add_argument(
        "--seed",
        type=whole_within(SEED),
        default=0,
        metavar="N",
        help="of the first trial; the next have the next ones. Also of polish (default 0)",
    )
    parser.add_argument(
        "--seconds",
        type=number_within(SECONDS),
        default=POLISH_EFFORT.seconds,
        metavar="S",
        help="of polish at each release, for policies that polish (default "
        f"{typed(POLISH_EFFORT.seconds)})",
    )
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="OUTCOME",
        help="write when each task is sent, has arrived, starts and ends under one policy, as "
        ".csv, with its system beside it; wattfront verify judges it",
    )


def run(arguments: argparse.Namespace) -> Answer:
    policies = _policies(arguments)
    refuse(_clashes(arguments, policies))
    if arguments.output is not None:
        refuse_task_path(arguments.output)
    if arguments.trials > 1:
        return _of_trials(arguments, policies)
    given = _given(arguments)
    with watching(arguments.system) as watch:
        budget = Budget(should_stop=watch.stop_was_asked)
        shared = sharing_of(
            given,
            policies,
            _effort(arguments),
            budget,
            front=arguments.front,
            report=watch.showing(_progress),
        )
    said = _told(shared, with_front=arguments.front)
    facts = [_took(shared.seconds, shared.optimum.programs)]
    data = {**said.data, "verified": shared.verified, "seconds": shared.seconds}
    if arguments.output is not None:
        write_tasks(shared.runs[0].outcome, arguments.output)
        data["path"] = str(arguments.output)
        facts.append(("written to", str(arguments.output)))
    answer = told_answer(arguments.system, replace(said, data=data), facts, given.problems)
    return replace(answer, status=SUCCESS if shared.verified else UNVERIFIED)


def _told(shared: FairSharing, *, with_front: bool) -> Told:
    """All that is said of promises, of whole tasks, and of the front if it was asked for."""
    asked = AskedBags(shared.optimum.bags, clock=ElapsedTime())
    scores = {one.policy.label: one.scores.as_dict() for one in shared.runs}
    wrong = [f"{one.policy.label}: {fault}" for one in shared.runs for fault in one.faults]
    worst = min((one["max_stretch"] for one in scores.values()), default=None)
    found = FairShares(asked, shared.optimum, None, None, shared.wrong)
    said = told(found, None if wrong else worst)
    if shared.runs:
        whole = told_of_policies(scores, shared.ideal.proven, wrong)
        data = {"policies": {one.policy.name: _run_as_data(one) for one in shared.runs}}
        said = said.beside(replace(whole, data=data))
    if shared.front is not None:
        said = said.beside(told_of_front(shared.front, shared.front_wrong))
    elif with_front:
        stopped = "The front was stopped before it had a vertex."
        said = said.beside(Told(stopped, data={"front": None}))
    return said


def _took(seconds: float, programs: int) -> tuple[str, str]:
    return "took", f"{duration(seconds, Sense.PLAIN)}, {counted(programs, 'linear program')}"


def _progress(known: StretchRange | float) -> str:
    """How far the least worst stretch is known, or then the front."""
    return range_said(known) if isinstance(known, StretchRange) else reached_said(known)


def _of_trials(arguments: argparse.Namespace, policies: Sequence[TaskPolicy]) -> Answer:
    """Means over trials: scenarios that are drawn, or the bags with release dates that are."""
    with refusing(EngineRefused, of=""):
        engine: str = arguments.engine or usual_engine()
    given = None if _is_drawn(arguments) else given_bags(arguments)
    if given is not None and not mean_gap(given.bags):
        why = "its bags come all at once, so no trial differs; give release dates, or leave out"
        raise InvalidInput([Problem(arguments.system, "", "", f"{why} --trials")])
    asked = DrawnTrials(
        tuple(policy.name for policy in policies),
        _change(arguments),
        _effort(arguments),
        None if given is None else MeasuredBags(given.bags, given.baseline),
    )
    with (
        refusing(EngineRefused, SolverFailed, RunsFailed, of=arguments.system),
        watching(arguments.system) as watch,
        engine_named(engine, _PREPARATION) as used,
    ):
        found = run_trials(
            asked,
            range(arguments.seed, arguments.seed + arguments.trials),
            used,
            should_stop=watch.stop_was_asked,
            report=watch.showing(trials_progress),
        )
    if not found:
        raise KeyboardInterrupt
    problems = [] if given is None else [*given.problems]
    if len(found) < arguments.trials:
        said = f"{len(found):,} of {arguments.trials:,} trials are done; the figures are of these"
        problems.append(Problem("", "", "", said, "warning"))
    verified = not any(one.faults for trial in found for one in trial.runs)
    means = TrialMeans.of(found)
    data: dict[str, object] = {
        "optimum": means.least.mean,
        "trials": means.trials,
        "best": means.best,
        "policies": {one.policy: _means_as_data(one) for one in means.policies},
        "verified": verified,
    }
    answered = replace(told_of_trials(means), data=data)
    if given is not None:
        drawn = redrawn_said(mean_gap(given.bags))
        answered = replace(answered, sentences=(drawn, *answered.sentences))
    answer = told_answer(arguments.system, answered, (), tuple(problems))
    return replace(answer, status=SUCCESS if verified else UNVERIFIED)


def _means_as_data(means: TaskPolicyMeans) -> dict[str, object]:
    """Means of what came of a policy, half of the widths of their intervals, and by how much its
    scores are behind the best policy of each.
    """
    found = {**means.scores, "over_optimum": means.over_optimum, "seconds": means.seconds}
    return {
        **{name: one.mean for name, one in found.items()},
        "confidence95": {name: one.half_width for name, one in found.items()},
        "behind_best": {
            name: {"mean": one.mean, "confidence95": one.half_width}
            for name, one in means.behind.items()
        },
    }


def _effort(arguments: argparse.Namespace) -> Effort:
    return Effort(arguments.seconds, seed=arguments.seed)


def _policies(arguments: argparse.Namespace) -> list[TaskPolicy]:
    asked: Sequence[str] = arguments.policy or ()
    with refusing(UnknownTaskPolicy, of=""):
        named = [task_policy_named(name) for name in dict.fromkeys(asked) if name != ALL]
    if ALL not in asked:
        return named
    left_out = _left_out(arguments)
    return [policy for policy in TASK_POLICIES.values() if policy.mode != left_out]


def _left_out(arguments: argparse.Namespace) -> str | None:
    """The mode of policies that the flags leave out."""
    return "offline" if arguments.online else "online" if arguments.offline else None


def _clashes(arguments: argparse.Namespace, policies: Sequence[TaskPolicy]) -> Iterator[str]:
    """Why flags do not go together."""
    if arguments.output is not None and (len(policies) != 1 or arguments.trials > 1):
        yield "--output takes the outcome of one policy in one trial; name it with --policy"
    if arguments.engine is not None and arguments.trials == 1:
        yield "--engine is for many trials; name --trials, or leave --engine out"
    if arguments.trials > 1 and arguments.front:
        yield "--front is of one system; leave out --front or --trials"
    if arguments.trials > 1 and not policies:
        yield f"--trials {arguments.trials}: name a policy with --policy, or {ALL}"
    asked: Sequence[str] = arguments.policy or ()
    if (left_out := _left_out(arguments)) is not None:
        flag = "--online" if arguments.online else "--offline"
        named = [task_policy_named(name) for name in asked if name != ALL]
        against = next((policy.name for policy in named if policy.mode == left_out), None)
        if against is not None:
            other = against.removesuffix(left_out) + flag.removeprefix("--")
            yield f"{flag} leaves out {against}; leave out {flag}, or name {other}"
        elif ALL not in asked:
            yield f"{flag} is of --policy {ALL}; leave out {flag}, or add --policy {ALL}"


def _is_drawn(arguments: argparse.Namespace) -> bool:
    return arguments.system == DRAWN and not os.path.lexists(DRAWN)


def _given(arguments: argparse.Namespace) -> GivenBags:
    """The bags that are asked about, and what is to be said about their files."""
    if _is_drawn(arguments):
        return GivenBags(_as_asked(published_scenario(arguments.seed), arguments), None, ())
    given = given_bags(arguments)
    return given._replace(bags=_as_asked(given.bags, arguments))


def _as_asked(bags: ArrivingBags, arguments: argparse.Namespace) -> ArrivingBags:
    """The bags with what the flags say in place of what the files say."""
    return _change(arguments).applied(bags)


def _change(arguments: argparse.Namespace) -> NetworkChange:
    """What the flags say of the network, in bytes."""
    given = (arguments.bandwidth, arguments.buffers)
    return NetworkChange(*(None if each is None else each * MEGABYTE for each in given))


def _run_as_data(one: PolicyRun) -> dict[str, float]:
    return {**one.scores.as_dict(), "seconds": one.seconds}


def _buffers(text: str) -> float:
    if text in ("unlimited", "none"):
        return math.inf if text == "unlimited" else 0.0
    try:
        return number_within(MEMORY)(text)
    except argparse.ArgumentTypeError:
        message = f"'{text}' is neither unlimited, none nor a number of MB; give one of them"
        raise argparse.ArgumentTypeError(message) from None
