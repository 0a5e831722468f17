"""Runs of a store that stand for no work of their own: other rows of the logs have it, too."""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from core.engines.logs.reading.store import RunStore
from core.engines.logs.reading.swf import PARTIAL, STATES
from core.vocabulary.arrays import BoolArray, IntArray

TWICE: Final = "listed twice"
PART: Final = "part of a job that its summary counts"

_AT_ONCE: Final = 1 << 19
_MIX: Final = tuple(
    np.uint64(odd)
    for odd in (0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9, 0xD6E8FEB86659FD93)
)


def repeated(store: RunStore) -> dict[str, BoolArray]:
    """By the reason, which runs another row counts already; no run has two reasons.

    Rows are of one job if its number, its task, its cluster and its start are the same, as where
    dumps overlap; of an SWF log, also its seconds and its cores, since its jobs have no cluster. Of
    such rows counts the one with the longest time, since a job may have been running when the
    first dump was made; of equal ones the first. A log that is given twice counts once.
    """
    part, whole = _parts(store)
    return {TWICE: _listed_twice(store, part) & ~whole, PART: whole}


def _parts(store: RunStore) -> tuple[BoolArray, BoolArray]:
    """Rows with the state that SWF has for parts of a job with checkpoints; and those of an SWF log
    whose job has a summary in the same log.
    """
    part = np.zeros(len(store), bool)
    swf = [number for number, log in enumerate(store.logs) if log.format == "swf"]
    if not swf or "state" not in store.texts:
        return part, part
    partial = [STATES.get(text) == PARTIAL for text in store.values("state")]
    part = np.append(partial, False)[store.column("state")]
    if not part.any():
        return part, part
    log, job = store.column("log"), store.column("job")
    whole = np.zeros(len(store), bool)
    for number in swf:
        rows = slice(*np.searchsorted(log, (number, number + 1)))  # logs follow each other
        whole[rows] = part[rows] & np.isin(job[rows], job[rows][~part[rows]])
    return part, whole


def _listed_twice(store: RunStore, part: BoolArray) -> BoolArray:
    found = _of_logs_given_twice(store)
    if "job" not in store.known:
        return found
    keys, numbered = _keys(store, part)
    order = np.argsort(keys, kind="stable")
    several = np.zeros(len(store), bool)
    for first in range(1, len(order), _AT_ONCE):
        later = order[first : first + _AT_ONCE]
        earlier = order[first - 1 : first - 1 + len(later)]
        same = (keys[later] == keys[earlier]) & numbered[later] & numbered[earlier]
        several[later[same]] = several[earlier[same]] = True
    rows = np.flatnonzero(several)
    seconds = np.nan_to_num(store.column("elapsed")[rows])
    rows = rows[np.lexsort((rows, -seconds, keys[rows]))]
    found[rows[1:]] |= keys[rows[1:]] == keys[rows[:-1]]
    return found


def _of_logs_given_twice(store: RunStore) -> BoolArray:
    digests = [log.digest for log in store.logs]
    again = [number for number, one in enumerate(digests) if one in digests[:number]]
    if not again:
        return np.zeros(len(store), bool)
    return np.isin(store.column("log"), again)


def _keys(store: RunStore, part: BoolArray) -> tuple[npt.NDArray[np.uint64], BoolArray]:
    """A number for each run that is the same for rows of one job; and which runs have a job's
    number, which those of a table of runs have not.
    """
    keys, numbered = np.empty(len(store), np.uint64), np.zeros(len(store), bool)
    swf = np.array([log.format == "swf" for log in store.logs])
    names = ["log", "job", "task", "start"] + (["cluster"] if "cluster" in store.texts else [])
    names += ["elapsed", "cores"] if swf.any() else []
    for rows, block in store.parts(names):
        mixed = _bits(block["job"]) * _MIX[0]
        mixed ^= _bits(block["task"]) * _MIX[1]
        mixed ^= _bits(np.nan_to_num(block["start"])) * _MIX[2]
        if "cluster" in block:
            mixed ^= _bits(block["cluster"]) * _MIX[3]
        if swf.any():
            told = _bits(np.nan_to_num(block["elapsed"])) * _MIX[0] ^ _bits(block["cores"])
            mixed ^= np.where(swf[block["log"]], (told ^ _bits(part[rows])) * _MIX[3], 0)
        mixed ^= mixed >> np.uint64(31)
        keys[rows] = mixed * _MIX[1]
        numbered[rows] = block["job"] > 0
    return keys, numbered


def _bits(values: np.ndarray[Any, Any]) -> npt.NDArray[np.uint64]:
    """What the values are made of, with -0 as 0."""
    if values.dtype.kind == "f":
        return np.ascontiguousarray(values + 0.0, float).view(np.uint64)
    whole: IntArray = values.astype(np.int64)
    return whole.view(np.uint64)
