"""Work that arrives: workloads, policies, and what comes of them."""

from core.capabilities import Capability

CAPABILITY = Capability(__name__, in_judgements=True)
