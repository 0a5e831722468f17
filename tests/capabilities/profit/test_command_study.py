"""A study file of `profit` tells how to do it again, and is reported as any other."""

import shlex

import pytest

from core.capabilities.profit.settings import ProfitSettings
from core.capabilities.profit.study_block import profit_settings_in
from core.shells.studies import commands, inspect_study

DAY = "0:3600000,12:7200000"
CARBON = ("--pue", 2, "--carbon", 2, "--carbon-price", 3)


@pytest.mark.parametrize(
    ("asked", "kept"),
    [
        (("--ratio", 1.2, "--wear", "A=3600"), ProfitSettings(ratio=1.2, wear=(("A", 1.0),))),
        (
            ("--price", 2500, "--energy-price", 3.6e6, "--wear", "A=3600", "--currency", "CHF"),
            ProfitSettings("bag", price=2500.0, currency="CHF", wear=(("A", 3600.0),)),
        ),
        (
            ("--ratio", 1.2, "--day-tariff", DAY, *CARBON, "--power-cap", 80, "--cap-at-machines"),
            ProfitSettings(energy_price=5.4e6, pue=2.0, cap_kw=0.16, carbon=2.0, carbon_price=3.0),
        ),
    ],
)
def test_a_study_file_tells_how_to_do_it_again(wattfront, idling, tmp_path, asked, kept):
    file = tmp_path / "study.json"
    data = wattfront("profit", idling, *asked, "--seconds", 0.1, "--study", file, "--json").data
    saved = inspect_study(file).require()
    found = profit_settings_in(saved.settings)
    for name in ("by", "currency", "pue", "cap_kw", "carbon", "carbon_price", "wear"):
        assert getattr(found, name) == getattr(kept, name)
    assert found.electricity == ("kWh" if data["unit"] == "money per hour" else "joule")
    if "--day-tariff" in asked:
        assert found.energy_price == pytest.approx(kept.energy_price)
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
    assert (settings.idle_power, settings.method) == (0.25, "bound")
