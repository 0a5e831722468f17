"""What the tests of the command line share: running it in this process."""

import io
import json
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, replace
from typing import Any

import pytest

from core.cli import main
from core.front.study import Study, study


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
