"""A study is taken away as it is shown, with the command that makes it again, or says to wait."""

import json
import shlex
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from pages import Open, settled, visit
from patience import PATIENCE
from streamlit.testing.v1 import AppTest

from core.capabilities.makespan.solve import solve
from core.capabilities.profit.settings import ProfitSettings
from core.engines.front.data import front_csv
from core.engines.front.study import Study, study
from core.engines.front.wish import Deadline
from core.files import limits
from core.files.samples.named import load_sample
from core.shells.cli.entry import main
from core.shells.studies import SavedStudy, StudySettings, inspect_study_bytes
from core.vocabulary.budget import Effort
from core.vocabulary.prices.site import Site
from core.vocabulary.problems import InvalidInput
from core.vocabulary.without_work import AS_GIVEN, WithoutWork
from dashboard.parts.taking import take_away
from dashboard.parts.taking.take_away import (
    BUSY,
    TOO_LARGE,
    fits_study_file,
    report_bytes,
    settings_of,
    study_bytes,
)
from dashboard.workspace.answering import PolishSettings
from dashboard.workspace.chosen import Chosen
from dashboard.workspace.draft import Change
from dashboard.workspace.session import ANSWER, CHOSEN
from dashboard.workspace.workspace import begin, edit, set_idle_fraction

Files = dict[str, Callable[[], bytes]]

DAY = "0:0.3 7:0.1"
QUICK = {"polish": 0, "spacing": 0.05}
FRONT = "Front (CSV)"
REPORT, STUDY = "Report (HTML)", "Study file (JSON)"
CURVE, WORTH = "Profit over the price (CSV)", "Value of small changes (CSV)"


def buttons(page: AppTest) -> dict[str, Any]:
    return {b.label: b for b in page.download_button if b.label in (REPORT, STUDY)}


def disabled(page: AppTest) -> list[bool]:
    return [button.proto.disabled for button in buttons(page).values()]


def saved(files: Files) -> SavedStudy:
    return inspect_study_bytes("study.json", files[STUDY]()).require()


def command(page: AppTest) -> list[str]:
    return shlex.split(page.code[0].value)


def test_the_study_on_the_page_is_what_is_taken_away(open_page: Open, files: Files) -> None:
    page = settled(open_page("trade_offs", sample="testbed", idle=0.1, axis="money", **QUICK))
    shown = page.session_state[ANSWER].study
    again = saved(files)
    assert (again.system, again.choice) == (shown.system, None)
    np.testing.assert_array_equal(again.points, shown.points)
    assert (again.settings.sample, again.settings.idle.idle_power) == ("testbed", 0.1)
    assert (again.settings.spacing, again.settings.seconds) == (0.05, 0.0)
    assert again.settings.site == Site()
    assert again.settings.view == {"axis": "money", "spacing": "0.05", "polish": "0"}
    assert files[REPORT]().startswith(b"<!doctype html>")
    assert disabled(page) == [False, False]
    assert files[FRONT]() == front_csv(shown)


def test_the_wish_goes_with_the_schedule_that_answers_it(open_page: Open, files: Files) -> None:
    page = settled(open_page("trade_offs", sample="testbed", deadline=1e6, **QUICK))
    again = saved(files)
    assert again.choice is not None
    assert again.choice.schedule.energy == page.session_state[CHOSEN].schedule.energy
    assert again.choice.wish == Deadline(1e6)


def test_the_command_beside_it_is_one_that_runs(
    open_page: Open, capsys: pytest.CaptureFixture[str]
) -> None:
    page = settled(open_page("trade_offs", sample="testbed", idle=0.1, **QUICK))
    program, *words = command(page)
    assert program == "wattfront"
    assert main([*words, "--json"]) == 0
    shown = page.session_state[ANSWER].study
    found = json.loads(capsys.readouterr().out)
    assert found["vertices"] == shown.front.points.tolist()
    assert found["schedules"] == shown.achieved.tolist()


@pytest.mark.thorough
def test_while_it_is_worked_on_nothing_can_be_taken_and_the_reason_is_told(
    open_page: Open,
) -> None:
    page = open_page("trade_offs", sample="testbed", polish=60)
    (job,) = page.session_state["trade_offs.jobs"].running()
    job.wait(3, PATIENCE)  # until it polishes: stopped before that, there is no study to take away
    page.run()
    assert {button.proto.help for button in buttons(page).values()} == {BUSY}
    assert disabled(page) == [True, True]
    job.cancel()
    settled(page)
    assert disabled(page) == [False, False]
    work = command(page)[command(page).index("--work") + 1]
    assert float(work) < 60, "what was stopped is not passed off as polished to the end"


def test_the_schedule_takes_the_study_shown_before_with_it(open_page: Open, files: Files) -> None:
    page = settled(open_page("trade_offs", sample="testbed", deadline=1e9, **QUICK))
    visit(page, "schedule")
    again, chosen = saved(files), page.session_state[CHOSEN]
    assert len(again.points) == len(page.session_state[ANSWER].study.points)
    assert again.choice is not None
    assert again.choice.title == chosen.title
    assert again.choice.schedule.energy == chosen.schedule.energy


def test_without_a_study_a_quick_one_is_made_only_when_it_is_wanted(
    open_page: Open, files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []

    def counting(*args: Any, **kwargs: Any) -> Study:
        asked.append(kwargs)
        return study(*args, **kwargs)

    monkeypatch.setattr(take_away, "study", counting)
    page = open_page("importing", sample="two-by-two")
    schedule = solve(load_sample("two-by-two"), method="paper").schedule
    page.session_state[CHOSEN] = Chosen.of(schedule, "By hand")
    visit(page, "schedule")
    assert not asked
    again = saved(files)
    assert len(asked) == 1
    assert again.choice is not None
    assert (again.choice.title, again.settings.seconds) == ("By hand", 0.0)


def test_the_profit_page_gives_its_numbers_and_a_study_of_what_earns_most(
    open_page: Open, files: Files, capsys: pytest.CaptureFixture[str]
) -> None:
    page = open_page(
        "profit", sample="testbed", idle=0.1, profit_ratio=1.5, day_tariff="0:0.3 7:0.1"
    )
    assert files[CURVE]().startswith(b"profit ratio,price of a batch (EUR),at most (EUR/h),")
    assert b"1 kW more power cap" in files[WORTH]()
    assert b"<h2>Profit</h2>" in files[REPORT]()
    again = saved(files)
    assert again.settings.block(ProfitSettings) is not None
    assert again.settings.block(ProfitSettings).ratio == 1.5
    assert again.settings.site.day_tariff == ((0.0, 0.3), (7.0, 0.1))
    assert again.choice is not None
    assert again.choice.title.startswith("Earns ")
    lines = page.code[0].value.splitlines()
    assert [line.split()[1] for line in lines] == ["front", "profit"]
    assert main([*shlex.split(lines[1])[1:], "--seconds", "0", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["day"]["best"]["second"] == 7 * 3600


@pytest.mark.thorough
def test_what_was_asked_about_profit_goes_with_the_study_of_other_pages(
    open_page: Open, files: Files
) -> None:
    page = settled(open_page("trade_offs", sample="testbed", idle=0.1, **QUICK))
    assert saved(files).settings.block(ProfitSettings) is None
    visit(page, "profit")
    page.slider(key="profit.ratio").set_value(2.0).run()
    visit(page, "trade_offs")
    settled(page)
    profit = saved(files).settings.block(ProfitSettings)
    assert profit is not None
    assert profit.ratio == 2.0


def test_a_schedule_too_large_for_a_study_file_leaves_the_report(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = settled(open_page("trade_offs", sample="testbed", deadline=1e9, **QUICK))
    monkeypatch.setattr(limits, "CELLS", 1)
    page.run()
    assert buttons(page)[STUDY].proto.help == TOO_LARGE
    assert not buttons(page)[REPORT].proto.disabled


ASKED = StudySettings("two-by-two", "two-by-two", seconds=0.0)


@pytest.fixture(scope="module")
def found() -> Study:
    return study(load_sample("two-by-two"), effort=Effort(0))


def test_a_study_is_read_as_it_was_taken_away(found: Study) -> None:
    chosen = Chosen.of(found.schedules[0], "Thriftiest")
    saved = inspect_study_bytes("s", study_bytes(found, chosen, ASKED)).require()
    assert (saved.system, saved.settings) == (found.system, ASKED)
    assert saved.choice is not None
    assert saved.choice.title == "Thriftiest"
    np.testing.assert_array_equal(saved.choice.schedule.tasks, chosen.schedule.tasks)
    assert b"The schedule: Thriftiest" in report_bytes(found, chosen, ASKED)


def test_a_schedule_chosen_for_another_system_is_left_out(found: Study) -> None:
    other = found.system.with_idle_fraction(0.5)
    chosen = Chosen.of(study(other, effort=Effort(0)).schedules[0], "of another")
    assert json.loads(study_bytes(found, chosen, ASKED))["choice"] is None
    assert b"of another" not in report_bytes(found, chosen, ASKED)


def test_a_schedule_that_no_study_file_can_hold_is_known_before(
    found: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = Chosen.of(found.schedules[0], "Thriftiest")
    assert fits_study_file(None)
    assert fits_study_file(chosen)
    monkeypatch.setattr(limits, "CELLS", chosen.schedule.tasks.size - 1)
    assert not fits_study_file(chosen)
    with pytest.raises(InvalidInput):
        study_bytes(found, chosen, ASKED)


def test_settings_name_a_sample_only_while_it_is_one() -> None:
    now, polish = set_idle_fraction(begin("testbed"), 0.2), PolishSettings(0.05, 3.0)
    now, view = replace(now, site=Site(0.2, currency="CHF")), {"axis": "money"}
    wanted = {"spacing": 0.05, "seconds": 3.0, "site": now.site, "view": view}
    asked = settings_of(now, polish, {}, view)
    assert asked == StudySettings("testbed", "testbed", WithoutWork(0.2), work=3.0, **wanted)
    edited = edit(now, now.version.tables.changed("etc", Change({0: {"m0": 5.0}})))
    asked = settings_of(edited, polish, {})
    assert (asked.name, asked.sample) == ("testbed (edited)", None)


def test_without_powers_there_is_no_idle_power_to_set_and_no_block_of_a_front() -> None:
    now = set_idle_fraction(begin("e1"), 0.2)
    blocks: dict[str, object] = {"profit": ProfitSettings(), "provision": "a plan"}
    asked = settings_of(now, PolishSettings(0.05, 3.0), blocks)
    assert (asked.idle, [*asked.blocks]) == (AS_GIVEN, ["provision"])
