"""A real Slurm runs jobs as they ask, and `sacct` says what became of them."""

import json
from itertools import pairwise
from pathlib import Path

import pytest
from slurm.cluster import ONCE_MORE, Cluster
from slurm.configuration import NODES
from slurm.record_dumps import DUMPS, ENVIRONMENTS, FOLDER, NAMES

Jobs = dict[str, str]


@pytest.fixture(scope="module")
def jobs(cluster: Cluster) -> Jobs:
    """The id of each job, by what it is for; all have ended."""
    submit = cluster.submit
    jobs = {
        "long": submit("--nodelist=cpu2", script="srun sleep 4"),
        "hungry": submit("--nodelist=gpu2", script="srun sleep 4"),
        "again": submit("--requeue", script=ONCE_MORE),
        "cancelled": submit(script="sleep 600"),
        "array": submit("--array=0-2%1", "--nodelist=cpu1", "--exclusive"),
        "named": submit("--nodelist=cpu3"),
        "with a feature": submit("--constraint=gpu"),
        "with a gpu": submit("--gpus=1"),
        "wide": submit("--nodes=2-2", "--constraint=gpu"),
        "parts": submit("--constraint=cpu", ":", "--constraint=gpu"),
        "status": submit(script="exit 3"),
    }
    jobs["after"] = submit(f"--dependency=afterany:{jobs['status']}")
    jobs["never"] = submit(f"--dependency=afterok:{jobs['status']}")
    for name in NAMES:
        jobs[name] = submit(f"--job-name={name}", script="true")
    for job in (jobs["again"], jobs["cancelled"]):
        cluster.wait_until("RUNNING", job)
    cluster.requeue(jobs["again"])
    cluster.wait_until("FAILED", jobs["status"])
    cluster.run("scancel", jobs["cancelled"], jobs["never"])
    cluster.wait_until_done()
    return jobs


def rows(cluster: Cluster, columns: str, job: str, *arguments: str) -> list[list[str]]:
    """Of the job, its tasks or parts; not of its steps."""
    words = ("--noheader", "--parsable2", "--allocations", f"--format={columns}", f"--jobs={job}")
    return [line.split("|") for line in cluster.sacct(*words, *arguments).splitlines()]


class TestNodes:
    @pytest.mark.parametrize(
        ("job", "nodes"),
        [
            ("named", {"cpu3"}),
            ("with a feature", {"gpu1", "gpu2"}),
            ("with a gpu", {"gpu1", "gpu2"}),
            ("wide", {"gpu[1-2]"}),
        ],
    )
    def test_a_job_runs_where_it_asks(
        self, cluster: Cluster, jobs: Jobs, job: str, nodes: set[str]
    ) -> None:
        [[state, node]] = rows(cluster, "State,NodeList", jobs[job])
        assert state == "COMPLETED"
        assert node in nodes

    def test_parts_of_a_job_run_on_nodes_of_their_own(self, cluster: Cluster, jobs: Jobs) -> None:
        first, second = rows(cluster, "JobID,NodeList", jobs["parts"])
        assert [first[0], second[0]] == [f"{jobs['parts']}+0", f"{jobs['parts']}+1"]
        assert [first[1][:3], second[1][:3]] == ["cpu", "gpu"]

    def test_a_meter_counts_what_its_node_takes(self, cluster: Cluster, jobs: Jobs) -> None:
        if not cluster.metered:
            pytest.skip("a process here may not have a /sys of its own")
        watts = {node.name: node.watts for node in NODES}
        for job in ("long", "hungry"):
            [[node, seconds, joules]] = rows(
                cluster, "NodeList,ElapsedRaw,ConsumedEnergyRaw", jobs[job]
            )
            assert abs(int(joules) - watts[node] * int(seconds)) <= 2 * watts[node]


class TestOrder:
    def test_an_array_with_a_throttle_runs_one_task_at_a_time(
        self, cluster: Cluster, jobs: Jobs
    ) -> None:
        tasks = rows(cluster, "JobID,Start,End,NodeList", jobs["array"])
        assert [task[0] for task in tasks] == [f"{jobs['array']}_{index}" for index in range(3)]
        assert all(before[2] <= after[1] for before, after in pairwise(tasks))
        assert {task[3] for task in tasks} == {"cpu1"}

    def test_a_job_that_depends_on_another_starts_after_it(
        self, cluster: Cluster, jobs: Jobs
    ) -> None:
        [[end]] = rows(cluster, "End", jobs["status"])
        [[start, state]] = rows(cluster, "Start,State", jobs["after"])
        assert end <= start
        assert state == "COMPLETED"

    def test_what_depends_on_the_success_of_a_failure_never_runs(
        self, cluster: Cluster, jobs: Jobs
    ) -> None:
        [[nodes, state]] = rows(cluster, "NodeList,State", jobs["never"])
        assert nodes == "None assigned"
        assert state.startswith("CANCELLED by ")


class TestStates:
    def test_a_status_is_kept(self, cluster: Cluster, jobs: Jobs) -> None:
        assert rows(cluster, "State,ExitCode", jobs["status"]) == [["FAILED", "3:0"]]

    def test_who_cancelled_is_kept(self, cluster: Cluster, jobs: Jobs) -> None:
        [[state]] = rows(cluster, "State", jobs["cancelled"])
        assert state.startswith("CANCELLED by ")

    def test_a_job_that_ran_again_has_two_records(self, cluster: Cluster, jobs: Jobs) -> None:
        found = rows(cluster, "State", jobs["again"], "--duplicates")
        assert found == [["REQUEUED"], ["COMPLETED"]]
        assert rows(cluster, "State", jobs["again"]) == [["COMPLETED"]]


class TestNames:
    @pytest.mark.parametrize("name", NAMES)
    def test_a_name_is_text(self, cluster: Cluster, jobs: Jobs, name: str) -> None:
        said = cluster.sacct(
            *("--noheader", "--parsable2", "--allocations", "--format=JobName"),
            f"--jobs={jobs[name]}",
        )
        assert said == name.replace('"', "`")[:255] + "\n"

    def test_no_name_was_a_command(self, cluster: Cluster, jobs: Jobs) -> None:
        assert not list(cluster.folder.rglob("pwned"))
        assert not Path("pwned").exists()


class TestDumps:
    def test_they_are_of_this_release(self, cluster: Cluster) -> None:
        dump = json.loads((FOLDER / "dbv0.0.38.json").read_text(encoding="utf-8"))
        assert dump["meta"]["Slurm"]["release"] in (FOLDER / "README.md").read_text(
            encoding="utf-8"
        )

    @pytest.mark.parametrize("name", [name for name in DUMPS if name.endswith(".txt")])
    def test_they_are_laid_out_as_sacct_does(self, cluster: Cluster, jobs: Jobs, name: str) -> None:
        recorded = (FOLDER / name).read_text(encoding="utf-8", errors="replace").splitlines()
        said = cluster.sacct(*DUMPS[name], **ENVIRONMENTS.get(name, {})).splitlines()
        if "no-header" not in name:
            assert said[0] == recorded[0]
