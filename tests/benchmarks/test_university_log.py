"""The sample log is drawn again byte for byte, and looks like the log of a cluster."""

import gzip
from collections import Counter
from datetime import datetime
from pathlib import Path

import pytest

from benchmarks.university_log import (
    APPLICATIONS,
    KINDS,
    NAME,
    node_table,
    university_log,
    write,
)
from core.engines.logs.reading.sacct import SACCT
from core.files.samples.named import LOGS, load_sample, log_folder, sample_data
from core.shells.studies.seen import seen_in_sample


@pytest.fixture(scope="module")
def jobs() -> list[dict[str, str]]:
    """The rows of jobs, without steps, by title."""
    text = gzip.decompress((log_folder("university") / "jobs.txt.gz").read_bytes()).decode()
    titles, *rows = (line.split("|") for line in text.splitlines())
    every = [dict(zip(titles, row, strict=True)) for row in rows]
    return [row for row in every if "." not in row["JobID"]]


def test_drawing_it_again_gives_the_committed_files(tmp_path: Path) -> None:
    write(tmp_path)
    written = {path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file()}
    assert len(written) == 8
    for name in written:
        again, before = ((folder / name).read_bytes() for folder in (tmp_path, sample_data()))
        if name.suffix == ".gz":  # the compressed bytes depend on the version of zlib
            again, before = gzip.decompress(again), gzip.decompress(before)
        assert again == before, name
    assert LOGS == (NAME,)


def test_what_the_log_says_beside_its_system_is_of_its_types() -> None:
    """The system that opens first: two weeks of jobs, with idle powers."""
    system, seen = load_sample(NAME), seen_in_sample(NAME)
    assert seen is not None
    assert seen.arrivals is not None
    assert seen.node_use is not None
    assert seen.placement is not None
    assert seen.placement.counts.sum(axis=1).tolist() == system.task_counts.tolist()
    assert seen.arrivals.names == system.task_names
    assert 13 < seen.arrivals.days < 15
    assert seen.arrivals.rates.sum() * seen.arrivals.days == pytest.approx(system.tasks, rel=0.05)
    assert seen.node_use.names == system.machine_names
    assert seen.node_use.nodes.tolist() == system.machine_counts.tolist()
    assert all(machine.idle_power for machine in system.machine_types)
    assert seen_in_sample("nine").is_nothing


def test_it_is_small_and_as_the_command_would_say_it(jobs: list[dict[str, str]]) -> None:
    assert (log_folder("university") / "jobs.txt.gz").stat().st_size < 200_000
    assert list(jobs[0]) == SACCT.rpartition("--format=")[2].split(",")
    assert len(jobs) == 4000
    assert university_log(50) == university_log(50) != university_log(50, seed=8)


def test_jobs_fit_their_nodes_at_any_time(jobs: list[dict[str, str]]) -> None:
    changes: dict[str, list[tuple[str, int, int]]] = {}
    for job in jobs:
        application = next(name for name in APPLICATIONS if job["JobName"].startswith(name))
        gpus = APPLICATIONS[application].gpus
        node = changes.setdefault(job["NodeList"], [])
        node.append((job["Start"], int(job["AllocCPUS"]), gpus))
        node.append((job["End"], -int(job["AllocCPUS"]), -gpus))
    assert len(changes) <= sum(kind.nodes for kind in KINDS.values())
    for name, events in changes.items():
        kind = KINDS[name.rstrip("0123456789")]
        cores = gpus = 0
        # A job starts a few seconds after there was room; those that end first go first.
        for _, more, cards in sorted(events):
            cores, gpus = cores + more, gpus + cards
            assert cores <= kind.cores
            assert gpus <= kind.gpus


def test_days_and_weeks_have_seasons_and_some_jobs_fail(jobs: list[dict[str, str]]) -> None:
    moments = [datetime.fromisoformat(job["Submit"]) for job in jobs]
    by_day = Counter(moment.weekday() for moment in moments)
    by_hour = Counter(moment.hour for moment in moments)
    assert min(by_day[day] for day in range(5)) > 1.5 * max(by_day[5], by_day[6])
    assert sum(by_hour[hour] for hour in range(9, 18)) > 5 * sum(by_hour[hour] for hour in range(6))
    ends = Counter(job["State"].split()[0] for job in jobs)
    assert ends["COMPLETED"] > 0.85 * len(jobs)
    assert len(ends) == 6
    assert all(job["Submit"] <= job["Start"] <= job["End"] for job in jobs)
    assert any("_" in job["JobID"] for job in jobs)


def test_people_are_of_a_group_and_some_jobs_need_other_rights(jobs: list[dict[str, str]]) -> None:
    groups = {(job["User"], job["Account"]) for job in jobs}
    assert len(groups) == len({user for user, _ in groups})
    assert set(Counter(group for _, group in groups).values()) == {6}
    assert {job["QOS"] for job in jobs} == {"normal", "long", "interactive"}


def test_the_table_has_idle_watts_of_every_kind() -> None:
    rows = node_table().splitlines()
    assert rows[0].endswith("idle_watts")
    assert [row.split(",")[1] for row in rows[1:]] == [kind.title for kind in KINDS.values()]
