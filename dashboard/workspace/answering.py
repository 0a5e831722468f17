"""Studies of a system in stages, the quick ones first, each with its settings."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Final

from core import System, pick, study
from core.engines.compute.task import Task
from core.engines.front.methods import DEFAULT_SPACING, Lp, StudyProgress
from core.engines.front.study import Possible, Study
from core.engines.front.wish import Wish
from core.vocabulary.arrays import FloatArray
from core.vocabulary.budget import DEFAULT_SECONDS, Effort
from core.vocabulary.ranges import Range
from core.vocabulary.say.words import Sense, counted, duration, share
from dashboard.server import sizes
from dashboard.server.archive import ARCHIVE
from dashboard.server.background import Job
from dashboard.server.computing import WorkerTurn
from dashboard.server.recent import Recent

SECONDS: Final = Range(0.0, 600.0, "s")
QUICK_SPACING: Final = 0.05
PAUSE_SECONDS: Final = 0.25
"""A pause, so that the page can draw the bound, and while a person drags a slider."""
ARRIVAL_SECONDS: Final = 1.5
"""A pause for a new browser, which still loads its scripts."""
LEAST_GAP: Final = 1e-9
"""A schedule with at most this gap is the best, apart from rounding."""
LOOK_SECONDS: Final = 2.5
"""Seconds from one picture of a running polish to the next."""
BYTES_KEPT: Final = 40_000_000
SLOWER: Final = 100.0
"""A busy computer, on which polish gives way, may take so many times as long for counted work."""
_OWN_SECONDS: Final = 1.0
"""About the seconds that the own schedules of a limit at every moment take without polish."""


def polish_for(seconds: float) -> Effort:
    """So many seconds of an ordinary computer, as counted work: each visit finds the same, however
    busy the computer is.
    """
    return Effort(work=seconds) if seconds else Effort(0)


@dataclass(frozen=True, slots=True)
class PolishSettings:
    """How far apart schedules may be, as a share of the front, and for how many seconds they are
    polished.
    """

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
    """How much of a study is done."""

    BOUND = 1
    QUICK = 2
    WHOLE = 3


@dataclass(frozen=True, eq=False, slots=True)
class StagedStudy:
    """A study, the settings asked for, and how much of it is done. `stopped`: a person ended it
    early.

    `underway` are the points (joules, seconds) that a running polish has reached; the judge has not
    checked them yet.
    """

    study: Study
    settings: PolishSettings
    stage: Stage
    stopped: bool = False
    underway: FloatArray | None = None

    @property
    def system(self) -> System:
        return self.study.system

    @property
    def made(self) -> PolishSettings:
        """The settings with the time that was really spent: less than asked for if stopped."""
        if not self.stopped:
            return self.settings
        spent = sum(self.study.seconds.get(phase, 0.0) for phase in ("polish", "patterns"))
        return replace(self.settings, seconds=round(spent, 1))

    def answers(self, system: System, settings: PolishSettings) -> bool:
        """Whether it is the whole study of a system with these settings."""
        return self.stage is Stage.WHOLE and self.settings == settings and self.system == system

    @property
    def words(self) -> str:
        """What was done, in words."""
        if self.stage is Stage.BOUND:
            return "lower bound only"
        found, done = counted(len(self.study.schedules), "schedule"), self.settings.words
        if self.stopped:
            done = f"stopped after {duration(self.made.seconds, Sense.TYPED)} of polish"
        elif self.stage is Stage.QUICK:
            done = "not polished yet"
        return f"{found}, {done}"


def to_show(
    before: StagedStudy | None, latest: StagedStudy | None, system: System
) -> StagedStudy | None:
    """The study to show: the one shown before, or the latest of the job.

    A study with earlier settings stays until the new one is at the same stage; meanwhile it shows
    what the new one has underway. A study of another system stays only until there is any of this
    one, and not at all if it is of other tasks or machines.
    """
    if before is None or not _is_alike(before.system, system):
        return latest
    if latest is not None and (
        before.system.fingerprint != system.fingerprint or latest.stage >= before.stage
    ):
        return latest
    underway = None if latest is None else latest.underway
    return before if underway is before.underway else replace(before, underway=underway)


def _is_alike(one: System, other: System) -> bool:
    """Whether both have the same types of tasks and of machines, as before and after an edit."""
    return one.task_names == other.task_names and one.machine_names == other.machine_names


def with_all_known(answer: StagedStudy | None) -> StagedStudy | None:
    """The study with all that is known of its system, once it has schedules."""
    if answer is None or answer.stage is Stage.BOUND:
        return answer
    joined = ARCHIVE.joined(answer.study)
    return answer if joined is answer.study else replace(answer, study=joined)


def may_be_bettered(study: Study, wish: Wish) -> bool:
    """Whether a better schedule for a wish may exist, as far as is proven."""
    found = pick(study, wish)
    return found.possible is Possible.UNKNOWN or (
        found.possible is Possible.YES and found.gap > LEAST_GAP
    )


def searching(study_: Study, wish: Wish, seconds: float) -> Callable[[Job[Study]], None]:
    """The work of a job that searches for schedules that meet a wish, for so many seconds. A cap on
    every moment needs schedules of its own, and no seconds.
    """
    needs_own = math.isfinite(wish.peak_limit)

    def work(job: Job[Study]) -> None:
        if not (seconds or needs_own) or not job.rest(PAUSE_SECONDS):
            return
        job.begin("Searching for your goal", seconds)
        effort = polish_for(seconds)
        wanted = {"effort": effort, "front": study_.front, "method": Lp(wish=wish)}
        with job.turn() as turn:
            limit = SLOWER * max(seconds, _OWN_SECONDS if needs_own else 0.0)
            job.show(turn.compute(Task(study, (study_.system,), wanted), limit))

    return work


Kept = Recent[tuple[str, PolishSettings], StagedStudy]
"""Whole studies, by system and settings."""


def kept_answers() -> Kept:
    return Recent(BYTES_KEPT, _bytes)


def answering(
    system: System,
    settings: PolishSettings,
    kept: Kept,
    known: Study | None = None,
    *,
    arriving: bool = False,
) -> Callable[[Job[StagedStudy]], None]:
    """The work of a job that shows the bound, then first schedules, then the whole study.

    A study in `kept` is shown at once; the front of a `known` study of the same system is used. For
    a person `arriving`, first schedules come without a pause, and polish waits for the first chart.
    """

    def work(job: Job[StagedStudy]) -> None:
        found = kept.get((system.fingerprint, settings))
        if found is not None:
            job.show(found)
            return
        job.begin("Finding the lower bound")
        front = None if known is None else known.front
        bound = job.compute(Task(study, (system,), {"method": "bound", "front": front}))
        job.show(StagedStudy(bound, settings, Stage.BOUND))
        if not job.rest(0.0 if arriving else PAUSE_SECONDS):
            return
        coarse = max(QUICK_SPACING, settings.spacing)
        job.begin("Making schedules")
        first = {"method": Lp(coarse), "effort": Effort(0), "front": bound.front}
        quick = job.compute(Task(study, (system,), first))
        answer = StagedStudy(quick, settings, Stage.QUICK)
        if not settings.seconds and coarse == settings.spacing:
            answer = replace(answer, stage=Stage.WHOLE)
        elif not job.should_stop():
            job.show(answer)
            if arriving:
                job.rest(ARRIVAL_SECONDS)
            with job.turn() as turn:
                # Another session may have asked for the same, and has it already.
                answer = kept.get((system.fingerprint, settings)) or _whole(job, turn, answer)
        if not answer.stopped:
            kept.put((system.fingerprint, settings), answer)
        job.show(answer)

    return work


def _whole(job: Job[StagedStudy], turn: WorkerTurn, quick: StagedStudy) -> StagedStudy:
    settings = quick.settings
    job.begin("Polishing" if settings.seconds else "Making schedules", settings.seconds)
    wanted = {
        "method": Lp(settings.spacing),
        "effort": polish_for(settings.seconds),
        "front": quick.study.front,
    }
    whole = turn.compute(
        Task(study, (quick.system,), wanted, reports=True),
        SLOWER * settings.seconds,
        _showing(job, quick),
    )
    return StagedStudy(whole, settings, Stage.WHOLE, stopped=job.should_stop())


def _showing(job: Job[StagedStudy], quick: StagedStudy) -> Callable[[StudyProgress], None]:
    """Shows from time to time the points that polish has reached."""
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
