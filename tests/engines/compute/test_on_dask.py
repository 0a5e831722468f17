"""A real scheduler and workers as processes: some are killed in the middle, nothing is lost."""

import json
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest
import tasks
from patience import PATIENCE

from core import load_sample
from core.capabilities.sweep.axes import read_axis
from core.capabilities.sweep.question import SweepQuestion
from core.capabilities.sweep.run import PREPARATION, compute_runs
from core.engines.compute.executors import EngineRefused, InThisThread, OnDask, engine_named
from core.engines.compute.many import run_many

pytest.importorskip("distributed")

NUMBERS = range(60)
TESTS = Path(__file__).parents[2]
WORKERS = 3


class Cluster:
    """A scheduler and its workers."""

    def __init__(self, folder):
        self.file = folder / "scheduler.json"
        self._environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
        self._folder = folder
        self._scheduler = self._begun("dask_scheduler", "--port", "0", "--no-dashboard")
        until = time.monotonic() + PATIENCE
        while not self._is_written() and time.monotonic() < until:
            time.sleep(0.02)
        self.address: str = json.loads(self.file.read_text())["address"]
        self.workers = [self._worker() for _ in range(WORKERS)]

    def _is_written(self):
        """Whether the file of the scheduler is whole: it is there before its content is."""
        return self.file.exists() and self.file.read_text().rstrip().endswith("}")

    def _worker(self):
        return self._begun(
            "dask_worker", "--no-nanny", "--no-dashboard", "--nthreads", "1",
            "--local-directory", str(self._folder),
        )  # fmt: skip

    def _begun(self, module, *words):
        return subprocess.Popen(
            [
                *(sys.executable, "-m", f"distributed.cli.{module}"),
                *("--scheduler-file", str(self.file), "--host", "127.0.0.1", *words),
            ],
            env=self._environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def end(self):
        for process in (*self.workers, self._scheduler):
            process.kill()
            process.wait()

    def end_scheduler(self):
        self._scheduler.kill()
        self._scheduler.wait()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    cluster = Cluster(tmp_path_factory.mktemp("dask"))
    yield cluster
    cluster.end()


def alive(cluster):
    return [worker for worker in cluster.workers if worker.poll() is None]


def kill(worker):
    os.kill(worker.pid, signal.SIGKILL)
    worker.wait()


@pytest.mark.thorough
def test_a_sweep_with_a_killed_worker_writes_the_same_bytes(cluster, tmp_path):
    question = SweepQuestion(load_sample("nine"), (read_axis("idle=0:1:0.005"),))
    here, there = tmp_path / "here.parquet", tmp_path / "there.parquet"
    compute_runs(question, InThisThread(), here)
    killed_at = []

    def kill_one(progress):
        if not killed_at:
            killed_at.append(progress.done)
            kill(cluster.workers[-1])

    with engine_named(cluster.address, PREPARATION) as engine:
        engine._client.wait_for_workers(WORKERS, PATIENCE)
        assert compute_runs(question, engine, there, report=kill_one).complete
    assert 1 <= killed_at[0] < question.runs, "in the middle"
    assert here.read_bytes() == there.read_bytes()


@pytest.mark.thorough
def test_a_killed_worker_loses_nothing_and_a_lost_scheduler_is_said(cluster, tmp_path, monkeypatch):
    """One test, because a cluster takes seconds to begin."""
    here = dict(pair for chunk in run_many(tasks.square, NUMBERS, InThisThread()) for pair in chunk)
    with OnDask(cluster.address) as engine:
        engine._client.wait_for_workers(len(alive(cluster)), PATIENCE)
        found = {}
        function = partial(tasks.logged_square, str(tmp_path / "log"))
        for chunk in run_many(function, NUMBERS, engine):
            assert not set(dict(chunk)) & set(found), "no run comes twice"
            found.update(chunk)
            if len(found) >= 5 and cluster.workers[0].poll() is None:
                kill(cluster.workers[0])
        assert found == here
        monkeypatch.setattr("core.engines.compute.executors._CONNECT_SECONDS", 1)
        again = {}
        chunks = run_many(function, NUMBERS, engine)
        again.update(next(chunks))
        cluster.end_scheduler()
        with pytest.raises(EngineRefused, match="does not answer"):
            again.update(pair for chunk in chunks for pair in chunk)
        assert 1 <= len(again) < len(NUMBERS), "what was done came"


def test_an_address_where_nobody_answers_is_refused_at_once(monkeypatch):
    monkeypatch.setattr("core.engines.compute.executors._CONNECT_SECONDS", 0.2)
    with pytest.raises(EngineRefused, match=r"tcp://127.0.0.1:9 does not answer"):
        OnDask("tcp://127.0.0.1:9")


def test_without_dask_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(EngineRefused, match=r"pip install 'wattfront\[dask\]'"):
        OnDask("tcp://127.0.0.1:9")
