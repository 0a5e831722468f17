"""A real `sacct` says names and joules as the recorded dumps have them."""

import json
import shlex
from pathlib import Path

import pytest
from slurm.cluster import Cluster
from slurm.configuration import NODES, Node
from slurm.record_dumps import DUMPS, ENVIRONMENTS, FOLDER, NAMES

from core.engines.logs.types.node_listing import SINFO, parse_node_listing
from core.files.findings import Findings

Jobs = dict[str, str]


@pytest.fixture(scope="module")
def jobs(cluster: Cluster) -> Jobs:
    """The id of each job, by its name or node; all have ended."""
    jobs = {
        node: cluster.submit(f"--nodelist={node}", script="srun sleep 4")
        for node in ("cpu2", "gpu2")
    }
    jobs |= {name: cluster.submit(f"--job-name={name}", script="true") for name in NAMES}
    cluster.wait_until_done()
    return jobs


def said_of(cluster: Cluster, job: str, columns: str) -> str:
    words = ("--noheader", "--parsable2", "--allocations", f"--format={columns}")
    return cluster.sacct(*words, f"--jobs={job}")


@pytest.mark.parametrize("node", [node for node in NODES if node.name in ("cpu2", "gpu2")])
def test_a_meter_counts_what_its_node_takes(cluster: Cluster, jobs: Jobs, node: Node) -> None:
    if not cluster.metered:
        pytest.skip("a process here may not have a /sys of its own")
    said = said_of(cluster, jobs[node.name], "ElapsedRaw,ConsumedEnergyRaw")
    seconds, joules = map(int, said.split("|"))
    assert abs(joules - node.watts * seconds) <= 2 * node.watts


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_text(cluster: Cluster, jobs: Jobs, name: str) -> None:
    said = said_of(cluster, jobs[name], "JobName")
    assert said == name.replace('"', "`")[:255] + "\n"
    assert not list(cluster.folder.rglob("pwned"))
    assert not Path("pwned").exists()


@pytest.mark.parametrize("words", [shlex.split(SINFO), ["scontrol", "show", "node"]])
def test_nodes_are_listed_as_they_are_read(cluster: Cluster, words: list[str]) -> None:
    nodes = parse_node_listing(cluster.run(*words).encode(), "", 100, Findings())
    assert sorted(nodes) == [node.name for node in NODES]
    assert {node.cores for node in nodes.values()} == {4}
    assert (nodes["cpu1"].gpus, nodes["gpu1"].gpus) == (0, 1)


def test_dumps_are_of_this_release() -> None:
    dump = json.loads((FOLDER / "dbv0.0.38.json").read_text(encoding="utf-8"))
    readme = (FOLDER / "README.md").read_text(encoding="utf-8")
    assert dump["meta"]["Slurm"]["release"] in readme


@pytest.mark.parametrize(
    "name", [name for name in DUMPS if name.endswith(".txt") and "no-header" not in name]
)
def test_dumps_are_laid_out_as_sacct_does(cluster: Cluster, name: str) -> None:
    recorded = (FOLDER / name).read_text(encoding="utf-8", errors="replace").splitlines()
    said = cluster.sacct(*DUMPS[name], **ENVIRONMENTS.get(name, {})).splitlines()
    assert said[0] == recorded[0]
