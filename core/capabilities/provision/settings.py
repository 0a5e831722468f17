"""What is asked of a plan beside what its files say. Each setting is declared once."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal, get_args

from core.capabilities.provision.files.plan_file import SCENARIO_COUNT
from core.capabilities.provision.futures.uncertainty import POINTS, Points
from core.capabilities.provision.second_stages import MOST_CAUTION, Weights
from core.vocabulary.ranges import SEED, SHARE, Range
from core.vocabulary.setting import Flag, NumberIn, OneOf, WholeIn, YesNo, setting, settings_in

PlanSolver = Literal["decomposition", "direct"]
WeekAim = Literal["wait", "energy"]
PlanSought = Literal["mean"] | WeekAim
SOUGHT: Final[Mapping[PlanSought, str]] = {
    "mean": "The best mean of scenarios",
    "wait": "The least wait",
    "energy": "The least energy",
}
"""What can be sought, and what a page calls it."""
BUDGET: Final = Range(-1e15, 1e15, "in the currency of the plan")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanAim:
    """Whether machines are whole, and how much the mean of the worst scenarios counts; or else what
    is sought for a week, for which neither counts, nor any goal.
    """

    whole: bool = setting(
        True,
        YesNo(),
        "Whole machines only",
        "Machines in parts take less time to decide. Another objective, limits on means, and "
        "fronts always take them in parts.",
    )
    caution: float = setting(
        0.0,
        NumberIn(SHARE),
        "Weight of the worst 5 %",
        "How much of what is maximised is the mean reward of the worst 5 % of scenarios "
        "(conditional value at risk, CVaR); the rest is the mean of all. 0 %: only the mean of all "
        "counts.",
        flag=Flag(
            "CVAR",
            "how much the mean of the worst 5 %% of futures counts (CVaR), from 0 (the default: "
            "only the mean of all counts) to 1, or in percent",
            name="--risk",
        ),
    )
    sought: PlanSought = setting(
        "mean",
        OneOf(SOUGHT, SOUGHT.__getitem__),
        "Sought",
        "The best mean of scenarios is that of the objective below. The others are for whole "
        "machines and the mean work of each hour of a week in the log. The least wait: its longest "
        "queue is the shortest. The least energy: its work takes the least, and the longest queue "
        "is no longer than today’s.",
    )

    @property
    def aim(self) -> "PlanAim":
        """The aim alone, without what a plan has beside it."""
        return PlanAim(**{name: getattr(self, name) for name in settings_in(PlanAim)})

    @property
    def weights(self) -> Weights:
        """What is maximised."""
        return Weights(caution=min(self.caution, MOST_CAUTION))

    @property
    def of_week(self) -> WeekAim | None:
        """What is sought for a week; None if it is a mean of scenarios."""
        return None if self.sought == "mean" else self.sought

    def is_whole(self, *, usual_goal: bool) -> bool:
        """Whether whole machines are bought, under the usual goal or another one."""
        return self.of_week is not None or (self.whole and usual_goal)


@dataclass(frozen=True, slots=True)
class PlanAsked:
    """What is asked in place of what the files of a plan say; None: as they say."""

    scenarios: int | None = setting(
        None,
        WholeIn(SCENARIO_COUNT),
        flag=Flag("K", "how many futures to draw (default: as the plan says, or 3000)"),
    )
    seed: int | None = setting(
        None, WholeIn(SEED), flag=Flag("N", "of the futures (default: the plan's)")
    )
    points: Points | None = setting(
        None,
        OneOf(POINTS),
        flag=Flag(
            "", "how futures are spread: independent draws, a Latin hypercube, or Sobol points"
        ),
    )
    budget: float | None = setting(
        None,
        NumberIn(BUDGET),
        flag=Flag("B", "what the change may cost, in place of what the plan says"),
    )
    solver: PlanSolver = setting(
        "decomposition",
        OneOf(get_args(PlanSolver)),
        flag=Flag(
            "",
            "decomposition (the default), or the published program of all scenarios at once, "
            "which takes much longer",
        ),
    )
