"""A sweep in words: its size, its progress, and what its figures range over."""

import shlex
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from core.capabilities.sweep.axes import SweptAxis
from core.capabilities.sweep.question import (
    IMPOSSIBLE,
    PROFIT,
    PROFIT_IN_JOULES,
    FigureKind,
    SweepQuestion,
    figures_of,
)
from core.capabilities.sweep.run import SweepOutcome
from core.engines.compute.executors import HERE
from core.vocabulary.say.aligned import table
from core.vocabulary.say.columns import exact_duration, exact_energy, exact_money, took
from core.vocabulary.say.phrases import CAPS_LIMIT_AVERAGES
from core.vocabulary.say.words import Sense, counted, typed

if TYPE_CHECKING:
    import pyarrow as pa

BOUNDS: Final = "Every figure is a proven bound: no schedule is better. Nothing was scheduled."
_FAILED_NAMED: Final = 5


def size_of_sweep(question: SweepQuestion) -> str:
    """`808 runs: 101 of idle x 8 of machines.M1`."""
    axes = " x ".join(f"{len(axis.values):,} of {axis.name}" for axis in question.axes)
    return f"{counted(question.runs, 'run')}: {axes}"


def sweep_command(
    system: str, axes: Sequence[SweptAxis], engine: str = HERE, output: str | None = None
) -> str:
    """The command line of a sweep."""
    words = ["wattfront", "sweep", system]
    for axis in axes:
        words += ["--over", axis.text]
    if engine != HERE:
        words += ["--engine", engine]
    if output is not None:
        words += ["-o", output]
    return shlex.join(words)


def figure_in_words(figure: FigureKind, value: float | None) -> str:
    """A figure with its unit, rounded so that it stays proven."""
    if value is None:
        return "none"
    if figure.unit == "s":
        return exact_duration(value, Sense.LOWER_BOUND)
    if figure.unit == "J":
        return exact_energy(value, Sense.LOWER_BOUND)
    if figure in (PROFIT, PROFIT_IN_JOULES):
        return f"{exact_money(value, Sense.UPPER_BOUND)} {figure.unit}"
    if not figure.unit:
        return typed(value)
    return f"{exact_money(value, Sense.LOWER_BOUND)} {figure.unit}"


def place_in_words(question: SweepQuestion, run: int) -> str:
    """`idle 0.3, machines.M1 4`: which run it is, without axes of one value."""
    values = question.values(run)
    varied = [axis.name for axis in question.axes if len(axis.values) > 1]
    return ", ".join(f"{name} {typed(values[name])}" for name in varied or values)


def sweep_report(name: str, outcome: SweepOutcome, seconds: dict[str, float]) -> str:
    """The least and the largest value of each figure, with their runs; what is impossible, what
    failed, and the time it took.
    """
    question, results = outcome.question, outcome.table
    rows = [("runs", _counts(outcome))]
    for figure in figures_of(question):
        rows += _ends(question, results, figure)
    rows.append(("took", took(seconds)))
    average = f"; {CAPS_LIMIT_AVERAGES}" if question.has_cap else ""
    return f"{name}: {size_of_sweep(question)}{average}\n{table(rows)}\n{BOUNDS}"


def failures_in_words(outcome: SweepOutcome) -> list[str]:
    """A sentence for each of the first runs that failed."""
    said = [
        f"run {one.input} ({place_in_words(outcome.question, one.input)}) failed: {one.why}"
        for one in outcome.failed[:_FAILED_NAMED]
    ]
    more = len(outcome.failed) - _FAILED_NAMED
    return [*said, f"... and {more} more"] if more > 0 else said


def _counts(outcome: SweepOutcome) -> str:
    impossible = outcome.done - outcome.table[IMPOSSIBLE].null_count
    parts = [f"{outcome.done:,} of {outcome.question.runs:,} done"]
    if outcome.found_before:
        parts.append(f"{outcome.found_before:,} of them before")
    if impossible:
        parts.append(f"{impossible:,} impossible")
    return ", ".join(parts)


def _ends(
    question: SweepQuestion, results: "pa.Table", figure: FigureKind
) -> list[tuple[str, str]]:
    values = results[figure.column].to_pylist()
    there = [(value, row) for row, value in enumerate(values) if value is not None]
    if not there:
        return [(figure.title, "none in any run")]
    runs = results["run"].to_pylist()
    (least, at_least), (most, at_most) = min(there), max(there)
    low, high = figure_in_words(figure, least), figure_in_words(figure, most)
    if low == high:
        return [(figure.title, low)]
    return [
        (figure.title, f"{low} at {place_in_words(question, runs[at_least])}"),
        ("", f"to {high} at {place_in_words(question, runs[at_most])}"),
    ]
