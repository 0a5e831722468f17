"""The reports as they are kept say why what fails does, and the summary says what they say."""

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parents[3] / "docs"
REPORTS = (
    "makespan",
    "front",
    "profit",
    "provision",
    "arrivals",
    "arrivals-urgent",
    "arrivals-value",
    "stretch",
    "centre",
)


def read(name):
    return (DOCS / "reproduction" / f"{name}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", REPORTS)
def test_every_claim_that_fails_has_a_cause(name):
    assert "| not found |" not in read(name)


@pytest.mark.parametrize("name", REPORTS)
def test_the_summary_has_the_counts_of_the_report(name):
    counts = re.search(r"^## Claims of the publication: (\d+ of \d+) hold", read(name), re.M)[1]
    (row,) = re.findall(rf"^\| .*reproduction/{name}\.md.*$", summary(), re.M)
    assert f"| {counts} |" in row


def test_all_pictures_are_of_a_report():
    linked = {link for name in REPORTS for link in re.findall(r"!\[.*\]\((.+?)\)", read(name))}
    kept = {path.name for path in (DOCS / "reproduction").iterdir() if path.suffix != ".md"}
    assert kept == linked


def summary():
    return (DOCS / "reproduction.md").read_text(encoding="utf-8")
