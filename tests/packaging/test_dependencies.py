"""Every dependency is used, pinned and explained; where internals are touched, it says so."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement

CHECKOUT = Path(__file__).parents[2]
EXPLAINED = (CHECKOUT / "docs" / "dependencies.md").read_text(encoding="utf-8")
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
FOR_ANOTHER = {"scipy": "numba"}
"""Imported by none of ours, but by another dependency, which does not require it by itself."""
INTERNALS = re.compile(
    r"(streamlit\.(runtime|web|proto|elements|static)\b|numba\.(core|extending)\b)"
)
"""Modules that their packages do not document."""
MARKED = "Internals:"


def sources() -> Iterator[Path]:
    """The modules of the package, without what numba and Python cache."""
    for package in ("core", "dashboard"):
        yield from sorted((CHECKOUT / package).rglob("*.py"))


def imports(source: Path) -> Iterator[str]:
    """Dotted names that a module imports when it runs."""
    tree = ast.parse(source.read_text(encoding="utf-8"))
    for_types = {
        inner
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Import) and node not in for_types:
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node not in for_types:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def touches(source: Path) -> bool:
    """Whether a module uses what another package does not promise to keep."""
    text = source.read_text(encoding="utf-8")
    return any(map(INTERNALS.match, imports(source))) or "_validate=False" in text


@pytest.fixture(scope="module")
def imported() -> set[str]:
    """The packages that ours import."""
    return {name.partition(".")[0] for source in sources() for name in imports(source)}


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
    marked = {source for source in sources() if MARKED in source.read_text(encoding="utf-8")}
    marked |= {
        asset for asset in CHECKOUT.glob("dashboard/**/*.[cj]s*") if MARKED in asset.read_text()
    }
    touching = {source for source in sources() if touches(source)}
    assert {"hearing.py", "compiled.py", "drawing.py"} <= {source.name for source in touching}
    assert touching <= marked
    for source in marked:
        with subtests.test(source.name):
            assert f"| `{source.name}`" in EXPLAINED
