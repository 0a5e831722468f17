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
WHY_NO_MORE: Final = (
    "Where the gain stays below 5 %, there are two reasons. With 60 %, the budget does not bind "
    "the best published policy: without one, Max UPE draws about 57 % of what Max UPR does. With "
    "90 %, energy is hardly short, and 5 % more than the best published policy is 0.6 % more than "
    "Max UPR earns without a budget. Jobs are lost then because they are wide: those of more than "
    "4,096 cores are 55 to 81 % of the worth that is lost to the published maximum (three other "
    "days, without a budget). Most are worth nothing after minutes, and jobs of hours hold the "
    "pools. The bound does not see this, since it adds up what is free in half an hour."
)
TRIED: Final = (
    "Tried on up to six days: a price of cores beside that of energy, with wide jobs next earlier "
    "(worth above its price, over the seconds of a job and the power 0.6 of its price for each). "
    "Fixed prices of both, the best of some with the day known, earn 4.4 % more than the best "
    "published policy with 60 %, 4.8 % with 90 %, and 0.8 % without a budget. Prices found during "
    "the day earn 0.4 % more than the policy of this table (mean of 20 pairs of a day and a "
    "budget), but about 4 % less on days of 60 jobs (12 pairs), so they were not taken. Without a "
    "budget, four more changes add at most 0.3 % each to such fixed prices: dearer cores in pools "
    "that are in use, other prices in each pool, options by worth less costs, and letting jobs "
    "wait that lose nothing by waiting."
)
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
    targets, rows = [], []
    for share, found in measured[PART].items():
        of_bound, ours = found[OF_BOUND], np.array(found[OURS.name])
        rivals = found.keys() - {OF_BOUND, OURS.name}
        best = max(sorted(rivals), key=lambda name: float(np.mean(found[name])))
        rival = np.array(found[best])
        gain = Interval.of(ours / rival - 1.0)
        binds = share in [f"{one:.0%}" for one in BINDING]
        what = f"worth above the best published policy with {share} of the energy, at least"
        targets.append(Target(what, gain.low, GAIN if binds else 0.0, percent, at_least=True))
        rows.append([share, best, *map(_interval, (rival, ours, ours / rival - 1.0, of_bound))])
    trials = len(ours)
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
                WHY_NO_MORE,
                TRIED,
            ]
        ),
    )


def _interval(values: Any) -> str:
    found = Interval.of(np.asarray(values))
    return f"{found.mean:.1%} ± {found.half_width:.1%}"


CASE: Final = Case("A policy by prices", {PART: Part(measure)}, tell)
