"""The exports of a comparison: its figures, its fronts, and a file that opens it again."""

import math
from collections.abc import Sequence
from functools import partial

import pandas as pd
import streamlit as st

from core.engines.front.axis import Axis
from core.files.sheet import neutralised
from core.vocabulary.say.words import JOULES_PER_KWH
from dashboard.parts.taking.take_away import csv_of, download
from dashboard.screens.what_if.compare.file import FILE as WHAT_IFS_FILE
from dashboard.screens.what_if.compare.file import MOST, fits_file, what_ifs_bytes
from dashboard.screens.what_if.compare.outcome import WhatIfOutcome, measured
from dashboard.workspace.export import system_bytes


def comparison_csv(outcomes: Sequence[WhatIfOutcome], along: Sequence[Axis]) -> bytes:
    """A row for each what-if: its lower bounds, alone and under the limits of the first what-if.
    A blank is unknown; `inf` is proven impossible.
    """
    first, rows = outcomes[0], []
    for one, axis in zip(outcomes, along, strict=True):
        found = measured(one, axis, first, along[0])
        quantity = axis.title.lower()
        rows.append(
            {
                "number": one.what_if.number,
                "what if": neutralised(one.title),
                "machines": sum(one.what_if.machines),
                "tasks": sum(one.what_if.tasks),
                "done at the earliest (s)": found.fastest,
                f"least {quantity} ({axis.unit})": found.least,
                f"{quantity} in the time of the first ({axis.unit})": found.at_same_time,
                f"time with the {quantity} of the first (s)": found.at_same_amount,
            }
        )
    return _csv(pd.DataFrame(rows))


def fronts_csv(outcomes: Sequence[WhatIfOutcome]) -> bytes:
    """A row for each vertex of each proven front, by rising energy."""
    rows = [
        {
            "number": one.what_if.number,
            "what if": neutralised(one.title),
            "makespan (s)": seconds,
            "energy (J)": joules,
            "energy (kWh)": joules / JOULES_PER_KWH,
        }
        for one in outcomes
        if one.front is not None
        for joules, seconds in one.front.points.tolist()
    ]
    columns = ["number", "what if", "makespan (s)", "energy (J)", "energy (kWh)"]
    return _csv(pd.DataFrame(rows, columns=columns))


def _csv(frame: pd.DataFrame) -> bytes:
    finite = frame.replace({math.inf: "inf"})
    return csv_of(finite)


def show_comparison_downloads(outcomes: Sequence[WhatIfOutcome], along: Sequence[Axis]) -> None:
    """Buttons for the figures, the fronts, the comparison as a file, and each system."""
    figures = partial(comparison_csv, outcomes, along)
    download("Figures (CSV)", figures, "wattfront-comparison.csv")
    fronts = partial(fronts_csv, outcomes)
    download("Fronts (CSV)", fronts, "wattfront-comparison-fronts.csv")
    compared = [one.what_if for one in outcomes]
    why_not = None if fits_file(compared) else f"A file holds at most {MOST} what-ifs."
    kept = partial(what_ifs_bytes, compared)
    download("What-ifs, to open again (JSON)", kept, WHAT_IFS_FILE, why_not)
    for one in outcomes:
        if not one.problems:
            number = one.what_if.number
            data = partial(system_bytes, one.what_if.system, ".zip")
            name = f"wattfront-what-if-{number}.zip"
            label = f"System {number} (ZIP of CSV tables)"
            download(label, data, name)
            st.text(one.title)
