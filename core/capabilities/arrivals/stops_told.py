"""What is said of stopping jobs: what it costs under each policy, and whether that is worth it."""

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from operator import attrgetter

from core.capabilities.arrivals.policies import policy_named, stops_jobs
from core.capabilities.arrivals.trials import PolicyTrial, ReplayComparison, worth_of
from core.engines.logs.types.requeued import LostWork
from core.shells.told.told import ToldTable
from core.vocabulary.say.phrases import points, points_up
from core.vocabulary.say.words import HOUR, Sense, amount, counted, duration, share

_Figure = Callable[[PolicyTrial], float]
_mean_wait, _wait95, _can_wait, _stops, _lost, _lost_share, _flow = (
    attrgetter(f"stops.{figure}")
    for figure in (
        *("urgent_wait", "urgent_wait_p95", "urgent_can_wait"),
        *("stops", "lost_core_seconds", "lost_share", "other_flow"),
    )
)


def knows_stops(found: ReplayComparison) -> bool:
    """Whether some job may stop others, so that the trials say what that comes to."""
    return bool(found.ranked) and all(
        found.trials[one][found.common[0]].stops is not None for one in found.ranked
    )


def stops_tables(found: ReplayComparison, lost: LostWork | None) -> Iterator[ToldTable]:
    """What stopping jobs comes to under each policy, where jobs may stop others, and what it came
    to in the log.
    """
    if not knows_stops(found):
        return
    order = found.ranked

    def means(of: _Figure) -> list[float]:
        return [found.mean(one, of) for one in order]

    def seconds(of: _Figure) -> list[str]:
        return [duration(mean, Sense.PLAIN) for mean in means(of)]

    columns = {
        "Policy": [policy_named(one).label for one in order],
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
    if not knows_stops(found):
        return
    stopping = [one for one in found.ranked if stops_jobs(one)]
    without = [one for one in found.ranked if one not in stopping]
    if without:
        yield _waits(found, without[0])
    if stopping:
        yield _changes(found, stopping[0], without)


def _waits(found: ReplayComparison, policy: str) -> str:
    mean, most, can = (found.mean(policy, of) for of in (_mean_wait, _wait95, _can_wait))
    waits = (
        f"Without stopping, urgent jobs wait {duration(mean, Sense.PLAIN)} on average under "
        f"{policy_named(policy).label}, and 95 % of them at most {duration(most, Sense.PLAIN)}"
    )
    if math.isinf(can):
        return f"{waits}; the worth of most of them never halves."
    enough = "so they need not stop others" if most <= can else "so many come too late"
    if most > can >= mean:
        enough = "so some come too late"
    return f"{waits}; the worth of most halves after {duration(can, Sense.PLAIN)}, {enough}."


def _changes(found: ReplayComparison, policy: str, without: list[str]) -> str:
    mean, lost = found.mean(policy, _mean_wait), found.mean(policy, _lost)
    said = (
        f"{policy_named(policy).label}: urgent jobs wait {duration(mean, Sense.PLAIN)} on average; "
        f"{counted(round(found.mean(policy, _stops)), 'stop')} cost "
        f"{amount(lost / HOUR, Sense.PLAIN)} core-hours, "
        f"{share(found.mean(policy, _lost_share), Sense.PLAIN)} of all work"
    )
    if not without:
        return f"{said}."
    best = without[0]
    gain = found.more(policy, best, worth_of, found.wholes)
    by, sure = points(abs(gain.mean)), f" ± {points_up(gain.half_width)}" if gain.known else ""
    earns = f"{by}{sure} percentage points {'more' if gain.mean >= 0 else 'less'} than"
    earns = "as much as" if by == points(0.0) and not gain.known else earns
    said = f"{said}. It earns {earns} the best that stops none"
    before, after = (found.mean(one, _flow) for one in (best, policy))
    if not before or not after:  # no other job ended
        return f"{said}."
    slower = after / before - 1
    how = f"{share(abs(slower), Sense.PLAIN)} {'longer' if slower > 0 else 'less time'}"
    others = "take " + ("as long" if before == after else how)
    return f"{said}, and the other jobs {others} to their end."


def stops_data(found: ReplayComparison, policy: str) -> dict[str, object]:
    """The figures of a policy; empty where no job may stop others."""
    if found.trials[policy][found.common[0]].stops is None:
        return {}

    def mean(of: _Figure) -> float:
        return found.mean(policy, of)

    can = mean(_can_wait)
    waits = {"mean": mean(_mean_wait), "p95": mean(_wait95)}
    return {
        "stops": mean(_stops),
        "lost_core_seconds": mean(_lost),
        "lost_share": mean(_lost_share),
        "urgent_wait": {**waits, "can": None if math.isinf(can) else can},
        "other_flow": mean(_flow),
    }
