"""Tables 6.2 and 6.3 of Iturriaga's thesis, and all figures on uncertain times together."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import product
from typing import Final

import numpy as np

from benchmarks.publications.arrivals.uncertain_runs import (
    DEVIATION,
    IMPROVEMENT,
    MEASURES,
    OFFLINE,
    SHARED,
    ReadCells,
    UncertainCells,
    UncertainRow,
)
from benchmarks.publications.arrivals.uncertain_wins import (
    readings_figure,
    weighed_figure,
    wins_figure,
)
from benchmarks.publications.arrivals.uncertain_words import (
    LABELS,
    NEAR,
    claims_of_rows,
    normaliser_said,
    otherwise,
    place_of,
    points_apart,
    ratio_claims,
    setting_of,
    table_of,
)
from benchmarks.publications.claim import Claim, percent, points
from benchmarks.publications.figure import Figure
from core.capabilities.arrivals.uncertain.bags import ERROR_LEVELS, MACHINES, ErrorLevel
from core.capabilities.arrivals.uncertain.methods import METHODS
from core.vocabulary.arrays import FloatArray

WITH_ERRORS: Final[Sequence[ErrorLevel]] = ERROR_LEVELS[1:]
OFFLINE_LABELS: Final = tuple(METHODS[name].label for name in OFFLINE)
_TASKS_SHORTER: Final = {"low": 48, "medium": 56, "high": 67}
"""By how many percent tasks are shorter than estimated, on average."""


def figures(cells: UncertainCells, read: ReadCells) -> list[Figure]:
    """The tables with their claims, from what `uncertain_runs.measure` found, and from
    `uncertain_runs.measure_readings` what other readings would give.
    """
    return [
        _deviations(cells, read),
        _improvements(cells, read),
        wins_figure(cells),
        readings_figure(read),
        weighed_figure(cells),
    ]


def _deviations(cells: UncertainCells, read: ReadCells) -> Figure:
    found = {row: cells[row].deviation for row in DEVIATION}
    means = {row: 100 * samples.mean(axis=0).T for row, samples in found.items()}
    least = min(float(samples[..., 0].min()) for samples in found.values())
    growing = all(
        (np.diff([means[machines, level] for level in WITH_ERRORS], axis=0) > 0).all()
        for machines in MACHINES
    )
    return Figure(
        "6.2",
        "How much less offline plans take than they expected, in percent",
        setting_of(cells),
        [],
        [
            *claims_of_rows(
                DEVIATION,
                found,
                "Offline plans take less than they expected",
                lambda row, place: _deviation_cause(row, place, read),
            ),
            Claim(
                "Where tasks take less than estimated, no frozen plan takes longer than it "
                "expected",
                "never",
                f"by at least {percent(least)} less",
                least >= 0,
                "a theorem",
                cannot_fail=True,
            ),
            Claim(
                "The deviation grows with the error, for each method and number of machines, in "
                "both makespan and energy",
                "always",
                "always" if growing else "not always",
                growing,
                "the same" if growing else "another",
            ),
            *(_falls_with_machines(place, means, read) for place in range(len(MEASURES))),
            _deviates_least("makespan", 1, means, read),
            _deviates_least("energy", 2, means, read),
        ],
        table=table_of(OFFLINE_LABELS, found),
        kind="Table",
    )


def _falls_with_machines(
    place: int, means: Mapping[UncertainRow, FloatArray], read: ReadCells
) -> Claim:
    falling = [
        label
        for method, label in enumerate(OFFLINE_LABELS)
        if all(
            (np.diff([means[count, level][place, method] for count in MACHINES]) < 0).all()
            for level in WITH_ERRORS
        )
    ]
    return Claim(
        f"The deviation of the {MEASURES[place]} falls with the number of machines, for each "
        "method and level of errors",
        "for all methods",
        "for " + (", ".join(falling) or "no method"),
        len(falling) == len(OFFLINE),
        f"{len(falling)} of {len(OFFLINE)} methods",
        cause=otherwise(
            read, partial(_rises, place), "Steps to more machines, of 18, that raise it", digits=0
        ),
    )


def _deviates_least(
    measure: str, robust: int, means: Mapping[UncertainRow, FloatArray], read: ReadCells
) -> Claim:
    """`robust` is the place of the method that is said to deviate least."""
    place, name = MEASURES.index(measure), OFFLINE_LABELS[robust]
    best = [OFFLINE_LABELS[int(each[place].argmin())] for each in means.values()]
    return Claim(
        f"The method that deviates least in {measure}, in each row",
        name,
        _counted(best),
        set(best) == {name},
        f"in {best.count(name)} of {len(best)} rows",
        cause=otherwise(
            read,
            partial(_least, place, robust),
            f"Rows of {len(best)} in which it is {name}",
            digits=0,
        ),
    )


def _deviation_cause(row: UncertainRow, place: int, read: ReadCells) -> str:
    printed = DEVIATION[row][place]
    said = otherwise(
        read,
        lambda found: points_apart(found[row].deviation[..., place], printed),
        "The largest difference in points",
    )
    if place == 0:
        shared = 100 * read[SHARED][row].deviation[..., 0].mean(axis=0)
        each = "; ".join(f"{one:.1f}" for one in shared)
        return f"{said} With a {SHARED}, they take {each} % less."
    makespan = DEVIATION[row][0][-1]
    if printed[-1] >= makespan:
        return said
    return (
        f"Energy is that of tasks, which are {_TASKS_SHORTER[row[1]]} % shorter than estimated, "
        "and idle energy, which deviates as the makespan if machines stay on. SuffMIN is printed "
        f"with {printed[-1]} %, below its makespan ({makespan} %), which no mix of the two gives. "
        + said
    )


def _deviation_means(cells: UncertainCells, place: int) -> FloatArray:
    """By number of machines, level of errors and method."""
    return np.array(
        [
            [cells[count, level].deviation[..., place].mean(axis=0) for level in WITH_ERRORS]
            for count in MACHINES
        ]
    )


def _rises(place: int, cells: UncertainCells) -> float:
    """How many steps to more machines raise the deviation."""
    return float((np.diff(_deviation_means(cells, place), axis=0) >= 0).sum())


def _least(place: int, method: int, cells: UncertainCells) -> float:
    """In how many rows a method deviates least."""
    return float((_deviation_means(cells, place).argmin(axis=-1) == method).sum())


def _improvements(cells: UncertainCells, read: ReadCells) -> Figure:
    found = {row: cells[row].improvement for row in IMPROVEMENT}
    means = {row: 100 * samples.mean(axis=0).T for row, samples in found.items()}
    claims = [
        *claims_of_rows(
            IMPROVEMENT,
            found,
            "Methods take less than the worst of them",
            lambda row, place: normaliser_said(cells, row, place),
        ),
        *ratio_claims(cells, read),
        *_best_pair(means),
        *_changes_with_errors(means, read),
        *_headlines(means, cells),
    ]
    return Figure(
        "6.3",
        "How much less methods take than the worst of them on each instance, in percent",
        setting_of(cells),
        [],
        claims,
        table=table_of(LABELS, found),
        kind="Table",
    )


Means = Mapping[UncertainRow, FloatArray]
"""The results of a row in percent, by measure and method."""


def _best_pair(means: Means) -> Iterator[Claim]:
    offline, batch = (place_of("offline-maxmin"), place_of("batch-maxmin"))
    exact = [means[count, "none"][0] for count in MACHINES]
    printed = [np.array(IMPROVEMENT[count, "none"][0]) for count in MACHINES]
    best = [{int(k) for k in np.argsort(-row)[:2]} for row in exact]
    apart = max(abs(float(row[offline] - row[batch])) for row in exact)
    yield Claim(
        "Without errors, offline MaxMin and batch MaxMin are the best two in makespan, within 2 "
        "points of each other (the limit is ours), for each number of machines",
        "34.7 and 34.4; 43.6 and 42.7; 48.4 and 47.0",
        "; ".join(f"{row[offline]:.1f} and {row[batch]:.1f}" for row in exact),
        all(pair == {offline, batch} for pair in best) and apart <= 2,
        f"at most {apart:.1f} points apart",
        cause="MaxMIN is as good here, with the idle power of all machines in its criterion: "
        f"offline it takes {_longer(exact)} times the makespan of MaxMin (printed: "
        f"{_longer(printed)}).",
    )
    for place, measure, name, published in (
        (0, "makespan", "batch-maxmin", 9),
        (1, "energy", "batch-maxmin-energy", 7),
    ):
        rows = [means[count, level][place] for count, level in product(MACHINES, WITH_ERRORS)]
        here = sum(int(row.argmax()) == place_of(name) for row in rows)
        both = [place_of("batch-maxmin"), place_of("batch-maxmin-energy")]
        apart = max(float(np.ptp(row[both])) for row in rows)
        yield Claim(
            f"With errors, {METHODS[name].label} is the best in {measure} (read: in at least as "
            "many rows as published)",
            f"in {published} of 9 rows",
            f"in {here} of 9 rows",
            here >= published,
            f"{here - published:+d} rows",
            cause=f"Batch MaxMin and batch MaxMIN are at most {apart:.1f} points apart.",
        )
    greedy = [place_of("greedy-min"), place_of("greedy-min-energy")]
    best_two = [
        int(row[place].argmax()) not in greedy for row in means.values() for place in (0, 1)
    ]
    yield Claim(
        "Greedy methods are never the best on average",
        "never",
        "never" if all(best_two) else f"in {best_two.count(False)} of {len(best_two)} means",
        all(best_two),
        "the same" if all(best_two) else "another",
    )


def _longer(rows: Sequence[FloatArray]) -> str:
    """What offline MaxMIN leaves of the worst method, over what offline MaxMin leaves of it."""
    one, other = place_of("offline-maxmin-energy"), place_of("offline-maxmin")
    return "; ".join(f"{(100 - row[one]) / (100 - row[other]):.2f}" for row in rows)


def _changes_with_errors(means: Means, read: ReadCells) -> Iterator[Claim]:
    def over_machines(means: Means, name: str, place: int) -> list[float]:
        """For each level of errors, none first."""
        return [
            float(np.mean([means[count, level][place, place_of(name)] for count in MACHINES]))
            for level in ERROR_LEVELS
        ]

    def least_change(name: str, place: int, found: UncertainCells) -> float:
        """Points from no errors to the level of errors that changes least, or the other way."""
        percents = {row: 100 * cell.improvement.mean(axis=0).T for row, cell in found.items()}
        none, *others = over_machines(percents, name, place)
        return none - max(others) if name.startswith("offline") else min(others) - none

    for name, place, published in (
        ("offline-maxmin", 0, "42.2; 29.1, 26.9, 22.3"),
        ("offline-maxmin", 1, "18.8; 14.6, 14.3, 12.9"),
        ("batch-maxmin", 0, "41.4; 46.9, 49.0, 49.1"),
        ("batch-maxmin-energy", 1, "17.7; 24.8, 27.2, 29.7"),
    ):
        none, *others = over_machines(means, name, place)
        falls = name.startswith("offline")
        holds = none > max(others) if falls else none < min(others)
        yield Claim(
            f"{METHODS[name].label}, {MEASURES[place]}, means over numbers of machines: with any "
            f"error it is {'less' if falls else 'more'} than without",
            published,
            f"{none:.1f}; " + ", ".join(f"{one:.1f}" for one in others),
            holds,
            "the same" if holds else "another",
            cause=otherwise(
                read,
                partial(least_change, name, place),
                f"Points by which it is {'less' if falls else 'more'} with the error that changes "
                f"it least (negative: {'more' if falls else 'less'})",
            ),
        )


def _headlines(means: Means, cells: UncertainCells) -> Iterator[Claim]:
    for name, place, published in (("batch-maxmin", 0, 50.2), ("batch-maxmin-energy", 1, 32.0)):
        best = max(means, key=lambda row: float(means[row][place, place_of(name)]))
        most = float(means[best][place, place_of(name)])
        yield Claim(
            f"Headline: {METHODS[name].label} takes up to so much less {MEASURES[place]} than the "
            f"worst method (read: within {NEAR:g} points)",
            f"{published:.1f} %",
            f"{most:.1f} %",
            abs(most - published) <= NEAR,
            points(most / 100, published / 100),
            cause=normaliser_said(cells, best, place),
        )
    for name, place, published in (("maxmin", 0, 32.3), ("maxmin-energy", 1, 18.6)):
        gains = {
            key: float(
                row[place, place_of(f"batch-{name}")] - row[place, place_of(f"offline-{name}")]
            )
            for key, row in means.items()
        }
        best = max(gains, key=gains.__getitem__)
        gained = gains[best]
        label = METHODS[f"batch-{name}"].label.removeprefix("batch ")
        yield Claim(
            f"Headline: in batches, {label} is up to so much better in {MEASURES[place]} than "
            f"offline (read: within {NEAR:g} points)",
            f"{published:.1f} points",
            f"{gained:.1f} points",
            abs(gained - published) <= NEAR,
            points(gained / 100, published / 100),
            cause=normaliser_said(cells, best, place),
        )


def _counted(labels: Sequence[str]) -> str:
    return ", ".join(f"{one} in {labels.count(one)}" for one in sorted(set(labels)))
