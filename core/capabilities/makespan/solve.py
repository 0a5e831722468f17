"""`solve`: a verified schedule of a system and its proven bound, by any method."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from core.capabilities.makespan.methods import (
    AIMS,
    METHODS,
    PHASES,
    Aim,
    SolveProgress,
    SolveRun,
    gap_above,
    solve_method,
)
from core.engines.front.known import NO_PROOFS, Known, Proofs
from core.engines.kernels import load_kernels
from core.engines.relaxed import ENERGY, MAKESPAN, Bound, lower_bound
from core.engines.verify.judge import verify
from core.engines.verify.verdict import Verdict
from core.vocabulary.budget import USUAL_EFFORT, Effort, Stopwatch, never
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import NoPowerData, System


@dataclass(frozen=True, eq=False)
class Solution:
    """A schedule, the proven lower bound on any schedule, and the judge's verdict.

    `proofs` are the proofs of the bound that other questions about the system can use. `seconds` is
    the time of each of `PHASES`; a rival's time counts as "assign".
    """

    method: str
    aim: Aim
    bound: Bound
    schedule: Schedule
    verdict: Verdict
    seconds: Mapping[str, float]
    proofs: Proofs = NO_PROOFS

    @property
    def system(self) -> System:
        return self.schedule.system

    @property
    def verified(self) -> bool:
        return self.verdict.ok

    @property
    def value(self) -> float:
        """The minimised value: seconds of makespan, or joules."""
        return self.schedule.makespan if self.aim == "makespan" else self.schedule.energy

    @property
    def gap(self) -> float:
        """How far the schedule is above `bound.value` at most, as a share of it; infinity if the
        bound is 0 and not met.
        """
        return gap_above(self.bound, self.value, self.schedule.makespan)

    def with_known(self, known: Known) -> "Solution":
        """The solution with a better known schedule, which is judged again, and a better known
        bound, if there are any.
        """
        least = known.least_makespan if self.aim == "makespan" else known.least_energy
        best = known.fastest if self.aim == "makespan" else known.thriftiest
        mine = self
        if least > self.bound.value:
            mine = replace(self, bound=replace(self.bound, value=least))
        if best is None:
            return mine
        other = replace(mine, schedule=best, verdict=verify(best, best.system))
        return other if other.verdict.ok and other.value < self.value else mine


def solve(
    system: System,
    method: str = METHODS[0],
    *,
    minimise: Aim = AIMS[0],
    effort: Effort = USUAL_EFFORT,
    should_stop: Callable[[], bool] = never,
    report: Callable[[SolveProgress], None] | None = None,
) -> Solution:
    """The fastest schedule that a method finds, or the one of least energy, verified.

    Parameters
    ----------
    system : System
        The system to schedule.
    method : str
        "lp" bounds, rounds, assigns, and polishes for as long as its effort allows, or settles a
        small system; it alone can count work. "paper" is the same without polish; the others of
        ``METHODS`` are rivals, which know only the makespan.
    minimise : {"makespan", "energy"}
        The aim.
    effort : Effort
        Seconds or units of work of polish, threads, and the seed of random numbers.
    should_stop : callable
        Asked from time to time; stopping gives the best so far.
    report : callable, optional
        Told how far it is.

    Returns
    -------
    Solution
        The schedule, a lower bound (s or J), the gap between them, and what the judge says.

    Raises
    ------
    NoPowerData
        If energy is asked of a system without powers.
    NoScheduleFound
        If a rival ends with nothing.
    ValueError
        If there is no such method, or it cannot do what is asked.

    Examples
    --------
    >>> solution: Solution = solve(load_sample("two-by-two"), minimise="energy")
    >>> solution.value, solution.bound.value, solution.gap
    (900.0, 900.0, 0.0)
    """
    chosen = solve_method(method)
    if minimise == "energy" and system.apc is None:
        raise NoPowerData
    if minimise not in chosen.aims:
        raise ValueError(f"'{method}' minimises the makespan only; for energy use lp or paper")
    effort.refuse_work_for(method, unless=chosen.counts_work)
    if chosen.counts_work and effort.allowed:
        load_kernels()
    clock = Stopwatch(PHASES)
    bound = (
        lower_bound(system, ENERGY, then=MAKESPAN)
        if minimise == "energy"
        else lower_bound(system, MAKESPAN)
    )
    clock.lap("bound")
    found = chosen.run(SolveRun(bound, minimise, clock, effort, should_stop, report))
    verdict = verify(found.schedule, system)
    return Solution(
        method, minimise, found.bound, found.schedule, verdict, clock.seconds, found.proofs
    )
