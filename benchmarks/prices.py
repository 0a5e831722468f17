"""Case 21: what our policy by prices of energy earns, beside the best published policy.

A published policy that can have an energy filter competes with and without each of them.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np

from benchmarks.case import Case, Part, Section, Target
from benchmarks.report import percent, table
from core.arrivals.policies import (
    OURS,
    PUBLISHED,
    PUBLISHED_LENIENCY,
    EnergyFilter,
    FilterName,
    PolicySwitches,
    takes_filter,
)
from core.arrivals.trials import JoulesAllowed, ReplayQuestion, compare_policies, worth_of
from core.engine.executors import InProcesses
from core.model.intervals import Interval

PART: Final = "Paired trials"
SHARES: Final = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1)
"""Budgets, of the energy that Max UPR spends if it may."""
BINDING: Final = SHARES[:5]
TRIALS: Final = 20
GAIN: Final = 0.05
WORKERS: Final = 2
OF_BOUND: Final = "of the bound"
PREPARATION: Final = "core.arrivals.preparation"
FILTERS: Final[tuple[FilterName, ...]] = ("resource", "task")


def measure(quick: bool) -> dict[str, dict[str, list[float]]]:
    """By budget: what each policy earns in each trial, as a share of the published maximum; and
    our share of the bound.
    """
    drawn = ReplayQuestion("budget-100" if quick else "budget", (), trials=2 if quick else TRIALS)
    filtered = tuple(name for name, one in PUBLISHED.items() if takes_filter(one.policy))
    found = {}
    with InProcesses(WORKERS, PREPARATION) as engine:
        for share in SHARES[:: 6 if quick else 1]:
            asked = replace(drawn, budget=JoulesAllowed(share=share), bounded=False)
            compared = compare_policies(
                replace(asked, policies=(*PUBLISHED, OURS.name), bounded=True), engine
            )
            maximum = compared.values(OURS.name, lambda one: one.maximum)
            earned = {name: compared.values(name, worth_of) / maximum for name in compared.trials}
            bound = compared.values(OURS.name, worth_of) / compared.bound_values
            for kind in FILTERS:
                switches = PolicySwitches(filter=EnergyFilter(kind, PUBLISHED_LENIENCY[kind]))
                left_out = compare_policies(
                    replace(asked, policies=filtered, switches=switches), engine
                )
                for name in filtered:
                    earned[f"{name}, filter {kind}"] = left_out.values(name, worth_of) / maximum
            found[f"{share:.0%}"] = {
                **{name: worth.tolist() for name, worth in earned.items()},
                OF_BOUND: bound.tolist(),
            }
    return found


def tell(measured: Mapping[str, Any]) -> Section:
    targets, rows, apart = [], [], []
    for share, found in measured[PART].items():
        of_bound, ours = found[OF_BOUND], np.array(found[OURS.name])
        rivals = found.keys() - {OF_BOUND, OURS.name}
        best = max(sorted(rivals), key=lambda name: float(np.mean(found[name])))
        rival = np.array(found[best])
        gain = Interval.of(ours / rival - 1.0)
        binds = share in [f"{one:.0%}" for one in BINDING]
        what = f"worth above the best published policy with {share} of the energy, at least"
        targets.append(Target(what, gain.mean, GAIN if binds else 0.0, percent, at_least=True))
        if binds:
            apart.append(Interval.of(ours).low - Interval.of(rival).high)
        rows.append([share, best, *map(_interval, (rival, ours, ours / rival - 1.0, of_bound))])
    trials = len(ours)
    what = (
        "from the interval of the best published policy to ours, where the budget binds, at least"
    )
    targets.append(Target(what, min(apart), 0.0, percent, at_least=True))
    return Section(
        targets,
        "\n\n".join(
            [
                f"Worth of {trials} published days of about 5,000 jobs, as shares of the published "
                "maximum, with 95 % intervals of means. The best published policy is the one with "
                f"the best mean at that budget, of {len(rivals)}: with and without energy filters. "
                "Gains are those of each day. Budgets are shares of what Max UPR spends without "
                "one.",
                table(
                    ["Budget", "best published", "it earns", "prices", "gain", OF_BOUND],
                    rows,
                ),
            ]
        ),
    )


def _interval(values: Any) -> str:
    found = Interval.of(np.asarray(values))
    return f"{found.mean:.1%} ± {found.half_width:.1%}"


CASE: Final = Case("A policy by prices", {PART: Part(measure)}, tell)
