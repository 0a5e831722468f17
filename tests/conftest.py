"""What all tests share: systems of which much is known, and the command."""

import io
import json
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest
from examples import register_profiles
from hanging import pytest_unconfigure
from shared_imports import pytest_collection
from short_reports import pytest_runtest_protocol
from slow import (
    pytest_addoption,
    pytest_collection_finish,
    pytest_collection_modifyitems,
    pytest_ignore_collect,
    pytest_runtest_makereport,
    pytest_runtest_setup,
    pytest_terminal_summary,
)

from core.engines.front.study import Study, study
from core.engines.relaxed import Front, trace_front
from core.files.samples.named import load_sample
from core.shells.cli import main
from core.vocabulary.budget import Effort
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System

# Hooks are heard of in a conftest.py only.
__all__ = [
    "pytest_addoption",
    "pytest_collection",
    "pytest_collection_finish",
    "pytest_collection_modifyitems",
    "pytest_ignore_collect",
    "pytest_runtest_makereport",
    "pytest_runtest_protocol",
    "pytest_runtest_setup",
    "pytest_terminal_summary",
    "pytest_unconfigure",
]

register_profiles()


@pytest.fixture(scope="session")
def two_by_two() -> Callable[..., System]:
    """The 2 x 2 instance of which every answer is known by hand, with the idle watts of A and B.

    Machines A and B, one each; task types 1 and 2, six of each; 100 W at work on A, 30 W on B.
    """

    def make(idle_a: float = 0.0, idle_b: float = 0.0) -> System:
        return System(
            (TaskType("1", 6), TaskType("2", 6)),
            (MachineType("A", 1, idle_a), MachineType("B", 1, idle_b)),
            np.array([[1.0, 2.0], [2.0, 3.0]]),
            np.array([[100.0, 30.0], [100.0, 30.0]]),
        )

    return make


@pytest.fixture(scope="session")
def two(two_by_two: Callable[..., System]) -> System:
    """The 2 x 2 instance with 20 and 10 idle watts."""
    return two_by_two(20, 10)


@pytest.fixture(scope="session")
def testbed() -> System:
    """The measured sample, its machines idling at a tenth of their mean power."""
    return load_sample("testbed").with_idle_fraction(0.1)


@pytest.fixture(scope="session")
def testbed_front(testbed: System) -> Front:
    return trace_front(testbed)


@pytest.fixture(scope="session")
def nine() -> Study:
    """Of the sample, unpolished."""
    return study(load_sample("nine"), effort=Effort(0))


@pytest.fixture(scope="session")
def largest() -> Schedule:
    """As many tasks and machines of a type as there may be: a million tasks of 2 s on each."""
    system = System(
        (TaskType("T", 10**12),),
        (MachineType("M", 10**6, 1.0),),
        np.array([[2.0]]),
        np.array([[3.0]]),
    )
    return Schedule(system, np.array([0]), np.array([10**6]), np.array([[10**6]]))


@dataclass(frozen=True)
class Outcome:
    status: int
    out: str
    err: str

    @property
    def data(self) -> dict[str, Any]:
        """The one JSON object on standard output."""
        assert self.out.count("\n") == 1
        data = json.loads(self.out)
        assert type(data) is dict
        return data

    @property
    def complaints(self) -> list[str]:
        """The lines on standard error, none of which is part of a traceback."""
        assert "Traceback" not in self.err
        return self.err.splitlines()


@pytest.fixture(scope="session")
def wattfront() -> Callable[..., Outcome]:
    """Runs the command: `wattfront("check", "nine", "--json")`."""

    def run(*words: object) -> Outcome:
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            status = main([str(word) for word in words])
        return Outcome(status, out.getvalue(), err.getvalue())

    return run


@pytest.fixture
def study_that_is_wrong() -> Callable[..., Study]:
    """As `study`, but that the independent check disagrees."""

    def wrong(*arguments: Any, **options: Any) -> Study:
        return replace(study(*arguments, **options), verified=False)

    return wrong
