"""Which runs are measurements, and why others are not."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from core.engines.logs.reading.sacct import is_finished, state_called
from core.engines.logs.reading.store import RunStore
from core.engines.logs.reading.swf import PARTIAL, STATES
from core.engines.logs.types.requeued import LostWork, requeued
from core.engines.logs.types.rule_parts import texts_of
from core.engines.logs.types.settings import RunSettings
from core.vocabulary.arrays import BoolArray, IntArray

USED: Final = 0


class Reason(StrEnum):
    """Why a run is not used. States of jobs give further reasons."""

    NO_TIME = "no duration"
    NO_DURATION = "took 0 s"
    NOT_STARTED = "not started"
    OTHER_STATE = "ended in another state"
    HETEROGENEOUS = "part of a heterogeneous job"
    TWICE = "listed twice"
    PART = "part of a job that its summary counts"
    LOST = "lost attempt of a job that was requeued"
    OUTSIDE = "outside the window"
    NO_CORES = "cores are unknown"
    NO_GPUS = "had no GPU"
    NO_TASK_TYPE = "no task type"
    NO_MACHINE_TYPE = "no machine type"
    SEVERAL_TYPES = "ran on several machine types"
    NAME_NOT_KEPT = "its name is one of too many to be kept"
    RARE = "rare task type"
    MANY_MACHINE_TYPES = "machine type beyond the 100 with most runs"
    FEW_RUNS = "too few runs of its task type or machine type"


_FIXED: Final = ("", *(reason.value for reason in Reason))
_MOST_STATES: Final = 30
_ARRAY_WAITS: Final = -2

ByteReasons = npt.NDArray[np.uint8]


def ended_as(state: str) -> str:
    """The reason of runs in a state that is no measurement."""
    return f"ended as {state}" if is_finished(state) else f"has not ended ({state})"


@dataclass
class Reasons:
    """Why each run is not used: `of_run` has the number of a reason in `names`, 0 for used ones;
    and what was `lost` with jobs that were requeued.
    """

    of_run: ByteReasons
    lost: LostWork
    names: list[str] = field(default_factory=lambda: list(_FIXED))

    def number(self, reason: str) -> int:
        """The number of a reason; that of another state, if there are too many."""
        if reason not in self.names:
            if len(self.names) >= len(_FIXED) + _MOST_STATES:
                return self.names.index(Reason.OTHER_STATE)
            self.names.append(reason)
        return self.names.index(reason)

    def counts(self) -> dict[str, int]:
        """Runs that are not used, by reason, the most frequent first."""
        found = np.bincount(self.of_run, minlength=len(self.names)).tolist()
        pairs = zip(self.names[1:], found[1:], strict=False)
        return dict(sorted(((n, c) for n, c in pairs if c), key=lambda pair: -pair[1]))


def states_of(store: RunStore) -> list[str]:
    """The state of each text in the column of states, if there is one; blank where the log does not
    say.
    """
    if "state" not in store.texts:
        return []
    numbered = any(log.format == "swf" for log in store.logs)
    found = []
    for text in texts_of(store, "state"):
        called = STATES.get(text) if numbered else None
        found.append(called or (state_called(text) if text else ""))
    return found


def accept(store: RunStore, settings: RunSettings) -> Reasons:
    """The runs whose duration is a measurement, whatever their types. Lost attempts are none."""
    again = repeated(store)
    lost = requeued(store, states_of(store), np.logical_or.reduce([*again.values()]))
    reasons = Reasons(np.zeros(len(store), np.uint8), lost.work)
    lookup = _reasons_of_states(store, settings, reasons)
    names = ["task", "start", "elapsed", "cores", "gpus"] + (
        ["state"] if lookup is not None else []
    )
    for rows, block in store.parts(names):
        reasons.of_run[rows] = _of_block(block, settings, lookup)
    for reason, wrong in {**again, Reason.LOST: lost.lost}.items():
        reasons.of_run[wrong & (reasons.of_run == USED)] = _FIXED.index(reason)
    return reasons


def _reasons_of_states(
    store: RunStore, settings: RunSettings, reasons: Reasons
) -> ByteReasons | None:
    """The reason of each text in the column of states."""
    if "state" not in store.texts:
        return None
    accepted = {*settings.states, ""}
    found = [
        USED if state in accepted else reasons.number(ended_as(state)) for state in states_of(store)
    ]
    return np.array([*found, _FIXED.index(Reason.OTHER_STATE)], np.uint8)


def _of_block(
    block: dict[str, np.ndarray[Any, Any]], settings: RunSettings, lookup: ByteReasons | None
) -> ByteReasons:
    start, elapsed, task = block["start"], block["elapsed"], block["task"]
    conditions = [(np.isnan(elapsed), Reason.NO_TIME), (elapsed <= 0, Reason.NO_DURATION)]
    if settings.begin is not None:
        conditions.append((~(start >= settings.begin), Reason.OUTSIDE))
    if settings.end is not None:
        conditions.append((~(start < settings.end), Reason.OUTSIDE))
    if settings.machine == "core":
        conditions.append((block["cores"] <= 0, Reason.NO_CORES))
    if settings.machine == "gpu":
        conditions.append((block["gpus"] <= 0, Reason.NO_GPUS))
    found = np.zeros(len(start), np.uint8)
    for holds, reason in reversed(conditions):
        found[holds] = _FIXED.index(reason)
    if lookup is not None:
        of_state = lookup[block["state"]]
        found = np.where(of_state != USED, of_state, found)
    found[task < _ARRAY_WAITS] = _FIXED.index(Reason.HETEROGENEOUS)
    found[task == _ARRAY_WAITS] = _FIXED.index(Reason.NOT_STARTED)
    return found


def state_counts(store: RunStore) -> dict[str, int]:
    """How many runs ended in each state, the most frequent first."""
    states = states_of(store)
    if not states:
        return {}
    counts: dict[str, int] = {}
    for block in store.blocks(["state"]):
        found = np.bincount(block["state"] + 1, minlength=len(states) + 1).tolist()
        for state, count in zip(["", *states], found, strict=True):
            if count:
                counts[state] = counts.get(state, 0) + count
    return dict(sorted(counts.items(), key=lambda pair: -pair[1]))


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
    return {Reason.TWICE: _listed_twice(store, part) & ~whole, Reason.PART: whole}


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
    same = keys[rows[1:]] == keys[rows[:-1]]
    found[rows[1:]] |= same
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
