"""Figures 8, 10, A.12 and A.14: what each phase adds to the makespan, and the claims about it."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from benchmarks.publications.claim import (
    FALLING,
    FLAT,
    RISING,
    Claim,
    growth_claim,
    percent,
    points,
)
from benchmarks.publications.figure import Figure, Panel, Series
from benchmarks.publications.makespan.scaling import Size, SizeSweep, setting

PUBLISHED_WORST_GAP: Final = 0.06

TOOTH: Final = 1.1
"""A point is a tooth of the saw if it is at least this many times the one before."""
FEWEST_TEETH: Final = 3


def quality_in_tasks(sweep: SizeSweep) -> Figure:
    steps = sweep.assignment[1:] / sweep.assignment[:-1]
    teeth = int((steps >= TOOTH).sum())
    return _quality(
        "8",
        "tasks",
        sweep,
        [
            growth_claim(
                "The increase of the makespan falls as tasks are added",
                "falls",
                sweep.x,
                sweep.total,
                FALLING,
            ),
            _mostly_assignment(sweep),
            Claim(
                "What local assignment adds goes up and down like a saw "
                f"(read: at least {FEWEST_TEETH} steps up of {100 * (TOOTH - 1):.0f} % or more)",
                "cyclical",
                f"{teeth} such steps in {len(steps)}, the largest {100 * (steps.max() - 1):.0f} %",
                teeth >= FEWEST_TEETH,
            ),
        ],
    )


def quality_in_machines(sweep: SizeSweep) -> Figure:
    return _quality(
        "10",
        "machines",
        sweep,
        [
            growth_claim(
                "The increase of the makespan grows as machines are added",
                "grows",
                sweep.x,
                sweep.total,
                RISING,
            ),
            growth_claim(
                "What local assignment adds grows rapidly (read: at least in proportion)",
                "grows rapidly",
                sweep.x,
                sweep.assignment,
                (1.0, np.inf),
            ),
            _mostly_assignment(sweep),
        ],
    )


def quality_in_task_types(sweep: SizeSweep) -> Figure:
    worst = float(sweep.total.max())
    return _quality(
        "A.12",
        "task types",
        sweep,
        [
            growth_claim(
                "The increase of the makespan hardly depends on the number of task types",
                "about independent",
                sweep.x,
                sweep.total,
                FLAT,
                _other_numbers(sweep),
            ),
            Claim(
                "The schedules are within 6 % of the bound, on average",
                f"at most {percent(PUBLISHED_WORST_GAP, 0)}",
                f"at most {percent(worst)}; {percent(float(sweep.total.mean()))} over all",
                worst <= PUBLISHED_WORST_GAP,
                points(worst, PUBLISHED_WORST_GAP),
                cause=_other_numbers(sweep),
            ),
            _mostly_assignment(sweep),
        ],
    )


def quality_in_machine_types(sweep: SizeSweep) -> Figure:
    return _quality(
        "A.14",
        "machine types",
        sweep,
        [
            growth_claim(
                "The increase of the makespan hardly depends on the number of machine types",
                "about independent",
                sweep.x,
                sweep.total,
                FLAT,
                _other_numbers(sweep),
            ),
            growth_claim(
                "What rounding adds grows with the machine types",
                "grows",
                sweep.x,
                sweep.rounding,
                RISING,
            ),
        ],
        [
            "An optimal vertex of the linear program uses at most as many pairs as there are task "
            "types and machine types together. So with two machine types each runs at most 16 of "
            "30 task types on average; with 40 machine types, fewer than two. We assume that few "
            "different durations are hard to pack."
        ],
    )


def _other_numbers(sweep: SizeSweep) -> str:
    return sweep.tried.larger_gap if sweep.tried else ""


def _mostly_assignment(sweep: SizeSweep) -> Claim:
    share = sweep.assignment / (sweep.assignment + sweep.rounding)
    return Claim(
        "Most of the increase comes from local assignment, little from rounding",
        "most",
        f"{percent(float(share.min()))} of it or more",
        bool(share.min() > 0.5),
    )


def _quality(
    number: str, size: Size, sweep: SizeSweep, claims: Sequence[Claim], notes: Sequence[str] = ()
) -> Figure:
    runs = sweep.runs
    increases = {
        "lower bound to rounded": runs.integer / runs.bound - 1,
        "rounded to schedule": runs.full / runs.integer - 1,
        "lower bound to schedule": runs.gap,
    }
    return Figure(
        number,
        f"Increase of the makespan from phase to phase, by number of {size}",
        setting(size, sweep),
        [
            Panel(
                "Increase of the makespan",
                size,
                "increase",
                "%",
                [Series(name, sweep.x, 100 * share) for name, share in increases.items()],
                "lines",
                log_y=True,
            )
        ],
        claims,
        notes,
    )
