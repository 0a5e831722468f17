"""The settings of the page Fair shares, and how the address says them."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from core.capabilities.fair_shares.bags import DATA, RELEASE
from core.capabilities.fair_shares.bags_reader import MASTER, MEGABYTE, MEMORY
from core.capabilities.fair_shares.changes import BagsChange, MachinesAdded, OneMoreBag
from core.capabilities.fair_shares.day_clock import BEGINS, DayClock
from core.files.findings import shown
from core.vocabulary.ranges import MACHINE_COUNT, Range
from dashboard.screens.fair_shares.inputs import BagsInputs
from dashboard.screens.fair_shares.tables import MOST_TASKS
from dashboard.screens.fair_shares.trials import TRIALS
from dashboard.workspace.parameters import Parameters
from dashboard.workspace.parameters import written as parameter

SOURCES: Final = ("morning", "system", "own")
CHOSEN_STRETCH: Final = Range(0.01, 1e6, "times the duration alone")
_NONE: Final = "none"
_SOURCE: Final = "shares_bags"
_STRETCH: Final = "shares_stretch"
_BANDWIDTH: Final = "shares_bandwidth"
_BEGINS: Final = "shares_begins"
_CELLS: Final = "shares_cells"
_BAG: Final = "shares_another"
_MACHINES: Final = "shares_machines"
_FASTER: Final = "shares_faster"
_WHOLE: Final = "shares_whole"
_TRIALS: Final = "shares_trials"
_YES: Final = "yes"
PARAMETERS: Final = frozenset(
    (_SOURCE, _STRETCH, _BANDWIDTH, _BEGINS, _CELLS, _BAG, _MACHINES, _FASTER, _WHOLE, _TRIALS)
)
_NUMBER: Final = r"-?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?"
_CELL: Final = re.compile(rf"([a-z])(\d{{1,7}}):({_NUMBER}|{_NONE})")
_ADDED: Final = Range(-MACHINE_COUNT.high, MACHINE_COUNT.high, "machines")


def _bytes(allowed: Range) -> Range:
    return Range(allowed.low * MEGABYTE, allowed.high * MEGABYTE, "")


@dataclass(frozen=True, slots=True)
class _Kind:
    """Cells of one column, as an address names them."""

    rows: str
    field: str
    allowed: Range
    whole: bool = False
    may_be_blank: bool = False


_KINDS: Final = {
    "r": _Kind("bags", "release", RELEASE),
    "t": _Kind("bags", "tasks", MOST_TASKS, whole=True),
    "d": _Kind("bags", "data", DATA),
    "m": _Kind("workers", "machines", MACHINE_COUNT, whole=True),
    "l": _Kind("workers", "link", _bytes(MASTER), may_be_blank=True),
    "b": _Kind("workers", "memory", _bytes(MEMORY), may_be_blank=True),
}


@dataclass(frozen=True, slots=True)
class SharesAddress:
    """What an address says: the bags, the stretch that is looked at (None: the best), and whether
    whole tasks are replayed, and in how many trials.
    """

    inputs: BagsInputs
    stretch: float | None
    whole: bool
    trials: int = 0


def source_of(given: Mapping[str, str]) -> str:
    """Where the bags come from; those that a person gave stay with the session."""
    found = given.get(_SOURCE)
    return found if found in SOURCES[:2] else SOURCES[0]


def written(source: str, said: SharesAddress, usual: BagsInputs) -> dict[str, str]:
    """The parameters of what differs from the usual."""
    inputs = said.inputs
    found = {} if source in (SOURCES[0], "own") else {_SOURCE: source}
    if said.stretch is not None:
        found[_STRETCH] = parameter(said.stretch)
    if said.whole:
        found[_WHOLE] = _YES
    if said.trials:
        found[_TRIALS] = parameter(said.trials)
    if inputs.bandwidth != usual.bandwidth:
        found[_BANDWIDTH] = _maybe(inputs.bandwidth)
    if inputs.clock != usual.clock:
        found[_BEGINS] = parameter(inputs.clock.begins)
    cells = " ".join(_cells(inputs, usual))
    change = inputs.change
    if cells:
        found[_CELLS] = cells
    if change.bag is not None:
        bag, tasks, release = change.bag
        found[_BAG] = f"{bag}:{tasks}:{parameter(release)}"
    if change.machines is not None:
        kind, more = change.machines
        found[_MACHINES] = f"{kind}:{more}"
    if change.bandwidth is not None:
        found[_FASTER] = parameter(change.bandwidth / MEGABYTE)
    return found


def _cells(inputs: BagsInputs, usual: BagsInputs) -> Iterator[str]:
    for letter, kind in _KINDS.items():
        rows = zip(getattr(inputs, kind.rows), getattr(usual, kind.rows), strict=True)
        for place, (row, before) in enumerate(rows):
            value = getattr(row, kind.field)
            if value != getattr(before, kind.field):
                yield f"{letter}{place}:{_NONE if value is None else parameter(value)}"


def _maybe(bandwidth: float | None) -> str:
    return _NONE if bandwidth is None else parameter(bandwidth / MEGABYTE)


def read(given: Mapping[str, str], usual: BagsInputs) -> tuple[SharesAddress, tuple[str, ...]]:
    """What an address says of these bags, and a sentence for each parameter that was ignored."""
    parameters = Parameters(given)
    inputs = replace(usual, untyped={})
    begins = parameters.number(_BEGINS, BEGINS, float)
    if begins is not None:
        inputs = replace(inputs, clock=DayClock(begins))
    if given.get(_BANDWIDTH) == _NONE:
        inputs = replace(inputs, bandwidth=None)
    elif (bandwidth := parameters.number(_BANDWIDTH, MASTER, float)) is not None:
        inputs = replace(inputs, bandwidth=bandwidth * MEGABYTE)
    inputs = _with_cells(parameters, inputs)
    inputs = replace(inputs, change=_change(parameters, inputs))
    stretch = parameters.number(_STRETCH, CHOSEN_STRETCH, float)
    whole = parameters.choice(_WHOLE, (_YES,)) == _YES
    trials = parameters.number(_TRIALS, TRIALS, int) or 0
    return SharesAddress(inputs, stretch, whole, trials), tuple(parameters.notes)


def _with_cells(parameters: Parameters, inputs: BagsInputs) -> BagsInputs:
    text = parameters.given.get(_CELLS, "")
    changed: dict[str, list[Any]] = {
        "bags": list(inputs.bags),
        "workers": list(inputs.workers),
    }
    for part in text.split():
        cell = _cell(part)
        if cell is None or cell[1] >= len(changed[cell[0].rows]):
            parameters.notes.append(
                f"{_CELLS} has “{shown(part)}”, which is no cell of these tables; remove it"
            )
            continue
        kind, place, value = cell
        rows = changed[kind.rows]
        rows[place] = replace(rows[place], **{kind.field: value})
    return replace(inputs, bags=tuple(changed["bags"]), workers=tuple(changed["workers"]))


def _cell(part: str) -> tuple[_Kind, int, float | int | None] | None:
    found = _CELL.fullmatch(part)
    if found is None or found[1] not in _KINDS:
        return None
    kind, place = _KINDS[found[1]], int(found[2])
    if found[3] == _NONE:
        return (kind, place, None) if kind.may_be_blank else None
    value = float(found[3])
    if value not in kind.allowed or (kind.whole and value % 1):
        return None
    return kind, place, int(value) if kind.whole else value


def _change(parameters: Parameters, inputs: BagsInputs) -> BagsChange:
    bag = _numbers(parameters, _BAG, "3:100:1800 (row, tasks, seconds)", 3)
    machines = _numbers(parameters, _MACHINES, "1:2 (row, machines)", 2)
    faster = parameters.number(_FASTER, MASTER, float)
    found = BagsChange()
    if bag is not None:
        like, tasks, release = bag
        if like in range(len(inputs.bags)) and tasks in MOST_TASKS and release in RELEASE:
            found = replace(found, bag=OneMoreBag(int(like), max(int(tasks), 1), release))
        else:
            parameters.ignore(_BAG, "a row, tasks and a time of these bags")
    if machines is not None:
        kind, more = machines
        if kind in range(len(inputs.workers)) and more in _ADDED and more % 1 == 0:
            found = replace(found, machines=MachinesAdded(int(kind), int(more)))
        else:
            parameters.ignore(_MACHINES, "a row and a whole number of machines")
    return found if faster is None else replace(found, bandwidth=faster * MEGABYTE)


def _numbers(
    parameters: Parameters, name: str, example: str, count: int
) -> tuple[float, ...] | None:
    text = parameters.given.get(name)
    if text is None:
        return None
    parts = text.split(":")
    if len(parts) != count or not all(re.fullmatch(_NUMBER, part) for part in parts):
        parameters.ignore(name, f"numbers such as {example}")
        return None
    return tuple(map(float, parts))
