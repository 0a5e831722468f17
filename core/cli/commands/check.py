"""`wattfront check SYSTEM`: what a system is, or every problem of its files."""

import argparse

import numpy as np

from core import System
from core.cli.answer import BAD_INPUT, SUCCESS, Answer, as_dicts, size_as_dict
from core.cli.arguments import add_system, read
from core.files import Reading
from core.files.mends import Mend, mends
from core.files.reading import said_of_unread
from core.model.problems import Problem
from core.say.columns import size_in_words, table
from core.say.words import Sense, counted, share, typed


def declare(parser: argparse.ArgumentParser) -> None:
    add_system(parser)


def run(arguments: argparse.Namespace) -> Answer:
    reading = read(arguments)
    system = reading.system
    offered = mends(reading.tables) if reading.tables else []
    return Answer(
        {
            "ok": reading.ok,
            "problems": as_dicts(reading.problems),
            "notes": [*reading.notes, *said_of_unread(reading.unread)],
            "mends": [{"action": mend.action, "preview": list(mend.preview)} for mend in offered],
            **size_as_dict(system),
        },
        _said(arguments.system, reading, offered),
        reading.problems,
        SUCCESS if reading.ok else BAD_INPUT,
    )


def _said(name: str, reading: Reading, offered: list[Mend]) -> str:
    """The system in words, the assumptions made, and the corrections offered."""
    parts = [] if reading.system is None else [_summary(name, reading.system, reading.problems)]
    parts += [f"note: {note}" for note in (*reading.notes, *said_of_unread(reading.unread))]
    for mend in offered:
        parts.append(f"one click on the System page can do this: {mend.action}")
        parts += [f"    {line}" for line in mend.preview]
    return "\n".join(parts)


def _summary(name: str, system: System, warnings: tuple[Problem, ...]) -> str:
    possible = np.isfinite(system.etc)
    runnable = int(possible.sum())
    rows = [
        ("size", size_in_words(system)),
        (
            "pairs",
            f"{runnable:,} of {counted(possible.size, 'pair')} of types can run "
            f"({share(runnable / possible.size, Sense.PLAIN)})",
        ),
        ("times", _span(system.etc[possible].min(), system.etc[possible].max(), "s")),
        ("powers", "unknown (no apc), so only the makespan can be minimised"),
        ("idle power", _span(system.idle_power.min(), system.idle_power.max(), "W")),
    ]
    if system.apc is not None:
        watts = system.apc[possible]
        rows[3] = ("powers", f"{_span(watts.min(), watts.max(), 'W')} at work")
    sound = counted(len(warnings), "warning") if warnings else "no problems"
    return f"{name}: {sound}\n{table(rows)}"


def _span(low: float, high: float, unit: str) -> str:
    return f"{typed(low)} {unit}" if low == high else f"{typed(low)} to {typed(high)} {unit}"
