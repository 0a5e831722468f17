"""A job works in a thread of its own, shows what it has, and stops when it is asked to."""

import gc
import os
import time
import weakref
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from patience import PATIENCE
from tasks import hang

from core.engines.compute.task import Task
from core.engines.compute.turns import Lane
from core.vocabulary.budget import Cancelled
from dashboard.server import background
from dashboard.server.background import RIGHT_OF_WAY, Job, JobProgress, Jobs
from dashboard.server.computing import Asker, ComputationKind


def showing(*values: int) -> Callable[[Job[int]], None]:
    def work(job: Job[int]) -> None:
        for value in values:
            job.show(value)

    return work


def until_stopped(job: Job[int]) -> None:
    job.begin("Waiting", 60)
    job.show(1)
    while job.rest(0.01):
        pass
    job.show(2)


def ended(job: Job[int]) -> Job[int]:
    job.wait(1_000, PATIENCE)
    assert not job.running
    return job


def test_the_latest_result_is_there_at_the_end() -> None:
    job = ended(Job(showing(1, 2, 3)))
    assert (job.latest, job.shown, job.failure) == (3, 3, None)


def test_a_result_can_be_looked_at_before_the_end_and_a_stop_leaves_the_last() -> None:
    job = Job(until_stopped)
    job.wait(1, PATIENCE)
    assert (job.latest, job.running) == (1, True)
    assert job.progress.doing == "Waiting"
    assert 0 <= job.progress.share < 1
    job.cancel()
    assert ended(job).latest == 2


def test_a_job_that_nobody_refers_to_is_gone_at_once() -> None:
    gc.collect()
    gc.disable()
    try:
        job = ended(Job(showing(1)))
        gone = weakref.ref(job)
        del job
        give_up = time.monotonic() + PATIENCE
        while gone() is not None and time.monotonic() < give_up:
            time.sleep(0.01)  # its thread is just ending
        assert gone() is None
    finally:
        gc.enable()


def test_a_failure_is_kept_for_the_owner() -> None:
    def fail(job: Job[int]) -> None:
        job.show(1)
        raise ZeroDivisionError

    job = ended(Job(fail))
    assert isinstance(job.failure, ZeroDivisionError)
    assert job.latest == 1


def test_heavy_work_waits_for_a_turn_and_can_be_stopped_meanwhile(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    one_at_a_time = ComputationKind(Lane(slots=1, patience=PATIENCE, most=1, each=1), 0, 0)
    monkeypatch.setattr(background, "LONG", one_at_a_time)
    entered = Event()

    def heavy(job: Job[int]) -> None:
        job.show(0)
        with job.turn():
            entered.set()
            until_stopped(job)

    first = Job(heavy)
    assert entered.wait(PATIENCE)
    entered.clear()
    second, third = Job(heavy), Job(heavy)
    third.wait(1, PATIENCE)
    third.cancel()
    assert isinstance(ended(third).failure, Cancelled)
    assert not entered.is_set()
    first.cancel()
    assert entered.wait(PATIENCE)
    second.cancel()
    ended(second)


def test_what_is_computed_comes_from_another_process() -> None:
    def work(job: Job[int]) -> None:
        job.show(job.compute(Task(os.getpid)))
        with job.turn() as turn:
            job.show(turn.compute(Task(os.getpid)))

    job = ended(Job(work))
    assert job.failure is None
    assert job.shown == 2
    assert job.latest != os.getpid()


def test_a_job_stops_when_nobody_is_there_any_more() -> None:
    left = Event()

    def work(job: Job[int]) -> None:
        job.show(1)
        job.compute(Task(hang))

    job = Job(work, Asker("somebody", left.is_set))
    job.wait(1, PATIENCE)
    left.set()
    assert isinstance(ended(job).failure, Cancelled)


def test_the_same_question_is_asked_once() -> None:
    jobs = Jobs()
    job = jobs.ask("study", "key", showing(1))
    assert jobs.ask("study", "key", showing(2)) is job
    assert ended(job).latest == 1


def test_another_question_stops_the_job_of_the_one_before() -> None:
    jobs = Jobs()
    before = jobs.ask("study", "before", until_stopped)
    after = jobs.ask("study", "after", showing(7))
    assert ended(before).should_stop()
    assert ended(after).latest == 7


def test_what_is_not_wanted_any_more_is_stopped() -> None:
    jobs = Jobs()
    gone, kept = jobs.ask("gone", 0, until_stopped), jobs.ask("kept", 0, until_stopped)
    jobs.keep_only({"kept", "never asked"})
    assert ended(gone).should_stop()
    assert jobs.running() == [kept]
    jobs.drop("kept")
    ended(kept)
    assert jobs.running() == []


def test_the_state_changes_with_all_that_there_is_to_see() -> None:
    jobs = Jobs()
    job = jobs.ask("study", "key", until_stopped)
    job.wait(1, PATIENCE)
    shown = jobs.state()
    assert jobs.state() == shown
    job.cancel()
    ended(job)
    assert jobs.state() != shown


@pytest.mark.parametrize(
    ("progress", "words", "share"),
    [
        (JobProgress("Polishing", 0.5, 2.0), "Polishing, 2 s left", 0.25),
        (JobProgress("Polishing", 2.5, 2.0), "Checking …", 1.0),
        (JobProgress("Finding the lower bound", 3.0), "Finding the lower bound …", 0.0),
    ],
)
def test_progress_says_what_is_left(progress: JobProgress, words: str, share: float) -> None:
    assert (progress.words, progress.share) == (words, share)


def test_pages_are_drawn_one_after_the_other() -> None:
    drawn: list[str] = []
    begun = Event()

    def draw(name: str) -> None:
        with RIGHT_OF_WAY.taken():
            drawn.append(f"{name} begins")
            begun.set()
            time.sleep(0.05)
            drawn.append(f"{name} ends")

    with ThreadPoolExecutor(2) as threads:
        threads.submit(draw, "one")
        begun.wait(PATIENCE)
        threads.submit(draw, "two")
    assert drawn == ["one begins", "one ends", "two begins", "two ends"]


@pytest.mark.thorough
def test_many_pages_are_drawn_in_turn_however_long_the_last_waits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(background, "_TURN_SECONDS", 1.0)
    line, at_once = Line(), []

    def draw() -> None:
        at_once.append(line)
        time.sleep(0.3)
        assert at_once == [line]
        at_once.clear()

    numbers = [str(number) for number in range(6)]
    for number in numbers:
        line.come(number, draw)
    assert line.end() == numbers


class Line:
    """Threads that each draw a page, those drawn in order; the first holds up all others."""

    def __init__(self) -> None:
        self.drawn: list[str] = []
        self._threads = ThreadPoolExecutor(8)

    def come(self, name: str, then: Callable[[], None] = lambda: None) -> None:
        """Returns once it waits for its turn, or has had it."""
        waiting = len(RIGHT_OF_WAY._waiting) + len(self.drawn)

        def draw() -> None:
            if name == "unasked":
                RIGHT_OF_WAY.stand_back()
            with RIGHT_OF_WAY.taken():
                self.drawn.append(name)
                then()

        self._threads.submit(draw)
        self.until(lambda: len(RIGHT_OF_WAY._waiting) + len(self.drawn) > waiting)

    def until(self, holds: Callable[[], bool]) -> None:
        assert any(holds() or Event().wait(0.01) for _ in range(int(100 * PATIENCE)))

    def end(self) -> list[str]:
        self._threads.shutdown()
        return self.drawn


@pytest.mark.parametrize(
    ("later", "order"),
    [(60.0, ["one", "two", "unasked"]), (0.0, ["unasked", "one", "two"])],
)
def test_a_page_nobody_asked_for_lets_those_go_first_that_come_soon_after(
    monkeypatch: pytest.MonkeyPatch, later: float, order: list[str]
) -> None:
    monkeypatch.setattr(background, "_TURN_SECONDS", 2 * PATIENCE)
    monkeypatch.setattr(background, "_UNASKED_SECONDS", later)
    line = Line()
    with RIGHT_OF_WAY.taken():
        for name in ("unasked", "one", "two"):
            line.come(name)
    assert line.end() == order


def test_who_stood_back_once_is_next_asked_for_like_any_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(background, "_TURN_SECONDS", 2 * PATIENCE)
    RIGHT_OF_WAY.stand_back()
    for until_asked in (pytest.approx(background._UNASKED_SECONDS, abs=1), pytest.approx(0, abs=1)):
        with RIGHT_OF_WAY.taken():
            assert RIGHT_OF_WAY._thread.page.asked - time.monotonic() == until_asked


def test_a_page_that_was_begun_goes_on_before_others_begin(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(background, "_TURN_SECONDS", 2 * PATIENCE)
    line, over, back = Line(), Event(), Event()

    def begin() -> None:
        with RIGHT_OF_WAY.lent():
            over.wait(PATIENCE)
        line.drawn.append("begun goes on")

    line.come("begun", begin)
    line.come("second", lambda: back.wait(PATIENCE) and None)
    line.come("third")
    over.set()
    line.until(lambda: len(RIGHT_OF_WAY._waiting) == 2)
    back.set()
    assert line.end() == ["begun", "second", "begun goes on", "third"]


@pytest.mark.parametrize(
    ("sessions", "seconds", "waits", "crowded"),
    [
        (0, 0.2, 0.2, False),
        (3, 0.2, 0.2, False),
        (4, 0.3, 0.4, True),
        (6, 0.2, 0.4, True),
        (1_000, 0.2, 1.0, True),
        (1_000, 10.0, 10.0, True),
    ],
)
def test_a_page_waits_longer_where_many_are_at_work(
    monkeypatch: pytest.MonkeyPatch, sessions: int, seconds: float, waits: float, crowded: bool
) -> None:
    monkeypatch.setattr(background, "sessions_at_work", lambda: sessions)
    assert background.patience(seconds) == pytest.approx(waits)
    assert background.is_crowded() == crowded


def test_a_page_that_takes_long_holds_up_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "_TURN_SECONDS", 0.05)
    drawn = Event()

    def draw() -> None:
        with RIGHT_OF_WAY.taken():
            drawn.set()

    with ThreadPoolExecutor(1) as threads, RIGHT_OF_WAY.taken():
        threads.submit(draw)
        assert drawn.wait(PATIENCE)


def test_a_page_that_waits_for_a_job_lets_others_be_drawn(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(background, "_TURN_SECONDS", 2 * PATIENCE)
    job, drawn = Job(until_stopped), Event()

    def draw() -> None:
        with RIGHT_OF_WAY.taken():
            drawn.set()
            job.cancel()

    with ThreadPoolExecutor(1) as threads, RIGHT_OF_WAY.taken():
        threads.submit(draw)
        ended(job)
        assert drawn.is_set()
