"""The answer of a command, for people and for programs."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Self

from core.model.problems import Problem

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
