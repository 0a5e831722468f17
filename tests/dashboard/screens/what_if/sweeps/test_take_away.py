"""What is taken away is what the command writes, and the command computes the same."""

from dataclasses import replace

import pytest

from core.capabilities.sweep.axes import read_axis
from core.capabilities.sweep.question import SweepQuestion
from core.capabilities.sweep.run import compute_runs, computed_run
from core.engines.compute.executors import InThisThread
from dashboard.screens.what_if.sweeps.take_away import command_of, results_bytes
from dashboard.workspace.workspace import begin, set_idle_fraction

AXES = (read_axis("idle=0:1:0.5"), read_axis("machines.A=0:2"))


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_the_file_is_that_of_the_command(two_by_two, tmp_path, suffix):
    question = SweepQuestion(two_by_two(), AXES)
    rows = {run: computed_run(question, run) for run in reversed(range(question.runs))}
    path = tmp_path / f"sweep{suffix}"
    compute_runs(question, InThisThread(), path)
    assert results_bytes(question, rows, suffix) == path.read_bytes()


def test_without_results_there_are_only_columns(two_by_two):
    question = SweepQuestion(two_by_two(), AXES)
    assert results_bytes(question, {}, ".csv").decode().count("\n") == 1


def test_a_sample_is_named_and_another_system_is_a_file():
    now = begin("nine")
    assert command_of(now, AXES) == (
        "wattfront sweep nine --over idle=0:1:0.5 --over machines.A=0:2:1 "
        "-o wattfront-sweep.parquet",
        False,
    )
    edited = replace(now, version=replace(now.version, edited=True))
    command, needs_file = command_of(edited, AXES)
    assert command.startswith("wattfront sweep wattfront-system.zip ")
    assert needs_file


def test_the_idle_power_that_was_set_is_part_of_it():
    now = set_idle_fraction(begin("nine"), 0.3)
    assert "--over idle=0.3" in command_of(now, AXES[1:])[0]
    assert "idle=0.3" not in command_of(now, AXES)[0]
    asleep = replace(now, idle=replace(now.idle, asleep_watts=15.0))
    assert "--over idle=0.3 --over asleep=15" in command_of(asleep, AXES[1:])[0]
    assert "asleep" not in command_of(asleep, AXES)[0], "if idle power is varied, machines stay on"
