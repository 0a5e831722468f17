"""`wattfront stretch SYSTEM`: how fairly bags that arrive can share machines and links."""

import argparse
import math
import time
from dataclasses import replace

import numpy as np

from core.cli.answer import SUCCESS, UNVERIFIED, Answer, estimates_as_dict
from core.cli.arguments import add_system, read, refusing, system_path
from core.cli.numbers import number_within
from core.lp.program import SolverFailed
from core.model.problems import InvalidInput
from core.stretch.bags import ArrivingBags
from core.stretch.bags_reader import MASTER, MEGABYTE, MEMORY, inspect_bags
from core.stretch.optimum import LeastStretch, least_stretch
from core.stretch.recheck import faults
from core.stretch.words import stretch_report


def declare(parser: argparse.ArgumentParser) -> None:
    add_system(parser)
    parser.add_argument(
        "--offline",
        action="store_true",
        help="all bags are known from the beginning, which is the only mode so far",
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
        help="memory of each machine for data of tasks that wait, in place of what the files say",
    )


def run(arguments: argparse.Namespace) -> Answer:
    reading = read(arguments)
    system = reading.require()
    found, problems = inspect_bags(system_path(arguments), system)
    if found is None:
        raise InvalidInput(problems)
    bags = _as_asked(found, arguments)
    begun = time.perf_counter()
    with refusing(SolverFailed, of=arguments.system):
        optimum = least_stretch(bags)
    wrong = faults(optimum.plan, optimum.plan_stretch)
    seconds = time.perf_counter() - begun
    return Answer(
        _as_data(optimum, not wrong, seconds),
        stretch_report(arguments.system, optimum, wrong, seconds),
        (*reading.problems, *(one for one in problems if one not in reading.problems)),
        UNVERIFIED if wrong else SUCCESS,
    )


def _as_asked(bags: ArrivingBags, arguments: argparse.Namespace) -> ArrivingBags:
    """The bags with what the flags say in place of what the files say."""
    network = bags.network
    if arguments.bandwidth is not None:
        network = replace(network, bandwidth=arguments.bandwidth * MEGABYTE)
    if arguments.buffers is not None:
        memory = np.full(len(network.memory), arguments.buffers * MEGABYTE)
        network = replace(network, memory=memory)
    return replace(bags, network=network)


def _as_data(found: LeastStretch, verified: bool, seconds: float) -> dict[str, object]:
    bags = found.bags
    ends, release = found.plan.ends, bags.release[bags.present]
    stretches = (ends - release) / bags.ideal
    return {
        "optimum": found.stretch,
        "proven": found.proven,
        "milestones": len(found.milestones),
        "programs": found.programs,
        "bags": {
            name: {
                "ideal": float(bags.ideal[k]),
                "deadline": float(found.deadlines[k]),
                "completion": float(ends[k]),
                "stretch": float(stretches[k]),
            }
            for k, name in enumerate(bags.names)
        },
        "verified": verified,
        **estimates_as_dict(bags.system),
        "seconds": seconds,
    }


def _buffers(text: str) -> float:
    if text in ("unlimited", "none"):
        return math.inf if text == "unlimited" else 0.0
    try:
        return number_within(MEMORY)(text)
    except argparse.ArgumentTypeError:
        message = f"'{text}' is neither unlimited, none nor a number of MB; give one of them"
        raise argparse.ArgumentTypeError(message) from None
