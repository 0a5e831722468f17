"""Of two proofs of a kind the one that proves more counts."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from core.engines.front.known import NO_PROOFS, Proofs
from core.engines.front.patterns import PatternProof, Patterns
from core.engines.front.study import study
from core.engines.recover.settling import Settled
from core.engines.relaxed import trace_front
from core.engines.relaxed.fitting import Fitted
from core.vocabulary.budget import Effort
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.plane.steps import Steps
from core.vocabulary.system import System


def patterns(*joules: float) -> Patterns:
    """So many joules from 1 s, 2 s, ... on."""
    steps = Steps(np.arange(1.0, len(joules) + 1), np.array(joules))
    return Patterns(steps, PatternProof(1.0, 5.0, 0.0, np.zeros((1, 1)), np.array([1])))


def test_of_two_patterns_those_that_prove_more_joule_seconds_are_kept() -> None:
    more, less = patterns(10.0, 6.0, -np.inf), patterns(12.0, 3.0, -np.inf)
    assert more.beyond(less)
    assert not less.beyond(more)
    assert not more.beyond(more)
    known = Proofs(patterns=more)
    assert known.joined(Proofs(patterns=less)) is known
    assert Proofs(patterns=less).joined(known).patterns is more
    assert known.joined(NO_PROOFS) is known
    assert NO_PROOFS.joined(known).patterns is more


ONE = System((TaskType("t"),), (MachineType("m"),), np.ones((1, 1)), np.ones((1, 1)))


def fitted(soonest: float) -> Fitted:
    return Fitted(ONE, soonest, 1.0)


def test_of_two_makespans_that_are_excluded_the_longer_is_kept() -> None:
    sooner, later = Proofs(fitted=fitted(5.0)), Proofs(fitted=fitted(5.5))
    assert sooner.joined(later).fitted is later.fitted
    assert later.joined(sooner) is later
    assert sooner.joined(Proofs(fitted=fitted(5.0))) is sooner
    assert NO_PROOFS.joined(sooner).fitted is sooner.fitted
    assert sooner.joined(NO_PROOFS) is sooner


def test_what_is_settled_stays_settled() -> None:
    one, other = Settled((), 0.0), Settled((), 0.5)
    settled = Proofs(settled=one)
    assert settled.joined(Proofs(settled=other)) is settled
    assert NO_PROOFS.joined(settled).settled is one
    everything = settled.joined(Proofs(fitted(2.0), patterns(3.0, -np.inf)))
    assert everything.settled is one
    assert everything.fitted is not None
    assert everything.patterns is not None


def test_all_of_them_are_part_of_what_is_proven(two_by_two: Callable[..., System]) -> None:
    front = trace_front(two_by_two())
    assert NO_PROOFS.of(front).soonest == pytest.approx(10.8)
    assert Proofs(fitted=fitted(11.5)).of(front).soonest == 11.5
    raised = Proofs(patterns=patterns(2000.0, -np.inf)).of(front)
    assert raised.front is front
    assert raised.soonest == pytest.approx(10.8)
    only = Settled(tuple(study(front.system, effort=Effort(0)).schedules[:1]), 0.0)
    assert Proofs(settled=only).of(front).settled is only
    # Less than a second, so that no default hides.
    fast = trace_front(replace(front.system, etc=front.system.etc / 100))
    assert NO_PROOFS.of(fast).soonest == pytest.approx(0.108)
