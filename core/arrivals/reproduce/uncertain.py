"""Tables 6.2 and 6.3 of Iturriaga's thesis, and all figures on uncertain times together."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Final

import numpy as np

from core.arrivals.reproduce.uncertain_runs import MEASURES, OFFLINE, UncertainCells
from core.arrivals.reproduce.uncertain_tables import DEVIATION, IMPROVEMENT, UncertainRow
from core.arrivals.reproduce.uncertain_wins import weighed_figure, wins_figure
from core.arrivals.reproduce.uncertain_words import (
    CATALOGUE,
    LABELS,
    NEAR,
    claims_of_rows,
    place_of,
    setting_of,
    table_of,
)
from core.arrivals.uncertain import ERROR_LEVELS, MACHINES, ErrorLevel
from core.arrivals.uncertain_methods import METHODS
from core.model.arrays import FloatArray
from core.reproduce.claim import Claim, percent, points
from core.reproduce.figure import Figure

WITH_ERRORS: Final[Sequence[ErrorLevel]] = ERROR_LEVELS[1:]
OFFLINE_LABELS: Final = tuple(METHODS[name].label for name in OFFLINE)


def figures(cells: UncertainCells) -> list[Figure]:
    """The tables with their claims, from what `uncertain_runs.measure` found."""
    return [_deviations(cells), _improvements(cells), wins_figure(cells), weighed_figure(cells)]


def _deviations(cells: UncertainCells) -> Figure:
    found = {row: cells[row].deviation for row in DEVIATION}
    means = {row: 100 * samples.mean(axis=0).T for row, samples in found.items()}
    least = min(float(samples[..., 0].min()) for samples in found.values())
    growing = all(
        (np.diff([means[machines, level] for level in WITH_ERRORS], axis=0) > 0).all()
        for machines in MACHINES
    )
    claims = [
        *claims_of_rows("6.2", DEVIATION, found, "Offline plans take less than they expected"),
        Claim(
            "6.2",
            "Where tasks take less than estimated, no frozen plan takes longer than it expected",
            "never",
            f"by at least {percent(least)} less",
            least >= 0,
            "a theorem",
            cannot_fail=True,
        ),
        Claim(
            "6.2",
            "The deviation grows with the error, for each method and number of machines, in both "
            "makespan and energy",
            "always",
            "always" if growing else "not always",
            growing,
            "the same" if growing else "another",
        ),
    ]
    for place, measure in enumerate(MEASURES):
        falling = [
            label
            for method, label in enumerate(OFFLINE_LABELS)
            if all(
                (np.diff([means[count, level][place, method] for count in MACHINES]) < 0).all()
                for level in WITH_ERRORS
            )
        ]
        claims.append(
            Claim(
                "6.2",
                f"The deviation of the {measure} falls with the number of machines, for each "
                "method and level of errors",
                "for all methods",
                "for " + (", ".join(falling) or "no method"),
                len(falling) == len(OFFLINE),
                f"{len(falling)} of {len(OFFLINE)} methods",
                cause=CATALOGUE,
            )
        )
    for place, measure, robust in ((0, "makespan", 1), (1, "energy", 2)):
        best = [OFFLINE_LABELS[int(means[row][place].argmin())] for row in means]
        claims.append(
            Claim(
                "6.2",
                f"The method that deviates least in {measure}, in each row",
                OFFLINE_LABELS[robust],
                _counted(best),
                set(best) == {OFFLINE_LABELS[robust]},
                f"in {best.count(OFFLINE_LABELS[robust])} of {len(best)} rows",
                cause=CATALOGUE,
            )
        )
    return Figure(
        "6.2",
        "How much less offline plans take than they expected, in percent",
        setting_of(cells),
        [],
        claims,
        table=table_of(OFFLINE_LABELS, found),
        kind="Table",
    )


def _improvements(cells: UncertainCells) -> Figure:
    found = {row: cells[row].improvement for row in IMPROVEMENT}
    means = {row: 100 * samples.mean(axis=0).T for row, samples in found.items()}
    claims = [
        *claims_of_rows("6.3", IMPROVEMENT, found, "Methods take less than the worst of them"),
        *_best_pair(means),
        *_changes_with_errors(means),
        *_headlines(means),
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
"""Of a row: percent by measure and method."""


def _best_pair(means: Means) -> Iterator[Claim]:
    offline, batch = (place_of("offline-maxmin"), place_of("batch-maxmin"))
    exact = [means[count, "none"][0] for count in MACHINES]
    best = [{int(k) for k in np.argsort(-row)[:2]} for row in exact]
    apart = max(abs(float(row[offline] - row[batch])) for row in exact)
    yield Claim(
        "6.3",
        "Without errors, offline MaxMin and batch MaxMin are the best two in makespan, within 2 "
        "points of each other (the limit is ours), for each number of machines",
        "34.7 and 34.4; 43.6 and 42.7; 48.4 and 47.0",
        "; ".join(f"{row[offline]:.1f} and {row[batch]:.1f}" for row in exact),
        all(pair == {offline, batch} for pair in best) and apart <= 2,
        f"at most {apart:.1f} points apart",
        cause="Offline and batch MaxMIN are as good here: with the idle power of all machines in "
        "its criterion, MaxMIN seldom makes a plan longer.",
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
            "6.3",
            f"With errors, {METHODS[name].label} is the best in {measure} (read: in at least as "
            "many rows as published)",
            f"in {published} of 9 rows",
            f"in {here} of 9 rows",
            here >= published,
            f"{here - published:+d} rows",
            cause=f"Batch MaxMin and batch MaxMIN are at most {apart:.1f} points apart. "
            + CATALOGUE,
        )
    greedy = [place_of("greedy-min"), place_of("greedy-min-energy")]
    best_two = [
        int(row[place].argmax()) not in greedy for row in means.values() for place in (0, 1)
    ]
    yield Claim(
        "6.3",
        "Greedy methods are never the best on average",
        "never",
        "never" if all(best_two) else f"in {best_two.count(False)} of {len(best_two)} means",
        all(best_two),
        "the same" if all(best_two) else "another",
    )


def _changes_with_errors(means: Means) -> Iterator[Claim]:
    def over_machines(name: str, place: int) -> list[float]:
        """For each level of errors, none first."""
        return [
            float(np.mean([means[count, level][place, place_of(name)] for count in MACHINES]))
            for level in ERROR_LEVELS
        ]

    for name, place, published in (
        ("offline-maxmin", 0, "42.2; 29.1, 26.9, 22.3"),
        ("offline-maxmin", 1, "18.8; 14.6, 14.3, 12.9"),
        ("batch-maxmin", 0, "41.4; 46.9, 49.0, 49.1"),
        ("batch-maxmin-energy", 1, "17.7; 24.8, 27.2, 29.7"),
    ):
        none, *others = over_machines(name, place)
        falls = name.startswith("offline")
        holds = none > max(others) if falls else none < min(others)
        yield Claim(
            "6.3",
            f"{METHODS[name].label}, {MEASURES[place]}, means over numbers of machines: with any "
            f"error it is {'less' if falls else 'more'} than without",
            published,
            f"{none:.1f}; " + ", ".join(f"{one:.1f}" for one in others),
            holds,
            "the same" if holds else "another",
            cause=CATALOGUE,
        )


def _headlines(means: Means) -> Iterator[Claim]:
    for name, place, published in (("batch-maxmin", 0, 50.2), ("batch-maxmin-energy", 1, 32.0)):
        most = max(float(row[place, place_of(name)]) for row in means.values())
        yield Claim(
            "6.3",
            f"Headline: {METHODS[name].label} takes up to so much less {MEASURES[place]} than the "
            f"worst method (read: within {NEAR:g} points)",
            f"{published:.1f} %",
            f"{most:.1f} %",
            abs(most - published) <= NEAR,
            points(most / 100, published / 100),
            cause=CATALOGUE,
        )
    for name, place, published in (("maxmin", 0, 32.3), ("maxmin-energy", 1, 18.6)):
        gained = max(
            float(row[place, place_of(f"batch-{name}")] - row[place, place_of(f"offline-{name}")])
            for row in means.values()
        )
        label = METHODS[f"batch-{name}"].label.removeprefix("batch ")
        yield Claim(
            "6.3",
            f"Headline: in batches, {label} is up to so much better in {MEASURES[place]} than "
            f"offline (read: within {NEAR:g} points)",
            f"{published:.1f} points",
            f"{gained:.1f} points",
            abs(gained - published) <= NEAR,
            points(gained / 100, published / 100),
            cause=CATALOGUE,
        )


def _counted(labels: Sequence[str]) -> str:
    return ", ".join(f"{one} in {labels.count(one)}" for one in sorted(set(labels)))
