"""The address says the small settings of a plan, and only those that differ from the usual."""

from dataclasses import replace

from core.capabilities.provision.files.plan_file import PlanSpread, ScenarioSettings
from core.capabilities.provision.futures.uncertainty import Variation
from core.capabilities.provision.goals.goal import Goal
from dashboard.screens.provision.address import LEAST_WAIT, PARAMETERS, read, written
from dashboard.screens.provision.inputs import LimitInputs, PlanInputs


def test_usual_settings_are_not_written(types):
    usual = PlanInputs.of(types)
    assert written(usual, usual) == {}
    assert read({}, usual, usual) == (usual, ())


def test_settings_are_read_back(types):
    usual = PlanInputs.of(types)
    other = replace(
        usual,
        limits=LimitInputs(-5.5, 1.0, 9.0, 0.25),
        spread=PlanSpread(
            Variation(0.3, "lognormal"),
            Variation(0.0, "lognormal"),
            Variation(0.06, "lognormal"),
            0.5,
            3,
        ),
        scenarios=ScenarioSettings(64, 7, "sobol"),
        rate_unit="1/day",
        whole=True,
        caution=0.25,
        sought="wait",
        goal=Goal("cost", 0.5, 0.125, 2500.0),
        by_work=False,
    )
    said = written(other, usual)
    assert said == {
        "provision_budget": "-5.5",
        "provision_min_machines": "1",
        "provision_max_machines": "9",
        "provision_failure_rate": "0.25",
        "provision_arrivals": "0.3",
        "provision_arrivals_law": "lognormal",
        "provision_times": "0",
        "provision_times_law": "lognormal",
        "provision_powers": "0.06",
        "provision_powers_law": "lognormal",
        "provision_correlation": "0.5",
        "provision_operations": "3",
        "provision_scenarios": "64",
        "provision_seed": "7",
        "provision_points": "sobol",
        "provision_rates": "day",
        "provision_by_work": "no",
        "provision_whole": "yes",
        "provision_caution": "0.25",
        "provision_sought": "wait",
        "provision_objective": "cost",
        "provision_mean_reward": "0.5",
        "provision_mean_failures": "0.125",
        "provision_mean_power": "2500",
    }
    assert set(said) == PARAMETERS - {LEAST_WAIT}
    assert read(said, usual, usual) == (other, ())


def test_how_operations_are_chosen_is_read_back(types):
    usual = PlanInputs.of(types)
    by_error = replace(usual, spread=replace(usual.spread, operations="by error"))
    said = written(by_error, usual)
    assert said == {"provision_operations": "by error", "provision_whole": "yes"}
    assert read(said, usual, usual) == (by_error, ())
    said = {"provision_operations": "0", "provision_whole": "yes"}
    assert written(usual, by_error) == said
    assert read(said, by_error, by_error) == (usual, ())
    (note,) = read({"provision_operations": "10"}, usual, usual)[1]
    assert note.startswith("provision_operations ")


def test_what_cannot_be_read_is_ignored_with_a_note(types):
    usual = PlanInputs.of(types)
    wrong = {
        "provision_budget": "much",
        "provision_scenarios": "1",
        "provision_points": "random",
        "provision_arrivals": "-1",
        "provision_rates": "year",
        "provision_caution": "1.5",
        "provision_whole": "yes",
    }
    found, notes = read(wrong, usual, usual)
    assert found == usual
    assert [note.split(" ")[0] for note in notes] == [
        "provision_budget",
        "provision_scenarios",
        "provision_points",
        "provision_arrivals",
        "provision_rates",
        "provision_caution",
    ]


def test_what_a_plan_file_says_is_usual_until_the_address_says_otherwise(types):
    seen = Variation(0.0, "empirical", (1.0, 2.0))
    of_file = replace(
        PlanInputs.of(types),
        limits=LimitInputs(7.0, power=90.0),
        spread=PlanSpread(seen, Variation(covs=(0.1, 0.2)), Variation(0.05)),
        scenarios=ScenarioSettings(3000),
        whole=True,
    )
    assert written(of_file, of_file) == {}
    assert read({}, PlanInputs.of(types), of_file) == (of_file, ())
    said = {"provision_arrivals": "0.5", "provision_budget": "9", "provision_whole": "no"}
    other, _ = read({**said, "provision_arrivals_law": "uniform"}, of_file, of_file)
    assert other.spread == replace(of_file.spread, arrivals=Variation(0.5))
    assert other.limits == LimitInputs(9.0, power=90.0)
    assert not other.whole
    assert written(other, of_file) == {**said, "provision_arrivals_law": "uniform"}


def test_an_objective_of_an_address_takes_no_limit(types):
    usual = PlanInputs.of(types)
    given = {"provision_objective": "power", "provision_mean_power": "5"}
    assert read(given, usual, usual)[0].goal == Goal("power")
    wrong = {"provision_objective": "speed", "provision_mean_reward": "-1"}
    inputs, notes = read(wrong, usual, usual)
    assert inputs.goal == Goal()
    assert len(notes) == 2


def test_an_address_of_before_seeks_the_least_wait(types):
    usual = PlanInputs.of(types)
    assert read({LEAST_WAIT: "yes"}, usual, usual)[0].sought == "wait"
    assert read({LEAST_WAIT: "no"}, usual, usual)[0].sought == "mean"
    both = {LEAST_WAIT: "yes", "provision_sought": "energy"}
    assert read(both, usual, usual)[0].sought == "energy"


def test_an_address_of_before_has_machines_in_parts(types):
    """Issue 33, point 16: whole machines are usual; addresses that do not say so are read as they
    were.
    """
    usual = PlanInputs.of(types)
    assert usual.whole
    assert not read({"provision_budget": "9"}, usual, usual)[0].whole
    assert read({}, usual, usual)[0].whole
    in_parts = replace(usual, whole=False)
    assert written(in_parts, usual) == {"provision_whole": "no"}
    assert read(written(in_parts, usual), usual, usual) == (in_parts, ())
