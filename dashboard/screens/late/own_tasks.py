"""A day of the tasks of the system in force, whose run times are known as estimates only."""

from typing import Final

from core import System
from core.capabilities.arrivals.asked import GivenWorkload
from core.capabilities.arrivals.files.workload_file import WorkloadFile
from core.capabilities.arrivals.made.system_work import HourlyWork, workload_of_hours
from core.capabilities.arrivals.study_block import digest_of
from core.capabilities.arrivals.uncertain.bags import ErrorLevel, less_than_estimated
from core.vocabulary.arrivals import HourlyArrivals
from core.vocabulary.problems import InvalidInput
from dashboard.parts.replays.rates import rates_of

MOST_TASKS: Final = 1_000
"""A day on average. The bound of so many takes seconds, and of twice as many five times as long."""


def own_tasks(
    system: System, known: HourlyArrivals | None, level: ErrorLevel, seed: int
) -> GivenWorkload | None:
    """Tasks that arrive as they do in the log of the system, or else at all hours alike. None if
    methods for bags can tell nothing of them: without powers, and for no tasks or too many.
    """
    rates = rates_of(system, known)
    if system.apc is None or not 0 < rates.sum() <= MOST_TASKS:
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
    return GivenWorkload(name, digest, WorkloadFile(*less_than_estimated(workload, level, seed)))
