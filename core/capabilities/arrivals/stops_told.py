"""What is said of stopping jobs: what it costs under each policy, and whether that is worth it."""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from core.capabilities.arrivals.labels import policy_label
from core.capabilities.arrivals.policies import stops_jobs
from core.capabilities.arrivals.question import ReplayQuestion
from core.capabilities.arrivals.trials import PolicyTrial, ReplayComparison, worth_of
from core.engines.logs.types.requeued import LostWork
from core.engines.replay.stopping.rules import NOTHING
from core.engines.replay.stopping.score import StopScore, UrgentWaits
from core.shells.told.told import ToldTable
from core.vocabulary.arrays import FloatArray
from core.vocabulary.say.phrases import core_hours, points, points_up
from core.vocabulary.say.words import HOUR, Sense, amount, duration, share

_Figure = Callable[[PolicyTrial], Any]


def _of_stops(figure: str) -> _Figure:
    """A figure of stops; None where nobody says who may stop whom."""
    return lambda one: one.stops and getattr(one.stops, figure)


def _of_urgent(figure: str) -> _Figure:
    """A figure of urgent jobs; None where there is no such job."""
    return lambda one: one.stops and one.stops.urgent and getattr(one.stops.urgent, figure)


_stops, _lost, _lost_share, _, _flow = map(_of_stops, StopScore._fields)
_urgent, _never, _mean_wait, _wait95, _can_wait = map(_of_urgent, UrgentWaits._fields)


def _others(one: PolicyTrial) -> int:
    return one.jobs - (_urgent(one) or 0)


def _known(found: ReplayComparison, of: _Figure, *policies: str) -> FloatArray:
    """A figure of these policies (rows), in the common trials in which all of them have it."""
    rows = [[of(found.trials[one][trial]) for trial in found.common] for one in policies]
    values = np.array(rows, float)
    return np.asarray(values[:, ~np.isnan(values).any(axis=0)])


def _mean(found: ReplayComparison, policy: str, of: _Figure) -> float | None:
    """The mean over the trials that have a figure; None if none has."""
    values = _known(found, of, policy)
    return float(values.mean()) if values.size else None


def knows_stops(found: ReplayComparison) -> bool:
    """Whether some job may stop others."""
    return bool(found.ranked) and bool(_known(found, _urgent, found.ranked[0]).size)


def _has_stops(found: ReplayComparison) -> bool:
    """Whether it is said of jobs who may stop whom, so that trials say what that comes to."""
    return bool(found.ranked) and bool(_known(found, _stops, found.ranked[0]).size)


def stops_tables(found: ReplayComparison, lost: LostWork | None) -> Iterator[ToldTable]:
    """What stopping jobs comes to under each policy, where it is said who may stop whom, and what
    it came to in the log.
    """
    if not _has_stops(found):
        return
    order = found.ranked

    def means(of: _Figure) -> list[float]:
        return [found.mean(one, of) for one in order]

    def seconds(of: _Figure) -> list[str]:
        return [duration(_mean(found, one, of), Sense.PLAIN) for one in order]

    columns = {
        "Policy": [policy_label(one) for one in order],
        "Stops": [amount(mean, Sense.PLAIN) for mean in means(_stops)],
        "Lost (core-hours)": [amount(mean / HOUR, Sense.PLAIN) for mean in means(_lost)],
        "Of all work": [share(mean, Sense.PLAIN) for mean in means(_lost_share)],
        "Urgent jobs wait": seconds(_mean_wait),
        "95 % of them at most": seconds(_wait95),
        "Time of the others to the end": seconds(_flow),
    }
    table = ToldTable.of_columns("What stopping jobs costs", columns, marked=0)
    if lost is not None and lost.jobs:
        hours = amount(lost.core_seconds / HOUR, Sense.PLAIN)
        of_log = ("In the log itself", f"{lost.attempts:,}", hours, "", "", "", "")
        table = replace(table, rows=(*table.rows, of_log))
    yield table


def stops_sentences(found: ReplayComparison) -> Iterator[str]:
    """Whether stopping jobs is worth it: how long urgent jobs wait without it, and can wait; and
    what the best policy that stops jobs changes.
    """
    stopping = [one for one in found.ranked if stops_jobs(one)]
    if not knows_stops(found):
        if stopping:
            yield "No job of this workload may stop others, so none is stopped."
        return
    without = [one for one in found.ranked if one not in stopping]
    if without:
        yield f"Without stopping, {_waits(found, without[0])}."
    if stopping:
        yield _changes(found, stopping[0], without)
        yield from _beyond_jobs(found.question)


def _waits(found: ReplayComparison, policy: str) -> str:
    """A clause on how long urgent jobs wait, and whether they can."""
    said = f"{_wait_said(found, policy)} under {policy_label(policy)}"
    mean, most, never = (_mean(found, policy, of) for of in (_mean_wait, _wait95, _never))
    if mean is None or most is None:
        return said
    is_one = _is_one(found, _urgent)
    if not mean and not never:
        return f"{said}, so {'it' if is_one else 'they'} need not stop others"
    if not is_one:
        at_most = f"at most {duration(most, Sense.PLAIN)}" if most else "not at all"
        said = f"{said}, and 95 % of them {at_most}"
    can = _can_wait_of(found, policy)
    if math.isinf(can):
        return f"{said}; {'its worth' if is_one else 'the worth of most of them'} never halves"
    if is_one:
        late = "it need not stop others" if mean <= can and not never else "it comes too late"
    elif mean <= can:
        late = "they need not stop others" if most <= can and not never else "some come too late"
    else:
        late = "many come too late"
    if not can:
        return f"{said}; {'it' if is_one else 'most of them'} cannot wait at all, so {late}"
    whose = "its worth" if is_one else "the worth of most"
    return f"{said}; {whose} halves after {duration(can, Sense.PLAIN)}, so {late}"


def _beyond_jobs(question: ReplayQuestion) -> Iterator[str]:
    """What is so long that no job of the first trial reaches it, of those that may be stopped."""
    stopping = question.stopping
    apart = stopping.checkpoints if stopping.checkpoints < NOTHING else 0.0
    spans = {
        "Checkpoints are {} apart": apart,
        "Stopping a job takes {}": stopping.stop_seconds,
        "Going on takes {}": stopping.resume_seconds,
    }
    if not any(spans.values()) or (rights := question.file(0).workload.jobs.rights) is None:
        return
    options = question.file(0).workload.options
    of_stopped = np.repeat(rights.may_be_stopped, np.diff(options.first))
    longest = float(options.seconds[of_stopped].max(initial=0.0))
    for said, span in spans.items():
        if span > longest > 0:
            yield (
                f"{said.format(duration(span, Sense.TYPED))}, longer than any job that may be "
                f"stopped takes ({duration(longest, Sense.PLAIN)} at most)."
            )


def _is_one(found: ReplayComparison, jobs: _Figure) -> bool:
    """Whether there is one such job and no more, in each trial."""
    return bool((_known(found, jobs, found.ranked[0]) == 1).all())


def _can_wait_of(found: ReplayComparison, policy: str) -> float:
    """How long urgent jobs can wait in the median trial (s); infinite: for ever, or there is no
    such job.
    """
    known = _known(found, _can_wait, policy)
    return float(np.median(known)) if known.size else math.inf


def _wait_said(found: ReplayComparison, policy: str) -> str:
    """A clause on the mean wait of urgent jobs, and how many never start."""
    mean, is_one = _mean(found, policy, _mean_wait), _is_one(found, _urgent)
    never, jobs = (int(_known(found, of, policy).sum()) for of in (_never, _urgent))
    if mean is None:
        return "the urgent job never starts" if is_one else "no urgent job starts"
    if not mean and not never:
        return "the urgent job starts at once" if is_one else "urgent jobs start at once"
    who = "the urgent job waits" if is_one else "urgent jobs wait"
    on_average = "" if is_one and len(found.common) == 1 else " on average"
    lost = f" ({never:,} of {jobs:,} never start{'s' if never == 1 else ''})" if never else ""
    return f"{who} {duration(mean, Sense.PLAIN)}{on_average}{lost}"


def _changes(found: ReplayComparison, policy: str, without: list[str]) -> str:
    name = policy_label(policy)
    said = f"{name}: {_wait_said(found, policy)}; {_cost(found, policy)}"
    if not without:
        return f"{said}."
    best = without[0]
    gain = found.more(policy, best, worth_of, found.wholes)
    by, sure = points(abs(gain.mean)), f" ± {points_up(gain.half_width)}" if gain.known else ""
    earns = f"{by}{sure} percentage points {'more' if gain.mean >= 0 else 'less'} than"
    earns = "as much as" if by == points(0.0) and not gain.known else earns
    said = f"{said}. It earns {earns} the best that stops none"
    flows = _known(found, _flow, best, policy)
    if not flows.size:  # no other job ended
        return f"{said}."
    before, after = flows.mean(axis=1).tolist()
    more = share(abs(after - before) / before if before else 0.0, Sense.PLAIN)
    how = f"{more} {'longer' if after > before else 'less time'}"
    how = "as long" if more == share(0.0, Sense.PLAIN) else how
    who = "the other job takes" if _is_one(found, _others) else "the other jobs take"
    end = "its end" if _is_one(found, _others) else "their end"
    return f"{said}, and {who} {how} to {end}."


def _cost(found: ReplayComparison, policy: str) -> str:
    """A clause on how often jobs are stopped, and what that loses."""
    stops, lost = amount(found.mean(policy, _stops), Sense.PLAIN), found.mean(policy, _lost)
    if stops == "0":
        return "it stops no job"
    said = "1 stop costs" if stops == "1" else f"{stops} stops cost"
    on_average = " on average" if len(found.common) > 1 else ""
    if not lost:
        return f"{said} no work{on_average}"
    part = share(found.mean(policy, _lost_share), Sense.PLAIN)
    return f"{said} {core_hours(lost)}{on_average}, {part} of all work"


def stops_data(found: ReplayComparison, policy: str) -> dict[str, object]:
    """The figures of a policy; empty where nobody says who may stop whom. A time without end is
    None.
    """
    if not _has_stops(found):
        return {}
    can = _can_wait_of(found, policy)
    waits = {"mean": _mean(found, policy, _mean_wait), "p95": _mean(found, policy, _wait95)}
    return {
        "stops": found.mean(policy, _stops),
        "lost_core_seconds": found.mean(policy, _lost),
        "lost_share": found.mean(policy, _lost_share),
        "urgent_wait": {
            **waits,
            "can": None if math.isinf(can) else can,
            "never": _mean(found, policy, _never),
        },
        "other_flow": _mean(found, policy, _flow),
    }
