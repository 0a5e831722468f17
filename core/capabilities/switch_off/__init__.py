"""The capability of deciding which nodes may sleep while they have nothing to do."""

from core.shells.registry import Capability

CAPABILITY = Capability(
    __name__, command="switch-off", summary="which idle nodes to switch off, by a log of jobs"
)
