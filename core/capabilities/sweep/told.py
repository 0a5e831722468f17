"""What is said of a sweep: its size, its progress, and what its figures range over."""

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
from core.engines.compute.parts import RUN
from core.shells.told.told import Told, ToldTable
from core.vocabulary.say.columns import exact_duration, exact_energy, exact_money
from core.vocabulary.say.phrases import CAPS_LIMIT_AVERAGES, estimates_as_dict
from core.vocabulary.say.words import Sense, as_sentence, counted, typed

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


def told(outcome: SweepOutcome) -> Told:
    """All that is said of a sweep, its figures with the runs where they are least and most."""
    question = outcome.question
    columns = ("Figure", "Least", "Least at", "Most", "Most at")
    rows = (_ends(question, outcome.table, figure) for figure in figures_of(question))
    return Told(
        _counts(outcome),
        (f"{size_of_sweep(question)}.", *meaning(question)),
        tables=(ToldTable("Figures", columns, tuple(rows)),),
        data={
            "axes": [{"name": axis.name, "values": list(axis.values)} for axis in question.axes],
            "figures": [
                {"column": figure.column, "title": figure.title, "unit": figure.unit}
                for figure in figures_of(question)
            ],
            "runs": question.runs,
            "done": outcome.done,
            "done_before": outcome.found_before,
            "failed": [{"run": one.input, "why": one.why} for one in outcome.failed],
            **estimates_as_dict(question.system),
        },
    )


def meaning(question: SweepQuestion) -> tuple[str, ...]:
    """What the figures of a sweep are, and are not, in sentences."""
    return (*((as_sentence(CAPS_LIMIT_AVERAGES),) if question.has_cap else ()), BOUNDS)


def done_said(done: int, runs: int) -> str:
    """How many runs are done: `14 of 15 runs done`."""
    return f"{done:,} of {counted(runs, 'run')} done"


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
    parts = [done_said(outcome.done, outcome.question.runs)]
    if outcome.found_before:
        parts.append(f"{outcome.found_before:,} of them before")
    if impossible:
        parts.append(f"{impossible:,} impossible")
    return ", ".join(parts)


def _ends(question: SweepQuestion, results: "pa.Table", figure: FigureKind) -> tuple[str, ...]:
    """The row of a figure: its least and its largest value, and runs that have them."""
    values, runs = results[figure.column].to_pylist(), results[RUN].to_pylist()
    there = [(value, row) for row, value in enumerate(values) if value is not None]
    if not there:
        return (figure.title, "none in any run", "", "", "")
    ends = [
        (figure_in_words(figure, value), place_in_words(question, runs[row]))
        for value, row in (min(there), max(there))
    ]
    if ends[0][0] == ends[1][0]:
        which = "all runs" if len(there) == question.runs else f"all {len(there):,} that have it"
        return (figure.title, ends[0][0], which, "", "")
    return (figure.title, *ends[0], *ends[1])
