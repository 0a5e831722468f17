"""What is said of classes of jobs: which jobs these are, their worth, and who stops whom."""

from collections.abc import Iterator, Sequence
from typing import Final

from core.engines.replay.classes import ANY, MATCHED, JobClass
from core.shells.told.told import ToldTable
from core.vocabulary.say.words import typed
from core.vocabulary.setting import settings_in

_MOST: Final = 100
_LABELS: Final = {name: one.label for name, one in settings_in(JobClass).items()}
_NOTE: Final = (
    f"A text that ends in {ANY} is a beginning. Jobs of no class stop nobody, and are not stopped."
)


def classes_tables(classes: Sequence[JobClass]) -> Iterator[ToldTable]:
    """The classes with which jobs were made, a row each; nothing where there are none."""
    if not classes:
        return
    rows, more = classes[:_MOST], len(classes) - _MOST
    columns = {
        _LABELS[name]: [getattr(row, name) or "any" for row in rows]
        for name in MATCHED
        if any(getattr(row, name) for row in classes)
    }
    columns |= {
        _LABELS["worth"]: [typed(row.worth) for row in rows],
        _LABELS["full_hours"]: [
            "always" if row.nothing_hours is None else typed(row.full_hours) for row in rows
        ],
        _LABELS["nothing_hours"]: [
            "never" if row.nothing_hours is None else typed(row.nothing_hours) for row in rows
        ],
        _LABELS["tier"]: [f"{row.tier:,}" for row in rows],
    }
    for name in ("may_stop_others", "may_be_stopped"):
        columns[_LABELS[name]] = ["yes" if getattr(row, name) else "no" for row in rows]
    note = f"{_NOTE} Left out: {more:,} more." if more > 0 else _NOTE
    yield ToldTable.of_columns("Classes of jobs", columns, note=note)
