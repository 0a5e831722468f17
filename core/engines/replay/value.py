"""Value of service: jobs are worth something for being early, and for taking little energy.

A value function is `most` up to a soft threshold, falls evenly to `least` at the hard one, and is 0
from there on. Weights by the category of a job, and by the hour at which it was submitted, say how
much either counts. A job whose energy, or time, reaches a hard threshold is worth nothing. All of
that becomes a curve and a priority of each job, and what each option adds for its energy.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np

from core.engines.replay.workload import WORTH, ArrivingJobs, Horizon, Options, listed_problems
from core.engines.replay.worth import WorthCurves, WorthPiece
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray
from core.vocabulary.calendar import HOURS_OF_DAY
from core.vocabulary.problems import InvalidInput, Problem
from core.vocabulary.say.words import HOUR, typed


class ValueFunctions(NamedTuple):
    """Functions of a time (s) or an energy (J), one for each job."""

    soft: FloatArray
    hard: FloatArray
    most: FloatArray
    least: FloatArray

    def scaled(self, jobs: BoolArray, soft: float, hard: float, least: float) -> "ValueFunctions":
        """The same, for some jobs with thresholds and a least value that are so many times as high;
        a soft threshold stays at or below the hard one, and the least value at or below the most.
        """
        further = np.where(jobs, self.hard * hard, self.hard)
        return ValueFunctions(
            np.minimum(np.where(jobs, self.soft * soft, self.soft), further),
            further,
            self.most,
            np.minimum(np.where(jobs, self.least * least, self.least), self.most),
        )

    def at(self, amount: FloatArray, jobs: IntArray | None = None) -> FloatArray:
        """The values of amounts, one for each job or for each of these."""
        soft, hard, most, least = self if jobs is None else (one[jobs] for one in self)
        falls = (hard > soft) & np.isfinite(hard)
        left, width = (
            np.subtract(hard, one, out=np.ones(len(amount)), where=falls) for one in (amount, soft)
        )
        fall = left / width
        found = least + np.clip(fall, 0.0, 1.0) * (most - least)
        return np.asarray(np.where(amount < hard, found, 0.0))


@dataclass(frozen=True)
class ValueWeights:
    """What counts how much: for jobs of a category that were submitted in a period, the value of
    their time counts `time[category, period]` times, and that of their energy `energy[...]` times.
    `period[h]` is the period of the hour of day h; time 0 is the begin of the hour `first_hour`.
    """

    categories: tuple[str, ...]
    periods: tuple[str, ...]
    time: FloatArray
    energy: FloatArray
    period: IntArray
    first_hour: float = 0.0

    def __post_init__(self) -> None:
        if found := list(self._problems()):
            raise InvalidInput(found)

    def _problems(self) -> list[Problem]:
        shape = len(self.categories), len(self.periods)
        found = []
        for what, table in (("time", self.time), ("energy", self.energy)):
            if table.shape != shape:
                message = f"has {table.shape} numbers of {what}; give one to each pair"
                found.append(Problem("weights", "", what, message))
                continue
            for row, column in np.argwhere(~((table >= 0.0) & (table < np.inf))).tolist():
                weight, period = typed(table[row, column]), self.periods[column]
                message = f"is {weight} in the period '{period}'; a weight is 0 or more"
                found.append(Problem("weights", self.categories[row], what, message))
        if len(self.period) != HOURS_OF_DAY:
            message = f"has {len(self.period)} hours; a day has {HOURS_OF_DAY}"
            found.append(Problem("periods", "", "", message))
        wrong = np.flatnonzero((self.period < 0) | (self.period >= len(self.periods)))
        for hour in wrong.tolist():
            message = f"belongs to none; give it one of {', '.join(self.periods)}"
            found.append(Problem("periods", f"{hour}:00", "", message))
        return found

    def within(self, horizon: Horizon) -> "ValueWeights":
        """The same where a horizon with an end begins at midnight, and time 0 is at midnight where
        it has none.
        """
        begin = horizon.begin if np.isfinite(horizon.end) else 0.0
        return replace(self, first_hour=-begin / HOUR % HOURS_OF_DAY)

    def hours(self, submitted: FloatArray) -> IntArray:
        """The hour of day at which jobs were submitted (s)."""
        hour = np.floor(submitted / HOUR + self.first_hour).astype(np.int64)
        return np.asarray(hour % HOURS_OF_DAY)

    def of(self, category: IntArray, submitted: FloatArray) -> tuple[FloatArray, FloatArray]:
        """The weights of time and of energy, of jobs that were submitted then (s)."""
        period = self.period[self.hours(submitted)]
        return self.time[category, period], self.energy[category, period]

    def for_categories(self, names: tuple[str, ...]) -> "ValueWeights":
        """The rows of these categories. Raises `InvalidInput` for each that has none."""
        missing = [one for one in names if one not in self.categories]
        message = "is a category of jobs, and has no weights; add its rows"
        if missing:
            raise InvalidInput([Problem("weights", one, "category", message) for one in missing])
        rows = [self.categories.index(one) for one in names]
        return replace(self, categories=names, time=self.time[rows], energy=self.energy[rows])

    def at_prices(self, prices: FloatArray) -> "ValueWeights":
        """The same, with energy that counts as much more, or less, as its price in each hour of the
        day is above, or below, their mean.
        """
        mean = float(prices.mean())
        factor = prices / mean if mean > 0.0 else np.ones(HOURS_OF_DAY)
        both = np.column_stack([self.period, factor])
        rows, period = np.unique(both, axis=0, return_inverse=True)
        old = rows[:, 0].astype(np.int64)
        _, hour = np.unique(period.ravel(), return_index=True)
        names = tuple(
            f"{self.periods[one]} from {begin}:00"
            for one, begin in zip(old.tolist(), hour.tolist(), strict=True)
        )
        return replace(
            self,
            periods=names,
            time=self.time[:, old],
            energy=self.energy[:, old] * rows[:, 1],
            period=period.ravel(),
        )


def _hours(*spans: tuple[int, int, int]) -> IntArray:
    found = np.zeros(HOURS_OF_DAY, np.int64)
    for period, begin, end in spans:
        found[begin:end] = period
    return found


PUBLISHED_WEIGHTS: Final = ValueWeights(
    ("regular", "high performance", "energy conservative"),
    ("low", "medium", "high"),
    np.array([[1.0, 1.0, 1.0], [10.0, 10.0, 10.0], [1.0, 1.0, 1.0]]),
    np.array([[1.0, 2.0, 4.0], [1.0, 1.0, 1.0], [10.0, 10.0, 10.0]]),
    _hours((0, 0, 4), (1, 4, 10), (2, 10, 18), (1, 18, 24)),
)
"""The weights of the publication."""


@dataclass(frozen=True)
class JobValues:
    """What each job is worth: its importance, its category, and its value functions of the time
    from its arrival to its end (s), and of the energy that it takes (J).
    """

    importance: FloatArray
    category: IntArray
    time: ValueFunctions
    energy: ValueFunctions
    weights: ValueWeights = PUBLISHED_WEIGHTS

    def of(self, submitted: FloatArray, seconds: FloatArray, joules: FloatArray) -> FloatArray:
        """The worth of jobs that were submitted then, end so much later, and took such energy."""
        of_time, of_energy = self.time.at(seconds), self.energy.at(joules)
        time, energy = self.weights.of(self.category, submitted)
        worth = self.importance * (time * of_time + energy * of_energy)
        return np.where((of_time > 0.0) & (of_energy > 0.0), worth, 0.0)

    def problems(self, jobs: ArrivingJobs) -> list[Problem]:
        """What is wrong with the importance and the value functions of jobs."""
        importance = self.importance
        wrong = np.flatnonzero(~((importance >= WORTH.low) & (importance <= WORTH.high)))
        found = listed_problems(
            wrong,
            "jobs",
            jobs.name,
            "importance",
            lambda j: f"is {typed(importance[j])}; use {WORTH}",
        )
        for what, (soft, hard, most, least) in (("time", self.time), ("energy", self.energy)):
            none = np.zeros(len(soft))
            for column, values, low, said in (
                ("soft", soft, none, "a threshold"),
                ("hard", hard, soft, "the soft threshold"),
                ("least", least, none, "a value"),
                ("most", most, least, "the least value"),
            ):
                wrong = np.flatnonzero(~(values >= low))
                say = _below(values, low, said)
                found += listed_problems(wrong, "jobs", jobs.name, f"{what}_{column}", say)
        return found


class Valued(NamedTuple):
    """Jobs with what they are worth, and the options that can be worth something."""

    jobs: ArrivingJobs
    options: Options
    curves: WorthCurves


def valued(jobs: ArrivingJobs, options: Options, values: JobValues) -> Valued:
    """Jobs by their value functions. Options that can never be worth anything are left out: they
    take too long, or too much energy. Raises `InvalidInput` if a job has no other.
    """
    if found := values.problems(jobs):
        raise InvalidInput(found)
    time, energy = values.weights.of(values.category, jobs.arrival)
    job = options.job
    of_energy = values.energy.at(options.joules, job)
    kept = (of_energy > 0.0) & (values.time.at(options.seconds, job) > 0.0)
    _refuse_without_options(jobs, kept, job)
    rows = np.flatnonzero(kept)
    first = np.searchsorted(job[rows], np.arange(len(jobs) + 1))
    extra = (values.importance * energy)[job[rows]] * of_energy[rows]
    curve, curves = _curves(values.time)
    priority = values.importance * time * values.time.most
    worths = replace(jobs, priority=priority, urgency=np.zeros(len(jobs)), curve=curve)
    return Valued(worths, replace(options.at(rows, first), extra=extra), curves)


def _below(values: FloatArray, low: FloatArray, said: str) -> Callable[[int], str]:
    def say(job: int) -> str:
        return f"is {typed(values[job])}, but {said} is {typed(low[job])} or more; correct one"

    return say


def _refuse_without_options(jobs: ArrivingJobs, kept: BoolArray, job: IntArray) -> None:
    left = np.bincount(job[kept], minlength=len(jobs))
    message = (
        "is worth nothing on any option: each takes as long as its hard threshold, or as much "
        "energy; raise that, or leave the job out"
    )
    wrong = np.flatnonzero(left == 0)
    if found := listed_problems(wrong, "jobs", jobs.name, "", lambda _: message):
        raise InvalidInput(found)


def _curves(time: ValueFunctions) -> tuple[IntArray, WorthCurves]:
    """The curve of each job, in shares of the most; equal ones are one."""
    least = np.divide(time.least, time.most, out=np.zeros(len(time.most)), where=time.most > 0.0)
    rows, curve = np.unique(
        np.column_stack([time.soft, time.hard, least]), axis=0, return_inverse=True
    )
    pieces = tuple(_pieces(*row) for row in rows.tolist())
    names = tuple(f"value {number}" for number in range(1, len(pieces) + 1))
    return curve.ravel(), WorthCurves(pieces, names)


def _pieces(soft: float, hard: float, least: float) -> tuple[WorthPiece, ...]:
    full, over = WorthPiece(0.0, 1.0, 1.0, 0.0), WorthPiece(hard, 0.0, 0.0, 0.0)
    falls = WorthPiece(soft, 1.0, least, 0.0)
    return (
        *((full,) if soft > 0.0 or np.isinf(hard) else ()),
        *((falls,) if soft < hard < np.inf else ()),
        *((over,) if np.isfinite(hard) else ()),
    )
