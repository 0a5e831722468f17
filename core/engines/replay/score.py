"""What an outcome comes to: the figures by which policies are compared."""

from dataclasses import dataclass

from core.engines.replay.outcome import ReplayOutcome


@dataclass(frozen=True, slots=True)
class ReplayScore:
    """Worth and energy (J) within the horizon; jobs that ran to their end, and that were dropped;
    their mean flow (s), largest stretch and last end (s); and how long the replay took (s), with
    how many mapping events.
    """

    worth: float
    joules: float
    completed: int
    dropped: int
    mean_flow: float
    max_stretch: float
    makespan: float
    seconds: float
    events: int

    @classmethod
    def of(cls, outcome: ReplayOutcome, seconds: float) -> "ReplayScore":
        """The figures of an outcome that took so many `seconds` to compute."""
        return cls(
            worth=outcome.worth,
            joules=outcome.joules,
            completed=outcome.completed,
            dropped=int(outcome.dropped.sum()),
            mean_flow=float(outcome.flow.mean()) if outcome.completed else 0.0,
            max_stretch=float(outcome.stretch.max(initial=0.0)),
            makespan=outcome.makespan,
            seconds=seconds,
            events=len(outcome.decisions.time),
        )
