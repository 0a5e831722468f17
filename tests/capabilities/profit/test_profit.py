"""Profit is offered as a command, and in studies, reports and reproductions."""

from core.capabilities.profit import CAPABILITY
from core.shells.registry import Capability


def test_it_is_offered_wherever_it_may_be() -> None:
    everywhere = Capability(
        "core.capabilities.profit",
        "profit",
        "what running batch after batch earns, and at most could earn",
        in_studies=True,
        in_reports=True,
    )
    assert everywhere == CAPABILITY
