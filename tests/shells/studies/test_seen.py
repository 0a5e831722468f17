"""What a log says beside its system comes back from a study file as it was, and what cannot be is
located.
"""

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import names
from studied import as_file

from core.engines.front.study import Study
from core.engines.replay.classes import JobClass
from core.files.findings import Findings
from core.files.strict_json import Fields
from core.shells.studies import StudySettings, inspect_study_bytes, seen
from core.shells.studies.seen import SeenInLog, read_seen, written_seen
from core.vocabulary.arrivals import HourlyArrivals
from core.vocabulary.node_use import BusyChanges, NodeUse
from core.vocabulary.placement import LogPlacement
from core.vocabulary.requests import LogRequests, Request


def listed(one: st.SearchStrategy[Any], length: int) -> st.SearchStrategy[list[Any]]:
    return st.lists(one, min_size=length, max_size=length)


@st.composite
def uses(draw: st.DrawFn) -> NodeUse:
    types = tuple(draw(st.lists(names(), min_size=1, max_size=3, unique=True)))
    nodes = draw(listed(st.integers(0, 5), len(types)))
    changes = []
    for most in nodes:
        busy = np.array(draw(st.lists(st.integers(0, most), min_size=1, max_size=6)))
        times = sorted(
            draw(st.lists(st.floats(0, 1e6), min_size=len(busy) - 1, max_size=len(busy) - 1))
        )
        changes.append(BusyChanges(np.array(times, float), np.diff(busy), int(busy[0])))
    named = draw(st.lists(names(), max_size=4))
    of = st.integers(0, len(types) - 1)
    return NodeUse(
        types,
        np.array(nodes),
        np.array(draw(listed(st.floats(0.5, 9), len(types)))),
        0.0,
        1e6,
        tuple(changes),
        tuple(named),
        np.array(draw(listed(of, len(named))), np.int64),
        np.array(draw(listed(st.floats(0, 1e6), len(named))), float),
    )


@st.composite
def arriving(draw: st.DrawFn) -> HourlyArrivals:
    types = tuple(draw(st.lists(names(), max_size=3, unique=True)))
    rate = st.floats(0, 1e9)
    rates = [draw(listed(rate, len(types))) for _ in range(24)]
    week = None
    if draw(st.booleans()):
        week = np.arange(168.0 * len(types)).reshape(168, -1) + draw(rate)
    days = draw(st.floats(0, 1e4))
    return HourlyArrivals(types, np.array(rates, float).reshape(24, -1), days, week)


@st.composite
def placements(draw: st.DrawFn) -> LogPlacement:
    tasks, machines = (tuple(draw(st.lists(names(), max_size=3, unique=True))) for _ in range(2))
    counts = [draw(listed(st.integers(0, 10**12), len(machines))) for _ in tasks]
    return LogPlacement(
        tasks, machines, np.array(counts, np.int64).reshape(len(tasks), len(machines))
    )


REQUEST = st.builds(Request, *[st.integers(0, 99)] * 2, *[st.floats(0, 1e9)] * 2, st.just(1))
BY_NAME = st.dictionaries(names(), REQUEST, max_size=2)
PARTITIONS = st.dictionaries(names(), names(), max_size=2)
SEEN = st.builds(
    SeenInLog,
    st.none() | arriving(),
    st.none() | uses(),
    st.booleans(),
    st.lists(names(), max_size=2).map(tuple),
    st.none() | placements(),
    st.none() | st.builds(LogRequests, BY_NAME, BY_NAME, BY_NAME, PARTITIONS),
    st.lists(names(), max_size=2, unique=True).map(
        lambda found: tuple(JobClass(name=one, tier=len(one)) for one in found)
    ),
)


def told(one: SeenInLog) -> tuple[object, ...]:
    parts = (one.arrivals, one.node_use, one.placement)
    prints = [None if part is None else part.fingerprint for part in parts]
    return *prints, one.idle_measured, one.assumed, one.requests, one.classes


def read(content: dict[str, Any]) -> tuple[SeenInLog, list[str]]:
    findings = Findings()
    found = read_seen(Fields(content, "it", findings))
    return found, [str(problem) for problem in findings.problems()]


@given(SEEN)
def test_what_was_seen_comes_back(one: SeenInLog) -> None:
    found, problems = read(json.loads(json.dumps(written_seen(one))))
    assert problems == []
    assert told(found) == told(one)


USE = NodeUse(
    ("cpu",),
    np.array([2]),
    np.array([4.0]),
    100.0,
    900.0,
    (BusyChanges(np.array([200.0, 300.0]), np.array([1, -2]), 1),),
    ("n1", "n2"),
    np.array([0, 0]),
    np.array([100.0, 50.0]),
)
PLACED = LogPlacement(("a", "b"), ("cpu",), np.array([[3], [4]]))
RATES = HourlyArrivals(("a", "b"), np.ones((24, 2)), 14.0, np.ones((168, 2)))
ASKED = LogRequests({}, {"T": Request(8)}, {}, {"cpu": "long"})
Edit = Callable[[dict[str, Any]], object]


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (lambda d: d["node_use"].update(end=100.0), "[node_use], column times: are from no span"),
        (lambda d: d["node_use"].update(node_types=[0, 1]), "whose machine type is not there"),
        (lambda d: d["node_use"].update(times=[[300.0, 200.0]]), "are not in order"),
        (lambda d: d["node_use"].update(times=[[200.0, 901.0]]), "are not between begin and end"),
        (lambda d: d["node_use"].update(by=[[2, -3]]), "more busy nodes than there are"),
        (lambda d: d["node_use"].update(by=[[-2, 1]]), "or fewer than none"),
        (lambda d: d["node_use"].update(by=[[1]]), "column by: are not lists of 2 numbers"),
        (lambda d: d["node_use"].update(nodes=[-1]), "column nodes: are not lists of 1 numbers, 0"),
        (lambda d: d["node_use"].update(names="cpu"), "column names: is not a list of texts"),
        (lambda d: d["arrivals"].update(rates=[[1, 1]]), "column rates: are not 24 lists"),
        (lambda d: d["arrivals"]["rates"][3].pop(), "column rates: are not lists of 2 numbers"),
        (lambda d: d["placement"].update(counts=[[3]]), "column counts: are not 2 lists"),
        (lambda d: d["placement"].update(counts=5), "column counts: are not 2 lists"),
        (lambda d: d["placement"].update(counts=[[3], [-1]]), "are not lists of 1 numbers, 0 or"),
        (lambda d: d.update(assumed=[5]), "column assumed: is not a list of texts"),
        (lambda d: d["requests"]["most"]["T"].update(gpus=-1), "column most: are not lists of 5"),
        (lambda d: d["requests"].update(nodes=[]), "column nodes: are not requests by the names"),
        (lambda d: d["requests"].update(partitions={"cpu": 1}), "column partitions: are not texts"),
        (lambda d: d.update(classes=[{"name": "a"}] * 2), "column classes: have two of one name"),
        (lambda d: d.update(classes=[{"name": "a", "tier": -1}]), "[classes], row 1, column tier"),
        (lambda d: d.update(classes={}), "column classes: is no list of classes"),
    ],
)
def test_what_cannot_be_is_located(edit: Edit, said: str) -> None:
    content = json.loads(
        json.dumps(written_seen(SeenInLog(RATES, USE, placement=PLACED, requests=ASKED)))
    )
    edit(content)
    _, problems = read(content)
    assert any(said in problem for problem in problems), problems


def test_a_study_file_has_it(small: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = StudySettings(
        "mine", seconds=0.0, seen=SeenInLog(RATES, USE, True, ("counts",), PLACED)
    )
    found = inspect_study_bytes("s.json", as_file(small, asked)).require().settings.seen
    assert found is not None
    assert told(found) == told(asked.seen)
    monkeypatch.setattr(seen, "MOST_CHANGES", 1)
    found = inspect_study_bytes("s.json", as_file(small, asked)).require().settings.seen
    assert found is not None
    assert (found.node_use, found.idle_measured) == (None, True)
