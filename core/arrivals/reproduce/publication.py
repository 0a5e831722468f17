"""Reproduces what is published on work that arrives: measures, judges, draws and reports."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from core.arrivals.reproduce import budget, curie, testbed
from core.arrivals.reproduce.budget_figures import figure_25, figure_26, figure_27
from core.arrivals.reproduce.budget_sweeps import figure_28, figure_29, figure_30, run_times
from core.arrivals.reproduce.days import DaySetting, processes
from core.reproduce.figure import Figure
from core.reproduce.publication import Publication, silent

PREAMBLE: Final = """\
# Work that arrives, done again

Dylan Machovec: *Dynamic resource management in heterogeneous systems: maximizing utility, value,
and energy-efficiency*, dissertation, Colorado State University 2021, chapter 3. Its figures 25 to
33, measured with this code, and in D what its text says of run times.

This file is written by `wattfront reproduce arrivals`; nothing in it is edited by hand.

## How to read it

- Utility is called worth here, tasks are jobs, and clusters are pools. Worth is in percent of the
  published maximum: the worth if every job began when it arrived, on its fastest option. It is no
  bound: see `docs/arrivals.md`.
- Numbers are means over trials with half of the width of their intervals of 95 %. All settings meet
  the same days, so differences are paired. A trial is a day that is drawn by its number.
- Not printed, and so ours: the sizes of the pools and the cores of a node, the twenty curves of
  worth, and the swing of arrivals over the day. One of them is calibrated: of nodes with the cores
  that we thought of first, with twice and four times as many, we took twice, since Max Util then
  reaches almost 80 % without a budget, as published (figure 29, at 18 GJ). Nothing else is fitted.
- Budgets are scaled: they are the same shares of what Max Util (with 10,000 jobs: Max UPR) draws
  without a budget. The scale is in figures 25 and 26.
- Policies have place-holders if nothing else is said. The filters have the published leniency.
- The log of Curie is not part of Wattfront. Figures 31 and 32 replay a trace with bursts that is
  drawn; `--log FILE` replays days of a log in the Standard Workload Format instead.
- A verdict judges one sentence of the publication. Where a word needs a number ("about"), the
  number that we use is in the claim. A published range with its own measure is in the claim, too.
- If a claim does not hold, the column *cause* says what we tried to find out why, and the result.
"""

PUBLICATION: Final = Publication(
    "arrivals",
    PREAMBLE,
    "png",
    budget.PUBLISHED_TRIALS,
    {
        "log": {
            "type": Path,
            "metavar": "FILE",
            "help": "for arrivals: replay days of this log, and not of a drawn trace",
        }
    },
)


class Measured(NamedTuple):
    """What came of all days: with few jobs, with many, of the log, and of the testbed."""

    few: budget.BudgetDays
    many: budget.BudgetDays
    trace: curie.CurieDays
    small: testbed.BladeDays


def reproduce(
    folder: Path,
    trials: int = PUBLICATION.trials,
    say: Callable[[str], None] = silent,
    log: Path | None = None,
) -> Mapping[str, object]:
    """Measure everything; the result is that of `Publication.reproduce`."""
    drawn = (
        f"This run drew {trials} days for each number of jobs, and as many of the trace and the "
        f"testbed; published are {budget.PUBLISHED_TRIALS}, and 4 of the testbed."
    )
    return PUBLICATION.reproduce(
        lambda: figures(measure(trials, say, log)), folder, trials, drawn, say, processes()
    )


def measure(trials: int, say: Callable[[str], None], log: Path | None = None) -> Measured:
    return Measured(
        budget.measure(trials, budget.FEW, say),
        budget.measure(trials, budget.MANY, say),
        curie.measure(trials, log, say),
        testbed.measure(trials, say),
    )


def figures(found: Measured) -> list[Figure]:
    """All figures in the order of the publication, then the claims of its text."""
    few, many, trace, small = found
    usual = few.days.share(DaySetting("max-upe", budget.USUAL[budget.FEW]))
    return [
        figure_25(few),
        figure_26(many),
        figure_27(few),
        figure_28(few),
        figure_29(few),
        figure_30(few),
        curie.figure_31(trace),
        curie.figure_32(trace, usual),
        testbed.figure_33(small),
        run_times(few, many),
    ]
