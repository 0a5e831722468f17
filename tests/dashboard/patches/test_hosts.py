"""The server answers under names of its own, and says to others how they can be allowed."""

import asyncio
import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Message
from streamlit.web.server.starlette import starlette_websocket

from dashboard.patches import hosts
from dashboard.patches.hosts import Hosts, answers_to

ALLOWED = "server.allowedHosts"


@pytest.fixture(autouse=True)
def names_anew() -> Iterator[None]:
    hosts._own_names.cache_clear()
    yield
    hosts._own_names.cache_clear()


OWN = [
    *("localhost:8501", "LocalHost", "wattfront.localhost:8501", "127.0.0.1:8501"),
    *("192.168.0.7", "[::1]:8501", f"{socket.gethostname()}:8501", None),
]
STRANGE = [
    *("rebound.example:8501", "localhost.rebound.example", "127.0.0.1.rebound.example"),
    *("localhost@rebound.example", "rebound.example#localhost", "[::1", ""),
]


@pytest.mark.parametrize("host", [*OWN, *STRANGE])
def test_it_answers_to_numbers_and_to_its_own_names_alone(host: str | None) -> None:
    """Issue 33, point 23: a website cannot give its own name the address of this server."""
    assert answers_to(host) == (host in OWN)
    assert starlette_websocket.is_host_allowed(host) == (host in OWN)


def test_who_starts_the_server_gives_it_names(options: Callable[[str, object], None]) -> None:
    options(ALLOWED, ["wattfront.example", "*.cluster.example"])
    options("server.address", "Front.Office")
    for host in ("wattfront.example:80", "a.cluster.example", "front.office", "localhost"):
        assert answers_to(host)
        assert starlette_websocket.is_host_allowed(host)
    assert not answers_to("rebound.example")
    options(ALLOWED, ["*"])
    assert answers_to("rebound.example")


def answer(host: str, kind: str = "http") -> tuple[int, str]:
    sent: list[Message] = []

    async def keep(message: Message) -> None:
        sent.append(message)

    async def nothing() -> Any:
        raise AssertionError("nobody reads a request without a body")

    headers = [(b"host", host.encode())]
    scope = {"type": kind, "method": "GET", "path": "/", "headers": headers}
    app = Hosts(PlainTextResponse("the page"))
    with ThreadPoolExecutor(1) as thread:  # where no loop runs yet
        thread.submit(asyncio.run, app(scope, nothing, keep)).result()
    return sent[0]["status"], sent[1]["body"].decode()


def test_a_name_that_is_refused_is_told_how_it_is_allowed() -> None:
    """Issue 33, point 23: who comes by another name sees why, and what to do."""
    status, said = answer("front.office:8501")
    assert status == 403
    assert said.startswith("The dashboard does not answer under the name front.office.\n")
    assert "wattfront dashboard --allow-host front.office\n" in said
    assert answer("localhost:8501") == (200, "the page")


def test_what_is_no_request_is_not_its_business() -> None:
    """Such as the beginning of the server; Streamlit asks about WebSockets by itself."""
    assert answer("rebound.example", "lifespan") == (200, "the page")
