"""Whatever happens: one JSON object if asked for, a fitting exit status, and no traceback."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from patience import PATIENCE

from core.shells.cli import main
from core.shells.cli.commands import check
from core.shells.cli.entry import all_commands

WATTFRONT = [sys.executable, "-c", "import sys; from core.shells.cli import main; sys.exit(main())"]


def run(*words, **how):
    return subprocess.run(
        [*WATTFRONT, *words], capture_output=True, text=True, timeout=PATIENCE, check=False, **how
    )


class TestUsage:
    @pytest.mark.parametrize(
        ("words", "said"),
        [
            (["check", "nine", "--nonsense"], "unrecognized arguments: --nonsense"),
            (["check", "nine", "--js"], "unrecognized arguments: --js"),
            (["solve", "nine", "--seconds", "nan"], "nan is out of range"),
            (["solve", "nine", "--threads", "1.5"], "1.5 is not a whole number"),
            (["check", "nine", "--sizes", "2", "x"], "invalid int value: 'x'"),
        ],
    )
    def test_a_wrong_command_line_is_one_message_and_status_2(self, wattfront, words, said):
        outcome = wattfront(*words)
        (complaint,) = outcome.complaints
        assert said in complaint
        assert complaint.endswith("--help")
        assert (outcome.status, outcome.out) == (2, "")

    def test_help_lists_every_command(self, wattfront):
        outcome = wattfront("--help")
        assert outcome.status == 0
        for name, (summary, _) in all_commands().items():
            assert name in outcome.out
            assert summary in " ".join(outcome.out.split())

    @pytest.mark.parametrize("command", all_commands())
    def test_every_command_has_help_and_can_answer_in_json(self, wattfront, command):
        outcome = wattfront(command, "--help")
        assert outcome.status == 0
        assert "--json" in outcome.out

    def test_version(self, wattfront):
        assert wattfront("--version").out.split()[0] == "wattfront"


class TestFailures:
    @pytest.fixture
    def broken(self, monkeypatch, tmp_path):
        """`wattfront check` fails as it never should; logs go to the folder returned."""

        def fail(_arguments):
            raise ZeroDivisionError("a secret reason")

        monkeypatch.setattr(check, "run", fail)
        monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
        monkeypatch.delenv("WATTFRONT_DEBUG", raising=False)
        return tmp_path

    def test_a_failure_of_ours_is_an_apology_and_a_log(self, wattfront, broken):
        outcome = wattfront("check", "nine")
        (complaint,) = outcome.complaints
        (log,) = broken.iterdir()
        identifier = log.stem.removeprefix("wattfront-")
        assert f"an error of Wattfront (failure {identifier}); details are in {log}" in complaint
        assert "ZeroDivisionError: a secret reason" in log.read_text()
        assert (outcome.status, outcome.out) == (70, "")

    def test_with_json_the_apology_is_an_object(self, wattfront, broken):
        outcome = wattfront("check", "nine", "--json")
        assert outcome.data["ok"] is False
        assert "sorry" in outcome.data["problems"][0]["message"]
        assert outcome.status == 70

    def test_debugging_shows_the_traceback_and_leaves_no_log(self, wattfront, broken, monkeypatch):
        monkeypatch.setenv("WATTFRONT_DEBUG", "1")
        outcome = wattfront("check", "nine")
        assert "Traceback" in outcome.err
        assert "a secret reason" in outcome.err
        assert not list(broken.iterdir())

    def test_an_apology_needs_no_place_for_its_log(self, wattfront, broken, monkeypatch):
        monkeypatch.setattr("tempfile.tempdir", str(broken / "nowhere"))
        outcome = wattfront("check", "nine")
        assert "WATTFRONT_DEBUG=1" in outcome.err
        assert outcome.status == 70

    def test_an_interrupt_is_status_130(self, wattfront, monkeypatch):
        def interrupt(_arguments):
            raise KeyboardInterrupt

        monkeypatch.setattr(check, "run", interrupt)
        outcome = wattfront("check", "nine", "--json")
        assert outcome.status == 130
        assert outcome.data["problems"][0]["message"] == "interrupted"


class TestProcesses:
    @pytest.mark.thorough
    def test_nothing_but_json_is_on_standard_output(self, tmp_path):
        done = run("solve", "two-by-two", "--method", "paper", "--json", "-o", tmp_path / "s.csv")
        assert done.returncode == 0
        assert json.loads(done.stdout)["verified"] is True
        assert "Traceback" not in done.stderr  # of compiling is told there

    @pytest.mark.thorough
    def test_bad_input_is_status_2(self):
        done = run("check", "nien")
        assert (done.returncode, done.stdout) == (2, "")
        assert "did you mean nine" in done.stderr

    def test_the_installed_command_is_this_one(self):
        command = Path(sys.executable).with_name("wattfront")
        done = subprocess.run([command, "samples", "--json"], capture_output=True, check=True)
        assert json.loads(done.stdout)["samples"]

    @pytest.mark.thorough
    @pytest.mark.parametrize(
        ("words", "solvers"),
        [("--help", []), ("check nine", []), ("front nine --method bound", ["highspy"])],
    )
    def test_nobody_waits_for_a_solver_that_is_not_asked(self, words, solvers):
        script = (
            "import sys; from core.shells.cli import main; status = main(sys.argv[1:]);"
            "heavy = {'highspy', 'numba', 'scipy', 'streamlit', 'ortools', 'pandas', 'cvxpy'};"
            "sys.exit(status or sorted(heavy.intersection(sys.modules)))"
        )
        done = subprocess.run(
            [sys.executable, "-c", script, *words.split()], capture_output=True, check=False
        )
        assert (done.returncode, done.stderr.decode()) == (1, f"{solvers}\n")

    def test_a_reader_that_has_gone_is_no_error(self):
        ours, theirs = os.pipe()
        os.close(ours)
        done = subprocess.run(
            [*WATTFRONT, "check", "nine"],
            stdout=theirs,
            stderr=subprocess.PIPE,
            timeout=PATIENCE,
            check=False,
        )
        os.close(theirs)
        assert (done.returncode, done.stderr) == (141, b"")

    def test_an_output_that_cannot_be_written_is_said_once(self, tmp_path):
        (tmp_path / "out").touch()
        with (tmp_path / "out").open() as read_only:
            done = subprocess.run(
                [*WATTFRONT, "check", "nine"], stdout=read_only, stderr=subprocess.PIPE, check=False
            )
        assert done.returncode == 74
        assert done.stderr.decode().count("\n") == 1
        assert "cannot be written" in done.stderr.decode()

    @pytest.mark.thorough
    def test_names_in_any_script_can_be_printed_anywhere(self, tmp_path):
        path = tmp_path / "計算機 times.csv"
        path.write_text("x,M\nT,1\n", encoding="utf-8")
        done = run("check", str(path), env={**os.environ, "PYTHONIOENCODING": "ascii"})
        assert done.returncode == 0
        assert "\\u8a08" in done.stdout


NAMES = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")


def test_commands_use_one_blas_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(NAMES[0], raising=False)
    monkeypatch.setenv(NAMES[1], "2")
    assert main(["samples"]) == 0
    assert [os.environ[name] for name in NAMES] == ["1", "2"]


def test_numpy_is_not_loaded_before_the_number_of_threads_is_said() -> None:
    program = "import sys, core.shells.cli; core.shells.cli.main; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0
