"""Case 21: what our policy by prices of energy earns, beside the best published policy.

On published days, and on days whose jobs arrive at other hours (`benchmarks.shapes.JUDGING`, and
as at a real cluster).

A published policy that can have an energy filter competes with and without each of them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np

from benchmarks.case import Case, Part, Section, Target
from benchmarks.report import percent, table
from benchmarks.shapes import JUDGING, REAL, TUNING, day_of_shape, real_day, real_days
from core.capabilities.arrivals.policies import (
    OURS,
    PUBLISHED,
    PUBLISHED_LENIENCY,
    EnergyFilter,
    FilterName,
    PolicySwitches,
    takes_filter,
)
from core.capabilities.arrivals.question import UNLIMITED, JoulesAllowed, ReplayQuestion
from core.capabilities.arrivals.trials import compare_policies, worth_of
from core.engines.compute.executors import InProcesses
from core.engines.compute.many import run_many
from core.engines.replay.clock import ReplaySettings, replay
from core.engines.replay.energy import EnergyWindows
from core.engines.replay.policy import Policy
from core.engines.replay.pricing import Foresight
from core.vocabulary.intervals import Interval

PART: Final = "Paired trials"
SHARES: Final = (0.5, 0.6, 0.7, 0.8, 0.9, 1.0, 1.1)
"""Budgets, of the energy that Max UPR spends if it may."""
BINDING: Final = SHARES[:5]
TRIALS: Final = 20
BOUNDED_TRIALS: Final = 4
"""A bound takes longer than all policies together."""
GAIN: Final = 0.05
WORKERS: Final = 2
OF_BOUND: Final = "Of the bound"
PREPARATION: Final = "core.capabilities.arrivals.trials"
FILTERS: Final[tuple[FilterName, ...]] = ("resource", "task")
OUTSIDE: Final = "Outside shapes"
OUTSIDE_SHARES: Final = (0.5, 0.7, 0.9)
SIZES: Final = ((1_000, 12), (5_000, 5))
"""Jobs a day, and how many days of each shape."""
SLOW: Final = "one burst"
"""With 5,000 jobs at once, all policies take minutes a day: it is measured with 1,000."""
FIRST_SEED: Final = 100
BEHIND: Final = -0.01
WORST: Final = -0.10


def measure(quick: bool) -> dict[str, dict[str, list[float]]]:
    """By budget: what each policy earns in each trial, as a share of the published maximum."""
    drawn = _published_days(2 if quick else TRIALS, quick)
    filtered = tuple(name for name, one in PUBLISHED.items() if takes_filter(one.policy))
    found = {}
    with InProcesses(WORKERS, PREPARATION) as engine:
        for share in SHARES[:: 6 if quick else 1]:
            asked = replace(drawn, budget=JoulesAllowed(share=share))
            compared = compare_policies(replace(asked, policies=(*PUBLISHED, OURS.name)), engine)
            maximum = compared.values(OURS.name, lambda one: one.maximum)
            earned = {name: compared.values(name, worth_of) / maximum for name in compared.trials}
            for kind in FILTERS:
                switches = PolicySwitches(filter=EnergyFilter(kind, PUBLISHED_LENIENCY[kind]))
                left_out = compare_policies(
                    replace(asked, policies=filtered, switches=switches), engine
                )
                for name in filtered:
                    earned[f"{name}, filter {kind}"] = left_out.values(name, worth_of) / maximum
            found[f"{share:.0%}"] = {name: worth.tolist() for name, worth in earned.items()}
    return found


def measure_bound(quick: bool) -> dict[str, list[float]]:
    """By budget: what we earn in each trial, as a share of what no policy can earn more than."""
    drawn = _published_days(2 if quick else BOUNDED_TRIALS, quick)
    found = {}
    with InProcesses(WORKERS, PREPARATION) as engine:
        for share in SHARES[:: 6 if quick else 1]:
            asked = replace(
                drawn, policies=(OURS.name,), budget=JoulesAllowed(share=share), bounded=True
            )
            compared = compare_policies(asked, engine)
            worth = compared.values(OURS.name, worth_of)
            found[f"{share:.0%}"] = (worth / compared.bound_values).tolist()
    return found


def _published_days(trials: int, quick: bool) -> ReplayQuestion:
    return ReplayQuestion("budget-100" if quick else "budget", (), trials=trials, bounded=False)


class Outside(NamedTuple):
    """A day to judge by: a number of `REAL`, or the seed of a shape."""

    shape: str
    jobs: int
    number: int

    @property
    def group(self) -> str:
        return REAL if self.shape == REAL else f"{self.shape}, {self.jobs:,} jobs"


def outside_days(quick: bool) -> list[Outside]:
    """Every day to judge by."""
    if quick:
        return [Outside("late", 200, FIRST_SEED + k) for k in range(2)]
    drawn = [
        Outside(shape, jobs, FIRST_SEED + k)
        for jobs, days in SIZES
        for shape in JUDGING
        if (shape, jobs) != (SLOW, SIZES[1][0])
        for k in range(days)
    ]
    return drawn + [Outside(REAL, 0, number) for number in range(len(real_days()))]


def rivals() -> Iterator[tuple[str, Policy]]:
    """The published policies, with and without filters."""
    for name, one in PUBLISHED.items():
        yield name, PolicySwitches().applied(one.policy)
        if takes_filter(one.policy):
            for kind in FILTERS:
                switches = PolicySwitches(filter=EnergyFilter(kind, PUBLISHED_LENIENCY[kind]))
                yield f"{name}, filter {kind}", switches.applied(one.policy)


def earned_outside(day: Outside) -> dict[str, dict[str, float]]:
    """By budget: what each policy earns on a day."""
    is_real = day.shape == REAL
    workload = (
        real_day(day.number) if is_real else day_of_shape(JUDGING[day.shape], day.jobs, day.number)
    )
    free = replay(workload, PolicySwitches().applied(PUBLISHED[UNLIMITED].policy)).joules
    found = {}
    for share in OUTSIDE_SHARES:
        windows = EnergyWindows.daily(workload.horizon, share * free)
        plain = ReplaySettings(windows, seed=day.number)
        earned = {name: replay(workload, one, None, plain).worth for name, one in rivals()}
        ours = replace(plain, pricing=Foresight())
        policy = PolicySwitches().applied(OURS.policy)
        earned[OURS.name] = replay(workload, policy, None, ours).worth
        found[f"{share:.0%}"] = earned
    return found


def measure_outside(quick: bool) -> dict[str, dict[str, dict[str, list[float]]]]:
    """By shape and budget: what each policy earns on each day."""
    found: dict[str, dict[str, dict[str, list[float]]]] = {}
    with InProcesses(WORKERS, PREPARATION) as engine:
        for results in run_many(earned_outside, outside_days(quick), engine):
            for day, earned in sorted(results, key=lambda one: one[0].number):
                for share, of in earned.items():
                    group = found.setdefault(day.group, {}).setdefault(share, {})
                    for name, worth in of.items():
                        group.setdefault(name, []).append(worth)
    return found


def tell(measured: Mapping[str, Any]) -> Section:
    targets: list[Target] = []
    told = [
        *_told_published(measured[PART], measured[OF_BOUND], targets),
        *_told_outside(measured[OUTSIDE], targets),
    ]
    return Section(targets, "\n\n".join(told))


def _told_published(
    measured: Mapping[str, Mapping[str, list[float]]],
    of_bound: Mapping[str, list[float]],
    targets: list[Target],
) -> Iterator[str]:
    """A table of the published days; adds their targets."""
    rows, apart = [], []
    for share, found in measured.items():
        ours = np.array(found[OURS.name])
        rivals = found.keys() - {OURS.name}
        best = max(sorted(rivals), key=lambda name: float(np.mean(found[name])))
        rival = np.array(found[best])
        gain = Interval.of(ours / rival - 1.0)
        binds = share in [f"{one:.0%}" for one in BINDING]
        what = f"worth above the best published policy with {share} of the energy, at least"
        targets.append(Target(what, gain.mean, GAIN if binds else 0.0, percent, at_least=True))
        if binds:
            apart.append(Interval.of(ours).low - Interval.of(rival).high)
        told = (rival, ours, ours / rival - 1.0, of_bound[share])
        rows.append([share, best, *map(_interval, told)])
    what = (
        "from the interval of the best published policy to ours, where the budget binds, at least"
    )
    targets.append(Target(what, min(apart), 0.0, percent, at_least=True))
    yield (
        f"Worth of {len(ours)} published days of about 5,000 jobs, as shares of the published "
        "maximum, with 95 % intervals of means. The best published policy is the one with the best "
        f"mean at that budget, of {len(rivals)}: with and without energy filters. Gains are those "
        "of each day. Budgets are shares of what Max UPR spends without one. The last column has "
        "what prices earns of what no policy can earn more than, on the first "
        f"{len(of_bound[share])} days."
    )
    yield table(["Budget", "best published", "it earns", "prices", "gain", "of the bound"], rows)


def _told_outside(
    measured: Mapping[str, Mapping[str, Mapping[str, list[float]]]], targets: list[Target]
) -> Iterator[str]:
    """A table of the outside shapes; adds their targets."""
    rows, means, worst = [], [], []
    for group, by_share in measured.items():
        for share, found in by_share.items():
            best = max(sorted(found.keys() - {OURS.name}), key=lambda name: np.mean(found[name]))
            gains = np.array(found[OURS.name]) / np.array(found[best]) - 1.0
            means.append(float(gains.mean()))
            worst.append(float(gains.min()))
            rows.append(
                [group, str(len(gains)), share, best, _interval(gains), f"{gains.min():.1%}"]
            )
    what = "worth above the best published policy, mean of the worst outside shape, at least"
    targets.append(Target(what, min(means), BEHIND, percent, at_least=True))
    what = "worth above that policy on the worst single day, at least"
    targets.append(Target(what, min(worst), WORST, percent, at_least=True))
    yield (
        "The same jobs at other hours. The policy was tuned on published days and on the shapes "
        f"{', '.join(TUNING)}, with other seeds; it is judged here by shapes that it was not tuned "
        f"on, and by {len(real_days())} days of arrivals at a real cluster (Gaia, University of "
        "Luxembourg, 2014). The best published policy is that of the shape and the budget."
    )
    titles = ["Arrivals", "days", "budget", "best published", "gain of prices", "worst day"]
    yield table(titles, rows)


def _interval(values: Any) -> str:
    found = Interval.of(np.asarray(values))
    return f"{found.mean:.1%} ± {found.half_width:.1%}"


CASE: Final = Case(
    "A policy by prices",
    {PART: Part(measure), OF_BOUND: Part(measure_bound), OUTSIDE: Part(measure_outside)},
    tell,
)
