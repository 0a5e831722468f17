"""Functions of the face do what commands do: with the same defaults, files and refusals."""

import argparse
import inspect
import math
import sys
from collections.abc import Callable
from dataclasses import is_dataclass
from importlib import import_module
from pathlib import Path

import pytest

import core
from core import InvalidInput
from core.vocabulary.setting import settings_in

SAME_DEFAULTS = {
    "derive": ("min_runs", "rare_below", "machine", "task_type"),
    "export": ("part", "max_array_size", "commands"),
    "compare_run": ("part", "run", "amiss"),
    "fair_shares": ("seconds", "seed", "front", "bandwidth", "buffers", "output"),
    "provision": ("solver", "risk", "scenarios", "seed", "points", "budget"),
    "arrivals": ("every", "engine", "output"),
    "sweep": ("engine", "output"),
}
FUNCTIONS = {"provision": "plan", "arrivals": "replay"}


def room_of(capability: str) -> str:
    return f"core.capabilities.{capability}."


@pytest.mark.parametrize("room", SAME_DEFAULTS)
def test_defaults_are_those_of_the_flags(room: str) -> None:
    parser = argparse.ArgumentParser()
    import_module(f"{room_of(room)}command").declare(parser)
    declared = {
        one.flag.name.lstrip("-") if one.flag and one.flag.name else name: one
        for module in [sys.modules[each] for each in sys.modules if each.startswith(room_of(room))]
        for kind in vars(module).values()
        if is_dataclass(kind) and isinstance(kind, type)
        for name, one in settings_in(kind).items()
    }
    parameters = inspect.signature(getattr(core, FUNCTIONS.get(room, room))).parameters
    for name in SAME_DEFAULTS[room]:
        by_flag = parser.get_default(name)  # None: as the setting says
        usual = declared[name].usual if by_flag is None and name in declared else by_flag
        assert parameters[name].default == usual, name


@pytest.mark.parametrize(
    ("call", "why"),
    [
        (lambda: core.derive(["none.txt"]), "none.txt"),
        (lambda: core.derive(["a.txt"], rejected="b.pdf"), "name a .csv file"),
        (lambda: core.replay("small-day", policies=["fastest"]), "fastest"),
        (lambda: core.replay("small-day", trials=2), "--trials 2"),
        (lambda: core.replay("small-day", output="o.csv"), "one policy"),
        (lambda: core.replay("small-day", engine="cloud"), "cloud"),
        (lambda: core.fair_shares("morning", policies=["fastest"]), "fastest"),
        (lambda: core.fair_shares("morning", output="o.csv"), "one policy"),
        (lambda: core.fair_shares("nowhere"), "nowhere"),
        (lambda: core.plan("e1", scenarios=2, budget=-1e12), "budget"),
        (lambda: core.sweep(core.load_sample("six"), {"idle": [2]}), "out of range"),
        (lambda: core.sweep(core.load_sample("six"), ["speed=1"]), "cannot be varied"),
        (lambda: core.sweep(core.load_sample("six"), {"idle": [0]}, output="s.pdf"), "s.pdf"),
    ],
)
def test_what_cannot_be_answered_is_refused_with_its_problems(
    call: Callable[[], object], why: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InvalidInput) as refused:
        call()
    assert why in " ".join(map(str, refused.value.problems))


def test_a_schedule_of_another_system_is_neither_exported_nor_compared(tmp_path: Path) -> None:
    schedule = core.solve(core.load_sample("six"), effort=core.Effort(0)).schedule
    other = core.load_sample("two-by-two")
    for call in (core.export, core.compare_run):
        with pytest.raises(InvalidInput):
            call(other, schedule, [tmp_path / "jobs.txt"] if call is core.compare_run else tmp_path)
    with pytest.raises(InvalidInput, match="--map is for --to slurm"):
        core.export(schedule.system, schedule, tmp_path / "s.csv", to="csv", nodes="map.csv")


def test_files_are_those_of_the_commands(wattfront, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    system = core.load_sample("two-by-two")
    schedule = core.solve(system, effort=core.Effort(0)).schedule
    core.export(system, schedule, "a.csv", to="csv")
    wattfront("solve", "two-by-two", "--seconds", 0, "-o", "b.csv")
    assert Path("a.csv").read_bytes() == Path("b.csv").read_bytes()
    core.sweep(system, {"idle": [0, 0.5]}, output="a.sweep.csv")
    wattfront("sweep", "two-by-two", "--over", "idle=0,0.5", "-o", "b.sweep.csv")
    assert Path("a.sweep.csv").read_bytes() == Path("b.sweep.csv").read_bytes()
    core.replay("small-day", policies=["easy"], bound=False, output="a.out.csv")
    wattfront("replay", "small-day", "--policy", "easy", "--no-bound", "-o", "b.out.csv")
    assert Path("a.out.csv").read_bytes() == Path("b.out.csv").read_bytes()
    core.fair_shares("morning", policies=["fifo-rr"], buffers=math.inf, output="a.tasks.csv")
    flags = ("--policy", "fifo-rr", "--buffers", "unlimited")
    wattfront("fair-shares", "morning", *flags, "-o", "b.tasks.csv")
    assert Path("a.tasks.csv").read_bytes() == Path("b.tasks.csv").read_bytes()
