"""The nodes of a log are found in its lists, also where the lists are many."""

import numpy as np
import pytest
from log_stores import dump, store_of

from core.engines.logs.reading import limits
from core.engines.logs.types import nodes as room
from core.engines.logs.types.nodes import Nodes, parts_with_nodes

LOG = dump(
    {"NodeList": "n[1-3]", "NNodes": ""},
    {"NodeList": "n2", "NNodes": ""},
    {"NodeList": "", "NNodes": ""},
    {"NodeList": "n[2-3]", "NNodes": 7},
    {"NodeList": "m[1-", "NNodes": 0},
)


def test_nodes_of_lists_are_expanded_once() -> None:
    with store_of(LOG) as store:
        nodes = Nodes(store)
        lists = store.column("nodelist")
    assert nodes.known
    assert nodes.names == ("n1", "n2", "n3")
    assert nodes.of_lists[lists].tolist() == [3, 1, 0, 2, 0]
    assert nodes.of_lists[-1] == 0
    on, place = nodes.on(lists[[3, 1, 0]].astype(np.int64))
    assert [nodes.names[k] for k in on] == ["n2", "n3", "n2", "n1", "n2", "n3"]
    assert place.tolist() == [0, 0, 1, 2, 2, 2]
    least, greatest = nodes.least_and_greatest(np.array([5, 7, 6]), -9)
    assert least[lists].tolist() == [5, 7, -9, 6, -9]
    assert greatest[lists].tolist() == [7, 7, -9, 7, -9]


def test_missing_numbers_of_nodes_come_from_the_lists() -> None:
    with store_of(LOG) as store:
        ((_, block),) = parts_with_nodes(store, Nodes(store), ("elapsed",))
    assert block["nodes"].tolist() == [3, 1, 1, 7, 1]


def test_a_log_without_lists_has_a_node_a_run() -> None:
    with store_of(dump({}, without=["NodeList", "NNodes"])) as store:
        nodes = Nodes(store)
        assert not nodes.known
        ((_, block),) = parts_with_nodes(store, nodes, ("elapsed",))
    assert block["nodes"].tolist() == [1]


@pytest.mark.parametrize(
    ("lists", "known"),
    [([""], False), (["None assigned"], False), (["", "n1"], True), (["n1"], True)],
)
def test_nodes_are_known_if_a_list_has_some(lists: list[str], known: bool) -> None:
    with store_of(dump(*({"NodeList": text} for text in lists))) as store:
        nodes = Nodes(store)
        assert (nodes.known, nodes.are_counted) == (known, known)
    with store_of("task,machine,seconds\na,n1,1\n") as store:
        nodes = Nodes(store)
        assert (nodes.known, nodes.are_counted) == (True, False)


def test_of_too_many_lists_the_first_node_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "_MOST_NAMES", 3)
    with store_of(
        dump(*({"NodeList": text} for text in ("a[1-3]", "b[07-9]c[1,4],d", "e,f")))
    ) as s:
        nodes = Nodes(s)
        assert nodes.names == ("a1", "a2", "a3", "b07c1", "e")


def test_nodes_beyond_the_limit_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MANY_VALUES", 512)
    with store_of(dump({"NodeList": "a[1-500]"}, {"NodeList": "b[1-20],a3"})) as store:
        nodes = Nodes(store)
        lists = store.column("nodelist")
        assert len(nodes.names) == 512
    assert nodes.of_lists[lists].tolist() == [500, 13]
    on, _ = nodes.on(lists[1:].astype(np.int64))
    assert [nodes.names[k] for k in on] == [*(f"b{k}" for k in range(1, 13)), "a3"]
