"""The dashboard as a web application: Streamlit's, with files from memory and `Offers`.

A browser that is new asks for a hundred of them. Streamlit reads each from disk, through threads
that wait their turn behind whatever computes.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from typing import Final

import streamlit as st
import streamlit.runtime.memory_session_storage
import streamlit.runtime.memory_uploaded_file_manager
import streamlit.runtime.runtime
import streamlit.runtime.state
import streamlit.runtime.websocket_session_manager
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from dashboard.loading import begin
from dashboard.pages import PAGES
from dashboard.shell.hearing import Heard, HeardSession, Understood
from dashboard.shell.index_page import index_page
from dashboard.shell.offers import Offers
from dashboard.shell.plotly_parts import NAME, with_our_traces
from dashboard.shell.sessions import Sessions, Uploads

FIRST_PAGE: Final = f"/{PAGES[0].folder}"
# Internals: streamlit/streamlit#5798.
_FILES: Final = Path(st.__file__).parent / "static"
_KEPT_FOREVER: Final = "static/js/*.js"
_SCRIPT: Final = "text/javascript"
_FOREVER: Final = "public, immutable, max-age=31536000"
_IF_THE_SAME: Final = "no-cache"


class FromMemory:
    """Answers with the page that browsers begin with, and with the scripts that they keep forever,
    since their names tell their content. Of Plotly there is what our charts need: browsers ask
    whether that is still the same, as they do of the page.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._files = {
            f"/{p.relative_to(_FILES).as_posix()}": p for p in _FILES.glob(_KEPT_FOREVER)
        }
        self._pages = {"/", *(f"/{page.folder}" for page in PAGES)} - {FIRST_PAGE}
        self._answers: dict[str, Response] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        asked = scope["type"] == "http" and scope["method"] == "GET" and scope["path"]
        if asked in self._pages:
            answer = self._page
        elif asked in self._files:
            answer = self._script(asked)
        else:
            await self._app(scope, receive, send)
            return
        tag = answer.headers.get("etag")
        if tag and tag == Headers(scope=scope).get("if-none-match"):
            answer = Response(status_code=304, headers={"etag": tag, "cache-control": _IF_THE_SAME})
        await answer(scope, receive, send)

    @cached_property
    def _page(self) -> Response:
        return _tagged(index_page(_FILES), "text/html")

    def _script(self, path: str) -> Response:
        if path not in self._answers:
            file = self._files[path]
            content = file.read_bytes()
            if NAME.fullmatch(file.name):
                ours = with_our_traces(content.decode()).encode()
                self._answers[path] = _tagged(ours, _SCRIPT)
            else:
                self._answers[path] = Response(content, 200, {"cache-control": _FOREVER}, _SCRIPT)
        return self._answers[path]


def _tagged(content: bytes, kind: str) -> Response:
    """What browsers ask for each time, by its tag: it is sent where they have another."""
    tag = f'"{sha256(content).hexdigest()[:32]}"'
    return Response(content, 200, {"cache-control": _IF_THE_SAME, "etag": tag}, kind)


def to_front(request: Request) -> Response:
    """Where a visit begins is at the root; its name, as other pages have one, leads there."""
    return RedirectResponse(f"./?{request.url.query}")


@asynccontextmanager
async def loading(_app: st.App) -> AsyncIterator[None]:
    """Begins once the server answers: browsers fetch their files while it loads."""
    begin()
    yield


# The runtime that the application makes takes it from there, and nothing can be handed to it; a
# name that a module does not export is what mypy would rather not see replaced.
# Internals: each class that is put there names its upstream issue.
streamlit.runtime.state.SessionState = Heard  # type: ignore[misc,assignment]
streamlit.runtime.websocket_session_manager.AppSession = HeardSession  # type: ignore[attr-defined]
streamlit.runtime.runtime.MediaFileManager = Offers  # type: ignore[attr-defined]
streamlit.runtime.memory_session_storage.MemorySessionStorage = Sessions  # type: ignore[misc,assignment]
streamlit.runtime.memory_uploaded_file_manager.MemoryUploadedFileManager = Uploads  # type: ignore[misc]
app = st.App(
    "app.py",
    routes=[Route(FIRST_PAGE, to_front)],
    middleware=[Middleware(FromMemory), Middleware(Understood)],
    lifespan=loading,
)
