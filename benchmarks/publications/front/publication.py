"""Reproduces the publication on fronts: measures, judges, draws and reports."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from benchmarks.publications.figure import Figure
from benchmarks.publications.front import environments, idle_figure, progressions
from benchmarks.publications.front import figures as front_figures
from benchmarks.publications.front import scaling as front_scaling
from benchmarks.publications.front import tables as front_tables
from benchmarks.publications.front.environments import MethodEffort
from benchmarks.publications.publication import Publication, silent
from core.engines.front.methods import GENERATION_COUNT, GENERATIONS
from core.shells.settings.numbers import whole_within

TRIALS: Final = 10

PREAMBLE: Final = """\
# The fronts of energy and makespan, done again

Kyle M. Tarplee: *Highly scalable algorithms for scheduling tasks and provisioning machines on
heterogeneous computing systems*, dissertation, Colorado State University 2015, chapter 3. Its
figures 3.5 to 3.12 and tables 3.1 and 3.2, measured with this code. All of its methods are our own
implementations: "LP-based" is the weighted sweep, rounding and local assignment without our polish;
"with convex fill" adds points between the optima; NSGA-II starts from a schedule of least energy
and that of min-min, or, "seeded", from all full allocations of the LP-based method.

This file is written by `wattfront reproduce front`; nothing in it is edited by hand.

## How to read it

- We do not have the publication's matrices or the numbers behind its figures. We have its tables
  and its text. The environments nine, six, two and ten are replaced by ones that are drawn as the
  text describes: of ten candidates for each, the one nearest to the published areas
  ([how](environments.md)). All powers are drawn. So orders, ratios and trends can be compared with
  the publication; single areas can be compared less well.
- A verdict judges one sentence of the publication. Where a word needs a number ("slightly",
  "nearly"), the number that we use is in the claim. Growth is measured as a power: run times go
  with the size to this power. It is fitted by least squares to the logarithms of medians.
- The publication names neither the operators of NSGA-II nor the size of its population. Ours are
  documented in `core/engines/rivals/evolution.py`; the population has 100 chromosomes, or as many
  as there are seeds.
- If a claim does not hold, the column *cause* says what we tried to find out why, and the result.
- Random draws have fixed seeds. Run times are processor times of one thread; only our polish, which
  runs on several threads, is timed by the clock. Run times depend on the computer, and so does what
  polish reaches.
"""

PUBLICATION: Final = Publication(
    "front",
    PREAMBLE,
    "png",
    TRIALS,
    {
        "generations": {
            "type": whole_within(GENERATION_COUNT),
            "metavar": "N",
            "help": "of NSGA-II from basic seeds, for front (default as published: "
            f"{GENERATIONS['nsga2']:,}, which take minutes)",
        }
    },
)


def reproduce(
    folder: Path,
    trials: int = TRIALS,
    say: Callable[[str], None] = silent,
    generations: int | None = None,
) -> Mapping[str, object]:
    """Measure everything; the result is that of `Publication.reproduce`.

    `generations` are those of NSGA-II from basic seeds, by default the published number; `trials`
    is the number of bags for each point of figures 3.11 and 3.12.
    """
    made = MethodEffort(generations) if generations else MethodEffort()
    drawn = (
        f"This run gave NSGA-II {made.generations:,} generations from basic seeds and "
        f"{made.seeded_generations:,} from full allocations (the publication: 1,000,000 and "
        f"1,000), swept {made.weights:,} weights (1,000), polished for {made.polish_seconds:g} "
        f"s on {made.cores} threads, and drew {trials} bags for each point of figures 3.11 and "
        f"3.12 ({front_scaling.PUBLISHED_TRIALS})."
    )
    summary = PUBLICATION.reproduce(
        lambda: measure(trials, say, made), folder, trials, drawn, say, made.cores
    )
    return summary | {"generations": made.generations}


def measure(trials: int, say: Callable[[str], None], effort: MethodEffort) -> list[Figure]:
    """Both tables, then all figures in the order of the publication."""
    found = environments.measure(effort, say)
    say("figures 3.11 and 3.12: more and more tasks on 3,600 machines")
    return [
        front_tables.table_1(found),
        front_tables.table_2(found),
        front_figures.fronts(found),
        progressions.swept(found),
        idle_figure.idle_power(found),
        front_figures.filled(found),
        progressions.filled(found),
        idle_figure.polygons(found),
        *front_scaling.figures(front_scaling.measure(trials, say)),
    ]
