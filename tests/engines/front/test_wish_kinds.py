"""Every kind of wish is known by one flag, one parameter of addresses and one label."""

import pytest

from core.engines.front.wish import (
    SI_WISHES,
    WISH_KINDS,
    Deadline,
    EnergyBudget,
    ExchangeRate,
    PowerCap,
    StatedWish,
)


def test_no_two_kinds_share_a_name() -> None:
    for names in zip(
        *((kind.flag, kind.parameter, kind.label) for kind in WISH_KINDS), strict=True
    ):
        assert len(set(names)) == len(WISH_KINDS)


def test_what_study_files_and_addresses_written_before_call_them() -> None:
    assert {
        "deadline": Deadline,
        "energy-budget": EnergyBudget,
        "power-cap": PowerCap,
        "exchange-rate": ExchangeRate,
    } == SI_WISHES
    assert [kind.parameter for kind in WISH_KINDS] == ["deadline", "budget", "cap", "money", "rate"]
    assert [kind.flag for kind in WISH_KINDS if kind.in_money] == ["cost-budget"]


def test_each_is_known_by_its_flag_its_parameter_and_its_label() -> None:
    assert [(kind.flag, kind.parameter, kind.label, kind.in_money) for kind in WISH_KINDS] == [
        ("deadline", "deadline", "Deadline", False),
        ("energy-budget", "budget", "Energy", False),
        ("power-cap", "cap", "Power", False),
        ("cost-budget", "money", "Money", True),
        ("exchange-rate", "rate", "Rate", False),
    ]


def test_a_stated_wish_is_in_si_units_but_for_money() -> None:
    assert StatedWish("deadline", 7200.0).wish() == Deadline(7200.0)
    assert StatedWish("budget", 1e6).wish(0.5) == EnergyBudget(1e6)
    assert StatedWish("cap", 55e3).wish() == PowerCap(55e3)
    assert StatedWish("rate", 120.0).wish() == ExchangeRate(120.0)
    assert StatedWish("money", 10.0).wish(0.5) == EnergyBudget(20.0)
    assert [StatedWish(kind.parameter, 1.0).flag for kind in WISH_KINDS] == [
        kind.flag for kind in WISH_KINDS
    ]


def test_money_is_not_a_limit_where_energy_costs_nothing() -> None:
    with pytest.raises(ValueError, match="money is not a limit; give a price above 0"):
        StatedWish("money", 10.0).wish(0.0)
