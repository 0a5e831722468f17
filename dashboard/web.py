"""The dashboard as a web application: Streamlit's, with static files served from memory.

A new browser asks for a hundred files. Streamlit reads each from disk, in threads that wait for
the threads that draw pages.
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
from starlette.types import ASGIApp, Receive, Scope, Send

from dashboard.loading import begin
from dashboard.pages import FIRST, MOVED, PAGES
from dashboard.parts.opening.log_folder import remove_own, remove_stale
from dashboard.patches.hearing import Heard, HeardSession, Understood
from dashboard.patches.hosts import Hosts
from dashboard.patches.index_page import index_page
from dashboard.patches.offers import Offers
from dashboard.patches.plotly_parts import NAME, with_our_traces
from dashboard.server.sessions import Sessions, Uploads

FIRST_PAGE: Final = f"/{FIRST}"
_MOVED: Final = "arrivals_view=shares"
"""What addresses of Fair shares said while it was a view of Arrivals, until 0.2.0."""
_MOVED_BAGS: Final = "arrivals_workload=uncertain"
"""What addresses of Late and uncertain said while it was a workload of Policies."""
# Internals: streamlit/streamlit#5798.
_FILES: Final = Path(st.__file__).parent / "static"
_KEPT_FOREVER: Final = "static/js/*.js"
_SCRIPT: Final = "text/javascript"
_FOREVER: Final = "public, immutable, max-age=31536000"
_IF_THE_SAME: Final = "no-cache"


class FromMemory:
    """Serves the start page, and the scripts that browsers cache forever, since a script with other
    content has another name. The script of Plotly is reduced to what our charts need; browsers ask
    whether it is still the same, as they do for the start page. All are below the path that
    Streamlit's setting `server.baseUrlPath` names.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._base = f"/{st.get_option('server.baseUrlPath').strip('/')}".rstrip("/")
        self._files = {
            f"/{p.relative_to(_FILES).as_posix()}": p for p in _FILES.glob(_KEPT_FOREVER)
        }
        self._pages = {"/", *(f"/{page.folder}" for page in PAGES)} - {FIRST_PAGE}
        self._answers: dict[str, Response] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        asked = self._asked(scope)
        if asked == FIRST_PAGE:
            answer: Response = to_front(Request(scope))
        elif (now := MOVED.get(asked[1:])) is not None:
            answer = RedirectResponse(f"./{now}{Request(scope).url.query}")
        elif asked == "/arrivals" and _MOVED in Request(scope).url.query.split("&"):
            answer = to_fair_shares(Request(scope))
        elif asked == "/arrivals" and _MOVED_BAGS in Request(scope).url.query.split("&"):
            query = Request(scope).url.query.replace("arrivals_", "late_")
            answer = RedirectResponse(f"./late?{query}")
        elif asked in self._pages:
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

    def _asked(self, scope: Scope) -> str:
        """The path that somebody gets, below the base; nothing if it is something else."""
        path = scope["path"] if scope["type"] == "http" and scope["method"] == "GET" else ""
        return path.removeprefix(self._base) if path.startswith(f"{self._base}/") else ""

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
    """An answer with an ETag: browsers ask each time, and get the content only if it changed."""
    tag = f'"{sha256(content).hexdigest()[:32]}"'
    return Response(content, 200, {"cache-control": _IF_THE_SAME, "etag": tag}, kind)


def to_front(request: Request) -> Response:
    """The first page is at the root; its name, which an address may have, leads there."""
    return RedirectResponse(f"./?{request.url.query}")


def to_fair_shares(request: Request) -> Response:
    """Fair shares was a view of Arrivals; an address from then leads to it, with its parameters."""
    rest = [one for one in request.url.query.split("&") if one != _MOVED]
    return RedirectResponse(f"./fair_shares?{'&'.join(rest)}")


@asynccontextmanager
async def loading(_app: st.App) -> AsyncIterator[None]:
    """Loads the libraries once the server answers; browsers fetch files meanwhile. Logs on disk end
    with the server; of one that was killed, they go now.
    """
    remove_stale()
    begin()
    yield
    remove_own()


# Streamlit's runtime takes these classes from its modules, and has no arguments for them.
# Internals: each class that is set here names its upstream issue.
for _module, _name, _ours in (
    (streamlit.runtime.state, "SessionState", Heard),
    (streamlit.runtime.websocket_session_manager, "AppSession", HeardSession),
    (streamlit.runtime.runtime, "MediaFileManager", Offers),
    (streamlit.runtime.memory_session_storage, "MemorySessionStorage", Sessions),
    (streamlit.runtime.memory_uploaded_file_manager, "MemoryUploadedFileManager", Uploads),
):
    setattr(_module, _name, _ours)
app = st.App(
    "app.py",
    middleware=[Middleware(Hosts), Middleware(FromMemory), Middleware(Understood)],
    lifespan=loading,
)
