"""How the run times of a log vary, as a table that a plan can name for its empirical law."""

from pathlib import Path

from core.files.archive import write_lines
from core.files.disk import replacing
from core.files.numbers import number_cell
from core.logs.derived.derivation import Derivation
from core.logs.pairs.ratios import time_ratios
from core.logs.reading.store import RunStore


def write_spread(derivation: Derivation, store: RunStore, path: Path) -> None:
    """Write the times of runs as shares of the mean of their pair, of pairs that are measured."""
    ratios = time_ratios(store, derivation.found, derivation.machines, derivation.measured)
    with replacing(path) as stream:
        write_lines(stream, (f"{cell}\n" for cell in ("share_of_mean", *map(number_cell, ratios))))
