"""Every kind of wish is known by one flag, one parameter of addresses and one label."""

from core.front.wish import Deadline, EnergyBudget, ExchangeRate, PowerCap
from core.front.wish_kinds import SI_WISHES, WISH_KINDS


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
