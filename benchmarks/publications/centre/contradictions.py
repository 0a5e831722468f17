"""Where the publication contradicts itself: sentences against its own tables and definitions."""

from typing import Final, NamedTuple

import numpy as np

from benchmarks.publications.centre.hypervolume_tables import TABLE_32, TABLE_33
from benchmarks.publications.claim import Claim, percent
from benchmarks.publications.figure import Figure, Table
from core.capabilities.centre.made import MADE_JOBS, made_day
from core.capabilities.centre.rivals.genes import HIGH_READINGS, DayGenes, HighReading

DRAWN: Final = 400
OWN: Final = "contradicts the publication's own {}"


class Contradiction(NamedTuple):
    """What is said at one place, what at another, and which of them we follow."""

    said: str
    but: str
    here: str


LISTED: Final = (
    Contradiction(
        "3.5.2: values in the upper 20 % of their range give more feasible first plans",
        "3.5.1: of cooling genes, 1 to 300, the upper 20 % mean that nothing cools",
        "upper 20 % by power: the compressor, and 80 % of the servers",
    ),
    Contradiction(
        "3.5.3: a mutated gene of cooling is (v + 300 r) mod 300, so it can be 0",
        "3.5.1: genes of cooling are 1 to 300",
        "the circle of 1 to 300",
    ),
    Contradiction(
        "3.5.4: genes of cooling and of the power of servers alone give the power of the centre",
        "3.3: servers that are awake draw 22 or 30 W, by what the schedule of jobs has them do",
        "what they draw in the schedule",
    ),
    Contradiction(
        "Algorithm 2: no holes at first, and jobs that fit no hole go to the end of a server, so "
        "none arises while servers stay awake",
        "3.5.4: the heuristic backfills holes in which servers are idle",
        "the times in which servers are awake are the first holes",
    ),
    Contradiction(
        "Algorithm 2: to the server that executes the job fastest",
        "3.6.1: all servers are equal",
        "where it begins first",
    ),
    Contradiction(
        "Equation 3.2 divides the excess by the largest value of the target",
        "3.7.2: the relative deviation divides it by the sum of the target",
        "the objective is in joules, the relative excess is over the sum",
    ),
    Contradiction(
        "Abstract of the chapter: as few violated due dates as possible",
        "Equation 3.4: as little overdue time as possible",
        "overdue time",
    ),
    Contradiction(
        "Table 3.1: 1,000 generations for both methods",
        "20 children a generation of NSGA-II, 8 of ev-MOGA: 20,020 evaluations against 8,100",
        "as published, and with equal evaluations in table A",
    ),
)


def feasible(high: HighReading) -> float:
    """The share of first plans of the half where much is drawn that violate nothing."""
    found = []
    for size in MADE_JOBS:
        genes = DayGenes(made_day(size), high, "awake")
        rows = genes.begun(np.random.default_rng(1), DRAWN)
        servers = rows[:, genes.steps :]
        much = (servers >= np.ceil(0.8 * genes.most[genes.steps :])).all(axis=1)
        found.append(float((genes.judged(rows[much])[1] == 0).mean()))
    return float(np.mean(found))


def figure() -> Figure:
    """All of them, and the claims that arithmetic decides."""
    return Figure(
        "C",
        "Where the publication contradicts itself",
        "What one place says and another denies, and which of them we follow.",
        [],
        [_first_plans(), *_by_arithmetic()],
        table=Table(["what is said", "but", "here"], LISTED),
        kind="Table",
    )


def _first_plans() -> Claim:
    literal, power = (feasible(high) for high in reversed(HIGH_READINGS))
    return Claim(
        "First plans in the upper 20 % of the range of all genes are feasible more often",
        "said of half of the first plans",
        f"{percent(literal)} are as printed, {percent(power)} with the compressor",
        literal > 0.5,
        "feasible: the limit is kept and all jobs have room",
        cause="As printed nothing cools: the claim " + OWN.format("meaning of the genes"),
    )


def _by_arithmetic() -> list[Claim]:
    higher = sum(one.ev_moga[1] > one.nsga2[1] for one in TABLE_32.values())
    unsure = [" ".join(cell) for cell, one in TABLE_33.items() if not one.is_sure]
    means = np.array([(one.ev_moga[0], one.nsga2[0]) for one in TABLE_32.values()]).mean(axis=0)
    relative = float(means[0] / means[1]) - 1
    return [
        Claim(
            "For all scenarios, the dispersion of ev-MOGA is lower",
            "text beside figures 3.6 and 3.7",
            f"its deviation in table 3.2 is higher in {higher} of 9 cells",
            higher == 0,
            cause=OWN.format("table 3.2") + ", if dispersion is the standard deviation",
        ),
        Claim(
            "ev-MOGA is significantly more accurate for all problem instances",
            "conclusions",
            f"not so in table 3.3 for {' and '.join(unsure)}",
            not unsure,
            cause=OWN.format("table 3.3"),
        ),
        Claim(
            "It improves the accuracy by about 18 %",
            "conclusions",
            f"{100 * (means[0] - means[1]):.1f} points by table 3.2, or {percent(relative, 0)}",
            abs(relative - 0.18) <= 0.02,
            cause=OWN.format("table 3.2") + ": 18 are points of the best hypervolume",
        ),
        Claim(
            "Green power reduces the budget by 22 % on average",
            "section 3.7.2",
            "from 54 to 32 % of the cost as usual by table 3.4: 22 points, which are 41 %",
            holds=False,
            cause=OWN.format("table 3.4") + ": 22 are points of the cost as usual",
        ),
    ]
