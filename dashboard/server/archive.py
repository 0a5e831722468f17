"""One archive of all that any page, method or session has found and proven of a system.

All pages use it. So the fastest schedule, its bound and its gap are the same on every page, and a
wish is met if any schedule in the archive meets it.
"""

from collections.abc import Sequence
from threading import Lock
from typing import Final
from weakref import WeakKeyDictionary

from core import System, verify
from core.capabilities.makespan.solve import Solution
from core.capabilities.profit.earn import Profit
from core.engines.front.known import NO_PROOFS, Known, Proofs
from core.engines.front.study import Study
from core.engines.relaxed.fitting import Fitted
from core.vocabulary.arrays import FloatArray
from core.vocabulary.schedule import Schedule
from dashboard.server import sizes
from dashboard.server.recent import Recent

BYTES_KEPT: Final = 40_000_000
FASTEST_BYTES_KEPT: Final = 10_000_000
FITTED_BYTES_KEPT: Final = 10_000_000


class KnownResults:
    """What is known of each system; systems that were not used for longest are dropped first.

    Systems that differ only in their powers share the fastest schedule, and what single tasks
    prove of the makespan. Threads may share it.
    """

    def __init__(self, most: int = BYTES_KEPT) -> None:
        self._lock = Lock()
        self._known: Recent[str, Known] = Recent(most, _bytes)
        self._fastest: Recent[str, Schedule] = Recent(
            FASTEST_BYTES_KEPT, lambda one: sizes.of_system(one.system) + sizes.of_schedules([one])
        )
        self._fitted: Recent[str, Fitted] = Recent(
            FITTED_BYTES_KEPT, lambda one: sizes.of_system(one.system)
        )
        self._joined: WeakKeyDictionary[Study, tuple[Known, Study | None]] = WeakKeyDictionary()

    def take(self, result: object) -> None:
        """Keeps the schedules of a result and what it proves, if the judge agrees with them."""
        if isinstance(result, Fitted):
            with self._lock:
                self._take_fitted(result)
        schedules, points = _verified(result)
        if not schedules:
            return
        system, proven = schedules[0].system, _proven(result)
        with self._lock:
            before = self._known.get(system.fingerprint) or Known.nothing(system)
            known = before.with_schedules(schedules, points).proving(*proven)
            self._known.put(system.fingerprint, known)
            work = system.fingerprint_of_work
            fastest = self._fastest.get(work)
            candidate = min(schedules, key=lambda one: one.makespan)
            if fastest is None or candidate.makespan < fastest.makespan:
                self._fastest.put(work, candidate)
            if known.proofs.fitted is not None:
                self._take_fitted(known.proofs.fitted)

    def _take_fitted(self, fitted: Fitted) -> None:
        work = fitted.system.fingerprint_of_work
        before = self._fitted.get(work)
        if before is None or fitted.soonest > before.soonest:
            self._fitted.put(work, fitted)

    def of(self, system: System) -> Known:
        """All that is known of a system."""
        with self._lock:
            before = known = self._known.get(system.fingerprint) or Known.nothing(system)
            work = system.fingerprint_of_work
            fitted, other = self._fitted.get(work), self._fastest.get(work)
            if fitted is not None:
                known = known.proving(fitted.soonest, proofs=Proofs(fitted))
            mine = known.fastest
            if other is not None and (mine is None or other.makespan < mine.makespan):
                known = known.with_schedules([_with_powers_of(other, system)])
            if known is not before:
                self._known.put(system.fingerprint, known)
            return known

    def joined(self, study: Study) -> Study:
        """A study with all that is known of its system; the same object until more is known."""
        known = self.of(study.system)
        with self._lock:
            before, made = self._joined.get(study, (None, None))
            if before is not known:
                joined = study.with_known(known)
                # Without a reference to itself, so that the study can be garbage collected.
                made = None if joined is study else joined
                self._joined[study] = known, made
            return study if made is None else made


def _bytes(known: Known) -> int:
    held = sizes.of_schedules(known.schedules) + sizes.of_proofs(known.proofs)
    return sizes.of_system(known.system) + held


def _verified(result: object) -> tuple[Sequence[Schedule], FloatArray | None]:
    """The verified schedules of a result, and their points (joules, seconds) if it has them."""
    match result:
        case Study(verified=True):
            return result.schedules, result.points
        case Solution() if result.verdict.ok:
            return [result.schedule], None
        case Profit(verified=True, earnings=earned) if earned is not None:
            return [earned.schedule], None
        case Schedule() if verify(result, result.system).ok:
            return [result], None
        case (Schedule() as schedule, True):  # from a rival, verified
            return [schedule], None
    return (), None


def _proven(result: object) -> tuple[float, float, Proofs]:
    """Lower bounds (seconds, joules) that a result proves, and the proofs."""
    match result:
        case Study():
            return result.proven.soonest, result.proven.thriftiest, result.proofs
        case Solution(aim="makespan"):
            return result.bound.value, 0.0, result.proofs
        case Solution():
            return 0.0, result.bound.value, result.proofs
    return 0.0, 0.0, NO_PROOFS


def _with_powers_of(schedule: Schedule, system: System) -> Schedule:
    """The same tasks on the same machines, with other powers."""
    return Schedule(system, schedule.machine_type, schedule.machines, schedule.tasks)


ARCHIVE: Final = KnownResults()
