"""Answers about the front of a system, the quick ones first, each with what was asked."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Final

from core import System, pick, study
from core.engine.task import Task
from core.front.methods import DEFAULT_SPACING, Lp, StudyProgress
from core.front.pick import Possible
from core.front.study import Study
from core.front.wish import Wish
from core.model.arrays import FloatArray
from core.model.budget import DEFAULT_SECONDS, Effort
from core.model.ranges import Range
from core.say.words import Sense, counted, duration, share
from dashboard.shell import sizes
from dashboard.shell.archive import ARCHIVE
from dashboard.shell.background import Job
from dashboard.shell.computing import WorkerTurn
from dashboard.shell.recent import Recent

SECONDS: Final = Range(0.0, 600.0, "s")
QUICK_SPACING: Final = 0.05
PAUSE_SECONDS: Final = 0.25
"""For the page to draw the bound, and for whoever still drags a slider."""
ARRIVAL_SECONDS: Final = 1.5
"""For a browser that has only just come, and still loads what it draws with."""
LEAST_GAP: Final = 1e-9
"""A schedule no further from what is proven is the best, but for rounding."""
LOOK_SECONDS: Final = 2.5
"""From one picture of a polish that goes on to the next."""
BYTES_KEPT: Final = 40_000_000


@dataclass(frozen=True, slots=True)
class PolishSettings:
    """How far apart schedules may be, as a share of the front, and how long they are polished."""

    spacing: float = DEFAULT_SPACING
    seconds: float = DEFAULT_SECONDS

    @property
    def words(self) -> str:
        polish = (
            f"polished for {duration(self.seconds, Sense.TYPED)}"
            if self.seconds
            else "not polished"
        )
        return f"spacing {share(self.spacing, Sense.TYPED)}, {polish}"


class Stage(IntEnum):
    """How much of an answer is there."""

    BOUND = 1
    QUICK = 2
    WHOLE = 3


@dataclass(frozen=True, eq=False, slots=True)
class StagedStudy:
    """A study, what was asked for, and how much of that it is; `stopped` by a person before.

    `underway` are the (joules, seconds) that polish has come to meanwhile, not yet checked.
    """

    study: Study
    effort: PolishSettings
    stage: Stage
    stopped: bool = False
    underway: FloatArray | None = None

    @property
    def system(self) -> System:
        return self.study.system

    @property
    def made(self) -> PolishSettings:
        """The effort that was made: less than what was asked for where it was stopped."""
        if not self.stopped:
            return self.effort
        spent = sum(self.study.seconds.get(phase, 0.0) for phase in ("polish", "patterns"))
        return replace(self.effort, seconds=round(spent, 1))

    def answers(self, system: System, effort: PolishSettings) -> bool:
        """Whether it is all that was asked for."""
        return self.stage is Stage.WHOLE and self.effort == effort and self.system == system

    @property
    def words(self) -> str:
        """What has been done, in words."""
        if self.stage is Stage.BOUND:
            return "the proven bound alone"
        found, done = counted(len(self.study.schedules), "schedule"), self.effort.words
        if self.stopped:
            done = f"stopped after {duration(self.made.seconds, Sense.TYPED)} of polish"
        elif self.stage is Stage.QUICK:
            done = "a first look"
        return f"{found}, {done}"


def to_show(
    before: StagedStudy | None, latest: StagedStudy | None, system: System
) -> StagedStudy | None:
    """Of the answer shown before and the latest of the job, the one that tells most of the system.

    An answer to an earlier effort stays until the new one is whole, with what is underway to that;
    one about another system only until there is anything about this one.
    """
    if before is None:
        return latest
    if latest is not None and (
        before.system.fingerprint != system.fingerprint or latest.stage >= before.stage
    ):
        return latest
    underway = None if latest is None else latest.underway
    return before if underway is before.underway else replace(before, underway=underway)


def with_all_known(answer: StagedStudy | None) -> StagedStudy | None:
    """With whatever was found for its system besides, once there are schedules."""
    if answer is None or answer.stage is Stage.BOUND:
        return answer
    joined = ARCHIVE.joined(answer.study)
    return answer if joined is answer.study else replace(answer, study=joined)


def may_be_bettered(study: Study, wish: Wish) -> bool:
    """Whether another schedule may answer a wish better, for all that is proven."""
    found = pick(study, wish)
    return found.possible is Possible.UNKNOWN or (
        found.possible is Possible.YES and found.gap > LEAST_GAP
    )


def searching(study_: Study, wish: Wish, seconds: float) -> Callable[[Job[Study]], None]:
    """The work of a job that looks for schedules that meet a wish, for so many seconds."""

    def work(job: Job[Study]) -> None:
        if not seconds or not job.rest(PAUSE_SECONDS):
            return
        job.begin("Looking for what meets the wish", seconds)
        wanted = {"effort": Effort(seconds), "front": study_.front, "method": Lp(wish=wish)}
        with job.turn() as turn:
            job.show(turn.compute(Task(study, (study_.system,), wanted), seconds))

    return work


Kept = Recent[tuple[str, PolishSettings], StagedStudy]
"""Whole answers, by system and effort."""


def kept_answers() -> Kept:
    return Recent(BYTES_KEPT, _bytes)


def answering(
    system: System,
    effort: PolishSettings,
    kept: Kept,
    known: Study | None = None,
    *,
    arriving: bool = False,
) -> Callable[[Job[StagedStudy]], None]:
    """The work of a job that shows the bound, then a first look, then all that was asked for.

    What is kept is shown at once; of a `known` study of the same system the front is used. For
    somebody `arriving` the first look comes at once, and more only when the page has been drawn.
    """

    def work(job: Job[StagedStudy]) -> None:
        found = kept.get((system.fingerprint, effort))
        if found is not None:
            job.show(found)
            return
        job.begin("Finding the bound")
        front = None if known is None else known.front
        bound = job.compute(Task(study, (system,), {"method": "bound", "front": front}))
        job.show(StagedStudy(bound, effort, Stage.BOUND))
        if not job.rest(0.0 if arriving else PAUSE_SECONDS):
            return
        coarse = max(QUICK_SPACING, effort.spacing)
        job.begin("Making schedules")
        first = {"method": Lp(coarse), "effort": Effort(0), "front": bound.front}
        quick = job.compute(Task(study, (system,), first))
        answer = StagedStudy(quick, effort, Stage.QUICK)
        if not effort.seconds and coarse == effort.spacing:
            answer = replace(answer, stage=Stage.WHOLE)
        elif not job.should_stop():
            job.show(answer)
            if arriving:
                job.rest(ARRIVAL_SECONDS)
            with job.turn() as turn:
                # Another session may have asked the same, and been first.
                answer = kept.get((system.fingerprint, effort)) or _whole(job, turn, answer)
        if not answer.stopped:
            kept.put((system.fingerprint, effort), answer)
        job.show(answer)

    return work


def _whole(job: Job[StagedStudy], turn: WorkerTurn, quick: StagedStudy) -> StagedStudy:
    effort = quick.effort
    job.begin("Polishing" if effort.seconds else "Making schedules", effort.seconds)
    wanted = {
        "method": Lp(effort.spacing),
        "effort": Effort(effort.seconds),
        "front": quick.study.front,
    }
    whole = turn.compute(
        Task(study, (quick.system,), wanted, reports=True), effort.seconds, _showing(job, quick)
    )
    return StagedStudy(whole, effort, Stage.WHOLE, stopped=job.should_stop())


def _showing(job: Job[StagedStudy], quick: StagedStudy) -> Callable[[StudyProgress], None]:
    """Shows from time to time where polish is."""
    shown = time.monotonic()

    def report(progress: StudyProgress) -> None:
        nonlocal shown
        now = time.monotonic()
        if progress.phase == "polish" and now - shown >= LOOK_SECONDS:
            shown = now
            job.show(replace(quick, underway=progress.points))

    return report


def _bytes(answer: StagedStudy) -> int:
    study = answer.study
    kept = sizes.of_front(study.front) + sizes.of_schedules(study.schedules)
    return kept + sizes.of_system(study.system)
