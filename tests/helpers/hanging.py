"""No process of tests hangs at its end."""

import faulthandler
import sys

import pytest


def pytest_unconfigure(config: pytest.Config) -> None:
    """Where tests that hang are ended, so is what hangs after them, such as a thread of theirs."""
    if not config.pluginmanager.hasplugin("faulthandler"):
        return  # as where faults are put in by hand, whose trials have a limit of their own
    if seconds := float(config.getini("faulthandler_timeout")):
        faulthandler.dump_traceback_later(seconds, exit=True, file=sys.__stderr__)
