"""Quantities as arguments of a command."""

import argparse
from collections.abc import Callable

from core.say.quantities import Quantity, read_quantity


def reading(quantity: Quantity) -> Callable[[str], float]:
    """Reads an amount in its first unit; refuses any other text, and negative amounts."""

    def read(text: str) -> float:
        try:
            return read_quantity(text, quantity)
        except ValueError as refused:
            raise argparse.ArgumentTypeError(str(refused)) from None

    return read
