"""The busy nodes of a part of the time begin with those that are busy then."""

from dataclasses import replace

import numpy as np

from core.vocabulary.node_use import BusyChanges, NodeUse

CHANGES = BusyChanges(np.array([0.0, 5.0, 8.0, 8.0, 9.0]), np.array([2, 0, -1, 3, -4]))


def use() -> NodeUse:
    none = np.zeros(0)
    one = np.ones(1)
    return NodeUse(("a",), np.array([4]), one, 0.0, 10.0, (CHANGES,), (), none.astype(int), none)


def test_what_is_busy() -> None:
    assert CHANGES.busy.tolist() == [2, 2, 1, 4, 0]
    assert (CHANGES.most, CHANGES.jobs) == (4, 3)
    assert use().seconds == 10


def test_a_part_begins_with_what_runs() -> None:
    part = CHANGES.within(5, 9)
    assert (part.running, part.times.tolist(), part.busy.tolist()) == (2, [5, 8, 8], [2, 1, 4])
    assert (part.jobs, part.most) == (2, 4)
    assert CHANGES.within(6, 7).most == 2
    assert part.within(6, 7).running == 2


def test_equal_uses_have_equal_fingerprints() -> None:
    assert use().fingerprint == use().fingerprint
    later = BusyChanges(CHANGES.times + 1, CHANGES.by)
    others = (
        replace(use(), names=("b",)),
        replace(use(), changes=(later,)),
        replace(use(), changes=(replace(CHANGES, running=1),)),
        replace(use(), nodes=np.array([5])),
        replace(use(), end=11.0),
    )
    assert len({one.fingerprint for one in (use(), *others)}) == 6
