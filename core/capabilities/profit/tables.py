"""Reads rewards of task types and prices over the day, from a CSV file or from the command line."""

import argparse
import math
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from core.capabilities.profit.day_tariff import HOURS, DailySteps
from core.capabilities.profit.settings import ENERGY_PRICE, REWARD, Named
from core.files import limits
from core.files.columns import ReadColumns
from core.files.disk import read_file
from core.files.findings import Findings, Reading, Unreadable
from core.files.headings import TASK_TYPE
from core.files.numbers import parse_number
from core.files.schema import Column, Schema
from core.files.table_file import read_table
from core.shells.cli.numbers import number_within
from core.vocabulary.problems import refuse, refusing
from core.vocabulary.ranges import Range

_CLOCK: Final = re.compile(r"(\d{1,2}):([0-5]\d)")
_AN_HOUR: Final = f"0 to below {HOURS:g}, as 7, 7.5 or 07:30"
_NO_TIME: Final = f"is not a time of day; give {_AN_HOUR}"


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
        yield begins, number_within(ENERGY_PRICE)(price)


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
    return hour if 0 <= hour < HOURS else math.nan


REWARDS: Final[Schema] = (TASK_TYPE, Column("reward", "number", unit="money", allowed=REWARD))
TARIFF: Final[Schema] = (
    Column("from", "number", unit="hours", parse=clock, otherwise=_NO_TIME),
    Column("price", "number", unit="money", allowed=ENERGY_PRICE),
)
REWARDS_HEADER, TARIFF_HEADER = ([column.name for column in each] for each in (REWARDS, TARIFF))


def _rewards_in(path: Path) -> Named:
    rows = _rows(path, REWARDS, "rewards")
    return tuple(zip(rows.listed("task_type"), rows.numbers["reward"].tolist(), strict=True))


def _steps_in(path: Path) -> DailySteps:
    rows = _rows(path, TARIFF, "tariff")
    return tuple(zip(*(rows.numbers[name].tolist() for name in TARIFF_HEADER), strict=True))


def _rows(path: Path, schema: Schema, title: str) -> ReadColumns:
    """The rows of a file, at least one. Raises `InvalidInput` with all problems."""
    label = path.name or str(path)

    def read(findings: Findings) -> ReadColumns | None:
        rows = read_table(label, read_file(path), schema, findings, title, limits.ROWS)
        if rows is not None and not len(rows) and not findings.failed:
            header = ",".join(column.name for column in schema)
            raise Unreadable(f"has no rows; give {header} and a row each")
        return rows

    return Reading.of(label, read).require()
