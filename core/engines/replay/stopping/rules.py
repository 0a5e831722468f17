"""What stopping a job that runs for another one costs, and which jobs may be stopped."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, Literal

from core.vocabulary.ranges import Range
from core.vocabulary.setting import Flag, NumberIn, OneOf, WholeIn, setting, settings_in, strange


class Technique(IntEnum):
    """Which jobs are stopped for a job that cannot start now."""

    NONE = 0
    GREEDY = 1
    """It starts where its measure is the highest, if that is above those of the jobs it stops."""
    DIFF = 2
    """It starts where its measure is the most above those of the jobs that it stops."""
    PAIR = 3
    """It runs before one other job or after it, whichever order has more of the measure."""
    TIERS = 4
    """It stops jobs of lower tiers, the lowest first, whatever they are worth."""
    PRICES = 5
    """It starts where its worth above its price is the most above what the jobs that it stops
    still are worth above the price of what remains of them, and the price of what they lose."""


Whom = Literal["measure", "youngest", "oldest", "least-lost"]
"""Which jobs are stopped first, of those that may be: those with the least measure, those that have
run the shortest or the longest, or those that lose the fewest core-seconds.
"""
WHOM_LABELS: Final[Mapping[Whom, str]] = {
    "measure": "Least measure",
    "youngest": "Youngest",
    "oldest": "Oldest",
    "least-lost": "Least lost",
}
SuspendedMemory = Literal["taken", "free"]
"""Whether the memory, and each other further resource, of a job that is suspended stays taken."""
_MEMORY_LABELS: Final[Mapping[SuspendedMemory, str]] = {
    "taken": "Stays taken",
    "free": "Is given back",
}
ALL: Final = 0.0
NOTHING: Final = 1e15
"""Checkpoints that are so far apart (s): no job reaches one."""
_SPAN: Final = Range(0.0, NOTHING, "s")
_COST: Final = Range(0.0, 1e9, "s")
_STOPS: Final = Range(0, 1_000_000, "stops")


@dataclass(frozen=True, slots=True)
class Stopping:
    """What becomes of a job that is stopped. Its progress up to the last checkpoint is kept: of
    every `checkpoints` seconds of its own time (`ALL`: all of it; `NOTHING`: none). If any is kept,
    it goes on in the same pool.

    Its units are free `stop_seconds` after it is stopped, and when it goes on, it needs
    `resume_seconds` before it does. No job is stopped before it has run for `least_run` seconds, or
    more than `most_stops` times (None: there is no limit); those that `whom` says are stopped
    first. Where all is kept, a job is suspended: it lies in its memory, unless `suspended_memory`
    says that this is free for others.
    """

    checkpoints: float = setting(
        ALL,
        NumberIn(_SPAN, with_unit=True, words=(("all", ALL), ("nothing", NOTHING))),
        "What is kept",
        "Of a job that is stopped: all that it has done, nothing, or what it had done at its last "
        "checkpoint.",
        flag=Flag(
            "all|nothing|TIME",
            "what is kept of a job that is stopped: all (the default), nothing, or its last "
            "checkpoint, one every so much of its time, as 1h",
            name="--kept",
        ),
    )
    stop_seconds: float = setting(
        0.0,
        NumberIn(_COST, with_unit=True),
        "Time to stop (s)",
        "Until the units of a job that is stopped are free (GraceTime of Slurm).",
        flag=Flag(
            "TIME",
            "until the units of a job that is stopped are free (default 0s)",
            name="--stop-cost",
        ),
    )
    resume_seconds: float = setting(
        0.0,
        NumberIn(_COST, with_unit=True),
        "Time to go on (s)",
        "What a job needs before it goes on, if something of it was kept.",
        flag=Flag("TIME", "what a job needs before it goes on (default 0s)", name="--resume-cost"),
    )
    least_run: float = setting(
        0.0,
        NumberIn(_COST, with_unit=True),
        "Least run (s)",
        "No job is stopped before it has run for so long (PreemptExemptTime of Slurm).",
        flag=Flag("TIME", "no job is stopped before it has run for so long (default 0s)"),
    )
    most_stops: int | None = setting(
        None,
        WholeIn(_STOPS),
        "Most stops of a job",
        "No job is stopped more often.",
        blank="No limit",
        flag=Flag("N", "no job is stopped more often (default: no limit)"),
    )
    whom: Whom = setting(
        "measure",
        OneOf(WHOM_LABELS, WHOM_LABELS.__getitem__),
        "Whom first",
        "Of the jobs that may be stopped: those with the least measure, those that have run the "
        "shortest or the longest, or those that lose the least work.",
        flag=Flag(
            "",
            "whom to stop first: the least measure (the default), the youngest, the oldest, or "
            "the least lost work",
        ),
    )
    suspended_memory: SuspendedMemory = setting(
        "taken",
        OneOf(_MEMORY_LABELS, _MEMORY_LABELS.__getitem__),
        "Memory of a suspended job",
        "Where all is kept of a job that is stopped, its memory and its other further resources "
        "stay taken until it ends, as under SUSPEND of Slurm, or are given back.",
        flag=Flag(
            "",
            "where all is kept, whether the memory of a job that is stopped stays taken until it "
            "ends (the default), or is free",
        ),
    )

    def __post_init__(self) -> None:
        given = {
            name: (getattr(self, name), one.kind) for name, one in settings_in(Stopping).items()
        }
        if found := list(strange(**given)):
            raise ValueError("; ".join(found))

    @property
    def holds_memory(self) -> bool:
        """Whether a job that is stopped keeps its further resources."""
        return self.checkpoints == ALL and self.suspended_memory == "taken"

    @property
    def is_free(self) -> bool:
        """Whether a job that is stopped loses nothing but time."""
        return self.checkpoints == ALL and self.stop_seconds == self.resume_seconds == 0.0


FREE: Final = Stopping()
"""As published: all progress is kept, and stopping takes no time."""
