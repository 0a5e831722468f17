"""A batch in words: the pages say "batch", and what it is where they first do."""

import re
from typing import Final

from core.model.system import System
from core.say.words import counted

_BAG: Final = re.compile(r"\b([Bb])ag(s?)\b")


def in_batches(text: str) -> str:
    """The same of batches, where `core` speaks of bags as the command line does."""
    return _BAG.sub(lambda bag: f"{bag[1]}atch{'es' if bag[2] else ''}", text)


def meaning(system: System) -> str:
    """What a batch of a system is."""
    every = f"all {system.tasks:,} tasks" if system.tasks > 1 else counted(system.tasks, "task")
    return f"A **batch** is {every} of this system, run once; batches follow one another."
