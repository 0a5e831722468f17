"""What the runs of a log asked for on a node is kept by type: least, most, and partition."""

from log_stores import dump, store_of

from core.engines.logs.derived.beside import requests_in
from core.engines.logs.derived.derivation import derive
from core.engines.logs.types.node_table import Machine, NodeTable
from core.engines.logs.types.settings import RunSettings
from core.vocabulary.requests import LogRequests, Request

SETTINGS = RunSettings(task_type="name", machine_type="partition", machine="node", rare_below=1)
BY_NODE = RunSettings(task_type="name", machine_type="one", machine="node", rare_below=1)


def requests_of(*rows: dict[str, object], settings: RunSettings = SETTINGS) -> LogRequests | None:
    table = NodeTable({"cpu": Machine(cores=64, memory_gib=256)})
    with store_of(dump(*rows)) as store:
        return requests_in(derive(store, settings, table), store)


def test_it_is_the_least_and_the_most_of_any_used_run_on_one_node() -> None:
    """Cores and GPUs are what was requested, not all that a run was given."""
    found = requests_of(
        {"JobName": "a", "ReqTRES": "billing=8,cpu=8,mem=32G,node=1", "Timelimit": "02:00:00"},
        {"JobName": "a", "ReqTRES": "cpu=32,gres/gpu=2", "NNodes": 2, "Timelimit": "01:00:00"},
        {"JobName": "a", "ReqTRES": "cpu=60", "State": "FAILED", "Timelimit": "9-00:00:00"},
    )
    assert found is not None
    least, most = found.least["a"], found.most["a"]
    assert (least.cores, least.gpus) == (8, 0)
    assert (most.cores, most.gpus, most.seconds, most.nodes) == (16, 1, 7200.0, 2)
    assert found.nodes["cpu"] == Request(64, 1, 256 * 1024)
    assert found.partitions == {"cpu": "cpu"}


def test_without_a_limit_a_run_counts_with_twice_what_it_took() -> None:
    found = requests_of({"Elapsed": "01:00:00"}, {"Elapsed": "03:00:00"})
    assert found is not None
    assert found.most["job"].seconds == 6 * 3600


def test_the_partition_is_that_of_most_runs() -> None:
    nodes = [{"Partition": name, "AllocCPUS": 8} for name in ("b", "a", "a")]
    found = requests_of(*nodes, settings=BY_NODE)
    assert found is not None
    assert [*found.partitions.values()] == ["a"]


def test_cores_as_machines_request_nothing() -> None:
    assert requests_of({}, settings=RunSettings(machine="core", rare_below=1)) is None
