"""A table of nodes is read with all its problems, each with its place and remedy."""

from pathlib import Path

import pytest

from core.engines.logs.types import node_table
from core.engines.logs.types.node_table import Machine, NodeTable, parse_node_table, read_node_table
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


def test_the_memory_of_nodes_may_be_said() -> None:
    table = read("node,type,memory_gib\nn1,slow,64\nn2,slow,62.5\n")
    assert table.of("slow") == Machine(nodes=2, memory_gib=64)


def test_types_may_have_a_count_in_place_of_nodes() -> None:
    table = read("type;count;busy_watts\nslow;100;\nfast;4;1100\nslow;20;5.5\n")
    assert not table.has_nodes
    assert table.of("slow") == Machine(nodes=120, busy_watts=5.5)
    assert table.of("fast") == Machine(nodes=4, busy_watts=1100)


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
    monkeypatch.setattr(node_table, "_MOST_NODES", 5)
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


def test_marks_that_may_be_thousands_are_told_of_a_small_table(tmp_path):
    """Whether the file is plain or not: `1.250` may be 1250."""
    table = "type,busy_watts\nb,1.250\n"
    for text in (table, table.replace("\nb", "\n\nb")):
        findings = Findings()
        parse_node_table(text.encode(), "n.csv", findings)
        assert any("1.250" in str(problem) for problem in findings.problems())
