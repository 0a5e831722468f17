"""Numbers by the hour of the day as arguments of a command: steps, or a file of them."""

import argparse
import math
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from core.files import limits
from core.files.columns import ReadColumns
from core.files.disk import read_file
from core.files.findings import Findings, Reading, Unreadable
from core.files.number_format import plainly, shown_by
from core.files.numbers import parse_number
from core.files.schema import Column, Schema, parted_title
from core.files.table_file import read_table
from core.files.text import titles_of
from core.shells.settings.numbers import number_within
from core.vocabulary.calendar import HOURS_OF_DAY
from core.vocabulary.prices.day import DailySteps
from core.vocabulary.prices.site import CURRENCIES, Site
from core.vocabulary.problems import refuse, refusing
from core.vocabulary.setting import ByHour, settings_in

_CLOCK: Final = re.compile(r"(\d{1,2}):([0-5]\d)")
_AN_HOUR: Final = "0 to below 24, as 7, 7.5 or 07:30"
_BEGINS: Final = "hour, hours, hour of the day, stunde, uhrzeit, von"
_PER_KWH: Final = ", ".join(
    f"{unit.casefold()}{per}kwh"
    for unit in (*CURRENCIES, "€", "$", "kg", "kg co2", "kg co₂")
    for per in ("/", " per ")
)
_NO_TIME: Final = f"is not a time of day; give {_AN_HOUR}"


def read_by_hour(text: str, kind: ByHour, flag: str) -> DailySteps:
    """Hours and numbers from `0:0.20,7:0.35` or a file of that name. Raises `InvalidInput`."""
    if ":" not in text or os.path.lexists(text):
        steps = _steps_in(Path(text), kind)
    else:
        return read_steps(text, kind, flag, f"or a CSV file of from,{kind.what}")
    return _once(steps, flag)


def read_steps(text: str, kind: ByHour, what: str, otherwise: str) -> DailySteps:
    """Hours and numbers from `0:0.20,7:0.35`. Raises `InvalidInput`, which says `what` is wrong,
    and what can be given `otherwise`.
    """
    with refusing(argparse.ArgumentTypeError, of=what):
        return _once(tuple(_steps_of(text, kind, otherwise)), what)


def _once(steps: DailySteps, what: str) -> DailySteps:
    if len({hour for hour, _ in steps}) < len(steps):
        refuse([f"{what} gives two numbers from the same hour on; keep one"])
    return steps


def _steps_of(text: str, kind: ByHour, otherwise: str) -> Iterator[tuple[float, float]]:
    parts = text.split(",")
    for before, part in zip(["", *parts], parts, strict=False):
        hour, colon, number = part.rpartition(":")
        begins = clock(hour)
        if not colon or math.isnan(begins):
            perhaps = f"; if '{before},{part}' has a decimal comma, write {before}.{part}"
            comma = ":" in before and part.strip().isdecimal()
            raise argparse.ArgumentTypeError(
                f"'{part}' is no HOUR:{kind.what.upper()}; give steps as 0:0.20,7:0.35,20:0.20, "
                f"hours {_AN_HOUR}, {otherwise}{perhaps if comma else ''}"
            )
        yield begins, number_within(kind.allowed)(number)


def time_of_day(text: str) -> float:
    """Reads a time of day, as hours."""
    hour = clock(text)
    if math.isnan(hour):
        raise argparse.ArgumentTypeError(f"'{text}' {_NO_TIME}")
    return hour


def clock(text: str) -> float:
    """Hours after midnight; NaN if the text is not a time of day."""
    if parts := _CLOCK.fullmatch(text.strip()):
        hour = int(parts[1]) + int(parts[2]) / 60
    else:
        number = parse_number(text)
        hour = math.nan if number is None else number
    return hour if 0 <= hour < HOURS_OF_DAY else math.nan


def is_by_hour(data: bytes) -> bool:
    """Whether a CSV file says that it has prices or carbon by the hour, with or without faults."""
    words = {parted_title(title)[0] for title in titles_of(data)}
    return not words.isdisjoint(_BEGIN.words) and bool(_site_kinds(data))


def inspect_site_hours(path: Path) -> Reading[dict[str, DailySteps]]:
    """The settings of a site that a CSV file gives by the hour of the day, by their names."""
    kinds = _site_kinds(read_file(path))

    def read(_: Findings) -> dict[str, DailySteps]:
        return {name: read_by_hour(str(path), kind, path.name) for name, kind in kinds.items()}

    return Reading.of(path.name, read)


def _site_kinds(data: bytes) -> dict[str, ByHour]:
    """The settings of a site that have a column in a CSV file."""
    kinds = {name: one.kind for name, one in settings_in(Site).items()}
    words = {parted_title(title)[0] for title in titles_of(data)}
    return {
        name: kind
        for name, kind in kinds.items()
        if isinstance(kind, ByHour) and kind.what in words
    }


_BEGIN: Final = Column(
    "from", "number", unit="hours", called=_BEGINS, parse=clock, otherwise=_NO_TIME
)


def _a_kwh(cell: str) -> float | None:
    """A number, perhaps with a decimal comma that cannot separate thousands."""
    number = parse_number(cell)
    if number is None and shown_by(cell) == ",":
        number = parse_number(plainly(cell, ",") or "")
    return number


def _steps_in(path: Path, kind: ByHour) -> DailySteps:
    schema = (
        _BEGIN,
        Column(
            kind.what,
            "number",
            unit=f"{kind.unit} a kWh",
            allowed=kind.allowed,
            symbols=_PER_KWH,
            parse=_a_kwh,
        ),
    )
    numbers = read_rows(path, schema, "tariff").numbers
    return tuple(zip(*(numbers[column.name].tolist() for column in schema), strict=True))


def read_rows(path: Path, schema: Schema, title: str) -> ReadColumns:
    """The rows of a file, at least one. Raises `InvalidInput` with all problems."""
    label = path.name or str(path)

    def read(findings: Findings) -> ReadColumns | None:
        rows = read_table(label, read_file(path), schema, findings, title, limits.ROWS)
        if rows is not None and not len(rows) and not findings.failed:
            header = ",".join(column.name for column in schema)
            raise Unreadable(f"has no rows; give {header} and a row each")
        return rows

    return Reading.of(label, read).require()
