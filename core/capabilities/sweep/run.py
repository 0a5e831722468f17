"""The runs of a sweep: the figures that are proven of a system, in worker processes, and kept where
they survive an interruption.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np

from core.capabilities.sweep.question import (
    COST,
    FASTEST,
    IMPOSSIBLE,
    PROFIT,
    PROFIT_IN_JOULES,
    WITHIN_CAP,
    RunPrices,
    SweepQuestion,
    columns_of,
    schema_of,
)
from core.engines.compute.compiled import compile_from_now_on
from core.engines.compute.executors import Engine
from core.engines.compute.many import FailedRun, RunsFailed, RunsProgress, run_many
from core.engines.compute.parts import RUN, ResultParts, RowsInMemory
from core.engines.front.proven import Proven, raised
from core.engines.relaxed import MAKESPAN, lower_bound, trace_front
from core.vocabulary.budget import never
from core.vocabulary.plane.points import knee
from core.vocabulary.problems import InvalidInput
from core.vocabulary.say.words import HOUR, Sense, power
from core.vocabulary.system import System
from core.vocabulary.tolerances import SUM_ROUNDING

ResultRow: TypeAlias = tuple[float | str | None, ...]
"""The values of `columns_of` for one run."""


def prepare() -> None:
    """Loads what a run needs, in the process that others are forked from."""
    from core.files.samples.named import load_sample

    computed_run(SweepQuestion(load_sample("two-by-two"), ()), 0)


def computed_run(question: SweepQuestion, run: int) -> ResultRow:
    """The row of a run. Every figure is proven: no schedule has a better one."""
    compile_from_now_on()  # interpreted, a run would take ten times as long
    found: dict[str, float | str | None] = {RUN: run}
    for axis in question.axes:
        value = question.values(run)[axis.name]
        found[axis.name] = int(value) if axis.kind.whole else value
    try:
        system = question.changed(run)
    except InvalidInput as invalid:
        found[IMPOSSIBLE] = "; ".join(problem.message for problem in invalid.problems)
    else:
        found |= _figures(system, question.prices(run))
    return tuple(found.get(column) for column in columns_of(question))


def _figures(system: System, prices: RunPrices) -> dict[str, float | str | None]:
    """The figures of a system by their columns, and why one is missing."""
    if system.apc is None:
        return {FASTEST.column: raised(lower_bound(system, MAKESPAN)).value}
    front = trace_front(system)
    proven = Proven.of(front)
    found: dict[str, float | str | None] = {
        FASTEST.column: proven.soonest,
        "energy_at_fastest_j": float(proven.least_energy(proven.soonest)),
        "least_energy_j": proven.thriftiest,
        "makespan_at_least_energy_s": float(front.makespan[0]),
        "vertices": len(front),
    }
    if (bend := knee(front.points)) is not None:
        seconds = float(front.makespan[bend])
        found["knee_makespan_s"] = seconds
        found["knee_energy_j"] = float(proven.least_energy(seconds))
    if prices.power_cap is not None:
        within = proven.least_makespan_at_power(prices.power_cap)
        if math.isfinite(within):
            found[WITHIN_CAP.column] = within
        else:
            least = power(proven.least_power, Sense.LOWER_BOUND, prices.power_cap)
            found[IMPOSSIBLE] = f"no schedule keeps the cap: each draws at least {least} on average"
    if prices.per_joule is not None:
        found[COST.column] = prices.per_joule * max(proven.thriftiest, 0.0)
        profit = most_profit_a_second(proven, prices)
        if profit is not None:
            found[PROFIT.column] = profit * HOUR
            found[PROFIT_IN_JOULES.column] = profit
    return found


def most_profit_a_second(proven: Proven, prices: RunPrices) -> float | None:
    """An upper bound on the money a second that batch after batch earns; None if a batch has no
    price, or if neither a schedule nor running nothing keeps the cap.
    """
    front, per_joule = proven.front, prices.per_joule or 0.0
    price = prices.price
    if price is None:
        if prices.ratio is None:
            return None
        price = prices.ratio * per_joule * front.least_joules
    cap = math.inf if prices.power_cap is None else prices.power_cap
    idle = front.system.total_idle_power
    if per_joule > 0:
        running = per_joule * proven.most_a_second(price / per_joule, cap)
    else:
        running = price / proven.least_period(cap)
    standing = per_joule * idle
    if idle <= cap:
        running = max(running, 0.0)  # machines may also run nothing
    if running == -math.inf:
        return None
    return running - standing + SUM_ROUNDING * (abs(running) + standing)


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


def compute_runs(
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
