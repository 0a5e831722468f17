"""What rests on estimates: the savings and the fastest time with measured pairs alone, and with
all.
"""

from dataclasses import replace

import numpy as np

from core.engines.relaxed import Front, trace_front
from core.vocabulary.problems import InvalidInput
from core.vocabulary.say.words import Sense, duration, share
from core.vocabulary.system import System


def measured_alone(system: System) -> System | None:
    """The system in which pairs that were only estimated cannot run; None if a task type then runs
    nowhere.
    """
    estimated = np.zeros(system.etc.shape, bool) if system.estimated is None else system.estimated
    etc = np.where(estimated, np.inf, system.etc)
    apc = None if system.apc is None else np.where(estimated, np.nan, system.apc)
    try:
        return replace(system, etc=etc, apc=apc, estimated=None)
    except InvalidInput:
        return None


def savings_in_two_parts(system: System) -> str | None:
    """What is possible with measured pairs alone, and what estimated pairs add, by the bounds; None
    without estimates.
    """
    if not system.estimated_pairs:
        return None
    alone = measured_alone(system)
    if alone is None:
        return "All of this rests on estimates: some task types have no measured pair."
    saved, soonest = _possible(trace_front(alone))
    saved_with, soonest_with = _possible(trace_front(system))
    if (saved, soonest) == (saved_with, soonest_with):
        return "Neither the savings nor the fastest time rest on estimates."
    return (
        f"With measured pairs alone, at most {saved} of the energy can be saved and nothing is "
        f"done before {soonest}; with estimated pairs it is {saved_with} and {soonest_with}."
    )


def _possible(front: Front) -> tuple[str, str]:
    """The most that can be saved, and the shortest time, in words."""
    thrifty, dear = front.energy[0], front.energy[-1]
    saved = 1 - thrifty / dear if dear > 0 else 0.0
    fastest = duration(float(front.makespan[-1]), Sense.LOWER_BOUND)
    return share(saved, Sense.UPPER_BOUND), fastest
