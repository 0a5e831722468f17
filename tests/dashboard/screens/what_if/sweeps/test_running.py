"""A sweep of a page computes each run once, keeps what is done when it is stopped, and goes on."""

from contextlib import contextmanager

import pytest

from core.capabilities.sweep.axes import read_axis
from core.capabilities.sweep.question import SweepQuestion
from core.capabilities.sweep.run import computed_run
from core.engines.compute.executors import InThisThread
from core.engines.compute.task import Lost
from dashboard.screens.what_if.sweeps import running
from dashboard.screens.what_if.sweeps.running import (
    AskedSweep,
    SweepSoFar,
    is_cluster,
    sweeping,
    tried_seconds,
)
from dashboard.workspace.workspace import begin


class ThisThread:
    """A job that computes at once. It is asked to stop after so many tasks; the tasks in `dying`
    lose their process.
    """

    def __init__(self, tasks=1_000, dying=()):
        self.done, self.most, self.dying = 0, tasks, dying
        self.shown: list[SweepSoFar] = []
        self.doing: list[tuple[str, float, float]] = []

    def begin(self, doing, allowed=0.0, spent=0.0):
        self.doing.append((doing, allowed, spent))

    def show(self, value):
        self.shown.append(value)

    def should_stop(self):
        return self.done >= self.most

    @contextmanager
    def turn(self):
        yield self

    def compute(self, task):
        self.done += 1
        if self.done in self.dying:
            raise Lost("died")
        return task.run(lambda: False, lambda _: None)


@pytest.fixture(scope="module")
def question(two_by_two):
    return SweepQuestion(two_by_two(), (read_axis("idle=0:1:0.25"), read_axis("machines.A=0:2")))


@pytest.fixture(scope="module")
def rows(question):
    return {run: computed_run(question, run) for run in range(question.runs)}


def asked(question, rows=None):
    return AskedSweep(question, begin("two-by-two"), 1, rows or {})


def ran(asked, job, engine="here"):
    sweeping(asked, engine)(job)
    return job.shown[-1]


def test_each_run_has_its_row(question, rows):
    job = ThisThread()
    assert ran(asked(question), job).rows == rows
    assert job.shown[0].rows == {}
    assert job.doing[-1][0] == "15 of 15 runs"


def test_a_stopped_one_goes_on_with_what_is_left(question, rows):
    stopped = ran(asked(question), ThisThread(3))
    assert 0 < len(stopped.rows) < 15
    job = ThisThread()
    more = ran(asked(question, stopped.rows), job)
    assert more.rows == rows
    assert job.shown[0].rows == stopped.rows, "what was there is shown at once"
    assert job.doing[1][0].startswith(f"{len(stopped.rows) + 1} of 15 runs")


def test_a_lost_process_loses_no_run(question, rows):
    found = ran(asked(question), ThisThread(dying=(1, 3)))
    assert found.rows == rows
    assert found.failed == ()


def test_runs_that_fail_are_named(question, rows):
    found = ran(asked(question), ThisThread(dying=tuple(range(1, 1_000))))
    assert found.rows == {}
    assert len(found.failed) == 15
    assert found.failed[0].why == "Lost: died"


def test_only_the_address_of_a_scheduler_is_another_engine(question, rows, monkeypatch):
    named = []

    def engine(name, preparation):
        named.append(name)
        return InThisThread()

    monkeypatch.setattr(running, "engine_named", engine)
    for name in ("here", "processes:2", "tcp://host:8786"):
        job = ThisThread()
        assert ran(asked(question), job, name).rows == rows
        assert (job.done == 0) == is_cluster(name)
    assert named == ["tcp://host:8786"]


def test_a_run_takes_time(question):
    assert 0 < tried_seconds(question) < 60
