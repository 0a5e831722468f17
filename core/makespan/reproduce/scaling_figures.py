"""Figures 8 to 11 and A.12 to A.15, in the order of the publication."""

from core.makespan.reproduce.scaling import MakespanScaling
from core.makespan.reproduce.scaling_quality import (
    quality_in_machine_types,
    quality_in_machines,
    quality_in_task_types,
    quality_in_tasks,
)
from core.makespan.reproduce.scaling_run_times import (
    run_time_in_machine_types,
    run_time_in_machines,
    run_time_in_task_types,
    run_time_in_tasks,
)
from core.reproduce.figure import Figure


def figures(scaling: MakespanScaling) -> list[Figure]:
    sweeps = scaling.sweeps
    return [
        quality_in_tasks(sweeps["tasks"]),
        run_time_in_tasks(sweeps["tasks"], scaling.hundred_million_seconds),
        quality_in_machines(sweeps["machines"]),
        run_time_in_machines(sweeps["machines"]),
        quality_in_task_types(sweeps["task types"]),
        run_time_in_task_types(sweeps["task types"]),
        quality_in_machine_types(sweeps["machine types"]),
        run_time_in_machine_types(sweeps["machine types"]),
    ]
