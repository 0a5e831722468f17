"""Tests that take long are marked `slow`: those that `slow.txt` names, by the processor's time.

`pytest --measure-slow` writes there what was run; what was not run stays, unless it is gone. A new
test counts as quick until somebody measures it.
"""

import gc
import re
import resource
from collections.abc import Generator
from pathlib import Path
from typing import Final

import pytest

LIST: Final = Path(__file__).with_name("slow.txt")
SECONDS: Final = 0.02
"""Of processor time: whoever takes more, in any of its cases, is slow."""
FOLDERS: Final = {"benchmarks": "thorough", "browser": "browser"}
"""The mark of all tests in a folder."""
TAKE_SECONDS: Final = re.compile("small_|cluster$")
"""Fixtures that are measurements or start a cluster take seconds, whoever asks first."""

# At the usual threshold, looking for garbage takes a tenth of all time.
gc.set_threshold(100_000)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--measure-slow", action="store_true", help=f"write {LIST.name} anew")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    slow = _listed()
    for item in items:
        if _function(item.nodeid) in slow or any(map(TAKE_SECONDS.match, _fixtures(item))):
            item.add_marker("slow")
        for folder in FOLDERS.keys() & set(item.path.relative_to(config.rootpath).parts):
            item.add_marker(FOLDERS[folder])


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """A folder of which no test is wanted is not even imported."""
    mark = FOLDERS.get(collection_path.name)
    return True if mark and f"not {mark}" in config.getoption("markexpr") else None


def pytest_collection_finish() -> None:
    """Nobody looks for garbage among what lives as long as the process."""
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_setup(item: pytest.Item) -> Generator[None]:
    if item.config.getoption("--measure-slow"):
        item.stash[_BEGUN] = _processor_seconds()
    return (yield)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    if call.when == "teardown" and _BEGUN in item.stash:
        took = _processor_seconds() - item.stash[_BEGUN]
        item.user_properties.append(("processor_seconds", took))
    return (yield)


def pytest_terminal_summary(
    terminalreporter: pytest.TerminalReporter, config: pytest.Config
) -> None:
    if not config.getoption("--measure-slow"):
        return
    most: dict[str, float] = {}
    for reports in terminalreporter.stats.values():
        for report in reports:
            seconds = dict(getattr(report, "user_properties", ())).get("processor_seconds", 0.0)
            if isinstance(report, pytest.TestReport):
                name = _function(report.nodeid)
                most[name] = max(most.get(name, 0.0), seconds)
    slow = {name for name, seconds in most.items() if seconds > SECONDS}
    slow |= {name for name in _listed() - most.keys() if _is_there(name, config.rootpath)}
    LIST.write_text("".join(f"{name}\n" for name in sorted(slow)), encoding="utf-8")


_BEGUN: Final = pytest.StashKey[float]()


def _fixtures(item: pytest.Item) -> list[str]:
    return getattr(item, "fixturenames", [])


def _listed() -> frozenset[str]:
    return frozenset(LIST.read_text(encoding="utf-8").split())


def _is_there(name: str, root: Path) -> bool:
    path, *_, function = name.split("::")
    file = root / path
    return file.is_file() and f"def {function}(" in file.read_text(encoding="utf-8")


def _function(name: str) -> str:
    """Whose case this is."""
    return name.partition("[")[0]


def _processor_seconds() -> float:
    """Of this process and of those that it started and that have ended."""
    both = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(used.ru_utime + used.ru_stime for used in both)
