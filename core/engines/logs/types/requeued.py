"""Jobs that were requeued: attempts that were lost, as where Slurm stopped them for other jobs."""

from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from core.engines.logs.reading.store import RunStore
from core.vocabulary.arrays import BoolArray, IntArray
from core.vocabulary.say.words import HOUR, Sense, amount, counted

LOST_STATES: Final = frozenset({"PREEMPTED", "REQUEUED", "NODE_FAIL"})
"""States of attempts after which Slurm runs a job again."""


@dataclass(frozen=True, slots=True)
class LostWork:
    """How many jobs of a log were requeued, how many attempts that lost, and what these took."""

    jobs: int
    attempts: int
    core_seconds: float
    node_seconds: float

    def in_words(self, unit: str = "cores") -> str:
        """How many jobs were requeued, and what was lost; empty if none was."""
        if not self.jobs:
            return ""
        were = "was" if self.jobs == 1 else "were"
        seconds = self.core_seconds if unit == "cores" else self.node_seconds
        hours = f"{amount(seconds / HOUR, Sense.PLAIN)} {unit.removesuffix('s')}-hours"
        return f"{counted(self.jobs, 'job')} {were} requeued, and {hours} of work were lost"


class Requeued(NamedTuple):
    """Which runs are `lost` attempts: a later run is of the same job, which begins anew there. Run
    `last[k]` is the last one of a job whose first attempt is run `first[k]`.
    """

    lost: BoolArray
    last: IntArray
    first: IntArray
    work: LostWork


def requeued(store: RunStore, states: list[str], again: BoolArray) -> Requeued:
    """The lost attempts of a log whose column of states has these states; runs `again` are listed
    twice, and no attempts. Attempts of one job have its number, its task and its cluster.
    """
    lost, nothing = np.zeros(len(store), bool), np.zeros(0, np.int64)
    if states and {*store.known} >= {"job", "start"}:
        ends = np.array([*(state in LOST_STATES for state in states), False])
        lost = ends[store.column("state")]
    if not lost.any():
        return Requeued(lost, nothing, nothing, LostWork(0, 0, 0.0, 0.0))
    job = store.column("job")
    rows = np.flatnonzero(np.isin(job, job[lost]) & (job > 0) & ~again)
    start = store.column("start")[rows]
    cluster = store.column("cluster")[rows] if "cluster" in store.texts else np.zeros(len(rows))
    key = np.column_stack([job[rows], store.column("task")[rows], cluster])
    order = np.lexsort((start, *key.T))  # a run that has not begun is the last one
    rows, key = rows[order], key[order]
    goes_on = np.append((key[1:] == key[:-1]).all(axis=1), False) & lost[rows]
    lost[:] = False
    lost[rows[goes_on]] = True
    follows = np.append(False, goes_on[:-1])
    first = np.maximum.accumulate(np.where(follows, 0, np.arange(len(rows))))
    last = np.flatnonzero(follows & ~goes_on)
    seconds = np.nan_to_num(store.column("elapsed")[lost])
    took = (float(seconds @ store.column(unit)[lost]) for unit in ("cores", "nodes"))
    work = LostWork(len(last), int(np.count_nonzero(lost)), *took)
    return Requeued(lost, rows[last], rows[first[last]], work)
