"""The heaviest types stand by themselves, and all the others together."""

import numpy as np

from core.files.samples.named import load_sample
from core.vocabulary.say.leaders import leaders, leading_task_types


def test_the_heaviest_lead_and_the_others_share_the_tail() -> None:
    found = leaders(np.array([1.0, 9.0, 3.0, 5.0, 2.0]), most=2)
    assert found.own == (1, 3)
    assert found.rank.tolist() == [2, 0, 2, 1, 2]
    assert (found.tail, found.others) == (2, 3)


def test_nobody_is_a_tail_alone() -> None:
    found = leaders(np.array([1.0, 2.0, 3.0]), most=2)
    assert (found.own, found.others) == ((2, 1, 0), 0)


def test_of_equals_the_first_leads() -> None:
    assert leaders(np.ones(5), most=2).own == (0, 1)


def test_task_types_lead_by_their_work_whatever_the_schedule() -> None:
    system = load_sample("nine")
    found = leading_task_types(system)
    work = system.task_counts * system.etc.min(axis=1)
    assert len(found.own) == 24
    assert work[list(found.own)].min() >= np.delete(work, found.own).max()
