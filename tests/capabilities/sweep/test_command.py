"""`wattfront sweep` answers in words and JSON, keeps what is done, and goes on where it was."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from core.capabilities.sweep import run as sweeping
from core.capabilities.sweep.told import sweep_command
from core.engines.compute.parts import folder_of_parts

pq = pytest.importorskip("pyarrow.parquet")

OVER = ("--over", "idle=0:1:0.25", "--over", "machines.A=0:2")


def test_without_a_file_json_has_the_rows(wattfront):
    data = wattfront("sweep", "two-by-two", *OVER, "--json").data
    assert data["runs"] == data["done"] == len(data["results"]) == 15
    assert [row["run"] for row in data["results"]] == [*range(15)]
    assert data["axes"][1] == {"name": "machines.A", "values": [0, 1, 2]}
    first = data["results"][1]
    assert first["fastest_s"] == pytest.approx(10.8)
    assert first["impossible"] is None
    assert data["failed"] == []


def test_in_words_figures_are_bounds_and_the_impossible_is_counted(wattfront):
    said = wattfront("sweep", "two-by-two", "--over", "machines.A=0:2", "--over", "machines.B=0,1")
    assert said.status == 0
    assert "6 runs: 3 of machines.A x 2 of machines.B" in said.out
    assert "6 of 6 runs done, 1 impossible" in said.out
    assert "Every figure is a proven bound: no schedule is better." in said.out
    ends = "6.74999 s machines.A 2, machines.B 1 29.9999 s machines.A 0, machines.B 1"
    assert f"makespan at least {ends}" in " ".join(said.out.split())


@pytest.mark.thorough
def test_every_engine_writes_the_same_bytes(wattfront, tmp_path):
    files = [tmp_path / "here.parquet", tmp_path / "processes.parquet"]
    for path, engine in zip(files, ("here", "processes:2"), strict=True):
        done = wattfront("sweep", "two-by-two", *OVER, "--engine", engine, "-o", path, "--json")
        assert done.data["path"] == str(path)
        assert "results" not in done.data
    assert files[0].read_bytes() == files[1].read_bytes()


def test_the_file_has_a_row_for_each_run(wattfront, tmp_path):
    path = tmp_path / "sweep.parquet"
    said = wattfront("sweep", "two-by-two", *OVER, "-o", path)
    assert f"written to  {path}: 15 rows" in said.out
    table = pq.read_table(path)
    assert table.num_rows == 15
    assert table.column_names[:3] == ["run", "idle", "machines.A"]


def test_a_stopped_sweep_goes_on_and_computes_no_run_twice(wattfront, tmp_path, monkeypatch):
    path, whole = tmp_path / "sweep.parquet", tmp_path / "whole.parquet"
    wattfront("sweep", "two-by-two", *OVER, "-o", whole)
    computed, real = [], sweeping.computed_run

    def stopping(question, run):
        if len(computed) == 7:
            raise KeyboardInterrupt
        return counting(question, run)

    def counting(question, run):
        computed.append(run)
        return real(question, run)

    monkeypatch.setattr(sweeping, "computed_run", stopping)
    stopped = wattfront("sweep", "two-by-two", *OVER, "-o", path)
    assert stopped.status == 130
    assert not path.exists()
    kept = len(computed)
    monkeypatch.setattr(sweeping, "computed_run", counting)
    went_on = wattfront("sweep", "two-by-two", *OVER, "-o", path)
    assert went_on.status == 0
    assert "of them before" in went_on.out
    assert len(computed) - len(set(computed)) <= 1, "at most the chunk that was interrupted"
    assert kept >= 6
    assert path.read_bytes() == whole.read_bytes()


def test_a_run_that_fails_is_named_and_tried_again_by_the_same_command(
    wattfront, tmp_path, monkeypatch
):
    path, real = tmp_path / "sweep.parquet", sweeping.computed_run

    def failing(question, run):
        if run == 4:
            raise ZeroDivisionError("four")
        return real(question, run)

    monkeypatch.setattr(sweeping, "computed_run", failing)
    failed = wattfront("sweep", "two-by-two", *OVER, "-o", path)
    assert failed.status == 70
    assert failed.complaints[0] == (
        "error: run 4 (idle 0.25, machines.A 1) failed: ZeroDivisionError: four"
    )
    assert "14 of 15 runs are done and kept" in failed.complaints[1]
    assert f"-o {path}" in failed.complaints[1]
    monkeypatch.setattr(sweeping, "computed_run", real)
    assert wattfront("sweep", "two-by-two", *OVER, "-o", path).status == 0


def test_parts_of_another_sweep_are_not_mixed_in(wattfront, tmp_path, monkeypatch):
    path = tmp_path / "sweep.csv"
    monkeypatch.setattr(sweeping, "computed_run", lambda question, run: 1 / 0)
    assert wattfront("sweep", "two-by-two", "--over", "idle=0:1", "-o", path).status == 70
    monkeypatch.undo()
    other = wattfront("sweep", "two-by-two", "--over", "idle=0:1:0.5", "-o", path)
    assert other.status == 2
    assert "parts of another question" in other.complaints[0]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--over", "idle=0", "--over", "idle=1"), "is there twice"),
        (("--over", "idle=0", "--engine", "cluster"), "'cluster' is no engine; give here"),
        (("--over", "idle=0", "-o", "sweep.xlsx"), "name a .parquet, .csv file"),
        ((), "required: --over"),
    ],
)
def test_a_fault_of_the_command_line_is_named(wattfront, words, said):
    refused = wattfront("sweep", "two-by-two", *words)
    assert refused.status == 2
    assert said in refused.complaints[0]


def test_powers_are_needed_where_they_are_varied(wattfront):
    refused = wattfront("sweep", "e2", "--over", "idle=0:1", "--over", "power_cap=1")
    assert refused.status == 2
    assert len(refused.complaints) == 2
    assert "idle needs powers, and the system has none" in refused.complaints[0]


def test_the_engine_may_be_set_once(wattfront, monkeypatch):
    monkeypatch.setenv("WATTFRONT_ENGINE", "nowhere")
    refused = wattfront("sweep", "two-by-two", "--over", "idle=0")
    assert refused.complaints[0].startswith("error: WATTFRONT_ENGINE: 'nowhere' is no engine")
    assert wattfront("sweep", "two-by-two", "--over", "idle=0", "--engine", "here").status == 0


def test_the_command_is_said_so_that_a_shell_takes_it():
    from core.capabilities.sweep.axes import read_axis

    axes = [read_axis("idle=0:1:0.5"), read_axis("machines.big one=1,2")]
    assert sweep_command("nine", axes, "processes:2", "a b.csv") == (
        "wattfront sweep nine --over idle=0:1:0.5 --over 'machines.big one=1,2' "
        "--engine processes:2 -o 'a b.csv'"
    )


HANGING = """
import sys, time
from core.shells.cli import main
from core.capabilities.sweep import run as sweeping
real, computed = sweeping.computed_run, []
def hanging(question, run):
    if len(computed) == 5:
        time.sleep(600)
    computed.append(run)
    return real(question, run)
sweeping.computed_run = hanging
main(sys.argv[1:])
"""


@pytest.mark.thorough
def test_a_killed_command_goes_on_where_it_was(wattfront, tmp_path):
    """With SIGKILL, so that nothing can be tidied up."""
    path, whole = tmp_path / "sweep.parquet", tmp_path / "whole.parquet"
    words = ("sweep", "two-by-two", *OVER)
    begun = subprocess.Popen([sys.executable, "-c", HANGING, *words, "-o", str(path)])
    parts = folder_of_parts(path)
    while not [*parts.glob("0*.parquet")]:
        assert begun.poll() is None, "it ended before it could be killed"
        time.sleep(0.02)
    os.kill(begun.pid, signal.SIGKILL)
    begun.wait()
    assert Path(parts).exists()
    went_on = wattfront(*words, "-o", path, "--json").data
    assert went_on["done_before"] >= 1
    assert went_on["done"] == went_on["runs"]
    wattfront(*words, "-o", whole)
    assert path.read_bytes() == whole.read_bytes()
