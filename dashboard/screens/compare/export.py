"""The comparison as CSV tables: exact figures, with units in the column names."""

import math
from collections.abc import Sequence

import pandas as pd

from core.files.sheet import neutralised
from core.vocabulary.say.words import JOULES_PER_KWH
from dashboard.screens.compare.outcome import WhatIfOutcome, measured
from dashboard.workspace.axis import Axis


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
    return finite.to_csv(index=False, lineterminator="\n").encode()
