"""What a little more of anything is worth, worked out by hand.

Of the 2 x 2 instance with 20 and 10 idle watts: a batch takes 1,500 J in 30 s, 1,380 J in 18 s or
1,404 J in 10.8 s, in parts of tasks; idle machines draw 30 W; the least energy costs 1,380.
"""

from collections.abc import Callable
from dataclasses import replace

import pytest
from bags import answered, published

from core.capabilities.profit.settings import ProfitSettings
from core.capabilities.profit.worth import machine_worths, price_worths
from core.vocabulary.system import System


@pytest.mark.parametrize(
    ("settings", "worths"),
    [
        (
            published(0.3),
            {
                "1 ¤ more a batch": 0.0,
                "1 ¤ more overhead a batch": 0.0,
                "1 % more a joule": -0.3,
                "0.1 more PUE": -3.0,
                "1 kW more power cap": 0.0,
            },
        ),
        (
            published(1.5),
            {
                "1 ¤ more a batch": 1 / 10.8,
                "1 ¤ more overhead a batch": -1 / 10.8,
                "1 % more a joule": -1.3,
                "0.1 more PUE": -13.0,
                "1 kW more power cap": 0.0,
            },
        ),
        (
            # Waiting, a batch earns 1,656 - 600 for 600 J above idle: 1.76 a joule beside its cost.
            published(1.2, cap_kw=0.04),
            {
                "1 ¤ more a batch": 1 / 60,
                "1 ¤ more overhead a batch": -1 / 60,
                "1 % more a joule": -0.4,
                "0.1 more PUE": -0.1 * (40 + 1.76 * 40),
                "1 kW more power cap": 1760.0,
            },
        ),
        (
            ProfitSettings(ratio=1.2),
            {
                "1 EUR more a batch": 1 / 10.8,
                "1 EUR more overhead a batch": -1 / 10.8,
                "0.01 EUR more a kWh": -130 * 0.01 / 3.6e6,
                "0.1 more PUE": -0.1 * 130 * 0.3 / 3.6e6,
                "1 kW more power cap": 0.0,
            },
        ),
    ],
)
def test_what_a_little_more_is_worth(
    two_by_two: Callable[..., System], settings: ProfitSettings, worths: dict[str, float]
) -> None:
    profit, _ = answered(two_by_two(20, 10), settings)
    found = {worth.what: worth.change for worth in price_worths(profit, settings)}
    assert found == pytest.approx(worths)


def test_a_machine_that_nobody_needs_costs_its_idle_power(
    two_by_two: Callable[..., System],
) -> None:
    profit, _ = answered(two_by_two(20, 10), published(0.3))
    worths = [(machine.name, value) for machine, value in machine_worths(profit)]
    assert worths == [("B", pytest.approx(-10)), ("A", pytest.approx(-20))]


def test_a_joule_more_at_the_machines_is_more_of_the_site(
    two_by_two: Callable[..., System],
) -> None:
    asked = replace(published(0.3), pue=2.0)
    profit, _ = answered(two_by_two(20, 10), asked)
    found = {worth.what: worth.change for worth in price_worths(profit, asked)}
    assert found["1 % more a joule"] == pytest.approx(-0.6)
