"""A server that a test has started."""

import socket
import subprocess
import time
from http.client import HTTPConnection
from typing import Any

from patience import PATIENCE


def free_port() -> int:
    with socket.socket() as bound:
        bound.bind(("localhost", 0))
        found: int = bound.getsockname()[1]
        return found


def answer(port: int, path: str, server: "subprocess.Popen[Any]") -> str:
    """What a server answers that may have yet to start."""
    latest = time.monotonic() + PATIENCE
    while True:
        connection = HTTPConnection("localhost", port)
        try:
            connection.request("GET", path)
            return connection.getresponse().read().decode()
        except ConnectionRefusedError:
            assert server.poll() is None, server.communicate()[0]
            assert time.monotonic() < latest
            time.sleep(0.05)
        finally:
            connection.close()
