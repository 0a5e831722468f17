"""The settings of the page Fair shares, and how the address says them."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from core.capabilities.fair_shares.bags import DATA, RELEASE
from core.capabilities.fair_shares.bags_reader import MASTER, MEGABYTE, MEMORY
from core.capabilities.fair_shares.settings import SharesSettings, WhatIfSettings
from core.capabilities.fair_shares.shares import BagsChange, MachinesAdded, OneMoreBag
from core.files.findings import shown
from core.vocabulary.ranges import MACHINE_COUNT, Range
from dashboard.screens.fair_shares.inputs import MOST_TASKS, BagsInputs
from dashboard.workspace.parameters import (
    Parameters,
    parameters_of,
    read_settings,
    written_settings,
)
from dashboard.workspace.parameters import written as parameter

SOURCES: Final = ("morning", "system", "own")
_PREFIX: Final = "shares_"
_NONE: Final = "none"
_SOURCE: Final = "shares_bags"
_CELLS: Final = "shares_cells"
_BAG: Final = "shares_another"
_MACHINES: Final = "shares_machines"
PARAMETERS: Final = (
    parameters_of(SharesSettings, _PREFIX)
    | parameters_of(WhatIfSettings, _PREFIX)
    | {_SOURCE, _CELLS, _BAG, _MACHINES}
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


def source_of(given: Mapping[str, str]) -> str | None:
    """Where the bags come from, if the address says it; a person's own stay with the session."""
    found = given.get(_SOURCE)
    return found if found in SOURCES[:2] else None


def written(
    source: str,
    inputs: BagsInputs,
    look: SharesSettings,
    usual: BagsInputs,
    usual_source: str = SOURCES[0],
) -> dict[str, str]:
    """The parameters of what differs from the usual."""
    found = {} if source in (usual_source, "own") else {_SOURCE: source}
    now, before = replace(look, bandwidth=inputs.bandwidth), SharesSettings(usual.bandwidth)
    found |= written_settings(now, before, _PREFIX)
    found |= written_settings(inputs.what_if, usual.what_if, _PREFIX)
    cells = " ".join(_cells(inputs, usual))
    if cells:
        found[_CELLS] = cells
    if inputs.change.bag is not None:
        bag, tasks, release = inputs.change.bag
        found[_BAG] = f"{bag}:{tasks}:{parameter(release)}"
    if inputs.change.machines is not None:
        kind, more = inputs.change.machines
        found[_MACHINES] = f"{kind}:{more}"
    return found


def _cells(inputs: BagsInputs, usual: BagsInputs) -> Iterator[str]:
    for letter, kind in _KINDS.items():
        rows = zip(getattr(inputs, kind.rows), getattr(usual, kind.rows), strict=True)
        for place, (row, before) in enumerate(rows):
            value = getattr(row, kind.field)
            if value != getattr(before, kind.field):
                yield f"{letter}{place}:{_NONE if value is None else parameter(value)}"


def read(
    given: Mapping[str, str], usual: BagsInputs
) -> tuple[BagsInputs, SharesSettings, tuple[str, ...]]:
    """What an address says of bags and of what is looked at; and a sentence for each fault."""
    parameters = Parameters(given)
    look = read_settings(parameters, SharesSettings(usual.bandwidth), _PREFIX)
    what_if = read_settings(parameters, usual.what_if, _PREFIX)
    inputs = replace(usual, bandwidth=look.bandwidth, untyped={}).with_what_if(what_if)
    inputs = _with_cells(parameters, inputs)
    inputs = replace(inputs, change=_change(parameters, inputs))
    return inputs, look, tuple(parameters.notes)


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
    found = inputs.change
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
    return found


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
