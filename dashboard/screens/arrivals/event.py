"""One mapping event of a day: seen in a worker process, and said in words and tables."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
import pandas as pd

from core.capabilities.arrivals.policies import policy_named
from core.capabilities.arrivals.question import ReplayQuestion
from core.capabilities.arrivals.trials import settings_of_trial
from core.capabilities.arrivals.value_told import hour_of
from core.engines.replay.looking import Decided, RecordedPrices, SeenEvent, SeenJob, Way, see_event
from core.engines.replay.outcome import PricesFrom, ReplayOutcome
from core.engines.replay.policy import Measure, Prices
from core.engines.replay.workload import Workload
from core.files.sheet import neutralised
from core.vocabulary.say.words import (
    DAY,
    Sense,
    amount,
    clock,
    counted,
    duration,
    energy,
    joined,
)
from dashboard.parts.charts.timeline import spread

MOST_MOMENTS: Final = 1_500
_MEASURES: Final = {
    Measure.WORTH: "worth",
    Measure.PER_TIME: "worth for each hour",
    Measure.PER_RESOURCE: "worth for each core-hour",
    Measure.PER_ENERGY: "worth for each kWh",
    Measure.EARLIEST: "the earliest start",
    Measure.ANY: "a random draw",
    Measure.SURPLUS: "worth above the price of cores and energy, for the size of a job",
    Measure.PER_SHARE: "worth for each hour of the shares that a job takes of its pool",
}
_OF_RESOURCES: Final = "worth above the price of cores and of what else a job takes"
SURPLUS: Final = "Worth above price"
_HOUR: Final = 3600.0
_KWH: Final = 3.6e6


def seen_at(
    question: ReplayQuestion,
    policy: str,
    free: float | None,
    when: float,
    priced: Sequence[PricesFrom] = (),
) -> SeenEvent:
    """The event of the first day at `when` (s), under a policy; `free` is what is drawn without a
    budget (J), `priced` which prices of energy the policy has found on that day.
    """
    file = question.file(0)
    rules = question.switches.applied(policy_named(policy).policy)
    settings = replace(settings_of_trial(question, 0, free), pricing=RecordedPrices(priced))
    return see_event(file.workload, rules, when, file.truth, settings)


def moments(outcome: ReplayOutcome) -> list[float]:
    """The times of the events to choose from (s): those at which policies decide, thinned."""
    times = outcome.decisions.time
    last = outcome.workload.horizon.end
    times = times[times < last] if len(times) else np.zeros(1)
    return [float(time) for time in times[spread(len(times), MOST_MOMENTS)]]


def busiest(outcome: ReplayOutcome, among: list[float]) -> float:
    """The moment after which the most jobs wait."""
    times, waits = outcome.decisions.time.tolist(), outcome.decisions.waiting.tolist()
    waiting = dict(zip(times, waits, strict=True))
    return max(among, key=lambda moment: waiting.get(moment, 0))


def nearest(among: list[float], when: float) -> float:
    """The moment next to a time (s)."""
    return min(among, key=lambda moment: abs(moment - when))


def moment_said(workload: Workload, moment: float) -> str:
    """The time of day: "13:45", or "day 2, 13:45"."""
    since = moment - workload.horizon.begin
    if since < 0:
        return f"{clock(since % DAY)} before the day"
    day = int(since // DAY)
    return clock(since % DAY) if not day else f"day {day + 1}, {clock(since % DAY)}"


def said_of(workload: Workload, event: SeenEvent) -> str:
    """How many jobs waited, and what became of them."""
    started = sum(job.decided is Decided.STARTS for job in event.jobs)
    if not event.waited:
        return "No job waits."
    more = "" if not event.more else f" {counted(event.more, 'more job')} are not listed."
    least = ""
    if event.measure is Measure.SURPLUS and event.prices is not None:
        least = f" A job {prices_said(workload, event.prices)}."
    looks_at = _OF_RESOURCES if _has_prices_of_resources(event) else _MEASURES[event.measure]
    return (
        f"{counted(event.waited, 'job')} waited; {started:,} of those listed start now. The policy "
        f"looks at {looks_at}.{least}{more}"
    )


def _has_prices_of_resources(event: SeenEvent) -> bool:
    is_surplus = event.measure is Measure.SURPLUS
    return is_surplus and event.prices is not None and bool(event.prices.further)


def prices_said(workload: Workload, prices: Prices) -> str:
    """What these prices ask of a job, after that word."""
    if prices.by_share:
        return f"has no price: what counts is {_MEASURES[Measure.PER_SHARE]}"
    further = zip(workload.pools.resources, prices.further, strict=False)
    each = {} if prices.further else {"kWh": _KWH * prices.joule}
    each |= {"core-hour": _HOUR * prices.core_second}
    each |= {hour_of(name): _HOUR * price for name, price in further}
    asked = [f"{amount(one, Sense.PLAIN)} for each {what}" for what, one in each.items()]
    return f"must be worth {joined(asked)}"


def free_said(workload: Workload, event: SeenEvent) -> list[tuple[str, int, int]]:
    pools = workload.pools
    return [
        (pools.names[pool], int(pools.units[pool]) - free, free)
        for pool, free in enumerate(event.free.tolist())
    ]


def decisions_table(workload: Workload, event: SeenEvent) -> pd.DataFrame:
    """A row for each job in the order of the decisions."""
    jobs = workload.jobs
    rows = [
        (
            neutralised(jobs.name(one.job)),
            neutralised(jobs.types[jobs.type[one.job]]),
            duration(event.now - float(jobs.arrival[one.job]), Sense.PLAIN),
            one.decided.value,
            "" if one.chosen is None else neutralised(_where(workload, one.chosen)),
        )
        for one in event.jobs
    ]
    return pd.DataFrame(rows, columns=["Job", "Type", "Waits since", "Decided", "Where"])


def ways_table(workload: Workload, event: SeenEvent, job: SeenJob) -> pd.DataFrame:
    """The best ways of a job, the best first."""
    prices, is_surplus = event.prices or Prices(), event.measure is Measure.SURPLUS
    options = workload.options

    def row(way: Way) -> dict[str, str]:
        above = way.worth - prices.of(way.core_seconds, way.joules)
        if prices.further and options.further is not None:
            above -= way.seconds * float(options.further[way.option] @ prices.further)
        kwh = amount(_KWH * way.worth / way.joules, Sense.PLAIN) if way.joules else "–"
        return {
            "Where": neutralised(_where(workload, way)),
            "Could start": _start(event, way),
            "Takes": duration(way.seconds, Sense.PLAIN),
            "Energy": energy(way.joules, Sense.PLAIN),
            "Worth": amount(way.worth, Sense.PLAIN),
            "Worth / h": amount(_HOUR * way.worth / way.seconds, Sense.PLAIN),
            "Worth / core-hour": amount(_HOUR * way.worth / way.core_seconds, Sense.PLAIN),
            "Worth / kWh": kwh,
            **({SURPLUS: amount(above, Sense.PLAIN)} if is_surplus else {}),
            "Possible": _possible(event, way),
        }

    return pd.DataFrame(map(row, job.ways))


def surplus_said(event: SeenEvent) -> str:
    """What the column of a policy by prices is; empty for others."""
    if event.measure is not Measure.SURPLUS:
        return ""
    if _has_prices_of_resources(event):
        return (
            f" {SURPLUS}: what a job is worth above the price of its cores and of what else it "
            "takes. The best way has the most of it; the next job has the most for its cheapest "
            "way."
        )
    return (
        f" {SURPLUS}: what a job is worth above the price of its cores and its energy. The best "
        "way has the most of it for its size: the root of its seconds times the root of its price "
        "for each second."
    )


def _possible(event: SeenEvent, way: Way) -> str:
    if way.fits:
        return "yes"
    if event.measure is Measure.SURPLUS and way.value <= 0:
        return "no: worth no more than its price"
    return "no: too late, or no energy for it"


def _where(workload: Workload, way: Way) -> str:
    options = workload.options
    state = options.labels[options.state[way.option]]
    pool = workload.pools.names[options.pool[way.option]]
    return f"{options.units[way.option]:,} × {pool}" + (f", {state}" if state else "")


def _start(event: SeenEvent, way: Way) -> str:
    wait = way.start - event.now
    return "now" if wait <= 0 else f"in {duration(wait, Sense.PLAIN)}"
