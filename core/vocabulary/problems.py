"""Problems of an input, worded so that a person can mend it.

A `Problem` is located (file, row, column, by name) and carries its remedy. Readers and validators
collect all problems of an input before anyone raises `InvalidInput` with the whole list.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, Self

Severity = Literal["error", "warning"]

SHOWN_IN_MESSAGE = 20


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing to mend: where it is, what it is, and what to do about it.

    `file` is the table or file ("etc.csv"), `row` and `column` are names as the person wrote them
    ("T3", "GPU", or "line 7" where there is no name); each is empty where it does not apply.
    A "warning" does not stop anything; an "error" does.
    """

    file: str
    row: str
    column: str
    message: str
    severity: Severity = "error"

    def __str__(self) -> str:
        place = ", ".join(
            part
            for part in (
                self.file,
                f"row {self.row}" if self.row else "",
                f"column {self.column}" if self.column else "",
            )
            if part
        )
        return f"{self.severity}: {place + ': ' if place else ''}{self.message}"

    def as_dict(self) -> dict[str, str]:
        return asdict(self)


class InvalidInput(ValueError):
    """An input has errors; `problems` lists all of them, warnings included.

    >>> try:
    ...     read_system("missing.csv")
    ... except InvalidInput as refused:
    ...     print(refused.problems[0])
    error: missing.csv: does not exist; check the path
    """

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        lines = [str(problem) for problem in self.problems[:SHOWN_IN_MESSAGE]]
        if len(self.problems) > SHOWN_IN_MESSAGE:
            lines.append(f"... and {len(self.problems) - SHOWN_IN_MESSAGE} more")
        super().__init__("\n".join(lines))

    @classmethod
    def of(cls, message: str, file: str = "") -> Self:
        """The refusal for one reason, of a whole file or of none."""
        return cls([Problem(file, "", "", message)])

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.problems,), self.__dict__


def refuse(faults: Iterable[str]) -> None:
    """Raise `InvalidInput` with all faults of what is asked, if there are any."""
    problems = [Problem("", "", "", fault) for fault in faults]
    if problems:
        raise InvalidInput(problems)


@contextmanager
def refusing(*refusals: type[Exception], of: str) -> Iterator[None]:
    """Turn exceptions whose message is for people into `InvalidInput`."""
    try:
        yield
    except refusals as refusal:
        raise InvalidInput.of(str(refusal), of) from refusal


def placed(problem: Problem, labels: Mapping[str, str]) -> Problem:
    """The problem of a table where the file has that table: its label in place of its name."""
    return replace(problem, file=labels.get(problem.file, problem.file))


def errors(problems: Iterable[Problem]) -> list[Problem]:
    """The problems that make the input unusable."""
    return [problem for problem in problems if problem.severity == "error"]
