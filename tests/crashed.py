"""What never ran, since the process that was to run it crashed or was ended because it hung, counts
as failed: a second try with `--last-failed` then runs it, too. Nor does a process hang at its end.
"""

import faulthandler
import sys
from collections.abc import Iterable

import pytest


class Crashed:
    """Hears of all tests on the side that hands them out."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._collected: set[str] = set()
        self._ran: set[str] = set()
        self._crashed = False

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Iterable[str]) -> None:
        self._collected.update(ids)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self._ran.add(report.nodeid)

    @pytest.hookimpl(optionalhook=True)
    def pytest_handlecrashitem(self) -> None:
        self._crashed = True

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self) -> None:
        if self._crashed and self._config.cache is not None:
            failed = self._config.cache.get("cache/lastfailed", {})
            missed = dict.fromkeys(sorted(self._collected - self._ran), True)
            self._config.cache.set("cache/lastfailed", failed | missed)


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Crashed(config))


def pytest_unconfigure(config: pytest.Config) -> None:
    """Where tests that hang are ended, so is what hangs after them, such as a thread of theirs."""
    if seconds := float(config.getini("faulthandler_timeout")):
        faulthandler.dump_traceback_later(seconds, exit=True, file=sys.__stderr__)
