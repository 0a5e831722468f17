"""Schedules for heterogeneous clusters, with proofs of how good they are.

>>> from core import load_sample, solve
>>> solution = solve(load_sample("two-by-two"))
>>> solution.schedule.makespan, solution.bound.value, solution.verdict.ok
(11.0, 11.0, True)

The names of `__all__` are Wattfront's public interface: their arguments and results change only in
a version whose CHANGELOG.md says so. Everything else may change in any version. `docs/library.md`
shows how to get from a CSV file to a Pareto front with them. Amounts are in seconds, joules and
watts.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from core.arrivals.face import replay
    from core.arrivals.trials import ReplayComparison
    from core.compare_run.comparison import RunComparison
    from core.compare_run.face import compare_run
    from core.derive.face import derive
    from core.export.face import Exported, export
    from core.files.schedule_writer import write_schedule
    from core.files.system_file import read_system, write_system
    from core.front.methods import BoundOnly, Lp, Nsga2, Paper, SeededNsga2
    from core.front.pick import Pick, pick
    from core.front.study import Study, study
    from core.front.wish import Deadline, EnergyBudget, PowerCap
    from core.logs.derived.derivation import Derivation
    from core.makespan.solve import Solution, solve
    from core.model.budget import Effort
    from core.model.problems import InvalidInput
    from core.model.schedule import Schedule
    from core.model.system import System
    from core.profit.earn import Profit, earn
    from core.profit.terms import Terms
    from core.provision.answer import Provisioning
    from core.provision.face import plan, plan_front, plan_goal
    from core.provision.front_answer import FrontAnswer
    from core.provision.goal import Goal
    from core.provision.goal_answer import GoalAnswer
    from core.relaxed.front import Front
    from core.samples.named import load_sample
    from core.stretch.face import FairSharing, fair_shares
    from core.sweep.face import sweep
    from core.sweep.sweeping import SweepOutcome
    from core.verify.judge import verify
    from core.verify.verdict import Verdict

__all__ = [
    "BoundOnly",
    "Deadline",
    "Derivation",
    "Effort",
    "EnergyBudget",
    "Exported",
    "FairSharing",
    "Front",
    "FrontAnswer",
    "Goal",
    "GoalAnswer",
    "InvalidInput",
    "Lp",
    "Nsga2",
    "Paper",
    "Pick",
    "PowerCap",
    "Profit",
    "Provisioning",
    "ReplayComparison",
    "RunComparison",
    "Schedule",
    "SeededNsga2",
    "Solution",
    "Study",
    "SweepOutcome",
    "System",
    "Terms",
    "Verdict",
    "compare_run",
    "derive",
    "earn",
    "export",
    "fair_shares",
    "load_sample",
    "pick",
    "plan",
    "plan_front",
    "plan_goal",
    "read_system",
    "replay",
    "solve",
    "study",
    "sweep",
    "verify",
    "write_schedule",
    "write_system",
]

_MODULES: Final = {
    "BoundOnly": "core.front.methods",
    "Deadline": "core.front.wish",
    "Derivation": "core.logs.derived.derivation",
    "Effort": "core.model.budget",
    "EnergyBudget": "core.front.wish",
    "Exported": "core.export.face",
    "FairSharing": "core.stretch.face",
    "Front": "core.relaxed.front",
    "FrontAnswer": "core.provision.front_answer",
    "Goal": "core.provision.goal",
    "GoalAnswer": "core.provision.goal_answer",
    "InvalidInput": "core.model.problems",
    "Lp": "core.front.methods",
    "Nsga2": "core.front.methods",
    "Paper": "core.front.methods",
    "Pick": "core.front.pick",
    "PowerCap": "core.front.wish",
    "Profit": "core.profit.earn",
    "Provisioning": "core.provision.answer",
    "ReplayComparison": "core.arrivals.trials",
    "RunComparison": "core.compare_run.comparison",
    "Schedule": "core.model.schedule",
    "SeededNsga2": "core.front.methods",
    "Solution": "core.makespan.solve",
    "Study": "core.front.study",
    "SweepOutcome": "core.sweep.sweeping",
    "System": "core.model.system",
    "Terms": "core.profit.terms",
    "Verdict": "core.verify.verdict",
    "compare_run": "core.compare_run.face",
    "derive": "core.derive.face",
    "earn": "core.profit.earn",
    "export": "core.export.face",
    "fair_shares": "core.stretch.face",
    "load_sample": "core.samples.named",
    "pick": "core.front.pick",
    "plan": "core.provision.face",
    "plan_front": "core.provision.face",
    "plan_goal": "core.provision.face",
    "read_system": "core.files.system_file",
    "replay": "core.arrivals.face",
    "solve": "core.makespan.solve",
    "study": "core.front.study",
    "sweep": "core.sweep.face",
    "verify": "core.verify.judge",
    "write_schedule": "core.files.schedule_writer",
    "write_system": "core.files.system_file",
}
"""The module of each name. It is imported when the name is first used, so that `wattfront --help`
does not wait for numpy.
"""


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_MODULES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


# Python binds a package to its name here when it is first imported, but only then. So rooms that
# are called like a name of the face are imported before anybody else does it.
for _room in ("compare_run", "derive", "export", "replay", "sweep", "verify"):
    import_module(f"core.{_room}")
    globals().pop(_room)
