"""Profit is offered as a command, and in studies, reports and reproductions."""

from core.capabilities import Capability
from core.profit import CAPABILITY


def test_it_is_offered_wherever_it_may_be() -> None:
    everywhere = Capability(
        "core.profit",
        "profit",
        "what running batch after batch earns, and at most could earn",
        in_studies=True,
        in_reports=True,
    )
    assert everywhere == CAPABILITY
