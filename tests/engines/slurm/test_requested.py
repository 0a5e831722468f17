"""Tasks request what jobs of a log asked for, so that they run; what cannot run is said."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.engines.slurm.foreseen import foreseen
from core.engines.slurm.job_arrays import job_arrays_of
from core.engines.slurm.requested import Requested
from core.engines.slurm.scripts import script_files
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.requests import NOTHING_REQUESTED, ON_A_NODE, LogRequests, Request
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System

SYSTEM = System(
    (TaskType("T", 2),), (MachineType("cn", 1), MachineType("gv", 1)), np.array([[60.0, 30.0]])
)
SCHEDULE = Schedule(SYSTEM, np.array([0, 1]), np.array([1, 1]), np.array([[1], [1]]))
ARRAYS = job_arrays_of(SCHEDULE.blocks(), SYSTEM, 1001)


def asked(least: Request, most: Request, typed: dict[str, float] | None = None) -> Requested:
    nodes = {"cn": Request(16, 0, 1024.0), "gv": Request(64, 2, 0.0)}
    log = LogRequests({"T": least}, {"T": most}, nodes, {})
    return Requested(SYSTEM, log, {0: typed or {}})


def lines(requested: Requested, path: str) -> str:
    return "".join(script_files(ARRAYS, None, None, requested)[path])


def test_each_machine_type_gets_as_much_as_it_has() -> None:
    found = asked(Request(8), Request(32, 1, 2000.5, 7200.0))
    assert found.options(0, 0) == ("--cpus-per-task=16", "--mem=1024M")
    assert found.options(0, 1) == ("--cpus-per-task=32", "--gres=gpu:1", "--mem=2001M")
    assert not [*found.lacking(ARRAYS)]
    submitted = lines(found, "submit.sh")
    assert "--cpus-per-task=16 --mem=1024M tasks/1-T.sh 0 cn-1 60.0" in submitted
    assert "--cpus-per-task=32 --gres=gpu:1 --mem=2001M tasks/1-T.sh" in submitted


@pytest.mark.parametrize(
    ("seconds", "typed", "minutes"),
    [(0.0, {}, 7), (420.0, {}, 7), (421.0, {}, 8), (7200.0, {"seconds": 180.0}, 3)],
)
def test_the_limit_is_the_longer_of_the_logs_and_the_planned_one(
    seconds: float, typed: dict[str, float], minutes: int
) -> None:
    """Twice 60 s and 5 min are 7 min; what a person types stands as it is."""
    script = lines(asked(Request(), Request(seconds=seconds), typed), "tasks/1-T.sh")
    assert f"#SBATCH --time={minutes}\n" in script


def test_what_nobody_read_in_a_log_is_not_said_to_be_of_one() -> None:
    typed = NOTHING_REQUESTED.with_typed({"T": {"seconds": 60.0}})
    said = lines(Requested(SYSTEM, typed), "tasks/1-T.sh")
    assert "or that of the study if it is longer" in said
    assert "of the log" in lines(asked(Request(), Request()), "tasks/1-T.sh")
    assert "if it is longer" not in lines(Requested(SYSTEM), "tasks/1-T.sh")


@pytest.mark.parametrize(
    ("least", "typed", "said"),
    [
        (Request(17), {}, ["tasks of T need 17 cores, and a node of cn has 16 cores"]),
        (Request(16), {}, []),
        (Request(gpus=1), {}, ["tasks of T need 1 GPU, and a node of cn has 0 GPUs"]),
        (Request(gpus=1), {"gpus": 0.0}, []),
        (Request(memory=1025.0), {}, ["tasks of T need 1.001 GiB, and a node of cn has 1 GiB"]),
        (Request(), {"cores": 16.0}, []),
        (Request(nodes=2), {"nodes": 1.0}, []),
        (Request(), {"nodes": 2.0}, ["tasks of T need 2 nodes, and cn has 1 node", "tasks of T"]),
        (Request(), {"cores": 65.0}, ["tasks of T need 65 cores, and"] * 2),
    ],
)
def test_what_no_node_has_is_said(least: Request, typed: dict[str, float], said: list[str]) -> None:
    found = [*asked(least, least, typed).lacking(ARRAYS)]
    assert len(found) == len(said)
    assert all(one.startswith(begin) for one, begin in zip(found, said, strict=True))


def test_jobs_on_several_nodes_get_as_many_where_there_are_so_many() -> None:
    """Of three nodes cn and one gv: tasks request two nodes, and what is planned on one is said."""
    system = System(SYSTEM.task_types, (MachineType("cn", 3), MachineType("gv", 1)), SYSTEM.etc)
    nodes = {"cn": Request(16), "gv": Request(64)}
    log = LogRequests({"T": Request(nodes=1)}, {"T": Request(8, nodes=2)}, nodes, {})
    found = Requested(system, log)
    assert found.options(0, 0) == ("--cpus-per-task=8", "--nodes=2", "--ntasks=2")
    assert found.options(0, 1) == ("--cpus-per-task=8",)
    assert not [*found.lacking(ARRAYS)]
    least = replace(found, log=replace(log, least=log.most))
    assert [*least.lacking(ARRAYS)] == ["tasks of T need 2 nodes, and gv has 1 node"]
    said = [one.message for one in foreseen(ARRAYS, None, None, found)]
    assert any(one.startswith("tasks of T request 2 nodes at once, and the sched") for one in said)
    assert not [*replace(found, typed={0: {"nodes": 1.0}}).apart(ARRAYS)]


AMOUNT = st.integers(0, 100)
REQUESTS = st.builds(Request, AMOUNT, AMOUNT, AMOUNT.map(float))


@given(REQUESTS, REQUESTS)
def test_unless_something_lacks_each_task_gets_what_some_run_had(
    one: Request, two: Request
) -> None:
    least, most = (
        Request(*(end(getattr(one, name), getattr(two, name)) for name in ON_A_NODE))
        for end in (min, max)
    )
    found = asked(least, most)
    if not [*found.lacking(ARRAYS)]:
        for kind in (0, 1):
            gets = found.of(0, kind)
            assert all(getattr(least, n) <= getattr(gets, n) for n in ON_A_NODE if n != "memory")
            assert all(getattr(gets, n) <= getattr(most, n) for n in ON_A_NODE)
