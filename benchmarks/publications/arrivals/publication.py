"""Reproduces what is published on work that arrives: measures, judges, draws and reports."""

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks.publications.arrivals import (
    budget,
    causes,
    curie,
    days,
    testbed,
    uncertain,
    uncertain_runs,
    urgent,
    urgent_figures,
    value,
    value_figures,
)
from benchmarks.publications.arrivals.budget_figures import figure_25, figure_26, figure_27
from benchmarks.publications.arrivals.budget_sweeps import figure_28, figure_29, figure_30
from benchmarks.publications.arrivals.causes import run_times
from benchmarks.publications.arrivals.days import DaySetting
from benchmarks.publications.arrivals.trace import TraceDay, days_of_log
from benchmarks.publications.figure import Figure
from benchmarks.publications.publication import Publication, silent, together
from core.engines.compute.executors import (
    ENGINE_VARIABLE,
    PROCESSES,
    Engine,
    EngineRefused,
    engine_named,
    usual_engine,
)
from core.files.findings import Unreadable
from core.vocabulary.problems import refusing

PREAMBLE: Final = """\
# Work that arrives, done again

Dylan Machovec: *Dynamic resource management in heterogeneous systems: maximizing utility, value,
and energy-efficiency*, dissertation, Colorado State University 2021, chapter 3: its figures 25 to
33, and in D what its text says of run times. Santiago Iturriaga: *Energy-aware scheduling in
distributed computing systems*, thesis, Universidad de la República, Uruguay 2017, chapter 6: its
tables 6.2 to 6.4. Both are measured with this code.

This file is written by `wattfront reproduce arrivals`; nothing in it is edited by hand.

## How to read it

- Utility is called worth here, tasks are jobs, and clusters are pools. Worth is in percent of the
  published maximum: the worth if every job began when it arrived, on its fastest option. It is no
  bound.
- Numbers are means over trials with half of the width of their intervals of 95 %. All settings meet
  the same days, so differences are paired. A trial is a day that is drawn by its number.
- Not printed, and so ours: the sizes of the pools, the cores and the power of a node, the twenty
  curves of worth, and the swing of arrivals over the day. Two of them are calibrated once: the
  power, so that Max Util draws about 17 GJ a day without a budget, as published; and how long worth
  is full and falls, in multiples of the time of a type.
  `core/capabilities/arrivals/made/synthetic.py` has them.
- Budgets are scaled: they are the same shares of what Max Util (with 10,000 jobs: Max UPR) draws
  without a budget. The scale is in figures 25 and 26.
- Policies have place-holders if nothing else is said. The filters have the published leniency.
- The log of Curie is not part of Wattfront. Figures 31 and 32 replay a trace with bursts that is
  drawn; `--log FILE` replays days of a log in the Standard Workload Format instead.
- A verdict judges one sentence of a publication. Where a word needs a number ("about"), the number
  that we use is in the claim.
- If a claim does not hold, the column *cause* says what we tried to find out why, and the result.
"""

URGENT_PREAMBLE: Final = """\
# Urgent work, done again

Dylan Machovec: *Dynamic resource management in heterogeneous systems: maximizing utility, value,
and energy-efficiency*, dissertation, Colorado State University 2021, chapter 4: its figures 36 to
40, and in E what its text says of run times. Measured with this code.

This file is written by `wattfront reproduce arrivals`; nothing in it is edited by hand.

## How to read it

- Utility is called worth here, tasks are jobs, and to preempt is to stop. Worth is in percent of
  the published maximum: the worth if every job began when it arrived, on its fastest cluster, and
  had its starting worth, whatever its curve. It is no bound.
- Numbers are means over trials with half of the width of their intervals of 95 %. All policies meet
  the same days, so differences are paired. A trial is a day that is drawn by its number.
- Not printed, and so ours: 100 types of jobs, of which 20 are critical; clusters of the same size;
  the swing of arrivals over the day, a half; the twenty classes of curves, and the urgencies that
  go with them. A job that decays is worth nothing after its 200 min. A step is as wide as the mean
  time of the type over the clusters. `core/capabilities/arrivals/made/urgent.py` has them.
- Which of several jobs with the same measure is first is not printed: here the first to arrive.
  Max Util depends on it where worths are 8 or 1.
- Pair as printed goes round in circles for ever. Here a job that was stopped is not looked at again
  at that event, and if both orders are worth the same, what runs stays.
- The text speaks of starting worths of critical jobs that were varied. No figure shows it, and it
  is left out.
- A verdict judges one sentence of the publication. Where a word needs a number ("slightly"), the
  number that we use is in the claim.
- If a claim does not hold, the column *cause* says what we tried to find out why, and the result.
"""

VALUE_PREAMBLE: Final = """\
# Value of service, done again

Dylan Machovec: *Dynamic resource management in heterogeneous systems: maximizing utility, value,
and energy-efficiency*, dissertation, Colorado State University 2021, chapter 2: its figures 7 and
8, signs of its figures 12 to 17, and in F run times of ours. Measured with this code.

This file is written by `wattfront reproduce arrivals`; nothing in it is edited by hand.

## How to read it

- Tasks are jobs, and configurations of virtual machines are sizes: a number of cores and GB. Value
  of service is in percent of the published maximum: the worth if every job began when it arrived,
  took the time of its fastest size, and the energy of its most frugal one. It is no bound.
- Numbers are means over trials with half of the width of their intervals of 95 %. All policies meet
  the same days in all ten environments, so differences are paired. A trial is a day that is drawn
  by its number. The text says 48 trials in its setup, and 64 with its results.
- Not printed, and so ours: how many sizes a type has (3 to 8), and which of 4 to 32 cores and 6 to
  40 GB; the average parallelism of a type; the swing of arrivals over the day; energy as the base
  times the mean of cores and GB; the soft thresholds of time by the rule that is printed for
  energy. `core/capabilities/arrivals/made/value.py` has them.
- How memory makes a job faster is not printed either. Here the time goes with the memory to a
  negative power, which is 1 with 1 GB, the base of the publication. That power is calibrated once
  to the largest lead of Max VPTR that is printed, 49 %, on days whose seeds are 100 to 131. The
  days of this report have the seeds from 0 on.
- A job is dropped, where a policy drops, if at its earliest start in the plan of the event no size
  is worth anything, place-holders included, as the text says.
- The equation of all resources is lost; time x (share of all cores + share of all memory) is our
  reading of the text around it.
- *Wattfront* sets prices of a second of a core and of a GB by the jobs of the last hour, and takes
  what is worth the most above its price. The bound is proven for each day, by prices, and knows all
  that comes.
- The numbers of the testbed (figures 12 to 17) cannot be reproduced: what its four benchmarks take
  in time and energy in each size is not printed, nor how many jobs there were. Published are, of
  Max VPTR over Simple d&p: performance value up to 82 % and energy value up to 110 % more; value of
  service 77 % (80 cores), 36 % (40) and 32 % (20) more; and with all hours at the peak, on 80
  cores, about 100 %, 84 % and up to 91 %. Only their signs are judged, on times and energies of the
  simulation that stand in: `wattfront replay value-testbed` draws them.
- A verdict judges one sentence of the publication. If a claim does not hold, the column *cause*
  says what we tried to find out why, and the result.
"""

BUDGET, URGENT_ONLY, VALUE_ONLY = "budget", "urgent", "value"
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
        },
        "only": {
            "choices": (BUDGET, URGENT_ONLY, VALUE_ONLY),
            "help": "for arrivals: only days under a budget and bags of tasks, only days of urgent "
            "jobs, or only value of service; each has a report of its own",
        },
    },
)
URGENT: Final = Publication("arrivals-urgent", URGENT_PREAMBLE, "png", urgent.PUBLISHED_TRIALS)
VALUE: Final = Publication("arrivals-value", VALUE_PREAMBLE, "png", value.PUBLISHED_TRIALS)


class ArrivalsMeasured(NamedTuple):
    """What came of days with few jobs, with many, with many power states, and with other pools and
    curves; of the log, of the testbed, of bags, and of bags under other readings.
    """

    few: budget.BudgetDays
    many: budget.BudgetDays
    fine: budget.BudgetDays
    tried: causes.Tried
    trace: curie.CurieDays
    small: testbed.BladeDays
    bags: uncertain_runs.UncertainCells
    read: uncertain_runs.ReadCells


def reproduce(
    folder: Path,
    trials: int = PUBLICATION.trials,
    say: Callable[[str], None] = silent,
    log: Path | None = None,
    only: str | None = None,
) -> Mapping[str, object]:
    """Measure everything, or `only` one part; the result is that of `Publication.reproduce`, of
    all reports together.

    The engine that the environment names computes it, or else a process for each processor.
    """
    trace: Sequence[TraceDay] = ()
    if log is not None:  # now, and not after minutes of work
        with refusing(Unreadable, of=str(log)):
            trace = days_of_log(log, trials)
    name = usual_engine() if ENGINE_VARIABLE in os.environ else PROCESSES
    found = list[Mapping[str, object]]()
    with refusing(EngineRefused, of=""), engine_named(name, days.__name__) as engine:

        def add(of: Publication, drawn: Callable[[], list[Figure]], trials: int, note: str) -> None:
            found.append(of.reproduce(drawn, folder, trials, note, say, engine.workers))

        if only in (None, BUDGET):
            add(
                PUBLICATION,
                lambda: figures(measure(trials, engine, say, trace)),
                trials,
                f"This run drew {trials} days for each number of jobs, as many of the trace "
                f"and of the testbed, and {instances(trials)} bags of each kind; published are "
                f"{budget.PUBLISHED_TRIALS} days, 4 repetitions on the testbed and "
                f"{uncertain_runs.INSTANCES} bags.",
            )
        if only in (None, URGENT_ONLY):
            urgent_days = of_published(URGENT, trials)
            add(
                URGENT,
                lambda: urgent_figures.figures(urgent.measure(urgent_days, engine, say)),
                urgent_days,
                f"This run drew {urgent_days} days of each kind, and "
                f"{urgent.pair_trials(urgent_days)} smaller ones for Pair; published are "
                f"{urgent.PUBLISHED_TRIALS} days for all.",
            )
        if only in (None, VALUE_ONLY):
            value_days = of_published(VALUE, trials)
            add(
                VALUE,
                lambda: value_figures.figures(value_figures.measure(value_days, engine, say)),
                value_days,
                f"This run drew {value_days} days for each environment; published are "
                f"{value.PUBLISHED_TRIALS}.",
            )
    return together(found)


def of_published(publication: Publication, trials: int) -> int:
    """How many trials another report has: the same share of those that are published."""
    return max(round(publication.trials * trials / PUBLICATION.trials), 1)


def instances(trials: int) -> int:
    """How many bags of a kind: the published share of the trials, at least one of each kind."""
    return max(round(uncertain_runs.INSTANCES * trials / budget.PUBLISHED_TRIALS), 4)


def measure(
    trials: int, engine: Engine, say: Callable[[str], None], log: Sequence[TraceDay] = ()
) -> ArrivalsMeasured:
    """Everything; the days of a log replace those that are drawn."""
    few = budget.measure(trials, budget.FEW, engine, say)
    return ArrivalsMeasured(
        few,
        budget.measure(trials, budget.MANY, engine, say),
        budget.measure_fine(trials, few.gigajoule, engine, say),
        causes.measure(trials, engine, say),
        curie.measure(trials, log, engine, say),
        testbed.measure(trials, engine, say),
        uncertain_runs.measure(instances(trials), say, engine),
        uncertain_runs.measure_readings(say=say, engine=engine),
    )


def figures(found: ArrivalsMeasured) -> list[Figure]:
    """The figures of the first report, in the order of the publications; run times are last."""
    few, many, fine, tried, trace, small, bags, read = found
    usual = few.days.share(DaySetting("max-upe", budget.USUAL[budget.FEW]))
    return [
        figure_25(few, tried),
        figure_26(many, tried),
        figure_27(few),
        figure_28(few),
        figure_29(few),
        figure_30(few),
        curie.figure_31(trace),
        curie.figure_32(trace, usual),
        testbed.figure_33(small),
        *uncertain.figures(bags, read),
        run_times(few, many, fine),
    ]
