"""What a person says of bags that arrive, cell by cell in tables, and the bags that this makes."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, NamedTuple, Self

import numpy as np
import pandas as pd

from core import System
from core.capabilities.fair_shares.bags import DATA, ArrivingBags, Network
from core.capabilities.fair_shares.bags_reader import MASTER, MEGABYTE, MEMORY
from core.capabilities.fair_shares.day_clock import USUAL_CLOCK, DayClock
from core.capabilities.fair_shares.settings import WhatIfSettings
from core.capabilities.fair_shares.shares import NO_CHANGE, BagsChange
from core.vocabulary.problems import InvalidInput, Problem
from core.vocabulary.ranges import MACHINE_COUNT, Range
from core.vocabulary.say.words import Sense, rounded

BagsTable = Literal["bags", "machines"]
MOST_WORK: Final = 40_000
"""Square of the bags times kinds of machines that a page computes: half a minute at most."""
TITLES: Final[dict[BagsTable, str]] = {"bags": "Bags", "machines": "Machines and links"}
NAME: Final = "name"
RELEASE: Final = "release"
MOST_TASKS: Final = Range(0, 10**9, "tasks")


@dataclass(frozen=True, slots=True)
class BagInput:
    """A bag: how many tasks, when it is released (s), and the data of a task (bytes)."""

    tasks: int
    release: float = 0.0
    data: float = 0.0


@dataclass(frozen=True, slots=True)
class WorkerInput:
    """A machine type: how many machines, and what one of them receives (bytes a second) and holds
    (bytes) at most; None is no limit.
    """

    machines: int
    link: float | None = None
    memory: float | None = None


@dataclass(frozen=True, slots=True)
class BagsInputs:
    """Bags and machines in the order of the types of the system, the bandwidth of the master (MB/s;
    None is no limit), and what is different in a what-if.

    `untyped` are cells of release dates that cannot be read, by row.
    """

    bags: tuple[BagInput, ...]
    workers: tuple[WorkerInput, ...]
    bandwidth: float | None = None
    clock: DayClock = USUAL_CLOCK
    change: BagsChange = NO_CHANGE
    untyped: Mapping[int, str] = field(default_factory=dict)

    @property
    def what_if(self) -> WhatIfSettings:
        """The clock and the bandwidth in the what-if, as settings."""
        return WhatIfSettings(self.clock.begins, megabytes(self.change.bandwidth))

    def with_what_if(self, said: WhatIfSettings) -> Self:
        """With another clock, and another bandwidth in the what-if."""
        bandwidth = None if said.bandwidth is None else said.bandwidth * MEGABYTE
        change = replace(self.change, bandwidth=bandwidth)
        return replace(self, clock=DayClock(said.begins), change=change)

    @classmethod
    def of(cls, bags: ArrivingBags) -> Self:
        """What the files of some bags say."""
        system, network = bags.system, bags.network
        return cls(
            tuple(
                BagInput(kind.count, release, data)
                for kind, release, data in zip(
                    system.task_types, bags.release.tolist(), bags.data.tolist(), strict=True
                )
            ),
            tuple(
                WorkerInput(kind.count, _finite(link), _finite(memory))
                for kind, link, memory in zip(
                    system.machine_types,
                    network.links.tolist(),
                    network.memory.tolist(),
                    strict=True,
                )
            ),
            megabytes(_finite(network.bandwidth)),
        )


def bags_of(system: System, inputs: BagsInputs) -> ArrivingBags:
    """The bags before any change. Raises `InvalidInput`."""
    if inputs.untyped:
        raise InvalidInput(_untyped(system, inputs))
    counted = replace(
        system,
        task_types=tuple(
            replace(kind, count=bag.tasks)
            for kind, bag in zip(system.task_types, inputs.bags, strict=True)
        ),
        machine_types=tuple(
            replace(kind, count=worker.machines)
            for kind, worker in zip(system.machine_types, inputs.workers, strict=True)
        ),
    )
    bags = ArrivingBags(
        counted,
        np.array([bag.release for bag in inputs.bags]),
        np.array([bag.data for bag in inputs.bags]),
        Network(
            MEGABYTE * _limit(inputs.bandwidth),
            np.array([_limit(worker.link) for worker in inputs.workers]),
            np.array([_limit(worker.memory) for worker in inputs.workers]),
        ),
    )
    if work_of(bags) > MOST_WORK:
        raise InvalidInput([_too_many(*bags.work.seconds.shape)])
    return bags


def work_of(bags: ArrivingBags) -> int:
    """How much there is to compute, compared with `MOST_WORK`."""
    there, workers = bags.work.seconds.shape
    return int(there * there * workers)


def _untyped(system: System, inputs: BagsInputs) -> Sequence[Problem]:
    found = []
    for row, text in inputs.untyped.items():
        try:
            inputs.clock.typed(text)
        except ValueError as fault:
            found.append(Problem("bags", system.task_names[row], "Released", str(fault)))
    return found


def _too_many(bags: int, workers: int) -> Problem:
    message = (
        f"{bags:,} bags on {workers:,} kinds of machines are more than this page computes at once; "
        "set the tasks of some bags to 0, or use wattfront fair-shares"
    )
    return Problem("bags", "", "", message)


def _finite(value: float) -> float | None:
    return value if math.isfinite(value) else None


def megabytes(size: float | None) -> float | None:
    """A size in MB, in the digits that people type."""
    return None if size is None else rounded(size / MEGABYTE, Sense.PLAIN, 12)


def _limit(value: float | None) -> float:
    return math.inf if value is None else value


class BagsColumn(NamedTuple):
    """A column to edit: its title, its numbers, how large one is in SI units, and its meaning."""

    title: str
    allowed: Range
    size: float
    meaning: str
    whole: bool = False


COLUMNS: Final[dict[BagsTable, dict[str, BagsColumn]]] = {
    "bags": {
        "tasks": BagsColumn(
            "Tasks", MOST_TASKS, 1, "All of one type. 0: there is no such bag.", whole=True
        ),
        "data": BagsColumn(
            "Data (MB a task)",
            Range(DATA.low, DATA.high / MEGABYTE, "MB"),
            MEGABYTE,
            "What the master sends for each task before it can run.",
        ),
    },
    "machines": {
        "machines": BagsColumn(
            "Machines", MACHINE_COUNT, 1, "How many there are of this type.", whole=True
        ),
        "link": BagsColumn(
            "Link (MB/s)", MASTER, MEGABYTE, "What one machine receives at most. Blank: no limit."
        ),
        "memory": BagsColumn(
            "Memory (MB)",
            MEMORY,
            MEGABYTE,
            "What data of waiting tasks one machine holds at most. Blank: no limit.",
        ),
    },
}


def frame(system: System, inputs: BagsInputs, table: BagsTable) -> pd.DataFrame:
    """A row for each type. Release dates are texts: times of day."""
    names = system.task_names if table == "bags" else system.machine_names
    rows = _rows(inputs, table)
    cells: dict[str, object] = {NAME: list(names)}
    if table == "bags":
        cells[RELEASE] = [
            inputs.untyped.get(row, inputs.clock.cell(bag.release))
            for row, bag in enumerate(inputs.bags)
        ]
    for name, column in COLUMNS[table].items():
        values = [getattr(row, name) for row in rows]
        if column.whole:
            cells[name] = values
            continue
        cells[name] = [
            float("nan") if value is None else rounded(value / column.size, Sense.PLAIN, 12)
            for value in values
        ]
    return pd.DataFrame(cells)


def edited(
    inputs: BagsInputs, given: BagsInputs, table: BagsTable, edits: Mapping[int, Mapping[str, Any]]
) -> BagsInputs:
    """The inputs with the edits of a table that was given with others."""
    rows, untyped = list(_rows(given, table)), dict(given.untyped)
    for place, cells in edits.items():
        for name, value in cells.items():
            if name == RELEASE:
                _release(rows, untyped, given, place, value)
                continue
            column = COLUMNS[table][name]
            rows[place] = replace(rows[place], **{name: _number(column, value, table)})
    if table == "bags":
        return replace(inputs, bags=tuple(rows), untyped=untyped)
    return replace(inputs, workers=tuple(rows))


def _release(
    rows: list[Any], untyped: dict[int, str], given: BagsInputs, place: int, text: str | None
) -> None:
    untyped.pop(place, None)
    if not (text or "").strip():
        rows[place] = replace(rows[place], release=0.0)
        return
    try:
        rows[place] = replace(rows[place], release=given.clock.typed(str(text)))
    except ValueError:
        untyped[place] = str(text)


def _number(column: BagsColumn, value: float | None, table: BagsTable) -> float | int | None:
    if value is None:
        return None if table == "machines" and not column.whole else 0
    return int(value) if column.whole else value * column.size


def _rows(inputs: BagsInputs, table: BagsTable) -> tuple[Any, ...]:
    return inputs.bags if table == "bags" else inputs.workers
