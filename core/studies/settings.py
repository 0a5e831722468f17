"""How a study was asked for, which schedule was chosen, and the commands that do it again."""

import shlex
from dataclasses import dataclass
from typing import Final

from core.front.study import DEFAULT_SECONDS, DEFAULT_SPACING, METHODS
from core.front.tariff import Tariff
from core.front.wish import Deadline, EnergyBudget, ExchangeRate, PowerCap, Wish
from core.model.schedule import Schedule
from core.profit.command_lines import profit_commands, said
from core.profit.conditions import Conditions

STUDY_FILE: Final = "study.json"
WISHES: Final[dict[str, type[Deadline | EnergyBudget | PowerCap | ExchangeRate]]] = {
    "deadline": Deadline,
    "energy-budget": EnergyBudget,
    "power-cap": PowerCap,
    "exchange-rate": ExchangeRate,
}
"""The wishes that a command line can state, by their flag; amounts are in SI units."""


@dataclass(frozen=True, slots=True)
class Settings:
    """What makes a study besides its system.

    `name` is what people call the system; `sample` is set if it is one that comes with Wattfront.
    `idle_power` is the fraction that was set, None where the system's own watts were left alone.
    With `work` so many units of it were counted, on one thread, instead of `seconds` on `threads`.
    Without a `tariff` energy is not priced; `currency` is only a word. `profit` is there if profit
    was asked about, too.
    """

    name: str
    sample: str | None = None
    idle_power: float | None = None
    method: str = METHODS[0]
    spacing: float = DEFAULT_SPACING
    seconds: float = DEFAULT_SECONDS
    threads: int = 1
    work: float | None = None
    seed: int = 0
    generations: int | None = None
    tariff: Tariff | None = None
    currency: str = "EUR"
    profit: Conditions | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Choice:
    """The schedule chosen: `title` says in words what for, `wish` the same to a program."""

    schedule: Schedule
    title: str
    wish: Wish | None = None


def commands(settings: Settings, choice: Choice | None, file: str = STUDY_FILE) -> list[str]:
    """The command lines that do the study again, grant the wish again, and find the profit again,
    each for a shell.

    A system that is no sample is read from the study's own `file`.
    """
    # A path that begins with a dash would be taken for a flag.
    system = settings.sample or (f"./{file}" if file.startswith("-") else file)
    usual: list[object] = ["--seed", settings.seed]
    if settings.idle_power is not None:
        usual += ["--idle-power", settings.idle_power]
    if settings.work is None:
        effort = ["--seconds", settings.seconds, "--threads", settings.threads, *usual]
    else:
        effort = ["--work", settings.work, *usual]
    # What is neither polished nor evolved has no use for work.
    of_front = effort if settings.work is None or settings.method == METHODS[0] else usual
    asked: list[object] = ["--method", settings.method, "--spacing", settings.spacing, *of_front]
    if settings.generations is not None:
        asked += ["--generations", settings.generations]
    lines: list[list[object]] = [["wattfront", "front", system, *asked]]
    flag = None if choice is None else wish_as_flag(choice.wish)
    if flag is not None and settings.method in ("lp", "paper"):
        kind, amount = flag
        method = ["--method", settings.method]
        lines.append(["wattfront", "solve", system, f"--{kind}", amount, *method, *of_front])
    if settings.profit is not None:
        # What was studied without polish is still worth the usual seconds of it.
        idle = [] if settings.idle_power is None else ["--idle-power", settings.idle_power]
        with_effort = effort if settings.seconds else idle
        lines += [
            ["wattfront", "profit", system, *words, *with_effort]
            for words in profit_commands(settings.profit)
        ]
    return [shlex.join(said(word) for word in line) for line in lines]


def wish_as_flag(wish: Wish | None) -> tuple[str, float] | None:
    """The name of a wish and its amount; None for one that no command line can state."""
    match wish:
        case Deadline(amount):
            return "deadline", amount
        case EnergyBudget(amount):
            return "energy-budget", amount
        case PowerCap(amount):
            return "power-cap", amount
        case ExchangeRate(amount):
            return "exchange-rate", amount
        case _:
            return None
