"""A workload as its files have it, and its settings (`workload.toml`, the sheet `workload`, or the
object "workload").

```toml
name = "A day"
switching = "off when idle"   # or "always on", "until last job"
begin = "4h"                  # of what is scored; before it, machines warm up
end = "28h"                   # no job starts from here on; without it, until all jobs are done
budget = "12GJ"               # what jobs may draw in a day; without it, there is no limit
states = ["P0", "P1"]         # the power states of options, the fastest first
job_types = ["IS", "MG"]      # without it, in the order in which jobs have them
```
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple, Self

import numpy as np

from core.capabilities.arrivals.files.value_tables import OF_VALUE, PERIODS, WEIGHTS
from core.engines.replay.energy import EnergyWindows
from core.engines.replay.value import JobValues, ValueWeights, valued
from core.engines.replay.workload import ARRIVAL, SWITCHING, Horizon, Switching, Truth, Workload
from core.files.findings import Findings
from core.files.numbers import number_cell, parse_number
from core.files.schema import Column, Schema
from core.files.strict_json import Fields
from core.files.table_set import TableSet
from core.vocabulary.problems import InvalidInput, Problem
from core.vocabulary.ranges import Range
from core.vocabulary.say.quantities import ENERGY, TIME, Quantity
from core.vocabulary.say.words import typed

WORKLOAD_FORMAT: Final = "wattfront-workload"
WORKLOAD_VERSION: Final = 1
SETTINGS: Final = "workload"
"""The name of its settings: `workload.toml`, a sheet, or a key of a document."""

_OF_OPTIONS: Final = (
    Column("pool", "name"),
    Column("units", "whole"),
    Column("seconds", "number", unit="seconds"),
    Column("watts", "number", 0.0, "watts"),
    Column("state", "name", ""),
)
EXTRA: Final = Column("extra", "number", 0.0, "worth")
"""What an option adds to the worth of its job; written where any adds something."""
MEMORY_GB: Final = "memory_gb"
"""The further resource that has a column of its own name."""
_RESOURCE: Final = "resource:"
_OF_STOPPING: Final = (
    Column("may_stop_others", "flag", 0.0),
    Column("may_be_stopped", "flag", 0.0),
    Column("tier", "whole", 0),
)
RIGHTS: Final = tuple(column.name for column in _OF_STOPPING)
"""Columns of jobs that are written where a job may stop others."""
TABLES: Final[dict[str, Schema]] = {
    "pools": (
        Column("pool", "name"),
        Column("units", "whole"),
        Column("cores", "whole", 1),
        Column("idle_watts", "number", 0.0, "watts"),
        Column("sleep_watts", "number", 0.0, "watts"),
        Column("one_machine", "flag", 0.0),
    ),
    "jobs": (
        Column("job", "name", ""),
        Column("job_type", "name", "job"),
        Column("arrival", "number", unit="seconds"),
        Column("priority", "number", 1.0, "worth"),
        Column("urgency", "number", 0.0, "1/s"),
        Column("curve", "name", ""),
        Column("cores", "whole", 0, is_written=False),
        *_OF_STOPPING,
        *OF_VALUE,
    ),
    "options": (Column("job", "name"), *_OF_OPTIONS, EXTRA),
    "curves": (
        Column("curve", "name"),
        Column("begin", "number", unit="seconds"),
        Column("high", "number", unit="shares of the priority"),
        Column("low", "number", math.nan, "shares of the priority"),
        Column("decay", "number", 0.0, "times the urgency"),
    ),
    "truth": (
        Column("job", "name"),
        Column("time", "number", 1.0, "shares of the estimate"),
        Column("power", "number", 1.0, "shares of the estimate"),
    ),
    "types": (Column("job_type", "name"), *_OF_OPTIONS),
    "weights": WEIGHTS,
    "periods": PERIODS,
}
"""The tables of a workload. Pools and options may also have columns of further resources:
`memory_gb`, or any `resource:NAME`. `types` has the times of types of jobs, for files that have no
`options`; it is read only, as the `cores` of jobs are, which serve for that.
"""
WORKLOAD: Final = TableSet(
    "workload",
    tuple(TABLES),
    SETTINGS,
    "jobs.csv",
    WORKLOAD_FORMAT,
    WORKLOAD_VERSION,
    may_be_alone=True,
)
"""Where its tables are."""
LONE_JOBS: Final[Schema] = (
    Column("arrival", "number", unit="seconds"),
    Column("seconds", "number", unit="seconds"),
    Column("job", "name", ""),
    Column("type", "name", "job"),
    Column("units", "whole", 1),
    Column("pool", "name", "cluster"),
    Column("watts", "number", 0.0, "watts"),
    Column("worth", "number", 1.0, "worth"),
    Column("requested", "number", math.nan, "seconds"),
)
"""A table of jobs that is a file by itself."""


def title_of_resource(name: str) -> str:
    """The title of the column of a further resource."""
    return name if name == MEMORY_GB else f"{_RESOURCE}{name}"


def resources_in(titles: Sequence[str]) -> list[str]:
    """The further resources of which a table has columns, memory first; one that is there twice is
    there twice.
    """
    names = [title.removeprefix(_RESOURCE) for title in titles if title.startswith(_RESOURCE)]
    return [*(title for title in titles if title == MEMORY_GB), *names]


def amount_columns(names: Sequence[str]) -> Schema:
    """The columns of further resources."""
    return tuple(Column(title_of_resource(name), "number", 0.0) for name in names)


@dataclass(frozen=True)
class WorkloadFile:
    """A workload, what really happens (`truth`), and the joules that a day may spend. Its jobs have
    `values` if value functions say what they are worth.
    """

    workload: Workload
    truth: Truth
    day_joules: float = math.inf
    values: JobValues | None = None

    @property
    def of_value(self) -> bool:
        """Whether options add to the worth of their jobs, as in value of service."""
        return self.workload.options.extra is not None

    @property
    def draws(self) -> bool:
        """Whether any job draws energy, which a budget may limit."""
        return bool(self.workload.options.watts.any())

    @classmethod
    def as_estimated(cls, workload: Workload, day_joules: float = math.inf) -> Self:
        """The workload, whose jobs take and draw what is estimated."""
        return cls(workload, Truth.as_estimated(len(workload.jobs)), day_joules)

    def with_values(self, values: JobValues) -> Self:
        """The same jobs with other value functions, or weights. Raises `InvalidInput` if one is
        worth nothing on any option.
        """
        found = valued(self.workload.jobs, self.workload.options, values)
        worths = replace(self.workload, **found._asdict())
        return replace(self, workload=worths, values=values)

    def weighed(self, weights: ValueWeights) -> Self:
        """The same with these weights, for the hours of its day. Raises `InvalidInput` if its jobs
        have no value functions, or a category of jobs has no weights.
        """
        if self.values is None:
            message = "are for jobs with value functions, and these have none; leave them out"
            raise InvalidInput([Problem("weights", "", "", message)])
        mine = weights.for_categories(self.values.weights.categories)
        return self.with_values(replace(self.values, weights=mine.within(self.workload.horizon)))

    @property
    def windows(self) -> EnergyWindows:
        return EnergyWindows.daily(self.workload.horizon, self.day_joules)


_JOULES: Final = Range(0.0, 1e24, "J")
_KEYS: Final = ("name", "switching", "begin", "end", "budget", "states", "job_types")
_MOST_NAMES: Final = 10_000


class WorkloadSettings(NamedTuple):
    """What the settings say; valid only if nothing was reported."""

    name: str = ""
    switching: Switching = "always on"
    horizon: Horizon = Horizon()
    day_joules: float = math.inf
    states: tuple[str, ...] | None = None
    job_types: tuple[str, ...] | None = None


def read_workload_settings(
    content: dict[str, object], label: str, findings: Findings
) -> WorkloadSettings:
    """The settings, with defaults for what is missing or wrong; what is wrong is reported."""
    given = Fields(content, label, findings)
    given.refuse_unknown(_KEYS, "workload")
    switching: Switching = "always on"
    if "switching" in content:
        chosen = given.one_of("switching", SWITCHING)
        switching = next((rule for rule in SWITCHING if rule == chosen), switching)
    begin = _quantity(given, "begin", TIME, ARRIVAL, 0.0)
    end = _quantity(given, "end", TIME, ARRIVAL, math.inf)
    if end <= begin:
        given.error(
            "end", f"is {typed(end)} s, not after the begin at {typed(begin)} s; give a later end"
        )
    return WorkloadSettings(
        _name(given),
        switching,
        Horizon(begin, end),
        _quantity(given, "budget", ENERGY, _JOULES, math.inf),
        _names(given, "states"),
        _names(given, "job_types"),
    )


def _quantity(given: Fields, key: str, quantity: Quantity, allowed: Range, missing: float) -> float:
    if key not in given.content:
        return missing
    found = given.quantity(key, quantity, allowed)
    return missing if math.isnan(found) else found


def _name(given: Fields) -> str:
    text = _text_of(given.content.get("name", ""))
    if text is None:
        given.error("name", "is not text; give it in quotation marks")
    return text or ""


def _text_of(value: object) -> str | None:
    """A value that is a text, perhaps one that was taken for a number; None for others."""
    if isinstance(value, str):
        return value[1:] if value.startswith("'") and _is_like_number(value) else value
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return str(value) if isinstance(value, int) else number_cell(value)


def quoted(text: str) -> str:
    """A text as a setting on a sheet, where numbers and blanks would not stay texts."""
    return f"'{text}" if _is_like_number(text) else text


def _is_like_number(text: str) -> bool:
    bare = text.lstrip("'").strip()
    return not bare or parse_number(bare) is not None


def _names(given: Fields, key: str) -> tuple[str, ...] | None:
    """A list of different texts; None if there is none."""
    if key not in given.content:
        return None
    value = given.content[key]
    listed = value if isinstance(value, list) else [value]
    names = tuple(text for item in listed if (text := _text_of(item)) is not None)
    if len(names) < len(listed) or len(set(names)) < len(names):
        given.error(key, "has something that is no text, or is there twice; give different texts")
        return None
    if not 0 < len(names) <= _MOST_NAMES:
        given.error(key, f"has {len(names):,} texts; give 1 to {_MOST_NAMES:,}")
        return None
    return names


def _kept(text: str) -> str:
    """A text that begins with an apostrophe as readers take it."""
    return quoted(text) if text.startswith("'") else text


def settings_of_workload(file: WorkloadFile) -> dict[str, object]:
    """The settings of a workload, which can be read back."""
    workload = file.workload
    begin, end = workload.horizon
    found: dict[str, object] = {"name": _kept(workload.name), "switching": workload.switching}
    found |= {"begin": begin} if begin > 0 else {}
    found |= {"end": end} if not math.isinf(end) else {}
    found |= {"budget": file.day_joules} if not math.isinf(file.day_joules) else {}
    labels = workload.options.labels
    found |= {"states": list(map(_kept, labels))} if labels != ("",) else {}
    types = workload.jobs.types
    _, first = np.unique(workload.jobs.type, return_index=True)
    if len(first) < len(types) or (np.diff(first) < 0).any():
        found |= {"job_types": list(map(_kept, types))}
    return found
