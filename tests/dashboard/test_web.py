"""A browser's files come from memory, everything else from Streamlit."""

import asyncio
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import streamlit
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message

from dashboard.navigation import PAGES
from dashboard.web import FIRST_PAGE, FromMemory, to_front

SCRIPTS = Path(streamlit.__file__).parent / "static" / "static" / "js"


@pytest.fixture
def files() -> FromMemory:
    return FromMemory(PlainTextResponse("Streamlit's"))


def answer(app: ASGIApp, path: str, method: str = "GET") -> tuple[dict[str, str], bytes]:
    """The headers and the body that `app` sends."""
    sent: list[Message] = []

    async def keep(message: Message) -> None:
        sent.append(message)

    async def nothing() -> Any:
        raise AssertionError("nobody reads a request without a body")

    scope = {"type": "http", "method": method, "path": path, "headers": []}
    with ThreadPoolExecutor(1) as thread:  # where no loop runs yet
        thread.submit(asyncio.run, app(scope, nothing, keep)).result()
    headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return headers, b"".join(message["body"] for message in sent[1:])


def test_files_are_what_they_are_on_disk_and_may_be_kept(files: FromMemory) -> None:
    for script in sorted(SCRIPTS.glob("*.js"))[:3]:
        for _ in range(2):
            headers, body = answer(files, f"/static/js/{script.name}")
            assert body == script.read_bytes()
            assert headers["content-type"].startswith("text/javascript")
            assert "immutable" in headers["cache-control"]


@pytest.mark.parametrize(
    "path", ["/", "/static/js/", "/static/js/none.js", "/static/js/../../index.html", "/index.html"]
)
def test_anything_else_is_left_to_streamlit(files: FromMemory, path: str) -> None:
    assert answer(files, path)[1] == b"Streamlit's"


def test_only_a_get_is_answered(files: FromMemory) -> None:
    script = next(SCRIPTS.glob("*.js"))
    assert answer(files, f"/static/js/{script.name}", "POST")[1] == b"Streamlit's"


def test_the_name_of_the_first_page_leads_to_it() -> None:
    assert f"/{PAGES[0][0]}" == FIRST_PAGE
    asked = {"type": "http", "path": FIRST_PAGE, "query_string": b"sample=nine", "headers": []}
    assert to_front(Request(asked)).headers["location"] == "./?sample=nine"
