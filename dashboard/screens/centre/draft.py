"""A centre while a person edits it: its tables as they are typed, and the last that was valid."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, Literal, NamedTuple, Self

import pandas as pd

from core.capabilities.centre.files.centre_file import CentreFile
from core.capabilities.centre.files.centre_reader import centre_in_document
from core.capabilities.centre.files.centre_settings import SETTINGS
from core.capabilities.centre.files.centre_writer import document_of_centre
from core.capabilities.centre.files.signal_files import FOLDER
from core.engines.signals.kinds import GREEN, SUN
from core.engines.signals.plain import signal_csv
from core.engines.signals.signal import Signal
from core.files.findings import Findings
from core.vocabulary.problems import Problem
from core.vocabulary.say.words import MINUTE
from dashboard.screens.centre.clock_axis import CentreClock
from dashboard.workspace.draft import Change

CentreTable = Literal["servers", "room", "jobs", "curves", "day"]
TITLES: Final[dict[CentreTable, str]] = {
    "servers": "Servers",
    "room": "Room, cooling and panels",
    "jobs": "Jobs",
    "curves": "Curves",
    "day": "Day, money and fan",
}
MOST_ROWS: Final = 2_000
"""The rows of a table that a browser edits with ease."""
MINUTES: Final = "minutes"
_TIMES: Final = ("release", "due")
_USUAL: Final[dict[str, dict[str, object]]] = {
    "servers": {"count": 1, "busy_watts": 300.0, "idle_watts": 150.0, "asleep_watts": 10.0},
    "jobs": {"servers": 1, "seconds": 3600.0, "release": 0.0, "count": 1},
}
"""A row that is added, where its cells are blank."""


class RoomSetting(NamedTuple):
    """A number of the settings of a centre: its group, its key, and what a person calls it."""

    group: str
    key: str
    label: str


ROOM: Final = (
    RoomSetting("room", "limit", "Inside, at most (°C)"),
    RoomSetting("room", "first", "Inside, when the day begins (°C)"),
    RoomSetting("room", "coolest", "Cooled to no less than (°C)"),
    RoomSetting("room", "heat_capacity", "Heat that warms the room by 1 °C (J)"),
    RoomSetting("room", "leak", "Leak through the walls (W for each °C)"),
    RoomSetting("room", "kept", "Linear law: share of inside that is kept"),
    RoomSetting("room", "outside", "Linear law: share of outside"),
    RoomSetting("room", "per_watt", "Linear law: °C for each W of servers"),
    RoomSetting("room", "fan", "Linear law: °C that the full fan takes out"),
    RoomSetting("room", "compressor", "Linear law: °C that the compressor takes out"),
    RoomSetting("cooling", "fan_watts", "Full fan draws (W)"),
    RoomSetting("cooling", "fan_heat", "Full fan takes out (W for each °C colder outside)"),
    RoomSetting("cooling", "compressor_watts", "Compressor draws (W)"),
    RoomSetting("cooling", "compressor_heat", "Compressor takes out (W)"),
    RoomSetting("panels", "count", "Panels"),
    RoomSetting("panels", "rated_kw", "Rated power of a panel (kW)"),
    RoomSetting("panels", "performance_ratio", "Share of it that arrives (0.75 to 0.85 is usual)"),
)
"""The rows of the table of room and cooling; those of the law that the room has not are left out.
"""
NAME, VALUE = "name", "value"


@dataclass(frozen=True, eq=False)
class CentreDraft:
    """The document of a centre as it is typed, `file`, the last of it that was valid, and what is
    wrong with the document, if anything.
    """

    document: Mapping[str, Any]
    file: CentreFile
    problems: tuple[Problem, ...] = ()
    is_in_force: bool = True

    @classmethod
    def of(cls, file: CentreFile) -> Self:
        return cls(document_of_centre(file), file)

    def with_document(self, **changed: object) -> Self:
        """With other parts of the document, which is in force if it is valid."""
        document, findings = {**self.document, **changed}, Findings()
        file = centre_in_document(document, "centre", findings)
        return replace(
            self,
            document=document,
            file=file or self.file,
            problems=findings.problems(),
            is_in_force=file is not None,
        )

    @cached_property
    def settings(self) -> Mapping[str, Mapping[str, Any]]:
        """The settings in groups."""
        found: Mapping[str, Mapping[str, Any]] = self.document[SETTINGS]
        return found

    def with_setting(self, group: str, key: str, value: object) -> Self:
        """With another value of a setting."""
        settings = {**self.settings, group: {**self.settings.get(group, {}), key: value}}
        return self.with_document(**{SETTINGS: settings})

    @property
    def room(self) -> tuple[RoomSetting, ...]:
        """The rows of room and cooling, for the law that the room has."""
        left_out = ("heat_capacity", "leak") if "kept" in self.settings["room"] else _LINEAR
        return tuple(one for one in ROOM if one.group != "room" or one.key not in left_out)

    def rows(self, table: str) -> list[list[Any]]:
        """The rows of a table below its titles."""
        found: list[list[Any]] = self.document[table][1:]
        return found

    def titles(self, table: str) -> list[str]:
        found: list[str] = self.document[table][0]
        return found

    def frame(self, table: CentreTable) -> pd.DataFrame:
        """The cells to edit. Times of jobs are what the clock of the centre shows."""
        if table == "room":
            values = [self.settings.get(one.group, {}).get(one.key) for one in self.room]
            numbers = pd.array(values, dtype="Float64").to_numpy(float, na_value=float("nan"))
            return pd.DataFrame({NAME: [one.label for one in self.room], VALUE: numbers})
        rows, titles = self.rows(table), self.titles(table)
        columns = {title: [row[k] for row in rows] for k, title in enumerate(titles)}
        if table == "servers":
            return pd.DataFrame(columns)
        columns[MINUTES] = [_minutes(value) for value in columns.pop("seconds")]
        clock = CentreClock.of(self.file.grid)
        for name in _TIMES:
            columns[name] = [_clock_text(clock, value) for value in columns[name]]
        order = ("job", "kind", "servers", MINUTES, "release", "due", "count")
        return pd.DataFrame({name: columns[name] for name in order})

    def changed(self, table: CentreTable, given: Self, change: Change) -> Self:
        """After a change of a table that was given with another draft."""
        if table == "room":
            return self.with_document(**{SETTINGS: given._room_with(self.settings, change)})
        titles, rows = given.titles(table), [[*row] for row in given.rows(table)]
        for place, cells in change.edited.items():
            for name, value in cells.items():
                k, cell = _cell(titles, name, value)
                rows[place][k] = cell
        kept = [row for place, row in enumerate(rows) if place not in set(change.deleted)]
        kept += [_added(titles, table, cells) for cells in change.added]
        parts: dict[str, object] = {table: [titles, *kept]}
        if table == "servers":
            renamed = {
                old[0]: new[0]
                for old, new in zip(given.rows(table), rows, strict=True)
                if old[0] != new[0] and new[0]
            }
            parts["jobs"] = self._jobs_of(renamed)
        return self.with_document(**parts)

    def _jobs_of(self, renamed: Mapping[str, str]) -> list[list[Any]]:
        """The jobs, with other names of their kinds."""
        titles, k = self.titles("jobs"), self.titles("jobs").index("kind")
        rows = [[*row[:k], renamed.get(row[k], row[k]), *row[k + 1 :]] for row in self.rows("jobs")]
        return [titles, *rows]

    def _room_with(
        self, now: Mapping[str, Mapping[str, Any]], change: Change
    ) -> dict[str, Mapping[str, Any]]:
        found = {**now}
        for place, cells in change.edited.items():
            one, value = self.room[place], cells[VALUE]
            group = {**found.get(one.group, {}), one.key: value}
            if value is None:
                del group[one.key]
            elif one.key == "count":
                group[one.key] = int(value) if value == int(value) else value
            found[one.group] = group
        if not found.get("panels", True):
            del found["panels"]
        return found

    def with_curves(self, signals: Sequence[Signal], moved: int = 0) -> Self:
        """With these curves, `moved` by so many days, in place of those of their kinds. Green power
        takes the place of panels and sun.
        """
        files, settings = dict(self.document[FOLDER]), dict(self.settings)
        kinds = {signal.kind for signal in signals}
        all_day = settings.get("all_day", {})
        settings["all_day"] = {
            name: value for name, value in all_day.items() if name not in {k.name for k in kinds}
        }
        if GREEN in kinds:
            settings.pop("panels", None)
            kinds.add(SUN)
        names = {kind.name for kind in kinds}
        days = {name: one for name, one in settings.pop("moved", {}).items() if name not in names}
        if moved:
            days |= {signal.kind.name: moved for signal in signals}
        if days:
            settings["moved"] = days
        for kind in kinds:
            for ending in ("", "-forecast"):
                # A forecast stands beside what came; what came takes the place of both.
                others = {"-forecast" if one.is_forecast else "" for one in signals}
                if ending in others or "" in others:
                    files.pop(f"{kind.name}{ending}.csv", None)
        for signal in signals:
            ending = "-forecast" if signal.is_forecast else ""
            files[f"{signal.kind.name}{ending}.csv"] = signal_csv(signal)
        return self.with_document(**{FOLDER: files, SETTINGS: settings})


_LINEAR: Final = ("kept", "outside", "per_watt", "fan", "compressor")


def _minutes(value: object) -> float:
    return float(value) / MINUTE if isinstance(value, int | float) else float("nan")


def _clock_text(clock: CentreClock, value: object) -> str:
    """A time of day, or what was typed in its place; with the date if it is of another day."""
    if not isinstance(value, int | float):
        return "" if value is None else str(value)
    return clock.typed(float(value))


def _cell(titles: Sequence[str], name: str, value: Any) -> tuple[int, Any]:
    """The place of a cell in a row of the document, and what is there."""
    if name == MINUTES:
        return titles.index("seconds"), None if value is None else value * MINUTE
    return titles.index(name), value


def _added(titles: Sequence[str], table: str, cells: Mapping[str, Any]) -> list[Any]:
    row = [_USUAL[table].get(title) for title in titles]
    for name, value in cells.items():
        if name == MINUTES or name in titles:
            k, cell = _cell(titles, name, value)
            row[k] = row[k] if cell is None else cell
    return row
