"""How policies, and methods for bags, are named where a person reads."""

from core.capabilities.arrivals.policies import policy_named
from core.capabilities.arrivals.uncertain.methods import BAG_METHODS


def policy_label(name: str) -> str:
    """What a policy, or a method for bags, is called."""
    return BAG_METHODS[name].label if name in BAG_METHODS else policy_named(name).label
