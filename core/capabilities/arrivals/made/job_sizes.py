"""Sizes that are offered, as a cloud offers them: what jobs of a log take in each of them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal, NamedTuple

import numpy as np

from core.capabilities.arrivals.made.synthetic import speedup
from core.engines.replay.workload import Options
from core.vocabulary.arrays import BoolArray, FloatArray, IntArray
from core.vocabulary.problems import Problem
from core.vocabulary.ranges import SHARE, Range
from core.vocabulary.say.words import Sense, share, typed
from core.vocabulary.setting import Flag, NumberIn, OneOf, setting

SIZE_CORES: Final = Range(1, 1_000_000, "cores")
GIGABYTES: Final = Range(0.001, 1e9, "GB")
HOURLY_PRICE: Final = Range(0.0, 1e9, "an hour")
SpeedUpModel = Literal["amdahl", "downey"]
MODEL_LABELS: Final[Mapping[SpeedUpModel, str]] = {"amdahl": "Amdahl", "downey": "Downey"}


@dataclass(frozen=True, slots=True)
class SpeedUp:
    """How much faster jobs are on more cores: by Amdahl's law, of whose work a share runs on all
    cores at once; or by Downey's model, with the average parallelism, which is the most that is
    reached, and its variation (sigma).
    """

    model: SpeedUpModel = setting(
        "amdahl",
        OneOf(MODEL_LABELS, MODEL_LABELS.__getitem__),
        "More cores speed up by",
        "How the time of a job in a size follows from that in the log.",
        flag=Flag(
            "",
            "--sizes: how times follow from those in the log: Amdahl's law (the default), or "
            "Downey's model",
            name="--speed-up",
        ),
    )
    parallel_share: float = setting(
        0.95,
        NumberIn(SHARE),
        "Parallel share",
        "Amdahl: the share of the work of a job that runs on all of its cores at once.",
        flag=Flag("S", "amdahl: the share of work that runs on all cores at once (default 0.95)"),
    )
    parallelism: float = setting(
        16.0,
        NumberIn(Range(1.0, 1e6, "cores")),
        "Average parallelism",
        "Downey: how many cores a job uses on average if it has enough.",
        flag=Flag("A", "downey: how many cores a job uses on average (default 16)"),
    )
    sigma: float = setting(
        1.0,
        NumberIn(Range(1.0, 1e6, "")),
        "Variation (sigma)",
        "Downey: how much the parallelism of a job varies; 1 or more.",
        flag=Flag("S", "downey: how much the parallelism varies, at least 1 (default 1)"),
    )

    def on(self, cores: IntArray) -> FloatArray:
        """How many times as fast as on one core jobs are on so many; it never falls."""
        if self.model == "amdahl":
            return np.asarray(1 / (1 - self.parallel_share + self.parallel_share / cores))
        return speedup(cores, np.array(self.parallelism), np.array(self.sigma))

    @property
    def in_words(self) -> str:
        if self.model == "amdahl":
            of_work = share(self.parallel_share, Sense.TYPED)
            return f"Amdahl's law, where {of_work} of the work runs on all cores at once"
        numbers = f"average parallelism {typed(self.parallelism)}, sigma {typed(self.sigma)}"
        return f"Downey's model ({numbers})"


USUAL_SPEED_UP: Final = SpeedUp()
OF_MODEL: Final[Mapping[SpeedUpModel, tuple[str, ...]]] = {
    "amdahl": ("parallel_share",),
    "downey": ("parallelism", "sigma"),
}
"""The settings that count for each model."""


@dataclass(frozen=True, slots=True)
class JobSize:
    """A size that is offered, with its price an hour, if it is known. `seconds` says what jobs of
    each of the `kinds` of its table take in it; None: they cannot run in it.
    """

    name: str
    cores: int
    memory_gb: float
    price: float | None = None
    seconds: tuple[float | None, ...] = ()


class JobSizes(NamedTuple):
    """Sizes, the names of jobs whose seconds they say, the name of their table, and where each row
    of it is. `core.capabilities.arrivals.files.sizes_file` reads them.
    """

    rows: tuple[JobSize, ...] = ()
    kinds: tuple[str, ...] = ()
    label: str = "sizes"
    places: tuple[str, ...] = ()

    @property
    def seconds(self) -> FloatArray:
        """What jobs of each of `kinds` take in each size, `[kind, size]`; NaN: they cannot run."""
        seconds = np.array([row.seconds for row in self.rows], float)
        return seconds.reshape(len(self.rows), len(self.kinds)).T

    def beyond(self, cores: float, memory_gb: float) -> Iterator[Problem]:
        """The sizes that are larger than a cluster of so much, in any one resource."""
        for row, place in zip(self.rows, self.places, strict=True):
            for column, has, there, unit, flag in (
                ("cores", row.cores, cores, "cores", "--units"),
                ("memory_gb", row.memory_gb, memory_gb, "GB", "--memory"),
            ):
                if has > there:
                    message = (
                        f"is {typed(has)}, but the cluster has {typed(there)} {unit}; leave the "
                        f"size out, or say that there are more ({flag})"
                    )
                    yield Problem(self.label, place, column, message)

    def fit(self, memory_gb: FloatArray, kind: IntArray) -> BoolArray:
        """Which sizes jobs can run in, `[job, size]`: those with the memory that they ask for (NaN:
        not known), and in which jobs of their kind run (-1: of none).
        """
        has = np.array([row.memory_gb for row in self.rows])
        runs = np.vstack([~np.isnan(self.seconds), np.ones(len(has), bool)])
        return np.asarray(~(memory_gb[:, None] > has) & runs[kind])

    def fit_none(self, memory_gb: FloatArray, kind: IntArray) -> BoolArray:
        """Which jobs can run in no size."""
        return np.asarray(~self.fit(memory_gb, kind).any(axis=1))

    def options(self, jobs: "LoggedJobs", speed_up: SpeedUp) -> Options:
        """The sizes that each job may run in; each job has one at least."""
        job, size = np.nonzero(self.fit(jobs.memory_gb, jobs.kind))
        cores = np.array([row.cores for row in self.rows])
        faster = speed_up.on(cores)[size] / speed_up.on(jobs.cores)[job]
        none = np.full(len(cores), np.nan)
        said = np.vstack([self.seconds, none])[jobs.kind[job], size]
        seconds = np.where(jobs.kind[job] < 0, jobs.seconds[job] / faster, said)
        found = Options.of(job, 0, cores[size], seconds, jobs.watts[job] * cores[size])
        memory = np.array([row.memory_gb for row in self.rows])
        return replace(found, further=memory[size, None])


class LoggedJobs(NamedTuple):
    """What a log says of its jobs: the cores that they had, for how long they asked (s), the watts
    of one of their cores, the memory that they ask for in all (NaN: not known); and which of the
    kinds of `JobSizes` they are (-1: none).
    """

    cores: IntArray
    seconds: FloatArray
    watts: FloatArray
    memory_gb: FloatArray
    kind: IntArray


NO_SIZES: Final = JobSizes()


def alike(rows: Sequence[JobSize]) -> Iterator[tuple[int, int, str]]:
    """Sizes, by their places, that cannot be told from an earlier one; and by which column."""
    names, has = dict[str, int](), dict[tuple[int, float], int]()
    for place, row in enumerate(rows):
        if (first := names.setdefault(row.name, place)) != place:
            yield place, first, "size"
        if (first := has.setdefault((row.cores, row.memory_gb), place)) != place:
            yield place, first, "cores"
