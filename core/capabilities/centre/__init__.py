"""The capability of planning a day of a centre: power to follow, cooling, sun and due dates."""

from core.shells.registry import Capability

CAPABILITY = Capability(
    __name__,
    command="centre",
    summary="a day of a centre: when what runs, which servers sleep, how it is cooled",
    from_study=True,
)
