"""What is taken away opens again as the same study, and is only of the system it was made for."""

import json

import numpy as np
import pytest

from core.front.wish import Tariff
from core.samples import load_sample
from core.studies import Settings, read_study_bytes
from core.study import Study, study
from dashboard.logic.chosen import Chosen
from dashboard.logic.draft import Change
from dashboard.logic.report import open_study, report_bytes, settings_of, study_bytes
from dashboard.logic.workspace import begin, edit, set_idle_fraction

ASKED = Settings("two-by-two", "two-by-two", seconds=0.0)


@pytest.fixture(scope="module")
def found() -> Study:
    return study(load_sample("two-by-two"), seconds=0)


def test_a_study_is_opened_as_it_was_taken_away(found: Study) -> None:
    chosen = Chosen.of(found.schedules[0], "Thriftiest")
    data = study_bytes(found, chosen, ASKED)
    assert open_study(data) == (found.system, ASKED, ())
    saved = read_study_bytes("s", data).require()
    assert saved.choice is not None
    assert saved.choice.title == "Thriftiest"
    np.testing.assert_array_equal(saved.choice.schedule.tasks, chosen.schedule.tasks)


def test_a_schedule_chosen_for_another_system_is_left_out(found: Study) -> None:
    other = found.system.with_idle_fraction(0.5)
    chosen = Chosen.of(study(other, seconds=0).schedules[0], "of another")
    assert json.loads(study_bytes(found, chosen, ASKED))["choice"] is None
    assert b"of another" not in report_bytes(found, chosen, ASKED)


def test_the_report_is_of_the_schedule_chosen(found: Study) -> None:
    chosen = Chosen.of(found.schedules[0], "Thriftiest")
    assert b"The schedule: Thriftiest" in report_bytes(found, chosen, ASKED)


def test_what_is_no_study_is_located() -> None:
    system, asked, problems = open_study(b"{}")
    assert (system, asked) == (None, None)
    assert "no document of the format" in problems[0].message


def test_settings_name_a_sample_only_while_it_is_one() -> None:
    tariff = Tariff(0.3)
    now = set_idle_fraction(begin("testbed"), 0.2)
    asked = settings_of(now, spacing=0.05, seconds=3.0, tariff=tariff, currency="CHF")
    assert asked == Settings(
        "testbed", "testbed", 0.2, spacing=0.05, seconds=3.0, tariff=tariff, currency="CHF"
    )
    edited = edit(now, now.version.tables.changed("etc", Change({0: {"m0": 5.0}})))
    asked = settings_of(edited, spacing=0.05, seconds=3.0)
    assert (asked.name, asked.sample) == ("testbed (edited)", None)


def test_without_powers_there_is_no_idle_power_to_set() -> None:
    now = set_idle_fraction(begin("e1"), 0.2)
    assert settings_of(now, spacing=0.05, seconds=3.0).idle_power is None
