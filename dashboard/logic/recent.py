"""What was looked at last, kept for everyone up to a total weight."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Recent(Generic[K, V]):
    """Values by key; those not looked at for longest go first. Threads may share it."""

    def __init__(self, most: int, weight: Callable[[V], int]) -> None:
        self._most = most
        self._weight = weight
        self._values: OrderedDict[K, V] = OrderedDict()
        self._lock = Lock()

    def put(self, key: K, value: V) -> None:
        """Keeps a value, however heavy, if need be in place of all others."""
        with self._lock:
            self._values[key] = value
            self._values.move_to_end(key)
            while len(self._values) > 1 and self._total() > self._most:
                self._values.popitem(last=False)

    def get(self, key: K) -> V | None:
        with self._lock:
            if key in self._values:
                self._values.move_to_end(key)
            return self._values.get(key)

    def _total(self) -> int:
        return sum(self._weight(value) for value in self._values.values())
