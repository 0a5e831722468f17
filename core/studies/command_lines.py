"""The command lines that do a study again."""

import shlex
from dataclasses import astuple

from core.front.methods import Lp
from core.front.wish import Wish
from core.front.wish_kinds import SI_WISHES
from core.studies.blocks import block_of, with_blocks
from core.studies.settings import STUDY_FILE, Choice, StudySettings


def commands(settings: StudySettings, choice: Choice | None, file: str = STUDY_FILE) -> list[str]:
    """The command lines that do the study again, grant the wish again, and ask other capabilities
    again, each for a shell.

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
    of_front = effort if settings.work is None or settings.method == Lp.name else usual
    asked: list[object] = ["--method", settings.method, "--spacing", settings.spacing, *of_front]
    if settings.generations is not None:
        asked += ["--generations", settings.generations]
    lines: list[list[object]] = [["wattfront", "front", system, *asked]]
    flag = None if choice is None else wish_as_flag(choice.wish)
    if flag is not None and settings.method in ("lp", "paper"):
        kind, amount = flag
        method = ["--method", settings.method]
        lines.append(["wattfront", "solve", system, f"--{kind}", amount, *method, *of_front])
    # What was studied without polish is still worth the usual seconds of it.
    idle = [] if settings.idle_power is None else ["--idle-power", settings.idle_power]
    with_effort = effort if settings.seconds else idle
    capabilities = with_blocks()
    for name, asked_of_it in settings.blocks.items():
        capability = capabilities[name]
        lines += [
            ["wattfront", capability.command, system, *words, *with_effort]
            for words in block_of(capability).commands(asked_of_it)
        ]
    return [shlex.join(shell_word(word) for word in line) for line in lines]


def shell_word(word: object) -> str:
    """As a shell is told it: a number exactly, without a needless ".0"."""
    return repr(word).removesuffix(".0") if isinstance(word, float) else str(word)


def wish_as_flag(wish: Wish | None) -> tuple[str, float] | None:
    """The name of a wish and its amount; None for one that no command line can state."""
    for flag, kind in SI_WISHES.items():
        if isinstance(wish, kind):
            (amount,) = astuple(wish)
            return flag, amount
    return None
