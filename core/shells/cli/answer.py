"""The answer of a command, for people and for programs."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Self

from core.shells.told.told import Told
from core.vocabulary.problems import Problem
from core.vocabulary.say.aligned import table

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
    def done(
        cls, text: str, data: Mapping[str, object], problems: tuple[Problem, ...] = ()
    ) -> Self:
        """An answer in which all is well, as its data say; its problems are warnings."""
        return cls({"ok": True, "problems": as_dicts(problems), **data}, text, problems)

    @classmethod
    def refusal(
        cls, problems: Iterable[Problem], status: int = BAD_INPUT, nothing: Iterable[str] = ()
    ) -> Self:
        """An answer that consists only of problems; data with the names of `nothing` are null."""
        found = tuple(problems)
        data = {"ok": False, "problems": as_dicts(found), **dict.fromkeys(nothing)}
        return cls(data, "", found, status)


def as_dicts(problems: Iterable[Problem]) -> list[dict[str, str]]:
    return [problem.as_dict() for problem in problems]


def told_answer(
    name: str,
    told: Told,
    facts: Iterable[tuple[str, str]] = (),
    problems: tuple[Problem, ...] = (),
    also: Mapping[str, object] | None = None,
) -> Answer:
    """The answer of a command. `facts` are further labels and values that only a terminal shows,
    such as how long it took; `also` are further data. If data say `"verified": False`, the
    status is `UNVERIFIED`.
    """
    data = {**told.data, **(also or {})}
    status = SUCCESS if data.get("verified", True) else UNVERIFIED
    return Answer(data, in_text(name, told, facts), problems, status)


def in_text(name: str, told: Told, facts: Iterable[tuple[str, str]] = ()) -> str:
    """The lead after the name of what was asked about, key figures, tables and sentences."""
    labelled = [*((figure.label, figure.value) for figure in told.figures), *facts]
    blocks = [
        [f"{name}: {told.lead}", *([table(labelled)] if labelled else [])],
        *(
            [one.title, table([one.head, *one.rows]), *([f"  {one.note}"] if one.note else [])]
            for one in told.tables
        ),
        told.sentences,
    ]
    return "\n\n".join("\n".join(block) for block in blocks if block)
