"""A store of the values that were used last, up to a total weight."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


class Recent(Generic[K, V]):
    """Values by key; the least recently used are dropped first. Threads may share it."""

    def __init__(self, most: int, weight: Callable[[V], int]) -> None:
        self._most = most
        self._weight = weight
        self._values: OrderedDict[K, tuple[V, int]] = OrderedDict()
        self._total = 0
        self._lock = Lock()

    def put(self, key: K, value: V) -> None:
        """Keeps a value, however heavy, and drops others to make room."""
        weight = self._weight(value)
        with self._lock:
            _, before = self._values.pop(key, (None, 0))
            self._values[key] = value, weight
            self._total += weight - before
            while len(self._values) > 1 and self._total > self._most:
                _, (_, least) = self._values.popitem(last=False)
                self._total -= least

    def get(self, key: K) -> V | None:
        with self._lock:
            if key not in self._values:
                return None
            self._values.move_to_end(key)
            return self._values[key][0]
