"""What is asked of `solve` beside its effort and a wish. Each setting is declared once."""

from dataclasses import dataclass

from core.capabilities.makespan.methods import AIMS, METHODS, Aim
from core.vocabulary.setting import Flag, OneOf, setting


@dataclass(frozen=True, slots=True)
class SolveSettings:
    """The aim and the method. A wish has an aim of its own."""

    minimise: Aim = setting(AIMS[0], OneOf(AIMS), flag=Flag("", f"the aim (default {AIMS[0]})"))
    method: str = setting(
        METHODS[0],
        OneOf(METHODS),
        flag=Flag(
            "",
            "lp (the default) polishes the schedule of the linear program; paper is the published "
            "method and nothing more; the others are rivals, which know only the makespan",
        ),
    )
