"""Turns go round among those who ask, and nobody waits long for what takes long."""

from concurrent.futures import Future, ThreadPoolExecutor
from threading import Event

import pytest
from patience import PATIENCE

from core.engines.compute import turns
from core.engines.compute.turns import Lane
from core.vocabulary.budget import Cancelled

FOREVER = 1e9


class Crowd:
    """Threads that each take a turn at a lane and hold it until they are let go."""

    def __init__(self, lane):
        self.lane = lane
        self.had: list[str] = []
        self._threads = ThreadPoolExecutor(16)
        self._ends: dict[int, Event] = {}
        self._turns: list[Future[None]] = []

    def ask(self, owner, should_stop=lambda: False):
        asked, end = Event(), Event()

        def hold():
            asked.set()
            with self.lane.turn(owner, should_stop):
                self._ends[len(self.had)] = end
                self.had.append(owner)
                end.wait(PATIENCE)

        waiting = len(self.lane._waiting) + len(self.had)
        turn = self._threads.submit(hold)
        asked.wait(PATIENCE)
        self.until(lambda: len(self.lane._waiting) + len(self.had) > waiting or turn.done())
        self._turns.append(turn)
        return turn

    def let_go(self, place):
        self._ends[place].set()

    def until(self, holds):
        return any(holds() or Event().wait(0.01) for _ in range(int(100 * PATIENCE)))

    def end(self):
        while not all(turn.done() for turn in self._turns):
            for end in list(self._ends.values()):
                end.set()
        self._threads.shutdown()


def test_those_who_had_least_come_first():
    crowd = Crowd(Lane(slots=1, patience=FOREVER, most=9, each=9))
    crowd.ask("many")
    assert crowd.until(lambda: crowd.had == ["many"])
    for owner in ("many", "many", "many", "one", "two"):
        crowd.ask(owner)
    for place in range(5):
        crowd.let_go(place)
        assert crowd.until(lambda there=place + 2: len(crowd.had) == there)
    assert crowd.had == ["many", "one", "two", "many", "many", "many"]
    crowd.end()


def test_what_takes_long_makes_room_for_another_but_not_for_ever_more():
    crowd = Crowd(Lane(slots=1, patience=0.0, most=3, each=9))
    for owner in ("a", "b", "c", "d"):
        crowd.ask(owner)
    assert crowd.until(lambda: len(crowd.had) == 3)
    Event().wait(0.2)
    assert len(crowd.had) == 3
    crowd.let_go(0)
    assert crowd.until(lambda: len(crowd.had) == 4)
    crowd.end()


def test_what_is_short_does_not():
    crowd = Crowd(Lane(slots=2, patience=FOREVER, most=9, each=9))
    for owner in ("a", "b", "c"):
        crowd.ask(owner)
    assert crowd.until(lambda: len(crowd.had) == 2)
    Event().wait(0.2)
    assert sorted(crowd.had) == ["a", "b"]
    crowd.end()


def test_nobody_has_more_than_is_for_each():
    crowd = Crowd(Lane(slots=9, patience=FOREVER, most=9, each=2))
    for owner in ("a", "a", "a", "b"):
        crowd.ask(owner)
    assert crowd.until(lambda: len(crowd.had) == 3)
    Event().wait(0.2)
    assert sorted(crowd.had) == ["a", "a", "b"]
    crowd.end()


def test_who_waits_can_be_stopped_and_leaves_no_trace():
    crowd, stop = Crowd(Lane(slots=1, patience=FOREVER, most=1, each=1)), Event()
    crowd.ask("a")
    waiting = crowd.ask("b", stop.is_set)
    stop.set()
    assert isinstance(waiting.exception(PATIENCE), Cancelled)
    crowd.let_go(0)
    crowd.ask("c")
    assert crowd.until(lambda: crowd.had == ["a", "c"])
    crowd.end()


def test_a_turn_ends_with_what_fails_in_it():
    lane = Lane(slots=1, patience=FOREVER, most=1, each=1)
    with pytest.raises(ZeroDivisionError), lane.turn("a"):
        raise ZeroDivisionError
    with lane.turn("b") as turn:
        assert not turn.long


def test_owners_are_not_remembered_for_ever():
    lane = Lane(slots=1, patience=FOREVER, most=1, each=1)
    for owner in range(2_000):
        with lane.turn(owner):
            pass
    assert len(lane._served) <= 1_000


def test_who_waits_looks_seldom_but_comes_when_a_turn_gets_long(monkeypatch):
    monkeypatch.setattr(turns, "_LOOK_SECONDS", 10 * PATIENCE)
    lane, looks = Lane(1, 0.05, 2, 2), []
    crowd = Crowd(lane)
    crowd.ask("first")
    crowd.ask("second", lambda: bool(looks.append(1)))
    assert crowd.until(lambda: crowd.had == ["first", "second"])
    assert len(looks) <= 3
    crowd.let_go(0)
    crowd.let_go(1)
    crowd.end()
