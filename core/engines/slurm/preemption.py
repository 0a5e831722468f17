"""How Slurm is told to stop jobs of lower tiers for those of higher ones, and what it cannot do."""

import math
import re
from collections.abc import Iterator, Sequence
from typing import Final, Literal, NamedTuple

from core.engines.replay.stopping.rules import ALL, NOTHING, Stopping, Whom

PreemptMode = Literal["CANCEL", "REQUEUE", "SUSPEND"]
_NAME: Final = re.compile(r"[\w.+-]+")
"""Names of partitions that can stand in slurm.conf."""


class PartitionTier(NamedTuple):
    """A partition, the tier of its jobs, and whether these may be stopped."""

    partition: str
    tier: int
    may_be_stopped: bool


_EXAMPLE: Final = (PartitionTier("urgent", 1, False), PartitionTier("usual", 0, True))


def usual_mode(stopping: Stopping) -> PreemptMode:
    """What Slurm does that is nearest: suspended jobs keep all, those that are requeued nothing but
    what they wrote themselves.
    """
    return "SUSPEND" if stopping.checkpoints == ALL else "REQUEUE"


def preemption_lines(
    stopping: Stopping, mode: PreemptMode | None = None, tiers: Sequence[PartitionTier] = ()
) -> str:
    """Lines to copy into slurm.conf, each ended, also for the partitions of these `tiers`, or else
    of an example. Without a mode, the usual one. Partitions that have no line are of tier 0.
    """
    return "".join(f"{line}\n" for line in _lines(stopping, mode or usual_mode(stopping), tiers))


def _lines(stopping: Stopping, mode: PreemptMode, tiers: Sequence[PartitionTier]) -> Iterator[str]:
    ends = mode != "SUSPEND"
    yield "PreemptType=preempt/partition_prio"
    yield f"PreemptMode={mode if ends else 'SUSPEND,GANG'}"
    if ends and stopping.least_run > 0:
        minutes, seconds = divmod(math.ceil(stopping.least_run), 60)
        yield f"PreemptExemptTime={minutes}:{seconds:02}"
    if mode == "REQUEUE":
        yield "JobRequeue=1"
    first = "preempt_youngest_first," if stopping.whom == "youngest" else ""
    yield "# Add to the parameters of the scheduler that are there:"
    yield f"SchedulerParameters={first}preempt_strict_order,preempt_reorder_count=1"
    yield "# Add to the line of each partition:"
    for name, tier, stoppable in tiers or _EXAMPLE:
        if _NAME.fullmatch(name):
            said = f"PartitionName={name} PriorityTier={tier + 1}"
            said += f" PreemptMode={mode if stoppable else 'OFF'}"
            grace = math.ceil(stopping.stop_seconds) if ends and stoppable else 0
            yield said + (f" GraceTime={grace}" if grace else "")


def not_in_slurm(stopping: Stopping, mode: PreemptMode | None = None) -> tuple[str, ...]:
    """What Slurm cannot do of these settings, or does otherwise, a sentence each."""
    return tuple(_limits(stopping, mode or usual_mode(stopping)))


def _limits(stopping: Stopping, mode: PreemptMode) -> Iterator[str]:
    if stopping.whom != "youngest":
        yield (
            f"Slurm cannot stop {_FIRST[stopping.whom]} first: of the lowest tier, it stops jobs "
            "on the fewest nodes, or with preempt_youngest_first the youngest."
        )
    if mode == "REQUEUE":
        if stopping.checkpoints < NOTHING:
            yield (
                "Slurm knows no checkpoints: a job that is requeued begins anew, unless its script "
                "goes on from what it wrote itself."
            )
        yield "A job that Slurm requeues waits for two minutes before it may begin again."
    if mode == "CANCEL":
        yield "A job that Slurm cancels does not run again, as jobs do that are stopped here."
    if mode == "SUSPEND":
        yield "Jobs that Slurm suspends keep all that they have done, and their memory and GPUs."
        if stopping.least_run > 0 or stopping.stop_seconds > 0:
            yield "Slurm suspends jobs at once, however short they have run."
    if stopping.most_stops is not None:
        yield "Slurm does not count how often it has stopped a job."


_FIRST: Final[dict[Whom, str]] = {
    "measure": "jobs that are worth the least",
    "oldest": "the oldest jobs",
    "least-lost": "jobs that lose the least work",
}
