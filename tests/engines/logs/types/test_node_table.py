"""Tables of nodes say what machines there are, and each fault with its place and remedy."""

from pathlib import Path

import pytest

from core.engines.logs.types import node_table as room
from core.engines.logs.types.node_table import (
    Machine,
    NodeTable,
    is_node_table,
    parse_node_table,
    read_node_table,
)
from core.files.findings import Findings
from core.vocabulary.problems import InvalidInput


def read(text: str) -> NodeTable:
    findings = Findings()
    table = parse_node_table(text.encode(), "nodes.csv", findings)
    assert findings.problems() == ()
    assert table is not None
    return table


def problems(text: str) -> list[str]:
    findings = Findings()
    parse_node_table(text.encode(), "nodes.csv", findings)
    return [f"{p.row}, {p.column}: {p.message}" for p in findings.problems()]


def test_nodes_are_listed_and_counted_once() -> None:
    table = read(
        "node,type,cores,gpus,idle_watts,busy_watts\nn[1-3],slow,8,,90,200\nn3,slow,16,2,,\n"
    )
    assert table.has_nodes
    assert [table.type_of(n) for n in ("n1", "n3", "n4")] == ["slow", "slow", None]
    assert table.of("slow") == Machine(3, 16, 2, 90, 200)
    assert table.of("other") == Machine()


@pytest.mark.parametrize(
    ("text", "machines"),
    [
        (
            "type;count;busy_watts\nslow;100;\nfast;4;1100\nslow;20;5.5\n",
            {"slow": Machine(nodes=120, busy_watts=5.5), "fast": Machine(nodes=4, busy_watts=1100)},
        ),
        ("type,memory_gib\nslow,64\nslow,62.5\n", {"slow": Machine(memory_gib=64)}),
    ],
)
def test_types_may_have_a_count_in_place_of_nodes(text: str, machines: dict[str, Machine]) -> None:
    table = read(text)
    assert (table.has_nodes, dict(table.machines)) == (False, machines)


def test_what_is_typed_in_replaces_the_table() -> None:
    table = read("node,type\nn1,slow\n").with_machines({"slow": Machine(cores=4)})
    assert table.of("slow") == Machine(cores=4)
    assert table.type_of("n1") == "slow"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("node,type\nn1,a\nn1,b\n", "node 'n1' is of the types a and b; keep one"),
        ("node,type\nn1,\n", "type: is empty; give it a name"),
        ("node,type\n,a\n", "node: is blank; give the node, or a list of nodes"),
        ("node,type\nn[1-,a\n", "bracket without its partner"),
        ("node,type,cores\nn1,a,0\n", "cores: 0 is out of range; give 1 to 1e+06 cores"),
        ("node,type,cores\nn1,a,2.5\n", "cores: '2.5' is not a whole number"),
        ("node,type,cores\nn1,a,1e300\n", "cores: '1e300' is not a whole number in range"),
        ("node,type,gpus\nn1,a,-1\n", "gpus: -1 is out of range; give 0 to 10000 GPUs"),
        ("node,type,idle_watts\nn1,a,x\n", "idle_watts: 'x' is not a number"),
        ("node,type,busy_watts\nn1,a,2000000\n", "give 0 to 1e+06 W"),
        ("type,count\na,0\n", "count: 0 is out of range; give 1 to 1e+06 nodes"),
        ("colour,size\nred,1\n", "column type is missing; let the header be node,type"),
        ("", ""),
    ],
)
def test_each_problem_has_its_place_and_remedy(text: str, said: str) -> None:
    found = problems(text)
    assert said in found[0]
    assert len(found) == 1 or "columns that are not used" in found[1]


def test_a_table_has_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "_MOST_NODES", 5)
    assert problems("node,type\nn[1-5],a\n") == []
    (found,) = problems("node,type\nn[1-5],a\nn6,a\nn7,a\n")
    assert "more than 5 nodes; leave some out" in found


def test_all_problems_of_a_file_are_told(tmp_path: Path) -> None:
    path = tmp_path / "nodes.csv"
    path.write_text("node,type,cores\nn1,a,x\nn2,,3\n")
    with pytest.raises(InvalidInput) as refused:
        read_node_table(path)
    assert [problem.row for problem in refused.value.problems] == ["line 2", "line 3"]
    with pytest.raises(InvalidInput, match="missing"):
        read_node_table(tmp_path / "missing.csv")


def test_tables_are_known_by_their_titles() -> None:
    assert is_node_table(b"node,type\n")
    assert is_node_table(b"Type;Cores\n")
    assert not is_node_table(b"task,machine,seconds\na,x,1\n")
    assert not is_node_table(b"JOBID|NODELIST|STATE\n1|n1|R\n")


def test_a_node_is_found_without_its_domain() -> None:
    table = read("node,type\nn1,a\nm1.site.example,b\n")
    names = ("n1.site.example", "m1.site.example", "m1", "n2.site.example")
    assert [table.type_of(name) for name in names] == ["a", "b", None, None]


SINFO = (
    "NODELIST|PARTITION|STATE|CPUS|MEMORY|GRES|AVAIL_FEATURES\n"
    "gv[01-10]|gpu|idle|32|196608|gpu:v100:2|ib\n"
    "gv[11-12]|gpu|drained|32|196608|gpu:v100:2|ib\n"
    "old1|cpu*|down*|8|16384|(null)|(null)\n"
)


def test_nodes_that_slurm_lists_make_a_table() -> None:
    table = read(SINFO)
    words = frozenset({"gpu", "v100", "ib"})
    assert table.of("gv") == Machine(10, 32, 2, memory_gib=192, words=words)
    assert table.of("old") == Machine(1, 8, 0, memory_gib=16, words=frozenset({"cpu"}))
    assert (table.type_of("gv12"), table.type_of("gv13")) == ("gv", None)
    assert table.in_words == "13 nodes of 2 types: 12 gv, 1 old."


def test_nodes_that_are_down_are_named() -> None:
    assert read(SINFO).notes == (
        "Down or drained, and not counted: gv11, gv12 (of gv).",
        "Down or drained, but counted, since there are no others: old1 (of old).",
    )
