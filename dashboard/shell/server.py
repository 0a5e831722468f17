"""The dashboard's server: Streamlit's own, with workers beside it.

Run as `python -m dashboard.shell.server run dashboard/web.py`, with Streamlit's options.
"""

import gc
import socket
import sys

from dashboard.shell.processes import WORKERS


def serve() -> int:
    """Until it is stopped."""
    gc.disable()  # till all is loaded: to look through it takes a tenth of the start
    WORKERS.begin()  # beside this process, which loads something else meanwhile
    from streamlit.web.cli import main

    _answer_without_delay()
    status: int = main(prog_name="streamlit")
    return status


def _answer_without_delay() -> None:
    """Has each answer leave at once, not 40 ms later when the browser has confirmed its beginning.

    Streamlit binds the socket in a way that keeps asyncio from seeing to that itself; connections
    inherit what is set here.
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
