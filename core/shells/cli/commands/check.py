"""`wattfront check SYSTEM`: what a system is, or every problem of its files.

Capabilities check what else there is, such as workloads.
"""

import argparse
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from core import System
from core.files import SystemReading
from core.files.beside import SeenBeside
from core.files.findings import said_of_unread
from core.files.mends import Mend, mends
from core.shells.cli.answer import BAD_INPUT, SUCCESS, Answer, as_dicts
from core.shells.cli.arguments import add_system, read, system_path
from core.shells.registry import capabilities
from core.vocabulary.problems import Problem
from core.vocabulary.say.aligned import table
from core.vocabulary.say.columns import size_in_words
from core.vocabulary.say.phrases import size_as_dict
from core.vocabulary.say.words import Sense, counted, share, typed


def declare(parser: argparse.ArgumentParser) -> None:
    add_system(parser)
    checking = [one.part("checking") for one in capabilities() if one.offers("checking")]
    parser.epilog = " ".join(f"Also: wattfront check {one.CHECKED}." for one in checking)


def run(arguments: argparse.Namespace) -> Answer:
    for capability in capabilities():
        if capability.offers("checking"):
            checked = capability.part("checking").checked(Path(arguments.system))
            if isinstance(checked, Answer):
                return checked
    reading, seen = read(arguments), _seen(system_path(arguments))
    found = _Checked.of(reading, seen)
    offered = mends(reading.tables) if reading.tables else []
    return Answer(
        {
            "ok": found.ok,
            "problems": as_dicts(found.problems),
            "notes": [*reading.notes, *said_of_unread(reading.unread)],
            "mends": [{"action": mend.action, "preview": list(mend.preview)} for mend in offered],
            **found.sizes,
        },
        _said(arguments.system, reading, found, offered),
        found.problems,
        SUCCESS if found.ok else BAD_INPUT,
    )


def _seen(path: Path) -> list[SeenBeside]:
    """What the file is besides a system, by capability."""
    found = [one.part("beside").seen(path) for one in capabilities() if one.offers("beside")]
    return [one for one in found if one is not None]


@dataclass(frozen=True, slots=True, eq=False)
class _Checked:
    """A system, or what is one but for its machines, with all problems; None if it has errors."""

    system: System | None
    problems: tuple[Problem, ...]
    seen: list[SeenBeside]

    @classmethod
    def of(cls, reading: SystemReading, seen: list[SeenBeside]) -> "_Checked":
        spared = any(one.without_machines for one in seen)
        # What is wrong with its system alone, such as that there are no machines yet, may be right.
        ours = reading.problems if reading.ok or not spared else ()
        problems = dict.fromkeys((*(each for one in seen for each in one.problems), *ours))
        system = reading.value
        if system is None and spared:
            system = next((one.types for one in seen if one.types), None)
        sound = all(one.types for one in seen)
        return cls(system if sound else None, tuple(problems), seen)

    @property
    def ok(self) -> bool:
        return self.system is not None

    @property
    def machines(self) -> int | None:
        """How many there are, if not as many as the system has."""
        return self.seen[0].machines if self.seen else None

    @property
    def sizes(self) -> dict[str, object]:
        sizes: dict[str, object] = {**size_as_dict(self.system)}
        if not self.seen or not self.ok:
            return sizes
        data = {name: value for one in self.seen for name, value in one.data.items()}
        return {**sizes, "machines": self.machines, **data}


def _said(name: str, reading: SystemReading, found: _Checked, offered: list[Mend]) -> str:
    """The system in words, the assumptions made, and the corrections offered."""
    parts = [] if found.system is None else [_summary(name, found.system, found)]
    parts += [f"note: {note}" for note in (*reading.notes, *said_of_unread(reading.unread))]
    for mend in offered:
        parts.append(f"one click on the page Import can do this: {mend.action}")
        parts += [f"    {line}" for line in mend.preview]
    return "\n".join(parts)


def _summary(name: str, system: System, found: _Checked) -> str:
    possible, idle = np.isfinite(system.etc), system.always_on.idle_power
    runnable = int(possible.sum())
    rows = [
        ("size", size_in_words(system, found.machines)),
        (
            "pairs",
            f"{runnable:,} of {counted(possible.size, 'pair')} of types can run "
            f"({share(runnable / possible.size, Sense.PLAIN)})",
        ),
        ("times", _span(system.etc[possible].min(), system.etc[possible].max(), "s")),
        ("powers", "unknown (no apc), so only the makespan can be minimised"),
        ("idle power", _span(idle.min(), idle.max(), "W")),
    ]
    if system.apc is not None:
        watts = system.apc[possible]
        rows[3] = ("powers", f"{_span(watts.min(), watts.max(), 'W')} at work")
    if system.may_sleep:
        asleep = [one.asleep_watts for one in system.machine_types if one.asleep_watts is not None]
        rows.append(("asleep", _span(min(asleep), max(asleep), "W, after the last task")))
    rows += [row for one in found.seen for row in one.rows]
    sound = counted(len(found.problems), "warning") if found.problems else "no problems"
    return f"{name}: {sound}\n{table(rows)}"


def _span(low: float, high: float, unit: str) -> str:
    return f"{typed(low)} {unit}" if low == high else f"{typed(low)} to {typed(high)} {unit}"
