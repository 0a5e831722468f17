"""The dashboard as a web application: Streamlit's, with pages that name what draws charts.

Streamlit has browsers ask for that, by far its largest file, when the first chart has come; asked
for with the page, it is there when the chart is.
"""

from pathlib import Path
from typing import Final

import streamlit as st
from starlette.middleware import Middleware
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_FILES: Final = Path(st.__file__).parent / "static"
_CHARTS: Final = "static/js/PlotlyChart.*.js"


class ChartsAhead:
    """Adds a link to every page, which browsers that know it follow before they need to."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        links = (
            f"<./{found.relative_to(_FILES).as_posix()}>; rel=modulepreload; crossorigin"
            for found in _FILES.glob(_CHARTS)
        )
        self._link = (b"link", ", ".join(links).encode())

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_link(message: Message) -> None:
            if message["type"] == "http.response.start":
                kind = dict(message["headers"]).get(b"content-type", b"")
                if kind.startswith(b"text/html"):
                    message = {**message, "headers": [*message["headers"], self._link]}
            await send(message)

        await self._app(scope, receive, send_with_link)


app = st.App("app.py", middleware=[Middleware(ChartsAhead)])
