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
from core.vocabulary.tolerances import SAME

MOST_TASKS: Final = 1_000
"""A day on average. The bound of so many takes seconds, and of twice as many five times as long."""


def own_tasks(
    system: System, rates: FloatArray, level: ErrorLevel, seed: int
) -> GivenWorkload | None:
    """Tasks that arrive at `rates`: tasks an hour, by hour of the day and type. None if methods for
    bags can tell nothing of them: without powers, and for no tasks or too many.
    """
    if system.apc is None or not 0 < rates.sum() <= MOST_TASKS * (1 + SAME):
        return None
    work = HourlyWork(tuple(map(tuple, rates.tolist())), seed=seed)
    name = f"a day of the tasks of this system, with {level} errors of estimates"
    try:
        workload = workload_of_hours(system, work, name)
    except InvalidInput:
        return None
    if not len(workload.jobs):
        return None
    digest = digest_of(repr((system.fingerprint, work, level)).encode())
    file = WorkloadFile(*less_than_estimated(workload, level, seed))
    return GivenWorkload(name, digest, file, of_study=True)
