"""Figures 3.6 and 3.9: the steps from optima of the linear program to schedules, as arrows."""

from typing import Final

import numpy as np

from benchmarks.publications.claim import Claim, percent
from benchmarks.publications.figure import Arrows, Curve, Figure, Plane, Table, window
from benchmarks.publications.front.environments import IDLE_FRACTION, Environments
from benchmarks.publications.linear import ends_dominated
from benchmarks.publications.pictures import BLACK, GREEN
from core.engines.recover.along import Progression
from core.engines.relaxed import Front
from core.vocabulary.tolerances import SAME

ZOOM: Final = 0.25
"""The share of the front's energy, up to its fastest end, that is shown."""
HEADROOM: Final = 0.35
"""The share of the height that is left for the legend."""


def swept(environments: Environments) -> Figure:
    """Figure 3.6: the optima of the weighted sweep."""
    nine = environments.nine
    free, idle = nine.swept, environments.idle_swept
    return Figure(
        "3.6",
        "From lower bound to rounded to full allocation",
        "The nine environment: the part of figure 3.5 a near the least makespan, with what becomes "
        "of the optima of 1,000 weights. (a) without idle power, (b) with "
        f"{percent(IDLE_FRACTION, 0)}.",
        [
            _plane("(a) no idle power", nine.front, free),
            _plane(f"(b) {percent(IDLE_FRACTION, 0)} idle power", environments.idle_front, idle),
        ],
        _swept_claims(environments),
        table=_steps({"no idle power": free, f"{percent(IDLE_FRACTION, 0)} idle power": idle}),
    )


def _swept_claims(environments: Environments) -> list[Claim]:
    free, idle = environments.nine.swept, environments.idle_swept
    energy = free.rounded[:, 0] / free.lower[:, 0] - 1
    dearer = idle.assigned[:, 0] / idle.rounded[:, 0] - 1
    kept = np.abs(free.assigned[:, 0] / free.rounded[:, 0] - 1).max()
    last, before = free.assigned[-1], free.assigned[-2]
    return [
        _lengthens("a", free),
        _lengthens("b", idle),
        Claim(
            "a: rounding may raise energy or lower it",
            "either",
            f"raised for {int((energy > SAME).sum())}, lowered for "
            f"{int((energy < -SAME).sum())} of {len(energy)}",
            bool((energy > SAME).any() and (energy < -SAME).any()),
        ),
        Claim(
            "a: local assignment does not change the energy",
            "unchanged",
            f"by a share of {kept:.0e} at most",
            bool(kept <= SAME),
            cannot_fail=True,
        ),
        Claim(
            "b: with idle power local assignment costs energy (read: never less, more on average)",
            "costs energy",
            f"+{percent(dearer.mean(), 2)} on average, {percent(dearer.min(), 2)} at least",
            bool(dearer.mean() > 0 and dearer.min() >= -SAME),
        ),
        Claim(
            "a: the last full allocation is dominated by the one before it",
            "dominated",
            f"it takes {last[0] - before[0]:+,.0f} J and {last[1] - before[1]:+,.1f} s against "
            "the one before",
            ends_dominated(free),
            cause="The environment: it is dominated in "
            f"{sum(environments.tried.dominated)} of the ten candidates for nine.",
        ),
    ]


def filled(environments: Environments) -> Figure:
    """Figure 3.9: the same after convex fill."""
    nine = environments.nine
    before, after = len(nine.swept.assigned), len(nine.filled.assigned)
    shorter = nine.filled.rounded[:, 1] / nine.filled.lower[:, 1] - 1
    return Figure(
        "3.9",
        "From lower bound to full allocation, after convex fill",
        "The same part of the nine environment without idle power; spacing 0.01.",
        [_plane("no idle power, filled", nine.front, nine.filled)],
        [
            Claim(
                "Filling leads to many new full allocations (read: at least twice as many "
                "different ones)",
                "many",
                f"{after} against {before}",
                after >= 2 * before,
            )
        ],
        [
            "In figure 3.6 rounding makes every makespan longer. Between the optima it does not: "
            f"of {len(shorter)} filled points rounding makes {int((shorter < -SAME).sum())} "
            f"shorter, by {percent(max(-float(shorter.min()), 0.0), 2)} at most."
        ],
        table=_steps({"filled": nine.filled}),
    )


def _lengthens(letter: str, progression: Progression) -> Claim:
    change = progression.rounded[:, 1] / progression.lower[:, 1] - 1
    shorter, whole = int((change < -SAME).sum()), int((np.abs(change) <= SAME).sum())
    return Claim(
        f"{letter}: in every case rounding makes the makespan longer",
        "every case",
        f"by {percent(max(change.min(), 0.0), 2)} to {percent(change.max())}, for {len(change)} "
        f"optima, of which {whole} are whole already",
        shorter == 0,
        f"exceptions: {shorter}",
    )


def _plane(title: str, front: Front, progression: Progression) -> Plane:
    stages = (progression.lower, progression.rounded, progression.assigned)
    near = progression.lower[:, 0] >= front.energy[-1] - ZOOM * (front.energy[-1] - front.energy[0])
    lower, rounded, assigned = (stage[near] for stage in stages)
    low, high = window(np.concatenate([lower, rounded, assigned]), HEADROOM)
    return Plane(
        title,
        low,
        high,
        [
            Curve("exact front", front.points, "line", BLACK),
            Curve("full allocation", assigned, "dots", GREEN),
        ],
        arrows=[
            Arrows("rounding", lower, rounded),
            Arrows("local assignment", rounded, assigned),
        ],
    )


def _steps(progressions: dict[str, Progression]) -> Table:
    rows = []
    for name, progression in progressions.items():
        stages = (progression.lower, progression.rounded, progression.assigned)
        for step, before, after in zip(
            ("rounding", "local assignment"), stages, stages[1:], strict=False
        ):
            energy, makespan = (after / before - 1).T
            rows.append(
                [
                    f"{name}: {step}",
                    f"{100 * energy.mean():+.3f}",
                    f"{100 * energy.min():+.3f} to {100 * energy.max():+.3f}",
                    f"{100 * makespan.mean():+.2f}",
                    f"{100 * makespan.min():+.2f} to {100 * makespan.max():+.2f}",
                ]
            )
    head = ["step", "energy, mean (%)", "energy, range (%)", "makespan, mean (%)"]
    return Table([*head, "makespan, range (%)"], rows)
