"""What is asked of stopping jobs for others: what is kept, what it costs, whom first."""

from dataclasses import dataclass
from typing import Final, Literal, get_args

from core.engines.replay.stopping import ALL, MOST_STOPS, NOTHING, Stopping, Whom
from core.vocabulary.ranges import Range
from core.vocabulary.setting import Flag, NumberIn, OneOf, WholeIn, setting

WhomName = Literal["measure", "youngest", "oldest", "least-lost"]
_SPAN: Final = Range(0.0, 1e9, "s")
_NEVER: Final = 1e9
"""Checkpoints that are so far apart (s) keep nothing of any job."""
_STOPS: Final = Range(0, MOST_STOPS, "stops")


@dataclass(frozen=True, slots=True, kw_only=True)
class StopSettings:
    """What becomes of a job that is stopped, and which are stopped first."""

    kept: float = setting(
        ALL,
        NumberIn(_SPAN, True, (("all", ALL), ("nothing", _NEVER))),
        "What is kept",
        "Of a job that is stopped: all that it has done, nothing, or what it had done at its last "
        "checkpoint.",
        flag=Flag(
            "all|nothing|TIME",
            "what is kept of a job that is stopped: all (the default), nothing, or its last "
            "checkpoint, one every so much of its time, as 1h",
        ),
    )
    stop_cost: float = setting(
        0.0,
        NumberIn(_SPAN, True),
        "Time to stop (s)",
        "Until the units of a job that is stopped are free.",
        flag=Flag("TIME", "until the units of a job that is stopped are free (default 0s)"),
    )
    resume_cost: float = setting(
        0.0,
        NumberIn(_SPAN, True),
        "Time to go on (s)",
        "What a job needs before it goes on, if something of it was kept.",
        flag=Flag("TIME", "what a job needs before it goes on (default 0s)"),
    )
    least_run: float = setting(
        0.0,
        NumberIn(_SPAN, True),
        "Least run (s)",
        "No job is stopped before it has run for so long.",
        flag=Flag("TIME", "no job is stopped before it has run for so long (default 0s)"),
    )
    most_stops: int = setting(
        MOST_STOPS,
        WholeIn(_STOPS),
        "Most stops of a job",
        "No job is stopped more often.",
        flag=Flag("N", "no job is stopped more often (default: no limit)"),
    )
    whom: WhomName = setting(
        "measure",
        OneOf(get_args(WhomName)),
        "Whom first",
        "Of the jobs that may be stopped: those with the least measure, those that have run the "
        "shortest or the longest, or those that lose the least work.",
        flag=Flag(
            "",
            "whom to stop first: the least measure (the default), the youngest, the oldest, or "
            "the least lost work",
        ),
    )

    @classmethod
    def of(cls, stopping: Stopping) -> "StopSettings":
        """The settings that say the same."""
        whom = get_args(WhomName)[stopping.whom]
        return cls(
            kept=min(stopping.checkpoints, _NEVER),
            stop_cost=stopping.stop_seconds,
            resume_cost=stopping.resume_seconds,
            least_run=stopping.least_run,
            most_stops=stopping.most_stops,
            whom=whom,
        )

    @property
    def stopping(self) -> Stopping:
        """The same for a replay."""
        return Stopping(
            NOTHING if self.kept >= _NEVER else self.kept,
            self.stop_cost,
            self.resume_cost,
            self.least_run,
            self.most_stops,
            Whom[self.whom.replace("-", "_").upper()],
        )
