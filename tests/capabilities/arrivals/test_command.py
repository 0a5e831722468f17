"""`wattfront replay` answers, and says what is wrong."""

import json
import re
import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from commands import ran
from interpreted import interpreted

from core.capabilities.arrivals.files.workload_file import WorkloadFile
from core.capabilities.arrivals.files.workload_writer import write_workload
from core.capabilities.arrivals.uncertain.bags import UncertainSettings, draw_uncertain
from core.capabilities.arrivals.uncertain.methods import WEIGHED, BagSettings, bag_bound, run_method
from core.engines.replay.workload import ArrivingJobs, Options, Pools, StopRights, Workload


@pytest.mark.thorough
def test_an_outcome_is_written_and_judged(capsys, tmp_path: Path) -> None:
    out = tmp_path / "o.csv"
    status, text, _ = ran(capsys, "replay", "testbed", "--policy", "max-upr", "--json", "-o", out)
    data = json.loads(text)
    assert (status, data["path"]) == (0, str(out))
    assert data["policies"]["max-upr"]["verified"] is True
    status, text, _ = ran(capsys, "verify", tmp_path / "o.workload.zip", out, "--json")
    assert status == 0
    judged = json.loads(text)
    assert judged["worth"] == pytest.approx(data["policies"]["max-upr"]["worth"])
    assert judged["policy"] == "max-upr"


def test_replay_and_verify_round_the_worth_alike(capsys, tmp_path: Path) -> None:
    """Of three days, since the worth of one may be rounded alike by chance."""
    for seed in range(3):
        words = ("testbed", "--policy", "easy", "--no-bound", "--seed", seed)
        replayed = ran(capsys, "replay", *words, "-o", tmp_path / "o.csv")[1]
        judged = ran(capsys, "verify", tmp_path / "o.workload.zip", tmp_path / "o.csv")[1]
        (said,) = re.findall(r"^  EASY backfilling +([\d.]+) ", replayed, re.M)
        assert f"worth      {said}\n" in judged


@pytest.fixture
def urgent(tmp_path: Path) -> Path:
    """A short job that is worth much comes while a long one runs, which may be stopped."""
    jobs = ArrivingJobs.plain(np.array([0.0, 600.0]))
    rights = StopRights.of(2, [False, True], [True, False])
    jobs = replace(jobs, priority=np.array([1.0, 9.0]), rights=rights)
    workload = Workload(Pools.of(["p"], [1]), jobs, Options.of(2, 0, 1, [6000.0, 60.0]))
    write_workload(WorkloadFile.as_estimated(workload), tmp_path / "urgent.zip")
    return tmp_path / "urgent.zip"


def test_what_stopping_costs_is_said(capsys, urgent: Path, monkeypatch) -> None:
    monkeypatch.setattr("core.capabilities.arrivals.trials.load_kernels", lambda _: None)
    words = ("replay", urgent, "--policy", "max-upt", "--stop", "greedy", "--kept", "5min")
    words = (*words, "--resume-cost", "30s", "--no-bound", "-o", urgent.with_name("o.csv"))
    with interpreted():
        status, text, _ = ran(capsys, *words, "--json")
    one = json.loads(text)["policies"]["upt-greedy"]
    assert (status, one["stops"], one["verified"]) == (0, 1, True)
    assert one["lost_core_seconds"] == 0
    assert one["urgent_wait"] == {"mean": 0, "p95": 0, "can": None, "never": 0}
    assert one["other_flow"] == 6000 + 60 + 30
    notes = tomllib.loads(urgent.with_name("o.toml").read_text())
    assert notes["stopping"]["checkpoints"] == 300
    assert (
        ran(capsys, "verify", urgent.with_name("o.workload.zip"), urgent.with_name("o.csv"))[0] == 0
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--policy", "easy", "--stop", "greedy"), "easy stops no job by 'greedy'"),
        (("--policy", "easy", "--kept", "1h"), "no policy stops a job"),
        (("--stop", "greedy", "--kept", "some"), "--kept"),
        (("--stop", "greedy", "--stop-cost", "-1s"), "--stop-cost"),
        (("--stop", "greedy", "--whom", "nobody"), "--whom"),
    ],
)
def test_ways_to_stop_that_cannot_be_are_refused(capsys, urgent: Path, words, said) -> None:
    status, _, error = ran(capsys, "replay", urgent, *words)
    assert status == 2
    assert said in error


@pytest.mark.thorough
def test_a_share_and_a_filter_reach_the_outcome(capsys, tmp_path: Path) -> None:
    words = ("--budget-share", "0.5", "--filter", "task:2", "--drop", "-1", "--every", "30s")
    out = tmp_path / "o.parquet"
    status, text, _ = ran(
        capsys, "replay", "testbed", "--policy", "max-upr", *words, "--json", "-o", out
    )
    one = json.loads(text)["policies"]["max-upr"]
    assert status == 0
    assert one["energy"] <= one["budget"]
    assert one["dropped"] == 0
    assert ran(capsys, "verify", tmp_path / "o.workload.zip", out)[0] == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("testbed", "--policy", "esay"), "did you mean easy"),
        (("tesbed",), "no sample workload is called 'tesbed'"),
        (
            ("budget-50",),
            "uncertain, urgent, value, value-testbed, budget-N and urgent-N with N",
        ),
        (("budget-50",), "(100 to 20,000)"),
        (("testbed", "--filter", "energy:3"), "'energy:3' is no filter"),
        (("testbed", "--filter", "task:0"), "out of range"),
        (("testbed", "--budget", "much"), "not a quantity of energy"),
        (("testbed", "--budget", "1", "--budget-share", "1"), "not allowed with"),
        (("testbed", "--policy", "all", "-o", "x.csv"), "the outcome of one policy"),
        (("testbed", "--policy", "easy", "-o", "x.txt"), "name a .csv or .parquet"),
        (("uncertain", "--budget", "1"), "knows no energy budget"),
        (
            ("uncertain", "--drop", "0.5"),
            "offline-maxmin does all jobs and drops none; leave --drop",
        ),
        (("uncertain", "--filter", "task"), "offline-maxmin uses no energy filter; leave --filter"),
        (
            ("uncertain", "--policy", "greedy-min", "--every", "30s"),
            "greedy-min plans at no fixed times; leave --every out",
        ),
        (
            ("uncertain", "--policy", "batch-maxmin", "--exchange-rate", "5"),
            "--exchange-rate is for the method weighed",
        ),
        (("testbed", "--exchange-rate", "5"), "--exchange-rate is for the method weighed"),
        (("uncertain", "--exchange-rate", "-1"), "out of range; give 0 to 1e+15 J/s"),
        (("urgent", "--kept", "0s"), "0s is the same as all; give all"),
        (("testbed", "--engine", "cloud"), "'cloud' is no engine"),
        (
            ("small-day", "--policy", "weighed"),
            "takes more than one core; methods for bags take tasks of one core each",
        ),
    ],
)
def test_what_is_wrong_is_said(capsys, words: tuple[str, ...], message: str) -> None:
    status, out, err = ran(capsys, "replay", *words)
    assert (status, out) == (2, "")
    assert message in err


@pytest.mark.thorough
def test_bags_have_bounds_of_makespan_and_energy(capsys) -> None:
    words = ("uncertain", "--policy", "weighed", "--policy", "greedy-min", "--every", "60s")
    data = json.loads(ran(capsys, "replay", *words, "--json")[1])
    case = draw_uncertain(UncertainSettings())
    bound = bag_bound(*case)
    assert (data["makespan_bound"], data["energy_bound"]) == (bound.makespan, bound.joules)
    for method in ("weighed", "greedy-min"):
        assert data["policies"][method]["makespan"] > bound.makespan
        assert data["policies"][method]["energy"] > bound.joules
    said = ran(capsys, "replay", *words)[1]
    assert re.search("No method could have taken less than 21 h 3. min, or less than 66.83 k", said)
    assert "Bags end first under the method weighed: after 1 d " in said
    assert re.search(r"^  Makespan +1 d ", said, re.M)
    assert "Worth" not in said, "it is the same under all methods"


@pytest.mark.parametrize("words", [("--no-bound",), ("--policy", "easy")])
def test_policies_that_may_drop_jobs_have_no_bound_of_makespan(capsys, words) -> None:
    data = json.loads(
        ran(capsys, "replay", "uncertain", "--policy", "greedy-min", *words, "--json")[1]
    )
    assert data["makespan_bound"] is data["energy_bound"] is None
    assert (data["bound"] is None) == ("--no-bound" in words)


@pytest.fixture
def bag(tmp_path: Path) -> Path:
    """Three jobs of 100 s and 1 kJ on one core."""
    (tmp_path / "pools.csv").write_text("pool,units\nA,1\n")
    (tmp_path / "jobs.csv").write_text("job,arrival\na,0\nb,10\nc,20\n")
    rows = "".join(f"{job},A,1,100,10\n" for job in "abc")
    (tmp_path / "options.csv").write_text(f"job,pool,units,seconds,watts\n{rows}")
    return tmp_path


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ('end = "250s"', "workload, column end: is 250 s; methods for bags do all jobs, so leave"),
        ('budget = "500J"', "greedy-min knows no energy budget, and the workload has one; add "),
    ],
)
def test_methods_for_bags_refuse_what_they_would_not_keep(
    capsys, bag: Path, settings: str, message: str
) -> None:
    (bag / "workload.toml").write_text(settings)
    status, out, err = ran(capsys, "replay", bag, "--policy", "easy", "--policy", "greedy-min")
    assert (status, out) == (2, "")
    assert message in err
    assert ran(capsys, "replay", bag, "--policy", "easy", "--no-bound")[0] == 0


@pytest.mark.parametrize("settings", ["", 'begin = "50s"', 'budget = "500J"'])
def test_methods_for_bags_replay_a_bag_without_its_budget(capsys, bag: Path, settings: str) -> None:
    (bag / "workload.toml").write_text(settings)
    words = ("--policy", "greedy-min", "--budget", "none", "--json")
    status, text, _ = ran(capsys, "replay", bag, *words)
    one = json.loads(text)["policies"]["greedy-min"]
    assert (status, one["completed"], one["makespan"], one["budget"]) == (0, 3, 300.0, None)
    assert one["worth_share"] <= 1


@pytest.mark.thorough
def test_the_exchange_rate_reaches_the_weighed_method(capsys) -> None:
    words = ("uncertain", "--policy", "weighed", "--no-bound", "--json")
    case = draw_uncertain(UncertainSettings())
    for rate in (None, "0", "10000"):
        given = () if rate is None else ("--exchange-rate", rate)
        found = json.loads(ran(capsys, "replay", *words, *given)[1])["policies"]["weighed"]
        settings = BagSettings(exchange=None if rate is None else float(rate))
        outcome = run_method(*case, WEIGHED, settings)
        assert (found["makespan"], found["energy"]) == (outcome.makespan, outcome.joules)


def _vptr(capsys, *words: str) -> dict[str, object]:
    said = "--policy", "max-vptr", "--no-bound", "--json"
    status, text, err = ran(capsys, "replay", *words, *said)
    assert status == 0, err
    found = json.loads(text)["policies"]["max-vptr"]
    return {name: value for name, value in found.items() if not name.startswith("seconds")}


def test_a_day_of_value_has_other_cores_memory_and_weights(capsys, tmp_path: Path) -> None:
    ran(capsys, "generate-workload", "value", "-o", tmp_path / "day")
    usual = _vptr(capsys, "value")
    assert _vptr(capsys, "value", "--weights", tmp_path / "day") == usual
    few = _vptr(capsys, "value", "--cores", 128)
    assert few["worth"] < usual["worth"]
    assert few == _vptr(capsys, "value-128-256")
    assert _vptr(capsys, "value", "--memory", 384) == _vptr(capsys, "value-256-384")
    weights = tmp_path / "day" / "weights.csv"
    rows = weights.read_text().splitlines()
    weights.write_text("\n".join([rows[0], *(f"{row.rsplit(',', 1)[0]},0" for row in rows[1:])]))
    assert _vptr(capsys, "value", "--weights", weights)["value_energy"] == 0
    assert _vptr(capsys, "value", "--memory-weight", 0)["worth"] != usual["worth"]
    assert _vptr(capsys, "value", "--memory-weight", 1) == usual
    status, _, err = ran(capsys, "replay", "value", "--memory", 10)
    assert (status, "--memory is 10.0; give 40 to" in err) == (2, True)
    by_price = _vptr(capsys, "value", "--weights", "tariff", "--day-tariff", "0:0.1,12:0.3")
    assert by_price["value_energy"] not in (0, usual["value_energy"])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("budget", "--cores", 64), "--cores: for the workload value only, and budget is another"),
        (("value", "--cores", 8), "8 is out of range"),
        (("value", "--weights", "tariff"), "the same at all hours; give --day-tariff"),
        (
            ("budget", "--weights", "tariff", "--day-tariff", "0:1,9:2"),
            "the jobs have no value functions; leave it out",
        ),
        (("value", "--weights", "none.csv"), "none.csv: does not exist"),
    ],
)
def test_weights_and_amounts_that_are_not_for_a_workload_are_said(capsys, words, message) -> None:
    status, _, err = ran(capsys, "replay", *words)
    assert status == 2
    assert message in err
