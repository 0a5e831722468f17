"""The schedule that is exported or compared: an object, or what a file says, judged first."""

from pathlib import Path
from typing import NamedTuple

from core.engines.verify.judge import verify, verify_stated
from core.engines.verify.verdict import Verdict
from core.files import inspect_schedule
from core.vocabulary.problems import InvalidInput, Problem
from core.vocabulary.schedule import Blocks, Schedule
from core.vocabulary.system import System


class JudgedBlocks(NamedTuple):
    """A timeline that the judge agrees with, and the warnings about its file."""

    blocks: Blocks
    verdict: Verdict
    warnings: tuple[Problem, ...]


def judged_blocks(schedule: Schedule | str | Path, system: System, *, part: bool) -> JudgedBlocks:
    """The timeline of a schedule, or of a schedule file; with `part`, tasks may be left out.

    Raises `InvalidInput` with all that is wrong.
    """
    warnings: tuple[Problem, ...] = ()
    if isinstance(schedule, Schedule):
        blocks, verdict = schedule.blocks(), verify(schedule, system)
    else:
        stated = inspect_schedule(Path(schedule), system)
        rows, warnings = stated.require(), stated.problems
        blocks, verdict = rows.in_order(), verify_stated(rows, system, part=part)
    if not verdict.ok:
        raise InvalidInput(verdict.problems)
    return JudgedBlocks(blocks, verdict, warnings)
