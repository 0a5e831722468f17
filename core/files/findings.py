"""Collects problems while reading, in bounded memory."""

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final, Generic, NamedTuple, Self, TypeVar

from core.files import limits
from core.vocabulary.problems import InvalidInput, Problem, Severity

T = TypeVar("T")
SHOWN_CHARACTERS: Final = 200
MESSAGE_CHARACTERS: Final = 1_000


class Unreadable(Exception):
    """A file or table cannot be read at all; the message says why, and the remedy."""


@dataclass
class Findings:
    """The problems found so far; beyond the limits they are only counted. Readers also add the
    assumptions that they make (`notes`, in sentences), and the names of files that they leave
    unread. Keys and columns that nobody uses are warnings, unless `unused_is` says more.
    """

    notes: list[str] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    unused_is: Severity = "warning"
    _listed: dict[Severity, list[Problem]] = field(
        default_factory=lambda: {"error": [], "warning": []}
    )
    _counted: dict[Severity, int] = field(default_factory=lambda: {"error": 0, "warning": 0})

    @property
    def errors(self) -> int:
        return self._counted["error"]

    @property
    def failed(self) -> bool:
        return self.errors > 0

    @property
    def full(self) -> bool:
        """Whether further errors are only counted, so that their messages need not be made."""
        return self.errors >= limits.ERRORS_LISTED

    def add(self, problem: Problem) -> None:
        self._counted[problem.severity] += 1
        if self._counted[problem.severity] <= _LISTED[problem.severity]:
            self._listed[problem.severity].append(_printable(problem))

    def extend(self, problems: Iterable[Problem]) -> None:
        for problem in problems:
            self.add(problem)

    def error(self, file: str, row: str, column: str, message: str) -> None:
        self.add(Problem(file, row, column, message))

    def warning(self, file: str, row: str, column: str, message: str) -> None:
        self.add(Problem(file, row, column, message, "warning"))

    def file_error(self, file: str, message: str) -> None:
        """Add an error of a whole file or table."""
        self.error(file, "", "", message)

    def file_warning(self, file: str, message: str) -> None:
        self.warning(file, "", "", message)

    def unused(self, names: Sequence[str], file: str, row: str = "", what: str = "keys") -> None:
        """Warn of the keys or columns with these names, if there are any, or report them."""
        if names:
            message = f"{what} that are not used: {shown_list(names)}; remove them"
            self.add(Problem(file, row, "", message, self.unused_is))

    def refusals(self, label: str) -> "_Refusals":
        """A block in which `Unreadable` is an error of the file of that name, and the problems of
        `InvalidInput` are added.
        """
        return _Refusals(self, label)

    def listed(self, wrong: Sequence[T]) -> Iterator[T]:
        """As many of what is wrong as the list of errors has room for; the others are counted."""
        for done, each in enumerate(wrong):
            if self.full:
                self._counted["error"] += len(wrong) - done
                return
            yield each

    def problems(self) -> tuple[Problem, ...]:
        """The listed problems, errors first, and how many more there are."""
        found: list[Problem] = []
        for severity, listed in self._listed.items():
            found += listed
            more = self._counted[severity] - len(listed)
            if more:
                message = f"... and {more:,} more {severity}s; mend those listed, then check again"
                found.append(Problem("", "", "", message, severity))
        return tuple(found)


class _Refusals(NamedTuple):
    """Reports what is raised within it."""

    findings: Findings
    label: str

    def __enter__(self) -> None: ...

    def __exit__(self, _: object, refusal: BaseException | None, __: object) -> bool:
        if isinstance(refusal, Unreadable):
            self.findings.file_error(self.label, str(refusal))
        elif isinstance(refusal, InvalidInput):
            self.findings.extend(refusal.problems)
        return isinstance(refusal, Unreadable | InvalidInput)


_LISTED: dict[Severity, int] = {"error": limits.ERRORS_LISTED, "warning": limits.WARNINGS_LISTED}


def shown(text: str, characters: int = 40) -> str:
    """A cell as messages quote it: shortened."""
    return text if len(text) <= characters else text[:characters] + "…"


def shown_list(items: Iterable[object], at_most: int = 5) -> str:
    """`1, 2, 3 and 7 more`."""
    texts = [shown(str(item)) for item in items]
    rest = len(texts) - at_most
    return ", ".join(texts[:at_most]) + (f" and {rest:,} more" if rest > 0 else "")


def _printable(problem: Problem) -> Problem:
    """The problem without characters that a terminal cannot or should not print."""
    return replace(
        problem,
        file=_plain(shown(problem.file, SHOWN_CHARACTERS)),
        row=_plain(shown(problem.row, SHOWN_CHARACTERS)),
        column=_plain(shown(problem.column, SHOWN_CHARACTERS)),
        message=_plain(shown(problem.message, MESSAGE_CHARACTERS)),
    )


def _plain(text: str) -> str:
    if text.isprintable():
        return text
    return "".join("\ufffd" if unicodedata.category(c) in {"Cc", "Cs"} else c for c in text)


@dataclass(frozen=True, slots=True)
class Reading(Generic[T]):
    """What was read, or None; and all problems, errors first, then warnings.

    `notes` are the assumptions made, in sentences. `unread` are the names of files beside it, which
    were not read.
    """

    value: T | None
    problems: tuple[Problem, ...]
    notes: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()

    @classmethod
    def of(cls, label: str, read: Callable[[Findings], T | None]) -> Self:
        """What `read` returns if it reports no error. What it refuses is an error of `label`."""
        findings = Findings()
        value: T | None = None
        with findings.refusals(label):
            value = read(findings)
        return cls.found(None if findings.failed else value, findings)

    @classmethod
    def found(cls, value: T | None, findings: Findings) -> Self:
        """A value, and what was found while it was read."""
        return cls(value, findings.problems(), tuple(findings.notes), tuple(findings.unread))

    @classmethod
    def refused(cls, label: str, why: str) -> Self:
        """The reading of a file that cannot be read at all."""
        return cls(None, (Problem(label, "", "", why),))

    @property
    def ok(self) -> bool:
        return self.value is not None

    def require(self) -> T:
        """The value; raises `InvalidInput` with all problems if there is none."""
        if self.value is None:
            raise InvalidInput(self.problems)
        return self.value


def said_of_unread(names: Sequence[str]) -> tuple[str, ...]:
    """Which files were not read, in a sentence; no sentence if all were."""
    if not names:
        return ()
    return (f"Not used, because only .csv files of one folder are read: {shown_list(names)}.",)
