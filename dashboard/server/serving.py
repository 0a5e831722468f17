"""The server of the dashboard: Streamlit's own, with worker processes beside it.

Run as `python -m dashboard.server.serving run dashboard/web.py`, with Streamlit's options.
"""

import gc
import socket
import sys

from dashboard.server.processes import WORKERS


def serve() -> int:
    """Serves until it is stopped. Returns the exit status."""
    gc.disable()  # until all is loaded: collections would take a tenth of that time
    WORKERS.begin()  # they load while this process loads other things
    from streamlit.web.cli import main

    _answer_without_delay()
    status: int = main(prog_name="streamlit")
    return status


def _answer_without_delay() -> None:
    """Sends each answer at once, not 40 ms later when the browser has confirmed its first part.

    asyncio would set this option itself, but not on a socket that Streamlit has bound. Connections
    inherit it from the socket.
    """
    # Internals: Kludex/uvicorn#3149, of which Streamlit has a copy.
    from streamlit.web.server.starlette import starlette_server

    bind = starlette_server._bind_socket

    def bind_without_delay(address: str, port: int, backlog: int) -> socket.socket:
        bound = bind(address, port, backlog)
        bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        return bound

    starlette_server._bind_socket = bind_without_delay


if __name__ == "__main__":
    sys.exit(serve())
