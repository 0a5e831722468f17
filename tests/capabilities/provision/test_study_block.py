"""A study file keeps a plan and the command line that decides it; the report has a section."""

import json
from dataclasses import replace

import numpy as np
import pytest
from capabilities.provision.plan_files import same
from capabilities.provision.plans import busy_at_once
from markup import checked

from core import InvalidInput, plan_energy, plan_wait, study
from core.capabilities.provision import CAPABILITY
from core.capabilities.provision.answer import Provisioning, queue_of
from core.capabilities.provision.comparison import compare
from core.capabilities.provision.files.plan_file import PlanFile, PlanSpread, ScenarioSettings
from core.capabilities.provision.futures.uncertainty import Variation
from core.capabilities.provision.goals.goal import Goal
from core.capabilities.provision.plan import MachineOffer, PlanLimits, TaskDemand
from core.capabilities.provision.rules import read_rule
from core.capabilities.provision.study_block import ProvisionSettings, read, written
from core.capabilities.provision.told import told
from core.capabilities.provision.week_told import WeekAnswer, told_of_week
from core.files.findings import Findings
from core.files.samples.named import load_sample
from core.files.strict_json import Fields
from core.shells.report import report_html
from core.shells.studies import StudySettings, inspect_study, study_lines, write_study
from core.shells.studies.seen import SeenInLog
from core.vocabulary.arrivals import HourlyArrivals
from core.vocabulary.prices.site import Site
from core.vocabulary.system import System


@pytest.fixture(scope="module")
def front():
    return study(load_sample("two-by-two"), method="bound")


@pytest.fixture
def file(front):
    types = front.system
    (one, other), (short, long) = types.machine_names, types.task_names
    return PlanFile(
        types,
        (
            MachineOffer(one, 10.0, 5.0, 0.0, 1.0),
            MachineOffer(other, 4.0, 1.0, 0.25, 1.0, 0.0, 7.0),
        ),
        (TaskDemand(short, 1.0, 2.0), TaskDemand(long, 2.0, 1.0)),
        PlanLimits(20.0),
        PlanSpread(Variation(0.3, "uniform", covs=(0.3, 0.1)), correlation=0.5),
        ScenarioSettings(16, 3, "latin"),
        "CHF",
    )


GOAL = Goal("cost", reward=1.5 / 3600, power=2000.0)


def test_a_goal_is_kept_with_its_command_line(front, file, tmp_path):
    plan = replace(file, rate_unit="1/h")
    settings = StudySettings("t", "t", blocks=CAPABILITY.block(ProvisionSettings(plan, goal=GOAL)))
    path = tmp_path / "s.json"
    write_study(front, settings, path)
    assert json.loads(path.read_text())["commands"][-1] == (
        "wattfront provision s.json --objective cost --at-least reward=1.5 --at-most power=2000.0"
    )
    reading = inspect_study(path)
    back = reading.value.settings.block(ProvisionSettings)
    assert back.goal == GOAL
    assert "goal" not in written(ProvisionSettings(plan))


def test_the_report_says_what_to_buy_for_the_goal(front, file):
    goal = Goal("cost", reward=1.0)
    settings = StudySettings("mine", blocks=CAPABILITY.block(ProvisionSettings(file, goal=goal)))
    page = report_html(front, settings, None, {})
    checked(page)
    assert "Sought: the least cost with a reward of at least 1 CHF a second, on average." in page
    too_much = ProvisionSettings(file, goal=Goal("cost", reward=1e6))
    page = report_html(front, StudySettings("mine", blocks=CAPABILITY.block(too_much)), None, {})
    assert "No purchase keeps all limits." in page
    assert "at most " in page


@pytest.mark.parametrize(
    ("asked", "flags"),
    [
        ({}, ()),
        ({"goal": Goal("cost", reward=0.1)}, ("--objective", "cost", "--at-least", "reward=0.1")),
        ({"sought": "wait"}, ("--least-wait",)),
        ({"sought": "energy"}, ("--least-energy",)),
    ],
)
def test_peaks_of_the_log_stand_beside_a_sale_whatever_is_sought(
    front, file, tmp_path, wattfront, asked, flags
):
    names = front.system.machine_names
    arrivals = HourlyArrivals(front.system.task_names, np.full((24, 2), 400.0), 7.0)
    seen = SeenInLog(arrivals=arrivals, node_use=busy_at_once(dict.fromkeys(names, 99)))
    plan = replace(file, demands=tuple(replace(one, arrival_rate=0.1) for one in file.demands))
    block = CAPABILITY.block(ProvisionSettings(plan, **asked))
    settings = StudySettings("t", "t", blocks=block, seen=seen)
    path = tmp_path / "s.json"
    write_study(front, settings, path)
    peak = "In the log up to 99 nodes of "
    assert peak in wattfront("provision", path, *flags).out
    assert peak in report_html(front, settings, None, {})
    assert peak not in report_html(
        front, replace(settings, seen=replace(seen, node_use=None)), None, {}
    )


def test_the_least_wait_is_the_same_in_library_report_and_command(front, file, tmp_path, wattfront):
    """Issue 35: what is sought without rewards; a study file keeps that it was asked."""
    rates = np.tile([[400.0, 200.0], [0.0, 0.0], [4000.0, 900.0]], (8, 1))
    seen = SeenInLog(arrivals=HourlyArrivals(front.system.task_names, rates, 7.0))
    plan = replace(file, demands=tuple(replace(one, arrival_rate=0.8) for one in file.demands))
    asked = ProvisionSettings(plan, sought="wait")
    settings = StudySettings("t", "t", blocks=CAPABILITY.block(asked), seen=seen)
    path = tmp_path / "s.json"
    write_study(front, settings, path)
    assert json.loads(path.read_text())["commands"][-1] == "wattfront provision s.json --least-wait"
    assert inspect_study(path).require().settings.block(ProvisionSettings).of_week == "wait"
    found = plan_wait(path)
    outcome = wattfront("provision", path, "--least-wait", "--json").data
    assert found.is_proven
    assert found.longest > 0
    assert outcome["longest"] == found.longest
    page = report_html(front, settings, None, {})
    checked(page)
    assert told_of_week(WeekAnswer(plan, "wait", found)).lead in page
    for less in ({"budget": 16.0}, {"rules": ["bought(B) <= 4"]}):
        assert plan_wait(path, **less).longest > found.longest
    with pytest.raises(InvalidInput, match="the queue has no end"):
        plan_wait(path, budget=0.0)
    page = report_html(front, replace(settings, seen=SeenInLog()), None, {})
    assert "The least wait is not known." in page
    assert "says nothing of the hours" in page
    names = [offer.name for offer in plan.plan.offers]
    half = (*read_rule("2 * B >= 1", names), *read_rule("2 * B <= 1", names))
    odd = replace(plan, rules=half)
    asked = ProvisionSettings(odd, whole=False, sought="wait")
    page = report_html(front, replace(settings, blocks=CAPABILITY.block(asked)), None, {})
    assert "The least wait is not known." in page, "the least wait is of whole machines"
    assert "(proven)" not in page.split("What to buy")[-1]


def test_a_study_file_of_before_seeks_the_least_wait(front, file):
    for said, sought in (({"least_wait": True}, "wait"), ({"least_wait": False}, "mean")):
        now = {**written(ProvisionSettings(file))}
        del now["sought"]
        findings = Findings()
        back = read(Fields(now | said, "s.json [provision]", findings), front.system)
        assert back.sought == sought
        assert not findings.problems()


def test_the_least_energy_is_the_same_in_library_report_and_command(file, tmp_path, wattfront):
    """Issue 35: with money and carbon where the site is known."""
    front = study(load_sample("two-by-two").with_idle_fraction(0.25), method="bound")
    rates = np.tile([[40.0, 20.0], [0.0, 0.0], [400.0, 90.0]], (8, 1))
    seen = SeenInLog(arrivals=HourlyArrivals(front.system.task_names, rates, 7.0))
    demands = tuple(replace(one, arrival_rate=0.2) for one in file.demands)
    kinds = front.system.machine_types
    offers = tuple(
        replace(one, count=4.0, idle_power=kind.idle_power)
        for one, kind in zip(file.offers, kinds, strict=True)
    )
    plan = replace(file, types=front.system, demands=demands, offers=offers)
    asked = ProvisionSettings(plan, sought="energy")
    site = Site(0.5, 0.25, currency="CHF")
    settings = StudySettings("t", "t", blocks=CAPABILITY.block(asked), seen=seen, site=site)
    path = tmp_path / "s.json"
    write_study(front, settings, path)
    command = json.loads(path.read_text())["commands"][-1]
    assert command == "wattfront provision s.json --least-energy"
    assert inspect_study(path).require().settings.block(ProvisionSettings).of_week == "energy"
    found = plan_energy(path)
    outcome = wattfront("provision", path, "--least-energy", "--json").data
    assert found.energy < found.before
    assert found.purchase.sell.any()
    assert (outcome["energy"], outcome["energy_before"]) == (found.energy, found.before)
    assert (outcome["objective"], outcome["payback"]) == ("energy", None)
    priced = wattfront("provision", path, "--least-energy", "--energy-price", "0.5")
    assert "CHF and " in priced.out
    page = report_html(front, settings, None, {})
    checked(page)
    told = told_of_week(WeekAnswer(plan, "energy", found), site)
    assert told.lead in page
    assert "kg of CO₂" in page
    assert plan_energy(path, rules=["sold(A) + sold(B) <= 0"]).energy > found.energy
    with pytest.raises(InvalidInput, match="the longest queue is longer than today’s"):
        plan_energy(path, rules=["sold(A) >= 4", "sold(B) >= 3", "bought(A) + bought(B) <= 0"])
    page = report_html(front, replace(settings, seen=SeenInLog()), None, {})
    assert "The least energy is not known." in page
    both = wattfront("provision", path, "--least-energy", "--least-wait")
    assert both.status == 2
    apart = wattfront("provision", path, "--least-energy", "--risk", "0.5")
    assert "--risk does not go with --least-energy" in apart.err


@pytest.mark.parametrize(
    ("goal", "said"),
    [
        ({"objective": "speed"}, "'speed' is not one of reward, cost, failures, power"),
        ({"objective": "cost", "reward": "much"}, "reward"),
        ({"objective": "cost", "reward": -1}, "-1 is out of range"),
        ({"objective": "power", "power": 3}, "is the objective, so it takes no limit"),
    ],
)
def test_a_goal_that_cannot_be_is_named(goal, said):
    findings = Findings()
    read(Fields({"goal": goal}, "s.json [provision]", findings), None)
    assert findings.failed
    assert any(said in str(problem) for problem in findings.problems())


def test_a_plan_is_kept_with_its_command_line(front, file, tmp_path, wattfront):
    asked = ProvisionSettings(file, whole=True, caution=0.25)
    settings = StudySettings("two-by-two", "two-by-two", blocks=CAPABILITY.block(asked))
    path = tmp_path / "s.json"
    write_study(front, settings, path)
    assert json.loads(path.read_text())["commands"][-1] == (
        "wattfront provision s.json --risk 0.25"
    )
    reading = inspect_study(path)
    assert reading.problems == ()
    found = reading.require().settings.block(ProvisionSettings)
    assert found.file is not None
    same(found.file, file)
    assert (found.whole, found.caution) == (True, 0.25)
    outcome = wattfront("provision", path, "--integer", "--json")
    assert outcome.status == 0
    assert outcome.data["scenarios"] == 16


def faults(content, front):
    findings = Findings()
    read(Fields(content, "s.json", findings), front.system)
    return [str(problem) for problem in findings.problems()]


@pytest.mark.parametrize(
    ("changed", "whole"), [({}, True), ({"whole": True}, True), ({"whole": False}, False)]
)
def test_a_study_that_does_not_say_so_has_whole_machines(front, file, changed, *, whole):
    """Issue 33, point 16: whole machines by default, also in a study that somebody wrote."""
    content = written(ProvisionSettings(file))
    del content["whole"]
    findings = Findings()
    found = read(Fields(content | changed, "s.json", findings), front.system)
    assert not findings.failed
    assert found.whole == whole


def test_faults_of_a_kept_plan_are_told_where_they_are(front, file):
    good = json.loads(json.dumps(written(ProvisionSettings(file))))
    assert faults(good, front) == []
    good["machines"]["price"]["C"] = 3
    good["machines"]["colour"] = {}
    good["tasks"]["reward"] = {}
    good["counts"] = {}
    good["caution"] = 2
    places = [one.partition(": ")[2].partition(":")[0] for one in faults(good, front)]
    assert places == [
        "s.json, column caution",
        "s.json [counts], column A",
        "s.json [counts], column B",
        "s.json [machines] [price], column C",
        "s.json [machines], column colour",
        "s.json [tasks], row T1, column reward",
        "s.json [tasks], row T2, column reward",
    ]


def test_the_report_has_a_section_where_it_was_asked_about(front, file):
    varied = replace(file.spread, times=Variation(0.2), operations="by error")
    plan = replace(file, spread=varied)
    settings = ProvisionSettings(plan, caution=0.25)
    rates = np.tile([[9_000.0], [0.0]], (12, 2))
    arrivals = HourlyArrivals(front.system.task_names, rates, 7.0)
    blocks, seen = CAPABILITY.block(settings), SeenInLog(arrivals=arrivals)
    page = report_html(front, StudySettings("mine", blocks=blocks, seen=seen), None, {})
    said = checked(page).said
    assert "<h2>What to buy</h2>" in page
    scenarios = plan.sampling.scenarios(plan.plan)
    found = compare(plan.plan, scenarios, settings.weights, whole=True)
    answer = told(Provisioning(plan, found, queue=queue_of(plan, found, arrivals)))
    assert "the queue" in answer.lead
    assert len(answer.sentences) >= 12
    assert [one for one in (answer.lead, *answer.sentences) if one not in said] == []
    assert any("kinds, chosen by error" in one for one in answer.sentences)
    assert "What to buy" not in report_html(front, StudySettings("mine"), None, {})
    broke = replace(plan, limits=PlanLimits(-1e6))
    asked = StudySettings("mine", blocks=CAPABILITY.block(ProvisionSettings(broke)))
    page = report_html(front, asked, None, {})
    assert "No purchase keeps all limits." in page
    assert "no purchase keeps all limits; raise budget from " in page


@pytest.fixture
def of_times_alone(file, front):
    """The plan of a system whose powers are unknown."""
    types = front.system
    alone = System(types.task_types, types.machine_types, types.etc)
    return replace(file, types=alone)


def test_a_plan_without_powers_has_a_study_file_and_a_report(of_times_alone, tmp_path, wattfront):
    types = of_times_alone.types
    blocks = CAPABILITY.block(ProvisionSettings(of_times_alone, whole=True)) | {"profit": None}
    path = tmp_path / "s.json"
    path.write_text(
        "".join(study_lines(types, StudySettings("mine", blocks=blocks), None, path.name))
    )
    document = json.loads(path.read_text())
    assert document["commands"] == ["wattfront provision s.json"]
    assert "profit" not in document["settings"], "which needs a front"
    reading = inspect_study(path)
    assert reading.problems == ()
    assert not reading.require().has_front
    found = reading.require().settings.block(ProvisionSettings)
    assert found.file is not None
    same(found.file, of_times_alone)
    assert wattfront("provision", path, "--json").status == 0
    outcome = wattfront("report", path, "--json")
    assert (outcome.status, outcome.err) == (0, "")
    assert (outcome.data["ok"], outcome.data["schedules"]) == (True, 0)
    page = checked(path.with_suffix(".html").read_text())
    assert "What to buy" in page.said
    assert "The powers of this system are unknown" in page.said
    assert "wattfront provision s.json" in page.said
    assert "The trade-off" not in page.said


@pytest.mark.parametrize(
    "edit",
    [
        lambda document: document["settings"].pop("provision"),
        lambda document: document.update(vertices=[[1.0, 1.0]]),
        lambda document: document.update(points=[[1.0, 1.0]]),
        lambda document: document.update(schedules=[{}]),
        lambda document: document.update(choice={"title": ""}),
        lambda document: document.update(fitting=1.0),
    ],
)
def test_a_study_of_energy_needs_powers(of_times_alone, tmp_path, edit):
    settings = StudySettings("mine", blocks=CAPABILITY.block(ProvisionSettings(of_times_alone)))
    document = json.loads("".join(study_lines(of_times_alone.types, settings)))
    edit(document)
    path = tmp_path / "s.json"
    path.write_text(json.dumps(document))
    (problem,) = inspect_study(path).problems
    assert "has no apc (average watts), but a study is about energy; add it" in str(problem)
