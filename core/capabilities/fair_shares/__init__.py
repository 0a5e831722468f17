"""Fair shares for bags that arrive: the best possible worst stretch, and a plan that has it."""

from typing import Final

from core.shells.registry import Capability

CAPABILITY = Capability(
    __name__,
    command="fair-shares",
    formerly="stretch",
    summary="how fairly bags that arrive can share machines and links",
    from_study=True,
)
SETTINGS: Final = "network"
"""The name of the settings of a network."""
