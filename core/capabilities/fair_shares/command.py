"""`wattfront fair-shares SYSTEM`: how fairly bags that arrive can share machines and links."""

import argparse
import math
import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial

from core.capabilities.fair_shares.bags_reader import MEMORY
from core.capabilities.fair_shares.face import (
    ALL,
    GivenBags,
    bags_named,
    chosen_policies,
    refuse_output,
    sharing_of,
)
from core.capabilities.fair_shares.settings import DRAWN, SharesSettings, SharingSettings
from core.capabilities.fair_shares.tasks.outcome_file import write_tasks
from core.capabilities.fair_shares.tasks.policies import TASK_POLICIES, TaskPolicy
from core.capabilities.fair_shares.told import (
    redrawn_said,
    told_of_sharing,
    told_of_trials,
)
from core.capabilities.fair_shares.trials import (
    DrawnTrials,
    MeasuredBags,
    NetworkChange,
    TaskTrials,
    mean_gap,
    published_scenario,
    run_trials,
)
from core.capabilities.fair_shares.words import progress_said
from core.engines.compute.executors import EngineRefused, engine_named
from core.engines.compute.many import RunsFailed
from core.engines.lp.program import SolverFailed
from core.shells.cli.answer import Answer, told_answer
from core.shells.cli.arguments import add_engine, add_file, add_system, engine_of, read
from core.shells.cli.progress import watching
from core.shells.settings.forms import declare_flags, given_flags
from core.shells.settings.numbers import number_within
from core.shells.settings.site import PRICES, add_site, given_site, was_given
from core.vocabulary.budget import Budget, Effort
from core.vocabulary.problems import InvalidInput, Problem, refuse, refusing
from core.vocabulary.say.words import Sense, counted, duration


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
    declare_flags(parser, SharingSettings, "front")
    declare_flags(parser, SharesSettings, "bandwidth")
    parser.add_argument(
        "--buffers",
        type=_buffers,
        metavar="unlimited|none|MB",
        help="memory of each machine for data of tasks, in place of what the files say",
    )
    declare_flags(parser, SharesSettings, "trials")
    add_engine(parser, "--trials are")
    declare_flags(parser, SharingSettings, "seed", "seconds")
    add_site(parser, *PRICES)
    add_file(
        parser,
        "-o --output",
        "write when each task is sent, has arrived, starts and ends under one policy, as "
        ".csv, with its system beside it; wattfront verify judges it",
        "OUTCOME",
    )


def run(arguments: argparse.Namespace) -> Answer:
    asked = given_flags(arguments, SharesSettings)
    trials: int = asked.get("trials", 1)
    settings = SharingSettings(**given_flags(arguments, SharingSettings))
    policies = chosen_policies(arguments.policy or ())
    left_out = "offline" if arguments.online else "online" if arguments.offline else None
    refuse(_clashes(arguments, policies, trials, left_out))
    if ALL in (arguments.policy or ()):
        policies = [policy for policy in policies if policy.mode != left_out]
    refuse_output(arguments.output, policies, trials)
    change = NetworkChange(asked.get("bandwidth"), arguments.buffers)
    if trials > 1:
        return _of_trials(arguments, policies, change, settings, trials)
    given = _given(arguments, settings.seed)
    given = given._replace(bags=change.applied(given.bags))
    with watching(arguments.system) as watch:
        shared = sharing_of(
            given,
            policies,
            Effort(settings.seconds, seed=settings.seed),
            Budget(should_stop=watch.stop_was_asked),
            front=settings.front,
            report=watch.showing(progress_said),
        )
    site = given_site(arguments, given.site)
    said = told_of_sharing(shared, given.clock, site, with_front=settings.front)
    took = duration(shared.seconds, Sense.PLAIN)
    facts = [("took", f"{took}, {counted(shared.optimum.programs, 'linear program')}")]
    also: dict[str, object] = {"verified": shared.verified, "seconds": shared.seconds}
    if arguments.output is not None:
        write_tasks(shared.runs[0].outcome, arguments.output)
        also["path"] = str(arguments.output)
        facts.append(("written to", str(arguments.output)))
    return told_answer(arguments.system, said, facts, given.problems, also)


def _of_trials(
    arguments: argparse.Namespace,
    policies: Sequence[TaskPolicy],
    change: NetworkChange,
    settings: SharingSettings,
    trials: int,
) -> Answer:
    """Means over trials: scenarios that are drawn, or the bags with release dates that are."""
    engine = engine_of(arguments)
    given = None if _is_drawn(arguments) else _given(arguments, settings.seed)
    if given is not None and not mean_gap(given.bags):
        why = "its bags come all at once, so no trial differs; give release dates, or leave out"
        raise InvalidInput([Problem(arguments.system, "", "", f"{why} --trials")])
    asked = DrawnTrials(
        tuple(policy.name for policy in policies),
        change,
        Effort(settings.seconds, seed=settings.seed),
        None if given is None else MeasuredBags(given.bags, given.baseline),
    )
    with (
        refusing(EngineRefused, SolverFailed, RunsFailed, of=arguments.system),
        watching(arguments.system) as watch,
        engine_named(engine, run_trials.__module__) as used,
    ):
        found = run_trials(
            asked,
            range(settings.seed, settings.seed + trials),
            used,
            should_stop=watch.stop_was_asked,
            report=watch.showing(lambda done: done.in_words("trial")),
        )
    if not found:
        raise KeyboardInterrupt
    problems = [] if given is None else [*given.problems]
    if len(found) < trials:
        some = f"{len(found):,} of {trials:,} trials are done; the figures are of these"
        problems.append(Problem("", "", "", some, "warning"))
    said = told_of_trials(TaskTrials.of(found))
    if given is not None:
        drawn = redrawn_said(mean_gap(given.bags))
        said = replace(said, sentences=(drawn, *said.sentences))
    return told_answer(arguments.system, said, (), tuple(problems))


def _clashes(
    arguments: argparse.Namespace, policies: Sequence[TaskPolicy], trials: int, left_out: str | None
) -> Iterator[str]:
    """Why flags do not go together."""
    if arguments.engine is not None and trials == 1:
        yield "--engine is for many trials; name --trials, or leave --engine out"
    if trials > 1 and arguments.front:
        yield "--front is of one system; leave out --front or --trials"
    if trials > 1 and (prices := was_given(arguments)):
        yield f"{prices[0]} is of one system; leave out {prices[0]} or --trials"
    if trials > 1 and not policies:
        yield f"--trials {trials}: name a policy with --policy, or {ALL}"
    asked: Sequence[str] = arguments.policy or ()
    if left_out is not None:
        flag = "--online" if arguments.online else "--offline"
        named = chosen_policies([name for name in asked if name != ALL])
        against = next((policy.name for policy in named if policy.mode == left_out), None)
        if against is not None:
            other = against.removesuffix(left_out) + flag.removeprefix("--")
            yield f"{flag} leaves out {against}; leave out {flag}, or name {other}"
        elif ALL not in asked:
            yield f"{flag} is of --policy {ALL}; leave out {flag}, or add --policy {ALL}"


def _is_drawn(arguments: argparse.Namespace) -> bool:
    return arguments.system == DRAWN and not os.path.lexists(DRAWN)


def _given(arguments: argparse.Namespace, seed: int) -> GivenBags:
    """The bags that are asked about, and what is to be said about their files."""
    if _is_drawn(arguments):
        return GivenBags(published_scenario(seed), None, ())
    return bags_named(arguments.system, partial(read, arguments))


def _buffers(text: str) -> float:
    if text in ("unlimited", "none"):
        return math.inf if text == "unlimited" else 0.0
    try:
        return number_within(MEMORY)(text)
    except argparse.ArgumentTypeError:
        message = f"'{text}' is neither unlimited, none nor a number of MB; give one of them"
        raise argparse.ArgumentTypeError(message) from None
