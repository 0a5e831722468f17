"""Of two proofs of a kind the one that proves more counts."""

import numpy as np

from core.front.patterns import PatternProof, Patterns
from core.front.proofs import NO_PROOFS, Proofs
from core.plane.steps import Steps


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
