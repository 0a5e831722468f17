"""What a batch is, in a sentence for where the page first names one."""

from core import System
from core.say.words import counted


def meaning(system: System) -> str:
    """What a batch of a system is."""
    every = f"all {system.tasks:,} tasks" if system.tasks > 1 else counted(system.tasks, "task")
    return f"A **batch** is {every} of this system, run once; batches follow one another."
