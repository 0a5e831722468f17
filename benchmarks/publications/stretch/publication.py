"""Reproduces what is published on fair shares of bags that arrive: measures, judges and reports."""

import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import numpy as np

from benchmarks.publications.figure import Figure, Panel, Series, Table
from benchmarks.publications.publication import Publication, silent
from benchmarks.publications.stretch import scenario_runs
from benchmarks.publications.stretch.scenario_runs import (
    FIRST_SEED,
    POLISH_UNITS,
    ScenarioSample,
    measure,
)
from benchmarks.publications.stretch.sentences import of_cluster, of_max_stretch, of_others, of_ours
from benchmarks.publications.stretch.tables import MEASURED, label_of, table_figure
from core.capabilities.fair_shares.tasks.policies import OUR_POLICIES
from core.engines.compute.executors import (
    ENGINE_VARIABLE,
    PROCESSES,
    EngineRefused,
    engine_named,
    usual_engine,
)
from core.vocabulary.problems import refusing

TRIALS: Final = 120

PREAMBLE: Final = """\
# Fair shares, done again

Anne Benoit, Loris Marchal, Jean-François Pineau, Yves Robert, Frédéric Vivien: *Offline and online
master-worker scheduling of concurrent bags-of-tasks on heterogeneous platforms*, slides, 2008: its
tables of simulations (here 1 to 5) and of experiments on a cluster (here 6), and what it says of
them. All is measured with this code.

This file is written by `wattfront reproduce stretch`; nothing in it is edited by hand.

## How to read it

- Policies have their names: an order of bags (FIFO, SPT, SRPT, SWRPT) with a choice of machines
  (RR in turn, MCT the one that is done first, DD the one that asks), steady states (MWMA), and
  plans for tasks that can be split, made into whole tasks (CBS3M). Polished ones are ours.
- Only names and results are published. What a policy does exactly, the machines and links, and how
  sizes are drawn within their limits are our reading; a few other scenarios than these were used to
  choose them. So means are compared as to size (within 1.5 times, which says little of makespans,
  all of which are near 1), and policies as to their order.
- Every outcome of whole tasks is judged by other code, and so is the least possible worst stretch.
- A verdict judges one sentence of the publication, or one row of a table; those of rows are counted
  apart. What a sentence says of means is judged by differences in the same scenarios: it is
  *undecided* where the interval of 95 % of such a difference has both signs. Where a word needs a
  number ("about"), the number that we use is in the claim.
- If a claim does not hold, the column *cause* says what we think why.
"""

PUBLICATION: Final = Publication("stretch", PREAMBLE, "png", TRIALS)


def reproduce(
    folder: Path, trials: int = TRIALS, say: Callable[[str], None] = silent
) -> Mapping[str, object]:
    """Measure everything; the result is that of `Publication.reproduce`.

    The engine that the environment names computes it, or else a process for each processor.
    """
    drawn = (
        f"This run drew {trials} scenarios for the tables of simulations and {on_cluster(trials)} "
        f"for that of the cluster, by seeds from {FIRST_SEED} on. Polish had {POLISH_UNITS:g} "
        "units of work at each release, about a tenth of a second."
    )
    name = usual_engine() if ENGINE_VARIABLE in os.environ else PROCESSES
    with refusing(EngineRefused, of=""), engine_named(name, scenario_runs.__name__) as engine:
        return PUBLICATION.reproduce(
            lambda: figures(
                measure("simulated", trials, say, engine),
                measure("measured", on_cluster(trials), say, engine),
            ),
            folder,
            trials,
            drawn,
            say,
            engine.workers,
        )


def on_cluster(trials: int) -> int:
    """How many scenarios are drawn like those on the cluster."""
    return max(trials // 3, 2)


def figures(simulated: ScenarioSample, measured: ScenarioSample) -> list[Figure]:
    """All tables with their claims, and our own policies."""
    claims = {"max_stretch": list(of_max_stretch(simulated)), **of_others(simulated)}
    return [
        *(table_figure(simulated, score, claims[score]) for score in claims),
        _cluster(simulated, measured),
        _ours(simulated, measured),
    ]


def _cluster(simulated: ScenarioSample, measured: ScenarioSample) -> Figure:
    rows = []
    for name in (*MEASURED, *OUR_POLICIES):
        found = measured.interval("max_stretch", name)
        printed = f"{MEASURED[name]:.2f}" if name in MEASURED else ""
        rows.append([label_of(name), printed, f"{found.mean:.3f} ± {found.half_width:.3f}"])
    return Figure(
        "6",
        "Worst stretch, over the least possible one, in experiments on a cluster",
        "Published are means of 10 experiments with 12 bags on 8 machines of a cluster; ours are "
        f"of {len(measured.least)} scenarios of this size, replayed.",
        [],
        list(of_cluster(measured, simulated)),
        table=Table(["policy", "mean, published", "here"], rows),
        kind="Table",
    )


def _ours(simulated: ScenarioSample, measured: ScenarioSample) -> Figure:
    names = ("cbs3m-edf-online", "cbs3m-edf-offline", *OUR_POLICIES)
    values = np.array([100 * (simulated.of("max_stretch", name) - 1) for name in names])
    return Figure(
        "A",
        "How near whole tasks come to the least possible worst stretch",
        "Not of the publication: our policies beside the best published ones, in the scenarios of "
        "table 1.",
        [
            Panel(
                "Worst stretch over the least possible one",
                "policy",
                "excess",
                "%",
                [Series("scenarios", np.arange(len(names), dtype=float), values)],
                "violins",
                categories=[label_of(name) for name in names],
            )
        ],
        list(of_ours(simulated, measured)),
    )
