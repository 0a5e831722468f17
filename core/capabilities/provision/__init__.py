"""What to buy, and what to sell, before it is known what work arrives and how long it takes."""

from typing import Final

from core.shells.registry import Capability

CAPABILITY = Capability(
    __name__,
    command="provision",
    summary="what to buy and sell before it is known what work arrives",
    from_study=True,
)
SETTINGS: Final = "plan"
"""The name of the settings of a plan."""
