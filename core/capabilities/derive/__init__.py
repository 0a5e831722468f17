"""The capability of deriving a system from accounting logs."""

from core.shells.registry import Capability

CAPABILITY = Capability(__name__, command="derive", summary="a system from accounting logs")
