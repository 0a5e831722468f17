"""The measurements for figures 3.5 to 3.10 and both tables: all methods on four environments."""

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final

import numpy as np

from benchmarks.convex import convex_bound, hull_boundary, supporting_boundary
from benchmarks.publications.front import front_causes
from benchmarks.publications.front.front_causes import FrontTrials
from benchmarks.publications.linear import Linear, linear
from benchmarks.publications.stand_ins import NAMES, stand_in
from core.engines.front.methods import GENERATIONS, WEIGHTS, Lp
from core.engines.front.study import Study, study, sweep_idle_power
from core.engines.recover.along import Progression, points_of
from core.engines.relaxed import Front, trace_front
from core.engines.rivals import basic_seeds, nsga2
from core.vocabulary.arrays import FloatArray
from core.vocabulary.budget import Budget, Effort
from core.vocabulary.plane.boundaries import loose_boundary
from core.vocabulary.plane.points import nadir, sorted_front
from core.vocabulary.plane.polygons import area, area_between, closed
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System

SPACING: Final = 0.01
POLISH_SECONDS: Final = 5.0
LONGER_POLISH: Final = 4
IDLE_FRACTION: Final = 0.1
IDLE_FRACTIONS: Final = tuple(round(0.05 * step, 2) for step in range(21))

# The rows of the published table 3.1, in its order, and Wattfront's.
EVOLVED: Final = "NSGA-II"
SWEPT: Final = "LP-based"
SEEDED: Final = "NSGA-II seeded"
FILLED: Final = "LP with convex fill"
OURS: Final = "exact front, polished"
PUBLISHED: Final = (EVOLVED, SWEPT, SEEDED, FILLED)
METHODS: Final = (*PUBLISHED, OURS)


@dataclass(frozen=True, eq=False)
class Attempt:
    """The (joules, seconds) of a method's Pareto front, by rising energy, and the seconds that it
    took.
    """

    points: FloatArray
    seconds: float

    @classmethod
    def of(cls, points: FloatArray, seconds: float) -> "Attempt":
        return cls(sorted_front(points), seconds)


@dataclass(frozen=True, eq=False)
class Environment:
    """The results of all methods on one environment.

    `optima` are the (joules, seconds) of the weighted sweep, which are some of the exact front's
    vertices. `swept` and `filled` are the steps from these to schedules, without and with convex
    fill. `longer` are the points of Wattfront's method with `LONGER_POLISH` times the polish.
    """

    name: str
    front: Front
    optima: FloatArray
    swept: Progression
    filled: Progression
    attempts: Mapping[str, Attempt]
    longer: FloatArray

    @property
    def nadir(self) -> FloatArray:
        """The one that all methods have in common."""
        return self.nadir_of(*METHODS)

    def nadir_of(self, *methods: str) -> FloatArray:
        return nadir(
            np.concatenate([self.front.points, *(self.attempts[name].points for name in methods)])
        )

    def left_loose(self, method: str, corner: FloatArray | None = None) -> float:
        """Joule-seconds between the published outer polygon and a method's schedules."""
        return self._left(loose_boundary(self.optima), method, corner)

    def left_exact(self, method: str, corner: FloatArray | None = None) -> float:
        """Joule-seconds between the exact front and a method's schedules."""
        corner = self.nadir if corner is None else corner
        lines = self.front.lines
        return self._left(supporting_boundary(lines.weights, lines.value, corner), method, corner)

    def left_convex(self, method: str) -> float:
        """Joule-seconds by the bound of the publication's section 3.7."""
        below_hull = convex_bound(self.optima).proven
        return self._left(hull_boundary(self.optima), method, None) + below_hull

    @property
    def left_longer(self) -> float:
        """Joule-seconds between the exact front and what longer polish leaves."""
        lines, corner = self.front.lines, self.nadir
        outer = supporting_boundary(lines.weights, lines.value, corner)
        return area_between(outer, sorted_front(self.longer), corner)

    def _left(self, outer: FloatArray, method: str, corner: FloatArray | None) -> float:
        corner = self.nadir if corner is None else corner
        return area_between(outer, self.attempts[method].points, corner)

    def loose_area(self) -> float:
        """Joule-seconds above the published outer polygon."""
        return area(closed(loose_boundary(self.optima), self.nadir))


@dataclass(frozen=True, eq=False)
class Environments:
    """The results on all four environments, and on nine with idle power: `idle_fronts` at
    `IDLE_FRACTIONS`, and the steps from optima to schedules where idle machines draw
    `IDLE_FRACTION`. `tried` are the measurements that explain differences from the publication.
    """

    each: Mapping[str, Environment]
    idle_front: Front
    idle_swept: Progression
    idle_fronts: Sequence[Front]
    tried: FrontTrials

    @property
    def nine(self) -> Environment:
        return self.each["nine"]


@dataclass(frozen=True, slots=True)
class MethodEffort:
    """The parameters of the methods: the generations of NSGA-II from basic seeds and from full
    allocations, the weights of the sweep, and the spacing of convex fill and of Wattfront's method.
    `cores` are the threads of NSGA-II, one for each evolution, and of polish.
    """

    generations: int = GENERATIONS["nsga2"]
    seeded_generations: int = GENERATIONS["nsga2-seeded"]
    weights: int = WEIGHTS
    spacing: float = SPACING
    polish_seconds: float = POLISH_SECONDS
    cores: int = 2


def measure(effort: MethodEffort, say: Callable[[str], None]) -> Environments:
    """Every method on every environment, and the nine environment with idle power."""
    say(f"linear programs and our polish on {', '.join(NAMES)}")
    systems = {name: stand_in(name) for name in NAMES}
    # Compile all kernels, so that no timing includes it.
    linear(systems["two"], effort.weights, effort.spacing)
    study(systems["two"], effort=Effort(min(effort.polish_seconds, 0.1)))
    solved = {
        name: linear(system, effort.weights, effort.spacing) for name, system in systems.items()
    }
    ours, longer = (
        {
            name: study(
                system,
                Lp(effort.spacing),
                effort=Effort(seconds=times * effort.polish_seconds, threads=effort.cores),
            )
            for name, system in systems.items()
        }
        for times in (1, LONGER_POLISH)
    )
    say(
        f"NSGA-II, {effort.generations:,} generations from basic seeds and "
        f"{effort.seeded_generations:,} from full allocations, on {effort.cores} threads"
    )
    evolved = _evolve_all(
        [(system, [], effort.generations) for system in systems.values()]
        + [(systems[name], solved[name].schedules, effort.seeded_generations) for name in systems],
        effort.cores,
    )
    each = {
        name: _environment(
            name, solved[name], evolved[k], evolved[len(NAMES) + k], ours[name], longer[name]
        )
        for k, name in enumerate(NAMES)
    }
    say("idle power, and causes")
    nine = systems["nine"]
    idle = nine.with_idle_fraction(IDLE_FRACTION)
    return Environments(
        each,
        trace_front(idle),
        linear(idle, effort.weights, effort.spacing).swept,
        sweep_idle_power(nine, IDLE_FRACTIONS),
        front_causes.measure(effort.weights, effort.spacing, effort.seeded_generations),
    )


def _environment(
    name: str, method: Linear, evolved: Attempt, seeded: Attempt, ours: Study, longer: Study
) -> Environment:
    return Environment(
        name,
        ours.front,
        method.sweep.points,
        method.swept,
        method.filled,
        {
            EVOLVED: evolved,
            SWEPT: Attempt.of(method.swept.assigned, method.swept_seconds),
            SEEDED: Attempt(seeded.points, seeded.seconds + method.swept_seconds),
            FILLED: Attempt.of(method.filled.assigned, method.filled_seconds),
            OURS: Attempt(ours.achieved, sum(ours.seconds.values())),
        },
        longer.achieved,
    )


_Evolution = tuple[System, Sequence[Schedule], int]


def _evolve_all(evolutions: Sequence[_Evolution], threads: int) -> list[Attempt]:
    """Run all evolutions at once on so many threads: the compiled generations hold no lock."""
    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(_evolve, evolutions))


def _evolve(evolution: _Evolution) -> Attempt:
    """NSGA-II from these seeds, or from the basic ones if there are none."""
    system, seeds, generations = evolution
    nsga2(system, basic_seeds(system), generations=1, budget=Budget())  # compiles
    started = time.thread_time()
    found = nsga2(system, seeds or basic_seeds(system), generations=generations, budget=Budget())
    return Attempt.of(points_of(found), time.thread_time() - started)
