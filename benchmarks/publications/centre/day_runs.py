"""Runs of both evolutions on every day, and what can be proven of each day, kept as they come."""

import json
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from benchmarks.publications.publication import silent
from core.capabilities.centre.bound import DaySearch
from core.capabilities.centre.day import CentreDay
from core.capabilities.centre.judge import judged_plan
from core.capabilities.centre.made import (
    MADE_GREENS,
    MADE_JOBS,
    MADE_SEEDS,
    MADE_TARGETS,
    MadeGreen,
    MadeSize,
    MadeTarget,
    made_day,
)
from core.capabilities.centre.objectives import DayCaps, DayWeights
from core.capabilities.centre.plan import DayPlan, measured
from core.capabilities.centre.recover import Recovery
from core.capabilities.centre.rivals.annealing import MOVES, annealed
from core.capabilities.centre.rivals.as_usual import as_usual
from core.capabilities.centre.rivals.evolving import (
    EVOLVING_METHODS,
    PUBLISHED,
    Evolving,
    EvolvingMethod,
    evolved,
)
from core.engines.compute.executors import Engine, InThisThread
from core.engines.compute.many import RunsProgress, run_many
from core.engines.compute.parts import RUN, ResultParts, RowsInMemory
from core.vocabulary.arrays import FloatArray
from core.vocabulary.budget import NoScheduleFound
from core.vocabulary.say.words import JOULES_PER_KWH

if TYPE_CHECKING:
    import pyarrow as pa

LATE: Final = 0.05
"""Plans of table 3.4 are late by at most this share of the time that all jobs run."""
SECONDS: Final = 10.0
"""How long we look for a plan of a day."""
GOOD_ENOUGH: Final = 1e-4
"""We stop earlier if a plan is above the bound by no more than this share of the cost as usual."""
ANEW: Final = 9973
"""Seeds of annealing begin here."""
OBJECTIVES: Final = 3
"""Excess (J), cost, and lateness (steps): the first columns of a found front."""


class MadeName(NamedTuple):
    """A day of the publication, as we draw it."""

    size: MadeSize
    green: MadeGreen
    target: MadeTarget
    seed: int

    def drawn(self) -> CentreDay:
        return made_day(*self)


DAYS: Final = tuple(
    MadeName(*each) for each in product(MADE_JOBS, MADE_GREENS, MADE_TARGETS, MADE_SEEDS)
)
"""All 81."""
FEW_DAYS: Final = tuple(day for day in DAYS if (day.target, day.seed) == ("A", 1))
"""One a size and profile of green power: enough for a glance."""


class DayFound(NamedTuple):
    """What is known of a day: cost as usual, without green power; the proven least cost and
    relative excess of plans that are late by at most `LATE`, and what our plan has, as the judge
    counts it; `faulty` is how many problems he has with it.
    """

    usual: float
    bound: float
    cost: float
    least_excess: float
    excess: float
    late: float
    faulty: int
    bound_seconds: float
    seconds: float


class EvolvedRun(NamedTuple):
    """A run of an evolution on a day. `reading` is one of `READINGS`."""

    day: MadeName
    method: EvolvingMethod
    trial: int
    generations: int
    reading: str = ""


class FrontFound(NamedTuple):
    """The plans that a run found, a line each: the objectives and the relative excess, before and
    after annealing. `faulty` is how many of them the judge has problems with.
    """

    evolved: FloatArray
    annealed: FloatArray
    faulty: int
    seconds: float


READINGS: Final[Mapping[str, Callable[[Evolving], Evolving]]] = {
    "pairs are mutated in every tenth gene": lambda how: replace(how, mutating=0.1),
    "every gene of these is mutated": lambda how: replace(how, mutating=1.0),
    "as many evaluations as NSGA-II has": lambda how: replace(
        how, pace=replace(how.pace, generations=how.pace.generations * 5 // 2)
    ),
    "half of the pairs are mutated": lambda how: replace(how, pace=replace(how.pace, crossing=0.5)),
    "first plans as printed, where nothing cools": lambda how: replace(how, high="literal"),
    "first holes as printed, none": lambda how: replace(how, first_holes="none"),
}
"""Other readings of ev-MOGA, and one with more work."""


def find_day(name: MadeName, seconds: float = SECONDS) -> DayFound:
    """What can be proven of a day, and our plan."""
    day = name.drawn()
    none = replace(day.curves, green=np.zeros(day.steps))
    usual = measured(day, as_usual(day), none).cost
    caps, cost = DayCaps(lateness=LATE * day.jobs.execution_steps), DayWeights.only("cost")
    begun = time.perf_counter()
    search = DaySearch(day)
    bound = search.bound(cost, caps)
    proven = time.perf_counter()
    plan = Recovery(day, bound, cost, caps).search(seconds, GOOD_ENOUGH * usual).plan
    done = time.perf_counter()
    least = search.bound(DayWeights.only("excess"), caps).value * JOULES_PER_KWH / day.step
    verdict, measures = judged_plan(day, plan), measured(day, plan)
    return DayFound(
        usual,
        max(bound.value, 0.0),
        verdict.cost,
        max(least, 0.0) / float(day.curves.target.sum()),
        measures.relative_excess,
        1 - verdict.on_time_share,
        len(verdict.problems),
        proven - begun,
        done - proven,
    )


def find_front(asked: EvolvedRun) -> FrontFound:
    """The plans of a run, by a seed of its own for each trial; none if it finds none."""
    day = asked.day.drawn()
    how = PUBLISHED[asked.method]
    how = replace(how, pace=replace(how.pace, generations=asked.generations))
    if asked.reading:
        how = READINGS[asked.reading](how)
    begun = time.perf_counter()
    plans: list[DayPlan] = []
    with suppress(NoScheduleFound):
        plans = evolved(day, asked.method, how, seed=asked.trial)
    seconds = time.perf_counter() - begun
    better = [] if asked.reading else annealed(day, plans, seed=ANEW + asked.trial)
    faulty = sum(bool(judged_plan(day, plan).problems) for plan in (*plans, *better))
    return FrontFound(_values(day, plans), _values(day, better), faulty, seconds)


def _values(day: CentreDay, plans: Sequence[DayPlan]) -> FloatArray:
    found = (measured(day, plan) for plan in plans)
    rows = [(one.excess, one.cost, one.lateness / day.step, one.relative_excess) for one in found]
    return np.array(rows).reshape(-1, OBJECTIVES + 1)


GENERATIONS: Final = 1000
FEW_GENERATIONS: Final = 50
READ_DAYS: Final = tuple(day for day in FEW_DAYS if day.green == "g1")
"""Other readings are tried on these."""
MOST_READ: Final = 3
"""Trials of other readings."""

Asked = MadeName | EvolvedRun


@dataclass(frozen=True, eq=False)
class DayRuns:
    """All that was found: what is known of each day, and the front of each run."""

    days: Mapping[MadeName, DayFound]
    fronts: Mapping[EvolvedRun, FrontFound]
    trials: int

    def of(self, day: MadeName, method: EvolvingMethod, reading: str = "") -> list[FrontFound]:
        """The fronts of a method on a day, a trial each."""
        return [
            found
            for run, found in self.fronts.items()
            if (run.day, run.method, run.reading) == (day, method, reading)
        ]


def measure(
    trials: int,
    quick: bool = False,
    say: Callable[[str], None] = silent,
    engine: Engine | None = None,
    record: Path | None = None,
) -> DayRuns:
    """Every day, so many runs of each method on it, and some of other readings.

    With a `record`, results are kept beside it as they come, and what is there is not done again:
    also if more trials are asked for than before.
    """
    days, generations = (FEW_DAYS, FEW_GENERATIONS) if quick else (DAYS, GENERATIONS)
    runs = [
        EvolvedRun(day, method, trial, generations)
        for trial, day, method in product(range(trials), days, EVOLVING_METHODS)
    ]
    read = [
        EvolvedRun(day, "ev-moga", trial, generations, reading)
        for trial, day, reading in product(range(min(trials, MOST_READ)), READ_DAYS, READINGS)
    ]
    kept: ResultParts | RowsInMemory = RowsInMemory(_schema())
    if record is not None:
        kept = ResultParts(record, _question(quick), _schema())
    with kept:
        seconds = SECONDS / 10 if quick else SECONDS
        _find(partial(_day_row, seconds=seconds), days, kept, engine, say, "day")
        _find(_front_row, [*runs, *read], kept, engine, say, "run")
        rows = dict(zip(*(kept.table()[name].to_pylist() for name in (RUN, "found")), strict=True))
    return DayRuns(
        {day: DayFound(*json.loads(rows[_number(day)])) for day in days},
        {run: _as_front(*json.loads(rows[_number(run)])) for run in (*read, *runs)},
        trials,
    )


def _find(
    row_of: Callable[[Any], tuple[int, str]],
    asked: Sequence[Asked],
    kept: ResultParts | RowsInMemory,
    engine: Engine | None,
    say: Callable[[str], None],
    name: str,
) -> None:
    there = set(kept.done.tolist())
    left = [one for one in asked if _number(one) not in there]

    def report(progress: RunsProgress) -> None:
        say(progress.in_words(name))

    for chunk in run_many(row_of, left, engine or InThisThread(), report=report):
        kept.add([row for _, row in chunk])


def _day_row(asked: MadeName, seconds: float) -> tuple[int, str]:
    return _number(asked), json.dumps(find_day(asked, seconds))


def _front_row(asked: EvolvedRun) -> tuple[int, str]:
    found = find_front(asked)
    values = found.evolved.tolist(), found.annealed.tolist()
    return _number(asked), json.dumps((*values, found.faulty, found.seconds))


def _as_front(
    evolved: list[list[float]], annealed: list[list[float]], faulty: int, seconds: float
) -> FrontFound:
    width = OBJECTIVES + 1
    before, after = (np.array(each, float).reshape(-1, width) for each in (evolved, annealed))
    return FrontFound(before, after, faulty, seconds)


def _number(asked: Asked) -> int:
    """A number for what is asked, the same whatever else is asked."""
    return int(sha256(json.dumps(asked).encode()).hexdigest()[:15], 16)


def _schema() -> "pa.Schema":
    import pyarrow as pa

    return pa.schema([(RUN, pa.int64()), ("found", pa.string())])


def _question(quick: bool) -> dict[str, object]:
    """What results depend on, beside what names them."""
    asked = {"evolving": repr(sorted(PUBLISHED.items())), "moves": MOVES, "late": LATE}
    return asked | ({"quick": True} if quick else {})


def prepare() -> None:
    """Load all that runs need, before processes are forked: kernels, and the solver."""
    for method in EVOLVING_METHODS:
        find_front(EvolvedRun(DAYS[0], method, 0, 1))
    find_day(DAYS[0], 0.0)
