"""What a person reads of a command is never better than what a program reads: bounds are not
above what is proven, and what is reached is not below it.
"""

import re
from collections.abc import Callable
from decimal import ROUND_FLOOR, Context
from fractions import Fraction
from typing import Any
from unittest.mock import patch

import pytest
from read_back import amounts, decimal, energies, powers, shares, times

from core.engines.front.study import study
from core.files.samples.named import load_sample
from core.shells.cli import entry
from core.vocabulary.budget import Effort
from core.vocabulary.tolerances import SAME

Run = Callable[..., Any]
SAMPLES = ["nine", "two", "testbed", "e1", "e2", "e3", "two-by-two"]
FOUR_DIGITS = Context(prec=4, rounding=ROUND_FLOOR)
POWERED = ["nine", "two", "testbed", "two-by-two"]


def rows(text: str) -> dict[str, str]:
    """What each key figure of an answer says."""
    lines = re.findall(r"^  (\S.*?)  +(\S.*)$", text, re.MULTILINE)
    return dict(reversed(lines))


def both(wattfront: Run, *words: object) -> tuple[str, dict[str, str], dict[str, Any]]:
    """What one run of a command says: its first line, its key figures, and its data."""
    with patch.object(entry, "_say", wraps=entry._say) as say:
        data = wattfront(*words, "--json").data
    text = say.call_args.args[0].text
    return text.splitlines()[0], rows(text), data


def is_spent(said: list[Fraction], value: float) -> None:
    assert said
    assert min(said) >= decimal(value) * (1 - Fraction(SAME))
    assert max(said) <= decimal(value) * Fraction("1.006")


def is_lower_bound(said: list[Fraction], value: float) -> None:
    assert said
    assert max(said) <= decimal(value)
    assert min(said) >= decimal(value) * Fraction("0.994")


def is_gap(text: str, gap: float) -> None:
    (said,) = shares(text)
    if gap <= SAME:
        assert said == 0
    else:
        assert decimal(gap) <= said <= decimal(gap) * Fraction("1.1")


@pytest.mark.parametrize("sample", SAMPLES)
@pytest.mark.parametrize("aim", ["makespan", "energy"])
def test_solve(wattfront: Run, sample: str, aim: str) -> None:
    if aim == "energy" and sample not in POWERED:
        return
    _, said, data = both(wattfront, "solve", sample, "--seconds", 0, "--minimise", aim)
    is_spent(times(said["Makespan"]), data["makespan"])
    if sample in POWERED:
        is_spent(energies(said["Energy"]), data["energy"])
    read = times if aim == "makespan" else energies
    is_lower_bound(read(said["Lower bound"]), data["lower_bound"])
    is_gap(said["From the best, at most"], data["gap"])


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("sample", "share"), [("nine", 0.2), ("two", 0.777777), ("testbed", 0.2), ("two-by-two", 0.5)]
)
def test_a_wish_that_is_met_is_answered_within_it(
    wattfront: Run, sample: str, share: float
) -> None:
    front = wattfront("front", sample, "--seconds", 0, "--json").data
    (joules, slow), (most, fast) = front["schedules"][0], front["schedules"][-1]
    low, high = joules / slow, most / fast
    for kind, limit, label, read in (
        ("deadline", fast + share * (slow - fast), "Makespan", times),
        ("energy-budget", joules + share * (most - joules), "Energy", energies),
        (
            "power-cap",
            low + share * (high - low),
            "Average power",
            powers,
        ),
    ):
        words = ("solve", sample, "--seconds", 0, f"--{kind}", limit)
        first, said, data = both(wattfront, *words)
        if data["wish"]["possible"] != "met":
            continue
        typed = read(first.partition(":")[2].partition(". ")[0])
        assert typed
        assert all(abs(one - decimal(limit)) <= decimal(limit) / 10**14 for one in typed)
        assert max(read(said[label])) <= min(typed)
        is_gap(said["From the best, at most"], data["gap"])


@pytest.mark.thorough
@pytest.mark.parametrize("sample", POWERED)
def test_an_impossible_wish_is_told_by_what_is_proven(wattfront: Run, sample: str) -> None:
    proven = study(load_sample(sample), effort=Effort(0)).proven
    for kind, least, read in (
        ("deadline", proven.soonest, times),
        ("energy-budget", proven.thriftiest, energies),
    ):
        limit = least * (1 - 1e-5)
        outcome = wattfront("solve", sample, "--seconds", 0, f"--{kind}", limit)
        asked, _, told = outcome.err.partition("Impossible")
        assert read(asked)[0] == decimal(float(f"{limit:.15g}"))
        proof = told.partition("The nearest")[0]
        assert read(proof)
        assert all(decimal(limit) < one <= decimal(least) for one in read(proof))
        nearest = outcome.err.partition("The nearest")[2]
        assert read(nearest)[0] > decimal(limit)


@pytest.mark.thorough
@pytest.mark.parametrize("sample", POWERED)
def test_front(wattfront: Run, sample: str) -> None:
    first, said, data = both(wattfront, "front", sample, "--seconds", 0)
    (joules, slow), (_, fast) = data["schedules"][0], data["schedules"][-1]
    is_spent(times(said["Fastest"]), fast)
    is_spent(energies(said["Least energy"]), joules)
    is_spent(times(said["Time at least energy"]), slow)
    saved = 1 - data["schedules"][0][0] / data["schedules"][-1][0]
    # In the headline they are to the nearest, in the digits that a better search seldom changes.
    assert float(shares(first)[-1]) == pytest.approx(saved, rel=0.05)
    assert float(times(first)[0]) == pytest.approx(fast, rel=1 / 59)


@pytest.mark.parametrize("sample", POWERED)
def test_the_front_of_bounds(wattfront: Run, sample: str) -> None:
    _, said, data = both(wattfront, "front", sample, "--method", "bound")
    is_lower_bound(times(said["Not before"]), data["vertices"][-1][1])
    is_lower_bound(energies(said["Not below"]), data["vertices"][0][0])


@pytest.mark.parametrize("sample", ["nine", "two-by-two"])
@pytest.mark.parametrize(
    "terms",
    [
        ("--ratio", 1.3, "--energy-price", 0.3),
        ("--ratio", 1.3),
        ("--ratio", 1),
        ("--ratio", 0.8, "--idle-power", 0.2),
        ("--price", 0.000001, "--energy-price", 0.3, "--idle-power", 0.2),
    ],
    ids=lambda terms: " ".join(map(str, terms)),
)
def test_profit(wattfront: Run, sample: str, terms: tuple[object, ...]) -> None:
    first, said, data = both(wattfront, "profit", sample, "--seconds", 0, *terms)
    flow = Fraction(data["price"]) / Fraction(data["bound_makespan"] or 1)
    rounding = flow * Fraction(SAME) + abs(decimal(data["profit"])) * Fraction(SAME)
    (most,) = amounts(said["Upper bound" if data["runs"] else "Machines on"])
    assert most >= decimal(data["upper_bound"]) - rounding
    if data["runs"]:
        (found,) = amounts(said["Found"])
        exact = data["profit"] + float(rounding)
        assert found == Fraction(FOUR_DIGITS.create_decimal_from_float(exact))
    if "% less)" in first:
        assert shares(first)[-1] >= decimal(data["gap"]) / decimal(data["upper_bound"])
    if data["makespan"] is not None:
        is_spent(times(said["Period"]), data["makespan"])
        is_spent(energies(said["Energy per batch"]), data["energy"])


@pytest.mark.parametrize(
    "words",
    [
        ("solve", "two-by-two", "--minimise", "energy"),
        ("solve", "nine", "--deadline", "2d"),
        ("front", "two-by-two", "--idle-power", "0,0.5,1"),
        ("profit", "nine", "--ratio", 1),
        ("profit", "two-by-two", "--ratio", 0.5, "--idle-power", 1),
        ("profit", "testbed", "--price", 1e-9, "--energy-price", 1e-6),
        ("check", "e1"),
    ],
    ids=lambda words: " ".join(map(str, words)),
)
def test_nothing_is_said_that_is_no_number_for_people(
    wattfront: Run, words: tuple[object, ...]
) -> None:
    """Neither 3.553e-13 nor nan, None, 0.00 % or -0."""
    out = wattfront(*words, *(("--seconds", 0) if words[0] != "check" else ())).out
    assert not re.search(r"\d[eE][-+]\d|\b(?:nan|inf|None)\b|\b0\.0+ |[-−]0\b(?!\.)", out)
