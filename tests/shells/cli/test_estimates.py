"""Every command says once how many pairs of its system are estimates, and nothing if none is."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from marked import marked

from core.files import read_system, write_system
from core.files.samples.named import load_sample

Wattfront = Callable[..., Any]
AT_ONCE = ("--seconds", 0)
COMMANDS: dict[str, tuple[object, ...]] = {
    "solve": ("solve", *AT_ONCE),
    "solve, a wish": ("solve", *AT_ONCE, "--deadline", "1h"),
    "front": ("front", *AT_ONCE),
    "front, several": ("front", "--idle-power", "0,0.5"),
    "profit": ("profit", *AT_ONCE, "--ratio", 1.5),
    "profit, a part": (
        "profit",
        "--rewards",
        "T1=1",
        "T2=1",
        "--deadline",
        "6s",
        "--energy-price",
        0,
    ),
    "check": ("check",),
}
SAID = "2 of 4 pairs are estimates"


def asked(wattfront: Wattfront, command: str, system: Path, *more: str) -> Any:
    name, *flags = COMMANDS[command]
    answer = wattfront(name, system, *flags, *more)
    assert answer.status == 0
    return answer


@pytest.fixture
def measured(tmp_path: Path) -> Path:
    write_system(load_sample("two-by-two"), tmp_path / "measured.json")
    return tmp_path / "measured.json"


@pytest.fixture
def estimated(tmp_path: Path) -> Path:
    system = marked(load_sample("two-by-two"), (0, 0), (1, 1))
    write_system(system, tmp_path / "estimated.json")
    return tmp_path / "estimated.json"


@pytest.mark.parametrize("command", COMMANDS)
def test_words_and_json_say_it(wattfront: Wattfront, estimated: Path, command: str) -> None:
    assert asked(wattfront, command, estimated).out.count(SAID) == 1
    assert asked(wattfront, command, estimated, "--json").data["estimated_pairs"] == 2


@pytest.mark.parametrize("command", COMMANDS)
def test_of_measured_pairs_nothing_is_said(
    wattfront: Wattfront, measured: Path, command: str
) -> None:
    assert "estimates" not in asked(wattfront, command, measured).out
    assert "estimated_pairs" not in asked(wattfront, command, measured, "--json").data


def test_another_format_keeps_them_and_says_so(
    wattfront: Wattfront, estimated: Path, tmp_path: Path
) -> None:
    answer = wattfront("convert", estimated, tmp_path / "other.xlsx")
    assert SAID in answer.out
    assert read_system(tmp_path / "other.xlsx") == read_system(estimated)
