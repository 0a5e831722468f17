"""In which way the most profitable schedule runs, if it does."""

from enum import Enum


class Regime(Enum):
    """What the most profitable divisible schedule does."""

    RUNS_ON_FRONT = "runs_on_front"
    """No schedule is as good in both energy and makespan."""

    RUNS_OFF_FRONT = "runs_off_front"
    """Slower, and drawing less power, than any on the front: because batches make a loss, or
    because of the cap.
    """

    THROTTLED = "throttled"
    """All machines wait between batches, because of the cap."""

    DOES_NOT_RUN = "does_not_run"
    """A batch costs more than it brings, however it is run."""
