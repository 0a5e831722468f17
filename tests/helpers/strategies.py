"""What hypothesis draws from: any name, any system, any schedule."""

import numpy as np
from hypothesis import strategies as st

from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System

# Names that formats, spreadsheets and browsers are known to mistake for something else.
AWKWARD_NAMES = [
    "T1",
    "two words",
    'quoted "name"',
    "'single'",
    "comma,semicolon;tab-less|pipe",
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "<b>bold</b>",
    "${x} {y} %s \\n",
    "1",
    "1.0",
    "1,5",
    "007",
    "1e5",
    "0x10",
    "nan",
    "NA",
    "inf",
    "null",
    "None",
    "true",
    "2024-01-01",
    "#comment",
    "task_type",
    "machine_type",
    "count",
    "../../etc/passwd",
    "C:\\temp",
    "Größe",
    "計算機",
    "🚀",
    "e\u0301",
    "\u202eright to left",
    "a\u00a0b",
    "a\u200bb",
    "_x000D_",
    "x" * 200,
]


def names() -> st.SearchStrategy[str]:
    """Any name that a task type or a machine type may have."""
    characters = st.characters(
        codec="utf-8",
        exclude_categories=("Cc", "Cs", "Zl", "Zp"),
        exclude_characters="\ufeff\ufffe\uffff",
    )
    free = st.text(characters, min_size=1, max_size=12).filter(lambda name: name == name.strip())
    return st.sampled_from(AWKWARD_NAMES) | free


def currencies() -> st.SearchStrategy[str]:
    """Any name that a currency may have."""
    return st.sampled_from(["EUR", "€", "Fr.", "k €", "¤", "元", "A'b"]) | st.text(
        st.characters(categories=("L", "Nd"), codec="utf-8"), min_size=1, max_size=12
    )


@st.composite
def systems(
    draw: st.DrawFn,
    max_task_types: int = 4,
    max_machine_types: int = 3,
    *,
    with_apc: bool | None = None,
    dyadic: bool = False,
    max_count: int | None = None,
    with_estimates: bool | None = None,
) -> System:
    """Any valid system: impossible pairs, counts of zero, extreme times and powers, odd names.

    `with_apc` None draws either, and so does `with_estimates`. `dyadic` keeps to small whole
    numbers, so that sums of times and energies are exact in floating point (as long as `max_count`
    stays below about 10^6). Counts reach `max_count`: by default all that is allowed, or 20 if
    `dyadic`.
    """
    highest = max_count or (20 if dyadic else 10**12)
    seconds = st.integers(1, 16).map(float) if dyadic else _floats(1e-9, 1e15)
    watts = st.integers(0, 64).map(float) if dyadic else _floats(0.0, 1e12)

    task_names = draw(st.lists(names(), min_size=1, max_size=max_task_types, unique=True))
    machine_names = draw(st.lists(names(), min_size=1, max_size=max_machine_types, unique=True))
    task_counts = draw(_counts(len(task_names), highest))
    machine_counts = draw(_counts(len(machine_names), min(highest, 10**6)))

    present = [j for j, count in enumerate(machine_counts) if count]
    etc = np.full((len(task_names), len(machine_names)), np.inf)
    for i in range(len(task_names)):
        runs = draw(st.sets(st.integers(0, len(machine_names) - 1)))
        for j in runs | {draw(st.sampled_from(present))}:
            etc[i, j] = draw(seconds)
    apc = None
    if draw(st.booleans()) if with_apc is None else with_apc:
        apc = np.full(etc.shape, np.nan)
        for cell in zip(*np.nonzero(np.isfinite(etc)), strict=True):
            apc[cell] = draw(watts)
    marks = np.zeros(etc.shape, bool)
    if draw(st.booleans()) if with_estimates is None else with_estimates:
        able = np.argwhere(np.isfinite(etc))
        for place in draw(st.sets(st.integers(0, len(able) - 1), min_size=1)):
            marks[tuple(able[place])] = True
    return System(
        tuple(map(TaskType, task_names, task_counts)),
        tuple(
            MachineType(name, m, draw(watts), draw(st.none() | watts), *draw(_MARKETS))
            for name, m in zip(machine_names, machine_counts, strict=True)
        ),
        etc,
        apc,
        marks,
    )


_MARKETS = st.sampled_from([(), (), (900.0, 90.5, 0.25), (None, 7.0, None), (0.0, None, 1e-3)])
"""What a machine costs, brings and how often it fails (a year), as far as that is known."""


@st.composite
def schedules(draw: st.DrawFn, systems: st.SearchStrategy[System]) -> Schedule:
    """Any valid schedule of a system so drawn."""
    system = draw(systems)
    kinds, machines = [], []
    for kind, count in enumerate(system.machine_counts.tolist()):
        # One machine by itself takes whatever the larger groups leave over.
        sizes = [1] * bool(count)
        while sum(sizes) < count:
            left = count - sum(sizes)
            sizes.append(draw(st.integers(1, left)) if len(sizes) < 3 else left)
        kinds += [kind] * len(sizes)
        machines += sizes
    tasks = np.zeros((len(kinds), len(system.task_types)), np.int64)
    for i, count in enumerate(system.task_counts.tolist()):
        able = [g for g, kind in enumerate(kinds) if system.can_run[i, kind]]
        left = count
        for g in able:
            tasks[g, i] = draw(st.integers(0, left // machines[g]))
            left -= tasks[g, i] * machines[g]
        tasks[draw(st.sampled_from([g for g in able if machines[g] == 1])), i] += left
    return Schedule(system, np.array(kinds), np.array(machines), tasks)


def _floats(low: float, high: float) -> st.SearchStrategy[float]:
    return st.floats(low, high) | st.integers(max(1, int(low)), 1000).map(float)


@st.composite
def _counts(draw: st.DrawFn, size: int, highest: int) -> list[int]:
    """Counts, not all of them zero."""
    count = st.integers(0, min(highest, 20)) | st.integers(0, highest)
    return draw(st.lists(count, min_size=size, max_size=size).filter(any))
