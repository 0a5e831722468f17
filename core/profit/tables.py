"""Reads rewards of task types and prices over the day, from a CSV file or from the command line."""

import argparse
import math
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from core.cli.arguments import refuse, refusing
from core.cli.numbers import number_within
from core.files.delimited import sheet_of_text
from core.files.disk import read_file
from core.files.findings import Findings, shown
from core.files.number_format import in_one_format
from core.files.numbers import number_fault, parse_number
from core.files.sheet import SheetRow
from core.files.tables import find_columns
from core.files.text import decode
from core.model.problems import InvalidInput
from core.model.ranges import Range
from core.profit.day_tariff import HOURS, DailySteps
from core.profit.settings import ENERGY_PRICE, REWARD, Named

REWARDS_HEADER: Final = ("task_type", "reward")
TARIFF_HEADER: Final = ("from", "price")
_PRICE: Final = ENERGY_PRICE
_CLOCK: Final = re.compile(r"(\d{1,2}):([0-5]\d)")
_AN_HOUR: Final = f"0 to below {HOURS:g}, as 7, 7.5 or 07:30"


def named_rate(allowed: Range) -> Callable[[str], tuple[str, float]]:
    """A reader of `GPU=0.2`; the text before the last = is the name."""

    def read(text: str) -> tuple[str, float]:
        name, equals, rate = text.rpartition("=")
        if not equals:
            raise argparse.ArgumentTypeError(f"'{text}' is no NAME=MONEY, as in GPU=0.2")
        return name, number_within(allowed)(rate)

    return read


def read_rewards(text: str) -> Named:
    """Rewards from `render=0.2`, or from the file of that name. Raises `InvalidInput`."""
    if "=" not in text or os.path.lexists(text):
        return _rewards_in(Path(text))
    with refusing(argparse.ArgumentTypeError, of="--rewards"):
        return (named_rate(REWARD)(text),)


def read_day_tariff(text: str) -> DailySteps:
    """Hours and prices from `0:0.20,7:0.35` or a file of that name. Raises `InvalidInput`."""
    if ":" not in text or os.path.lexists(text):
        steps = _steps_in(Path(text))
    else:
        with refusing(argparse.ArgumentTypeError, of="--day-tariff"):
            steps = tuple(_steps_of(text))
    if len({hour for hour, _ in steps}) < len(steps):
        refuse(["--day-tariff gives two prices from the same hour on; keep one"])
    return steps


def _steps_of(text: str) -> Iterator[tuple[float, float]]:
    for part in text.split(","):
        hour, colon, price = part.rpartition(":")
        begins = clock(hour)
        if not colon or math.isnan(begins):
            raise argparse.ArgumentTypeError(
                f"'{part}' is no HOUR:PRICE; give steps as 0:0.20,7:0.35,20:0.20, hours "
                f"{_AN_HOUR}, or a CSV file of {','.join(TARIFF_HEADER)}"
            )
        yield begins, number_within(_PRICE)(price)


def time_of_day(text: str) -> float:
    """Reads a time of day, as hours."""
    hour = clock(text)
    if math.isnan(hour):
        raise argparse.ArgumentTypeError(f"'{text}' is not a time of day; give {_AN_HOUR}")
    return hour


def clock(text: str) -> float:
    """Hours after midnight; NaN if the text is not a time of day."""
    if parts := _CLOCK.fullmatch(text.strip()):
        hour = int(parts[1]) + int(parts[2]) / 60
    else:
        number = parse_number(text)
        hour = math.nan if number is None else number
    return hour if 0 <= hour < HOURS else math.nan


def _rewards_in(path: Path) -> Named:
    table = _Table(path, REWARDS_HEADER)
    found = [(name, table.number(place, cell, REWARD)) for place, name, cell in table.rows()]
    table.require_some()
    return tuple(found)


def _steps_in(path: Path) -> DailySteps:
    table = _Table(path, TARIFF_HEADER)
    found = [
        (table.hour(place, hour), table.number(place, price, _PRICE))
        for place, hour, price in table.rows()
    ]
    table.require_some()
    return tuple(found)


class _Table:
    """A CSV file of two columns, the second of numbers; all its problems are reported together."""

    def __init__(self, path: Path, header: tuple[str, str]) -> None:
        self.path, self.header = path, header
        self.label, self.findings = path.name or str(path), Findings()
        self.is_empty = True

    def require_some(self) -> None:
        """Raises `InvalidInput` if anything is wrong, or nothing is there."""
        if self.is_empty and not self.findings.failed:
            message = f"has no rows; give {','.join(self.header)} and a row each"
            self.findings.error(self.label, "", "", message)
        if self.findings.failed:
            raise InvalidInput(self.findings.problems())

    def rows(self) -> Iterator[tuple[str, str, str]]:
        """The place of each row, and its two cells."""
        with self.findings.refusals(self.label):
            data = read_file(self.path)
            text = decode(data, self.label, self.findings)
            sheet = sheet_of_text(text, self.label, self.findings)
            rows = sheet.fitted_rows(self.findings)
            first = next(rows, SheetRow(1, []))
            column = find_columns(sheet, first, self.header, self.header, self.findings)
            if column is None:
                return
            numbers = {self.header[1]: column[self.header[1]]}
            for row in in_one_format(rows, self.label, numbers, self.findings):
                self.is_empty = False
                if not row.whole:
                    continue  # and that is reported
                left, right = (row.cells[column[name]] for name in self.header)
                yield row.place, sheet.name(left), right

    def number(self, place: str, cell: str, allowed: Range) -> float:
        """Not a number where there is none, which is reported."""
        value = parse_number(cell)
        if value is not None and value in allowed:
            return value
        fault = number_fault(cell)
        if value is not None and not math.isnan(value):
            fault = f"{value:g} is out of range; give {allowed}"
        self.findings.error(self.label, place, self.header[1], fault)
        return math.nan

    def hour(self, place: str, cell: str) -> float:
        """The same for a time of day."""
        hour = clock(cell)
        if math.isnan(hour):
            message = f"'{shown(cell)}' is not a time of day; give {_AN_HOUR}"
            self.findings.error(self.label, place, self.header[0], message)
        return hour
