"""The runs of all methods on bags, in worker processes, while the page is already shown."""

import time
from collections.abc import Callable

from core.capabilities.arrivals.asked import ArrivalsSettings
from core.capabilities.arrivals.uncertain.trials import BagTrials, proven, tried
from core.engines.compute.task import Task
from core.vocabulary.say.words import counted
from dashboard.server.background import Job


def trying_bags(
    settings: ArrivalsSettings, before: BagTrials | None = None
) -> Callable[[Job[BagTrials]], None]:
    """The work of a job that runs each method on each bag."""

    def work(job: Job[BagTrials]) -> None:
        found = before or BagTrials(settings)
        if found.runs:
            job.show(found)
        began = time.monotonic()
        steps = found.left
        job.begin("Drawing the first bag")
        for done, (bag, method) in enumerate(steps, 1):
            with job.turn() as turn:
                one = turn.compute(Task(tried, (settings, bag, method)))
            found = found.with_run(method, bag, one)
            spent = time.monotonic() - began
            said = f"{len(found.runs):,} of {counted(found.all_runs, 'run')}"
            job.begin(said, spent + spent / done * (len(steps) - done), spent)
            if done % len(settings.methods) == 0 or done == len(steps):
                job.show(found)
        job.begin("Proving what is possible")
        for bag in found.unproven:
            with job.turn() as turn:
                found = found.with_bound(bag, turn.compute(Task(proven, (settings, bag))))
        job.show(found)

    return work
