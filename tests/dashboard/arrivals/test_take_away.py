"""What the page Arrivals gives away is read back as what was shown."""

import io
import zipfile
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from arriving_days import a_day

from core.arrivals.asked import ArrivalsSettings
from core.arrivals.judging import judged
from core.arrivals.workload_reader import read_workload
from core.replay.outcome import ReplayOutcome
from core.replay.score import ReplayScore
from dashboard.arrivals.found import ArrivalsFound, DayFacts
from dashboard.arrivals.take_away import (
    command_of,
    figures_csv,
    outcome_archive,
    outcome_bytes,
    workload_bytes,
)

JOULES = 30 * 3.6e6


@pytest.fixture(scope="module")
def outcome() -> ReplayOutcome:
    return a_day(joules=JOULES)


@pytest.fixture(scope="module")
def found(outcome: ReplayOutcome) -> ArrivalsFound:
    answer = ArrivalsFound(ArrivalsSettings(policies=("max-upr",)))
    answer = answer.with_day(0, DayFacts(20, JOULES, JOULES, 20.0))
    return answer.with_score("max-upr", 0, ReplayScore.of(outcome, 0.5), outcome)


def test_figures_are_a_line_for_each_policy_and_day(found: ArrivalsFound) -> None:
    table = pd.read_csv(io.BytesIO(figures_csv(found)))
    assert table.loc[0, ["policy", "day", "jobs", "completed"]].tolist() == ["max-upr", 1, 20, 20]
    assert table.loc[0, "joules"] == pytest.approx(20 * 3.6e6)
    assert table.loc[0, "budget"] == JOULES


def test_jobs_are_a_row_each(found: ArrivalsFound, outcome: ReplayOutcome) -> None:
    csv = pd.read_csv(io.BytesIO(outcome_bytes(found, outcome, ".csv")))
    parquet = pd.read_parquet(io.BytesIO(outcome_bytes(found, outcome, ".parquet")))
    assert len(csv) == len(parquet) == 20
    assert np.allclose(csv["start"], outcome.start)


def test_the_archive_is_verified_by_the_judge(
    found: ArrivalsFound, outcome: ReplayOutcome, tmp_path: Path
) -> None:
    with zipfile.ZipFile(io.BytesIO(outcome_archive(found, outcome, "max-upr"))) as archive:
        archive.extractall(tmp_path)
    workload = tmp_path / "max-upr.workload.zip"
    answer = judged(workload, tmp_path / "max-upr.csv")
    assert answer is not None
    assert (answer.data["ok"], answer.data["completed"]) == (True, 20)


def test_the_workload_is_read_back_with_its_budget(
    found: ArrivalsFound, outcome: ReplayOutcome, tmp_path: Path
) -> None:
    path = tmp_path / "w.zip"
    path.write_bytes(workload_bytes(found, outcome))
    file = read_workload(path)
    assert file.day_joules == JOULES
    assert len(file.workload.jobs) == 20


def test_the_command_names_policies_and_rules(found: ArrivalsFound) -> None:
    both = replace(found.settings, policies=("easy", "max-upr"), filter="task", seed=7)
    assert command_of(replace(found, settings=both)) == (
        "wattfront replay wattfront-arrivals-workload.zip --policy easy --policy max-upr "
        "--drop 0.5 --seed 7 --filter task:2"
    )
    testbed = replace(found.settings, workload="testbed")
    assert command_of(replace(found, settings=testbed)).endswith("--seed 1 --every 50s")
