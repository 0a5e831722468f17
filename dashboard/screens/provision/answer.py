"""What to buy, computed in a worker process, and what a page needs to know of it."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

from core import System
from core.capabilities.provision.answer import Provisioning
from core.capabilities.provision.clashes import refuse_clash
from core.capabilities.provision.comparison import compare
from core.capabilities.provision.confidence import OutOfSample, out_of_sample
from core.capabilities.provision.two_stage import SearchProgress
from core.vocabulary.budget import Cancelled, never
from dashboard.screens.provision.inputs import PlanInputs, plan_file_of

_REPETITIONS: Final = 16
_LEAST_FRESH: Final = 64


@dataclass(frozen=True, slots=True)
class ProvisionAsked:
    """What was asked: the digest of the system, and the inputs of the plan."""

    fingerprint: str
    inputs: PlanInputs


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ProvisionAnswer(Provisioning):
    """What to buy, and what was asked. Fresh scenarios are computed later."""

    asked: ProvisionAsked


def answer(
    system: System,
    inputs: PlanInputs,
    *,
    should_stop: Callable[[], bool] = never,
    report: Callable[[SearchProgress], None] | None = None,
) -> ProvisionAnswer:
    """What to buy. `report` is told after every try. Raises `InvalidInput`, also if limits clash,
    and `Cancelled`.
    """
    started = time.perf_counter()
    file = plan_file_of(system, inputs)
    refuse_clash(file.plan, whole=inputs.whole)
    found = compare(
        file.plan,
        file.sampling.scenarios(file.plan),
        inputs.weights,
        whole=inputs.whole,
        should_stop=should_stop,
        report=report,
    )
    asked = ProvisionAsked(system.fingerprint, inputs)
    seconds = time.perf_counter() - started
    return ProvisionAnswer(file, found, seconds, asked=asked)


def fresh_of(
    found: ProvisionAnswer, *, should_stop: Callable[[], bool] = never
) -> dict[str, OutOfSample]:
    """What each purchase leads to on scenarios that none was chosen for; all on the same. Raises
    `Cancelled`.
    """
    count = max(found.file.scenarios.count // _REPETITIONS, _LEAST_FRESH)
    sampling = replace(found.file.sampling, count=count)
    fresh = {}
    for method, one in found.outcomes.items():
        if should_stop():
            raise Cancelled
        weights = found.asked.inputs.weights
        fresh[method] = out_of_sample(found.plan, one.purchase, weights, sampling, _REPETITIONS)
    return fresh
