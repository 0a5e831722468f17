"""Pages name the file that draws charts; what is no page goes through as it is."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import streamlit as st
from starlette.types import Message, Receive, Scope, Send

from dashboard.web import ChartsAhead


def headers(kind: bytes) -> dict[bytes, bytes]:
    """Those of an answer of this kind."""
    said: list[Message] = []

    async def answers(scope: Scope, receive: Receive, send: Send) -> None:
        told = [(b"content-type", kind)]
        await send({"type": "http.response.start", "status": 200, "headers": told})
        await send({"type": "http.response.body", "body": b"..."})

    async def nothing() -> Message:
        return {}

    async def keep(message: Message) -> None:
        said.append(message)

    # In a thread of its own: where browsers are driven, this one has a loop that runs already.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, ChartsAhead(answers)({"type": "http"}, nothing, keep)).result()
    start, body = said
    assert body["body"] == b"..."
    return dict(start["headers"])


def test_a_page_names_a_file_that_is_there() -> None:
    link = headers(b"text/html; charset=utf-8")[b"link"].decode()
    path, _, relation = link.partition(">; ")
    assert relation == "rel=modulepreload; crossorigin"
    assert (Path(st.__file__).parent / "static" / path.removeprefix("<./")).is_file()


@pytest.mark.parametrize("kind", [b"text/javascript", b"application/json"])
def test_what_is_no_page_names_nothing(kind: bytes) -> None:
    assert headers(kind) == {b"content-type": kind}
