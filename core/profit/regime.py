"""The regime of the most profitable schedule."""

from enum import Enum


class Regime(Enum):
    """How the most profitable divisible schedule runs."""

    RUNS_ON_FRONT = "runs_on_front"
    """No schedule is as good in both energy and makespan."""

    RUNS_OFF_FRONT = "runs_off_front"
    """It is slower and draws less power than any schedule on the front, because batches make a
    loss, or because of the cap.
    """

    THROTTLED = "throttled"
    """All machines wait between batches, because of the cap."""

    DOES_NOT_RUN = "does_not_run"
    """A batch costs more than it brings, however it is run."""
