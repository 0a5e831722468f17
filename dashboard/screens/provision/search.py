"""The search for what to buy, while the page is already shown."""

from collections.abc import Callable
from dataclasses import replace

from core import System
from core.engines.compute.task import Task
from dashboard.screens.provision.answer import ProvisionAnswer, ProvisionAsked, answer, fresh_of
from dashboard.screens.provision.words import so_far
from dashboard.server.background import Job


def searching(system: System, asked: ProvisionAsked) -> Callable[[Job[ProvisionAnswer]], None]:
    """The work of a job that finds what to buy, and then tries it on fresh scenarios."""

    def work(job: Job[ProvisionAnswer]) -> None:
        job.begin("Finding what to buy")
        with job.turn() as turn:
            task = Task(answer, (system, asked.inputs), reports=True)
            found = turn.compute(task, report=lambda now: job.begin(so_far(now, asked.inputs)))
            job.show(found)
            job.begin("Trying the purchase on fresh scenarios")
            fresh = turn.compute(Task(fresh_of, (found,)))
            job.show(replace(found, fresh=fresh))

    return work
