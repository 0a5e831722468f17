"""Reproduces what is published on the day of a centre: measures, judges, draws and reports."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from benchmarks.publications.centre import (
    contradictions,
    day_runs,
    hypervolume_tables,
    savings_tables,
)
from benchmarks.publications.centre.covered import covered_days
from benchmarks.publications.centre.day_runs import DayRuns, measure
from benchmarks.publications.figure import Figure
from benchmarks.publications.publication import Publication, silent
from core.engines.compute.executors import (
    ENGINE_VARIABLE,
    PROCESSES,
    EngineRefused,
    engine_named,
    usual_engine,
)
from core.vocabulary.problems import refusing

TRIALS: Final = 5

PREAMBLE: Final = """\
# A day of a centre, done again

Santiago Iturriaga: *Energy-aware scheduling in distributed computing systems*, thesis, Universidad
de la República, Uruguay 2017, chapter 3: its tables 3.2 to 3.4 and figures 3.6 to 3.9. Measured
with this code.

This file is written by `wattfront reproduce centre`; nothing in it is edited by hand.

## How to read it

- Budget is called cost here, BAU as usual, relative QoS on-time share, and relative deviation from
  the reference relative excess. ev-MOGA and NSGA-II evolve servers and cooling, place jobs by Best
  Fit Hole, and simulated annealing follows (12 times, 83 temperatures), as published.
- Published are 64 servers (30, 22 and 3 W), a compressor of 2.3 kW, a fan of up to 410 W, 1.5 kW of
  panels, 150 steps, 25 °C outside, 26.5 °C inside at first and 27 °C at most, 200, 300 or 400 jobs,
  and the settings of all methods.
- **Assumed, since not printed**: steps of a minute; the room and what cools it (500 kJ/K, 50 W/K
  through walls; the fan takes out 1 kW/K and draws watts by the cube of its speed, the compressor
  5.5 kW); lengths of jobs (5 to 25 steps), releases (a quarter at once, others within 100 steps)
  and due dates (1.2 to 3 lengths after release); the three targets and the two curves of green
  power; a price of 1 at all times; the thermostat of as usual; 100 moves at each temperature of
  annealing; 50 boxes of each objective for ev-MOGA; what becomes of plans that are too warm (they
  come after all others). `core/capabilities/centre/made.py` and `centre.py` have them.
- The publication has no least temperature. The few plans that cool the room below 18 °C are cooled
  less when evolution has ended.
- So absolute values may differ; orders and signs are what is compared. Where a word needs a number
  ("about"), it is in the claim, and means are about as published within 10 percentage points.
- *Most* and *least* are proven for each day by the bound of a linear program, whatever the method.
- A verdict judges one sentence of the publication, or one row of a table; those of rows are counted
  apart. It is *undecided* where the runs are too few, or where only a picture is published.
- If a claim does not hold, the column *cause* says what we tried to find out why, and the result.
"""

PUBLICATION: Final = Publication(
    "centre",
    PREAMBLE,
    "png",
    TRIALS,
    {
        "record": {
            "type": Path,
            "metavar": "FILE",
            "help": "of centre: keep results beside this file as they come (FILE.parts), and go "
            "on with those that are there",
        },
        "quick": {
            "action": "store_true",
            "default": None,
            "help": "of centre: 9 of 81 days and 50 of 1,000 generations, for a glance",
        },
    },
)


def reproduce(
    folder: Path,
    trials: int = TRIALS,
    say: Callable[[str], None] = silent,
    record: Path | None = None,
    quick: bool = False,
) -> Mapping[str, object]:
    """Measure everything; the result is that of `Publication.reproduce`.

    The engine that the environment names computes it, or else a process for each processor.
    """
    days = len(day_runs.FEW_DAYS if quick else day_runs.DAYS)
    generations = day_runs.FEW_GENERATIONS if quick else day_runs.GENERATIONS
    drawn = (
        f"This run made {trials} runs of {generations:,} generations of each method on each of "
        f"{days} days, {2 * trials * days:,} in all (published: 30 on each of 81): "
        f"{20 * (generations + 1):,} evaluations a run of NSGA-II and "
        f"{100 + 8 * generations:,} of ev-MOGA."
    )
    name = usual_engine() if ENGINE_VARIABLE in os.environ else PROCESSES
    with refusing(EngineRefused, of=""), engine_named(name, day_runs.__name__) as engine:
        return PUBLICATION.reproduce(
            lambda: figures(measure(trials, quick, say, engine, record)),
            folder,
            trials,
            drawn,
            say,
            engine.workers,
        )


def figures(runs: DayRuns) -> list[Figure]:
    """All tables and figures with their claims, our own plans, and the contradictions."""
    return [
        *hypervolume_tables.figures(runs, covered_days(runs)),
        *savings_tables.figures(runs),
        contradictions.figure(),
    ]
