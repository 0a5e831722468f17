"""Lines of slurm.conf stop jobs by tiers as was asked; what they cannot say is said."""

import pytest

from core.engines.replay.stopping.rules import NOTHING, Stopping
from core.engines.slurm.preemption import (
    PartitionTier,
    PreemptMode,
    not_in_slurm,
    preemption_lines,
)

TIERS = (PartitionTier("high", 2, False), PartitionTier("low", 0, True))


def _said(stopping: Stopping, mode: PreemptMode | None = None) -> list[str]:
    lines = preemption_lines(stopping, mode, TIERS).splitlines()
    return [line for line in lines if not line.startswith("#")]


def test_requeued_jobs_have_their_grace_and_their_least_run() -> None:
    """Times are rounded up: Slurm takes whole seconds."""
    asked = Stopping(NOTHING, stop_seconds=29.5, least_run=90.0, whom="youngest")
    assert _said(asked) == [
        "PreemptType=preempt/partition_prio",
        "PreemptMode=REQUEUE",
        "PreemptExemptTime=1:30",
        "JobRequeue=1",
        "SchedulerParameters=preempt_youngest_first,preempt_strict_order,preempt_reorder_count=1",
        "PartitionName=high PriorityTier=3 PreemptMode=OFF",
        "PartitionName=low PriorityTier=1 PreemptMode=REQUEUE GraceTime=30",
    ]


def test_where_all_is_kept_jobs_are_suspended_at_once() -> None:
    assert _said(Stopping(stop_seconds=30.0, least_run=90.0)) == [
        "PreemptType=preempt/partition_prio",
        "PreemptMode=SUSPEND,GANG",
        "SchedulerParameters=preempt_strict_order,preempt_reorder_count=1",
        "PartitionName=high PriorityTier=3 PreemptMode=OFF",
        "PartitionName=low PriorityTier=1 PreemptMode=SUSPEND",
    ]


def test_cancelled_jobs_are_not_requeued() -> None:
    said = _said(Stopping(NOTHING), "CANCEL")
    assert "PreemptMode=CANCEL" in said
    assert not [line for line in said if "REQUEUE" in line or "Requeue" in line]


def test_without_tiers_there_is_an_example() -> None:
    assert "PartitionName=urgent PriorityTier=2 PreemptMode=OFF\n" in preemption_lines(Stopping())


def test_a_name_that_no_partition_has_is_in_no_line() -> None:
    odd = [PartitionTier(name, 1, True) for name in ("a\nb=1", "x y", "", "#", "big-mem.2")]
    lines = preemption_lines(Stopping(), "REQUEUE", odd).splitlines()
    assert lines[-1] == "PartitionName=big-mem.2 PriorityTier=2 PreemptMode=REQUEUE"
    assert sum(line.startswith("PartitionName") for line in lines) == 1


@pytest.mark.parametrize(
    ("stopping", "mode", "said"),
    [
        (Stopping(NOTHING, whom="youngest"), "REQUEUE", ["waits for two minutes"]),
        (
            Stopping(3600.0, most_stops=3, whom="least-lost"),
            None,
            ["jobs that lose the least work first", "no checkpoints", "two minutes", "how often"],
        ),
        (Stopping(whom="oldest"), None, ["the oldest jobs first", "keep all that they have done"]),
        (Stopping(whom="youngest", least_run=1.0), None, ["keep all", "suspends jobs at once"]),
        (Stopping(NOTHING), "CANCEL", ["worth the least first", "does not run again"]),
    ],
)
def test_what_slurm_does_otherwise_is_said(
    stopping: Stopping, mode: PreemptMode | None, said: list[str]
) -> None:
    found = not_in_slurm(stopping, mode)
    assert len(found) == len(said)
    assert all(part in one for one, part in zip(found, said, strict=True))
