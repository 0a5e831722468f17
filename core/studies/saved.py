"""A study as a file holds it."""

import platform
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from core.front.methods import Lp
from core.front.patterns import PatternProof
from core.front.proofs import Proofs
from core.front.study import Study
from core.model.arrays import FloatArray
from core.model.budget import Budget, never
from core.model.schedule import Schedule
from core.model.system import System
from core.model.tolerances import METHODS_AGREE
from core.plane.points import non_dominated
from core.recover.along import NO_PROGRESSION, points_of
from core.recover.settling import settle
from core.relaxed import MAKESPAN, Front, lower_bound, trace_front
from core.relaxed.fitting import Fitted, fitted, has_single_tasks
from core.studies.settings import Choice, StudySettings
from core.verify.judge import verify

_PACKAGES: Final = ("wattfront", "numpy", "highspy", "numba")


@dataclass(frozen=True, eq=False)
class SavedStudy:
    """`schedules` are those on the Pareto front, by rising energy; `points` are what the file says
    of all that were found, (joules, seconds), and `vertices` what it says of the front. `took` is
    the seconds of each phase, `versions` what the study was made with. `proof` is what patterns
    prove, if they were asked; `fitting` are the units of work after which single tasks had proven
    what they did.
    """

    system: System
    settings: StudySettings
    vertices: FloatArray
    points: FloatArray
    schedules: tuple[Schedule, ...]
    choice: Choice | None
    took: Mapping[str, float]
    versions: Mapping[str, str]
    proof: PatternProof | None = None
    fitting: float | None = None

    def agrees_with(self, front: Front) -> bool:
        """Whether the file says of the front what is found here."""
        here = front.points
        return self.vertices.shape == here.shape and np.allclose(
            self.vertices, here, rtol=METHODS_AGREE, atol=0.0
        )

    def study(self, should_stop: Callable[[], bool] = never) -> Study:
        """The study itself: what was proven is proven anew, and every schedule verified anew."""
        settings, system = self.settings, self.system
        settles = settings.method == Lp.name and settings.seconds > 0
        points = points_of(list(self.schedules))
        return Study(
            self.settings.method,
            trace_front(self.system, Budget(should_stop=should_stop)),
            self.schedules,
            points,
            non_dominated(points),
            NO_PROGRESSION,
            all(verify(schedule, self.system).ok for schedule in self.schedules),
            self.took,
            Proofs(
                self._fitted(should_stop),
                None if self.proof is None else self.proof.evaluated(system),
                settle(system, should_stop) if settles else None,
            ),
        )

    def _fitted(self, should_stop: Callable[[], bool]) -> Fitted | None:
        if self.fitting is None or not has_single_tasks(self.system):
            return None
        bound = lower_bound(self.system, MAKESPAN)
        return fitted(bound, self.fitting, should_stop=should_stop)


def versions_here() -> dict[str, str]:
    """Of Wattfront, of Python, and of the packages that numbers depend on."""
    from importlib import metadata  # which takes a while

    return {"python": platform.python_version()} | {
        package: metadata.version(package) for package in _PACKAGES
    }
