"""Pages of the dashboard without a browser, a front to show, and a schedule too large to draw."""

import json
import pickle
import threading
from collections.abc import Callable, Hashable, Iterator
from functools import cache
from inspect import signature
from pathlib import Path
from typing import Any

import numpy as np
import plotly.graph_objects as go
import plotly.io
import pytest
import streamlit
from brief_polish import brief_polish
from examples import is_thorough
from pages import Open
from patience import PATIENCE
from streamlit import config
from streamlit.components.v2 import manifest_scanner
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import AppTest, app_test, local_script_runner
from streamlit.testing.v1.element_tree import ElementTree, parse_tree_from_messages
from streamlit.testing.v1.local_script_runner import LocalScriptRunner
from streamlit.util import calc_hash

import dashboard
from core.capabilities.makespan.solve import solve
from core.engines.compute.task import Task, packed, unpacked
from core.engines.front.axis import Axis, axis_for
from core.engines.front.methods import Lp
from core.engines.front.study import Study, study
from core.files.samples.generate import CoefficientOfVariation
from core.files.samples.named import load_sample
from core.vocabulary.budget import Effort
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.prices.tariff import Tariff
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System
from dashboard.parts.charts.drawing import Drawing
from dashboard.patches import memory
from dashboard.patches.hearing import Heard
from dashboard.server import computing, guard
from dashboard.server.archive import ARCHIVE, KnownResults
from dashboard.workspace import answering

# Which packages bring components stays the same; asked for each page, it takes half of all time.
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)
# Nor do scripts change, which each run would compile.
app_test.ScriptCache = local_script_runner.ScriptCache = cache(ScriptCache)
# Nor is garbage collected every ten seconds, among all that tests have made.
memory._collected += 1e9


def _until_it_ends(runner: LocalScriptRunner, timeout: float) -> None:
    """A page is waited for. Streamlit would look for it a thousand times a second."""
    assert runner._script_thread is not None
    runner._script_thread.join(timeout)
    assert runner.script_stopped()


def _with_polls(messages: list[ForwardMsg]) -> ElementTree:
    """What is on a page, and whether it looks for news of its own accord."""
    tree = parse_tree_from_messages(messages)
    tree.polls = any(message.HasField("auto_rerun") for message in messages)
    return tree


local_script_runner.require_widgets_deltas = _until_it_ends
local_script_runner.parse_tree_from_messages = _with_polls

APP = Path(dashboard.__file__).with_name("app.py")
config.set_option("runner.magicEnabled", False)  # as the server has it
config.set_option("browser.gatherUsageStats", False)

# What pages compute by themselves is as good as its seconds; what they do with it is not.
BRIEF = {
    "parts.replays.rates._USUAL_JOBS": 48.0,
    "screens.schedule.choice.POLISH_SECONDS": 0.0,
    "screens.profit.polish.SECONDS": 0.05,
    "screens.profit.polish.PAUSE_SECONDS": 0.0,
    "screens.fair_shares.answer.POLISH": 0.0,
    "screens.fair_shares.answer._REST": 0.0,
    "screens.fair_shares.answer.TRIAL_POLISH": 0.0,
    "screens.centre.front_panel._REST": 0.0,
}
# Nor are many points of a front better than a few.
FEW = {"centre.front.LATE_SHARES": (0.05,), "centre.front._SHARES": (0.5,)}


@pytest.fixture(autouse=True)
def forget(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """What one test finds, no other knows; call it to forget in the middle of a test."""

    def emptied() -> None:
        empty = KnownResults()
        for part in ("_known", "_fastest", "_joined"):
            monkeypatch.setattr(ARCHIVE, part, getattr(empty, part))

    # Jobs that an earlier test left at work must not tell this one.
    others = {thread for thread in threading.enumerate() if thread.name.startswith("wattfront")}

    def take(result: object) -> None:
        if threading.current_thread() not in others:
            KnownResults.take(ARCHIVE, result)

    monkeypatch.setattr(ARCHIVE, "take", take)
    emptied()
    return emptied


@pytest.fixture(autouse=True)
def validated(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every figure is what Plotly would have made of it, had it looked. It looks once at all that
    differ in numbers and sentences only; in `make thorough`, at each.
    """
    draw = Drawing.figure

    def looked_at(drawing: Drawing, *args: Any, **kwargs: Any) -> go.Figure:
        plain = draw(drawing, *args, **kwargs)
        drawn = pickle.dumps((plain._data, plain._layout)) if is_thorough() else _look(plain)
        if drawn not in _VALID:
            told, checked = (
                plotly.io.to_json(figure.to_dict(), validate=False)
                for figure in (plain, go.Figure(plain))
            )
            assert _filled(checked) == _filled(told)
            _VALID.add(drawn)
        return plain

    monkeypatch.setattr(Drawing, "figure", looked_at)


_VALID: set[Hashable] = set()


def _look(figure: go.Figure) -> Hashable:
    def of(value: Any) -> Hashable:
        match value:
            case dict():
                return tuple((name, of(inner)) for name, inner in value.items())
            case list() | tuple():
                return frozenset(map(of, value))
            case np.ndarray():
                return value.dtype.kind
            case str() if " " not in value or value.startswith(("rgb", "hsl")):
                return value
        return type(value)

    return of(figure._data), of(figure._layout)


def _filled(told: str) -> Any:
    """What the browser is told of a figure, where what is empty is as if it were not there."""
    figure = json.loads(told)
    figure["layout"] = {name: look for name, look in figure["layout"].items() if look != []}
    return figure


@pytest.fixture
def files(monkeypatch: pytest.MonkeyPatch) -> dict[str, Callable[[], bytes]]:
    """What each button of exports makes, by its label, which `AppTest` cannot press."""
    made: dict[str, Callable[[], bytes]] = {}
    offer = streamlit.download_button

    def noted(label: str, data: Any, *args: Any, **kwargs: Any) -> bool:
        made[label] = data
        return offer(label, data, *args, **kwargs)

    monkeypatch.setattr(streamlit, "download_button", noted)
    return made


@pytest.fixture
def open_page(monkeypatch: pytest.MonkeyPatch, computed_here: None) -> Open:
    """Opens a page by its file, perhaps at an address: `open_page("work", idle=0.2)`. Unless that
    names a system, it is the sample "nine"; with `sample=None` it is what a newcomer gets.

    What fails on it fails the test, instead of ending in an apology.
    """
    monkeypatch.setattr(answering, "polish_for", brief_polish)
    for name, seconds in BRIEF.items():
        monkeypatch.setattr(f"dashboard.{name}", seconds)
    for name, few in FEW.items():
        monkeypatch.setattr(f"core.capabilities.{name}", few)
    monkeypatch.setattr(guard, "guarded", lambda run, _: run())
    monkeypatch.setattr(app_test, "SessionState", Heard)

    def opened(view: str, **parameters: object) -> AppTest:
        app = AppTest.from_file(str(APP), default_timeout=PATIENCE)
        if not {"kept", "task_types", "etc", "seed"} & {*parameters}:
            parameters = {"sample": "nine"} | parameters
        said = {name: str(value) for name, value in parameters.items() if value is not None}
        app.query_params.update(said)
        app._page_hash = calc_hash(view)  # `switch_page` knows pages from their first run on
        app.run()
        assert not app.exception
        return app

    return opened


class _Here:
    """A worker that is no process: what a test has replaced is in force for it."""

    nice = 0
    ready = True

    def __init__(self, known: dict[bytes, tuple[list[Any], Any]]) -> None:
        self.known = known

    def take(self, _nice: int) -> "_Here":
        return self

    def put(self, worker: "_Here") -> None:
        pass

    def run(
        self,
        task: Task[Any],
        *,
        should_stop: Callable[[], bool],
        report: Callable[[Any], None] | None,
        **_watching: object,
    ) -> Any:
        tell = report or str
        try:
            asked = packed(task)
        except (AttributeError, pickle.PicklingError):  # a function that a test has put there
            return task.run(should_stop, tell)
        if asked not in self.known:
            told: list[Any] = []
            found = task.run(should_stop, lambda one: told.append(one) or tell(one))
            # As it comes from another process.
            result = unpacked(packed(found, task.inputs), task.inputs)
            self.known[asked] = told, result
            return result
        told, result = self.known[asked]
        for one in told:
            tell(one)
        return result


_COMPUTED: dict[bytes, tuple[list[Any], Any]] = {}
"""What was told and found of each task, by the task as bytes."""


@pytest.fixture
def computed_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """What pages have computed is computed in the process of the test: once for all tests."""
    monkeypatch.setattr(computing, "WORKERS", _Here(_COMPUTED))


def pytest_runtest_call(item: pytest.Function) -> None:
    """A test that may replace something knows nothing of what was computed before it begins."""
    replaces = "monkeypatch" in signature(item.function).parameters
    if replaces and isinstance(computing.WORKERS, _Here):
        computing.WORKERS.known = {}


@pytest.fixture(scope="session")
def many_types() -> Schedule:
    """60 machine types of 40 machines, 90 task types."""
    etc = CoefficientOfVariation(10.0, 0.4, 0.4).draw(90, 60, np.random.default_rng(1))
    system = System(
        tuple(TaskType(f"T{i}", 3_000) for i in range(90)),
        tuple(MachineType(f"M{j}", 40) for j in range(60)),
        etc + 0.1,
        etc + 100.0,
    )
    return solve(system, method="paper").schedule


@pytest.fixture(scope="session")
def testbed_study() -> Study:
    """The front of the testbed, without idle power, and schedules along it."""
    return study(load_sample("testbed"), Lp(0.05), effort=Effort(0))


@pytest.fixture(scope="session")
def kwh(testbed_study: Study) -> Axis:
    """Energy in kilowatt hours."""
    return axis_for("kWh", Tariff(1.0), "EUR", float(testbed_study.nadir[0]))


@pytest.fixture
def options() -> Iterator[Callable[[str, object], None]]:
    """Sets options of Streamlit, until the test ends."""
    before: dict[str, object] = {}

    def set_one(name: str, value: object) -> None:
        before.setdefault(name, config.get_option(name))
        config.set_option(name, value)

    yield set_one
    for name, value in before.items():
        config.set_option(name, value)
