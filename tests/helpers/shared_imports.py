"""Processes that run tests beside each other compile each test module once among them.

All import all modules in the same order: in a fresh clone, each would compile what another is just
compiling. So each begins with a share of its own, and finds the rest compiled.
"""

from contextlib import suppress

import pytest
from _pytest.python import importtestmodule
from slow import pytest_ignore_collect


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Imports the modules of this process's share; what fails is told when it is collected."""
    config = session.config
    worker = getattr(config, "workerinput", None)
    if worker is None:
        return
    wanted = [
        path
        for folder in config.args
        for path in sorted(config.rootpath.joinpath(folder).rglob("test_*.py"))
        if not any(pytest_ignore_collect(parent, config) for parent in path.parents)
    ]
    first = int(worker["workerid"].removeprefix("gw"))
    for path in wanted[first :: worker["workercount"]]:
        with suppress(Exception, pytest.skip.Exception):
            importtestmodule(path, config)
