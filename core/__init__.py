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
    from core.capabilities.arrivals.face import replay
    from core.capabilities.arrivals.made.job_sizes import SpeedUp
    from core.capabilities.arrivals.trials import ReplayComparison
    from core.capabilities.centre.answer import CentreAnswer
    from core.capabilities.centre.face import plan_day
    from core.capabilities.compare_run.comparison import RunComparison
    from core.capabilities.compare_run.face import compare_run
    from core.capabilities.derive.face import derive
    from core.capabilities.export.face import Exported, export
    from core.capabilities.fair_shares.face import FairSharing, fair_shares
    from core.capabilities.makespan.solve import Solution, solve
    from core.capabilities.profit.earn import Profit, earn
    from core.capabilities.profit.terms import Terms
    from core.capabilities.provision.answer import Provisioning
    from core.capabilities.provision.face import plan, plan_energy, plan_front, plan_goal, plan_wait
    from core.capabilities.provision.fronts.answer import FrontAnswer
    from core.capabilities.provision.goals.answer import GoalAnswer
    from core.capabilities.provision.goals.goal import Goal
    from core.capabilities.provision.least_energy import LeastEnergy
    from core.capabilities.provision.least_wait import LeastWait
    from core.capabilities.sweep.face import sweep
    from core.capabilities.sweep.run import SweepOutcome
    from core.capabilities.switch_off.advice import SleepAdvice
    from core.capabilities.switch_off.face import switch_off
    from core.engines.front.methods import BoundOnly, Lp, Nsga2, Paper, SeededNsga2
    from core.engines.front.study import Pick, Study, pick, study
    from core.engines.front.wish import Deadline, EnergyBudget, PeakCap, PowerCap
    from core.engines.logs.derived.derivation import Derivation
    from core.engines.relaxed.front import Front
    from core.engines.replay.stopping.rules import Stopping
    from core.engines.verify.judge import verify
    from core.engines.verify.verdict import Verdict
    from core.files.samples.named import load_sample
    from core.files.schedule_file import write_schedule
    from core.files.system_file import read_system, write_system
    from core.vocabulary.budget import Effort
    from core.vocabulary.problems import InvalidInput
    from core.vocabulary.schedule import Schedule
    from core.vocabulary.system import System

__all__ = [
    "BoundOnly",
    "CentreAnswer",
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
    "LeastEnergy",
    "LeastWait",
    "Lp",
    "Nsga2",
    "Paper",
    "PeakCap",
    "Pick",
    "PowerCap",
    "Profit",
    "Provisioning",
    "ReplayComparison",
    "RunComparison",
    "Schedule",
    "SeededNsga2",
    "SleepAdvice",
    "Solution",
    "SpeedUp",
    "Stopping",
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
    "plan_day",
    "plan_energy",
    "plan_front",
    "plan_goal",
    "plan_wait",
    "read_system",
    "replay",
    "solve",
    "study",
    "sweep",
    "switch_off",
    "verify",
    "write_schedule",
    "write_system",
]

_MODULES: Final = {
    "BoundOnly": "core.engines.front.methods",
    "CentreAnswer": "core.capabilities.centre.answer",
    "Deadline": "core.engines.front.wish",
    "Derivation": "core.engines.logs.derived.derivation",
    "Effort": "core.vocabulary.budget",
    "EnergyBudget": "core.engines.front.wish",
    "Exported": "core.capabilities.export.face",
    "FairSharing": "core.capabilities.fair_shares.face",
    "Front": "core.engines.relaxed.front",
    "FrontAnswer": "core.capabilities.provision.fronts.answer",
    "Goal": "core.capabilities.provision.goals.goal",
    "GoalAnswer": "core.capabilities.provision.goals.answer",
    "InvalidInput": "core.vocabulary.problems",
    "LeastEnergy": "core.capabilities.provision.least_energy",
    "LeastWait": "core.capabilities.provision.least_wait",
    "Lp": "core.engines.front.methods",
    "Nsga2": "core.engines.front.methods",
    "Paper": "core.engines.front.methods",
    "PeakCap": "core.engines.front.wish",
    "Pick": "core.engines.front.study",
    "PowerCap": "core.engines.front.wish",
    "Profit": "core.capabilities.profit.earn",
    "Provisioning": "core.capabilities.provision.answer",
    "ReplayComparison": "core.capabilities.arrivals.trials",
    "RunComparison": "core.capabilities.compare_run.comparison",
    "Schedule": "core.vocabulary.schedule",
    "SeededNsga2": "core.engines.front.methods",
    "SleepAdvice": "core.capabilities.switch_off.advice",
    "Solution": "core.capabilities.makespan.solve",
    "SpeedUp": "core.capabilities.arrivals.made.job_sizes",
    "Stopping": "core.engines.replay.stopping.rules",
    "Study": "core.engines.front.study",
    "SweepOutcome": "core.capabilities.sweep.run",
    "System": "core.vocabulary.system",
    "Terms": "core.capabilities.profit.terms",
    "Verdict": "core.engines.verify.verdict",
    "compare_run": "core.capabilities.compare_run.face",
    "derive": "core.capabilities.derive.face",
    "earn": "core.capabilities.profit.earn",
    "export": "core.capabilities.export.face",
    "fair_shares": "core.capabilities.fair_shares.face",
    "load_sample": "core.files.samples.named",
    "pick": "core.engines.front.study",
    "plan": "core.capabilities.provision.face",
    "plan_day": "core.capabilities.centre.face",
    "plan_energy": "core.capabilities.provision.face",
    "plan_front": "core.capabilities.provision.face",
    "plan_goal": "core.capabilities.provision.face",
    "plan_wait": "core.capabilities.provision.face",
    "read_system": "core.files.system_file",
    "replay": "core.capabilities.arrivals.face",
    "solve": "core.capabilities.makespan.solve",
    "study": "core.engines.front.study",
    "sweep": "core.capabilities.sweep.face",
    "switch_off": "core.capabilities.switch_off.face",
    "verify": "core.engines.verify.judge",
    "write_schedule": "core.files.schedule_file",
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
