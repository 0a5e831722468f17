"""Tolerances live together: no module of `core` has a small share of its own."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import core
from core.vocabulary import tolerances

ROOM = Path(core.__file__).parent
ELSEWHERE = {
    "vocabulary/tolerances.py": "all of them",
    "engines/verify/recount.py": "the judge shares nothing with what it checks",
    "vocabulary/say/units.py": "the sizes of units",
    "vocabulary/ranges.py": "ends of ranges",
    "vocabulary/prices/day.py": "ends of ranges",
    "engines/relaxed/certificate.py": "the least floats",
    "capabilities/profit/settings.py": "ends of ranges",
    "shells/studies/reader.py": "ends of ranges",
    "engines/replay/belief.py": "the least chance of a belief",
    "engines/logs/pairs/needs.py": "the chance that is no accident, and single precision",
    "engines/logs/metered/sample_words.py": "the sizes of units",
    "engines/replay/bound.py": "the last temperature of a search",
    "capabilities/centre/rivals/annealing.py": "the last temperature of a search",
    "capabilities/centre/bound.py": "when a bound is close enough",
    "capabilities/centre/solving.py": "the least share that a start keeps",
    "engines/lp/interior.py": "the least step of a solver",
    "engines/recover/along.py": "when a solver of integer programs ends",
    "engines/front/axis.py": "units of axes",
    "engines/front/patterns.py": "when a search ends",
    "engines/recover/polish_along.py": "the least weight of a place",
    "engines/operations/factors.py": "when a fit ends, and the least shrinkage",
    "engines/operations/least_squares.py": "the least damping of a step",
    "engines/patterns/prices.py": "units of work",
    "capabilities/provision/futures/uncertainty.py": "the least factor that is drawn",
    "capabilities/fair_shares/bags_reader.py": "ends of ranges",
    "capabilities/fair_shares/optimum.py": "how much more stretch ends a plan early",
    "files/samples/generate.py": "the least variation that is drawn",
}
"""Modules with numbers below 1e-5, and what these are."""


def test_small_numbers_are_tolerances_and_live_together() -> None:
    found = {
        path.relative_to(ROOM).as_posix() for path in ROOM.rglob("*.py") if any(small_numbers(path))
    }
    assert found == set(ELSEWHERE)


def test_a_small_number_is_noticed(tmp_path: Path) -> None:
    module = tmp_path / "module.py"
    module.write_text("near = abs(one - other) < 1e-9\n", encoding="utf-8")
    assert list(small_numbers(module)) == [1e-9]


@pytest.mark.parametrize(
    ("name", "value"),
    {
        "ULP": 2.0**-52,
        "PRODUCT_ROUNDING": 1e-15,
        "FEW_OPERATIONS": 1e-14,
        "DIFFERENCE_ROUNDING": 1e-13,
        "SUM_ROUNDING": 1e-12,
        "FITTING_ROUNDING": 1e-9,
        "CELL_ROUNDING": 1e-6,
        "BOUND_MET": 1e-11,
        "SAME_VERTEX": 1e-10,
        "SAME": 1e-9,
        "SAME_OPTIMUM": 1e-7,
        "METHODS_AGREE": 1e-6,
        "GOAL_GAP": 1e-5,
        "SOLVER": 1e-10,
        "SOLVED_ZERO": 1e-9,
        "SOLVED_NOTHING": 1e-6,
        "WHOLE": 1e-7,
        "LARGEST_COEFFICIENT": 1e9,
        "LEAST_COEFFICIENT": 1e-12,
        "TRACE": 1e-6,
        "SIMPLEX_ZERO": 1e-11,
        "PERTURBATION": 1e-11,
        "LEAST_KEY_SHARE": 1e-6,
        "CERTIFIED": 1e-9,
        "UNCLEAR": 1e-9,
        "NO_SHARE": 1e-9,
        "NOT_DIVISIBLE": 1e-200,
        "INSTANT": 1e-6,
    }.items(),
)
def test_each_is_what_results_were_measured_with(name: str, value: float) -> None:
    assert getattr(tolerances, name) == value


def small_numbers(path: Path) -> Iterator[float]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, float):
            yield from [node.value] if 0 < node.value <= 1e-5 else []
