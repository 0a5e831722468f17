"""Figures 9, 11, A.13 and A.15: the run time of each phase, and the claims about it."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from benchmarks.publications.claim import (
    CUBIC,
    FALLING,
    FLAT,
    LINEAR,
    RISING_SLOWLY,
    SUPER_LINEAR,
    Claim,
    duration,
    growth_claim,
    times,
)
from benchmarks.publications.figure import Figure, Panel, Series
from benchmarks.publications.makespan.scaling import Size, SizeSweep, setting
from benchmarks.publications.phases import PHASES
from core.vocabulary.arrays import FloatArray

PUBLISHED_HUNDRED_MILLION: Final = 8.4

_FIXED_COSTS: Final = (
    "Linear and steeper growth is measured on the upper half of the values, where fixed costs "
    "(building the program, calls from Python into compiled code) matter least; they still matter."
)


def run_time_in_tasks(sweep: SizeSweep, hundred_million_seconds: FloatArray) -> Figure:
    seconds = float(np.median(hundred_million_seconds))
    return _run_time(
        "9",
        "tasks",
        sweep,
        [
            _phase_claim(sweep, 0, "is independent of the tasks", "independent", FLAT),
            _phase_claim(sweep, 1, "is independent of the tasks", "independent", FLAT),
            *_assignment_claims(sweep, "is linear in the tasks", "linear", LINEAR),
            Claim(
                "10^8 tasks take 8.4 s in all",
                duration(PUBLISHED_HUNDRED_MILLION),
                f"{duration(seconds)} (median)",
                seconds <= PUBLISHED_HUNDRED_MILLION,
                f"{times(PUBLISHED_HUNDRED_MILLION / seconds)} faster, on another machine",
            ),
        ],
        [
            "Our assignment works on counts and never looks at single tasks. So its run time does "
            "not grow, while that of the published form grows linearly. It is intended that the "
            "claim does not hold for it."
        ],
    )


def run_time_in_machines(sweep: SizeSweep) -> Figure:
    slowly = "is about logarithmic in the machines"
    return _run_time(
        "11",
        "machines",
        sweep,
        [
            _phase_claim(sweep, 0, "is independent of the machines", "independent", FLAT),
            _phase_claim(sweep, 1, "is independent of the machines", "independent", FLAT),
            *_assignment_claims(sweep, slowly, "logarithmic", RISING_SLOWLY),
        ],
    )


def run_time_in_task_types(sweep: SizeSweep) -> Figure:
    words = "is linear in the task types"
    return _run_time(
        "A.13",
        "task types",
        sweep,
        [
            _phase_claim(
                sweep, 0, "grows faster than the task types", "super-linear", SUPER_LINEAR
            ),
            _phase_claim(sweep, 1, words, "linear", LINEAR),
            *_assignment_claims(sweep, words, "linear", LINEAR),
        ],
        [
            _FIXED_COSTS,
            "If tasks are assigned one at a time, sorting the task types takes almost no time "
            "beside a million tasks. Only on counts does the run time depend on the types.",
        ],
    )


def run_time_in_machine_types(sweep: SizeSweep) -> Figure:
    falls = "falls as machine types are added"
    return _run_time(
        "A.15",
        "machine types",
        sweep,
        [
            _phase_claim(sweep, 0, "is about cubic in the machine types", "cubic", CUBIC),
            _phase_claim(sweep, 1, "is about linear in the machine types", "linear", LINEAR),
            *_assignment_claims(sweep, falls, "like minus the logarithm", FALLING),
        ],
        [_FIXED_COSTS],
    )


def _phase_claim(
    sweep: SizeSweep,
    phase: int,
    words: str,
    published: str,
    allowed: tuple[float, float],
) -> Claim:
    """A claim about the run time of a phase; `_FIXED_COSTS` says where growth is measured."""
    part = slice(None) if allowed in (FLAT, RISING_SLOWLY) else slice(len(sweep.x) // 2, None)
    median = np.median(sweep.runs.phase_seconds[phase], axis=1)
    claim = f"The run time of the {PHASES[phase]} {words}"
    tried = sweep.tried
    cause = (tried.larger_programs, tried.larger_rounding, "")[phase] if tried else ""
    return growth_claim(claim, published, sweep.x[part], median[part], allowed, cause)


def _assignment_claims(
    sweep: SizeSweep, words: str, published: str, allowed: tuple[float, float]
) -> list[Claim]:
    """The same claim for the local assignment: as published, one task at a time, and as here, on
    counts.
    """
    one_at_a_time = growth_claim(
        f"The run time of the local assignment {words}: one task at a time, as published",
        published,
        sweep.heap_x,
        np.median(sweep.heap_seconds, axis=1),
        allowed,
        sweep.tried.fewer_tasks if sweep.tried else "",
    )
    on_counts = _phase_claim(sweep, 2, f"{words}: on counts, as here", published, allowed)
    cause = "Intended: on counts only types are looked at, no single tasks."
    return [one_at_a_time, replace(on_counts, ours=True, cause=cause)]


def _run_time(
    number: str,
    size: Size,
    sweep: SizeSweep,
    claims: Sequence[Claim],
    notes: Sequence[str] = (),
) -> Figure:
    panels = []
    for letter, name, seconds in zip("abc", PHASES, sweep.runs.phase_seconds, strict=True):
        on_counts = name == PHASES[-1]
        series = [Series("on counts" if on_counts else name, sweep.x, 1e3 * seconds)]
        if on_counts:
            series.append(Series("one task at a time", sweep.heap_x, 1e3 * sweep.heap_seconds))
        title = f"({letter}) {name.capitalize()}"
        panels.append(
            Panel(title, size, "run time", "ms", series, "lines", log_y=on_counts, robust=True)
        )
    return Figure(
        number,
        f"Run time of each phase, by number of {size}",
        setting(size, sweep),
        panels,
        claims,
        notes,
    )
