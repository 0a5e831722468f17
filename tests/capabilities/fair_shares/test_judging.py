"""`wattfront verify SYSTEM OUTCOME` reads back what `wattfront fair-shares -o` wrote, and finds
what is wrong with a file of whole tasks, with its place.
"""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from capabilities.fair_shares.bag_files import bags_in
from capabilities.fair_shares.made import made, random_bags

from core.capabilities.fair_shares.bags import ArrivingBags
from core.capabilities.fair_shares.judging import judged
from core.capabilities.fair_shares.tasks.machine_work import MachineWork
from core.capabilities.fair_shares.tasks.outcome import TaskOutcome
from core.capabilities.fair_shares.tasks.outcome_file import (
    scores_beside,
    system_beside,
    write_tasks,
)
from core.capabilities.fair_shares.tasks.policies import run_policy, task_policy_named
from core.capabilities.fair_shares.trials import published_scenario

Run = Callable[..., Any]
HEADER = "bag,machine_type,machine,sent (s),arrived (s),start (s),end (s)\n"
GOOD = (
    "T0,M0,1,0.0,1.0,1.0,3.0\n"
    "T0,M1,1,0.0,1.0,1.0,4.0\n"
    "T1,M0,1,1.0,3.0,3.0,7.0\n"
    "T1,M1,1,1.0,3.0,4.0,5.0\n"
)
"""Links carry 1 MB/s, and the master 2 MB/s. A machine holds 3 MB: one task of each bag, which has
1 or 2 MB. T1 is released at 1 s.
"""


def example() -> ArrivingBags:
    mega = 1e6
    return made(
        (2, 2),
        [[2, 4], [3, 1]],
        data=(mega, 2 * mega),
        release=(0, 1),
        links=mega,
        bandwidth=2 * mega,
        memory=3 * mega,
    )


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """The example as it is written, with its tasks as above."""
    rows = [line.split(",") for line in GOOD.splitlines()]
    bag, kind, machine = (np.array([int(row[c][-1]) for row in rows]) for c in range(3))
    times = np.array([row[3:] for row in rows], float).T
    write_tasks(
        TaskOutcome(example(), "by hand", bag, kind, machine - 1, *times), tmp_path / "run.csv"
    )
    assert (tmp_path / "run.csv").read_text(encoding="utf-8") == HEADER + GOOD
    return tmp_path / "run.csv"


def test_the_example_is_accepted(wattfront: Run, path: Path) -> None:
    said = wattfront("verify", system_beside(path), path, "--json")
    assert (said.status, said.err) == (0, "")
    # Alone, a bag is done at 5/6 or at 1 task a second: 2.4 s for T0; T1 has 2 s for each link.
    assert said.data == {
        "ok": True,
        "problems": [],
        "max_stretch": 6 / (2 / (1 / 4 + 1 / 2)),
        "sum_stretch": pytest.approx(6 * 0.75 / 2 + 4 * (1 / 2 + 1 / 3) / 2),
        "max_flow": 6.0,
        "sum_flow": 10.0,
        "makespan": 7.0,
        "tasks": 4,
        "policy": "by hand",
    }
    words = wattfront("verify", system_beside(path), path).out
    assert words.startswith(f"{path} is an outcome of {system_beside(path)}\n")
    assert "links and the master can carry all data in time" in words


FAULTS = {
    "a lost task": (
        *("T0,M0,1,0.0,1.0,1.0,3.0\n", ""),
        "run.csv: of T0, 1 task ran, of 2; give each task one row",
    ),
    "a task that runs twice": (
        "T1,M1,1,1.0,3.0,4.0,5.0\n",
        "T1,M1,1,1.0,3.0,4.0,5.0\nT1,M1,1,1.0,3.0,5.0,6.0\n",
        "run.csv: of T1, 3 tasks ran, of 2; give each task one row",
    ),
    "an unknown bag": (
        *("T1,M1,1,1.0", "T7,M1,1,1.0"),
        "run.csv, row line 5, column bag: 'T7' is not a bag of the system; correct the name",
    ),
    "an unknown machine type": (
        *("T1,M1,1,1.0", "T1,Mx,1,1.0"),
        "row line 5, column machine_type: 'Mx' is not a machine type of the system; correct the",
    ),
    "an unknown machine": (
        *("T1,M1,1,1.0", "T1,M1,2,1.0"),
        "row line 5, column machine: there is no machine 2; the type has machines 1 to 1",
    ),
    "a time that is no number": (
        *("3.0,4.0,5.0", "3.0,soon,5.0"),
        "row line 5, column start: 'soon' is not a number",
    ),
    "an early sending": (
        *("T1,M0,1,1.0", "T1,M0,1,0.5"),
        "row line 4, column sent: a task of T1 is sent before its release; correct the row",
    ),
    "an early start": (
        *("1.0,1.0,3.0", "1.0,0.5,2.5"),
        "row line 2, column start: a task of T0 starts before its data have arrived",
    ),
    "another duration": (
        *("3.0,4.0,5.0", "3.0,4.0,5.5"),
        "row line 5, column end: a task of T1 takes another time than it should",
    ),
    "two at a time": (
        *("3.0,4.0,5.0", "3.0,3.5,4.5"),
        "row line 5, column start: a machine of M1 runs two tasks at a time",
    ),
    "a link that is too fast": (
        *("T1,M1,1,1.0,3.0", "T1,M1,1,1.0,2.9"),
        "row line 5, column arrived: data arrive faster than the link of M1 can carry them",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found_at_its_place(wattfront: Run, path: Path, fault: str) -> None:
    good, bad, said = FAULTS[fault]
    text = path.read_text(encoding="utf-8")
    assert text.count(good) == 1
    path.write_text(text.replace(good, bad), encoding="utf-8")
    refused = wattfront("verify", system_beside(path), path, "--json")
    assert refused.status == 2
    assert refused.data["ok"] is False
    assert said in refused.err
    assert len(refused.data["problems"]) == 1


def test_too_little_memory_and_bandwidth(wattfront: Run, path: Path) -> None:
    """The same tasks where machines hold 2 MB, and where the master sends 1.9 MB/s."""
    tight = path.parent / "tight"
    shutil.unpack_archive(system_beside(path), tight)
    for name, good, bad, said in (
        (
            *("machines.csv", ",3.0", ",2.0"),
            "row line 4, column sent: a machine of M0 holds more than its memory",
        ),
        (
            *("network.toml", "2.0", "1.9"),
            "row line 3, column arrived: the master or a link sends more than its bandwidth",
        ),
    ):
        text = (tight / name).read_text(encoding="utf-8")
        assert good in text
        (tight / name).write_text(text.replace(good, bad), encoding="utf-8")
        refused = wattfront("verify", tight, path)
        assert refused.status == 2
        assert said in refused.err
        (tight / name).write_text(text, encoding="utf-8")


def test_a_missing_column_is_named(wattfront: Run, path: Path) -> None:
    for title in HEADER.strip().split(","):
        titles = ["x" if each == title else each for each in HEADER.strip().split(",")]
        path.write_text(",".join(titles) + "\n" + GOOD, encoding="utf-8")
        refused = wattfront("verify", system_beside(path), path)
        assert refused.status == 2
        name = title.removesuffix(" (s)")
        assert f"column {name} is missing; let the header be bag,machine_type," in refused.err


def test_scores_follow_from_the_tasks(wattfront: Run, path: Path) -> None:
    beside = scores_beside(path)
    text = beside.read_text(encoding="utf-8")
    beside.write_text(text.replace("max_flow = 6.0", "max_flow = 5.9"), encoding="utf-8")
    refused = wattfront("verify", system_beside(path), path)
    assert refused.status == 2
    assert "run.toml, column max_flow: is 5.9, but should be 6; correct it" in refused.err
    beside.unlink()
    assert wattfront("verify", system_beside(path), path, "--json").data["policy"] is None


@pytest.mark.parametrize("policy", ["fifo-rr", "cbs3m-edf-online", "mwma-ms"])
def test_what_is_written_reads_back(tmp_path: Path, policy: str) -> None:
    bags = [published_scenario(3, 5, 4), *(random_bags(seed) for seed in range(3))]
    for number, one in enumerate(bags):
        path = tmp_path / f"{number}.csv"
        memory = np.maximum(one.network.memory, one.data.max())
        one = replace(one, network=replace(one.network, memory=memory))
        outcome = run_policy(MachineWork.of(one), task_policy_named(policy))
        write_tasks(outcome, path)
        answer = judged(system_beside(path), path)
        assert answer is not None
        assert answer.problems == ()
        for name, score in outcome.scores.as_dict().items():
            assert answer.data[name] == pytest.approx(score, rel=1e-12)


def test_the_flags_of_the_network_are_beside(wattfront: Run, tmp_path: Path) -> None:
    """Judged by the slower network, the outcome is refused; by what lies beside it, accepted."""
    folder, path = bags_in(tmp_path / "bags"), tmp_path / "x.csv"
    wattfront("fair-shares", folder, "--policy", "fifo-dd", "--bandwidth", 4, "-o", path)
    assert wattfront("verify", system_beside(path), path).status == 0
    assert "sends more than its bandwidth" in wattfront("verify", folder, path).err


def test_a_schedule_is_no_outcome(tmp_path: Path) -> None:
    schedule = tmp_path / "schedule.csv"
    schedule.write_text(
        "machine_type,machine,task_type,count,start (s),end (s)\n", encoding="utf-8"
    )
    assert judged(bags_in(tmp_path / "bags"), schedule) is None
    assert judged(bags_in(tmp_path / "bags"), tmp_path / "nothing.csv") is None
