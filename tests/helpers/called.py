"""Which kernels are called from Python, and with arguments of which types."""

from collections.abc import Callable
from typing import Any
from unittest.mock import patch

import numba

from core.engines.compute.compiled import Kernel


def kernels_called(run: Callable[[], object]) -> set[tuple[str, str]]:
    """The name of each kernel with the types of its arguments: for these it is compiled."""
    found: set[tuple[str, str]] = set()
    call = Kernel.__call__
    inside = False

    def watched(kernel: Kernel, *arguments: Any) -> Any:
        nonlocal inside
        if inside:
            return call(kernel, *arguments)
        found.add((kernel.function.__qualname__, str([numba.typeof(one) for one in arguments])))
        inside = True
        try:
            return call(kernel, *arguments)
        finally:
            inside = False

    with patch.object(Kernel, "__call__", watched):
        run()
    return found
