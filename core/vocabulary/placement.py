"""Where the tasks of a log ran: what a schedule of the same tasks is set beside."""

from dataclasses import dataclass
from hashlib import sha256

import numpy as np

from core.vocabulary.arrays import IntArray
from core.vocabulary.system import System


@dataclass(frozen=True, eq=False, slots=True)
class LogPlacement:
    """`counts[i, k]` tasks of type i ran on machines of type k, of these names."""

    task_names: tuple[str, ...]
    machine_names: tuple[str, ...]
    counts: IntArray

    @property
    def fingerprint(self) -> str:
        """Equal placements, and only they, have equal fingerprints."""
        told = repr((self.task_names, self.machine_names)).encode()
        return sha256(told + np.asarray(self.counts, np.int64).tobytes()).hexdigest()

    def on(self, system: System) -> tuple[IntArray, int] | None:
        """The placement in the order of the types of a system, and how many of its tasks ran where
        its tables say that they cannot: these count where most of their type ran. None if the
        system has other tasks, or not the machines.
        """
        task = [self.task_names.index(n) if n in self.task_names else -1 for n in system.task_names]
        kinds = {name: k for k, name in enumerate(self.machine_names)}
        own = [kinds.get(name, -1) for name in system.machine_names]
        padded = np.pad(self.counts, ((0, 1), (0, 1)))
        placed = padded[np.ix_(task, own)]
        if self.counts.sum() != placed.sum() or (placed.sum(axis=1) != system.task_counts).any():
            return None
        stray = np.where(system.can_run, 0, placed)
        placed = placed - stray
        most = placed.argmax(axis=1)
        if (stray.any(axis=1) & ~placed.any(axis=1)).any():
            return None
        placed[np.arange(len(task)), most] += stray.sum(axis=1)
        return placed, int(stray.sum())
