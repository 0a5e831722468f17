"""What is changed inside numba, each with its upstream issue (`docs/dependencies.md` has them all).

numba is imported only by what is called here, since that takes longer than many commands do.
"""

from collections.abc import Callable
from functools import partial
from glob import escape
from hashlib import sha256
from pathlib import Path
from typing import Any


def let_code_call(kind: type, dispatcher_of: Callable[[Any], Any]) -> None:
    """Lets compiled code call objects of a class by their names; `dispatcher_of` one of them is its
    function as numba compiles it. Internals: numba/numba#2550.
    """
    from numba.core.types import Dispatcher
    from numba.extending import typeof_impl

    @typeof_impl.register(kind)
    def type_of(called: Any, _context: object) -> Dispatcher:
        return Dispatcher(dispatcher_of(called))


def use_only_fresh(dispatcher: Any, stamp: str) -> bool:
    """Lets numba use what it has stored of a kernel only if it is of this `stamp`, and discards
    what cannot be read. Returns whether there is something to use; otherwise it is compiled.

    By itself, numba uses what it stored while the file of the kernel has the same time and size.
    But another kernel that it calls may have changed, an installer may give every file the same
    time, and code that names a class that is gone cannot even be read. Internals: numba/numba#1833.
    """
    kept = getattr(getattr(dispatcher, "_cache", None), "_cache_file", None)
    if kept is None:  # nothing is kept, as where numba is told not to compile
        return True
    kept._source_stamp = stamp
    kept.save = partial(_save_apart, kept)
    try:
        return bool(kept._load_index())
    except Exception:  # whatever a pickle of another version may raise
        kept.flush()
        return False


def _save_apart(kept: Any, key: object, code: object) -> None:
    """Stores compiled code in a file that is named by what it is of.

    By itself, numba numbers these files. Two processes that compile a kernel for different types
    at the same time then take the same number, and for good one type is given the code of the
    other. Of two that save at the same time, the index may keep one; the other is compiled again.
    Internals: numba/numba#4807.
    """
    stem = kept._index_name.removesuffix(".nbi")
    of = sha256(repr((kept._source_stamp, key)).encode()).hexdigest()
    name = f"{stem}.{of[:16]}.nbc"
    kept._save_data(name, code)
    known = kept._load_index()
    kept._save_index(known | {key: name})
    if not known:  # what is left is of other sources
        for file in Path(kept._cache_path).glob(f"{escape(stem)}.*.nbc"):
            if file.name != name:
                file.unlink(missing_ok=True)
