"""The nodes of a log are found in its lists, also where the lists are many."""

import re
import tracemalloc

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from log_stores import dump, store_of

from core.engines.logs.reading import limits
from core.engines.logs.types import nodes as room
from core.engines.logs.types.nodes import (
    MOST_NODES,
    NAME_CHARACTERS,
    Nodes,
    expand_nodes,
    parts_with_nodes,
)

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


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("", ()),
        ("  ", ()),
        ("a", ("a",)),
        ("a,b", ("a", "b")),
        (" a , b ", ("a", "b")),
        ("n[3]", ("n3",)),
        ("n[1-3]", ("n1", "n2", "n3")),
        ("n[1-2,7]", ("n1", "n2", "n7")),
        ("a[001-003,7],b", ("a001", "a002", "a003", "a7", "b")),
        ("n[9-11]", ("n9", "n10", "n11")),
        ("n[09-11]", ("n09", "n10", "n11")),
        ("n[098-101]", ("n098", "n099", "n100", "n101")),
        ("n[0-1]", ("n0", "n1")),
        ("n[00]", ("n00",)),
        ("r[1-2]n[08-09]", ("r1n08", "r1n09", "r2n08", "r2n09")),
        ("r[1-2]-[1-2].x", ("r1-1.x", "r1-2.x", "r2-1.x", "r2-2.x")),
        ("[1-2]", ("1", "2")),
        ("[1-2][5,4]", ("15", "14", "25", "24")),
        ("n[5-5]", ("n5",)),
        ("b,a,b", ("b", "a", "b")),
        ("gpu-01.site.example", ("gpu-01.site.example",)),
        ("n[999999999999999998-999999999999999999]", ("n" + "9" * 17 + "8", "n" + "9" * 18)),
        ("$(touch pwned)".replace(" ", "_"), ("$(touch_pwned)",)),
    ],
)
def test_a_list_means_these_names(text, names):
    assert expand_nodes(text) == names


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("n[1-2", "'[1-2' has a bracket without its partner"),
        ("a,n1]", "']' has a bracket without its partner"),
        ("n[[1-2]]", "'[[1-2]]' has a bracket without its partner"),
        ("n[1,[2]]", "has a bracket without its partner"),
        ("a,,b", "between two commas is blank"),
        (",a", "between two commas is blank"),
        ("a,", "between two commas is blank"),
        (",", "between two commas is blank"),
        ("None assigned", "'None assigned' has a space"),
        ("a\nb", "has a space"),
        ("n[1 -2]", "has a space"),
        ("n[]", "'' in brackets is not a number"),
        ("n[1,]", "'' in brackets is not a number"),
        ("n[a-c]", "'a-c' in brackets is not a number"),
        ("n[1-2-3]", "'1-2-3' in brackets is not a number"),
        ("n[-2]", "'-2' in brackets is not a number"),
        ("n[1-]", "'1-' in brackets is not a number"),
        ("n[²]", "'²' in brackets is not a number"),
        ("n[3-2]", "the range 3-2 ends before it begins"),
        ("n[" + "9" * 19 + "]", "in brackets is not a number"),
        ("n[1-" + "9" * 19 + "]", "in brackets is not a number"),
    ],
)
def test_a_list_that_slurm_would_not_write_is_refused(text, said):
    with pytest.raises(ValueError, match=re.escape(said)):
        expand_nodes(text)


@pytest.mark.parametrize(
    "text",
    [
        "n[1-{100}]",
        "a,n[2-{100}]",
        "n[2-{100}],a",
        "n[1-{10}][0-9]",
        "n[0-9][1-{10}]",
        "n[1-{50}],m[1-{50}]",
        "n[1-{50},1-{50}]",
    ],
)
def test_the_most_names_are_allowed_and_one_more_is_not(text, monkeypatch):
    monkeypatch.setattr(room, "MOST_NODES", 100)
    allowed = re.sub(r"[{}]", "", text)
    assert len(expand_nodes(allowed)) == 100
    more = re.sub(r"\{(\d+)\}", lambda last: str(int(last[1]) + 1), text)
    for refused in (more, allowed + ",x"):
        with pytest.raises(ValueError, match="more than 100 nodes"):
            expand_nodes(refused)


def test_a_name_is_as_long_as_a_host_name_may_be():
    assert (MOST_NODES, NAME_CHARACTERS) == (100_000, 255)
    longest = "n" * (NAME_CHARACTERS - 2)
    lengths = [len(name) for name in expand_nodes(f"{longest}[1-10]")]
    assert lengths == [NAME_CHARACTERS - 1] * 9 + [NAME_CHARACTERS]
    for text in (f"{longest}[1-100]", "n" * (NAME_CHARACTERS + 1)):
        with pytest.raises(ValueError, match="longer than 255 characters"):
            expand_nodes(text)


@pytest.mark.parametrize(
    "bomb",
    [
        "n[1-999999999999999999]",
        "n[0-9]" + "[0-9]" * 30,
        "[1-1000]" * 1_000,
        "n[" + "1-1000," * 1_000 + "1]",
        "a" * 100_000 + "[1-1000]",
        "[" * 100_000,
        "[1]" * 30_000,
        "]" * 100_000,
        "a," * 30_000,
        "n[1-" + "9" * 100_000 + "]",
    ],
    ids=lambda bomb: f"{bomb[:12]} of {len(bomb)}",
)
def test_a_short_text_never_fills_the_memory(bomb, monkeypatch):
    monkeypatch.setattr(room, "MOST_NODES", 1_000)
    tracemalloc.start()
    with pytest.raises(ValueError, match="; ") as refused:
        expand_nodes(bomb)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 4 * 2**20
    assert len(str(refused.value)) < 200


WORDS = st.text("abn-._5", min_size=1, max_size=4)


@st.composite
def items(draw):
    """A list item, and the names it stands for by another reckoning: prefix after prefix."""
    text, names = "", [""]
    for _ in range(draw(st.integers(1, 3))):
        if draw(st.booleans()):
            word = draw(WORDS)
            text, names = text + word, [name + word for name in names]
            continue
        pieces, values = [], []
        for _ in range(draw(st.integers(1, 3))):
            low, more = draw(st.integers(0, 120)), draw(st.integers(0, 4))
            zeros = "0" * draw(st.integers(0, 2))
            first = zeros + str(low)
            pieces.append(first if not more else f"{first}-{low + more}")
            values += [str(low + k).rjust(len(first), "0") for k in range(more + 1)]
        text += f"[{','.join(pieces)}]"
        names = [name + value for name in names for value in values]
    return text, names


@given(st.lists(items(), min_size=1, max_size=4))
def test_any_list_stands_for_the_names_of_its_items_in_order(parts):
    text = ",".join(text for text, _ in parts)
    assert list(expand_nodes(text)) == [name for _, names in parts for name in names]


@given(st.text("n[]-,01 9", max_size=12))
def test_any_text_gives_names_or_a_reason(text):
    try:
        names = expand_nodes(text)
    except ValueError as refused:
        names = ()
        said = str(refused)
    else:
        said = "; "
    assert "; " in said
    assert not set("".join(names)) & set("[], ")
    assert all(names)
