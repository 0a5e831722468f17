"""Every run is computed once, whatever the engine; who is lost is replaced, who fails is named."""

from functools import partial

import pytest
import tasks

from core.engines.compute import many
from core.engines.compute.executors import (
    EngineRefused,
    InProcesses,
    InThisThread,
    check_engine,
    engine_named,
)
from core.engines.compute.many import FailedRun, RunsFailed, run_many

NUMBERS = range(40)
SQUARES = {number: number**2 for number in NUMBERS}


@pytest.fixture(scope="module")
def processes():
    with InProcesses(2, "tasks") as engine:
        yield engine


def results(function, inputs, engine, **settings):
    """Inputs with results, each of which came once."""
    pairs = [pair for chunk in run_many(function, inputs, engine, **settings) for pair in chunk]
    assert len(dict(pairs)) == len(pairs)
    return dict(pairs)


def results_and_failures(function, engine):
    """What came before it was said that some failed, and which failed."""
    found, chunks = {}, run_many(function, NUMBERS, engine)
    try:
        for chunk in chunks:
            found.update(chunk)
    except RunsFailed as failure:
        return found, failure.runs
    return found, ()


def test_here_and_in_processes_results_are_the_same(processes):
    assert results(tasks.square, NUMBERS, InThisThread()) == SQUARES
    assert results(tasks.square, NUMBERS, processes) == SQUARES


def test_no_runs_are_no_work():
    assert results(tasks.square, [], InThisThread()) == {}


def test_a_process_that_dies_loses_nothing(processes, tmp_path):
    function = partial(tasks.square_or_die_once, str(tmp_path))
    assert results(function, NUMBERS, processes) == SQUARES
    assert (tmp_path / "died").exists()


def test_a_run_that_always_kills_its_process_is_named(processes):
    found, failed = results_and_failures(tasks.square_or_die, processes)
    assert found == {number: square for number, square in SQUARES.items() if number != 3}
    assert [one.input for one in failed] == [3]
    assert "Lost" in failed[0].why


def test_a_run_that_raises_is_tried_three_times_and_named():
    tried = []

    def raising(number):
        tried.append(number)
        return tasks.square_or_fail(number)

    found, failed = results_and_failures(raising, InThisThread())
    assert failed == (FailedRun(3, "ValueError: three"),)
    assert len(found) == len(NUMBERS) - 1
    assert tried.count(3) in (3, 4), "three times alone, and perhaps with others before"


def test_where_everything_fails_not_everything_is_tried():
    tried = []

    def failing(number):
        tried.append(number)
        raise ValueError("all")

    with pytest.raises(RunsFailed) as failure:
        list(run_many(failing, range(1000), InThisThread()))
    assert len(failure.value.runs) == many.MOST_FAILED
    assert len(tried) < 200


def test_after_a_request_to_stop_nothing_else_comes():
    found = {}
    chunks = run_many(tasks.square, NUMBERS, InThisThread(), should_stop=lambda: len(found) >= 3)
    for chunk in chunks:
        found.update(chunk)
    assert 3 <= len(found) < len(NUMBERS)
    assert all(SQUARES[number] == square for number, square in found.items())


def test_progress_counts_runs_and_says_what_is_left():
    told = []
    results(tasks.slow_square, range(10), InThisThread(), report=told.append)
    assert [one.all for one in told] == [10] * len(told)
    assert told[0].left is None, "the first result may be late"
    assert told[-1].done == 10
    assert told[-1].left == 0
    done = [one.done for one in told]
    assert done == sorted(set(done))


def test_short_runs_are_computed_in_few_chunks():
    chunks = list(run_many(tasks.square, range(10_000), InThisThread()))
    assert len(chunks) < 100
    assert len(chunks[0]) == 1, "the first says how long one takes"


@pytest.mark.parametrize(
    ("name", "workers"), [("here", 1), ("processes:1", 1), ("processes:256", 256)]
)
def test_engines_have_names(name, workers):
    check_engine(name)
    with engine_named(name, "tasks") as engine:
        assert engine.workers == workers


@pytest.mark.parametrize(
    "name",
    ["", "there", "processes:", "processes:0", "processes:257", "processes:-1", "processes:²",
     "processor", "http://host:8786", "host:8786"],
)  # fmt: skip
def test_other_names_are_refused_with_what_to_give(name):
    with pytest.raises(EngineRefused, match="give"):
        check_engine(name)
    with pytest.raises(EngineRefused, match="give"):
        engine_named(name, "tasks")


def test_processes_are_as_many_as_processors(monkeypatch):
    monkeypatch.setattr("os.cpu_count", lambda: 5)
    with engine_named("processes", "tasks") as engine:
        assert engine.workers == 5
        assert engine.most_in_flight == 10


def test_a_shut_engine_leaves_no_process(tmp_path):
    engine = InProcesses(1, "tasks")
    assert engine.submit(tasks.square, 3).result() == 9
    engine.shutdown()
    with pytest.raises(RuntimeError):
        engine.submit(tasks.square, 3)
