"""Centres, for `wattfront check`: what they have, or every problem."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from core.capabilities.centre.files.centre_file import CentreFile
from core.capabilities.centre.files.centre_reader import inspect_centre, is_centre
from core.files.samples.named import CENTRES, centre_folder
from core.shells.cli.answer import Answer
from core.vocabulary.say.aligned import table
from core.vocabulary.say.words import Sense, amount, counted, duration, power

CHECKED: Final = "FILE, what a centre for wattfront centre has, or every problem of it"
"""What it checks, as the help of the command says it."""
_SIZES: Final = ("steps", "jobs", "servers")


def centre_at(given: Path) -> Path:
    """Where the centre of this path is, or the sample of this name."""
    is_sample = str(given) in CENTRES and not os.path.lexists(given)
    return centre_folder(str(given)) if is_sample else given


def checked(given: Path) -> Answer | None:
    """What the centre has; None if there is none."""
    path = centre_at(given)
    if not is_centre(path):
        return None
    reading = inspect_centre(path)
    if reading.value is None:
        return Answer.refusal(reading.problems, nothing=_SIZES)
    file, problems = reading.value, reading.problems
    sound = counted(len(problems), "warning") if problems else "no problems"
    lines = [f"{given}: a centre, {sound}", table(list(in_words(file)))]
    lines += [f"note: {note}" for note in reading.notes]
    data = {"notes": [*reading.notes], **centre_sizes(file)}
    return Answer.done("\n".join(lines), data, problems)


def centre_sizes(file: CentreFile) -> dict[str, int]:
    """How many steps, jobs and servers a centre has."""
    sizes = file.grid.steps, file.day().jobs.total, int(file.centre.counts.sum())
    return dict(zip(_SIZES, sizes, strict=True))


def in_words(file: CentreFile) -> Iterator[tuple[str, str]]:
    """What a centre has, a row each."""
    day, centre = file.day(), file.centre
    step = duration(file.grid.step, Sense.TYPED)
    yield "day", f"{duration(file.grid.seconds, Sense.TYPED)} in steps of {step}"
    yield (
        "jobs",
        f"{counted(day.jobs.total, 'job')} in {counted(len(day.jobs), 'group')} of equal ones",
    )
    kinds = counted(len(centre.kinds), "kind")
    busy = power(float(centre.counts @ centre.busy), Sense.PLAIN)
    yield "servers", f"{counted(int(centre.counts.sum()), 'server')} of {kinds}, {busy} at work"
    limit = amount(centre.limit, Sense.TYPED, "°C")
    yield "room", f"at most {limit} inside"
    if file.has_forecast:
        named = ", ".join(kind.name for kind in file.signals.forecast)
        yield "forecast", f"of {named}"
