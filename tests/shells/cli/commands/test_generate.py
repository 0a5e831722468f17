"""Every parameter of a generation is a flag, and what is drawn is what was asked for."""

import pytest

from core.files import read_system
from core.files.samples.generate import (
    POWER_METHODS,
    TIME_METHODS,
    CoefficientOfVariation,
    Generation,
    MachineLevels,
    RangeBased,
    Uniform,
    bounds,
    generate,
)


@pytest.fixture
def drawn(wattfront, tmp_path):
    """Generates with the flags given, and reads the result."""

    def draw(*flags):
        path = tmp_path / "system.json"
        outcome = wattfront("generate", "-o", path, *flags, "--json")
        assert outcome.status == 0, outcome.err
        system = read_system(path)
        assert outcome.data["tasks"] == system.tasks
        assert outcome.data["path"] == str(path)
        return system

    return draw


@pytest.mark.parametrize(
    ("flags", "wanted"),
    [
        ("", Generation()),
        ("--seed 7 --spread equal --tasks 1e6", Generation(seed=7, spread="equal", tasks=10**6)),
        (
            "--task-types 4 --machine-types 3 --tasks 50 --machines 7",
            Generation(task_types=4, machine_types=3, tasks=50, machines=7),
        ),
        (
            "--etc uniform --etc-low 2 --etc-high 3 --consistency consistent",
            Generation(etc=Uniform(2, 3), consistency="consistent"),
        ),
        (
            "--etc range-based --etc-task-range 3000 --etc-machine-range 10",
            Generation(etc=RangeBased(3000, 10)),
        ),
        (
            "--etc-mean 5 --etc-task-variation 0.1 --etc-machine-variation 0.2",
            Generation(etc=CoefficientOfVariation(5, 0.1, 0.2)),
        ),
        (
            "--apc machine-levels --apc-low 10 --apc-high 20 --apc-task-variation 0.2 "
            "--apc-pair-variation 0 --idle-fraction 0.3",
            Generation(apc=MachineLevels(10, 20, 0.2, 0), idle_fraction=0.3),
        ),
        (
            "--apc coefficient-of-variation --apc-mean 90 --apc-machine-variation 0.3",
            Generation(apc=CoefficientOfVariation(90, machine_variation=0.3)),
        ),
    ],
)
def test_flags_are_parameters(drawn, flags, wanted):
    assert drawn(*flags.split()) == generate(wanted)


def test_every_parameter_is_a_flag_that_keeps_its_bounds(wattfront, tmp_path):
    flags = {
        **bounds(Generation),
        **{f"etc_{n}": b for kind in TIME_METHODS.values() for n, b in bounds(kind).items()},
        **{f"apc_{n}": b for kind in POWER_METHODS.values() for n, b in bounds(kind).items()},
    }
    for name, allowed in flags.items():
        flag = f"--{name.replace('_', '-')}"
        outcome = wattfront("generate", "-o", tmp_path / "s.json", flag, allowed.high * 2 + 1)
        (complaint,) = outcome.complaints
        assert f"argument {flag}" in complaint
        assert str(allowed) in complaint
        assert outcome.status == 2


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        ("--etc uniform --etc-task-range 3", "--etc-task-range is not for --etc uniform"),
        ("--apc machine-levels --apc-mean 3", "--apc-mean is not for --apc machine-levels"),
        ("--apc-low 3", "--apc-low needs --apc, too"),
        ("--etc uniform --etc-low 5 --etc-high 3", "low (5) is above high (3)"),
        ("--machines 3", "3 machines cannot be of 10 types"),
        ("--idle-fraction 0.5", "give an apc method"),
    ],
)
def test_contradictions_are_refused(wattfront, tmp_path, flags, said):
    outcome = wattfront("generate", "-o", tmp_path / "s.json", *flags.split(), "--json")
    assert (outcome.status, outcome.data["ok"]) == (2, False)
    assert any(said in problem["message"] for problem in outcome.data["problems"])
    assert not (tmp_path / "s.json").exists()
