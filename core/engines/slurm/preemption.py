"""How Slurm is told to stop jobs of lower tiers for those of higher ones, and what it cannot do.

It can be told of classes by their partition, in lines of slurm.conf, or by their QOS, with commands
beside the lines; of all by the same.
"""

import math
import re
from collections.abc import Iterator, Sequence
from typing import Final, Literal, NamedTuple

from core.engines.replay.classes import ANY, JobClass
from core.engines.replay.stopping.rules import ALL, NOTHING, Stopping, Whom
from core.files.findings import shown_list

PreemptMode = Literal["CANCEL", "REQUEUE", "SUSPEND"]
_By = Literal["partition", "qos"]
_CALLED: Final[dict[_By, str]] = {"partition": "partition", "qos": "QOS"}
_NAME: Final = re.compile(r"\w[\w.+-]*")
"""Names that can stand in slurm.conf and in a command."""
_EXAMPLE: Final = (
    JobClass(partition="urgent", tier=1, may_stop_others=True),
    JobClass(partition="usual", may_be_stopped=True),
)


class _Classes(NamedTuple):
    """Classes that Slurm tells apart `by` the same, and others whose jobs stop or are stopped."""

    by: _By
    rows: Sequence[JobClass]
    left_out: Sequence[JobClass] = ()

    @classmethod
    def of(cls, classes: Sequence[JobClass]) -> "_Classes":
        """By that which more of them name, and nothing beside it."""
        known = {by: [row for row in classes if _is_known(row, by)] for by in _CALLED}
        by: _By = "qos" if len(known["qos"]) > len(known["partition"]) else "partition"
        others = (row for row in classes if row.may_stop_others or row.may_be_stopped)
        return cls(by, known[by], [row for row in others if row not in known[by]])

    def name(self, row: JobClass) -> str:
        return row.texts[self.by]

    def stopped_by(self, row: JobClass) -> list[str]:
        """The names of the classes whose jobs those of this one may stop."""
        lower = (one for one in self.rows if one.may_be_stopped and one.tier < row.tier)
        return [self.name(one) for one in lower] if row.may_stop_others else []


def _is_known(row: JobClass, by: _By) -> bool:
    """Whether Slurm can be told of just its jobs."""
    said = {name: text for name, text in row.texts.items() if text != ANY}
    return said.keys() == {by} and _NAME.fullmatch(said[by]) is not None


def usual_mode(stopping: Stopping) -> PreemptMode:
    """What Slurm does that is nearest: suspended jobs keep all, those that are requeued nothing but
    what they wrote themselves.
    """
    return "SUSPEND" if stopping.checkpoints == ALL else "REQUEUE"


def preemption_lines(
    stopping: Stopping, mode: PreemptMode | None = None, classes: Sequence[JobClass] = ()
) -> str:
    """Lines to copy into slurm.conf, each ended, for these `classes`, or else for an example.
    Without a mode, the usual one. Partitions that have no line are of tier 0.
    """
    known, mode = _Classes.of(classes), mode or usual_mode(stopping)
    return "".join(f"{line}\n" for line in _lines(stopping, mode, known))


def qos_commands(
    stopping: Stopping, mode: PreemptMode | None = None, classes: Sequence[JobClass] = ()
) -> str:
    """Commands for a shell, each ended, that tell the database of Slurm which QOS of these
    `classes` stops which. Empty where Slurm tells them apart by partitions.
    """
    known, mode = _Classes.of(classes), mode or usual_mode(stopping)
    return "" if known.by != "qos" else "".join(_commands(stopping, mode, known))


def _lines(stopping: Stopping, mode: PreemptMode, known: _Classes) -> Iterator[str]:
    ends = mode != "SUSPEND"
    yield f"PreemptType=preempt/{'qos' if known.by == 'qos' else 'partition_prio'}"
    yield f"PreemptMode={mode if ends else 'SUSPEND,GANG'}"
    if ends and stopping.least_run > 0:
        minutes, seconds = divmod(math.ceil(stopping.least_run), 60)
        yield f"PreemptExemptTime={minutes}:{seconds:02}"
    if mode == "REQUEUE":
        yield "JobRequeue=1"
    first = "preempt_youngest_first," if stopping.whom == "youngest" else ""
    yield "# Add to the parameters of the scheduler that are there:"
    yield f"SchedulerParameters={first}preempt_strict_order,preempt_reorder_count=1"
    if known.by == "qos":
        return
    example = "" if known.rows else ", for example"
    yield f"# Add to the line of each partition{example}; to all others, PreemptMode=OFF:"
    for row in known.rows or _EXAMPLE:
        said = f"PartitionName={row.partition} PriorityTier={row.tier + 1}"
        said += f" PreemptMode={mode if row.may_be_stopped else 'OFF'}"
        yield said + _grace(stopping, mode, row)


def _commands(stopping: Stopping, mode: PreemptMode, known: _Classes) -> Iterator[str]:
    # The lowest tier first: Slurm refuses loops, also with what was said before. It stops jobs of
    # the QOS with the least Priority first.
    for row in sorted(known.rows, key=lambda row: row.tier):
        said = f"sacctmgr -i modify qos {row.qos} set Priority={row.tier + 1}"
        # With an empty list, Slurm 22.05 takes every later command for a loop.
        said += f" Preempt={','.join(stopped)}" if (stopped := known.stopped_by(row)) else ""
        said += f" PreemptMode={mode}" if row.may_be_stopped else ""
        yield f"{said}{_grace(stopping, mode, row)}\n"


def _grace(stopping: Stopping, mode: PreemptMode, row: JobClass) -> str:
    """The seconds that jobs of a class are left when they are stopped."""
    grace = math.ceil(stopping.stop_seconds) if mode != "SUSPEND" and row.may_be_stopped else 0
    return f" GraceTime={grace}" if grace else ""


def not_in_slurm(
    stopping: Stopping, mode: PreemptMode | None = None, classes: Sequence[JobClass] = ()
) -> tuple[str, ...]:
    """What Slurm cannot do of these settings and classes, or does otherwise, a sentence each."""
    known, mode = _Classes.of(classes), mode or usual_mode(stopping)
    return (*_unlike(known, mode, stopping.whom), *_limits(stopping, mode))


def _unlike(known: _Classes, mode: PreemptMode, whom: Whom) -> Iterator[str]:
    """What Slurm does otherwise with classes."""
    if known.left_out:
        by = _CALLED[known.by] if known.rows else "partition, or of one QOS"
        texts = (
            " and ".join(f"{name}={text}" for name, text in row.texts.items())
            for row in known.left_out
        )
        yield (
            f"Left out: {shown_list(texts)}. Slurm can be told of the jobs of one {by}, which is "
            "named in full, and of nothing else."
        )
    stopped = {row.tier for row in known.rows if row.may_be_stopped}
    if whom == "youngest" and len(stopped) > 1:
        yield "With preempt_youngest_first, the youngest job of all tiers is stopped first."
    if known.by == "qos":
        yield (
            "Slurm stops jobs of the QOS with the least Priority first; with PriorityWeightQOS, it "
            "also says whose jobs begin first."
        )
        if mode == "SUSPEND":
            yield (
                "In its own partition, a job takes turns with those that it suspends; from another "
                "one, it runs alone."
            )
    else:
        lowest = min(stopped, default=math.inf)
        bold = [row for row in known.rows if row.tier > lowest and not row.may_stop_others]
        if bold:
            names = shown_list(map(known.name, bold))
            yield f"Jobs of {names} stop those of lower tiers, too: a partition's tier says so."


def _limits(stopping: Stopping, mode: PreemptMode) -> Iterator[str]:
    if stopping.whom != "youngest":
        yield (
            f"Slurm cannot stop {_FIRST[stopping.whom]} first: of the lowest tier, it stops jobs "
            "on the fewest nodes, or with preempt_youngest_first the youngest of all tiers."
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
