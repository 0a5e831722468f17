"""The makespan publication, done again: measure, judge, draw, report."""

import os
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from core.reproduce import bag_figures, bags, methods, scaling, scaling_figures
from core.reproduce.claim import kept
from core.reproduce.figure import Figure
from core.reproduce.phases import warm_up
from core.reproduce.pictures import can_draw, draw
from core.reproduce.report import report
from core.samples import load_sample

TRIALS: Final = 200
REPORT: Final = "makespan.md"


def silent(_: str) -> None:
    """Say nothing."""


def reproduce(
    folder: Path, trials: int = TRIALS, say: Callable[[str], None] = silent
) -> Mapping[str, object]:
    """Measure everything, write the report and its pictures to `folder`, and sum up.

    `trials` is how many random systems are drawn wherever the publication draws 200; where it
    draws 50, at most 50 are. `say` hears of the progress. What comes back is ready for JSON:
    "claims" is a list of {"figure", "claim", "published", "here", "holds", "difference"}.
    """
    if trials < 1:
        raise ValueError(f"there must be at least one trial, not {trials}")
    started = time.perf_counter()
    figures = measure(trials, say)
    seconds = time.perf_counter() - started
    say("report and pictures")
    conditions = [
        f"This run drew {trials} bags or systems a point for figures 2 to 7 and "
        f"{min(trials, scaling.MOST_TRIALS)} for the others (the publication: 200 and 50). Of a "
        f"point's, {min(trials, bags.MOST_POLISHED)} were polished (figure 3), and "
        f"{min(trials, scaling.MOST_HEAP_TRIALS)} assigned one task at a time (figures 9 to A.15).",
        f"It took {seconds:.0f} s on one of {os.cpu_count()} cores.",
    ]
    return write(figures, folder, conditions) | {"trials": trials, "seconds": seconds}


def measure(trials: int, say: Callable[[str], None]) -> list[Figure]:
    """All figures, in the order of the publication."""
    warm_up(load_sample("nine"))
    say(f"figures 2 to 6: {trials} bags of each of {len(bags.SIZES)} sizes")
    figures = bag_figures.figures(bags.measure(trials))
    say("figure 7: min-min and max-min against the published method")
    figures.append(methods.figure(methods.measure(trials, say)))
    say("figures 8 to 11 and A.12 to A.15: scaling")
    return figures + scaling_figures.figures(scaling.measure(trials, say))


def write(figures: list[Figure], folder: Path, conditions: list[str]) -> dict[str, object]:
    """Write report and pictures; sum up which claims hold."""
    folder.mkdir(parents=True, exist_ok=True)
    pictures = {figure.number: figure.file_name for figure in figures} if can_draw() else {}
    for figure in figures:
        if figure.number in pictures:
            draw(figure, folder / figure.file_name)
    path = folder / REPORT
    path.write_text(report(figures, pictures, conditions), encoding="utf-8")
    claims = [claim for figure in figures for claim in figure.claims]
    return {
        "report": str(path),
        "figures": [figure.number for figure in figures],
        "pictures": list(pictures.values()),
        "holding": kept(claims),
        "claims": [claim.as_dict() for claim in claims],
    }
