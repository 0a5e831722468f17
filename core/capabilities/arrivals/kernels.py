"""Loads the compiled kernels of replays before a clock is started."""

from functools import cache
from typing import Final

from core.capabilities.arrivals.made.testbed import BladeSettings, draw_testbed
from core.capabilities.arrivals.policies import PolicySwitches, policy_named
from core.capabilities.arrivals.uncertain.bags import UncertainSettings, draw_uncertain
from core.capabilities.arrivals.uncertain.methods import BAG_METHODS, run_method
from core.engines.compute.compiled import compile_from_now_on
from core.engines.replay.clock import ReplaySettings, replay
from core.engines.replay.pricing import Foresight
from core.engines.replay.workload import Truth

_SECONDS: Final = 300.0
_TASKS: Final = 4


@cache
def load_kernels(policy: str) -> None:
    """Compile the kernels of a policy or a method for bags, or load them compiled, once in a
    process: a replay of a few jobs calls them all. That takes from a hundredth of a second to half
    a minute.
    """
    compile_from_now_on()
    if policy in BAG_METHODS:
        run_method(*draw_uncertain(UncertainSettings(tasks=_TASKS)), BAG_METHODS[policy])
        return
    few = draw_testbed(BladeSettings(length=_SECONDS))
    rules = PolicySwitches().applied(policy_named(policy).policy)
    replay(few, rules, Truth.as_estimated(len(few.jobs)), ReplaySettings(pricing=Foresight()))
