"""Answers only under names that are this computer's, or that whoever starts the server gave it.

Otherwise a stranger's website, open in the browser of somebody who can reach this server, gives its
own name the server's address, and reads all that the server says (DNS rebinding). It cannot do so
with a number, nor with a name that is not its own.
"""

import socket
from functools import cache
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

import streamlit as st
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit.web.server.starlette import starlette_websocket

OPTION: Final = "server.allowedHosts"
_among_allowed: Final = starlette_websocket.is_host_allowed


def answers_to(host: str | None) -> bool:
    """Whether a request may have this header `Host`. Browsers always send one."""
    if host is None:
        return True
    try:
        name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
    except ValueError:
        return False
    if _is_number(name) or name in _own_names() or name.endswith(".localhost"):
        return True
    return bool(st.get_option(OPTION)) and _among_allowed(host)


def _is_number(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


@cache
def _own_names() -> frozenset[str]:
    """In small letters, as names are compared."""
    names = ("localhost", socket.gethostname(), st.get_option("server.address") or "localhost")
    return frozenset(map(str.lower, names))


class Hosts:
    """Refuses requests under other names, and says how to allow the name."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        host = Headers(scope=scope).get("host") if scope["type"] == "http" else None
        if answers_to(host):
            await self._app(scope, receive, send)
        else:
            await PlainTextResponse(_refusal(host or ""), 403)(scope, receive, send)


def _refusal(host: str) -> str:
    """Plain text: the name may be a stranger's."""
    name = host.rpartition(":")[0] or host
    return (
        f"The dashboard does not answer under the name {name}.\n\n"
        "Any website could give its own name the address of this server, and then read what the "
        "server shows to you. So the server answers only to numbers such as 192.168.0.7, to the "
        "name of its computer, and to names that it was started with.\n\n"
        f"If you run this server, start it with: wattfront dashboard --allow-host {name}\n"
        f"(Streamlit's setting {OPTION} does the same.)\n"
    )


# So that all that Streamlit refuses by this setting follows the same rule.
# Internals: no upstream issue found.
starlette_websocket.is_host_allowed = answers_to
