"""Computes the runs of a sweep, and keeps their results where they survive an interruption."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np

from core.capabilities.sweep.question import SweepQuestion
from core.capabilities.sweep.results import schema_of
from core.capabilities.sweep.run import computed_run
from core.engines.compute.executors import Engine
from core.engines.compute.many import FailedRun, RunsFailed, RunsProgress, run_many
from core.engines.compute.parts import ResultParts, RowsInMemory
from core.vocabulary.budget import never

if TYPE_CHECKING:
    import pyarrow as pa

PREPARATION: Final = "core.capabilities.sweep.run"
"""The module that loads what processes need that compute runs."""


@dataclass(frozen=True, eq=False, slots=True)
class SweepOutcome:
    """The results so far, by run; how many were there before; and the runs that failed."""

    question: SweepQuestion
    table: "pa.Table"
    found_before: int
    failed: tuple[FailedRun[int], ...] = ()

    @property
    def done(self) -> int:
        return int(self.table.num_rows)

    @property
    def complete(self) -> bool:
        return self.done == self.question.runs


def sweep(
    question: SweepQuestion,
    engine: Engine,
    output: Path | None = None,
    *,
    should_stop: Callable[[], bool] = never,
    report: Callable[[RunsProgress], None] | None = None,
) -> SweepOutcome:
    """The results of all runs, or of those that were done when it was stopped.

    With an `output`, results are on disk as they come, and runs that an earlier call has done are
    not done again; when all are done, the file is made. Raises `InvalidInput` if it cannot be
    written, and `EngineRefused` if the engine is gone.
    """
    schema = schema_of(question)
    kept: ResultParts | RowsInMemory
    if output is None:
        kept = RowsInMemory(schema)
    else:
        kept = ResultParts(output, question.identity, schema)
    failed: tuple[FailedRun[int], ...] = ()
    with kept:
        before = len(kept.done)
        runs = question.order()
        runs = runs[~np.isin(runs, kept.done)]
        try:
            for results in run_many(
                partial(computed_run, question),
                runs.tolist(),
                engine,
                should_stop=should_stop,
                report=report,
            ):
                kept.add([row for _, row in results])
        except RunsFailed as failure:
            failed = failure.runs
        outcome = SweepOutcome(question, kept.table(), before, failed)
        if outcome.complete:
            kept.join()
    return outcome
