"""What became of each job under two policies, and which jobs fared most differently."""

from dataclasses import dataclass

import numpy as np
import pandas as pd

from core.engines.replay.outcome import ReplayOutcome
from core.files.sheet import neutralised
from core.vocabulary.say.words import Sense, amount, duration

MOST_JOBS = 200


@dataclass(frozen=True, eq=False, slots=True)
class TwoFates:
    """The jobs whose worth differs most, the largest difference first, and how many earn more, less
    and the same under the first policy.
    """

    first: ReplayOutcome
    second: ReplayOutcome
    jobs: tuple[int, ...]
    more: int
    less: int
    same: int


def two_fates(first: ReplayOutcome, second: ReplayOutcome) -> TwoFates:
    """Two outcomes of the same workload, job by job."""
    gain = first.job_worth - second.job_worth
    differ = np.flatnonzero(gain)
    order = differ[np.argsort(-abs(gain[differ]), kind="stable")]
    return TwoFates(
        first,
        second,
        tuple(order[:MOST_JOBS].tolist()),
        int((gain > 0).sum()),
        int((gain < 0).sum()),
        int((gain == 0).sum()),
    )


def fate(outcome: ReplayOutcome, job: int) -> str:
    """What became of a job: where it ran and how long it took from its arrival; or not."""
    workload = outcome.workload
    arrival = float(workload.jobs.arrival[job])
    if outcome.ran[job]:
        option = outcome.option[job]
        pool = workload.pools.names[workload.options.pool[option]]
        units = f"{workload.options.units[option]:,}"
        waited = duration(float(outcome.start[job]) - arrival, Sense.PLAIN)
        took = duration(float(outcome.end[job] - outcome.start[job]), Sense.PLAIN)
        return f"{units} × {pool}, waited {waited}, ran {took}"
    if outcome.dropped[job]:
        return f"dropped after {duration(float(outcome.end[job]) - arrival, Sense.PLAIN)}"
    return "never ran"


def fates_table(found: TwoFates, names: tuple[str, str]) -> pd.DataFrame:
    """A row for each job that fared differently, named after both policies."""
    jobs = found.first.workload.jobs
    worth = [outcome.job_worth[list(found.jobs)] for outcome in (found.first, found.second)]
    return pd.DataFrame(
        {
            "Job": [neutralised(jobs.name(job)) for job in found.jobs],
            "Type": [neutralised(jobs.types[jobs.type[job]]) for job in found.jobs],
            f"Worth: {names[0]}": [amount(one, Sense.PLAIN) for one in worth[0].tolist()],
            f"Worth: {names[1]}": [amount(one, Sense.PLAIN) for one in worth[1].tolist()],
            names[0]: [neutralised(fate(found.first, job)) for job in found.jobs],
            names[1]: [neutralised(fate(found.second, job)) for job in found.jobs],
        }
    )


def summary(found: TwoFates, names: tuple[str, str]) -> str:
    """How many jobs earn more under each."""
    earn = "job earns" if found.more == 1 else "jobs earn"
    return (
        f"{found.more:,} {earn} more under {names[0]}, {found.less:,} under {names[1]}, and "
        f"{found.same:,} the same."
    )
