"""Which runs are measurements, and why others are not."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from core.logs.reading.sacct import is_finished, state_called
from core.logs.reading.store import RunStore
from core.logs.reading.swf import STATES
from core.logs.types.repeats import PART, TWICE, repeated
from core.logs.types.rule_parts import texts_of
from core.logs.types.settings import RunSettings
from core.model.budget import never

USED: Final = 0

NO_TIME: Final = "no duration"
NO_DURATION: Final = "took 0 s"
NOT_STARTED: Final = "not started"
HETEROGENEOUS: Final = "part of a heterogeneous job"
OUTSIDE: Final = "outside the window"
OTHER_STATE: Final = "ended in another state"
NO_CORES: Final = "cores are unknown"
NO_GPUS: Final = "had no GPU"
NO_TASK_TYPE: Final = "no task type"
NO_MACHINE_TYPE: Final = "no machine type"
SEVERAL_TYPES: Final = "ran on several machine types"
NAME_NOT_KEPT: Final = "its name is one of too many to be kept"
RARE: Final = "rare task type"
MANY_MACHINE_TYPES: Final = "machine type beyond the 100 with most runs"
FEW_RUNS: Final = "too few runs of its task type or machine type"

_FIXED: Final = (
    "",
    NO_TIME,
    NO_DURATION,
    NOT_STARTED,
    OTHER_STATE,
    HETEROGENEOUS,
    TWICE,
    PART,
    OUTSIDE,
    NO_CORES,
    NO_GPUS,
    NO_TASK_TYPE,
    NO_MACHINE_TYPE,
    SEVERAL_TYPES,
    NAME_NOT_KEPT,
    RARE,
    MANY_MACHINE_TYPES,
    FEW_RUNS,
)
_MOST_STATES: Final = 30
_ARRAY_WAITS: Final = -2

ByteReasons = npt.NDArray[np.uint8]


def ended_as(state: str) -> str:
    """The reason of runs in a state that is no measurement."""
    return f"ended as {state}" if is_finished(state) else f"has not ended ({state})"


@dataclass
class Reasons:
    """Why each run is not used: `of_run` has the number of a reason in `names`, 0 for used ones."""

    of_run: ByteReasons
    names: list[str] = field(default_factory=lambda: list(_FIXED))

    def number(self, reason: str) -> int:
        """The number of a reason; that of another state, if there are too many."""
        if reason not in self.names:
            if len(self.names) >= len(_FIXED) + _MOST_STATES:
                return self.names.index(OTHER_STATE)
            self.names.append(reason)
        return self.names.index(reason)

    def counts(self) -> dict[str, int]:
        """Runs that are not used, by reason, the most frequent first."""
        found = np.bincount(self.of_run, minlength=len(self.names)).tolist()
        pairs = zip(self.names[1:], found[1:], strict=False)
        return dict(sorted(((n, c) for n, c in pairs if c), key=lambda pair: -pair[1]))


def states_of(store: RunStore) -> list[str]:
    """The state of each text in the column of states; blank where the log does not say."""
    numbered = any(log.format == "swf" for log in store.logs)
    found = []
    for text in texts_of(store, "state"):
        called = STATES.get(text) if numbered else None
        found.append(called or (state_called(text) if text else ""))
    return found


def accept(
    store: RunStore, settings: RunSettings, should_stop: Callable[[], bool] = never
) -> Reasons:
    """The runs whose duration is a measurement, whatever their types. Raises `Stopped`."""
    reasons = Reasons(np.zeros(len(store), np.uint8))
    lookup = _reasons_of_states(store, settings, reasons)
    names = ["task", "start", "elapsed", "cores", "gpus"] + (
        ["state"] if lookup is not None else []
    )
    for rows, block in store.parts(names, should_stop):
        reasons.of_run[rows] = _of_block(block, settings, lookup)
    for reason, again in repeated(store).items():
        reasons.of_run[again & (reasons.of_run == USED)] = _FIXED.index(reason)
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
    return np.array([*found, _FIXED.index(OTHER_STATE)], np.uint8)


def _of_block(
    block: dict[str, np.ndarray[Any, Any]], settings: RunSettings, lookup: ByteReasons | None
) -> ByteReasons:
    start, elapsed = block["start"], block["elapsed"]
    conditions: list[tuple[npt.NDArray[np.bool_], int]] = [
        (block["task"] == _ARRAY_WAITS, _FIXED.index(NOT_STARTED)),
        (block["task"] < _ARRAY_WAITS, _FIXED.index(HETEROGENEOUS)),
    ]
    if lookup is not None:
        of_state = lookup[block["state"]]
        conditions.append((of_state != USED, -1))
    conditions += [
        (np.isnan(elapsed), _FIXED.index(NO_TIME)),
        (elapsed <= 0, _FIXED.index(NO_DURATION)),
    ]
    if settings.begin is not None:
        conditions.append((~(start >= settings.begin), _FIXED.index(OUTSIDE)))
    if settings.end is not None:
        conditions.append((~(start < settings.end), _FIXED.index(OUTSIDE)))
    if settings.machine == "core":
        conditions.append((block["cores"] <= 0, _FIXED.index(NO_CORES)))
    if settings.machine == "gpu":
        conditions.append((block["gpus"] <= 0, _FIXED.index(NO_GPUS)))
    found = np.zeros(len(start), np.uint8)
    for holds, number in reversed(conditions):
        found = np.where(holds, of_state if number < 0 else np.uint8(number), found)
    return found


def state_counts(store: RunStore) -> dict[str, int]:
    """How many runs ended in each state, the most frequent first."""
    if "state" not in store.texts:
        return {}
    states = states_of(store)
    counts: dict[str, int] = {}
    for block in store.blocks(["state"]):
        found = np.bincount(block["state"] + 1, minlength=len(states) + 1).tolist()
        for state, count in zip(["", *states], found, strict=True):
            if count:
                counts[state] = counts.get(state, 0) + count
    return dict(sorted(counts.items(), key=lambda pair: -pair[1]))
