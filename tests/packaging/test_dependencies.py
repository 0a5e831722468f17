"""Every dependency is used, pinned and explained; where internals are touched, it says so."""

import re
import tomllib
from pathlib import Path

import pytest
from checkout import CHECKOUT, imports_of, modules, text_of
from packaging.requirements import Requirement

EXPLAINED = text_of(CHECKOUT / "docs" / "dependencies.md")
PROJECT = tomllib.loads((CHECKOUT / "pyproject.toml").read_text())["project"]
PINNED = dict(
    line.split("==") for line in (CHECKOUT / "constraints.txt").read_text().splitlines() if line
)
EXTRA = PROJECT["optional-dependencies"]
AT_RUN_TIME = {
    each.name: each for each in map(Requirement, PROJECT["dependencies"] + EXTRA["dashboard"])
}
EXTRAS = [
    Requirement(each)
    for extra in EXTRA.values()
    for each in extra
    if not each.startswith("wattfront[")
]
FOR_ANOTHER = {"scipy": "numba", "tzdata": "zoneinfo"}
"""Imported by none of ours, but by another dependency, which does not require it by itself."""
INTERNALS = re.compile(
    r"(streamlit\.(runtime|web|proto|elements|static)\b|numba\.(core|extending)\b)"
)
"""Modules that their packages do not document."""
MARKED = "Internals:"


def touches(source: Path) -> bool:
    """Whether a module uses what another package does not promise to keep."""
    found = (f"{home}.{name}" for home, name in imports_of(source, for_types=False))
    return any(map(INTERNALS.match, found)) or "_validate=False" in text_of(source)


@pytest.fixture(scope="module")
def imported() -> set[str]:
    """The packages that ours import."""
    found = (imports_of(source, for_types=False) for source in modules().values())
    return {home.partition(".")[0] for each in found for home, _ in each}


@pytest.mark.parametrize("name", AT_RUN_TIME)
def test_what_is_installed_is_imported(name: str, imported: set[str]) -> None:
    assert name.replace("-", "_") in imported or FOR_ANOTHER.get(name) in imported


@pytest.mark.parametrize("requirement", [*AT_RUN_TIME.values(), *EXTRAS], ids=str)
def test_it_is_pinned_and_explained(requirement: Requirement) -> None:
    assert requirement.specifier.contains(PINNED[requirement.name])
    assert re.search(rf"^\|( `[\w-]+` \|)?[^|]*\b{requirement.name}\b", EXPLAINED, re.MULTILINE)


@pytest.mark.parametrize("name", ["streamlit", "numba", "plotly"])
def test_where_internals_are_touched_there_is_an_upper_limit(name: str) -> None:
    assert any(each.operator == "<" for each in AT_RUN_TIME[name].specifier)


def test_every_touch_of_internals_is_marked_and_explained(subtests: pytest.Subtests) -> None:
    marked = {source for source in modules().values() if MARKED in text_of(source)}
    marked |= {
        asset for asset in CHECKOUT.glob("dashboard/**/*.[cj]s*") if MARKED in asset.read_text()
    }
    touching = {source for source in modules().values() if touches(source)}
    assert {"hearing.py", "numba_patches.py", "drawing.py"} <= {source.name for source in touching}
    assert touching <= marked
    for source in marked:
        with subtests.test(source.name):
            assert f"| `{source.name}`" in EXPLAINED
