"""What an answer says, as a terminal shows it."""

from collections.abc import Iterable, Iterator, Sequence

from core.shells.cli.answer import Answer
from core.shells.told.told import Told, ToldTable
from core.vocabulary.problems import Problem


def told_answer(
    name: str,
    told: Told,
    facts: Iterable[tuple[str, str]] = (),
    problems: tuple[Problem, ...] = (),
) -> Answer:
    """The answer of a command. `facts` are further labels and values that only a terminal shows,
    such as how long it took.
    """
    return Answer(told.data, in_text(name, told, facts), problems)


def in_text(name: str, told: Told, facts: Iterable[tuple[str, str]] = ()) -> str:
    """The lead after the name of what was asked about, key figures, tables and sentences."""
    figures = [(figure.label, figure.value) for figure in told.figures]
    blocks = [
        [f"{name}: {told.lead}", *_aligned([*figures, *facts])],
        *(
            [table.title, *_aligned([table.head, *table.rows]), *_noted(table)]
            for table in told.tables
        ),
        told.sentences,
    ]
    return "\n\n".join("\n".join(block) for block in blocks if block)


def _noted(table: ToldTable) -> list[str]:
    return [f"  {table.note}"] if table.note else []


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """The rows with columns of equal width."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        cells = (f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True))
        yield f"  {'  '.join(cells)}".rstrip()
