"""The exports of a comparison: its figures, its fronts, and a file that opens it again."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from dashboard.parts.taking.take_away import CSV_MIME, download
from dashboard.screens.compare.export import comparison_csv, fronts_csv
from dashboard.screens.compare.file import FILE as WHAT_IFS_FILE
from dashboard.screens.compare.file import MIME as WHAT_IFS_MIME
from dashboard.screens.compare.file import MOST, fits_file, what_ifs_bytes
from dashboard.screens.compare.outcome import WhatIfOutcome
from dashboard.workspace.axis import Axis
from dashboard.workspace.export import system_bytes


def show_comparison_downloads(outcomes: Sequence[WhatIfOutcome], along: Sequence[Axis]) -> None:
    """Buttons for the figures, the fronts, the file that opens the comparison again, and the system
    of each what-if.
    """
    figures = partial(comparison_csv, outcomes, along)
    download("Figures (CSV)", figures, "wattfront-comparison.csv", CSV_MIME)
    fronts = partial(fronts_csv, outcomes)
    download("Fronts (CSV)", fronts, "wattfront-comparison-fronts.csv", CSV_MIME)
    compared = [one.what_if for one in outcomes]
    why_not = None if fits_file(compared) else f"A file holds at most {MOST} what-ifs."
    kept = partial(what_ifs_bytes, compared)
    download("What-ifs, to open again (JSON)", kept, WHAT_IFS_FILE, WHAT_IFS_MIME, why_not)
    for one in outcomes:
        if not one.problems:
            number = one.what_if.number
            data = partial(system_bytes, one.what_if.system, ".zip")
            name = f"wattfront-what-if-{number}.zip"
            label = f"System {number} (ZIP of CSV tables)"
            download(label, data, name, "application/zip")
            st.text(one.title)
