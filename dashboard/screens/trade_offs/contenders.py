"""The schedules of rivals, as points beside the front."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from core import System, study, verify
from core.engines.compute.task import Task
from core.engines.front.methods import StudyProgress
from core.engines.rivals import RIVALS, MissingExtra
from core.vocabulary.budget import Effort, NoScheduleFound
from core.vocabulary.kinds import MachineType
from core.vocabulary.say.words import Sense, duration
from core.vocabulary.schedule import Schedule
from dashboard.server import sizes
from dashboard.server.background import Job
from dashboard.server.computing import WorkerTurn
from dashboard.server.recent import Recent
from dashboard.workspace.trade_off_settings import NSGA2, RIVAL_NAMES

SECONDS_EACH: Final = 5.0
BYTES_KEPT: Final = 20_000_000
_CONTENDER: Final = 1_000
"""Bytes of one without schedules."""
_DOING: Final = {"sweep": "finding seeds", "recover": "making seeds", "verify": "checking"}


@dataclass(frozen=True, eq=False, slots=True)
class Contender:
    """The schedules of a rival, and the seconds it took; or a remark why there are none."""

    name: str
    schedules: tuple[Schedule, ...]
    seconds: float
    remark: str = ""

    @property
    def title(self) -> str:
        return RIVAL_NAMES[self.name]

    def on(self, system: System) -> "Contender":
        """The same schedules for a system with other powers."""
        return replace(
            self,
            schedules=tuple(
                Schedule(system, one.machine_type, one.machines, one.tasks)
                for one in self.schedules
            ),
        )


KeptContenders = Recent[tuple[str, str], Contender]


def kept_contenders() -> KeptContenders:
    return Recent(BYTES_KEPT, _bytes)


def _bytes(one: Contender) -> int:
    systems = {id(schedule.system): schedule.system for schedule in one.schedules}.values()
    return _CONTENDER + sizes.of_schedules(one.schedules) + sum(map(sizes.of_system, systems))


def system_for(name: str, system: System) -> System:
    """The system that a rival gets: without powers if it minimises the makespan alone."""
    if name == NSGA2:
        return system
    machines = tuple(MachineType(kind.name, kind.count) for kind in system.machine_types)
    return replace(system, machine_types=machines, apc=None)


def contending(name: str, system: System, kept: KeptContenders) -> Callable[[Job[Contender]], None]:
    """The work of a job that shows the schedules of a rival."""

    def work(job: Job[Contender]) -> None:
        found = kept.get((name, system.fingerprint))
        if found is None:
            with job.turn() as turn:
                job.begin(RIVAL_NAMES[name], SECONDS_EACH)
                found = _contender_of(name, system, job, turn)
            if job.should_stop():
                return
            kept.put((name, system.fingerprint), found)
        job.show(found)

    return work


def _contender_of(name: str, system: System, job: Job[Contender], turn: WorkerTurn) -> Contender:
    try:
        if name == NSGA2:
            wanted = {"method": "nsga2-seeded", "effort": Effort(SECONDS_EACH)}
            evolved = turn.compute(
                Task(study, (system,), wanted, reports=True), SECONDS_EACH, _telling(job)
            )
            schedules = tuple(
                evolved.schedules[k] for k in np.flatnonzero(evolved.on_front).tolist()
            )
            sound = evolved.verified
        else:
            rival, sound = turn.compute(Task(solved_by, (name, system)), SECONDS_EACH)
            schedules = (rival,)
    except NoScheduleFound:
        return Contender(
            name, (), job.spent, f"no schedule within {duration(SECONDS_EACH, Sense.TYPED)}"
        )
    except MissingExtra as missing:
        return Contender(name, (), 0.0, str(missing))
    if not sound:
        return Contender(name, (), job.spent, "the judge found faults in its schedules")
    return Contender(name, schedules, job.spent)


def solved_by(name: str, system: System, should_stop: Callable[[], bool]) -> tuple[Schedule, bool]:
    """The schedule of a rival, and whether it is verified."""
    rival = RIVALS[name].solve(system, seconds=SECONDS_EACH, should_stop=should_stop)
    return rival, verify(rival, system).ok


def _telling(job: Job[Contender]) -> Callable[[StudyProgress], None]:
    """Lets the job say how far NSGA-II is. Its seconds count from the first generation."""
    end = SECONDS_EACH

    def tell(progress: StudyProgress) -> None:
        nonlocal end
        if progress.phase == "evolve":
            doing = f"generation {int(progress.spent):,} of {int(progress.allowed):,}"
            job.begin(f"{RIVAL_NAMES[NSGA2]}: {doing}", end, job.spent)
        else:
            end = job.spent + SECONDS_EACH
            job.begin(f"{RIVAL_NAMES[NSGA2]}: {_DOING[progress.phase]}", spent=job.spent)

    return tell
