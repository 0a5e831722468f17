"""The process in which CP-SAT searches: `python cp_sat_process.py PROBLEM.npz ANSWER.npz`.

It imports nothing of Wattfront, so that it does not load highspy. It ends when its seconds have
passed, or when its standard input closes: then the process that started it asks it to stop, or has
ended.
"""

import os
import sys
import threading
import time

import numpy as np
from ortools.sat.python import cp_model

SECONDS_BETWEEN_STOPS = 0.1


def main(problem: str, answer: str) -> None:
    deadline = time.perf_counter()
    with np.load(problem) as given:
        times, task_counts, kinds = given["times"], given["task_counts"], given["kinds"]
        deadline += float(given["seconds"])
        threads = int(given["threads"])
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = threads
    stopped = threading.Event()
    threading.Thread(target=_stop_with_input, args=(solver, stopped), daemon=True).start()

    model = cp_model.CpModel()
    counts: dict[tuple[int, int], cp_model.IntVar] = {}
    loads: list[list[tuple[cp_model.IntVar, int]]] = [[] for _ in kinds]
    one_after_another = 0
    for i in np.flatnonzero(task_counts).tolist():
        if stopped.is_set() or time.perf_counter() > deadline:
            np.savez(answer, status="UNKNOWN", tasks=0)
            return
        able = np.flatnonzero(times[i, kinds]).tolist()
        for machine, count in zip(
            able, _shares(model, int(task_counts[i]), len(able)), strict=True
        ):
            counts[machine, i] = count
            loads[machine].append((count, int(times[i, kinds[machine]])))
        one_after_another += int(task_counts[i]) * int(times[i, kinds[able]].min())
    makespan = model.new_int_var(0, one_after_another, "")
    for load in loads:
        model.add(sum(count * time for count, time in load) <= makespan)
    model.minimize(makespan)

    solver.parameters.max_time_in_seconds = max(deadline - time.perf_counter(), 0.0)
    status = solver.solve(model)
    tasks = np.zeros((len(kinds), len(task_counts)), np.int64)
    if status in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        for place, count in counts.items():
            tasks[place] = solver.value(count)
    np.savez(answer, status=solver.status_name(status), tasks=tasks)


def _shares(model: cp_model.CpModel, tasks: int, machines: int) -> list[cp_model.IntVar]:
    """How many of `tasks` equal tasks each of the machines gets."""
    if tasks == 1:
        yes_or_no = [model.new_bool_var("") for _ in range(machines)]
        model.add_exactly_one(yes_or_no)
        return yes_or_no
    shares = [model.new_int_var(0, tasks, "") for _ in range(machines)]
    model.add(cp_model.LinearExpr.sum(shares) == tasks)
    return shares


def _stop_with_input(solver: cp_model.CpSolver, stopped: threading.Event) -> None:
    # Not sys.stdin: its lock, held by a thread at exit, is fatal.
    while os.read(0, 1):
        pass
    stopped.set()
    while True:  # the search may not have begun yet
        solver.stop_search()
        time.sleep(SECONDS_BETWEEN_STOPS)


if __name__ == "__main__":
    main(*sys.argv[1:])
