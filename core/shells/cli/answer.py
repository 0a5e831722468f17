"""The answer of a command, for people and for programs."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Self

from core.vocabulary.problems import Problem

if TYPE_CHECKING:
    from core import System

SUCCESS: Final = 0
UNVERIFIED: Final = 1
BAD_INPUT: Final = 2
UNMET: Final = 3
BROKEN: Final = 70
OUTPUT_LOST: Final = 74
INTERRUPTED: Final = 130
PIPE_CLOSED: Final = 141


@dataclass(frozen=True, slots=True)
class Answer:
    """`data` is the JSON object, `text` the same in words; `problems` go to standard error."""

    data: Mapping[str, object]
    text: str
    problems: tuple[Problem, ...] = ()
    status: int = SUCCESS

    @classmethod
    def refusal(cls, problems: Iterable[Problem], status: int = BAD_INPUT) -> Self:
        """An answer that consists only of problems."""
        found = tuple(problems)
        return cls({"ok": False, "problems": as_dicts(found)}, "", found, status)


def as_dicts(problems: Iterable[Problem]) -> list[dict[str, str]]:
    return [problem.as_dict() for problem in problems]


def size_as_dict(system: "System | None") -> dict[str, int | None]:
    """The size of a system: numbers of types, tasks and machines, and of estimated pairs if there
    are any; None where there is no system.
    """
    if system is None:
        return dict.fromkeys(("task_types", "machine_types", "tasks", "machines"))
    return {
        "task_types": len(system.task_types),
        "machine_types": len(system.machine_types),
        "tasks": system.tasks,
        "machines": system.machines,
        **estimates_as_dict(system),
    }


def estimates_as_dict(system: "System") -> dict[str, int]:
    """The number of estimated pairs; nothing if there are none."""
    return {"estimated_pairs": system.estimated_pairs} if system.estimated_pairs else {}
