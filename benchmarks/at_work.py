"""Visitors who work meanwhile, and uploads: what cases about fairness share."""

import http.client
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass
from threading import Event
from typing import Final, Self
from urllib.parse import urlsplit

from benchmarks.server import Server
from benchmarks.visitor import Visitor

SMALL: Final = "sample=nine&idle=0.05"
_PIECE: Final = 1_000_000
"""Bytes that are sent at once."""


@dataclass(frozen=True, slots=True)
class Content:
    """The content of a file, in pieces that are made one after the other."""

    size: int
    pieces: Callable[[], Iterator[bytes]]

    @classmethod
    def zeros(cls, size: int) -> Self:
        piece = bytes(_PIECE)
        return cls(size, lambda: (piece[: size - begin] for begin in range(0, size, _PIECE)))

    @classmethod
    def of(cls, data: bytes) -> Self:
        begins = range(0, len(data), _PIECE)
        return cls(len(data), lambda: (data[begin : begin + _PIECE] for begin in begins))


@contextmanager
def at_work(server: Server, number: int, pauses: tuple[float, float]) -> Iterator[list[float]]:
    """Visitors who move their sliders meanwhile. Yields the list of their answer times (s)."""
    seconds: list[float] = []
    over = Event()
    with ExitStack() as leaving, ThreadPoolExecutor(number) as threads:
        visitors = [leaving.enter_context(Visitor(server.address, SMALL)) for _ in range(number)]
        for _ in threads.map(Visitor.load, visitors):
            pass
        percents = [percent for percent in range(100) if percent != 5]
        working: list[Future[list[float]]] = [
            threads.submit(visitor.keep_moving, percents[place::number], over, pauses)
            for place, visitor in enumerate(visitors)
        ]
        try:
            yield seconds
        finally:
            over.set()
        for work in working:
            seconds += work.result()


def send(server: Server, path: str, content: Content) -> int:
    """Uploads a file as a browser does. Returns the HTTP status."""
    mark = "wattfront"
    head = (
        f'--{mark}\r\nContent-Disposition: form-data; name="x.csv"; filename="x.csv"\r\n'
        "Content-Type: text/csv\r\n\r\n"
    ).encode()
    tail = f"\r\n--{mark}--\r\n".encode()

    def body() -> Iterator[bytes]:
        yield head
        yield from content.pieces()
        yield tail

    place = urlsplit(server.address)
    connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=120)
    connection.request("GET", "/_stcore/health")
    answer = connection.getresponse()
    answer.read()
    cookie = (answer.getheader("set-cookie") or "").partition(";")[0]
    headers = {
        "Content-Type": f"multipart/form-data; boundary={mark}",
        "Content-Length": str(len(head) + content.size + len(tail)),
        "Cookie": cookie,
        "X-Xsrftoken": cookie.partition("=")[2],
    }
    with closing(connection):
        with suppress(OSError):  # the server answers early if the file is too large
            connection.request("PUT", path, body(), headers)
        return connection.getresponse().status
