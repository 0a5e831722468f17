"""The command lines that do a study again."""

import shlex
from dataclasses import astuple

from core.engines.front.methods import Lp
from core.engines.front.wish import SI_WISHES, Wish
from core.shells.studies.settings import (
    STUDY_FILE,
    Choice,
    StudySettings,
    block_of,
    with_blocks,
    without_front,
)


def commands(settings: StudySettings, choice: Choice | None, file: str = STUDY_FILE) -> list[str]:
    """The command lines, for a shell, that do the study, its wish and other capabilities again.

    If the system is not a sample, it is read from the study's own `file`.
    """
    own = _as_argument(file)
    system = settings.sample or own
    usual: list[object] = ["--seed", settings.seed]
    if settings.idle_power is not None:
        usual += ["--idle-power", settings.idle_power]
    if settings.work is None:
        effort = ["--seconds", settings.seconds, "--threads", settings.threads, *usual]
    else:
        effort = ["--work", settings.work, *usual]
    # Methods without polish do not take units of work.
    of_front = effort if settings.work is None or settings.method == Lp.name else usual
    flags: list[object] = ["--method", settings.method, "--spacing", settings.spacing, *of_front]
    if settings.generations is not None:
        flags += ["--generations", settings.generations]
    lines: list[list[object]] = [["wattfront", "front", system, *flags]]
    flag = None if choice is None else wish_as_flag(choice.wish)
    if flag is not None and settings.method in ("lp", "paper"):
        kind, amount = flag
        method = ["--method", settings.method]
        lines.append(["wattfront", "solve", system, f"--{kind}", amount, *method, *of_front])
    # A wish gets the usual seconds of polish, even if the study had none.
    idle = [] if settings.idle_power is None else ["--idle-power", settings.idle_power]
    with_effort = effort if settings.seconds else idle
    capabilities = with_blocks()
    for name, block in settings.blocks.items():
        capability = capabilities[name]
        asked = block_of(capability).commands(block)
        if capability.from_study:
            lines += [["wattfront", capability.command, own, *words] for words in asked]
        else:
            lines += [
                ["wattfront", capability.command, system, *words, *with_effort] for words in asked
            ]
    return [shell_line(*line) for line in lines]


def commands_without_front(settings: StudySettings, file: str = STUDY_FILE) -> list[str]:
    """The command lines of capabilities that read all that they need from the study's own `file`,
    for a study of a system without powers, which has no front.
    """
    capabilities = with_blocks()
    lines: list[list[object]] = [
        ["wattfront", capabilities[name].command, _as_argument(file), *words]
        for name, block in without_front(settings.blocks).items()
        for words in block_of(capabilities[name]).commands(block)
    ]
    return [shell_line(*line) for line in lines]


def _as_argument(file: str) -> str:
    """A path that begins with a dash would be read as a flag."""
    return f"./{file}" if file.startswith("-") else file


def shell_line(*words: object) -> str:
    """A command line for a shell."""
    return shlex.join(map(shell_word, words))


def shell_word(word: object) -> str:
    """The word for a shell: a number with all its digits, without a needless ".0"."""
    return repr(word).removesuffix(".0") if isinstance(word, float) else str(word)


def wish_as_flag(wish: Wish | None) -> tuple[str, float] | None:
    """The flag of a wish and its amount; None if no flag asks for this wish."""
    for flag, kind in SI_WISHES.items():
        if isinstance(wish, kind):
            (amount,) = astuple(wish)
            return flag, amount
    return None
