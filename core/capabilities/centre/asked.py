"""A day of a centre with all that is asked of it: what a page answers, and a study file keeps."""

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from core.capabilities.centre.at_site import at_site
from core.capabilities.centre.caps_text import written_caps
from core.capabilities.centre.files.centre_file import CentreFile, CurvesOf
from core.capabilities.centre.settings import DayMethod, DaySettings, PlanningSettings
from core.shells.settings.forms import flag_words
from core.vocabulary.prices.site import Site

if TYPE_CHECKING:  # a study is read without the solvers
    from core.capabilities.centre.answer import CentreAnswer

MOST_ROWS: Final = 20_000
"""Rows of jobs and steps of curves that a study file holds."""


@dataclass(frozen=True, slots=True, eq=False)
class AskedCentre:
    """A centre, the name of its file, and what is asked of its day. `found` is what a report shows;
    None: the report computes it. Study files do not keep it. `file` has no price of the `site`.
    """

    file: CentreFile
    name: str = ""
    settings: DaySettings = field(default_factory=DaySettings)
    planning: PlanningSettings = field(default_factory=PlanningSettings)
    site: Site | None = None
    found: "CentreAnswer | None" = None

    @property
    def here(self) -> CentreFile:
        """The centre with price and carbon of the site, where its files say none."""
        return at_site(self.file, self.site)

    @property
    def methods(self) -> tuple[DayMethod, ...]:
        """Ours and those beside it."""
        return "plan", *self.planning.methods

    @property
    def curves(self) -> CurvesOf:
        """The curves for which plans are made."""
        return "forecast" if self.planning.forecast else "came"

    @property
    def in_force(self) -> DaySettings:
        """What is asked: where all is known, nothing is planned anew."""
        again = self.settings.replan * self.planning.forecast
        return replace(self.settings, replan=again)

    @property
    def words(self) -> list[object]:
        """The words of `wattfront centre` after the centre that ask for the same."""
        usual, asked, caps = DaySettings(), self.in_force, written_caps(self.settings)
        words = flag_words(asked, usual, "minimise")
        words += ["--at-most", caps] if caps else []
        words += ["--method", ",".join(self.methods)] if self.planning.methods else []
        words += ["--forecast"] if self.planning.forecast else []
        return words + flag_words(asked, usual, "replan", "unannounced", "seconds", "seed", "front")


def fits_study(file: CentreFile) -> bool:
    """Whether a study file can hold a centre."""
    curves = (*file.signals.came.values(), *file.signals.forecast.values())
    return len(file.jobs) + sum(len(one.values) for one in curves) <= MOST_ROWS
