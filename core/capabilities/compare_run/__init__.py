"""The capability of setting a schedule beside what happened on the cluster."""

from core.shells.registry import Capability

CAPABILITY = Capability(
    __name__,
    command="compare-run",
    summary="a schedule beside what sacct says happened, by machine",
)
