"""The dashboard as a web application: Streamlit's, with files from memory and `Offers`.

A browser that is new asks for a hundred of them. Streamlit reads each from disk, through threads
that wait their turn behind whatever computes.
"""

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

from dashboard.hearing import Heard, HeardSession, Understood
from dashboard.offers import Offers
from dashboard.plotly_parts import NAME, with_our_traces
from dashboard.sessions import Sessions, Uploads

FIRST_PAGE: Final = "/trade_offs"
_FILES: Final = Path(st.__file__).parent / "static"
_KEPT_FOREVER: Final = "static/js/*.js"
_FOREVER: Final = "public, immutable, max-age=31536000"
_IF_THE_SAME: Final = "no-cache"


class FromMemory:
    """Answers with the files that browsers keep forever, since their names tell their content; and
    with what our charts need of Plotly, for which browsers ask whether it is still the same.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._files = {
            f"/{p.relative_to(_FILES).as_posix()}": p for p in _FILES.glob(_KEPT_FOREVER)
        }
        self._answers: dict[str, Response] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        known = (
            scope["type"] == "http" and scope["method"] == "GET" and scope["path"] in self._files
        )
        if not known:
            await self._app(scope, receive, send)
            return
        answer = self._answer(scope["path"])
        tag = answer.headers.get("etag")
        if tag and tag == Headers(scope=scope).get("if-none-match"):
            answer = Response(status_code=304, headers={"etag": tag, "cache-control": _IF_THE_SAME})
        await answer(scope, receive, send)

    def _answer(self, path: str) -> Response:
        if path not in self._answers:
            file = self._files[path]
            content, headers = file.read_bytes(), {"cache-control": _FOREVER}
            if NAME.fullmatch(file.name):
                content = with_our_traces(content.decode()).encode()
                tag = f'"{sha256(content).hexdigest()[:32]}"'
                headers = {"cache-control": _IF_THE_SAME, "etag": tag}
            self._answers[path] = Response(content, 200, headers, "text/javascript")
        return self._answers[path]


def to_front(request: Request) -> Response:
    """Where a visit begins is at the root; its name, as other pages have one, leads there."""
    return RedirectResponse(f"./?{request.url.query}")


# The runtime that the application makes takes it from there, and nothing can be handed to it; a
# name that a module does not export is what mypy would rather not see replaced.
streamlit.runtime.state.SessionState = Heard  # type: ignore[misc,assignment]
streamlit.runtime.websocket_session_manager.AppSession = HeardSession  # type: ignore[attr-defined]
streamlit.runtime.runtime.MediaFileManager = Offers  # type: ignore[attr-defined]
streamlit.runtime.memory_session_storage.MemorySessionStorage = Sessions  # type: ignore[misc,assignment]
streamlit.runtime.memory_uploaded_file_manager.MemoryUploadedFileManager = Uploads  # type: ignore[misc]
app = st.App(
    "app.py",
    routes=[Route(FIRST_PAGE, to_front)],
    middleware=[Middleware(FromMemory), Middleware(Understood)],
)
