"""A plan that breaks a limit is found out, each by what it breaks."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from capabilities.fair_shares.made import f9, f12

from core.capabilities.fair_shares.bags import ArrivingBags, Network
from core.capabilities.fair_shares.optimum import least_stretch
from core.capabilities.fair_shares.plan import FluidPlan
from core.capabilities.fair_shares.recheck import faults


def planned(bags: ArrivingBags) -> tuple[FluidPlan, float]:
    found = least_stretch(bags, early=False)
    return found.plan, found.stretch


def test_a_smaller_stretch_than_it_has_is_noticed() -> None:
    plan, stretch = planned(f12())
    assert faults(plan, stretch) == []
    assert any("after its deadline" in fault for fault in faults(plan, stretch * (1 - 1e-6)))


def weaker(**changes: object) -> Callable[[FluidPlan], FluidPlan]:
    """The same plan on a network that carries less."""

    def change(plan: FluidPlan) -> FluidPlan:
        bags = plan.bags
        return replace(plan, bags=replace(bags, network=replace(bags.network, **changes)))

    return change


def slower(plan: FluidPlan) -> FluidPlan:
    system = plan.bags.system
    etc = system.etc.copy()
    etc[1, 0] *= 1 + 1e-6
    return replace(plan, bags=replace(plan.bags, system=replace(system, etc=etc)))


BROKEN: dict[str, tuple[Callable[[FluidPlan], FluidPlan], str]] = {
    "less than nothing": (lambda plan: replace(plan, sent=-plan.sent), "less than nothing is sent"),
    "too few": (
        lambda plan: replace(plan, computed=plan.computed * 0.99),
        "not exactly the tasks of T0 are computed",
    ),
    "never sent": (
        lambda plan: replace(plan, sent=np.roll(plan.sent, 1, axis=2)),
        "tasks are computed before they are sent",
    ),
    "sent too early": (
        lambda plan: replace(plan, sent=np.roll(plan.sent, -1, axis=2)),
        "T2 is sent before its release",
    ),
    "master": (weaker(bandwidth=0.999), "the master sends more than its bandwidth"),
    "link": (weaker(links=np.array([0.999])), "links of M0 carry more than their bandwidth"),
    "machine": (slower, "machines of M0 compute more than they can"),
    "memory": (weaker(memory=np.array([0.4])), "M0 holds more than its memory"),
    "dates": (lambda plan: replace(plan, dates=plan.dates[::-1]), "dates are not in their order"),
}


@pytest.mark.parametrize(("broken", "said"), BROKEN.values(), ids=BROKEN)
def test_what_is_broken_is_said(broken: Callable[[FluidPlan], FluidPlan], said: str) -> None:
    plan, stretch = planned(f9())
    assert faults(plan, stretch) == []
    assert said in faults(broken(plan), stretch)


def test_limits_of_no_concern_break_nothing() -> None:
    plan, stretch = planned(f9())
    wide = Network.of(plan.bags.system, 2.0, 3.0, 4.0)
    assert faults(replace(plan, bags=replace(plan.bags, network=wide)), 9.0 * stretch) == []
