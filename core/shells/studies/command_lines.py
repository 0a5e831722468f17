"""The command lines that do a study again."""

import shlex
from dataclasses import astuple

from core.engines.front.methods import Lp
from core.engines.front.wish import SI_WISHES, Wish
from core.shells.settings.forms import flag_words, shell_word
from core.shells.settings.site import site_words
from core.shells.studies.settings import (
    STUDY_FILE,
    Choice,
    StudySettings,
    block_of,
    with_blocks,
    without_front,
)
from core.vocabulary.without_work import AS_GIVEN


def commands(
    settings: StudySettings,
    choice: Choice | None,
    file: str = STUDY_FILE,
    *,
    has_front: bool = True,
) -> list[str]:
    """The command lines, for a shell, that do the study, its wish and other capabilities again. A
    study without a front, of a system without powers, has those that read all from the study.

    If the system is not a sample, it is read from the study's own `file`.
    """
    own = f"./{file}" if file.startswith("-") else file  # or it would be read as a flag
    system = settings.sample or own
    lines = _front_lines(settings, choice, system) if has_front else []
    # A wish gets the usual seconds of polish, even if the study had none.
    with_effort = _effort(settings) if settings.seconds else flag_words(settings.idle, AS_GIVEN)
    capabilities = with_blocks()
    blocks = settings.blocks if has_front else without_front(settings.blocks)
    for name, block in blocks.items():
        capability = capabilities[name]
        asked = block_of(capability).commands(block)
        if capability.from_study:
            lines += [["wattfront", capability.command, own, *words] for words in asked]
        else:
            lines += [
                ["wattfront", capability.command, system, *words, *with_effort] for words in asked
            ]
    return [shell_line(*line) for line in lines]


def _front_lines(settings: StudySettings, choice: Choice | None, system: str) -> list[list[object]]:
    """The front again, and the schedule of its wish."""
    # Methods without polish do not take units of work.
    counts = settings.work is None or settings.method == Lp.name
    effort = _effort(settings) if counts else _usual(settings)
    method: list[object] = ["--method", settings.method]
    flags = [*method, "--spacing", settings.spacing, *effort]
    if settings.generations is not None:
        flags += ["--generations", settings.generations]
    site = [] if settings.site is None else site_words(settings.site)
    lines: list[list[object]] = [["wattfront", "front", system, *flags, *site]]
    flag = None if choice is None else wish_as_flag(choice.wish)
    if flag is not None and settings.method in ("lp", "paper"):
        kind, amount = flag
        lines.append(["wattfront", "solve", system, f"--{kind}", amount, *method, *effort])
    return lines


def _effort(settings: StudySettings) -> list[object]:
    """Flags of polish, then the usual ones."""
    if settings.work is not None:
        return ["--work", settings.work, *_usual(settings)]
    return ["--seconds", settings.seconds, "--threads", settings.threads, *_usual(settings)]


def _usual(settings: StudySettings) -> list[object]:
    return ["--seed", settings.seed, *flag_words(settings.idle, AS_GIVEN)]


def shell_line(*words: object) -> str:
    """A command line for a shell."""
    return shlex.join(map(shell_word, words))


def wish_as_flag(wish: Wish | None) -> tuple[str, float] | None:
    """The flag of a wish and its amount; None if no flag asks for this wish."""
    for flag, kind in SI_WISHES.items():
        if isinstance(wish, kind):
            (amount,) = astuple(wish)
            return flag, amount
    return None
