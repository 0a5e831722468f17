"""Every cost that is in force is said with its unit, and no other."""

import pytest

from core.capabilities.profit.settings import ProfitSettings
from core.files.samples.named import load_sample
from dashboard.screens.profit.costs import in_force, meaning

NINE = load_sample("nine")


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (ProfitSettings(), []),
        (ProfitSettings(pue=1.4), ["PUE 1.4"]),
        (ProfitSettings(overhead=2.0, currency="CHF"), ["Overhead 2 CHF per batch"]),
        (ProfitSettings(cap_kw=2.0), ["Power cap 2 kW on average"]),
        (ProfitSettings(cap_kw=0.0), ["Power cap 0 W on average"]),
        (ProfitSettings(carbon=0.4, carbon_price=0.1), ["Carbon 0.4 kg/kWh at 0.1 EUR/kg"]),
        (ProfitSettings(carbon=0.4), []),
        (
            ProfitSettings(wear=(("M1", 1.0), ("M2", 2.0)), depreciation=(("M1", 1.0),)),
            ["Wear of 2 machine types", "Depreciation of 1 machine type"],
        ),
        (ProfitSettings(wear=(("of another system", 1.0),)), []),
    ],
)
def test_costs_in_force(settings: ProfitSettings, said: list[str]) -> None:
    electricity, *others = in_force(settings, NINE)
    assert electricity == f"Electricity 0.3 {settings.currency}/kWh"
    assert others == said


def test_electricity_as_published() -> None:
    published = ProfitSettings(electricity="joule", carbon=0.4, carbon_price=1.0)
    assert in_force(published, NINE) == ["Electricity 1 ¤/J, as published"]


def test_what_a_batch_is() -> None:
    assert meaning(NINE) == (
        "A **batch** is all 1,100 tasks of this system, run once. One batch follows the other."
    )
