"""Case 17: 10,000 fronts of the nine environment, in one process and in two."""

import time
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, Final

from benchmarks.case import Case, Part, Section, Target
from benchmarks.report import duration, table
from core import load_sample
from core.capabilities.sweep.axes import read_axis
from core.capabilities.sweep.question import SweepQuestion
from core.capabilities.sweep.run import PREPARATION, ResultRow, computed_run
from core.engines.compute.executors import Engine, InProcesses, InThisThread
from core.engines.compute.many import run_many

AXES: Final = ("idle=0:0.99:0.01", "machines.M1=0:9", "machines.M9=1:10")
SLICES: Final = 10
"""One process and two take turns, so that other load of the machine affects both."""
WORKERS: Final = 2
LIMIT: Final = 1.2
HERE, PROCESSES = "in one process", f"in {WORKERS} processes"


def run_with_time(question: SweepQuestion, run: int) -> tuple[ResultRow, float]:
    """The row of a run, and the processor time that it took (s)."""
    begun = time.process_time()
    return computed_run(question, run), time.process_time() - begun


def measure(quick: bool) -> dict[str, dict[str, float]]:
    """For each engine the time by the clock, the processor time of the runs, and that of all else
    in the process that asks (s); how many runs, and whether all rows are equal.
    """
    question = SweepQuestion(load_sample("nine"), tuple(map(read_axis, AXES)))
    runs = question.order().tolist()[: 200 if quick else None]
    size = -(-len(runs) // SLICES)
    spent = {name: dict.fromkeys(("clock", "runs", "asking"), 0.0) for name in (HERE, PROCESSES)}
    rows: dict[str, dict[int, ResultRow]] = {HERE: {}, PROCESSES: {}}
    begun = time.perf_counter()
    with InProcesses(WORKERS, PREPARATION) as two, InThisThread() as one:
        engines: dict[str, Engine] = {HERE: one, PROCESSES: two}
        for engine in engines.values():
            list(run_many(partial(run_with_time, question), runs[:4], engine))
        ready = time.perf_counter() - begun
        for begin in range(0, len(runs), size):
            for name, engine in engines.items():
                part = partial(_computed, question, runs[begin : begin + size], engine, rows[name])
                for what, seconds in _measured(part, inside=name == HERE).items():
                    spent[name][what] += seconds
    same = float(rows[HERE] == rows[PROCESSES])
    return spent | {"all": {"runs": float(len(runs)), "ready": ready, "same": same}}


def _computed(
    question: SweepQuestion, runs: list[int], engine: Engine, rows: dict[int, ResultRow]
) -> float:
    """Computes runs into `rows`; returns the processor time of the runs."""
    spent = 0.0
    for results in run_many(partial(run_with_time, question), runs, engine):
        for run, (row, seconds) in results:
            rows[run] = row
            spent += seconds
    return spent


def _measured(part: Callable[[], float], *, inside: bool) -> dict[str, float]:
    clock, own = time.perf_counter(), time.process_time()
    runs = part()
    own = time.process_time() - own
    return {
        "clock": time.perf_counter() - clock,
        "runs": runs,
        "asking": own - runs if inside else own,
    }


def tell(measured: Mapping[str, Any]) -> Section:
    (found,) = measured.values()
    here, two, every = found[HERE], found[PROCESSES], found["all"]
    ratio = two["clock"] / (here["clock"] / WORKERS)
    work = (two["runs"] + two["asking"]) / (here["runs"] + here["asking"])
    return Section(
        [
            Target("two processes, times half the serial time", ratio, LIMIT, _times),
            Target("rows that both find equal, bit for bit", every["same"], 1.0, _times, True),
        ],
        "\n\n".join(
            [
                f"{every['runs']:,.0f} runs, in {SLICES} slices by turns. Begun and ready after "
                f"{duration(every['ready'])}, which is not counted below:",
                table(
                    ["Engine", "Time", "Processor time of the runs", "and of asking"],
                    [
                        [name, *(duration(found[name][what]) for what in here)]
                        for name in (HERE, PROCESSES)
                    ],
                ),
                f"By processor time, which other load of the machine hardly affects, all together "
                f"take {_times(work)} times as long as in one process.",
            ]
        ),
    )


def _times(value: float) -> str:
    return f"{value:.2f}"


CASE: Final = Case("Sweeps", {"10,000 fronts": Part(measure)}, tell)
