"""What runs in a worker may die, hang or fail: whoever asked is told, and nothing else ends."""

import os
import select
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

import pytest
import tasks
from patience import PATIENCE

import core
from core.engines.compute import workers as engine
from core.engines.compute.task import Lost, Task, TookTooLong
from core.engines.compute.workers import Workers
from core.vocabulary.budget import Cancelled


@contextmanager
def one_of(workers, nice=0):
    worker = workers.take(nice)
    try:
        yield worker
    finally:
        workers.put(worker)


def is_there(process):
    """Whether any thread of a process runs; of one that died and was not yet buried none does."""
    threads = Path(f"/proc/{process}/task").glob("*/stat")
    try:
        return any(") Z " not in thread.read_text(encoding="ascii") for thread in threads)
    except (FileNotFoundError, ProcessLookupError):
        return is_there(process)


def gone(process):
    """Whether a process ends soon."""
    until = time.monotonic() + PATIENCE
    while is_there(process) and time.monotonic() < until:
        time.sleep(0.02)
    return not is_there(process)


def test_a_task_runs_in_another_process_and_the_next_one_in_the_same(workers):
    with one_of(workers) as worker:
        first = worker.run(Task(tasks.number))
    with one_of(workers) as worker:
        assert worker.run(Task(tasks.number)) == first == worker.process
    assert first != os.getpid()


def test_what_is_given_comes_back_as_the_same_object(workers):
    given, named = ["a"], ["b"]
    with one_of(workers) as worker:
        first, second = worker.run(Task(tasks.pair, (given,), {"second": named}))
    assert first is given
    assert second is named


def test_a_failure_is_raised_here_and_says_where_it_came_from(workers):
    with one_of(workers) as worker:
        with pytest.raises(ZeroDivisionError, match="by none") as caught:
            worker.run(Task(tasks.fail, ("by none",)))
        assert "tasks.py" in caught.value.__notes__[0]
        assert worker.run(Task(tasks.echo, (1,))) == 1, "it goes on afterwards"


def test_a_failure_that_cannot_travel_is_told_in_words(workers):
    with one_of(workers) as worker, pytest.raises(Lost, match="Unkept: 1 and 2"):
        worker.run(Task(tasks.fail_oddly))


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGABRT])
def test_a_worker_that_dies_is_replaced(workers, number):
    with one_of(workers) as worker:
        with pytest.raises(Lost):
            worker.run(Task(tasks.die, (number,)))
        assert worker.ended
    with one_of(workers) as another:
        assert another.process != worker.process
        assert another.run(Task(tasks.echo, (1,))) == 1


def test_a_worker_that_died_while_it_waited_is_replaced(workers):
    with one_of(workers) as worker:
        pass
    os.kill(worker.process, signal.SIGKILL)
    assert gone(worker.process)
    with one_of(workers) as another:
        assert another.run(Task(tasks.echo, (1,))) == 1


def test_one_that_hangs_is_ended(workers):
    with one_of(workers) as worker, pytest.raises(TookTooLong):
        worker.run(Task(tasks.hang), seconds=0.1)
    assert gone(worker.process)


def test_a_task_that_is_asked_to_stop_gives_what_it_has(workers):
    stop, news = Event(), Event()
    with one_of(workers) as worker:
        Thread(target=lambda: news.wait(0.3) or stop.set()).start()
        assert worker.run(Task(tasks.count_until_stopped), should_stop=stop.is_set) > 0
        # The next one is not asked to stop, for that.
        assert worker.run(Task(tasks.echo, (1,))) == 1
        again = worker.run(
            Task(tasks.count_until_stopped), should_stop=_after(0.3), report=lambda _: None
        )
        assert again > 0


def _after(seconds):
    until = time.monotonic() + seconds
    return lambda: time.monotonic() > until


def test_one_that_does_not_hear_is_ended(workers, monkeypatch):
    monkeypatch.setattr(engine, "GRACE_SECONDS", 0.1)
    with one_of(workers) as worker, pytest.raises(Cancelled):
        worker.run(Task(tasks.never_stops), should_stop=lambda: True)
    assert gone(worker.process)


def test_one_that_cannot_be_asked_is_ended_at_once(workers, monkeypatch):
    monkeypatch.setattr(engine, "GRACE_SECONDS", 10 * PATIENCE)
    with one_of(workers) as worker, pytest.raises(Cancelled):
        worker.run(Task(tasks.hang), should_stop=lambda: True)
    assert gone(worker.process)


@pytest.mark.thorough
def test_news_come_in_order_and_not_too_often(workers):
    news = []
    with one_of(workers) as worker:
        told = worker.run(Task(tasks.tell, (40,), reports=True), report=news.append)
    assert told == "told"
    assert news == sorted(set(news))
    assert 2 <= len(news) < 30


def test_a_nicer_worker_is_not_taken_for_one_that_is_not(workers):
    with one_of(workers, nice=10) as nice, one_of(workers) as plain:
        own = os.getpriority(os.PRIO_PROCESS, 0)
        assert nice.run(Task(tasks.niceness)) == min(own + 10, 19)
        assert plain.run(Task(tasks.niceness)) == own
        nice.be_nicer(5)
        assert nice.run(Task(tasks.niceness)) == min(own + 10, 19), "there is no way back"
    with one_of(workers, nice=10) as again, one_of(workers) as other:
        assert again is nice
        assert other is plain


def test_no_more_wait_than_are_spared(workers):
    taken = [workers.take() for _ in range(4)]
    for worker in taken:
        assert worker.run(Task(tasks.echo, (1,))) == 1
        workers.put(worker)
    assert [worker.ended for worker in taken] == [False, False, True, True]


def test_one_that_is_left_at_work_does_not_come_back(workers):
    def interrupted(_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt), one_of(workers) as worker:
        worker.run(Task(tasks.hang), look=interrupted)
    assert worker.ended
    assert gone(worker.process)


@pytest.mark.thorough
def test_what_workers_are_forked_from_has_one_thread():
    """What runs beside a fork may hold a lock, which is then held for ever."""
    workers = Workers("dashboard.server.processes", spare=1)
    with one_of(workers) as worker:
        assert worker.run(Task(tasks.threads)) == 1
    workers.end()


def test_another_nursery_comes_in_place_of_one_that_died():
    workers = Workers("tasks", spare=1)
    workers.begin()
    assert not workers.ready
    with one_of(workers) as worker:
        nursery = worker.run(Task(os.getppid))
    assert workers.ready
    os.kill(nursery, signal.SIGKILL)
    assert gone(nursery)
    assert gone(worker.process), "it ends with it"
    with one_of(workers) as another:
        assert another.run(Task(tasks.echo, (1,))) == 1
    workers.end()


def test_no_process_is_left_when_the_server_is_killed():
    """Neither those that wait nor those that compute without looking up."""
    server = subprocess.Popen(
        [sys.executable, "-c", _SERVER], stdout=subprocess.PIPE, text=True, env=_here()
    )
    processes = [int(number) for number in server.stdout.readline().split()]
    assert all(is_there(process) for process in processes)
    server.kill()
    server.wait()
    assert all(gone(process) for process in processes)


@pytest.mark.parametrize("told", [False, True])
def test_a_nursery_whose_server_ends_while_it_forks_says_nothing(told):
    """Its traceback was in the log of a busy server, which may end before or after it is told
    which process was forked, in either case without having read that.
    """
    ours, theirs = socket.socketpair()
    with ours, theirs, open(os.devnull) as pipe:  # noqa: PTH123  # not a file of ours
        nursery = subprocess.Popen(
            [sys.executable, "-m", "core.engines.compute.worker", str(theirs.fileno()), "tasks"],
            pass_fds=[theirs.fileno()],
            stderr=subprocess.PIPE,
            text=True,
            env=_here(),
        )
        socket.send_fds(ours, [b"."], [pipe.fileno()])
        if told:
            select.select([ours], [], [])
    _, said = nursery.communicate()
    assert said == ""
    assert nursery.returncode == 0


def _here():
    paths = [str(Path(core.__file__).parents[2]), str(Path(tasks.__file__).parent)]
    return os.environ | {"PYTHONPATH": os.pathsep.join(paths)}


_SERVER = """
import os, threading, time, tasks
from core.engines.compute.task import Task
from core.engines.compute.workers import Workers
workers = Workers("tasks", 2)
idle, busy = workers.take(), workers.take()
nursery = idle.run(Task(os.getppid))
threading.Thread(target=busy.run, args=(Task(tasks.hang),), daemon=True).start()
time.sleep(0.2)
print(nursery, idle.process, busy.process, flush=True)
time.sleep(600)
"""
