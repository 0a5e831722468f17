"""The capability of sweeps: what is proven of a system for every combination of some changes."""

from core.shells.registry import Capability

CAPABILITY = Capability(
    __name__, command="sweep", summary="what is proven for every combination of changes"
)
