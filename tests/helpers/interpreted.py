"""Kernels interpreted: where a test has little for them to do, compiling takes longer."""

from collections.abc import Iterator
from contextlib import contextmanager

from core.engines.compute import compiled


@contextmanager
def interpreted() -> Iterator[None]:
    """Kernels of this thread are interpreted, also those that are compiled already."""
    before = compiled._interpreting.set(True)
    try:
        yield
    finally:
        compiled._interpreting.reset(before)
