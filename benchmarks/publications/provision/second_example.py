"""The second example (E2), with prices, rewards and rates of ours: figures 5.4 to 5.6."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from benchmarks.publications.claim import Claim, percent, points
from benchmarks.publications.figure import Figure, Panel, Series, Table
from benchmarks.publications.provision.examples import (
    E2_LOAD,
    E2_PURCHASE,
    NAMES,
    by_method,
    e2_scenarios,
    half_width_share,
    like_e2,
    machines,
)
from benchmarks.samples import E2_SECONDS
from core.capabilities.provision.comparison import Comparison, compare
from core.engines.operations.factors import factor
from core.vocabulary.arrays import FloatArray

PUBLISHED_SCENARIOS: Final = 8000
SIZES: Final = (500, 1000, 2000, 4000, 8000)
LOADS: Final = (1.0, E2_LOAD, 5.0)
FEWER: Final = 5
"""By what the scenarios are divided where the load is varied."""
PUBLISHED_WIDTH: Final = 0.012
PUBLISHED_VSS: Final = 0.13
PUBLISHED_EVPI: Final = 0.262
PUBLISHED: Final[Mapping[str, Sequence[float]]] = {
    "h1": (31.8, 0, 0, 0, 0),
    "h2": (0, 67.3, 0, 0, 0),
    "h3": (0, 67.3, 0, 0, 0),
    "mvp": (0, 8.5, 32.0, 0, -10),
    "rp": E2_PURCHASE,
}
"""Table 5.4: M1 to M5 by method."""
SETTING: Final = (
    "Ten task types on five machine types, of which there are ten M5; operations of two kinds. "
    "Rates, operations and their seconds are uniform from 0 to twice their mean."
)
_OURS: Final = (
    "Prices, rewards and rates are not printed; ours are like them as far as table 5.4 says."
)
_CAUSE: Final = "Rewards and rates, on which it depends, are not printed."


@dataclass(frozen=True, slots=True)
class AtLoad:
    """What planning for all futures has more than the best other plan and than that for the mean,
    and what knowing the future would add, all in shares.
    """

    over_all: float
    over_mean: float
    evpi: float

    @classmethod
    def of(cls, compared: Comparison) -> "AtLoad":
        best = compared.outcomes["rp"].value
        over = {
            method: best / one.value - 1
            for method, one in compared.outcomes.items()
            if method != "rp"
        }
        return cls(min(over.values()), over["mvp"], compared.evpi / best)


@dataclass(frozen=True, eq=False)
class SecondExample:
    """`loads` are results by load, on fewer scenarios, since the load is our choice."""

    compared: Comparison
    loads: Mapping[float, AtLoad]
    widths: Mapping[int, float]
    """By number of scenarios: half of the one-sided interval of the two-stage reward, in shares."""


def measure(count: int = PUBLISHED_SCENARIOS) -> SecondExample:
    operations = factor(E2_SECONDS, 2)

    def at(load: float, scenarios: int) -> Comparison:
        plan = like_e2(operations, load)
        return compare(plan, e2_scenarios(plan, operations, scenarios, seed=0))

    compared = at(E2_LOAD, count)
    values = compared.outcomes["rp"].values
    sizes = [size for size in SIZES if size <= count] or [count]
    return SecondExample(
        compared,
        {load: AtLoad.of(at(load, count // FEWER)) for load in LOADS},
        {size: half_width_share(values[:size]) for size in sizes},
    )


def figures(found: SecondExample) -> list[Figure]:
    return [_convergence(found), _rewards(found), _improvements(found), _purchases(found)]


def _convergence(found: SecondExample) -> Figure:
    sizes = np.array(list(found.widths), float)
    widths = np.array(list(found.widths.values()))
    last = float(widths[-1])
    return Figure(
        "5.4",
        "Confidence and scenarios, second example",
        f"{SETTING} {_OURS}",
        [
            Panel(
                "Half of the one-sided interval of 95 %",
                "scenarios",
                "share of the mean reward",
                "%",
                [Series("two-stage", sizes, 100 * widths[:, None])],
                "lines",
            )
        ],
        [
            Claim(
                "(a) The interval of the expected reward with as many scenarios as published "
                "(read: at most that wide)",
                f"{percent(PUBLISHED_WIDTH)} at {PUBLISHED_SCENARIOS:,}",
                f"{percent(last, 2)} at {sizes[-1]:,.0f}",
                last <= PUBLISHED_WIDTH,
                points(last, PUBLISHED_WIDTH),
                cause=_CAUSE,
            )
        ],
    )


def _rewards(found: SecondExample) -> Figure:
    outcomes, compared = found.compared.outcomes, found.compared
    known = float(compared.wait_and_see.mean())
    return Figure(
        "5.5",
        "Reward by way to choose, second example",
        f"As figure 5.4, {len(compared.wait_and_see):,} scenarios.",
        [],
        _reward_claims(found),
        [
            f"Judge claim (b), figure 5.6 and table 5.4 with care: that {E2_LOAD:g} times the "
            "load arrives which the published purchase can carry is our choice, made when we "
            "knew what each load gives. More than the best other plan, more "
            "than the plan for the mean, and perfect information, by load: "
            + "; ".join(
                f"{load:g}: {percent(one.over_all)}, {percent(one.over_mean)}, {percent(one.evpi)}"
                for load, one in found.loads.items()
            )
            + ". With a reward of 1 for each task, and the same work or the same rate of each "
            "type, what we tried gave less at every load."
        ],
        Table(
            ["", *(NAMES[method] for method in outcomes), NAMES["ws"]],
            [
                ["in the mean future", *(f"{one.believed:.3f}" for one in outcomes.values()), ""],
                [
                    "expected",
                    *(f"{one.value:.3f} ± {one.half_width:.3f}" for one in outcomes.values()),
                    f"{known:.3f}",
                ],
            ],
        ),
    )


def _reward_claims(found: SecondExample) -> list[Claim]:
    outcomes, compared = found.compared.outcomes, found.compared
    best = outcomes["rp"].value
    known = float(compared.wait_and_see.mean())
    over = {method: best / one.value - 1 for method, one in outcomes.items() if method != "rp"}
    evpi = AtLoad.of(compared).evpi
    believed = max(outcomes, key=lambda method: outcomes[method].believed)
    return [
        Claim(
            "(a) In the mean future, the plan for it is best",
            "MVP",
            NAMES[believed],
            believed == "mvp",
            "the same" if believed == "mvp" else "another",
            cannot_fail=True,
        ),
        Claim(
            "(b) Planning for all futures earns more than planning for the mean and than rules "
            f"of thumb (read: by more than {percent(PUBLISHED_VSS, 0)} over each, "
            "at a load that we chose: see figure 5.5)",
            f"more than {percent(PUBLISHED_VSS, 0)}",
            by_method({method: percent(share) for method, share in over.items()}),
            min(over.values()) > PUBLISHED_VSS,
            points(min(over.values()), PUBLISHED_VSS),
            cause=_CAUSE,
        ),
        Claim(
            "The value of perfect information, as a share of the two-stage reward (read: "
            "within 5 percentage points)",
            percent(PUBLISHED_EVPI),
            percent(evpi),
            abs(evpi - PUBLISHED_EVPI) <= 0.05,
            points(evpi, PUBLISHED_EVPI),
            cause=f"{_CAUSE} By load, as a multiple of what the published purchase carries: "
            + "; ".join(f"{load:g}: {percent(one.evpi)}" for load, one in found.loads.items())
            + ".",
        ),
        Claim(
            "Knowing the future earns no less than planning for all, and that no less than "
            "planning for the mean",
            "always",
            f"{known:.3f}, {best:.3f}, {outcomes['mvp'].value:.3f}",
            known >= best >= outcomes["mvp"].value,
            "a theorem",
            cannot_fail=True,
        ),
    ]


def _improvements(found: SecondExample) -> Figure:
    outcomes = found.compared.outcomes
    ours = outcomes["rp"].values
    shares = {
        method: _improved(ours, one.values) for method, one in outcomes.items() if method != "rp"
    }
    return Figure(
        "5.6",
        "Improvement of planning for all futures, by scenario",
        "As figure 5.5. The value of each scenario, beside that of other plans in the same one.",
        [
            Panel(
                "More reward than",
                "plan",
                "improvement",
                "%",
                [
                    Series(
                        "two-stage",
                        np.arange(len(shares), dtype=float),
                        100 * np.stack(list(shares.values())),
                    )
                ],
                "violins",
                categories=[NAMES[method] for method in shares],
            )
        ],
        _improvement_claims(shares),
        table=Table(
            ["", "least (%)", "5th of 100", "median", "mean", "95th of 100", "most"],
            [
                [
                    NAMES[method],
                    *(
                        f"{100 * share:.1f}"
                        for share in (
                            values.min(),
                            *np.percentile(values, (5, 50)),
                            values.mean(),
                            np.percentile(values, 95),
                            values.max(),
                        )
                    ),
                ]
                for method, values in shares.items()
            ],
        ),
    )


def _improvement_claims(shares: Mapping[str, FloatArray]) -> list[Claim]:
    most = {method: float(values.max()) for method, values in shares.items()}
    least = {method: float(values.min()) for method, values in shares.items()}
    means = {method: float(values.mean()) for method, values in shares.items()}
    return [
        Claim(
            "It is up to about 300 % (read: the largest of all plans between 150 % and 600 %)",
            "up to 300 %",
            by_method({method: percent(share, 0) for method, share in most.items()}),
            1.5 <= max(most.values()) <= 6,
            points(max(most.values()), 3.0),
            cause=_CAUSE,
        ),
        Claim(
            "It is down to about -40 % (read: the least of all plans between -30 % and -70 %)",
            "down to -40 %",
            by_method({method: percent(share, 0) for method, share in least.items()}),
            -0.7 <= min(least.values()) <= -0.3,
            points(min(least.values()), -0.4),
            cause=_CAUSE,
        ),
        Claim(
            "Its mean is positive over each other plan",
            "positive",
            by_method({method: percent(share) for method, share in means.items()}),
            min(means.values()) > 0,
        ),
    ]


def _improved(ours: FloatArray, theirs: FloatArray) -> FloatArray:
    """By how much more ours is, in shares; 0 where both are nothing."""
    return np.divide(ours - theirs, theirs, where=theirs > 0, out=np.zeros_like(ours))


def _purchases(found: SecondExample) -> Figure:
    changes = {
        method: one.purchase.buy - one.purchase.sell
        for method, one in found.compared.outcomes.items()
    }
    return Figure(
        "5.4",
        "What each way buys, second example",
        f"As figure 5.4. {_OURS}",
        [],
        _purchase_claims(changes),
        table=Table(
            ["", "M1", "M2", "M3", "M4", "M5", "published"],
            [
                [NAMES[method], *(f"{n + 0.0:.1f}" for n in change), machines(PUBLISHED[method])]
                for method, change in changes.items()
            ],
        ),
        kind="Table",
    )


def _purchase_claims(changes: Mapping[str, FloatArray]) -> list[Claim]:
    rules = [method for method in changes if method.startswith("h")]
    ours = changes["rp"]
    near = float(np.abs(ours - PUBLISHED["rp"]).max())
    return [
        Claim(
            "The first rule of thumb buys M1, the others M2 (read: these types, and as many as "
            "the published budget buys at the prices that it implies)",
            by_method({rule: machines(PUBLISHED[rule]) for rule in rules}),
            by_method({rule: machines(changes[rule]) for rule in rules}),
            all(np.allclose(changes[rule], PUBLISHED[rule], atol=0.05) for rule in rules),
            "none in the types; the numbers are those that the prices were made from",
        ),
        Claim(
            "The two-stage program buys M1, M2 and M3, no M4, and sells some M5",
            machines(PUBLISHED["rp"]),
            machines(ours),
            bool((np.round(np.sign(ours * (np.abs(ours) > 0.05))) == np.sign(E2_PURCHASE)).all()),
            f"at most {near:.1f} machines of a type",
            cause=_CAUSE,
        ),
        Claim(
            "The plan for the mean future has fewer types than the two-stage program, and "
            "sells all M5",
            machines(PUBLISHED["mvp"]),
            machines(changes["mvp"]),
            int((changes["mvp"] > 0.05).sum()) < int((ours > 0.05).sum())
            and float(changes["mvp"][-1]) < -9.95,
            cause=_CAUSE,
        ),
    ]
