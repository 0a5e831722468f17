"""Work that arrives: workloads, policies, and what comes of them."""

from core.shells.registry import Capability, FurtherCommand

CAPABILITY = Capability(
    __name__,
    command="replay",
    summary="what comes of work that arrives, under each policy",
    further=(
        FurtherCommand(
            "generate-workload", "work that arrives: drawn, or taken from a log", "generating"
        ),
    ),
    from_study=True,
    further_blocks=("late",),
)
