"""Runs tests in a forked process in which one module has a fault.

The parent has imported all packages of others, so a trial takes no longer than the tests. Files do
not change: only the import of that module gives other code.
"""

import gc
import json
import os
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, Final

import numba
import pytest
from hypothesis import Phase, settings

MOST_BYTES: Final = 4 << 30
"""The memory that a faulty loop may fill before it is an error (bytes)."""
_LIMIT: Final = (2.0, 2.0)
"""A trial may take this processor time (s) plus twice that of the tests without a fault."""
_WAITING: Final = 10
"""A trial that takes so many times its limit by the clock waits for something that never comes."""


class Outcome(StrEnum):
    KILLED = "killed"
    TIMED_OUT = "timed out"
    SURVIVED = "survived"


@dataclass(frozen=True)
class Trial:
    """Tests (as arguments of pytest) below a root, and their results without a fault.

    Together they take `seconds` of processor time, and each test `each`. Tests in `failing` are
    left out. `interpreted`: no kernel is compiled, since a cached kernel would hide a fault.
    """

    root: Path
    tests: Sequence[str]
    interpreted: bool
    seconds: float
    each: Mapping[str, float] = field(default_factory=dict)
    failing: Collection[str] = ()

    @classmethod
    def prepare(cls, root: Path, tests: Sequence[str], *, interpreted: bool) -> "Trial":
        """Runs the tests without a fault, and again if they import more packages."""
        before = set(sys.modules)
        seconds, report = _report(root, tests, interpreted)
        for name in report["imported"]:
            # Modules that cannot be imported by name are imported by the tests.
            with suppress(Exception):
                import_module(name)
        if set(sys.modules) != before:
            seconds, report = _report(root, tests, interpreted)
        gc.freeze()
        each, failing = report["each"], report["failing"]
        if not each.keys() - set(failing):
            raise ValueError(f"no test of {', '.join(tests)} passes")
        return cls(root, tests, interpreted, seconds, each, failing)

    def of(self, path: Path, code: CodeType) -> Outcome:
        """Whether the tests notice that a module has this code."""
        name = ".".join(path.relative_to(self.root).with_suffix("").parts).removesuffix(".__init__")

        def tested() -> int:
            sys.meta_path.insert(0, _Faulty(name, code))
            plugin = _ShortestFirst(self.each, self.failing)
            return _pytest(self.root, [*self.tests, "-x"], self.interpreted, plugin)

        limit = _LIMIT[0] + _LIMIT[1] * self.seconds
        status, _ = _forked(tested, limit)
        if status is None or -status == signal.SIGXCPU:
            return Outcome.TIMED_OUT
        return Outcome.SURVIVED if status == pytest.ExitCode.OK else Outcome.KILLED


class _Faulty:
    """An importer that finds only the module with the fault."""

    def __init__(self, name: str, code: CodeType) -> None:
        self._name, self._code = name, code

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != self._name:
            return None
        spec = PathFinder.find_spec(name, path)
        if spec is not None and spec.origin is not None:
            spec.loader = _Loader(name, spec.origin, self._code)
        return spec


class _Loader(SourceFileLoader):
    def __init__(self, name: str, path: str, code: CodeType) -> None:
        super().__init__(name, path)
        self._code = code

    def get_code(self, _fullname: str) -> CodeType:
        return self._code


class _Unhurried:
    """A pytest plugin: hypothesis does not simplify failures, since nobody reads them."""

    def pytest_collection(self) -> None:
        phases = (Phase.explicit, Phase.generate)
        settings.register_profile("trial", settings.default, phases=phases)
        settings.load_profile("trial")


class _Listing:
    """A pytest plugin that records the time of each test (s), and which tests fail."""

    def __init__(self) -> None:
        self.each: dict[str, float] = {}
        self.failing: set[str] = set()

    def pytest_runtest_logreport(self, report: Any) -> None:
        self.each[report.nodeid] = self.each.get(report.nodeid, 0.0) + report.duration
        if report.failed:
            self.failing.add(report.nodeid)


class _ShortestFirst:
    """A pytest plugin that runs fast tests first: they notice most faults."""

    def __init__(self, each: Mapping[str, float], failing: Collection[str]) -> None:
        self._each, self._failing = each, failing

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted(
            (item for item in items if item.nodeid not in self._failing),
            key=lambda item: self._each.get(item.nodeid, 0.0),
        )


def _report(root: Path, tests: Sequence[str], interpreted: bool) -> tuple[float, dict[str, Any]]:
    """The processor time (s), and the results of the tests without a fault."""
    with tempfile.NamedTemporaryFile("r", suffix=".json") as told:

        def tested() -> int:
            listing = _Listing()
            status = _pytest(root, tests, interpreted, listing)
            report = {
                "each": listing.each,
                "failing": sorted(listing.failing),
                "imported": [name for name, module in sys.modules.items() if _not_ours(module)],
            }
            Path(told.name).write_text(json.dumps(report), encoding="utf-8")
            return status

        _, seconds = _forked(tested, None)
        return seconds, json.loads(told.read() or '{"each": {}, "failing": [], "imported": []}')


def _not_ours(module: ModuleType) -> bool:
    return "site-packages" in (getattr(module, "__file__", None) or "")


def _pytest(root: Path, arguments: Sequence[str], interpreted: bool, *plugins: object) -> int:
    os.chdir(root)
    sys.path.insert(0, str(root))
    if interpreted:
        os.environ["NUMBA_DISABLE_JIT"] = "1"
        config: Any = numba.config
        config.DISABLE_JIT = True
    # Nobody reads the messages of failures.
    silent = ["-q", "--assert=plain", "--tb=no"]
    without = [f"-pno:{plugin}" for plugin in ("cacheprovider", "faulthandler", "xdist")]
    options = [f"--rootdir={root}", *silent, *without]
    return int(pytest.main([*options, *arguments], [_Unhurried(), *plugins]))


def _forked(run: Callable[[], int], limit: float | None) -> tuple[int | None, float]:
    """The exit status of a silent process (negative: a signal; None: it hung), and its time (s)."""
    child = os.fork()
    if child == 0:
        status = int(pytest.ExitCode.INTERNAL_ERROR)
        with suppress(BaseException):
            os.setsid()
            silence = os.open(os.devnull, os.O_RDWR)
            for stream in range(3):
                os.dup2(silence, stream)
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            resource.setrlimit(resource.RLIMIT_DATA, (MOST_BYTES, MOST_BYTES))
            if limit is not None:
                seconds = int(limit) + 1
                resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))
            status = run()
        os._exit(status)
    deadline = None if limit is None else time.monotonic() + _WAITING * limit
    ended, status, used = os.wait4(child, os.WNOHANG)
    while not ended:
        time.sleep(0.01)
        if deadline is not None and time.monotonic() > deadline:
            break
        ended, status, used = os.wait4(child, os.WNOHANG)
    # Processes that it has started end with it.
    with suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    if not ended:
        _, _, used = os.wait4(child, 0)
    return (os.waitstatus_to_exitcode(status) if ended else None), used.ru_utime + used.ru_stime
