"""What is said of bags whose run times are uncertain: what each method expects, and what then
happens.
"""

from collections.abc import Iterator
from typing import Final

from core.capabilities.arrivals.told import in_percent, mean_in_unit, policy_label
from core.capabilities.arrivals.uncertain.methods import WEIGHED
from core.capabilities.arrivals.uncertain.trials import BagFigure, BagTrials
from core.shells.told.told import Told, ToldTable
from core.vocabulary.say.words import NOTHING, Sense, change, counted, duration, energy, share

_TITLES: Final[dict[BagFigure, str]] = {"seconds": "makespan", "joules": "energy"}


def told(found: BagTrials) -> Told:
    """All that is said of methods on bags; tables have the methods that end first at the top."""
    if not found.methods:
        return Told("No bag was replayed yet.")
    order = sorted(found.methods, key=lambda one: found.mean(one, "seconds").mean)
    tables = [_expected(found, order)]
    if len(order) > 1 and found.common:
        tables.append(_beside(found, order))
    return Told(_lead(found), tuple(_sentences(found)), tables=tuple(tables))


def _lead(found: BagTrials) -> str:
    """The method whose bags end first, how far that is above the bound, and what it expected."""
    best = found.best
    actual, expected = found.mean(best, "seconds"), found.mean(best, "expected_seconds")
    above = found.above_bound(best, "seconds")
    of_bound = ""
    if above is not None:
        of_bound = f", at most {share(above.mean, Sense.UPPER_BOUND)} above the lower bound"
    return (
        f"Bags end first under the method {policy_label(best)}: after "
        f"{duration(actual.mean, Sense.PLAIN)} on average{of_bound}. It expected "
        f"{duration(expected.mean, Sense.PLAIN)}."
    )


def thriftiest(found: BagTrials) -> str:
    """The method that takes least energy, and how much."""
    least = min(found.methods, key=lambda one: found.mean(one, "joules").mean)
    joules = energy(found.mean(least, "joules").mean, Sense.PLAIN)
    return f"The method {policy_label(least)} takes least energy: {joules} on average."


def _sentences(found: BagTrials) -> Iterator[str]:
    """The workload, and what a second is worth, if somebody has said it."""
    settings = found.settings
    yield (
        f"The workload: {counted(len(found.of(found.best, 'seconds')), 'bag')} of tasks of one "
        f"core on {settings.machines} machines, drawn from seed {settings.seed} on, with "
        f"{settings.errors} errors of estimates."
    )
    if settings.exchange is not None and WEIGHED.name in settings.methods:
        joules = energy(settings.exchange, Sense.TYPED)
        yield f"The method {WEIGHED.label} takes a second less of makespan for {joules}."


def _expected(found: BagTrials, order: list[str]) -> ToldTable:
    """A row for each method: means over all bags, and what is actual against what was expected."""

    def off(method: str, figure: str) -> str:
        expected = found.mean(method, f"expected_{figure}").mean
        return change(found.mean(method, figure).mean / expected - 1) if expected else NOTHING

    def above(method: str, figure: str) -> str:
        part = found.above_bound(method, figure)
        return NOTHING if part is None else f"at most {share(part.mean, Sense.UPPER_BOUND)}"

    columns: dict[str, list[str]] = {"Method": [policy_label(one) for one in order]}
    for figure, title in _TITLES.items():
        unit = found.unit(figure)
        columns[f"Expected {title}"] = [
            mean_in_unit(found.mean(one, f"expected_{figure}"), unit) for one in order
        ]
        columns[f"Actual {title}"] = [mean_in_unit(found.mean(one, figure), unit) for one in order]
        columns[f"Difference of {title}"] = [off(one, figure) for one in order]
        if found.bound(figure) is not None:
            columns[f"{title.capitalize()} above the bound"] = [above(one, figure) for one in order]
    return ToldTable.of_columns("Expected from estimates, and what then happened", columns, 0)


def _beside(found: BagTrials, order: list[str]) -> ToldTable:
    """A row for each method: how far it is from the worst and the best, and how often it is best.
    There is a bag that all methods were replayed on.
    """
    columns: dict[str, list[str]] = {"Method": [policy_label(one) for one in order]}
    for figure, title in _TITLES.items():
        least = found.least(figure)
        columns[f"Less {title} than the worst"] = [
            in_percent(found.below_worst(one, figure)) for one in order
        ]
        columns[f"More {title} than the best"] = [
            NOTHING if one == least else in_percent(found.above_best(one, figure)) for one in order
        ]
        columns[f"Best in {title}"] = [
            f"{found.wins(one, figure):,} of {len(found.common):,}" for one in order
        ]
    note = (
        "The worst is the worst method of each bag. The best is the method that takes least on "
        "average; differences to it are of the same bags. If an interval (95 %) has 0 in it, "
        "chance can explain the difference."
    )
    return ToldTable.of_columns("Methods beside each other", columns, 0, note)
