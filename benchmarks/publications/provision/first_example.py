"""The first example of the publication (E1), which it prints as a whole: figures 5.2 and 5.3.

Means without sampling are over a grid of rates, whose second stage is closed: with M1 and M3 only,
each machine does the task type that it is made for, and the other one with what time is left, a
hundredth as fast.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from scipy.optimize import minimize_scalar

from benchmarks.publications.claim import Claim, percent, points
from benchmarks.publications.figure import Figure, Panel, Series, Table
from benchmarks.publications.provision.examples import (
    E1_BUDGET,
    E1_SPREADS,
    NAMES,
    e1,
    e1_scenarios,
    machines,
)
from core.capabilities.provision.comparison import decide_directly
from core.capabilities.provision.first_stage import Purchase
from core.capabilities.provision.futures.uncertainty import mean_future
from core.capabilities.provision.plan import Plan
from core.capabilities.provision.rules_of_thumb import RULES, by_rule
from core.capabilities.provision.second_stages import SecondStages, Weights
from core.capabilities.provision.two_stage import Decision, decide
from core.vocabulary.arrays import FloatArray
from core.vocabulary.tolerances import METHODS_AGREE, SAME

_CROSS: Final = 100.0
_THIRD: Final = 1.1
"""Seconds of the task types that each machine is not, and M3 is, made for."""


@dataclass(frozen=True, eq=False)
class FirstGrid:
    """Rates at the midpoints of so many equal parts of both ranges."""

    parts: int = 3000

    @cached_property
    def rates(self) -> tuple[FloatArray, FloatArray]:
        middles = (np.arange(self.parts) + 0.5) / self.parts
        first, second = (1 + spread * (2 * middles - 1) for spread in E1_SPREADS)
        return first, second

    def reward(self, first: float, third: float) -> float:
        """The mean reward a second of so many M1 and M3."""
        ours, theirs = self.rates
        by_first, by_third = np.minimum(ours, first), np.minimum(theirs, third / _THIRD)
        spare_first, spare_third = (first - by_first) / _CROSS, (third - _THIRD * by_third) / _CROSS
        return float(
            by_first.mean()
            + by_third.mean()
            + _mean_of_lesser(spare_first, theirs - by_third)
            + _mean_of_lesser(spare_third, ours - by_first)
        )

    def best(self, budget: float) -> tuple[float, float]:
        """The best number of M1, and its mean reward, if the rest of the budget buys M3."""
        found = minimize_scalar(
            lambda first: -self.reward(first, budget - first),
            bounds=(0, budget),
            method="bounded",
            options={"xatol": SAME},
        )
        return float(found.x), -float(found.fun)

    def wait_and_see(self, budget: float) -> float:
        """The mean reward, if machines are bought when rates are known: M1 earn more each."""
        first, second = self.rates
        bought = np.minimum(first, budget)
        return float(bought.mean()) + _mean_of_lesser((budget - bought) / _THIRD, second)

    def for_the_mean(self, budget: float) -> float:
        """The mean reward of the published purchase for the mean future: one M1, the rest M3."""
        return self.reward(min(budget, 1.0), max(budget - 1.0, 0.0))


def _mean_of_lesser(one: FloatArray, other: FloatArray) -> float:
    """The mean of the lesser of both, over all pairs."""
    other = np.sort(other)
    below = np.searchsorted(other, one)
    sums = np.append(0.0, np.cumsum(other))[below] + one * (len(other) - below)
    return float(sums.mean()) / len(other)


PUBLISHED_SCENARIOS: Final = 3000
PUBLISHED: Final = {
    "h1": (3.5, 0, 0),
    "h2": (3.5, 0, 0),
    "h3": (3.5, 0, 0),
    "mvp": (1.0, 0, 2.5),
    "rp": (1.9, 0, 1.6),
}
"""Table 5.2: M1, M2 and M3 by method."""
PUBLISHED_VSS: Final = 0.138
BUDGETS: Final = (0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 5.0)
OTHER_MEANS: Final = (1.2, 1.5, 1.9, 2.2, 2.4)
"""Other numbers of M1 that, with the rest of the budget in M3, are best for the mean future."""


@dataclass(frozen=True, eq=False)
class FirstExample:
    """`sampled` is our decision on as many scenarios as were published, and `direct` the optimum of
    the program of all of them; `vss` the value of the stochastic solution (as a share of EEV) in
    each of many samples of that size.
    """

    grid: FirstGrid
    sampled: Decision
    direct: float
    mean_best: float
    mean_published: float
    rules: Mapping[str, Purchase]
    vss: FloatArray


def measure(trials: int, count: int = PUBLISHED_SCENARIOS) -> FirstExample:
    plan, scenarios = e1(), e1_scenarios(count, seed=0)
    for_means = decide(plan, mean_future(plan))
    _, direct = decide_directly(plan, scenarios, Weights())
    published = np.array(PUBLISHED["mvp"])
    return FirstExample(
        FirstGrid(),
        decide(plan, scenarios),
        direct,
        for_means.lower,
        float(for_means.stages.of(published).values[0]),
        {rule: by_rule(plan, rule) for rule in RULES},
        np.array([_sampled_vss(plan, count, seed) for seed in range(trials)]),
    )


def _sampled_vss(plan: Plan, count: int, seed: int) -> float:
    """What planning with scenarios adds to the published purchase for the mean future."""
    scenarios = e1_scenarios(count, seed)
    stages = SecondStages(plan, scenarios, Weights())
    mean = float(stages.of(np.array(PUBLISHED["mvp"])).values.mean())
    return decide(plan, scenarios).lower / mean - 1


def figures(found: FirstExample) -> list[Figure]:
    return [_rewards(found), _purchases(found), _budgets(found)]


def _rewards(found: FirstExample) -> Figure:
    grid = found.grid
    first, best = grid.best(E1_BUDGET)
    eev, known = grid.for_the_mean(E1_BUDGET), grid.wait_and_see(E1_BUDGET)
    rule = grid.reward(E1_BUDGET, 0)
    expected = {"h1": rule, "h2": rule, "h3": rule, "mvp": eev, "rp": best, "ws": known}
    return Figure(
        "5.2",
        "Reward by way to choose, first example",
        f"Two task types, three machine types, a budget of {E1_BUDGET:g}. Rates are uniform, 1 ± "
        f"{E1_SPREADS[0]:g} and 1 ± {E1_SPREADS[1]:g}. Means are exact over a grid of "
        f"{grid.parts:,} x {grid.parts:,} rates.",
        [],
        _reward_claims(found),
        [f"The exact optimum is {first:.5f} M1 and {E1_BUDGET - first:.5f} M3."],
        Table(
            ["", *(NAMES[method] for method in expected)],
            [["expected reward a second", *(f"{value:.6f}" for value in expected.values())]],
        ),
    )


def _reward_claims(found: FirstExample) -> list[Claim]:
    grid = found.grid
    best = grid.best(E1_BUDGET)[1]
    eev, known = grid.for_the_mean(E1_BUDGET), grid.wait_and_see(E1_BUDGET)
    rule = grid.reward(E1_BUDGET, 0)
    return [
        Claim(
            "(a) In the mean future the rules of thumb earn about 1 (read: 0.95 to 1.05), and "
            "both other plans 2",
            "about 1.0; 2.0",
            f"{rule:.3f}; {found.mean_best:.4f}",
            0.95 <= rule <= 1.05 and abs(found.mean_best - 2) < METHODS_AGREE,
            f"{rule - 1:+.3f}; {round(found.mean_best - 2, 4) + 0.0:+.4f}",
        ),
        Claim(
            "(b) The rules of thumb can be expected to earn about 1 (read: 0.95 to 1.05)",
            "about 1.0",
            f"{rule:.3f}",
            0.95 <= rule <= 1.05,
            f"{rule - 1:+.3f}",
        ),
        *_value_claims(found, known, best, eev),
    ]


def _value_claims(found: FirstExample, known: float, best: float, eev: float) -> list[Claim]:
    vss, evpi = best / eev - 1, known / best - 1
    low, high = float(found.vss.min()), float(found.vss.max())
    return [
        Claim(
            "The value of the stochastic solution, as a share of what the plan for the mean "
            f"future earns (read: {len(found.vss)} samples of {PUBLISHED_SCENARIOS:,} "
            "scenarios give less and more)",
            percent(PUBLISHED_VSS),
            f"{percent(vss, 2)}; samples give {percent(low)} to {percent(high)}",
            low <= PUBLISHED_VSS <= high,
            points(vss, PUBLISHED_VSS),
            cause="For the published purchase of the mean future, which is not the only one: "
            "see table 5.2.",
        ),
        Claim(
            "The value of perfect information is very small (read: below 1 %)",
            "very small",
            percent(evpi, 2),
            evpi < 0.01,
        ),
        Claim(
            "Knowing the future earns no less than planning for all, and that no less than "
            "planning for the mean",
            "always",
            f"{known:.6f}, {best:.6f}, {eev:.6f}",
            known >= best >= eev,
            "a theorem",
            cannot_fail=True,
        ),
        Claim(
            f"Our decomposition on {PUBLISHED_SCENARIOS:,} scenarios finds the optimum of the "
            "program of all of them",
            f"{found.direct:.6f}",
            f"{found.sampled.lower:.6f}, at most {found.sampled.upper:.6f} is possible",
            abs(found.sampled.lower - found.direct) <= METHODS_AGREE * found.direct,
            f"{found.sampled.lower - found.direct:+.1e}",
            ours=True,
        ),
    ]


def _purchases(found: FirstExample) -> Figure:
    grid = found.grid
    first, best = grid.best(E1_BUDGET)
    third = E1_BUDGET - first
    others = [grid.reward(many, E1_BUDGET - many) for many in OTHER_MEANS]
    bought = {rule: purchase.buy for rule, purchase in found.rules.items()}
    return Figure(
        "5.2",
        "What each way buys, first example",
        "As figure 5.2.",
        [],
        _purchase_claims(found, first, best),
        [
            "The best purchase for the mean future is not unique. With any number of M1 from 1 to "
            "2.4 and M3 for the rest, it earns 2 there. What it truly earns differs: "
            + "; ".join(
                f"{value:.4f} with {many:g} M1 (two-stage: {percent(best / value - 1, 2)} more)"
                for many, value in zip(OTHER_MEANS, others, strict=True)
            )
            + f". The cheapest, 1 M1 and 1.1 M3, earns {grid.reward(1.0, 1.1):.4f}, of which the "
            f"two-stage purchase has {percent(best / grid.reward(1.0, 1.1) - 1)} more. So "
            "the published value of the stochastic solution also depends on the solver's choice."
        ],
        Table(
            ["", "M1", "M2", "M3", "published"],
            [
                [NAMES[method], *(f"{n:.3f}" for n in each), machines(PUBLISHED[method])]
                for method, each in {
                    **bought,
                    "mvp": np.array(PUBLISHED["mvp"]),
                    "rp": np.array([first, 0, third]),
                }.items()
            ],
        ),
        kind="Table",
    )


def _purchase_claims(found: FirstExample, first: float, best: float) -> list[Claim]:
    grid, third = found.grid, E1_BUDGET - first
    bought = {rule: purchase.buy for rule, purchase in found.rules.items()}
    return [
        Claim(
            "All three rules of thumb spend the budget on M1",
            "3.5, 0, 0",
            "; ".join(machines(each) for each in bought.values()),
            all((each == PUBLISHED[rule]).all() for rule, each in bought.items()),
            "none",
        ),
        Claim(
            "What is best for the mean future (read: nothing earns more there)",
            machines(PUBLISHED["mvp"]),
            f"it earns {found.mean_published:.6f} there, and nothing more than "
            f"{found.mean_best:.6f}",
            found.mean_published >= found.mean_best - METHODS_AGREE,
            "none",
        ),
        Claim(
            "What the two-stage program buys (read: as rounded there)",
            machines(PUBLISHED["rp"]),
            machines((first, 0, third), 5),
            bool((np.round([first, 0, third], 1) == PUBLISHED["rp"]).all()),
            f"{grid.reward(1.9, 1.6) - best:+.6f} of reward a second by rounding",
        ),
    ]


def _budgets(found: FirstExample) -> Figure:
    grid = found.grid
    lines = {
        "WS": [grid.wait_and_see(budget) for budget in BUDGETS],
        "RP": [grid.best(budget)[1] for budget in BUDGETS],
        "MVP": [grid.for_the_mean(budget) for budget in BUDGETS],
        "H1 to H3": [grid.reward(budget, 0) for budget in BUDGETS],
    }
    at = {budget: k for k, budget in enumerate(BUDGETS)}
    return Figure(
        "5.3",
        "Reward and budget, first example",
        "As figure 5.2. MVP buys one M1 before M3, as in table 5.2.",
        [
            Panel(
                "Expected reward a second",
                "budget",
                "expected reward a second",
                "",
                [
                    Series(name, np.array(BUDGETS), np.array(values)[:, None])
                    for name, values in lines.items()
                ],
                "lines",
            )
        ],
        _budget_claims(lines),
        table=Table(
            ["budget", *lines],
            [
                [f"{budget:g}", *(f"{values[k]:.5f}" for values in lines.values())]
                for budget, k in at.items()
            ],
        ),
    )


def _budget_claims(lines: Mapping[str, Sequence[float]]) -> list[Claim]:
    at = {budget: k for k, budget in enumerate(BUDGETS)}
    rise = {
        name: (values[at[2.0]] - values[at[1.0]], values[at[3.5]] - values[at[2.5]])
        for name, values in lines.items()
    }
    last = {name: values[-1] for name, values in lines.items()}
    return [
        Claim(
            "The rules of thumb flatten near 1 (read: they gain less than 0.05 above a budget "
            "of 2, where they earn 0.95 to 1.05)",
            "flatten near 1.0",
            f"{lines['H1 to H3'][at[2.0]]:.3f} at 2, {last['H1 to H3']:.3f} at 5",
            0.95 <= lines["H1 to H3"][at[2.0]] <= 1.05
            and last["H1 to H3"] - lines["H1 to H3"][at[2.0]] < 0.05,
        ),
        Claim(
            "Planning for all futures and knowing the future reach 2 (read: 1.999 at least)",
            "2.0",
            f"{last['RP']:.5f} and {last['WS']:.5f}",
            min(last["RP"], last["WS"]) >= 1.999,
            f"{last['RP'] - 2:+.5f} and {last['WS'] - 2:+.5f}",
        ),
        Claim(
            "Planning for the mean flattens earlier (read: from 2.5 to 3.5 it gains a smaller "
            "share of what it gains from 1 to 2 than planning for all does)",
            "earlier",
            "; ".join(
                f"{name}: {percent(rise[name][1] / rise[name][0])}" for name in ("MVP", "RP")
            ),
            rise["MVP"][1] / rise["MVP"][0] < rise["RP"][1] / rise["RP"][0],
        ),
    ]
