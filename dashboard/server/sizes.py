"""The memory (bytes) of what the server keeps for all sessions, so that it can be limited.

The numbers were measured, and are right within a third: in small systems, Python objects take more
memory than their numbers.
"""

from collections.abc import Iterable, Sized
from typing import Final

from core import System
from core.engines.front.known import Proofs
from core.engines.relaxed import Front
from core.vocabulary.schedule import Schedule
from core.vocabulary.timed import TimedSchedule

_NUMBER: Final = 8
_SYSTEM: Final = 3_000
_SCHEDULE: Final = 2_500
_BLOCK: Final = 8 * 8
_FRONT: Final = 12_000
_TYPE: Final = 250
_CELL: Final = 25
"""A pair of task type and machine type: ETC, APC, and what is computed from them."""


def of_schedules(schedules: Iterable[Schedule]) -> int:
    """The memory of schedules, without their system."""
    return sum(
        _SCHEDULE
        + _NUMBER * (one.tasks.size + one.system.etc.size + 4 * len(one.machines))
        + (_BLOCK * len(one.timeline) if isinstance(one, TimedSchedule) else 0)
        for one in schedules
    )


def of_proofs(proofs: Proofs) -> int:
    """The memory of proofs, with the schedules of a settled system."""
    settled = () if proofs.settled is None else proofs.settled.schedules
    if proofs.patterns is None:
        return of_schedules(settled)
    steps, proof = proofs.patterns.steps, proofs.patterns.proof
    return of_schedules(settled) + _NUMBER * (2 * len(steps.begins) + proof.prices.size)


def of_front(front: Front) -> int:
    """The memory of a front, without its system."""
    kept = front.placements, front.slower_placements
    numbers = sum(3 * len(each.task) + 8 * len(each) for each in kept)
    return _FRONT + _NUMBER * numbers


def of_system(system: System) -> int:
    types = of_types(system.task_types, system.machine_types)
    return _SYSTEM + types + _CELL * system.etc.size


def of_types(*lists: Sized) -> int:
    """The memory of what there is once for each type."""
    return _TYPE * sum(map(len, lists))
