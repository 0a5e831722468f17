"""What is said of methods for bags beside what is said of all policies: what each expects, what
then happens, and how far it is from the bound, from the worst and from the best.
"""

from collections.abc import Iterator
from operator import attrgetter
from typing import Final

from core.capabilities.arrivals.trials import BagFigure, ReplayComparison, joules_of, makespan_of
from core.capabilities.arrivals.uncertain.methods import BAG_METHODS, WEIGHED
from core.shells.told.bars import ToldBar, ToldBars
from core.shells.told.told import ToldTable
from core.vocabulary.intervals import Interval
from core.vocabulary.say.means import mean_within, share_within
from core.vocabulary.say.units import Unit, energy_unit, time_unit
from core.vocabulary.say.words import NOTHING, Sense, change, duration, energy, share

_TITLES: Final[dict[BagFigure, str]] = {"makespan": "makespan", "joules": "energy"}
ACTUAL: Final = {figure: attrgetter(f"score.{figure}") for figure in _TITLES}
EXPECTED: Final = {figure: attrgetter(f"expected.{figure}") for figure in _TITLES}
"""Figures of a trial (s or J): what they really are, and what they would be if estimates held."""


def makespan_bars(found: ReplayComparison) -> ToldBars:
    """When bags end under each method, on average."""
    unit, bounds = _unit(found, "makespan"), found.bag_bounds("makespan")
    bars = tuple(
        ToldBar(BAG_METHODS[one].label, found.interval(one, makespan_of).over(unit.size))
        for one in found.ranked
    )
    axis = f"Makespan ({unit.symbol})"
    if not bounds.size:
        return ToldBars(axis, bars)
    least = float(bounds.mean())
    said = f"possible at least: {duration(least, Sense.LOWER_BOUND)}"
    return ToldBars(axis, bars, least / unit.size, said)


def _unit(found: ReplayComparison, figure: BagFigure) -> Unit:
    """The unit in which a figure, expected or actual, is a few to a few hundred."""
    means = [found.mean(one, of[figure]) for one in found.ranked for of in (ACTUAL, EXPECTED)]
    return time_unit(min(means)) if figure == "makespan" else energy_unit(min(means))


def bags_lead(found: ReplayComparison) -> str:
    """The method whose bags end first, how far that is above the bound, and what it expected; or
    that all end alike.
    """
    best, first = found.ranked[0], " first" if len(found.ranked) > 1 else ""
    ends, expected = (found.mean(best, of["makespan"]) for of in (ACTUAL, EXPECTED))
    above = _above_bound(found, best, "makespan")
    of_bound = f", {above} above the lower bound" if above else ""
    whose = "Bags" if _mean(found) else "The tasks"
    if found.ends_alike:
        return (
            f"{whose} end after {duration(ends, Sense.PLAIN)}{_mean(found)} under each of "
            f"{len(found.ranked)} methods{of_bound}. So energy decides: the method "
            f"{BAG_METHODS[best].label} takes least."
        )
    return (
        f"{whose} end{first} under the method {BAG_METHODS[best].label}: after "
        f"{duration(ends, Sense.PLAIN)}{_mean(found)}{of_bound}. It expected "
        f"{duration(expected, Sense.PLAIN)}."
    )


def _above_bound(found: ReplayComparison, method: str, figure: BagFigure) -> str:
    """How far a method is above the bound at most, on average; empty if there is no bound
    above 0.
    """
    bounds = found.bag_bounds(figure)
    if not bounds.size or not bounds.all():
        return ""
    above = float(found.ratios(method, ACTUAL[figure], bounds).mean()) - 1
    return f"at most {share(above, Sense.UPPER_BOUND)}"


def thriftiest(found: ReplayComparison) -> str:
    """The method that takes least energy, and how much."""
    least = found.least(joules_of)
    joules = energy(found.mean(least, joules_of), Sense.PLAIN)
    return f"The method {BAG_METHODS[least].label} takes least energy: {joules}{_mean(found)}."


def _mean(found: ReplayComparison) -> str:
    """What follows a figure that is a mean: bags that are drawn are several."""
    return " on average" if isinstance(found.question.source, str) else ""


def bags_sentences(found: ReplayComparison) -> Iterator[str]:
    """What a second is worth, if somebody has said it, and what no method could have beaten."""
    question = found.question
    if question.exchange is not None and WEIGHED.name in question.policies:
        joules = energy(question.exchange, Sense.TYPED)
        yield f"The method {WEIGHED.label} takes a second less of makespan for {joules}."
    if found.bag_bounds("makespan").size:
        makespan = duration(float(found.bag_bounds("makespan").mean()), Sense.LOWER_BOUND)
        joules = energy(float(found.bag_bounds("joules").mean()), Sense.LOWER_BOUND)
        yield f"No method could have taken less than {makespan}, or less than {joules} (proven)."


def expected_data(found: ReplayComparison, method: str) -> dict[str, object]:
    """Means over the trials of what a method expects (s and J)."""
    return {
        "expected_makespan": found.mean(method, EXPECTED["makespan"]),
        "expected_energy": found.mean(method, EXPECTED["joules"]),
    }


def bags_tables(found: ReplayComparison) -> Iterator[ToldTable]:
    """A row for each method, that whose bags end first at the top."""
    yield _expected(found)
    if len(found.ranked) > 1:
        yield _beside(found)


def _expected(found: ReplayComparison) -> ToldTable:
    """Means over the trials, and what is actual against what was expected."""
    order = found.ranked
    columns: dict[str, list[str]] = {"Method": [BAG_METHODS[one].label for one in order]}
    for figure, title in _TITLES.items():
        actual, expected = ACTUAL[figure], EXPECTED[figure]
        unit = _unit(found, figure)
        means = [(found.mean(one, actual), found.mean(one, expected)) for one in order]
        for of, what in ((expected, "Expected"), (actual, "Actual")):
            columns[f"{what} {title}"] = [
                f"{mean_within(found.interval(one, of), unit)} {unit.symbol}" for one in order
            ]
        columns[f"Difference of {title}"] = [
            change(really / hoped - 1) if hoped else NOTHING for really, hoped in means
        ]
        if any(above := [_above_bound(found, one, figure) for one in order]):
            columns[f"{title.capitalize()} above the bound"] = above
    return ToldTable.of_columns("Expected from estimates, and what then happened", columns, 0)


def _beside(found: ReplayComparison) -> ToldTable:
    """How far each is from the worst and the best, and how often it is the best."""
    order, trials = found.ranked, len(found.common)
    columns: dict[str, list[str]] = {"Method": [BAG_METHODS[one].label for one in order]}
    for figure, title in _TITLES.items():
        of = ACTUAL[figure]
        worst, least = found.beside(of).max(axis=1), found.least(of)
        below = [Interval.of(1 - found.ratios(one, of, worst)) for one in order]
        above = [found.more(one, least, of, found.mean(least, of)) for one in order]
        columns[f"Less {title} than the worst"] = [share_within(one) for one in below]
        columns[f"More {title} than the best"] = [
            NOTHING if one == least or not found.mean(least, of) else share_within(more)
            for one, more in zip(order, above, strict=True)
        ]
        columns[f"Best in {title}"] = [f"{found.wins(one, of):,} of {trials:,}" for one in order]
    note = (
        "The worst is the worst method of each bag. The best is the method that takes least on "
        "average; differences to it are of the same bags. If an interval (95 %) has 0 in it, "
        "chance can explain the difference."
    )
    return ToldTable.of_columns("Beside the worst and the best method", columns, 0, note)
