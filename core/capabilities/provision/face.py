"""What the library's face has of provisioning."""

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from core.capabilities.provision.answer import Provisioning, decided, queue_of
from core.capabilities.provision.clashes import refuse_clash
from core.capabilities.provision.comparison import compare_directly
from core.capabilities.provision.confidence import out_of_sample
from core.capabilities.provision.files.plan_file import PlanFile
from core.capabilities.provision.files.plan_format import inspect_plan
from core.capabilities.provision.fronts.answer import (
    POINTS,
    USUAL_POINTS,
    FrontAnswer,
    find_front,
    names_fault,
)
from core.capabilities.provision.fronts.front import FrontPoint
from core.capabilities.provision.futures.uncertainty import Points
from core.capabilities.provision.goals.answer import GoalAnswer, find_goal
from core.capabilities.provision.goals.goal import OBJECTIVE_LIMITED, Goal
from core.capabilities.provision.goals.search import GoalProgress
from core.capabilities.provision.least_energy import LeastEnergy
from core.capabilities.provision.least_wait import LeastWait
from core.capabilities.provision.objectives import PlanObjective
from core.capabilities.provision.rules import StatedRule, UnreadableRule, given_rules
from core.capabilities.provision.settings import PlanAim, PlanAsked, PlanSolver, WeekAim
from core.capabilities.provision.study_block import ProvisionSettings
from core.capabilities.provision.two_stage import SearchProgress
from core.capabilities.provision.week_told import ENDLESS, best_of_week
from core.engines.lp.program import Infeasible
from core.files.disk import STUDY_SUFFIX, located
from core.files.findings import Reading
from core.files.samples.named import plan_folder
from core.shells.studies import inspect_study
from core.shells.studies.seen import NOTHING_SEEN, SeenInLog
from core.vocabulary.arrivals import HourlyArrivals
from core.vocabulary.budget import never
from core.vocabulary.problems import InvalidInput, Problem, refuse, refusing
from core.vocabulary.setting import WholeIn, lone, strange, strange_settings

BestOfWeek = TypeVar("BestOfWeek", LeastWait, LeastEnergy)


class GivenPlan(NamedTuple):
    """A plan, its name, whether machines are usually whole, what its files say, and what a log does
    beside it.
    """

    file: PlanFile
    name: str
    whole: bool
    problems: tuple[Problem, ...]
    seen: SeenInLog = NOTHING_SEEN

    def asked(self, asked: PlanAsked, rules: Sequence[str | StatedRule]) -> PlanFile:
        """The plan with what is asked in place of what its files say, and more rules. Raises
        `InvalidInput` if it cannot be asked, or if a rule is not linear.
        """
        refuse(lone(rules=rules))
        refuse(strange_settings(asked))
        file = self.file
        drawn = {"count": asked.scenarios, "seed": asked.seed, "points": asked.points}
        said: dict[str, Any] = {name: one for name, one in drawn.items() if one is not None}
        budget = file.limits.budget if asked.budget is None else asked.budget
        with refusing(UnreadableRule, of="rules"):
            more = given_rules(rules, file.types.machine_names)
        return replace(
            file,
            scenarios=replace(file.scenarios, **said),
            limits=replace(file.limits, budget=budget),
            rules=(*file.rules, *more),
        )


def plan(
    plan: PlanFile | str | Path,
    *,
    scenarios: int | None = None,
    seed: int | None = None,
    points: Points | None = None,
    budget: float | None = None,
    rules: Sequence[str | StatedRule] = (),
    solver: PlanSolver = "decomposition",
    whole: bool | None = None,
    risk: float = 0.0,
    should_stop: Callable[[], bool] = never,
    report: Callable[[SearchProgress], None] | None = None,
) -> Provisioning:
    """Which machines to buy and to sell before it is known what work arrives.

    Parameters
    ----------
    plan : PlanFile, str or Path
        A plan, a file or folder of one, a study file with such a question, or the name of a sample.
    scenarios, seed : int, optional
        How many futures are drawn, and their seed (default: as the plan says).
    points : {"independent", "latin", "sobol"}, optional
        How futures are spread.
    budget : float, optional
        What the change may cost, in the currency of the plan (default: as the plan says).
    rules : sequence of str or callable
        More linear rules about machines, as the plan has them ("A + B >= 30 % of all"), or stated
        in cvxpy: a function of the machines bought, sold and there in the end (vectors in the order
        of machine types) that returns a constraint.
    solver : {"decomposition", "direct"}
        How the two-stage program is solved; "direct" is the published one, which takes much longer.
    whole : bool, optional
        Whether only whole machines are bought and sold (default: yes, but for "direct").
    risk : float
        How much the mean of the worst 5 % of futures counts (CVaR), from 0 to 1.
    should_stop, report : callable, optional
        Asked from time to time; told how far the search is.

    Returns
    -------
    Provisioning
        The purchase by each way to choose, what each leads to (rewards a second, W), and a proven
        gap.

    Raises
    ------
    InvalidInput
        If the plan cannot be read, or no purchase keeps all limits.
    Cancelled
        If it was stopped.

    Examples
    --------
    >>> found: Provisioning = plan("e1", scenarios=20)
    >>> sorted(found.outcomes), bool(found.compared.outcomes["rp"].reward > 0)
    (['h1', 'h2', 'h3', 'mvp', 'rp'], True)
    >>> ruled = plan("e1", scenarios=20, rules=[lambda bought, sold, there: bought[0] <= 1])
    >>> bool(ruled.compared.outcomes["rp"].purchase.buy[0] <= 1)
    True
    """
    given = given_plan(plan)
    file = given.asked(PlanAsked(scenarios, seed, points, budget, solver), rules)
    usual = given.whole and solver != "direct"
    aim = PlanAim(whole=usual if whole is None else whole, caution=risk)
    refuse(strange_settings(aim))
    if solver == "direct":
        refuse(
            f"solver 'direct' does not go with {other}; leave one of them out"
            for other, asked in (("whole", aim.whole), ("risk", aim.caution))
            if asked
        )
    with refusing_infeasible(file, given.name, whole=aim.whole):
        return provisioned(
            file, aim, solver, should_stop=should_stop, report=report, arrivals=given.seen.arrivals
        )


def plan_goal(
    plan: PlanFile | str | Path,
    goal: Goal,
    *,
    scenarios: int | None = None,
    seed: int | None = None,
    points: Points | None = None,
    budget: float | None = None,
    rules: Sequence[str | StatedRule] = (),
    should_stop: Callable[[], bool] = never,
    report: Callable[[GoalProgress], None] | None = None,
) -> GoalAnswer:
    """The purchase that is best in one objective and keeps limits on the means of others.

    Parameters
    ----------
    plan : PlanFile, str or Path
        A plan, a file or folder of one, a study file with such a question, or the name of a sample.
    goal : Goal
        The objective, and the limits: a reward and failures a second, W.
    scenarios, seed, points, budget, rules : optional
        What takes the place of what the plan says, and more rules, as for `plan`.
    should_stop, report : callable, optional
        Asked from time to time; told how far the search is.

    Returns
    -------
    GoalAnswer
        The purchase, with machines in parts, the means of all objectives, and what limits cost.

    Raises
    ------
    InvalidInput
        If the plan cannot be read, or no purchase keeps all limits.
    Cancelled
        If it was stopped.

    Examples
    --------
    >>> answer: GoalAnswer = plan_goal("e1", Goal("cost", reward=1.5), scenarios=20)
    >>> bool(answer.decision.means["reward"] >= 1.5 - 1e-6)
    True
    """
    given = given_plan(plan)
    file = given.asked(PlanAsked(scenarios, seed, points, budget), rules)
    refuse(_goal_faults(goal))
    with refusing_infeasible(file, given.name, whole=False):
        return find_goal(file, goal, given.name, should_stop=should_stop, report=report)


def plan_front(
    plan: PlanFile | str | Path,
    objectives: Sequence[PlanObjective],
    *,
    most: int = USUAL_POINTS,
    scenarios: int | None = None,
    seed: int | None = None,
    points: Points | None = None,
    budget: float | None = None,
    rules: Sequence[str | StatedRule] = (),
    should_stop: Callable[[], bool] = never,
    report: Callable[[Sequence[FrontPoint]], None] | None = None,
) -> FrontAnswer:
    """The front of two or three objectives of purchases.

    Parameters
    ----------
    plan : PlanFile, str or Path
        A plan, a file or folder of one, a study file with such a question, or the name of a sample.
    objectives : sequence of {"reward", "cost", "failures", "power"}
        Two or three of them.
    most : int
        At most so many points.
    scenarios, seed, points, budget, rules : optional
        What takes the place of what the plan says, and more rules, as for `plan`.
    should_stop, report : callable, optional
        Asked from time to time; told how far the search is.

    Returns
    -------
    FrontAnswer
        The points: purchases with machines in parts, and the means of all objectives.

    Raises
    ------
    InvalidInput
        If the plan cannot be read, or no purchase keeps all limits.
    Cancelled
        If it was stopped.

    Examples
    --------
    >>> answer: FrontAnswer = plan_front("e1", ["reward", "cost"], scenarios=2)
    >>> answer.has_all
    True
    """
    given = given_plan(plan)
    file = given.asked(PlanAsked(scenarios, seed, points, budget), rules)
    names = tuple(objectives)
    refuse([fault] if (fault := names_fault(names)) else strange(most=(most, WholeIn(POINTS))))
    with refusing_infeasible(file, given.name, whole=False):
        return find_front(file, names, most, should_stop=should_stop, report=report)


def plan_wait(
    plan: PlanFile | str | Path,
    *,
    budget: float | None = None,
    rules: Sequence[str | StatedRule] = (),
    should_stop: Callable[[], bool] = never,
) -> LeastWait:
    """The purchase of whole machines after which the longest queue of a week is the shortest.

    Parameters
    ----------
    plan : PlanFile, str or Path
        A study file of a system from a log, with a plan: the log says when tasks arrive.
    budget, rules : optional
        What takes the place of what the plan says, and more rules, as for `plan`.
    should_stop : callable, optional
        Asked from time to time.

    Returns
    -------
    LeastWait
        The cheapest purchase found of those with the shortest longest queue (s), and a proven bound
        on it.

    Raises
    ------
    InvalidInput
        If the plan cannot be read or does not say when tasks arrive, no purchase keeps all limits,
        or the queue has no end whatever is bought.
    Cancelled
        If it was stopped.

    Examples
    --------
    >>> try:
    ...     found: LeastWait = plan_wait("e1")
    ... except InvalidInput as refused:
    ...     print(refused.problems[0].message[:50])
    says nothing of the hours in which work arrives, w
    """
    return _best_of_week(LeastWait, "wait", plan, budget, rules, should_stop)


def plan_energy(
    plan: PlanFile | str | Path,
    *,
    budget: float | None = None,
    rules: Sequence[str | StatedRule] = (),
    should_stop: Callable[[], bool] = never,
) -> LeastEnergy:
    """The purchase of whole machines after which the work of a week takes the least energy, while
    its longest queue is no longer than today's.

    Parameters
    ----------
    plan : PlanFile, str or Path
        A study file of a system from a log, with a plan: the log says when tasks arrive.
    budget, rules : optional
        What takes the place of what the plan says, and more rules, as for `plan`.
    should_stop : callable, optional
        Asked from time to time.

    Returns
    -------
    LeastEnergy
        The cheapest purchase found of those with the least energy (J a week), a proven bound on it,
        and the energy with today's machines.

    Raises
    ------
    InvalidInput
        If the plan cannot be read, has no powers or does not say when tasks arrive, or no purchase
        keeps all limits and the queue.
    Cancelled
        If it was stopped.

    Examples
    --------
    >>> try:
    ...     found: LeastEnergy = plan_energy("e1")
    ... except InvalidInput as refused:
    ...     print(refused.problems[0].message[:50])
    says nothing of the hours in which work arrives, w
    """
    return _best_of_week(LeastEnergy, "energy", plan, budget, rules, should_stop)


def _best_of_week(
    kind: type[BestOfWeek],
    sought: WeekAim,
    plan: PlanFile | str | Path,
    budget: float | None,
    rules: Sequence[str | StatedRule],
    should_stop: Callable[[], bool],
) -> BestOfWeek:
    """The purchase that is best for a week. Raises as `plan_wait` and `plan_energy` say."""
    given = given_plan(plan)
    file = given.asked(PlanAsked(budget=budget), rules)
    with refusing_infeasible(file, given.name, whole=True):
        found = best_of_week(file, sought, given.seen.arrivals, should_stop).found
    if not isinstance(found, kind):
        raise InvalidInput([Problem(given.name, "", "", ENDLESS[sought])])
    return found


def given_plan(plan: PlanFile | str | Path) -> GivenPlan:
    """A plan, that at a path or in a study file, or a sample. Raises `InvalidInput`."""
    if isinstance(plan, PlanFile):
        return GivenPlan(plan, "", True, ())
    path, whole, seen = located(str(plan), plan_folder), True, NOTHING_SEEN
    reading = inspect_plan(path) if path.suffix.casefold() != STUDY_SUFFIX else None
    if reading is None:
        study = inspect_study(path)
        settings = None if study.value is None else study.value.settings
        asked = None if settings is None else settings.block(ProvisionSettings)
        if settings is None or asked is None:
            reading = inspect_plan(path)
        else:
            reading, whole = Reading(asked.file, study.problems), asked.whole
            seen = settings.seen
    return GivenPlan(reading.require(), str(plan), whole, reading.problems, seen)


@contextmanager
def refusing_infeasible(file: PlanFile, name: str, *, whole: bool) -> Iterator[None]:
    """Raise `InvalidInput` if no purchase keeps all limits: before the work if that is known."""
    refuse_clash(file.plan, whole=whole, labels=file.labels)
    try:
        yield
    except Infeasible:
        message = "no purchase keeps all limits; raise the budget or the limits of counts"
        raise InvalidInput([Problem(name, "", "", message)]) from None


def _goal_faults(goal: object) -> Iterator[str]:
    """Why this cannot be sought."""
    if not isinstance(goal, Goal):
        yield f"goal is {goal!r}; give a Goal"
        return
    yield from strange_settings(goal)
    if goal.objective in goal.limits:
        yield f"{goal.objective} {OBJECTIVE_LIMITED}; leave the limit out"


def provisioned(
    file: PlanFile,
    aim: PlanAim,
    solver: PlanSolver,
    *,
    should_stop: Callable[[], bool],
    report: Callable[[SearchProgress], None] | None,
    arrivals: HourlyArrivals | None = None,
) -> Provisioning:
    """`plan` of a plan that is read, perhaps with arrivals. Raises `Infeasible` and `Cancelled`."""
    started = time.perf_counter()
    if solver == "direct":
        plan, drawn = file.plan, file.sampling.scenarios(file.plan)
        compared = compare_directly(plan, drawn, aim.weights, should_stop=should_stop)
        queue = queue_of(file, compared, arrivals)
        found = Provisioning(file, compared, cheapest=False, queue=queue)
    else:
        found = decided(file, aim, arrivals, should_stop=should_stop, report=report)
    purchase = found.best.purchase
    beyond = out_of_sample(file.plan, purchase, aim.weights, file.sampling.repeated)
    return replace(found, seconds=time.perf_counter() - started, fresh={"rp": beyond})
