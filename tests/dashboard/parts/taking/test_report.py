"""What is taken away opens again as the same study, and is only of the system it was made for."""

import json

import numpy as np
import pytest

from core.engines.front.study import Study, study
from core.engines.front.tariff import Tariff
from core.files import limits
from core.files.samples.named import load_sample
from core.shells.studies import StudySettings, inspect_study_bytes
from core.vocabulary.budget import Effort
from core.vocabulary.problems import InvalidInput
from dashboard.parts.taking.take_away import fits_study_file, report_bytes, settings_of, study_bytes
from dashboard.workspace.chosen import Chosen
from dashboard.workspace.draft import Change
from dashboard.workspace.workspace import begin, edit, set_idle_fraction

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
    tariff = Tariff(0.3)
    now = set_idle_fraction(begin("testbed"), 0.2)
    wanted = {"spacing": 0.05, "seconds": 3.0, "tariff": tariff, "currency": "CHF"}
    asked = settings_of(now, **wanted)
    assert asked == StudySettings("testbed", "testbed", 0.2, work=3.0, **wanted)
    edited = edit(now, now.version.tables.changed("etc", Change({0: {"m0": 5.0}})))
    asked = settings_of(edited, spacing=0.05, seconds=3.0)
    assert (asked.name, asked.sample) == ("testbed (edited)", None)


def test_without_powers_there_is_no_idle_power_to_set() -> None:
    now = set_idle_fraction(begin("e1"), 0.2)
    assert settings_of(now, spacing=0.05, seconds=3.0).idle_power is None
