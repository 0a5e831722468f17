"""Classes of jobs: what jobs of a partition, QOS, account, user or name are worth, and which of
them may stop others.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from core.engines.replay.workload import WORTH, ArrivingJobs, StopRights
from core.engines.replay.worth import WorthCurves, WorthPiece
from core.vocabulary.arrays import BoolArray, IntArray
from core.vocabulary.problems import InvalidInput, Problem
from core.vocabulary.ranges import Range
from core.vocabulary.say.words import HOUR, typed
from core.vocabulary.setting import (
    AnyText,
    NumberIn,
    WholeIn,
    YesNo,
    setting,
    settings_in,
    strange_settings,
)

ANY: Final = "*"
_FULL: Final = Range(0.0, 1e6, "hours")
_NOTHING: Final = Range(0.001, 1e6, "hours")
TIERS: Final = Range(0, 65_532, "")
"""Tiers of jobs; the PriorityTier of Slurm is one more, as it is 1 where nothing is said."""
_TEXT: Final = f"Blank: any. A text may end in {ANY}, which stands for whatever follows."


@dataclass(frozen=True, slots=True)
class JobClass:
    """Jobs whose texts are these: a blank is any text, and one that ends in * any that begins so.

    Such a job is worth `worth` if it ends within `full_hours` of its arrival, and nothing from
    `nothing_hours` on; in between its worth falls evenly. None: it never falls.
    """

    partition: str = setting("", AnyText(), "Partition", _TEXT)
    qos: str = setting("", AnyText(), "QOS", _TEXT)
    account: str = setting("", AnyText(), "Account", _TEXT)
    user: str = setting("", AnyText(), "User", _TEXT)
    name: str = setting("", AnyText(), "Name", f"Of the job, or of its task type. {_TEXT}")
    worth: float = setting(1.0, NumberIn(WORTH), "Worth", "Of a job that ends in time.")
    full_hours: float = setting(
        0.0, NumberIn(_FULL), "Full for (h)", "For so long after its arrival, a job has full worth."
    )
    nothing_hours: float | None = setting(
        None,
        NumberIn(_NOTHING),
        "Nothing after (h)",
        "So long after its arrival, a job is worth nothing; before, its worth falls evenly.",
        blank="Never",
    )
    tier: int = setting(
        0, WholeIn(TIERS), "Tier", "By tiers, a job stops those of lower tiers alone."
    )
    may_stop_others: bool = setting(False, YesNo(), "May stop others")
    may_be_stopped: bool = setting(False, YesNo(), "May be stopped")

    @property
    def texts(self) -> dict[str, str]:
        """What a job must have, by the names of the columns that are not blank."""
        return {name: text for name in MATCHED if (text := getattr(self, name))}

    @property
    def curve(self) -> tuple[str, tuple[WorthPiece, ...]]:
        """The name and the pieces of its worth, as shares of it."""
        full, nothing = self.full_hours, self.nothing_hours
        if nothing is None:
            return "constant", (WorthPiece(0.0, 1.0, 1.0, 0.0),)
        pieces = [WorthPiece(0.0, 1.0, 1.0, 0.0)] if full > 0 else []
        pieces += [WorthPiece(full * HOUR, 1.0, 0.0, 0.0)] if nothing > full else []
        name = f"full {typed(full)} h and nothing after {typed(nothing)} h"
        return name, (*pieces, WorthPiece(nothing * HOUR, 0.0, 0.0, 0.0))

    def faults(self) -> Iterator[tuple[str, str]]:
        """The columns and messages of what is wrong with it."""
        for said in strange_settings(self):
            name, _, message = said.partition(" ")
            yield name, message
        if not self.texts:
            yield "", f"says nothing of its jobs; for all jobs, write {ANY} as their name"
        full, nothing = self.full_hours, self.nothing_hours
        if nothing is None:
            if full > 0:
                yield "nothing_hours", "is blank; say when jobs that are not full are worth nothing"
        elif nothing < full:
            yield (
                "nothing_hours",
                f"is {typed(nothing)}, before the {typed(full)} h of full worth; give as many",
            )


MATCHED: Final = tuple(
    name for name, one in settings_in(JobClass).items() if isinstance(one.kind, AnyText)
)
"""The columns that say which jobs are of a class."""

JobTexts = Mapping[str, tuple[Iterable[str], IntArray]]
"""The columns that say of which class jobs are: different texts, and the place of each job's among
them; -1 where it is not known.
"""


class JobClasses(NamedTuple):
    """Classes of jobs, the name of their table, and where each row of it is. `classes_of_rows`
    makes them of rows.
    """

    rows: tuple[JobClass, ...] = ()
    label: str = "classes"
    places: tuple[str, ...] = ()


NO_CLASSES: Final = JobClasses()


class ClassMatch(NamedTuple):
    """The class of each job, -1 for none; and warnings of classes that no job has."""

    of_job: IntArray
    problems: tuple[Problem, ...] = ()


def classes_of_rows(
    rows: Sequence[JobClass], label: str = NO_CLASSES.label, places: Sequence[str] = ()
) -> JobClasses:
    """The classes of a table of this name whose rows are at these places (default: their numbers).
    Raises `InvalidInput` with all that is wrong with them.
    """
    places = tuple(places) or tuple(f"number {row}" for row in range(1, len(rows) + 1))
    found = [
        Problem(label, place, *fault)
        for row, place in zip(rows, places, strict=True)
        for fault in row.faults()
    ]
    if found:
        raise InvalidInput(found)
    return JobClasses(tuple(rows), label, places)


def classify(
    classes: JobClasses, texts: JobTexts, jobs: int, called: Callable[[int], str]
) -> ClassMatch:
    """The class of each of so many jobs; `called` says what a job is called. A class that asks for
    more than `ANY` of a column that `texts` lacks fits no job. Raises `InvalidInput` if two classes
    fit one job.
    """
    of_job = np.full(jobs, -1, np.int64)
    errors: list[Problem] = []
    warnings: list[Problem] = []
    fits = {name: _fits(classes, name, texts[name][0]) for name in MATCHED if name in texts}
    for number, row in enumerate(classes.rows):
        place, asked = classes.places[number], row.texts.items()
        lacks = [name for name, text in asked if name not in fits and text != ANY]
        mine = np.full(jobs, not lacks)
        for name in row.texts.keys() & fits.keys():
            mine &= fits[name][number][texts[name][1]]
        clash = np.flatnonzero(mine & (of_job >= 0))
        if clash.size:
            other = classes.places[of_job[clash[0]]]
            message = f"fits {called(int(clash[0]))}, as {other} does; let one of the two fit it"
            errors.append(Problem(classes.label, place, "", message))
        elif lacks:
            message = "is not known of any job; give a log that has it, or leave it blank"
            warnings.append(Problem(classes.label, place, lacks[0], message, "warning"))
        elif not mine.any():
            message = "fits no job; correct its texts, or leave it out"
            warnings.append(Problem(classes.label, place, "", message, "warning"))
        of_job[mine] = number
    if errors:
        raise InvalidInput([*errors, *warnings])
    return ClassMatch(of_job, tuple(warnings))


def _fits(classes: JobClasses, name: str, texts: Iterable[str]) -> BoolArray:
    """Whether each class takes each text of a column, `[class, text]`; a further text is the one
    that is not known, which `ANY` alone takes.
    """
    exact: dict[str, list[int]] = {}
    begins: list[tuple[int, str]] = []
    for number, row in enumerate(classes.rows):
        text = getattr(row, name)
        if text.endswith(ANY):
            begins.append((number, text.removesuffix(ANY)))
        elif text:
            exact.setdefault(text, []).append(number)
    found = [
        [*exact.get(text, ()), *(number for number, begin in begins if text.startswith(begin))]
        for text in (*texts, "")
    ]
    fits = np.zeros((len(classes.rows), len(found)), bool)
    places = np.repeat(np.arange(len(found)), [len(one) for one in found])
    fits[np.array([number for one in found for number in one], np.int64), places] = True
    return fits


def with_classes(
    jobs: ArrivingJobs, curves: WorthCurves, classes: JobClasses, of_job: IntArray
) -> tuple[ArrivingJobs, WorthCurves]:
    """The jobs and their curves with what their classes say; jobs of none are worth what they were,
    and neither stop others nor are stopped.
    """
    rows = classes.rows

    def each(values: Sequence[Any], usual: ArrayLike) -> Any:
        return np.where(of_job >= 0, np.array([*values, 0])[of_job], usual)

    names = dict(zip(curves.pieces, curves.names, strict=True))
    for name, pieces in (row.curve for row in rows):
        names.setdefault(pieces, name)
    place = {pieces: number for number, pieces in enumerate(names)}
    rights = None
    if any(row.may_stop_others or row.may_be_stopped or row.tier for row in rows):
        rights = StopRights(
            each([row.may_stop_others for row in rows], 0) > 0,
            each([row.may_be_stopped for row in rows], 0) > 0,
            each([row.tier for row in rows], 0),
        )
    classed = replace(
        jobs,
        priority=each([row.worth for row in rows], jobs.priority),
        curve=each([place[row.curve[1]] for row in rows], jobs.curve),
        rights=rights,
    )
    return classed, WorthCurves(tuple(names), tuple(names.values()))
