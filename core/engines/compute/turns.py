"""Fair turns at the processors: next is the owner that used the least time lately."""

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Condition
from typing import Final

from core.vocabulary.budget import Cancelled, never

_LOOK_SECONDS: Final = 0.25
"""Seconds between two checks whether a turn is still wanted."""
_OWNERS_REMEMBERED: Final = 1_000


@dataclass(eq=False, slots=True)
class Turn:
    """A turn that an owner has or waits for. After the lane's patience it counts as `long`."""

    owner: Hashable
    lane: "Lane"
    since: float = field(default_factory=time.monotonic)

    @property
    def long(self) -> bool:
        return time.monotonic() - self.since > self.lane.patience


class Lane:
    """At most `slots` turns at once.

    A turn that takes longer than `patience` seconds makes room for another, up to `most` in all and
    `each` for one owner. So no short turn waits for a long one; long turns are meant to run at a
    lower priority.
    """

    def __init__(self, slots: int, patience: float, most: int, each: int) -> None:
        self.patience = patience
        self._slots, self._most, self._each = slots, most, each
        self._changed = Condition()
        self._waiting: list[Turn] = []
        self._running: list[Turn] = []
        self._served: OrderedDict[Hashable, int] = OrderedDict()
        self._turns = 0

    @contextmanager
    def turn(self, owner: Hashable, should_stop: Callable[[], bool] = never) -> Iterator[Turn]:
        """Wait for a turn. Raises `Cancelled` if `should_stop` says so before the turn begins."""
        turn = Turn(owner, self)
        with self._changed:
            self._waiting.append(turn)
            try:
                while self._next() is not turn:
                    if should_stop():
                        raise Cancelled("stopped while waiting for a free processor")
                    self._changed.wait(self._until_room())
            finally:
                self._waiting.remove(turn)
                self._changed.notify_all()
            self._begin(turn)
        try:
            yield turn
        finally:
            with self._changed:
                self._running.remove(turn)
                self._changed.notify_all()

    def _begin(self, turn: Turn) -> None:
        turn.since = time.monotonic()
        self._running.append(turn)
        self._turns += 1
        self._served[turn.owner] = self._turns
        self._served.move_to_end(turn.owner)
        if len(self._served) > _OWNERS_REMEMBERED:
            self._served.popitem(last=False)

    def _until_room(self) -> float:
        """Seconds until a turn may become long and make room, or until the next check."""
        now = time.monotonic()
        left = [turn.since + self.patience - now for turn in self._running]
        return min([_LOOK_SECONDS, *(seconds for seconds in left if seconds > 0)])

    def _next(self) -> Turn | None:
        """The waiting turn that comes next, if there is room for one."""
        if len(self._running) >= self._most:
            return None
        if sum(not turn.long for turn in self._running) >= self._slots:
            return None
        has = Counter(turn.owner for turn in self._running)
        return min(
            (turn for turn in self._waiting if has[turn.owner] < self._each),
            key=lambda turn: (has[turn.owner], self._served.get(turn.owner, 0)),
            default=None,
        )
