"""How a study was asked for, and which schedule was chosen."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from core.front.methods import DEFAULT_SPACING, Lp
from core.front.tariff import Tariff
from core.front.wish import Wish
from core.model.budget import DEFAULT_SECONDS
from core.model.schedule import Schedule

STUDY_FILE: Final = "study.json"


@dataclass(frozen=True, slots=True)
class StudySettings:
    """What makes a study besides its system.

    `name` is what people call the system; `sample` is set if it is one that comes with Wattfront.
    `idle_power` is the fraction that was set, None where the system's own watts were left alone.
    With `work` so many units of it were counted, on one thread, instead of `seconds` on `threads`.
    Without a `tariff` energy is not priced; `currency` is only a word. `blocks` are
    what was asked of other capabilities, by their names.
    """

    name: str
    sample: str | None = None
    idle_power: float | None = None
    method: str = Lp.name
    spacing: float = DEFAULT_SPACING
    seconds: float = DEFAULT_SECONDS
    threads: int = 1
    work: float | None = None
    seed: int = 0
    generations: int | None = None
    tariff: Tariff | None = None
    currency: str = "EUR"
    blocks: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, eq=False, slots=True)
class Choice:
    """The schedule chosen: `title` says in words what for, `wish` the same to a program."""

    schedule: Schedule
    title: str
    wish: Wish | None = None
