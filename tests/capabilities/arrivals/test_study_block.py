"""A study file keeps a question about work that arrives, with the workload that a person gave and
the command line that answers it.
"""

import json
import shlex
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core import InvalidInput, replay, study
from core.capabilities.arrivals import CAPABILITY
from core.capabilities.arrivals.asked import GIVEN, ArrivalsSettings, GivenWorkload, WorkloadName
from core.capabilities.arrivals.files.workload_file import WorkloadFile
from core.capabilities.arrivals.files.workload_reader import inspect_workload_bytes
from core.capabilities.arrivals.made.job_sizes import JobSize, JobSizes
from core.capabilities.arrivals.made.synthetic import BudgetSettings, draw_budget_day
from core.capabilities.arrivals.question import TrialPart
from core.capabilities.arrivals.study_block import (
    MOST_JOBS,
    AskedArrivals,
    asked_in,
    commands,
    fits_study,
    read,
    written,
)
from core.capabilities.arrivals.trials import replayed
from core.capabilities.arrivals.uncertain.methods import BAG_METHODS
from core.engines.front.study import Study
from core.engines.logs.types.requeued import LostWork
from core.engines.replay.classes import JobClass
from core.engines.replay.workload import Truth
from core.files.findings import Findings
from core.files.samples.named import load_sample
from core.files.strict_json import Fields
from core.shells.report import report_html
from core.shells.studies import StudySettings, inspect_study, write_study

JOBS = b"job,arrival,seconds,units,watts\na,0,60,1,100\nb,30,90,2,100\nc,40,60,1,100\n"


@pytest.fixture(scope="module")
def front() -> Study:
    return study(load_sample("two-by-two"), method="bound")


def told(content: dict[str, object]) -> tuple[AskedArrivals, list[str]]:
    findings = Findings()
    asked = read(Fields(content, "s.json [arrivals]", findings), None)
    return asked, [str(problem) for problem in findings.problems()]


def own_workload(jobs: bytes = JOBS) -> GivenWorkload:
    return GivenWorkload("my jobs.csv", "", inspect_workload_bytes("my jobs.csv", jobs).require())


def test_the_question_and_its_command_are_in_a_study_file(
    front: Study, tmp_path: Path, wattfront: Callable[..., Any]
) -> None:
    settings = ArrivalsSettings(
        jobs=100, days=2, seed=3, policies=("easy", "max-upe"), budget=0.5, filter="task"
    )
    path = tmp_path / "s.json"
    blocks = CAPABILITY.block(AskedArrivals(settings))
    write_study(front, StudySettings("two-by-two", "two-by-two", blocks=blocks), path)
    words = "--policy easy --policy max-upe --filter task:2 --budget-share 0.5 --trials 2 --seed 3"
    said = json.loads(path.read_text())["commands"][-1]
    assert said == f"wattfront replay s.json {words}"
    found = inspect_study(path).require().settings.block(AskedArrivals)
    assert found is not None
    assert found.settings == settings
    named = wattfront("replay", "budget-100", *words.split(), "--no-bound", "--json").data
    kept = wattfront("replay", path, *words.split(), "--no-bound", "--json").data
    for policy in ("easy", "max-upe"):
        assert kept["policies"][policy]["worth"] == named["policies"][policy]["worth"] > 0
    assert kept["trials"] == 2


@pytest.mark.parametrize("workload", GIVEN)
def test_the_workload_of_a_person_is_in_the_study_file(
    front: Study, tmp_path: Path, wattfront: Callable[..., Any], workload: WorkloadName
) -> None:
    mine = own_workload()
    settings = ArrivalsSettings(workload=workload, policies=("easy",), budget=None, own=mine.digest)
    path = tmp_path / "s.json"
    blocks = CAPABILITY.block(AskedArrivals(settings, mine))
    write_study(front, StudySettings("two-by-two", "two-by-two", blocks=blocks), path)
    reading = inspect_study(path)
    assert reading.problems == ()
    found = reading.require().settings.block(AskedArrivals)
    assert found is not None
    assert found.given is not None
    assert found.given.name == "my jobs.csv"
    assert found.settings.workload == workload
    work = found.given.file.workload
    assert [work.jobs.name(job) for job in range(3)] == ["a", "b", "c"]
    assert work.jobs.arrival.tolist() == [0, 30, 40]
    assert work.options.units.tolist() == [1, 2, 1]
    assert found.settings.own == found.given.digest != ""
    outcome = wattfront("replay", path, "--policy", "easy", "--json")
    assert outcome.status == 0
    assert outcome.data["policies"]["easy"]["completed"] == 3


def test_the_classes_of_a_log_are_kept_with_its_jobs() -> None:
    rows = (JobClass(qos="high", worth=5, full_hours=1, nothing_hours=8, may_stop_others=True),)
    lost = LostWork(2, 3, 7200.0, 900.0)
    asked = AskedArrivals(
        ArrivalsSettings(workload="own"), replace(own_workload(), classes=rows, lost=lost)
    )
    said = json.loads(json.dumps(written(asked)))
    found, problems = told(said)
    assert problems == []
    assert found.given is not None
    assert (found.given.classes, found.given.lost) == (rows, lost)
    for wrong, message in (
        ([{"qos": "a", "may_stop": True}], "row 1, column may_stop: is not a key of a class of"),
        ([{"qos": "a", "full_hours": 3}], "row number 1, column nothing_hours: is blank"),
        ([{"qos": 3}], "row 1, column qos: is missing or not text"),
        ({"qos": "a"}, "column classes: is no list of classes; give"),
    ):
        said["own"]["classes"] = wrong
        assert message in " ".join(told(said)[1])


def test_the_sizes_of_a_log_are_kept_with_its_jobs() -> None:
    small, big = JobSize("a", 1, 2.0, 0.5, (None,)), JobSize("b", 2, 2.0, None, (7.0,))
    sizes = JobSizes((small, big), ("FT",))
    asked = AskedArrivals(ArrivalsSettings(workload="own"), replace(own_workload(), sizes=sizes))
    said = json.loads(json.dumps(written(asked)))
    found, problems = told(said)
    assert problems == []
    assert found.given is not None
    assert found.given.sizes[:2] == sizes[:2]
    for wrong, message in (
        ("size,cores,memory_gb\na,1,x\n", "[sizes], row line 2, column memory_gb: 'x' is not a"),
        (3, "column sizes: is missing or not text"),
    ):
        said["own"]["sizes"] = wrong
        assert message in " ".join(told(said)[1])


def test_commands_say_what_a_workload_is_asked() -> None:
    def line(settings: ArrivalsSettings) -> str:
        (words,) = commands(AskedArrivals(settings))
        return " ".join(map(str, words))

    assert line(ArrivalsSettings(policies=("easy",), budget=None)) == (
        "--policy easy --budget none --seed 1"
    )
    own = ArrivalsSettings(workload="own", policies=("easy",), budget=None, days=9)
    assert line(own) == "--policy easy --seed 1"
    tasks = ArrivalsSettings(workload="tasks", methods=("weighed",))
    assert line(tasks) == "--question late --policy weighed"
    bags = ArrivalsSettings(workload="uncertain", days=4)
    assert line(bags) == "--question late --trials 4 --seed 1"
    of_a_file = bags.words(is_file=True)
    assert of_a_file == [word for method in BAG_METHODS for word in ("--policy", method)]
    assert line(replace(bags, exchange=2e3)).endswith("--exchange-rate 2000.0 --trials 4 --seed 1")
    some = replace(bags, methods=("greedy-min", "weighed"), exchange=0.0)
    assert line(some) == (
        "--question late --policy greedy-min --policy weighed --exchange-rate 0.0 --trials 4 "
        "--seed 1"
    )
    unweighed = replace(some, methods=("greedy-min",))
    assert line(unweighed) == "--question late --policy greedy-min --trials 4 --seed 1"


def test_a_study_keeps_a_question_of_each_kind_and_its_commands_answer_both(
    front: Study, tmp_path: Path, wattfront: Callable[..., Any]
) -> None:
    """Issue 35: a file kept that of the page it was exported from."""
    days = AskedArrivals(ArrivalsSettings(jobs=100, policies=("easy",), budget=None))
    mine = own_workload(JOBS.replace(b"90,2", b"90,1"))
    tasks = ArrivalsSettings(workload="tasks", methods=("greedy-min",), own=mine.digest)
    bags = AskedArrivals(tasks, mine)
    blocks = CAPABILITY.block(bags, "late") | CAPABILITY.block(days, "arrivals")
    path = tmp_path / "s.json"
    write_study(front, StudySettings("two-by-two", "two-by-two", blocks=blocks), path)
    found = inspect_study(path).require().settings
    for question, wanted in (("arrivals", days), ("late", bags), (None, days)):
        asked = asked_in(found, question)
        assert asked is not None
        assert asked.settings.chosen == wanted.settings.chosen
    said = [shlex.split(line) for line in json.loads(path.read_text())["commands"]]
    lines = [words for words in said if words[:3] == ["wattfront", "replay", "s.json"]]
    assert len(lines) == 2
    answers = [
        wattfront("replay", path, *words[3:], "--no-bound", "--json").data for words in lines
    ]
    assert [{*one["policies"]} for one in answers] == [{"greedy-min"}, {"easy"}]
    with pytest.raises(InvalidInput, match="s no study file; leave --question out"):
        replay("small-day", question="late")
    page = report_html(front, found, None, {})
    assert page.index("Work that arrives") < page.index("Tasks with uncertain run times")


def test_until_now_a_study_had_one_question_under_the_name_of_the_other(
    front: Study, tmp_path: Path, wattfront: Callable[..., Any]
) -> None:
    bags = AskedArrivals(ArrivalsSettings(workload="uncertain", methods=("greedy-min",)))
    path = tmp_path / "s.json"
    write_study(front, StudySettings("t", "two-by-two", blocks=CAPABILITY.block(bags)), path)
    found = inspect_study(path).require().settings
    assert asked_in(found, "arrivals") is None
    for question in ("late", None):
        asked = asked_in(found, question)
        assert asked is not None
        assert asked.settings.methods == ("greedy-min",)
    outcome = wattfront("replay", path, "--question", "arrivals")
    assert outcome.status == 2
    assert "the study does not ask about this; leave --question arrivals out" in outcome.err


@pytest.mark.thorough
def test_the_command_of_bags_finds_what_the_page_finds(wattfront: Callable[..., Any]) -> None:
    settings = ArrivalsSettings(
        workload="uncertain", methods=("weighed",), exchange=10_000.0, seed=3
    )
    (words,) = commands(AskedArrivals(settings))
    recipe = f"uncertain-{settings.errors}-{settings.machines}"
    answer = wattfront("replay", recipe, *map(str, words[2:]), "--no-bound", "--json").data
    found, _ = replayed(settings.question(None), TrialPart(0, "weighed"))
    assert answer["policies"]["weighed"]["makespan"] == found.score.makespan
    assert answer["policies"]["weighed"]["energy"] == found.score.joules
    usual, _ = replayed(replace(settings, exchange=None).question(None), TrialPart(0, "weighed"))
    assert found.score.joules != usual.score.joules


def test_a_study_about_something_else_is_refused(
    front: Study, tmp_path: Path, wattfront: Callable[..., Any]
) -> None:
    path = tmp_path / "s.json"
    write_study(front, StudySettings("two-by-two", "two-by-two"), path)
    outcome = wattfront("replay", path)
    assert outcome.status == 2
    assert "the study does not ask about work that arrives" in outcome.err


def test_faults_are_told_where_they_are() -> None:
    bad = {
        "workload": "own",
        "jobs": 5,
        "days": 1.5,
        "budget": -1,
        "filter": "all",
        "errors": "some",
        "machines": 9,
        "policies": ["easi", 3],
        "methods": ["weight"],
        "exchange": -2,
        "colour": "red",
    }
    _, problems = told(bad)
    said = "\n".join(problems)
    assert "s.json [arrivals], column jobs: 5 is out of range; give 100 to 20000 jobs" in said
    assert "column days" in said
    assert "column budget" in said
    assert "column filter: 'all' is not one of resource, task; give one of them" in said
    assert "column errors" in said
    assert "column machines: is 9; give one of 8, 12, 16" in said
    assert "'easi' is no policy; did you mean easy?" in said
    assert "'3' is no policy; give some of random, " in said
    assert "'weight' is no method for bags; did you mean weighed?" in said
    assert "column exchange: -2" in said
    assert 'column own: is not an object; give "own": {...}' in said
    assert "colour" in said
    _, problems = told({"policies": "easy"})
    assert "is not a list; give some of random" in problems[0]


def test_faults_of_a_kept_workload_are_told_where_they_are() -> None:
    settings = ArrivalsSettings(workload="own", policies=("easy",))
    content = json.loads(json.dumps(written(AskedArrivals(settings, own_workload()))))
    content["own"]["file"]["options"][2][3] = -90
    asked, problems = told(content)
    assert asked.given is None
    assert len(problems) == 1
    assert problems[0].startswith("error: s.json [arrivals] [own] [file] [options], row b")
    assert "column seconds: is -90; use 1e-09 to 1e+15 s" in problems[0]


def test_a_workload_of_more_jobs_than_a_study_file_holds_is_not_kept() -> None:
    assert fits_study(own_workload().file)
    workload = draw_budget_day(BudgetSettings(MOST_JOBS))
    assert len(workload.options.pool) > MOST_JOBS
    assert not fits_study(WorkloadFile(workload, Truth.as_estimated(len(workload.jobs))))
