"""What the page Policies gives away is read back as what was shown."""

import io
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from arriving_days import a_day

from core.capabilities.arrivals.asked import ArrivalsSettings
from core.capabilities.arrivals.files.workload_reader import inspect_workload
from core.capabilities.arrivals.judging import judged
from core.capabilities.arrivals.question import TrialPart
from core.capabilities.arrivals.trials import PolicyTrial, ReplayComparison, bound_of
from core.capabilities.arrivals.uncertain.methods import BagBound
from core.engines.replay.outcome import ReplayOutcome, ReplayScore
from dashboard.parts.replays.replaying import ArrivalsFound, AskedReplays, replayed_day
from dashboard.parts.replays.take_away import (
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
    settings = ArrivalsSettings(policies=("max-upr",), jobs=100, budget=0.5)
    one = PolicyTrial(ReplayScore.of(outcome, 0.5), 20.0, JOULES, True, 20)
    compared = ReplayComparison({"max-upr": {0: one}}, settings.question(None), {0: 2 * JOULES})
    return ArrivalsFound(settings, None, compared, {"max-upr": outcome})


def test_figures_are_a_line_for_each_policy_and_day(found: ArrivalsFound) -> None:
    table = pd.read_csv(io.BytesIO(figures_csv(found)))
    assert table.loc[0, ["policy", "day", "jobs", "completed"]].tolist() == ["max-upr", 1, 20, 20]
    assert table.loc[0, "joules"] == pytest.approx(20 * 3.6e6)
    assert table.loc[0, "budget"] == JOULES


def test_jobs_are_a_row_each(found: ArrivalsFound, outcome: ReplayOutcome) -> None:
    csv = pd.read_csv(io.BytesIO(outcome_bytes(found, "max-upr", ".csv")))
    parquet = pd.read_parquet(io.BytesIO(outcome_bytes(found, "max-upr", ".parquet")))
    assert len(csv) == len(parquet) == 20
    assert np.allclose(csv["start"], outcome.start)


def test_the_archive_is_verified_by_the_judge(found: ArrivalsFound, tmp_path: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(outcome_archive(found, "max-upr"))) as archive:
        archive.extractall(tmp_path)
    workload = tmp_path / "max-upr.workload.zip"
    answer = judged(workload, tmp_path / "max-upr.csv")
    assert answer is not None
    assert (answer.data["ok"], answer.data["completed"]) == (True, 20)


def test_the_workload_is_read_back_with_its_budget(found: ArrivalsFound, tmp_path: Path) -> None:
    path = tmp_path / "w.zip"
    path.write_bytes(workload_bytes(found, "max-upr"))
    file = inspect_workload(path).require()
    assert file.day_joules == JOULES
    assert len(file.workload.jobs) == 20


def test_the_command_names_policies_and_rules(found: ArrivalsFound) -> None:
    both = replace(found.settings, policies=("easy", "max-upr"), filter="task", seed=7)
    assert command_of(both) == (
        "wattfront replay wattfront-arrivals-workload.zip --policy easy --policy max-upr "
        "--filter task:2 --seed 7"
    )
    testbed = replace(found.settings, workload="testbed")
    assert command_of(testbed).endswith("--seed 1 --every 50s")


BAGS = ArrivalsSettings(
    workload="uncertain", days=2, methods=("greedy-min", "weighed"), exchange=500.0
)


@pytest.fixture(scope="module")
def bags() -> ArrivalsFound:
    """Two bags under both methods; the bound of the second."""
    found = AskedReplays(BAGS, None).begun
    question = found.compared.question
    for part in found.compared.left:
        if part.policy is not None:
            found = found.with_replay(part, *replayed_day(question, part))
    part = TrialPart(1, None)
    bound = bound_of(question, part)
    return replace(found, compared=found.compared.with_results([(part, bound)]))


def test_bags_have_a_line_for_each_method_and_bag(bags: ArrivalsFound) -> None:
    table = pd.read_csv(io.BytesIO(figures_csv(bags)))
    assert table[["method", "bag"]].to_numpy().tolist() == [
        [method, bag] for bag in (1, 2) for method in BAGS.methods
    ]
    run = bags.compared.trials["weighed"][1]
    row = table[(table["method"] == "weighed") & (table["bag"] == 2)].iloc[0]
    assert run.expected is not None
    assert row["expected_makespan"] == pytest.approx(run.expected.makespan)
    assert row["makespan"] == pytest.approx(run.score.makespan)
    assert row["makespan"] < row["expected_makespan"], "tasks take less than is estimated"
    assert row["expected_energy"] == pytest.approx(run.expected.joules)
    assert row["energy"] == pytest.approx(run.score.joules)
    bound = bags.compared.bounds[1].bag
    assert BagBound(row["makespan_bound"], row["energy_bound"]) == bound
    assert table["makespan_bound"].isna().tolist() == [True, True, False, False]


@pytest.mark.thorough
def test_the_first_bag_is_replayed_from_its_workload(
    bags: ArrivalsFound, tmp_path: Path, wattfront: Callable[..., Any]
) -> None:
    words = command_of(BAGS).split()[2:]
    assert " ".join(words) == (
        "wattfront-arrivals-workload.zip --policy greedy-min --policy weighed --exchange-rate 500"
    )
    path = tmp_path / words[0]
    path.write_bytes(workload_bytes(bags, "weighed"))
    found = wattfront("replay", path, *words[1:], "--json").data["policies"]
    for method in BAGS.methods:
        score = bags.compared.trials[method][0].score
        assert found[method]["makespan"] == score.makespan
        assert found[method]["energy"] == score.joules
    with zipfile.ZipFile(io.BytesIO(outcome_archive(bags, "weighed"))) as archive:
        archive.extractall(tmp_path)
    answer = judged(tmp_path / "weighed.workload.zip", tmp_path / "weighed.csv")
    assert answer is not None
    assert (answer.data["ok"], answer.data["completed"]) == (True, 1024)
