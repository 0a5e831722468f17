"""Numbers and quantities as arguments of a command, each within its range."""

import argparse
from collections.abc import Callable, Mapping
from typing import Final

from core.vocabulary.ranges import Range, stepped
from core.vocabulary.say.quantities import Quantity, read_quantity
from core.vocabulary.tolerances import SAME

MOST_SEVERAL: Final = 1_000


def number_within(allowed: Range) -> Callable[[str], float]:
    """A reader of numbers; it refuses those out of range."""

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            raise argparse.ArgumentTypeError(f"'{text}' is not a number; give {allowed}") from None
        if value not in allowed:
            raise argparse.ArgumentTypeError(f"{text} is out of range; give {allowed}")
        return value

    return read


def share_within(allowed: Range) -> Callable[[str], float]:
    """A reader of shares, as 0.25 or as 25 %; it refuses those out of range."""
    read_number = number_within(allowed)
    in_percent = number_within(Range(100 * allowed.low, 100 * allowed.high, "%"))

    def read(text: str) -> float:
        number, percent, rest = text.partition("%")
        return in_percent(number) / 100 if percent and not rest else read_number(text)

    return read


def whole_within(allowed: Range) -> Callable[[str], int]:
    """A reader of whole numbers, also as 1e6; it refuses those out of range."""

    def read(text: str) -> int:
        try:
            value = int(text)
        except ValueError:
            number = number_within(allowed)(text)
            value = int(number)
            if value != number:
                raise argparse.ArgumentTypeError(f"{text} is not a whole number") from None
        if value not in allowed:
            raise argparse.ArgumentTypeError(f"{text} is out of range; give {allowed}")
        return value

    return read


def several_within(allowed: Range) -> Callable[[str], tuple[float, ...]]:
    """A reader of several numbers: `0.1`, `0,0.1,0.2`, or a range with its step as `0:1:0.05`."""
    read_one = number_within(allowed)

    def read(text: str) -> tuple[float, ...]:
        if ":" not in text:
            return tuple(read_one(part) for part in text.split(","))
        try:
            low, high, step = (float(part) for part in text.split(":"))
            steps = (high - low) / step
        except (ValueError, ZeroDivisionError):
            steps = -1.0
        if not 0 <= steps < MOST_SEVERAL - SAME:
            raise argparse.ArgumentTypeError(
                f"'{text}' is not a range; give FROM:TO:STEP, of at most {MOST_SEVERAL:,} numbers"
            )
        return tuple(read_one(repr(value)) for value in stepped(low, high, step))

    return read


def amount_within(
    allowed: Range, quantity: Quantity, words: Mapping[str, float]
) -> Callable[[str], float]:
    """A reader of amounts of a quantity, in its first unit, or of words that stand for one."""
    read = reading(quantity)

    def number(text: str) -> float:
        if text in words:
            return words[text]
        value = read(text)
        for word, stands_for in words.items():
            if value == stands_for:
                raise argparse.ArgumentTypeError(f"{text} is the same as {word}; give {word}")
        if value not in allowed:
            raise argparse.ArgumentTypeError(f"{text} is out of range; give {allowed}")
        return value

    return number


def reading(quantity: Quantity) -> Callable[[str], float]:
    """A reader of amounts of a quantity, in its first unit; it refuses negative ones."""

    def read(text: str) -> float:
        try:
            return read_quantity(text, quantity)
        except ValueError as refused:
            raise argparse.ArgumentTypeError(str(refused)) from None

    return read
