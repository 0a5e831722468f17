"""Solvers of others: CP-SAT with a good model, and HiGHS with a plain one.

They get no hint, bound or start from Wattfront, and their makespans are computed again.

For CP-SAT the variables are the count of each task type on each machine (yes or no, if the type has
one task) and the makespan, which no machine exceeds and which is minimised. It computes with whole
numbers, so times are rounded up to whole units, which are short enough to add at most about one
part in 10^4 to the makespan; whole seconds are not changed. It runs in a process of its own,
because OR-tools and highspy each bring a libhighs, and a process can load only one
(google/or-tools#5246). Starting that process does not count against the budget.

HiGHS gets the assignment problem as a plain integer program:

    minimise    MS
    subject to  sum_k n_ik = T_i                  each task type is done
                sum_i n_ik ETC_ik <= MS           each single machine
                n_ik = 0, 1, 2, ...               tasks of type i on machine k
"""

import importlib.util
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from core.engines.lp.program import Program, end_threads
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


def integer_program(system: System, budget: Budget) -> Schedule:
    """The best schedule that HiGHS finds in time.

    HiGHS has one pool of threads for each process, so no other HiGHS may run in it meanwhile.
    """
    kinds = machine_kinds(system)
    needed = np.flatnonzero(system.task_counts)
    row, machine = np.nonzero(system.can_run[np.ix_(needed, kinds)])
    task = needed[row]

    # The unit of time spreads the tasks' fastest times evenly over machines, so the makespan is
    # about 1.
    counts = system.task_counts[needed]
    fastest = np.where(system.can_run, system.etc, np.inf).min(axis=1)
    even_spread = float(counts @ fastest[needed]) / system.machines
    load = system.etc[task, kinds[machine]] / even_spread
    end_threads()
    program = Program(threads=budget.threads, mip_rel_gap=0.0)
    done = program.add_rows(counts, counts)
    busy = program.add_rows(-np.inf, np.zeros(system.machines))
    # The rows imply the bounds, but the search for whole numbers needs them explicitly.
    cells = program.add_columns(
        [(done[row], 1.0), (busy[machine], load)], upper=counts[row], whole=True
    )
    program.add_columns([(busy[None, :], -1.0)], costs=1.0)
    budget.check("the model for HiGHS was being built")
    program.set_options(time_limit=budget.left)
    solution = program.search(budget.should_stop)
    if solution is None:
        budget.check("HiGHS was looking for its first schedule")
        raise NoScheduleFound(f"HiGHS ended without a schedule: {program.status}")
    tasks = np.zeros((system.machines, len(system.task_types)), np.int64)
    tasks[machine, task] = np.rint(solution.values[cells])
    return schedule_of_machines(system, tasks)
