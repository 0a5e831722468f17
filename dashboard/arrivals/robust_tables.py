"""Tables on bags with uncertain run times: each method by itself, and beside the others."""

import math
from typing import Final

import pandas as pd

from core.arrivals.bag_trials import BagFigure, BagTrials
from core.arrivals.words import mean_in_unit, policy_label
from core.model.intervals import Interval
from core.say.within import share_within
from core.say.words import NOTHING, Sense, change, share

_TITLES: Final[dict[BagFigure, str]] = {"seconds": "makespan", "joules": "energy"}


def bags_table(found: BagTrials) -> pd.DataFrame:
    """A row for each method: means over all bags, and what is actual against what was expected."""

    def off(method: str, figure: str) -> str:
        expected = found.mean(method, f"expected_{figure}").mean
        return change(found.mean(method, figure).mean / expected - 1) if expected else "–"

    def above(method: str, figure: str) -> str:
        part = found.above_bound(method, figure)
        return NOTHING if part is None else f"at most {share(part.mean, Sense.UPPER_BOUND)}"

    methods = found.methods
    columns: dict[str, list[str]] = {"Method": [policy_label(one) for one in methods]}
    for figure, title in _TITLES.items():
        unit = found.unit(figure)
        columns[f"Expected {title}"] = [
            mean_in_unit(found.mean(one, f"expected_{figure}"), unit) for one in methods
        ]
        columns[f"Actual {title}"] = [
            mean_in_unit(found.mean(one, figure), unit) for one in methods
        ]
        columns[f"Difference of {title}"] = [off(one, figure) for one in methods]
        if found.bound(figure) is not None:
            columns[f"{title.capitalize()} above the bound"] = [
                above(one, figure) for one in methods
            ]
    return pd.DataFrame(columns)


def beside_table(found: BagTrials) -> pd.DataFrame:
    """A row for each method: how far it is from the worst and the best, and how often it is best.
    There is a bag that all methods were run on.
    """
    methods, bags = found.methods, len(found.common)
    columns: dict[str, list[str]] = {"Method": [policy_label(one) for one in methods]}
    for figure, title in _TITLES.items():
        least = found.least(figure)
        columns[f"Less {title} than the worst"] = [
            _share(found.below_worst(one, figure)) for one in methods
        ]
        columns[f"More {title} than the best"] = [
            NOTHING if one == least else _share(found.above_best(one, figure)) for one in methods
        ]
        columns[f"Best in {title}"] = [
            f"{found.wins(one, figure):,} of {bags:,}" for one in methods
        ]
    return pd.DataFrame(columns)


def _share(interval: Interval) -> str:
    """A share with its interval; alone if one bag does not say how sure it is."""
    if not math.isfinite(interval.half_width):
        return share(interval.mean, Sense.PLAIN)
    return share_within(interval.mean, interval.half_width)
