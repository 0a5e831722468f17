"""The address says the small settings of a plan, and only those that differ from the usual."""

from dataclasses import replace

from core.model.system import System
from core.provision.plan_file import PlanSpread, ScenarioSettings
from core.provision.uncertainty import Variation
from dashboard.provision.address import PARAMETERS, read, written
from dashboard.provision.inputs import LimitInputs, PlanInputs


def test_usual_settings_are_not_written(types: System) -> None:
    usual = PlanInputs.of(types)
    assert written(usual) == {}
    assert read({}, usual) == (usual, ())


def test_settings_are_read_back(types: System) -> None:
    usual = PlanInputs.of(types)
    other = replace(
        usual,
        limits=LimitInputs(-5.5, 1.0, 9.0, 0.25, 1234.0),
        spread=PlanSpread(
            Variation(0.3, "lognormal"),
            Variation(0.0, "lognormal"),
            Variation(0.06, "lognormal"),
            0.5,
        ),
        scenarios=ScenarioSettings(64, 7, "sobol"),
        currency="USD",
        rate_unit="1/day",
        whole=True,
    )
    said = written(other)
    assert said == {
        "provision_budget": "-5.5",
        "provision_min_machines": "1",
        "provision_max_machines": "9",
        "provision_failure_rate": "0.25",
        "provision_power": "1234",
        "provision_arrivals": "0.3",
        "provision_arrivals_law": "lognormal",
        "provision_times": "0",
        "provision_times_law": "lognormal",
        "provision_powers": "0.06",
        "provision_powers_law": "lognormal",
        "provision_correlation": "0.5",
        "provision_scenarios": "64",
        "provision_seed": "7",
        "provision_points": "sobol",
        "provision_currency": "USD",
        "provision_rates": "day",
        "provision_whole": "yes",
    }
    assert set(said) == PARAMETERS
    assert read(said, usual) == (other, ())


def test_what_cannot_be_read_is_ignored_with_a_note(types: System) -> None:
    usual = PlanInputs.of(types)
    wrong = {
        "provision_budget": "much",
        "provision_scenarios": "1",
        "provision_points": "random",
        "provision_arrivals": "-1",
        "provision_rates": "year",
    }
    found, notes = read(wrong, usual)
    assert found == usual
    assert [note.split(" ")[0] for note in notes] == [
        "provision_budget",
        "provision_arrivals",
        "provision_scenarios",
        "provision_points",
        "provision_rates",
    ]


def test_values_that_were_seen_stay(types: System) -> None:
    seen = Variation(0.0, "empirical", (1.0, 2.0))
    usual = replace(PlanInputs.of(types), spread=PlanSpread(seen, Variation(0.1), Variation(0.05)))
    assert written(usual) == {}
    assert read({}, usual)[0] == usual
    other, _ = read({"provision_arrivals": "0.5"}, usual)
    assert other.spread.arrivals == Variation(0.5)
