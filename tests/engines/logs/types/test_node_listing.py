"""What Slurm lists of nodes is read, whatever its columns, and each fault has its place."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.engines.logs.types.node_listing import (
    SINFO,
    ListedNode,
    is_node_listing,
    parse_node_listing,
)
from core.files.findings import Findings, Unreadable

RECORDED = Path(__file__).parents[1] / "dumps" / "nodes"
"""Of six nodes, of which cpu4 is down and gpu2 drained, by Slurm 22.05."""
ALL = frozenset({"all", "brief", "spare"})


def read(text: str | bytes, most: int = 1000) -> dict[str, ListedNode]:
    findings = Findings()
    data = text.encode() if isinstance(text, str) else text
    assert is_node_listing(data)
    found = parse_node_listing(data, "nodes.txt", most, findings)
    assert findings.problems() == ()
    return found


def problems(text: str) -> list[str]:
    findings = Findings()
    assert is_node_listing(text.encode())
    parse_node_listing(text.encode(), "nodes.txt", 1000, findings)
    return [f"{p.row}, {p.column}: {p.message}" for p in findings.problems()]


@pytest.mark.parametrize("path", sorted(RECORDED.iterdir()), ids=lambda path: path.name)
def test_recorded_listings_say_the_same(path: Path) -> None:
    found = read(path.read_bytes())
    gpus = None if path.name == "long.txt" else 0  # which has no GRES
    assert [*found] == ["cpu1", "cpu2", "cpu3", "cpu4", "gpu1", "gpu2"]
    assert [name for name, node in found.items() if node.is_away] == ["cpu4", "gpu2"]
    cpu, gpu = found["cpu1"], found["gpu1"]
    of_cpu = ListedNode(cpu.place, 4, 1000 / 1024, gpus, frozenset(), frozenset({"cpu"}), ALL)
    assert cpu == of_cpu
    of_gpu = of_cpu._replace(gpus=None if gpus is None else 1, features=frozenset({"gpu"}))
    assert gpu == of_gpu._replace(place=gpu.place)


@pytest.mark.parametrize(
    ("gres", "gpus", "models"),
    [
        ("(null)", 0, set()),
        ("gpu:4", 4, set()),
        ("gpu", 1, set()),
        ("gpu:a100:4(S:0-1)", 4, {"a100"}),
        ("gpu:a100:2(S:0,2),gpu:v100:1", 3, {"a100", "v100"}),
        ("gpu:nvidia_a100_1g.5gb:7", 7, {"nvidia_a100_1g.5gb"}),
        ("gpu:tesla:no_consume:2", 2, {"tesla"}),
        ("gpu:a100", 1, {"a100"}),
        ("craynetwork:4,lscratch:100", 0, set()),
        ("gpu:a100:0", 0, set()),
    ],
)
def test_gpus_of_a_node(gres: str, gpus: int, models: set[str]) -> None:
    (node,) = read(f"NODELIST|GRES\nn1|{gres}\n").values()
    assert (node.gpus, node.models) == (gpus, models)


def test_gpus_may_be_known_from_trackable_resources() -> None:
    said = "CfgTRES=cpu=8,mem=1M,gres/gpu=6,gres/gpu:a100=4,gres/gpu:a40=2"
    (node,) = read(f"NodeName=a CPUTot=8 Gres=(null) RealMemory=1 State=IDLE {said}\n").values()
    assert (node.gpus, node.models) == (6, {"a100", "a40"})


@pytest.mark.parametrize(
    ("state", "away"),
    [
        *((state, False) for state in ("idle", "mix", "alloc*", "idle~", "comp", "resv", "plnd")),
        *((state, False) for state in ("IDLE+CLOUD", "MIXED+PLANNED", "powering_down", "maint")),
        *((state, True) for state in ("down*", "drng", "drained", "IDLE+DRAIN", "DOWN*+DRAIN")),
        *((state, True) for state in ("fail", "FUTURE", "ERROR+NOT_RESPONDING")),
    ],
)
def test_nodes_that_get_no_jobs(state: str, away: bool) -> None:
    assert read(f"NODELIST STATE\nn1 {state}\n")["n1"].is_away == away


def test_cpus_that_jobs_may_have_count() -> None:
    record = "NodeName=a CPUAlloc=0 CPUEfctv=60 CPUTot=64 RealMemory=2048 State=IDLE\n"
    assert read(record)["a"].cores == 60
    assert read("HOSTNAMES CPUS(A/I/O/T)\na 8/8/0/16\n")["a"].cores == 16


def test_what_people_wrote_is_no_key() -> None:
    first = "NodeName=a CPUTot=8 RealMemory=2048 State=IDLE Reason=CPUTot=9 is [x@2026-01-01]"
    (node,) = read(f"{first}\n   Comment=State=DOWN\n").values()
    assert (node.cores, node.memory_gib, node.is_away) == (8, 2, False)


def test_lines_around_tables_do_not_count() -> None:
    text = (
        "sinfo: a warning\n\nCLUSTER: one\nNODELIST  CPUS REASON\nn[1-2]  4    none\n\n"
        "CLUSTER: two\nCPUS NODELIST\n8 m1\n"
    )
    assert {name: node.cores for name, node in read(text).items()} == {"n1": 4, "n2": 4, "m1": 8}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("NODELIST|CPUS|STATE\nn1|4\n", "line 2, : has 2 cells below 3 titles"),
        ("NODELIST CPUS\nn1 4 5\n", "line 2, : has 3 cells below 2 titles"),
        ("NODELIST CPUS\nn1 32+\n", "line 2, CPUs: '32+' is of several nodes that differ"),
        ("NODELIST CPUS\nn1 0\n", "line 2, CPUs: '0' is not a whole number from 1 to 1,000,000"),
        ("NODELIST MEMORY\nn1 lots\n", "line 2, memory: 'lots' is not a whole number of MiB"),
        ("NODELIST GRES\nn1 gpu:99999999999\n", "line 2, gres: 999,999,999 GPUs are out of range"),
        ("NODELIST|CPUS\n|4\n", "line 2, node: is blank"),
        ("NODELIST CPUS\nn[1- 4\n", "line 2, node: '[1-' has a bracket without its partner"),
        ("NODELIST CPUS\nn1 4\nn1 8\n", "line 3, CPUs: node 'n1' has 8 CPUs here and 4 in line 2"),
        ("NodeName=a CPUTot=8 RealMemory=1\n", "line 1, State: is missing; the file may be cut"),
        ("\nNodeName=a[1-3] CPUs=8 State=UNKNOWN\n", "line 2, CPUTot: is missing"),
        ('{"nodes": [{"architecture": "x", "name": "a", "cpus": {}}]}', "node 1, CPUs: '{}'"),
        ('{"nodes": [3], "real_memory": 1}', "node 1, : 3 is no object"),
    ],
)
def test_each_fault_has_its_place_and_remedy(text: str, said: str) -> None:
    (found,) = problems(text)
    assert found.startswith(said)
    assert SINFO in found or "; " in found


@pytest.mark.parametrize(
    "text", ["NODELIST CPUS\n", '{"nodes": [], "real_memory": 1}', "x\nNODELIST STATE\n\n"]
)
def test_a_listing_without_nodes_is_refused(text: str) -> None:
    with pytest.raises(Unreadable, match="lists no nodes; make it again with sinfo"):
        problems(text)


@pytest.mark.parametrize("text", ["NODELIST CPUS\na[1-1001] 4\n", "NODELIST CPUS\na[1-9999] 4\n"])
def test_nodes_have_a_limit(text: str) -> None:
    assert len(read(text.replace("]", "]").replace("1001", "1000").replace("9999", "3"))) <= 1000
    with pytest.raises(Unreadable, match=re.escape("more than 1,000 nodes; leave some out")):
        problems(text)


PIECES = (b",", b"\n", b"|", b"=", b"[1-", b"]", b"{", b"\0", b"\xff", b"null", b"9" * 400, b"+")


@given(
    st.sampled_from(sorted(RECORDED.iterdir())),
    st.lists(
        st.tuples(st.integers(0, 900), st.integers(0, 20), st.sampled_from(PIECES)), max_size=5
    ),
)
def test_listings_with_faults_are_refused_or_read(
    path: Path, faults: list[tuple[int, int, bytes]]
) -> None:
    data = path.read_bytes()
    for at, less, more in faults:
        data = data[:at] + more + data[at + less :]
    findings = Findings()
    try:
        parse_node_listing(data, "nodes.txt", 1000, findings)
    except Unreadable:
        pass
    else:
        assert all("; " in problem.message for problem in findings.problems())
