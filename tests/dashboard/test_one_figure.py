"""A figure of a study is the same text on the pages, on the command line and in the report."""

import re
from html import unescape
from pathlib import Path

import pytest
from pages import Open, figures, settled
from read_back import times

from core.shells.cli import main
from core.vocabulary.say.words import Sense, duration
from dashboard.workspace.session import CHOSEN

QUICK = {"polish": 0, "spacing": 0.05}


def printed(capsys: pytest.CaptureFixture[str], *words: object) -> dict[str, str]:
    """What each labelled line of a command says, and under "" the first one."""
    assert main([str(word) for word in words]) == 0
    out = capsys.readouterr().out
    lines = re.findall(r"^  (\S.*?)  +(\S.*)$", out, re.MULTILINE)
    return {**dict(reversed(lines)), "": out.splitlines()[0]}


def reported(capsys: pytest.CaptureFixture[str], study: Path) -> str:
    page = study.with_suffix(".html")
    assert main(["report", str(study), "-o", str(page)]) == 0
    capsys.readouterr()
    return unescape(re.sub(r"<[^>]+>", "|", page.read_text()))


@pytest.mark.thorough
@pytest.mark.parametrize("sample", ["nine", "testbed", "two-by-two"])
def test_both_ends_of_a_front(
    open_page: Open, capsys: pytest.CaptureFixture[str], tmp_path: Path, sample: str
) -> None:
    page = settled(open_page("trade_offs", sample=sample, **QUICK))
    while not page.dataframe:  # the machine is busy
        page = settled(page)
    shown, table = figures(page), page.dataframe[0].value
    study = tmp_path / "study.json"
    said = printed(capsys, "front", sample, "--seconds", 0, "--spacing", 0.05, "--study", study)
    report = reported(capsys, study)

    fastest, least = shown["Fastest"], shown["Least energy"]
    assert said[""] == f"{sample}: {page.header[0].value}"
    assert said["Fastest"] == fastest
    assert said["Least energy"] == least
    assert page.header[0].value in report
    assert least in report
    assert table["Makespan"].iloc[0] == fastest
    assert f"|{fastest}|" in report
    number, unit = least.split()
    assert (f"Energy ({unit})", float(number)) in [
        (column, table[column].iloc[-1]) for column in table.columns
    ]


def test_a_deadline_that_is_met_is_answered_within_it(
    open_page: Open, capsys: pytest.CaptureFixture[str]
) -> None:
    page = settled(open_page("trade_offs", sample="nine", deadline=3900, **QUICK))
    said = printed(capsys, "solve", "nine", "--seconds", 0, "--deadline", "65min")
    assert said[""].startswith("nine: Done within 1 h 5 min. Done in ")
    chosen = page.session_state[CHOSEN]
    assert chosen.title == "Done within 1 h 5 min"
    shown = next(text.value for text in page.text if text.value.startswith("Done in "))
    for answer in (said["Makespan"], shown):
        assert 0 < times(answer)[0] <= 3900
    assert shown.startswith(f"Done in {duration(chosen.schedule.makespan, Sense.SPENT)} with ")


@pytest.mark.thorough
def test_the_most_that_can_be_earned(
    open_page: Open, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    study = tmp_path / "study.json"
    terms = ("--price", 2, "--energy-price", 0.3, "--seconds", 0, "--currency", "EUR")
    said = printed(capsys, "profit", "nine", *terms, "--study", study)
    report = reported(capsys, study)
    page = open_page("profit", sample="nine", profit_price=2, price=0.3)
    most = figures(page)["Upper bound"]
    assert said["Upper bound"] == most
    assert f"|Upper bound||{most}|" in report
