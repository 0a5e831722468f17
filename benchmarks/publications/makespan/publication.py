"""Reproduces the publication on makespan: measures, judges, draws and reports."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from benchmarks.publications.figure import Figure
from benchmarks.publications.makespan import bag_figures, bags, methods, scaling
from benchmarks.publications.makespan.scaling import (
    MakespanScaling,
    run_time_in_machine_types,
    run_time_in_machines,
    run_time_in_task_types,
    run_time_in_tasks,
)
from benchmarks.publications.makespan.scaling_quality import (
    quality_in_machine_types,
    quality_in_machines,
    quality_in_task_types,
    quality_in_tasks,
)
from benchmarks.publications.phases import warm_up
from benchmarks.publications.publication import Publication, silent
from benchmarks.publications.stand_ins import stand_in

TRIALS: Final = 200

PREAMBLE: Final = """\
# The makespan publication, done again

Kyle M. Tarplee, Ryan Friese, Anthony A. Maciejewski, H. J. Siegel: *Scalable linear programming
based resource allocation for makespan minimization in heterogeneous computing systems*, Journal of
Parallel and Distributed Computing 2015. Its figures 2 to 11 and A.12 to A.15, measured with this
code. "Published method" means the three published phases, as implemented here: lower bound by
linear program, rounding, local assignment, without our polish.

This file is written by `wattfront reproduce makespan`; nothing in it is edited by hand.

## How to read it

- We do not have the publication's matrices (times, counts of tasks, random systems) or the numbers
  behind its figures. We have its text. Its main environment, nine, is replaced by one that is drawn
  as the text describes: of ten candidates, the one nearest to the published numbers
  ([how](environments.md)). So averages that depend on the environment cannot agree exactly.
- A verdict judges one sentence of the publication. Where a word needs a number ("much", "linear"),
  the number that we use is in the claim or in the column *difference*. Growth is measured as a
  power: run times go with the size to this power. It is fitted by least squares to the logarithms
  of medians.
- If a claim does not hold, the column *cause* says what we tried to find out why, and the result.
- Random draws have fixed seeds, so they repeat exactly. Run times are processor times of a single
  thread, in Python, NumPy, Numba and HiGHS, on a newer computer than the published ones. If a run
  time grows more slowly here than published, the claim does not hold either, although that is
  better.
- The ranges of the horizontal axes are our choice: we do not know those of the publication.
"""

PUBLICATION: Final = Publication("makespan", PREAMBLE, "svg", TRIALS)


def reproduce(
    folder: Path, trials: int = TRIALS, say: Callable[[str], None] = silent
) -> Mapping[str, object]:
    """Measure everything; the result is that of `Publication.reproduce`.

    `trials` is the number of random systems where the publication draws 200; where it draws 50, at
    most 50 are drawn.
    """
    drawn = (
        f"For each point of figures 2 to 7 this run drew {trials} bags or systems, and "
        f"{min(trials, scaling.MOST_TRIALS)} for the others (the publication: 200 and 50). Of "
        f"those of a point, {min(trials, bags.MOST_POLISHED)} were polished (figure 3), "
        f"{min(trials, bags.MOST_PRINTED)} scheduled by the heuristics as printed (figure 6), and "
        f"{min(trials, scaling.MOST_HEAP_TRIALS)} assigned one task at a time (figures 9 to A.15)."
    )
    return PUBLICATION.reproduce(lambda: measure(trials, say), folder, trials, drawn, say)


def measure(trials: int, say: Callable[[str], None]) -> list[Figure]:
    """All figures, in the order of the publication."""
    warm_up(stand_in("nine"))
    say(f"figures 2 to 6: {trials} bags of each of {len(bags.SIZES)} sizes")
    figures = bag_figures.figures(bags.measure(trials))
    say("figure 7: min-min and max-min against the published method")
    figures.append(methods.figure(methods.measure(trials, say)))
    say("figures 8 to 11 and A.12 to A.15: scaling")
    return figures + scaling_figures(scaling.measure(trials, say))


def scaling_figures(found: MakespanScaling) -> list[Figure]:
    """Figures 8 to 11 and A.12 to A.15, in the order of the publication."""
    sweeps = found.sweeps
    return [
        quality_in_tasks(sweeps["tasks"]),
        run_time_in_tasks(sweeps["tasks"], found.hundred_million_seconds),
        quality_in_machines(sweeps["machines"]),
        run_time_in_machines(sweeps["machines"]),
        quality_in_task_types(sweeps["task types"]),
        run_time_in_task_types(sweeps["task types"]),
        quality_in_machine_types(sweeps["machine types"]),
        run_time_in_machine_types(sweeps["machine types"]),
    ]
