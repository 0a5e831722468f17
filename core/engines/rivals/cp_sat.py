"""CP-SAT, Google's constraint solver, with a good model.

The variables are the count of each task type on each machine (yes or no, if the type has one task)
and the makespan, which no machine exceeds and which is minimised. It gets no hint, bound or start
from Wattfront.

CP-SAT computes with whole numbers, so times are rounded up to whole units, which are short enough
to add at most about one part in 10^4 to the makespan; whole seconds are not changed. The makespan
of its schedule is computed again from its counts and the exact times.

It runs in a process of its own, because OR-tools and highspy each bring a libhighs, and a process
can load only one (google/or-tools#5246). Starting that process does not count against the budget.
"""

import importlib.util
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from core.engines.rivals.rival import MissingExtra, machine_kinds, schedule_of_machines
from core.vocabulary.arrays import IntArray
from core.vocabulary.budget import Budget, Cancelled, NoScheduleFound, TooLong
from core.vocabulary.say.words import typed
from core.vocabulary.schedule import Schedule
from core.vocabulary.system import System

UNITS_A_MAKESPAN = 1e5
UNITS_A_TASK = 1e4

# The load of one machine stays below this, in units: CP-SAT's numbers end at 2^63.
LARGEST_LOAD = 2.0**60

SECONDS_BETWEEN_STOPS = 0.1


def cp_sat(system: System, budget: Budget) -> Schedule:
    """The best schedule that CP-SAT finds in time."""
    if importlib.util.find_spec("ortools") is None:
        raise MissingExtra(
            "cp-sat needs OR-tools, which is not installed: pip install 'wattfront[cp-sat]'"
        )
    with tempfile.TemporaryDirectory() as folder:
        problem, answer = Path(folder, "problem.npz"), Path(folder, "answer.npz")
        np.savez(
            problem,
            times=whole_times(system),
            task_counts=system.task_counts,
            kinds=machine_kinds(system),
            seconds=budget.seconds,
            threads=budget.threads,
        )
        said = _search(problem, answer, budget)
        if not answer.exists():
            raise NoScheduleFound(f"CP-SAT ended without an answer: {said}")
        with np.load(answer) as found:
            status, tasks = str(found["status"]), found["tasks"]
    if status in ("OPTIMAL", "FEASIBLE"):
        return schedule_of_machines(system, tasks)
    if budget.should_stop():
        raise Cancelled("stopped before CP-SAT had found a schedule")
    if status == "UNKNOWN":
        raise TooLong(
            f"CP-SAT found no schedule in {typed(budget.seconds)} s; allow more seconds, or choose "
            "another method"
        )
    raise NoScheduleFound(f"CP-SAT ended without a schedule: {status}")


def whole_times(system: System) -> IntArray:
    """ETC in whole units, rounded up; 0 where the pair cannot run or there is no such task."""
    counts = system.task_counts
    used = system.can_run & (counts > 0)[:, None]
    etc = np.where(used, system.etc, 0.0)
    largest_load = float(counts @ etc.max(axis=1))
    unit = 1.0
    if (etc % 1).any() or largest_load > LARGEST_LOAD:
        fastest = np.where(used, system.etc, np.inf).min(axis=1, initial=etc.max())
        even_spread = float(counts @ fastest) / system.machines
        tasks_a_machine = system.tasks / system.machines
        unit = even_spread / max(UNITS_A_MAKESPAN, UNITS_A_TASK * tasks_a_machine)
        unit = max(unit, largest_load / LARGEST_LOAD)
    return np.ceil(etc / unit).astype(np.int64)


def _search(problem: Path, answer: Path, budget: Budget) -> str:
    """Run the search until it ends. Returns what it wrote to standard error."""
    script = Path(__file__).with_name("cp_sat_process.py")
    with (
        tempfile.TemporaryFile() as complaints,
        subprocess.Popen(
            [sys.executable, "-P", script, problem, answer],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=complaints,
        ) as process,
    ):
        while process.poll() is None:
            if process.stdin and budget.should_stop():
                process.stdin.close()  # asks it to stop, as does the end of this process
            try:
                process.wait(SECONDS_BETWEEN_STOPS)
            except subprocess.TimeoutExpired:
                continue
        complaints.seek(0)
        return complaints.read().decode(errors="replace").strip()
