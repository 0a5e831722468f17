"""`wattfront fair-shares SYSTEM --policy NAME` says what comes of whole tasks."""

import csv
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from capabilities.fair_shares.bag_files import bags_in

from core.capabilities.fair_shares import face
from core.capabilities.fair_shares.face import bags_named
from core.capabilities.fair_shares.optimum import least_stretch
from core.capabilities.fair_shares.tasks import policies as module
from core.capabilities.fair_shares.tasks.events import run_tasks
from core.capabilities.fair_shares.tasks.policies import TASK_POLICIES, task_policy_named
from core.capabilities.fair_shares.trials import published_scenario, redrawn
from core.vocabulary.budget import Effort

Run = Callable[..., Any]
SCORES = ["max_stretch", "sum_stretch", "max_flow", "sum_flow", "makespan", "seconds"]


def test_scores_of_all_policies(wattfront: Run, tmp_path: Path) -> None:
    said = wattfront(
        "fair-shares", bags_in(tmp_path), "--policy", "all", "--seconds", 0.02, "--json"
    )
    assert said.status == 0, said.err
    policies = said.data["policies"]
    assert len(policies) == 20
    for scores in policies.values():
        assert [*scores] == SCORES
        assert scores["max_stretch"] >= said.data["proven"]
    assert said.data["verified"] is True


@pytest.mark.parametrize(("flag", "left_out"), [("--online", "offline"), ("--offline", "online")])
def test_what_a_policy_may_know(wattfront: Run, tmp_path: Path, flag: str, left_out: str) -> None:
    said = wattfront(
        "fair-shares", bags_in(tmp_path), "--policy", "all", flag, "--seconds", 0, "--json"
    )
    assert len(said.data["policies"]) == 17
    assert not [name for name in said.data["policies"] if name.endswith(left_out)]


def test_an_outcome_is_written(wattfront: Run, tmp_path: Path) -> None:
    path = tmp_path / "tasks.csv"
    said = wattfront("fair-shares", bags_in(tmp_path / "bags"), "--policy", "fifo-mct", "-o", path)
    assert {each.name for each in tmp_path.iterdir()} == {
        *("bags", "tasks.csv", "tasks.toml", "tasks.system.zip")
    }
    assert said.out.split("written to")[1].split()[0] == str(path)
    with path.open(encoding="utf-8") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == 20
    assert rows[0]["bag"] == "A"
    assert rows[0]["machine"] == "1"
    assert [float(row["sent (s)"]) for row in rows] == sorted(float(r["sent (s)"]) for r in rows)


@pytest.mark.thorough
def test_drawn_scenarios(wattfront: Run) -> None:
    words = ("fair-shares", "published", "--policy", "spt-mct", "--trials", 2, "--seed", 200)
    data = wattfront(*words, "--json").data
    assert data["trials"] == 2
    first, second = (
        wattfront("fair-shares", "published", "--policy", "spt-mct", "--seed", seed, "--json").data
        for seed in (200, 201)
    )
    assert data["optimum"] == pytest.approx((first["optimum"] + second["optimum"]) / 2)
    scores = data["policies"]["spt-mct"]
    over = [one["policies"]["spt-mct"]["max_stretch"] / one["optimum"] for one in (first, second)]
    assert scores["over_optimum"] == pytest.approx(sum(over) / 2)
    # Of two values, the interval of 95 % is 12.7062 times half of their difference.
    half = abs(over[0] - over[1]) / 2 * 12.7062
    assert scores["confidence95"]["over_optimum"] == pytest.approx(half, rel=1e-5)
    assert "The best possible worst stretch is 6.969 ± " in wattfront(*words).out


def test_trials_of_ones_own_bags(wattfront: Run, tmp_path: Path) -> None:
    path = bags_in(tmp_path)
    words = ("fair-shares", path, "--policy", "spt-mct", "--policy", "fifo-rr", "--trials", 3)
    data = wattfront(*words, "--seed", 7, "--json").data
    bags = bags_named(str(path)).bags
    least = []
    for seed in (7, 8, 9):
        drawn = least_stretch(redrawn(bags, seed), early=False)
        least.append(drawn.stretch)
    assert data["optimum"] == pytest.approx(sum(least) / 3)
    assert data["verified"] is True
    found = data["policies"]
    best = data["best"]["max_stretch"]
    (other,) = {"spt-mct", "fifo-rr"} - {best}
    gap = found[other]["max_stretch"] - found[best]["max_stretch"]
    assert found[other]["behind_best"]["max_stretch"]["mean"] == pytest.approx(gap)
    assert found[best]["behind_best"]["max_stretch"] == {"mean": 0.0, "confidence95": 0.0}
    assert set(found[best]["confidence95"]) == {*SCORES, "over_optimum"}
    said = wattfront(*words, "--seed", 7).out
    assert "\nIn each trial the bags come in another random order" in said
    assert said.startswith(f"{path}: In 3 trials, ")


def test_trials_need_release_dates_to_draw(wattfront: Run, tmp_path: Path) -> None:
    path = bags_in(tmp_path, tasks_csv="task_type,count,data\nA,10,1\nB,6,2\nC,4,4\n")
    refused = wattfront("fair-shares", path, "--policy", "fifo-rr", "--trials", 2)
    assert refused.status == 2
    assert "its bags come all at once" in refused.err


def test_flags_that_do_not_go_together(wattfront: Run, tmp_path: Path) -> None:
    path = bags_in(tmp_path)
    for words, fault in (
        (("--policy", "all", "-o", tmp_path / "x.csv"), "takes the outcome of one policy"),
        (("--policy", "fifo-rr", "--trials", 2, "--front"), "--front is of one system"),
        (("--policy", "cbs3m-edf-offline", "--online"), "or name cbs3m-edf-online"),
        (("--policy", "all", "--policy", "polished-online", "--offline"), "or name polished-off"),
        (("--policy", "cbs3m-edf-online", "--online"), "--online is of --policy all"),
        (("--offline",), "--offline is of --policy all; leave out --offline, or add"),
        (("--policy", "all", "--policy", "fifo-r"), "there is no policy 'fifo-r'"),
        (("--policy", "fifo-r"), "there is no policy 'fifo-r'; did you mean fifo-rr?"),
        (("--policy", "fifo-rr", "-o", tmp_path / "x.txt"), "name a .csv file"),
        (("--policy", "fifo-rr", "-o", tmp_path / "no" / "x.csv"), "there is no such folder"),
        (("--policy", "fifo-rr", "--buffers", "1"), "holds more than 1 MB"),
    ):
        refused = wattfront("fair-shares", path, *words)
        assert refused.status == 2
        assert fault in refused.err
    lone = wattfront("fair-shares", "published", "--policy", "fifo-rr", "--engine", "processes")
    assert "--engine is for many trials" in lone.err
    cloud = wattfront("fair-shares", "published", "--engine", "cloud")
    assert "'cloud' is no engine" in cloud.err
    assert "name a policy" in wattfront("fair-shares", "published", "--trials", 2).err


def test_what_is_better_than_proven_is_not_verified(
    wattfront: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    original = face.compare_policies
    monkeypatch.setattr(
        face,
        "compare_policies",
        lambda least, policies, *_: original(replace(least, proven=99.0), policies),
    )
    said = wattfront("fair-shares", bags_in(tmp_path), "--policy", "fifo-rr")
    assert "FIFO RR: the worst stretch is below what is proven" in said.out


def test_no_policy_is_timed_with_compiling(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a clock that only compiling moves."""
    now = [0.0]

    def compiling(*_: object) -> None:
        now[0] += 20.0

    monkeypatch.setattr(module, "compile_replays", compiling)
    monkeypatch.setattr(module, "time", SimpleNamespace(perf_counter=lambda: now[0]))
    bags = bags_named(str(bags_in(tmp_path))).bags
    policies = [task_policy_named(name) for name in ("fifo-rr", "cbs3m-edf-offline")]
    runs = module.compare_policies(least_stretch(bags), policies)
    assert (now, [one.seconds for one in runs]) == ([20.0], [0.0, 0.0])


def test_all_replays_are_compiled_once() -> None:
    """Whatever a policy plans, numbers are in the same order, as compiled code expects them."""
    bags = published_scenario(3, 3, 2)
    policies = [*TASK_POLICIES.values()]
    module.compare_policies(least_stretch(bags), policies, Effort(work=1e-4))
    assert len(run_tasks.dispatcher.signatures) == 1
