"""The capability of handing a schedule to a cluster: batch scripts of Slurm, or a file."""

from core.shells.registry import Capability

CAPABILITY = Capability(
    __name__,
    command="export",
    summary="a schedule as batch scripts, or as a file of another format",
)
