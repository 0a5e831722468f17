"""What whole tasks keep of promises: the best of a few replays, which nobody has to ask for."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from core.capabilities.fair_shares.share_words import CLOSE, alone_said, later_by, whole_said
from core.capabilities.fair_shares.shares import FairShares
from core.capabilities.fair_shares.tasks.policies import TASK_POLICIES
from core.engines.compute.task import Task
from core.vocabulary.budget import Cancelled
from core.vocabulary.say.words import Sense, counted, share
from dashboard.screens.fair_shares.answer import AskedShares
from dashboard.screens.fair_shares.desk import BagsDesk
from dashboard.screens.fair_shares.whole_tasks import (
    PolicyFound,
    best_replay,
    may_replay,
    policy_found,
    tasks_of,
)
from dashboard.server.background import Job
from dashboard.workspace import asking

PAGE: Final = "fair_shares"
_JOB: Final = "kept"
_REST: Final = 0.5
"""Seconds until these replays begin: who edits one number after the other waits for none."""
LIKELY_BEST: Final = ("cbs3m-edf-online", "polished-online", "polished-offline")
"""The best one that is published, and ours."""


def ask_kept(desk: BagsDesk, answer: FairShares) -> Job[Sequence[PolicyFound]] | None:
    """Replays under the policies that are likely best; None if there are too many tasks."""
    if not may_replay(answer):
        return None
    key = AskedShares(desk.system.fingerprint, desk.inputs)
    return asking.jobs(PAGE).ask(_JOB, key, _replaying(answer))


def _replaying(answer: FairShares) -> Callable[[Job[Sequence[PolicyFound]]], None]:
    """The work of a job that shows all of these replays at once, so that the page stays calm."""

    def work(job: Job[Sequence[PolicyFound]]) -> None:
        if not job.rest(_REST):
            raise Cancelled
        done: list[PolicyFound] = []
        for name in LIKELY_BEST:
            job.begin(f"{len(done)} of {len(LIKELY_BEST)} replays of whole tasks")
            with job.turn() as turn:
                done.append(turn.compute(Task(policy_found, (answer.now, name))))
        job.show(done)

    return work


@dataclass(frozen=True, eq=False, slots=True)
class KeptPromises:
    """What whole tasks keep: the best of all replays so far, and how many there were. `said` is
    the sentence for people.
    """

    best: PolicyFound | None
    said: str

    @property
    def worst(self) -> float | None:
        """The worst stretch of the best replay."""
        return None if self.best is None else self.best.scores["max_stretch"]

    def beside(self, answer: FairShares, stretch: float) -> list[str]:
        """By when each bag is done as whole tasks, and how much later than it is promised at a
        stretch.
        """
        if self.best is None:
            return []
        ends = self.best.outcome.completion
        later = ends - answer.promises(stretch)
        clock, span = answer.asked.clock, answer.span
        return [
            f"done by {clock.said(end, Sense.SPENT, span)} ({later_by(by)})"
            for end, by in zip(ends.tolist(), later.tolist(), strict=True)
        ]


def kept_promises(answer: FairShares, *jobs: Job[Sequence[PolicyFound]] | None) -> KeptPromises:
    """What is known of whole tasks by now, from these jobs."""
    if not may_replay(answer):
        many = counted(tasks_of(answer), "task")
        return KeptPromises(None, f"{many} are more than this page replays as whole tasks.")
    there = [job for job in jobs if job is not None]
    found = {one.name: one for job in there for one in job.latest or ()}
    best = best_replay([*found.values()])
    if best is None:
        failed = any(job.failure and not isinstance(job.failure, Cancelled) for job in there)
        running = any(job.running for job in there)
        said = "Whole tasks are being replayed." if running else "Whole tasks were not replayed."
        return KeptPromises(None, "Whole tasks cannot be replayed." if failed else said)
    return KeptPromises(best, _best_said(answer, best, len(found)))


def _best_said(answer: FairShares, best: PolicyFound, replays: int) -> str:
    worst, least = best.scores["max_stretch"], answer.now.stretch
    policy = TASK_POLICIES[best.name]
    knows = "from its release on" if policy.mode == "online" else "from the beginning"
    knowing = f", which knows each bag {knows}" if policy.mode else ""
    more = worst / least - 1
    beyond = f"{share(more, Sense.SPENT)} more than promised" if more > CLOSE else "as promised"
    return (
        f"Whole tasks: under {best.label}{knowing}, each bag is done within "
        f"{whole_said(worst)} times {alone_said(answer)}: {beyond}. It is "
        f"the best of {counted(replays, 'replay')}, each judged by other code."
    )
