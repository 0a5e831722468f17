"""What is said of sizes of jobs that are offered: their cores and memory, and what they cost."""

from collections.abc import Iterator
from typing import Final

import numpy as np

from core.capabilities.arrivals.made.job_sizes import JobSizes
from core.shells.told.told import ToldTable
from core.vocabulary.say.words import typed

_NOTE: Final = "A job runs in one of these sizes. Policies do not look at prices."


def offered_tables(sizes: JobSizes) -> Iterator[ToldTable]:
    """The sizes that jobs of a log were offered, a row each; nothing where there are none."""
    if not sizes.rows:
        return
    rows = sizes.rows
    columns = {
        "Size": [row.name for row in rows],
        "Cores": [f"{row.cores:,}" for row in rows],
        "Memory (GB)": [typed(row.memory_gb) for row in rows],
    }
    if any(row.price is not None for row in rows):
        prices = ("" if row.price is None else typed(row.price) for row in rows)
        columns["Price an hour"] = [*prices]
    for kind, seconds in zip(sizes.kinds, sizes.seconds, strict=True):
        columns[f"Seconds of {kind}"] = ["" if np.isnan(one) else typed(one) for one in seconds]
    yield ToldTable.of_columns("Sizes that are offered", columns, note=_NOTE)
