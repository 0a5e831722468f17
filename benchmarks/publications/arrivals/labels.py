"""What policies are called in figures and claims."""

from collections.abc import Sequence

from core.arrivals.policies import policy_named


def label(name: str) -> str:
    """What people call a policy; without a word on reservations it has place-holders."""
    full = policy_named(name).label.removesuffix(", place-holders").removesuffix(" backfilling")
    return full.replace("Multiple queues", "Queues")


def labels(names: Sequence[str]) -> list[str]:
    return [label(name) for name in names]
