"""A browser's files come from memory, everything else from Streamlit."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest
import streamlit
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message

from dashboard.pages import FIRST, MOVED, PAGES
from dashboard.patches.index_page import index_page
from dashboard.patches.plotly_parts import NAME, with_our_traces
from dashboard.web import FIRST_PAGE, FromMemory, Heard, HeardSession, Offers, Sessions, Uploads

SCRIPTS = Path(streamlit.__file__).parent / "static" / "static" / "js"


@pytest.fixture
def files() -> FromMemory:
    return FromMemory(PlainTextResponse("Streamlit's"))


def answer(
    app: ASGIApp, path: str, method: str = "GET", known: str = ""
) -> tuple[dict[str, str], bytes]:
    """The headers and the body that `app` sends to somebody who has what is `known` by that tag."""
    sent: list[Message] = []

    async def keep(message: Message) -> None:
        sent.append(message)

    async def nothing() -> Any:
        raise AssertionError("nobody reads a request without a body")

    path, _, query = path.partition("?")
    scope: dict[str, Any] = {"type": "http", "method": method, "path": path, "headers": []}
    scope["query_string"] = query.encode()
    if known:
        scope["headers"] = [(b"if-none-match", known.encode())]
    with ThreadPoolExecutor(1) as thread:  # where no loop runs yet
        thread.submit(asyncio.run, app(scope, nothing, keep)).result()
    headers = {name.decode(): value.decode() for name, value in sent[0]["headers"]}
    return headers, b"".join(message["body"] for message in sent[1:])


def test_files_are_what_they_are_on_disk_and_may_be_kept(files: FromMemory) -> None:
    for script in [s for s in sorted(SCRIPTS.glob("*.js")) if not NAME.fullmatch(s.name)][:3]:
        for _ in range(2):
            headers, body = answer(files, f"/static/js/{script.name}")
            assert body == script.read_bytes()
            assert headers["content-type"].startswith("text/javascript")
            assert "immutable" in headers["cache-control"]


@pytest.mark.thorough
def test_of_plotly_there_is_what_charts_need_and_browsers_ask_whether_it_is_the_same(
    files: FromMemory,
) -> None:
    (script,) = [script for script in SCRIPTS.iterdir() if NAME.fullmatch(script.name)]
    path = f"/static/js/{script.name}"
    headers, body = answer(files, path)
    assert body.decode() == with_our_traces(script.read_text(encoding="utf-8"))
    assert headers["cache-control"] == "no-cache"
    again, nothing = answer(files, path, known=headers["etag"])
    assert (again["etag"], nothing) == (headers["etag"], b"")
    assert answer(files, path, known='"another"')[1] == body


@pytest.mark.parametrize("path", ["/", "/schedule", "/about"])
def test_every_page_begins_with_the_scripts_that_it_needs(files: FromMemory, path: str) -> None:
    headers, body = answer(files, path)
    assert body == index_page(SCRIPTS.parents[1])
    assert headers["content-type"].startswith("text/html")
    assert headers["cache-control"] == "no-cache"
    assert answer(files, path, known=headers["etag"])[1] == b""


@pytest.mark.parametrize(
    "path",
    [
        "/trade_off",
        "/schedule/",
        "/static/js/",
        "/static/js/none.js",
        "/static/js/../../index.html",
        "/index.html",
    ],
)
def test_anything_else_is_left_to_streamlit(files: FromMemory, path: str) -> None:
    assert answer(files, path)[1] == b"Streamlit's"


def test_only_a_get_is_answered(files: FromMemory) -> None:
    script = next(SCRIPTS.glob("*.js"))
    assert answer(files, f"/static/js/{script.name}", "POST")[1] == b"Streamlit's"


def test_the_name_of_the_first_page_leads_to_it(files: FromMemory) -> None:
    assert f"/{FIRST}" == FIRST_PAGE
    assert answer(files, f"{FIRST_PAGE}?sample=nine")[0]["location"] == "./?sample=nine"


@pytest.mark.parametrize("old", MOVED)
def test_addresses_of_pages_that_have_moved_lead_to_them_with_their_settings(
    files: FromMemory, old: str
) -> None:
    moved = answer(files, f"/{old}?sample=e1&idle=0.3")[0]["location"]
    assert moved == f"./{MOVED[old]}sample=e1&idle=0.3"
    assert MOVED[old].partition("?")[0] in {page.folder for page in PAGES} - {old}


def test_addresses_of_fair_shares_from_when_it_was_a_view_lead_to_its_page(
    files: FromMemory,
) -> None:
    asked = "/arrivals?sample=e1&arrivals_view=shares&shares_cells=r0%3A600&shares_machines=1:4"
    moved = answer(files, asked)[0]["location"]
    assert moved == "./fair_shares?sample=e1&shares_cells=r0%3A600&shares_machines=1:4"
    assert "location" not in answer(files, "/arrivals?arrivals_jobs=100")[0]
    bags = "/arrivals?arrivals_workload=uncertain&arrivals_days=2&sample=e1"
    moved = answer(files, bags)[0]["location"]
    assert moved == "./late?late_workload=uncertain&late_days=2&sample=e1"
    assert "location" not in answer(files, "/fair_shares?arrivals_view=shares")[0]


@pytest.mark.parametrize("base", ["tools/wattfront", "/tools/wattfront/"])
def test_below_a_base_path_all_comes_from_memory(
    base: str, options: Callable[[str, object], None]
) -> None:
    """Issue 33, point 23: under `server.baseUrlPath` browsers get our part of Plotly."""
    options("server.baseUrlPath", base)
    files = FromMemory(PlainTextResponse("Streamlit's"))
    (script,) = [script for script in SCRIPTS.iterdir() if NAME.fullmatch(script.name)]
    page = index_page(SCRIPTS.parents[1])
    ours = answer(files, f"/tools/wattfront/static/js/{script.name}")[1]
    assert len(ours) < 0.5 * script.stat().st_size
    assert answer(files, "/tools/wattfront/")[1] == page
    assert answer(files, "/tools/wattfront/schedule")[1] == page
    headers, _ = answer(files, f"/tools/wattfront{FIRST_PAGE}?sample=nine")
    assert headers["location"] == "./?sample=nine"
    for elsewhere in (f"/static/js/{script.name}", "/schedule", "/tools/wattfronts/schedule", "/"):
        assert answer(files, elsewhere)[1] == b"Streamlit's"


def test_the_server_is_made_of_our_classes() -> None:
    ours = {
        "state.SessionState": Heard,
        "websocket_session_manager.AppSession": HeardSession,
        "runtime.MediaFileManager": Offers,
        "memory_session_storage.MemorySessionStorage": Sessions,
        "memory_uploaded_file_manager.MemoryUploadedFileManager": Uploads,
    }
    assert {name: attrgetter(name)(streamlit.runtime) for name in ours} == ours
