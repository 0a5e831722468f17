"""Kernels: plain functions on arrays, compiled by numba when they are first called.

Importing numba takes longer than many a command. So it is imported with the first call that is
compiled; where there is little to do, kernels are interpreted before: `with brief(steps): ...`.
"""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any, Final

_FEW: Final = 100_000
"""Interpreted, so many steps of an innermost loop take a tenth of a second; the import, a third."""
_interpreting: ContextVar[bool] = ContextVar("interpreting", default=False)


class Kernel:
    """A function that numba compiles when it is first called, and keeps compiled beside its source.

    Interpreted it does the same, but for the rounding of matrix products.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self._dispatcher: Any = None

    def __call__(self, *arguments: Any) -> Any:
        if _interpreting.get():
            return self.function(*arguments)
        return self.dispatcher(*arguments)

    @property
    def dispatcher(self) -> Any:
        """What numba makes of it."""
        if self._dispatcher is None:
            self._dispatcher = _njit()(cache=True, nogil=True)(self.function)
        return self._dispatcher


@contextmanager
def brief(steps: int) -> Iterator[None]:
    """Within, this thread's kernels go so many steps of their innermost loops, or fewer.

    They are interpreted if numba has not been imported and would take longer to be.
    """
    token = _interpreting.set(steps <= _FEW and "numba" not in sys.modules)
    try:
        yield
    finally:
        _interpreting.reset(token)


@cache
def _njit() -> Any:
    from numba import njit
    from numba.core.types import Dispatcher
    from numba.extending import typeof_impl

    # So that kernels can call each other by name. Internals: numba/numba#2550.
    @typeof_impl.register(Kernel)
    def type_of(kernel: Kernel, _context: object) -> Dispatcher:
        return Dispatcher(kernel.dispatcher)

    return njit
