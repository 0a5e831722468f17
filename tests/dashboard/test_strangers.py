"""A server that is spoken to by hand goes on, without a traceback, and answers everybody else."""

from collections.abc import Iterator

import pytest
from websockets.exceptions import ConnectionClosed

from benchmarks.fairness import SMALL, WILD, forge
from benchmarks.server import Server, dashboard
from benchmarks.visitor import Visitor


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with dashboard() as server:
        yield server


@pytest.mark.thorough
def test_forged_values_harm_nobody(server: Server) -> None:
    with Visitor(server.address, SMALL) as other:
        other.load()
        said, sorry = forge(server, ["", "importing"], WILD)
        assert said > 30 * len(WILD)
        assert sorry == 0
        other.move(40)
    assert "Traceback" not in server.said
    assert "failure " not in server.said


@pytest.mark.thorough
@pytest.mark.parametrize("data", [b"\xff" * 1_000, "text"])
def test_what_is_no_message_ends_the_connection_alone(server: Server, data: bytes | str) -> None:
    with Visitor(server.address, SMALL) as other, Visitor(server.address, SMALL) as stranger:
        other.load()
        stranger.shout(data)
        with pytest.raises(ConnectionClosed):
            stranger.visit()
        other.move(30)
    assert "Traceback" not in server.said
