"""What is asked of a day of a centre."""

from dataclasses import dataclass
from typing import Final, Literal, get_args

from core.capabilities.centre.objectives import AIMS, DayAim
from core.vocabulary.ranges import SEED, Range
from core.vocabulary.setting import Flag, NumberIn, OneOf, SomeOf, WholeIn, YesNo, setting

DayMethod = Literal["plan", "as-usual", "edd", "bfh", "nsga2", "ev-moga"]
DAY_METHODS: Final[tuple[DayMethod, ...]] = get_args(DayMethod)
METHOD_NAMES: Final[dict[DayMethod, str]] = {
    "plan": "Our plan",
    "as-usual": "As usual",
    "edd": "Earliest due date first",
    "bfh": "Best Fit Hole",
    "nsga2": "NSGA-II with Best Fit Hole",
    "ev-moga": "ev-MOGA with Best Fit Hole",
}
AIM_NAMES: Final[dict[DayAim, str]] = {
    "cost": "Cost",
    "carbon": "CO₂",
    "energy": "Energy",
    "excess": "Excess",
    "lateness": "Lateness",
}
MOST: Final = Range(0.0, 1e12, "")
MOST_COST: Final = Range(-1e12, 1e12, "")
LATE: Final = Range(0.0, 100.0, "")
SECONDS: Final = Range(0.0, 86_400.0, "s")
REPLAN: Final = Range(0.0, 604_800.0, "s")
NEVER: Final = ("none", 0.0)
"""What stands for a day that is planned once."""
PAGE_SECONDS: Final = Range(0.0, 60.0, "s")
PAGE_SEED: Final = Range(0, 2**31 - 1, "")
"""What a page takes: a server is for all, and browsers count less far."""
USUAL_LATE: Final = 0.05


@dataclass(frozen=True, slots=True)
class DaySettings:
    """One aim is made small; the others are capped, each in the unit in which it is told: money,
    kg, kWh, kW of grid power, and lateness as a share of the time that all jobs run.
    """

    minimise: DayAim = setting(
        "cost",
        OneOf(AIMS, lambda aim: AIM_NAMES[aim]),
        "Least",
        "What the plan makes as small as it can.",
        flag=Flag("AIM", f"what is made small: {', '.join(AIMS)} (default cost)"),
    )
    most_late: float | None = setting(
        USUAL_LATE,
        NumberIn(LATE),
        "Lateness at most (share)",
        "Hours by which jobs end after they are due, as a share of the hours that all jobs run.",
        blank="any",
    )
    most_cost: float | None = setting(
        None, NumberIn(MOST_COST), "Cost at most", "Of the whole day.", blank="any"
    )
    most_carbon: float | None = setting(
        None, NumberIn(MOST), "CO₂ at most (kg)", "Of the energy from the grid.", blank="any"
    )
    most_energy: float | None = setting(
        None, NumberIn(MOST), "Energy at most (kWh)", "Green energy included.", blank="any"
    )
    most_excess: float | None = setting(
        None, NumberIn(MOST), "Excess at most (kWh)", "Energy above the target power.", blank="any"
    )
    most_peak: float | None = setting(
        None, NumberIn(MOST), "Grid power at most (kW)", "At no moment more.", blank="any"
    )
    seconds: float = setting(
        2.0,
        NumberIn(PAGE_SECONDS),
        "Seconds of search",
        "How long plans are looked for; fewer if one is as good as the bound.",
        flag=Flag("S", "how long plans are looked for, a method (default 2)", NumberIn(SECONDS)),
    )
    seed: int = setting(
        0,
        WholeIn(PAGE_SEED),
        "Seed",
        "Of what is drawn.",
        flag=Flag("N", "seed (default 0)", WholeIn(SEED)),
    )
    replan: float = setting(
        0.0,
        NumberIn(REPLAN),
        "Planned anew every",
        "Jobs that have not started are planned anew with what is then known, all day long.",
        flag=Flag(
            "TIME",
            "plan on the forecast, and anew every so often, such as 1h (default none: once)",
            NumberIn(REPLAN, with_unit=True, words=(NEVER,)),
        ),
    )
    unannounced: bool = setting(
        False,
        YesNo(),
        "Jobs come unannounced",
        "Nothing is known of a job before its release. When some come, the rest is planned anew.",
        flag=Flag("", "jobs are not known before they are released; plan anew when they come"),
    )
    front: bool = setting(
        False,
        YesNo(),
        "Front",
        "What other lateness and excess would cost.",
        flag=Flag("", "also what other lateness and excess would cost"),
    )


@dataclass(frozen=True, slots=True)
class PlanningSettings:
    """What finds plans beside ours, and for which curves plans are made."""

    methods: tuple[DayMethod, ...] = setting(
        ("edd", "bfh"),
        SomeOf(DAY_METHODS[2:], "method", METHOD_NAMES.__getitem__),
        "Compared with",
        "Other methods that find plans. Those of evolution take the seconds of search each.",
    )
    forecast: bool = setting(
        False,
        YesNo(),
        "Plan on the forecast",
        "Plans are made for the curves as they were forecast, and measured by what came.",
    )
