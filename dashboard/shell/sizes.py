"""How much memory is held by what is kept for all, in bytes, so that it can have a limit.

As measured, within a third: of small systems the objects take more than their numbers.
"""

from collections.abc import Iterable, Sized
from typing import Final

from core import System
from core.front.proofs import Proofs
from core.model.schedule import Schedule
from core.relaxed import Front

_NUMBER: Final = 8
_SYSTEM: Final = 3_000
_SCHEDULE: Final = 2_500
_FRONT: Final = 12_000
_TYPE: Final = 250
_CELL: Final = 25
"""Of a pair of task type and machine type: ETC, APC, and what is computed from them."""


def of_schedules(schedules: Iterable[Schedule]) -> int:
    """Without their system."""
    return sum(
        _SCHEDULE + _NUMBER * (one.tasks.size + one.system.etc.size + 4 * len(one.machines))
        for one in schedules
    )


def of_proofs(proofs: Proofs) -> int:
    """Schedules that settle a system are their own."""
    settled = () if proofs.settled is None else proofs.settled.schedules
    if proofs.patterns is None:
        return of_schedules(settled)
    steps, proof = proofs.patterns.steps, proofs.patterns.proof
    return of_schedules(settled) + _NUMBER * (2 * len(steps.begins) + proof.prices.size)


def of_front(front: Front) -> int:
    """Without its system."""
    kept = front.placements, front.slower_placements
    numbers = sum(3 * len(each.task) + 8 * len(each) for each in kept)
    return _FRONT + _NUMBER * numbers


def of_system(system: System) -> int:
    types = of_types(system.task_types, system.machine_types)
    return _SYSTEM + types + _CELL * system.etc.size


def of_types(*lists: Sized) -> int:
    """Of what there is for each type."""
    return _TYPE * sum(map(len, lists))
