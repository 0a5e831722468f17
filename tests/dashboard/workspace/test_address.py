"""An address opens the view it was written for, and whatever is not understood is said."""

from dataclasses import replace

import pytest
from any_settings import any_settings
from hypothesis import given
from hypothesis import strategies as st

from core.files.samples.generate import (
    CoefficientOfVariation,
    Generation,
    MachineLevels,
    RangeBased,
    Uniform,
)
from core.files.samples.named import SYSTEMS
from core.vocabulary.prices.site import CARBON, Site
from core.vocabulary.without_work import WithoutWork
from dashboard.workspace.address import AddressSettings, read, written

FRACTIONS = st.none() | st.floats(0, 1).map(lambda value: float(f"{value:g}"))


@st.composite
def generations(draw: st.DrawFn) -> Generation:
    apc = draw(st.sampled_from([None, MachineLevels(50, 90.5), CoefficientOfVariation(100, 0, 2)]))
    machine_types = draw(st.integers(1, 30))
    return Generation(
        etc=draw(st.sampled_from([Uniform(1, 2), RangeBased(7, 8.25), CoefficientOfVariation()])),
        apc=apc,
        consistency=draw(st.sampled_from(["consistent", "semi-consistent", "inconsistent"])),
        spread=draw(st.sampled_from(["random", "equal"])),
        idle_fraction=draw(st.floats(0, 1)) if apc else 0.0,
        task_types=draw(st.integers(1, 100)),
        machine_types=machine_types,
        tasks=draw(st.integers(1, 10**12)),
        machines=draw(st.integers(machine_types, 10**6)),
        seed=draw(st.integers(0, 2**53 - 1)),
    )


@given(st.sampled_from(SYSTEMS), FRACTIONS)
def test_a_sample_and_its_idle_power_come_back(sample: str, fraction: float | None) -> None:
    settings = AddressSettings(sample=sample, idle=WithoutWork(fraction))
    assert read(written(settings)) == (settings, ())


@given(generations(), FRACTIONS)
def test_a_random_system_comes_back(wanted: Generation, fraction: float | None) -> None:
    settings = AddressSettings(generation=wanted, idle=WithoutWork(fraction))
    assert read(written(settings)) == (settings, ())


def test_a_kept_system_comes_back() -> None:
    assert read(written(AddressSettings(kept="abc"))) == (AddressSettings(kept="abc"), ())


def test_a_chosen_schedule_comes_back_beside_any_system() -> None:
    settings = AddressSettings(sample="nine", idle=WithoutWork(0.2, 15.0), chosen="abc")
    assert read(written(settings)) == (settings, ())


@given(any_settings(Site))
def test_the_site_comes_back(site: Site) -> None:
    settings = AddressSettings(sample="nine", site=site)
    assert read(written(settings)) == (settings, ())


def test_what_the_page_profit_said_of_the_site_still_counts() -> None:
    old = {"profit_energy_price": "0.2", "profit_carbon_price": "0.1", "profit_currency": "CHF"}
    site = Site(0.2, CARBON.low, 0.1, currency="CHF")  # Profit assumed no carbon
    assert read(old) == (AddressSettings(site=site), ())
    assert read(old | {"profit_carbon": "0.5"})[0].site.carbon == 0.5
    plan = {"provision_power": "6500", "provision_currency": "CHF"}
    assert read(plan) == (AddressSettings(site=Site(cap_kw=6.5, currency="CHF")), ())
    day = {"profit_cap_kw": "2.5", "profit_day_tariff": "0:0.2 7.5:0.35"}
    assert read(day)[0].site == Site(cap_kw=2.5, day_tariff=((0.0, 0.2), (7.5, 0.35)))
    assert read(old | {"price": "0.4", "profit_pue": "0"}) == (
        AddressSettings(site=replace(site, price=0.4)),
        ("pue is “0”; give 1 to 100 joules of the site for one of its machines",),
    )


def test_an_empty_address_says_nothing() -> None:
    assert read({}) == (AddressSettings(), ())


@pytest.mark.parametrize(
    ("parameters", "note"),
    [
        ({"sample": "nin"}, "there is no sample “nin”"),
        ({"colour": "<b>"}, "“colour” is not a parameter of this page"),
        ({"idle": "1.5"}, "idle is “1.5”; give 0 to 1 of the mean power"),
        ({"idle": "nan"}, "idle is “nan”; give 0 to 1 of the mean power"),
        ({"idle": "x" * 99}, f"idle is “{'x' * 40}…”; give 0 to 1 of the mean power"),
    ],
)
def test_what_cannot_be_read_is_ignored_with_a_note(parameters: dict[str, str], note: str) -> None:
    assert read(parameters) == (AddressSettings(), (note,))


def test_a_bad_parameter_of_a_random_system_takes_its_usual_value() -> None:
    settings, notes = read({"task_types": "7", "seed": str(2**53), "etc": "guess", "tasks": "1.5"})
    assert settings.generation == Generation(task_types=7)
    assert len(notes) == 3
    assert "give one of uniform, range-based" in "".join(notes)


def test_parameters_that_do_not_go_together_draw_nothing() -> None:
    settings, notes = read({"machines": "3", "machine_types": "5"})
    assert settings.generation is None
    assert "cannot be of 5 types" in notes[0]


def test_a_method_that_contradicts_itself_draws_nothing() -> None:
    settings, notes = read({"etc": "uniform", "etc_low": "5", "etc_high": "2"})
    assert settings.generation is None
    assert "exchange them" in notes[0]
