"""Lines and commands for Slurm stop jobs by tiers as was asked; what they cannot say is said."""

from dataclasses import replace

import pytest

from core.engines.replay.classes import JobClass
from core.engines.replay.stopping.rules import ALL, NOTHING, Stopping
from core.engines.slurm.preemption import (
    PreemptMode,
    not_in_slurm,
    preemption_lines,
    qos_commands,
)

CLASSES = (
    JobClass(partition="high", tier=2, may_stop_others=True),
    JobClass(partition="low", may_be_stopped=True),
)
BY_QOS = (
    JobClass(qos="high", tier=2, may_stop_others=True),
    JobClass(qos="mid", tier=1, may_stop_others=True, may_be_stopped=True),
    JobClass(qos="low", may_be_stopped=True),
    JobClass(qos="other", tier=3),
)
YOUNGEST = Stopping(NOTHING, stop_seconds=29.5, whom="youngest")


def _said(stopping: Stopping, mode: PreemptMode | None = None) -> list[str]:
    lines = preemption_lines(stopping, mode, CLASSES).splitlines()
    return [line for line in lines if not line.startswith("#")]


def test_requeued_jobs_have_their_grace_and_their_least_run() -> None:
    """Times are rounded up: Slurm takes whole seconds."""
    assert qos_commands(YOUNGEST, None, CLASSES) == ""
    assert _said(replace(YOUNGEST, least_run=89.5)) == [
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
    assert not [line for line in said if line.startswith("PreemptExemptTime")]
    assert not [line for line in said if "REQUEUE" in line or "Requeue" in line]


def test_without_classes_there_is_an_example() -> None:
    lines = preemption_lines(Stopping())
    assert "each partition, for example; to all others, PreemptMode=OFF:\n" in lines
    assert lines.endswith(
        "PartitionName=urgent PriorityTier=2 PreemptMode=OFF\n"
        "PartitionName=usual PriorityTier=1 PreemptMode=SUSPEND\n"
    )
    assert "# Add to the parameters of the scheduler that are there:\n" in lines
    assert "example" not in preemption_lines(Stopping(), None, CLASSES)
    assert qos_commands(Stopping()) == ""


def test_classes_by_qos_are_commands() -> None:
    """A QOS stops those of lower tiers that may be stopped, if it may stop others. The lowest is
    first: no command makes a loop with what was said before, which Slurm refuses.
    """
    lines = preemption_lines(YOUNGEST, None, BY_QOS)
    assert lines.startswith("PreemptType=preempt/qos\nPreemptMode=REQUEUE\n")
    assert "PartitionName" not in lines
    said = qos_commands(YOUNGEST, None, BY_QOS).splitlines()
    begin = "sacctmgr -i modify qos"
    assert said == [
        f"{begin} low set Priority=1 PreemptMode=REQUEUE GraceTime=30",
        f"{begin} mid set Priority=2 Preempt=low PreemptMode=REQUEUE GraceTime=30",
        f"{begin} high set Priority=3 Preempt=mid,low",
        f"{begin} other set Priority=4",
    ]
    suspended = qos_commands(replace(YOUNGEST, checkpoints=ALL), None, BY_QOS)
    assert suspended.splitlines()[0].endswith("Priority=1 PreemptMode=SUSPEND")


def test_classes_that_name_more_or_others_are_left_out() -> None:
    """Of partitions and QOS, that which more classes name is taken: Slurm takes one of them."""
    others = (
        JobClass(account="chem*", may_stop_others=True),
        JobClass(name="T1", may_be_stopped=True),
        JobClass(qos="normal", user="ada", may_be_stopped=True),
        JobClass(qos="l*", may_be_stopped=True),
        JobClass(partition="x", may_be_stopped=True),
        JobClass(user="bob", worth=3.0),
    )
    said, *_ = not_in_slurm(YOUNGEST, None, (*BY_QOS, *others))
    assert said == (
        "Left out: account=chem*, name=T1, qos=normal and user=ada, qos=l*, partition=x. Slurm can "
        "be told of the jobs of one QOS, which is named in full, and of nothing else."
    )
    assert qos_commands(YOUNGEST, None, (*BY_QOS, *others)) == qos_commands(YOUNGEST, None, BY_QOS)
    assert preemption_lines(YOUNGEST, None, others).count("PartitionName=x ") == 1
    assert "user=bob" not in said, "what is worth more stops nobody for that"
    (said, _) = not_in_slurm(YOUNGEST, None, others[:3])
    assert "of the jobs of one partition, or of one QOS, which is named" in said
    assert "PartitionName=urgent" in preemption_lines(YOUNGEST, None, others[:3])
    assert not_in_slurm(YOUNGEST, None, [JobClass(qos="a", user="*")])[0].startswith(
        "Slurm stops jobs"
    )


def test_what_slurm_does_otherwise_with_tiers_is_said() -> None:
    """Tried with a real Slurm: with preempt_youngest_first, tiers count for nothing among those
    that may be stopped.
    """
    said = " ".join(not_in_slurm(YOUNGEST, None, BY_QOS))
    assert "the youngest job of all tiers is stopped first." in said
    assert "of all tiers is stopped" not in " ".join(not_in_slurm(YOUNGEST, None, BY_QOS[1:3:2]))
    assert "takes turns" not in said
    assert "takes turns" in " ".join(not_in_slurm(replace(YOUNGEST, checkpoints=ALL), None, BY_QOS))
    bold = (*CLASSES, JobClass(partition="mid", tier=1, may_be_stopped=True))
    (_, said, *_) = not_in_slurm(YOUNGEST, None, bold)
    assert said.startswith("Jobs of mid stop those of lower tiers, too")
    assert not [one for one in not_in_slurm(YOUNGEST, None, CLASSES) if "lower tiers" in one]


@pytest.mark.parametrize("by", ["partition", "qos"])
def test_a_name_that_slurm_does_not_take_is_left_out(by: str) -> None:
    names = ("a\nb=1", "x y", "#", "-x", "$(id)", "big-mem.2")
    odd = [JobClass(**{by: name}, tier=1, may_be_stopped=True) for name in names]
    lines = preemption_lines(Stopping(), "REQUEUE", odd) + qos_commands(Stopping(), "REQUEUE", odd)
    assert [line for line in lines.splitlines() if line.startswith(("Part", "sacct"))] == [
        "PartitionName=big-mem.2 PriorityTier=2 PreemptMode=REQUEUE"
        if by == "partition"
        else "sacctmgr -i modify qos big-mem.2 set Priority=2 PreemptMode=REQUEUE"
    ]
    assert "Left out: " in not_in_slurm(Stopping(), "REQUEUE", odd)[0]


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
        (Stopping(whom="youngest", stop_seconds=1.0), None, ["keep all", "suspends jobs at once"]),
        (Stopping(NOTHING), "CANCEL", ["worth the least first", "does not run again"]),
    ],
)
def test_what_slurm_does_otherwise_is_said(
    stopping: Stopping, mode: PreemptMode | None, said: list[str]
) -> None:
    found = not_in_slurm(stopping, mode)
    assert len(found) == len(said)
    assert all(part in one for one, part in zip(found, said, strict=True))
