"""Fair turns at the processors: the owner that had the least time lately comes next."""

import time
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Condition
from typing import Final

from core.model.budget import Cancelled, never

_LOOK_SECONDS: Final = 0.25
"""From one look at whether a turn is still wanted to the next."""
_OWNERS_REMEMBERED: Final = 1_000


@dataclass(eq=False, slots=True)
class Turn:
    """A turn that an owner has or waits for. After a while it counts as `long`."""

    owner: Hashable
    lane: "Lane"
    since: float = field(default_factory=time.monotonic)

    @property
    def long(self) -> bool:
        return time.monotonic() - self.since > self.lane.patience


class Lane:
    """So many turns at once as there are `slots`; those that take longer than `patience` seconds
    make room for another beside them, up to `most` in all and `each` for one owner.

    So nobody waits long for what takes long; what is long is meant to leave processors to others.
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
        """Waits for a turn. Raises `Cancelled` when asked to stop before."""
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
        """Seconds until there may be room, if nobody says so before; or until the next look."""
        now = time.monotonic()
        left = [turn.since + self.patience - now for turn in self._running]
        return min([_LOOK_SECONDS, *(seconds for seconds in left if seconds > 0)])

    def _next(self) -> Turn | None:
        """Who waits and comes next, if there is room for anybody."""
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
