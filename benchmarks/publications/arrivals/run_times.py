"""Run times of a mapping event, and what more power states change: claims of the text."""

from typing import Final, NamedTuple

from benchmarks.publications.arrivals.budget import FEW, FINE, FINE_STATES, MANY, USUAL, BudgetDays
from benchmarks.publications.arrivals.days import DaySetting
from benchmarks.publications.arrivals.judging import ALIKE, POINTS, listed
from benchmarks.publications.arrivals.labels import label
from benchmarks.publications.claim import Claim, duration
from benchmarks.publications.figure import Figure, Table


class TimedSetting(NamedTuple):
    """A setting on days of so many jobs with so many power states, and its published time of a
    mapping event on the computer of the publication.
    """

    a_day: int
    states: int
    setting: DaySetting
    published: str


STATES: Final = 3
_UPR, _UPE, _EVENT = FINE
TIMED: Final = (
    TimedSetting(FEW, STATES, _UPE, "0.1 s"),
    TimedSetting(FEW, FINE_STATES, _UPE, "0.3 s"),
    TimedSetting(FEW, STATES, _UPR._replace(filter="resource"), "3 s"),
    TimedSetting(FEW, STATES, _EVENT, "0.1 s"),
    TimedSetting(
        MANY, STATES, DaySetting("max-upe", USUAL[MANY], filter="resource"), "less than 2 s"
    ),
    TimedSetting(MANY, STATES, DaySetting("max-upr", USUAL[MANY], filter="resource"), "80 s"),
)


def run_times(few: BudgetDays, many: BudgetDays, fine: BudgetDays) -> Figure:
    """Ours beside theirs, for a mapping event."""
    measured = {(FEW, STATES): few, (MANY, STATES): many, (FEW, FINE_STATES): fine}
    here = [
        float(measured[one.a_day, one.states].days.seconds_per_event(one.setting).mean())
        for one in TIMED
    ]
    worst = max(here)
    return Figure(
        "D",
        "Run times of a mapping event",
        "Not a figure of the publication, but claims of its text. Processor time here, on one "
        "core; there, on another computer.",
        [],
        [
            Claim(
                "A mapping event takes no longer than published (read: the longest mean, beside "
                "the shortest published)",
                "0.1 s to 80 s",
                duration(worst),
                worst <= 0.1,
                f"at least {0.1 / worst:,.0f} times faster",
                ours=True,
            ),
            _alike_with_more_states(few, fine),
        ],
        table=Table(
            ["jobs a day", "power states", "policy", "published", "here"],
            [
                [
                    f"{one.a_day:,}",
                    f"{one.states}",
                    label(one.setting.policy)
                    + ("" if one.setting.filter is None else ", with filter"),
                    one.published,
                    duration(took),
                ]
                for one, took in zip(TIMED, here, strict=True)
            ],
        ),
    )


def _alike_with_more_states(few: BudgetDays, fine: BudgetDays) -> Claim:
    """The leads over Max UPR, with three power states and with more. (The days are others.)"""
    leads = {
        label(one.policy): [found.days.lead(one, _UPR).mean for found in (few, fine)]
        for one in (_UPE, _EVENT)
    }
    worst = max((more - usual for usual, more in leads.values()), key=abs)
    return Claim(
        f"With {FINE_STATES} power states, results are relatively the same (read: mean leads over "
        f"Max UPR at {_UPR.budget:g} GJ differ by less than {ALIKE:g} {POINTS})",
        "the same",
        listed({name: f"{usual:+.1f} and {more:+.1f}" for name, (usual, more) in leads.items()}),
        abs(worst) < ALIKE,
        f"{worst:+.1f} {POINTS}",
        cause="More states between the same two are more ways to save energy.",
    )
