"""A day of the tasks of the system in force, whose run times are known as estimates only."""

from typing import Final

from core import System
from core.capabilities.arrivals.asked import GivenWorkload
from core.capabilities.arrivals.files.workload_file import WorkloadFile
from core.capabilities.arrivals.made.system_work import HourlyWork, workload_of_hours
from core.capabilities.arrivals.study_block import digest_of
from core.capabilities.arrivals.uncertain.bags import ErrorLevel, less_than_estimated
from core.vocabulary.arrays import FloatArray
from core.vocabulary.problems import InvalidInput
from dashboard.parts.replays.rates import why_none

MOST_TASKS: Final = 1_000
"""A day on average. The bound of so many takes seconds, and of twice as many five times as long."""


def own_tasks(
    system: System, rates: FloatArray, level: ErrorLevel, seed: int
) -> GivenWorkload | str:
    """Tasks that arrive at `rates`: tasks an hour, by hour of the day and type. If methods for bags
    can tell nothing of them, why, and what to change.
    """
    if system.apc is None:
        return (
            "The system has no powers, and all methods here plan the energy, too. Type powers on "
            "Work, or open a file that has them."
        )
    if why := why_none(system, rates.sum(axis=0), MOST_TASKS):
        return why
    work = HourlyWork(tuple(map(tuple, rates.tolist())), seed=seed)
    name = f"a day of the tasks of this system, with {level} errors of estimates"
    try:
        workload = workload_of_hours(system, work, name)
    except InvalidInput as refused:
        return " ".join(problem.message for problem in refused.problems)
    if not len(workload.jobs):
        return "By chance no task arrives. Take another seed, or type more on Work."
    digest = digest_of(repr((system.fingerprint, work, level)).encode())
    file = WorkloadFile(*less_than_estimated(workload, level, seed))
    return GivenWorkload(name, digest, file, of_study=True)
