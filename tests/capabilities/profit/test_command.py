"""`profit` says what batches earn, what no schedule can earn more than, and when not to run."""

import re
import shlex

import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from strategies import systems

from core.capabilities.profit.settings import ProfitSettings
from core.engines.verify.judge import verify_stated
from core.files import inspect_schedule, write_system
from core.files.samples.named import load_sample
from core.shells.studies import commands, inspect_study
from core.vocabulary.prices.site import Site

AT_ONCE = ("--seconds", 0, "--json")
PART = ("--deadline", "6s", "--energy-price", 0)
DAY = "0:3600000,12:7200000"


def test_with_a_ratio_alone_a_joule_costs_one(wattfront, idling):
    data = wattfront("profit", idling, "--ratio", 1.2, *AT_ONCE).data
    assert data["unit"] == "money per second"
    assert data["price"] == pytest.approx(1656)
    assert data["upper_bound"] == pytest.approx(23.333333, abs=1e-6)
    assert data["profit"] == pytest.approx(256 / 12)
    assert list(data["seconds"]) == ["read", "bound", "recover", "verify"]


def test_with_a_price_of_energy_rates_are_hourly(wattfront, idling):
    """1656 a batch and 1 a joule, which is 3.6 million a kWh."""
    data = wattfront("profit", idling, "--price", 1656, "--energy-price", 3.6e6, *AT_ONCE).data
    assert data["unit"] == "money per hour"
    assert data["upper_bound"] == pytest.approx(3600 * 23.333333)
    assert data["profit"] == pytest.approx(3600 * 256 / 12)
    assert data["idle_profit"] == pytest.approx(-3600 * 30)


def test_not_running_is_an_answer(wattfront, idling, tmp_path):
    out = tmp_path / "none.csv"
    outcome = wattfront("profit", idling, "--ratio", 0.3, "--seconds", 0, "-o", out, "--json")
    assert outcome.status == 0
    data = outcome.data
    assert (data["runs"], data["regime"]) == (False, "does_not_run")
    assert data["profit"] == data["idle_profit"] == -30
    assert data["average_power"] == 30
    absent = ("bound_energy", "bound_makespan", "energy", "makespan", "period")
    assert {data[key] for key in absent} == {None}
    assert "warning" in outcome.err
    assert "no schedule to write" in outcome.err
    assert not out.exists()


def test_a_schedule_that_is_wrong_is_not_written(wattfront, idling, tmp_path, monkeypatch):
    monkeypatch.setattr("core.capabilities.profit.earn.keeps_terms", lambda *_: False)
    out = tmp_path / "wrong.csv"
    outcome = wattfront("profit", idling, "--ratio", 1.2, "--seconds", 0, "-o", out)
    assert outcome.status == 1
    assert "independent check disagrees with the schedule" in outcome.err
    assert re.search(r"verified +NO", outcome.out)
    assert not out.exists()


@pytest.mark.thorough
@pytest.mark.parametrize("suffix", [".csv", ".json", ".xlsx"])
def test_the_schedule_can_be_written(wattfront, tmp_path, suffix):
    out = tmp_path / f"schedule{suffix}"
    outcome = wattfront("profit", "nine", "--ratio", 1.5, "--seconds", 0.1, "-o", out)
    assert f"written to {out}" in outcome.out
    system = load_sample("nine")
    assert verify_stated(inspect_schedule(out, system).value, system).ok


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ((*PART, "--rewards", "A=5"), "no task type 'A'; there are 1, 2"),
        ((*PART, "--rewards", "1=5", "1=6"), "task type '1' is there twice"),
        ((*PART, "--rewards", "1=x"), "--rewards: 'x' is not a number"),
        ((*PART, "--rewards", "nowhere.csv"), "nowhere.csv: does not exist"),
        (("--ratio", 1, "--day-tariff", "0:1", "--start", "25:00"), "is not a time of day"),
        (("--ratio", 1, "--day-tariff", "0:1,24:2"), "'24:2' is no HOUR:PRICE"),
        (("--ratio", 1, "--wear", "C=1"), "no machine type 'C'; there are A, B"),
        (("--ratio", 1, "-o", "nowhere/x.csv"), "no such folder"),
        (("--ratio", 1, "--power-cap", "20W"), "on average the machines draw at least 30 W"),
        (("--ratio", 1, "--study", f"{300 * 'n'}/s.json"), "there is no such folder"),
    ],
)
def test_what_cannot_end_well_is_refused(wattfront, idling, words, complaint):
    outcome = wattfront("profit", idling, *words, "--json")
    assert outcome.status == 2
    assert any(complaint in said for said in outcome.complaints)
    assert outcome.data["ok"] is False


@examples(3)
@given(st.data())
def test_any_system_has_an_answer(wattfront, tmp_path_factory, data):
    system = data.draw(systems(dyadic=True, with_apc=True))
    path = tmp_path_factory.mktemp("any") / "system.json"
    write_system(system, path)
    ratio = data.draw(st.sampled_from([0, 0.5, 1, 2]))
    outcome = wattfront("profit", path, "--ratio", ratio, *AT_ONCE)
    assert outcome.status == 0
    assert outcome.data["profit"] <= outcome.data["upper_bound"]
    assert wattfront("profit", path, "--ratio", ratio, "--seconds", 0).status == 0


def test_one_batch_begins_when_electricity_is_cheap(wattfront, idling):
    """1 a joule until noon, 2 after; on average 1.5, which is what batches are priced by."""
    data = wattfront("profit", idling, "--ratio", 1.2, "--day-tariff", DAY, *AT_ONCE).data
    *usual, last = wattfront("profit", idling, "--ratio", 1.2, *AT_ONCE).data
    assert list(data) == [*usual, "day", last]
    assert data["unit"] == "money per hour"
    assert data["price"] == pytest.approx(1.2 * 1380 * 1.5)
    start, best, worst = (data["day"][name] for name in ("start", "best", "worst"))
    assert start == best
    assert (best["second"], best["electricity"]) == pytest.approx((0, 1400))
    assert worst["electricity"] == pytest.approx(2800)
    assert best["profit"] == pytest.approx(data["price"] - 1400)


@pytest.mark.parametrize("start", ["13:30", "13.5"])
def test_the_start_can_be_chosen(wattfront, idling, start, tmp_path):
    words = ("profit", idling, "--ratio", 1.2, "--energy-price", 3.6e6, "--pue", 1.5)
    extra = ("--day-tariff", DAY, "--start", start)
    data = wattfront(*words, *extra, *AT_ONCE).data
    assert data["price"] == pytest.approx(1656), "batches are priced by the one price given"
    assert data["day"]["start"]["second"] == 13.5 * 3600
    assert data["day"]["start"]["electricity"] == pytest.approx(2 * 1.5 * data["energy"])
    table = tmp_path / "tariff.csv"
    table.write_text("from,price\n00:00,3600000\n12,7200000\n")
    same = wattfront(*words, "--day-tariff", table, "--start", start, *AT_ONCE).data
    assert same["day"] == data["day"]
    said = wattfront(*words, *extra, "--seconds", 0).out
    assert "Start at 13:30: electricity then costs 4,500 EUR" in said
    assert "A start at 00:00 would cost 2,250 EUR less." in said
    table.write_text("from,price\n25,1\n7,\n")
    refused = wattfront(*words, "--day-tariff", table)
    assert "row line 2, column from: '25' is not a time of day" in refused.err
    assert "row line 3, column price: is blank" in refused.err


def test_without_a_batch_to_run_there_is_no_start(wattfront, idling):
    data = wattfront("profit", idling, "--ratio", 0.3, "--day-tariff", DAY, *AT_ONCE).data
    assert data["day"] is None
    said = wattfront("profit", idling, "--ratio", 0.3, "--day-tariff", DAY, "--seconds", 0).out
    assert "There is no batch to start: running nothing is best." in said


CARBON = ("--pue", 2, "--carbon", 2, "--carbon-price", 3)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("asked", "kept"),
    [
        (("--ratio", 1.2, "--wear", "A=3600"), ProfitSettings(ratio=1.2, wear=(("A", 1.0),))),
        (
            ("--price", 2500, "--energy-price", 3.6e6, "--wear", "A=3600", "--currency", "CHF"),
            ProfitSettings("bag", price=2500.0, site=Site(currency="CHF"), wear=(("A", 3600.0),)),
        ),
        (
            ("--ratio", 1.2, "--day-tariff", DAY, *CARBON, "--power-cap", 80, "--cap-at-machines"),
            ProfitSettings(
                site=Site(price=5.4e6, pue=2.0, cap_kw=0.16, carbon=2.0, carbon_price=3.0)
            ),
        ),
    ],
)
def test_a_study_file_tells_how_to_do_it_again(wattfront, idling, tmp_path, asked, kept):
    file = tmp_path / "study.json"
    data = wattfront("profit", idling, *asked, "--seconds", 0.1, "--study", file, "--json").data
    saved = inspect_study(file).require()
    found = saved.settings.block(ProfitSettings)
    assert (found.by, found.wear) == (kept.by, kept.wear)
    for name in ("currency", "pue", "cap_kw", "carbon", "carbon_price"):
        assert getattr(found.site, name) == getattr(kept.site, name)
    assert found.electricity == ("kWh" if data["unit"] == "money per hour" else "joule")
    if "--day-tariff" in asked:
        assert found.site.price == pytest.approx(kept.site.price)
    assert saved.choice.schedule.makespan == pytest.approx(data["makespan"])
    front, again = (shlex.split(line) for line in commands(saved.settings, saved.choice, file.name))
    assert front[:3] == ["wattfront", "front", "study.json"]
    same = wattfront("profit", file, *again[3:], "--json").data
    assert same["upper_bound"] == pytest.approx(data["upper_bound"], rel=1e-9)
    assert same["price"] == pytest.approx(data["price"], rel=1e-9)
    assert wattfront("report", file).status == 0
    page = file.with_suffix(".html").read_text()
    assert saved.choice.title.startswith("Earns ")
    assert saved.choice.title in page


def test_not_to_run_can_be_a_study(wattfront, idling, tmp_path):
    file = tmp_path / "study.json"
    said = wattfront("profit", idling, "--ratio", 0.3, "--seconds", 0, "--study", file).out
    assert said.endswith(f"\nwritten to {file}: the study\n")
    assert inspect_study(file).require().choice is None
    assert wattfront("report", file).status == 0
    assert "running nothing is best" in file.with_suffix(".html").read_text()


def test_a_study_keeps_the_idle_power_that_was_set(wattfront, idling, tmp_path):
    file = tmp_path / "study.json"
    asked = ("--ratio", 1.2, "--idle-power", 0.25, "--seconds", 0, "--study", file)
    wattfront("profit", idling, *asked)
    settings = inspect_study(file).require().settings
    assert (settings.idle.idle_power, settings.method) == (0.25, "bound")


def test_single_tasks_are_accepted_by_a_deadline(wattfront, idling):
    """Free electricity; A has room for six of type 1, B for two of type 2: none to spare."""
    outcome = wattfront("profit", idling, *PART, "--rewards", "1=10", "2=5", "--json")
    data = outcome.data
    assert data["accepted"] == {"1": 6, "2": 2}
    assert (data["earns"], data["profit"]) == pytest.approx((70, 70 * 600))
    assert data["upper_bound"] == pytest.approx(70 * 600)
    assert data["gap"] == pytest.approx(0, abs=1e-4)
    assert (data["deadline"], data["makespan"], data["verified"]) == (6, 6, True)
    assert (data["unit"], data["tasks"]) == ("money per hour", 12)
    assert "day" not in data
    said = wattfront("profit", idling, *PART, "--rewards", "1=10", "2=5").out
    assert "Accept 8 of 12 tasks." in said
    assert re.search(r"  1 +6 +6\n", said)


def test_rewards_may_stand_in_a_file_and_who_is_not_named_brings_nothing(
    wattfront, idling, tmp_path
):
    table, out = tmp_path / "rewards.csv", tmp_path / "schedule.csv"
    table.write_text("task_type,reward\n1,10\n")
    outcome = wattfront("profit", idling, *PART, "--rewards", table, "-o", out)
    assert "Accept 6 of 12 tasks." in outcome.out
    assert "wattfront verify takes it with --part" in outcome.out
    assert "6 of 12 tasks on" in wattfront("verify", idling, out, "--part").out
    assert wattfront("verify", idling, out).status == 2
    table.write_text("task_type,reward\n1,ten\n2,-1\n")
    refused = wattfront("profit", idling, *PART, "--rewards", table)
    assert refused.status == 2
    assert "rewards.csv, row line 2, column reward: 'ten' is not a number" in refused.err
    assert "rewards.csv, row line 3, column reward: -1 is out of range" in refused.err


def test_where_no_task_pays_none_is_accepted(wattfront, idling, tmp_path):
    words = ("--deadline", 6, "--energy-price", 3.6e6, "--rewards", "1=1", "2=1")
    outcome = wattfront("profit", idling, *words, "-o", tmp_path / "none.csv", "--json")
    assert outcome.status == 0
    assert outcome.data["accepted"] == {"1": 0, "2": 0}
    assert outcome.data["profit"] == pytest.approx(-30 * 3600)
    assert outcome.data["makespan"] is None
    assert "no task is worth accepting" in outcome.err
    assert "Accept no tasks" in wattfront("profit", idling, *words).out
