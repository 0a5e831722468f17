"""Kernels: plain functions on arrays, compiled by numba when they are first called.

Importing numba takes longer than many commands do. So it is imported by the first call that is
compiled. Until then, kernels that have little to do are interpreted, `with brief(steps): ...`, as
long as the process has had little to do in all.
"""

import logging
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, ClassVar, Final

from core.engines.compute.numba_patches import let_code_call, use_only_fresh
from core.vocabulary import tolerances

_log: Final = logging.getLogger(__name__)
_FEW: Final = 300_000
"""So many interpreted steps of an innermost loop take at most as long as importing numba: a third
of a second, on an ordinary computer. So a process loses at most as much again by having waited.
"""
_interpreting: ContextVar[bool] = ContextVar("interpreting", default=False)
_interpreted = 0
"""So many steps has this process interpreted."""


class Kernel:
    """A function that numba compiles when it is first called, and stores compiled beside its
    source.

    Interpreted, it computes the same to the last digit: products of matrices, too, where numpy and
    scipy bring the same BLAS, as their wheels do. Kernels use nothing else of linear algebra, since
    numba calls other routines for it than numpy.
    """

    _is_in_place: ClassVar[bool] = False

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self._dispatcher: Any = None

    def __call__(self, *arguments: Any) -> Any:
        if _interpreting.get():
            return self.function(*arguments)
        return self.dispatcher(*arguments)

    @property
    def dispatcher(self) -> Any:
        """The function as numba compiles it."""
        if self._dispatcher is None:
            # Without numba's runtime, nothing counts references. `_nrt` is given to all kernels,
            # since one that says nothing takes it from the one that calls it.
            in_place = self._is_in_place
            decorate = _njit()(
                cache=True,
                nogil=True,
                _nrt=not in_place,
                forceinline=in_place,
                no_cfunc_wrapper=True,
            )
            dispatcher = decorate(self.function)
            if not use_only_fresh(dispatcher, self._stamp()):
                _say_that_it_compiles()
            self._dispatcher = dispatcher
        return self._dispatcher

    def _stamp(self) -> str:
        """A digest of the sources of this kernel, of all that it calls, and of the tolerances."""
        kernels, ahead = {self}, [self]
        while ahead:
            function = ahead.pop().function
            known = map(function.__globals__.get, function.__code__.co_names)
            called = {one for one in known if isinstance(one, Kernel)} - kernels
            kernels |= called
            ahead += called
        files = sorted({kernel.function.__code__.co_filename for kernel in kernels})
        files.append(str(tolerances.__file__))  # numba compiles their values into the code
        return sha256(b"".join(map(_digest, files))).hexdigest()


class InPlaceKernel(Kernel):
    """A kernel that makes no arrays and returns none, but works in those that it is given.

    Then numba counts no references to them, and the compiler puts it wherever it is called: a call
    copies every word that says where its arrays are. Short kernels that are given many arrays, and
    called millions of times, otherwise spend most of their time on these two.
    """

    _is_in_place = True


@cache
def _digest(file: str) -> bytes:
    return sha256(Path(file).read_bytes()).digest()


@cache
def _say_that_it_compiles() -> None:
    """Says why nothing happens for a while; once a process."""
    _log.warning("Compiling, once after an installation or an update: up to a minute ...")


@contextmanager
def brief(steps: int) -> Iterator[None]:
    """Run kernels of this thread that take at most `steps` steps of their innermost loops:
    interpreted, if numba is not imported yet and its import would take longer than these and all
    steps that this process has interpreted before.
    """
    global _interpreted
    interpreting = "numba" not in sys.modules and _interpreted + steps <= _FEW
    _interpreted += steps if interpreting else 0
    token = _interpreting.set(interpreting)
    try:
        yield
    finally:
        _interpreting.reset(token)


def compile_from_now_on() -> None:
    """Interpret no kernel any more, however brief: for a process that runs many of them."""
    _njit()


@cache
def _njit() -> Any:
    from numba import njit

    let_code_call(Kernel, lambda kernel: kernel.dispatcher)
    return njit
