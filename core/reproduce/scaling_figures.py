"""Figures 8 to 11 and A.12 to A.15, and what the publication says of them."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from core.reproduce.claim import (
    CUBIC,
    FALLING,
    FLAT,
    LINEAR,
    RISING,
    RISING_SLOWLY,
    SUPER_LINEAR,
    UNMEASURED,
    Claim,
    duration,
    growth_claim,
    percent,
    points,
    times,
)
from core.reproduce.figure import Figure, Panel, Series
from core.reproduce.phases import PHASES
from core.reproduce.scaling import MACHINES, TASKS, Scaling, Size, Sweep
from core.system import FloatArray

PUBLISHED_HUNDRED_MILLION: Final = 8.4
PUBLISHED_WORST_GAP: Final = 0.06

TOOTH: Final = 1.1
"""The next point is a rise of the saw-tooth if it is this many times the last."""
FEWEST_TEETH: Final = 3


def figures(scaling: Scaling) -> list[Figure]:
    sweeps = scaling.sweeps
    return [
        quality_in_tasks(sweeps["tasks"]),
        run_time_in_tasks(sweeps["tasks"], scaling.hundred_million_seconds),
        quality_in_machines(sweeps["machines"]),
        run_time_in_machines(sweeps["machines"]),
        quality_in_task_types(sweeps["task types"]),
        run_time_in_task_types(sweeps["task types"]),
        quality_in_machine_types(sweeps["machine types"]),
        run_time_in_machine_types(sweeps["machine types"]),
    ]


def quality_in_tasks(sweep: Sweep) -> Figure:
    steps = sweep.assignment[1:] / sweep.assignment[:-1]
    teeth = int((steps >= TOOTH).sum())
    return _quality(
        "8",
        "tasks",
        sweep,
        [
            growth_claim(
                "8",
                "The increase of the makespan falls as tasks are added",
                "falls",
                sweep.x,
                sweep.total,
                FALLING,
            ),
            _mostly_assignment("8", sweep),
            Claim(
                "8",
                "What local assignment adds goes up and down like a saw "
                f"(read: at least {FEWEST_TEETH} steps up of {100 * (TOOTH - 1):.0f} % or more)",
                "cyclical",
                f"{teeth} such steps in {len(steps)}, the largest {100 * (steps.max() - 1):.0f} %",
                teeth >= FEWEST_TEETH,
                UNMEASURED,
            ),
        ],
    )


def run_time_in_tasks(sweep: Sweep, hundred_million_seconds: FloatArray) -> Figure:
    seconds = float(np.median(hundred_million_seconds))
    return _run_time(
        "9",
        "tasks",
        sweep,
        [
            _phase_claim("9", sweep, 0, "is independent of the tasks", "independent", FLAT),
            _phase_claim("9", sweep, 1, "is independent of the tasks", "independent", FLAT),
            *_assignment_claims("9", sweep, "is linear in the tasks", "linear", LINEAR),
            Claim(
                "9",
                "10^8 tasks take 8.4 s in all",
                duration(PUBLISHED_HUNDRED_MILLION),
                f"{duration(seconds)} (median)",
                seconds <= PUBLISHED_HUNDRED_MILLION,
                f"{times(PUBLISHED_HUNDRED_MILLION / seconds)} faster, on another machine",
            ),
        ],
        [
            "Assignment on counts is why: it never looks at single tasks, so that its run time is "
            "flat where the published form's is linear. The verdict on linearity is meant to be "
            "negative."
        ],
    )


def quality_in_machines(sweep: Sweep) -> Figure:
    return _quality(
        "10",
        "machines",
        sweep,
        [
            growth_claim(
                "10",
                "The increase of the makespan grows as machines are added",
                "grows",
                sweep.x,
                sweep.total,
                RISING,
            ),
            growth_claim(
                "10",
                "What local assignment adds grows rapidly (read: at least in proportion)",
                "grows rapidly",
                sweep.x,
                sweep.assignment,
                (1.0, np.inf),
            ),
            _mostly_assignment("10", sweep),
        ],
    )


def run_time_in_machines(sweep: Sweep) -> Figure:
    slowly = "is about logarithmic in the machines"
    return _run_time(
        "11",
        "machines",
        sweep,
        [
            _phase_claim("11", sweep, 0, "is independent of the machines", "independent", FLAT),
            _phase_claim("11", sweep, 1, "is independent of the machines", "independent", FLAT),
            *_assignment_claims("11", sweep, slowly, "logarithmic", RISING_SLOWLY),
        ],
    )


def quality_in_task_types(sweep: Sweep) -> Figure:
    worst = float(sweep.total.max())
    return _quality(
        "A.12",
        "task types",
        sweep,
        [
            growth_claim(
                "A.12",
                "The increase of the makespan hardly depends on the number of task types",
                "about independent",
                sweep.x,
                sweep.total,
                FLAT,
            ),
            Claim(
                "A.12",
                "The schedules are within 6 % of the bound, on average",
                f"at most {percent(PUBLISHED_WORST_GAP, 0)}",
                f"at most {percent(worst)}; {percent(float(sweep.total.mean()))} over all",
                worst <= PUBLISHED_WORST_GAP,
                points(worst, PUBLISHED_WORST_GAP),
            ),
            _mostly_assignment("A.12", sweep),
        ],
    )


def run_time_in_task_types(sweep: Sweep) -> Figure:
    words = "is linear in the task types"
    return _run_time(
        "A.13",
        "task types",
        sweep,
        [
            _phase_claim(
                "A.13", sweep, 0, "grows faster than the task types", "super-linear", SUPER_LINEAR
            ),
            _phase_claim("A.13", sweep, 1, words, "linear", LINEAR),
            *_assignment_claims("A.13", sweep, words, "linear", LINEAR),
        ],
        [
            _FIXED_COSTS,
            "One task at a time, sorting the task types is nothing beside a million tasks; only on "
            "counts do the types make the run time.",
        ],
    )


def quality_in_machine_types(sweep: Sweep) -> Figure:
    return _quality(
        "A.14",
        "machine types",
        sweep,
        [
            growth_claim(
                "A.14",
                "The increase of the makespan hardly depends on the number of machine types",
                "about independent",
                sweep.x,
                sweep.total,
                FLAT,
            ),
            growth_claim(
                "A.14",
                "What rounding adds grows with the machine types",
                "grows",
                sweep.x,
                sweep.rounding,
                RISING,
            ),
        ],
        [
            "An optimal vertex of the linear program uses at most one cell a task type and one a "
            "machine type. With two machine types each therefore runs 16 of 30 task types on "
            "average, with 40 fewer than two; we take it that few different durations pack badly."
        ],
    )


def run_time_in_machine_types(sweep: Sweep) -> Figure:
    falls = "falls as machine types are added"
    return _run_time(
        "A.15",
        "machine types",
        sweep,
        [
            _phase_claim("A.15", sweep, 0, "is about cubic in the machine types", "cubic", CUBIC),
            _phase_claim(
                "A.15", sweep, 1, "is about linear in the machine types", "linear", LINEAR
            ),
            *_assignment_claims("A.15", sweep, falls, "like minus the logarithm", FALLING),
        ],
        [_FIXED_COSTS],
    )


_FIXED_COSTS: Final = (
    "Linear and steeper growth on this page is read off the upper half of the values, where fixed "
    "costs (building the program, calls from Python into compiled code) count least; they still do."
)


def _phase_claim(
    figure: str,
    sweep: Sweep,
    phase: int,
    words: str,
    published: str,
    allowed: tuple[float, float],
) -> Claim:
    """A claim on the run time of a phase; see `_FIXED_COSTS` on where growth is read off."""
    part = slice(None) if allowed in (FLAT, RISING_SLOWLY) else slice(len(sweep.x) // 2, None)
    median = np.median(sweep.runs.phase_seconds[phase], axis=1)
    claim = f"The run time of the {PHASES[phase]} {words}"
    return growth_claim(figure, claim, published, sweep.x[part], median[part], allowed)


def _assignment_claims(
    figure: str, sweep: Sweep, words: str, published: str, allowed: tuple[float, float]
) -> list[Claim]:
    """The same of local assignment: as published, one task at a time, and as here, on counts."""
    one_at_a_time = growth_claim(
        figure,
        f"The run time of the local assignment {words}: one task at a time, as published",
        published,
        sweep.heap_x,
        np.median(sweep.heap_seconds, axis=1),
        allowed,
    )
    on_counts = _phase_claim(figure, sweep, 2, f"{words}: on counts, as here", published, allowed)
    return [one_at_a_time, on_counts]


def _mostly_assignment(figure: str, sweep: Sweep) -> Claim:
    share = sweep.assignment / (sweep.assignment + sweep.rounding)
    return Claim(
        figure,
        "Most of the increase comes from local assignment, little from rounding",
        "most",
        f"{percent(float(share.min()))} of it or more",
        bool(share.min() > 0.5),
        UNMEASURED,
    )


def _setting(size: Size, sweep: Sweep) -> str:
    return (
        f"The `nine` sample scaled up to {TASKS:,} tasks on {MACHINES:,} machines, with another "
        f"number of {size}: {len(sweep.x)} values, {sweep.runs.full.shape[1]} random systems each."
    )


def _quality(
    number: str, size: Size, sweep: Sweep, claims: Sequence[Claim], notes: Sequence[str] = ()
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
        _setting(size, sweep),
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


def _run_time(
    number: str,
    size: Size,
    sweep: Sweep,
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
        _setting(size, sweep),
        panels,
        claims,
        notes,
    )
