"""A tariff turns joules into money and carbon, and money into an energy budget, and back."""

import pytest

from core.engines.front.wish import StatedWish
from core.vocabulary.prices.tariff import CARBON, CARBON_PRICE, MONEY, PUE, Tariff


def test_money_and_carbon() -> None:
    tariff = Tariff(0.30, carbon_per_kwh=0.4, price_of_carbon=0.05, pue=1.5)
    joules = 10 * 3.6e6
    assert tariff.carbon(joules) == pytest.approx(6.0)
    assert tariff.cost(joules) == pytest.approx(15 * 0.30 + 6 * 0.05)
    assert budget(tariff.cost(joules), tariff) == pytest.approx(joules)
    assert Tariff(0.2).cost(3.6e6) == pytest.approx(0.2)
    assert Tariff(0.2).carbon(3.6e6) == 0.0


def test_energy_for_nothing_is_limited_by_no_money() -> None:
    free = Tariff(0.0, carbon_per_kwh=0.4)
    assert free.cost(1e9) == 0.0
    assert free.carbon(3.6e6) == pytest.approx(0.4)
    with pytest.raises(ValueError, match="give a price above 0"):
        budget(10.0, free)
    taxed = Tariff(0.0, carbon_per_kwh=0.5, price_of_carbon=2.0)
    assert budget(1.0, taxed) == pytest.approx(3.6e6)


def test_what_may_be_asked_for() -> None:
    assert [(each.low, each.high) for each in (MONEY, CARBON, CARBON_PRICE, PUE)] == [
        (0, 1e15),
        (0, 1e3),
        (0, 1e9),
        (1, 100),
    ]


def test_a_dear_joule_limits_what_is_bought() -> None:
    dear = Tariff(7.2e6)
    assert dear.per_joule == 2.0
    assert budget(10.0, dear) == 5.0


def budget(money: float, tariff: Tariff) -> float:
    return StatedWish("money", money).si_amount(tariff.per_joule)
