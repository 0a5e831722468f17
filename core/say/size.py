"""How large a system is, in words and as data."""

from core.model.system import System
from core.say.words import counted


def size_in_words(system: System) -> str:
    """`30 task types (1,100 tasks) on 9 machine types (36 machines)`."""
    return (
        f"{counted(len(system.task_types), 'task type')} ({counted(system.tasks, 'task')}) on "
        f"{counted(len(system.machine_types), 'machine type')} "
        f"({counted(system.machines, 'machine')})"
    )


def size_as_data(system: System | None) -> dict[str, int | None]:
    """Numbers of types, tasks and machines; None where there is no system."""
    if system is None:
        return dict.fromkeys(("task_types", "machine_types", "tasks", "machines"))
    return {
        "task_types": len(system.task_types),
        "machine_types": len(system.machine_types),
        "tasks": system.tasks,
        "machines": system.machines,
    }
