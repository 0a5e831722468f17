"""Ctrl-C while a schedule improves gives the best so far; a second one gives up."""

import json
import os
import signal
import subprocess
import sys

import pytest
from patience import PATIENCE

from core.capabilities.makespan import command
from core.capabilities.makespan.solve import solve
from core.shells.cli.progress import first_interrupt_stops
from core.vocabulary.budget import Cancelled

ENDLESS_POLISH = """
import sys, time
import core.capabilities.makespan.methods

def polish(schedule, bound, budget, **_):
    sys.stderr.write("polishing\\n")
    sys.stderr.flush()
    while not budget.should_stop():
        time.sleep(0.01)
    return schedule

core.capabilities.makespan.methods.polish = polish
from core.shells.cli import main
sys.exit(main(["solve", "testbed", "--seconds", "600", "--json"]))
"""


def press_ctrl_c():
    os.kill(os.getpid(), signal.SIGINT)


def test_the_first_is_noted_and_the_second_raises():
    before = signal.getsignal(signal.SIGINT)
    with first_interrupt_stops() as asked:
        assert not asked()
        press_ctrl_c()
        assert asked()
        with pytest.raises(KeyboardInterrupt):
            press_ctrl_c()
    assert signal.getsignal(signal.SIGINT) is before


@pytest.mark.thorough
def test_a_polish_that_is_interrupted_gives_its_best():
    with subprocess.Popen(
        [sys.executable, "-c", ENDLESS_POLISH], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        try:
            assert b"polishing\n" in iter(process.stderr.readline, b"")  # others tell of compiling
            process.send_signal(signal.SIGINT)
            out, err = process.communicate(timeout=PATIENCE)
        finally:
            process.kill()
    assert process.returncode == 0
    assert json.loads(out)["verified"] is True
    assert b"press Ctrl-C again" in err
    assert b"Traceback" not in err


def test_the_bound_before_the_polish_is_finished_first(wattfront, monkeypatch):
    def interrupted(system, *, should_stop, **options):
        press_ctrl_c()
        assert should_stop()
        return solve(system, should_stop=should_stop, **options)

    monkeypatch.setattr(command, "solve", interrupted)
    outcome = wattfront("solve", "two-by-two", "--json")
    assert outcome.status == 0
    assert outcome.data["gap"] >= 0


def test_a_rival_without_a_schedule_is_interrupted(wattfront, monkeypatch):
    def cancelled(*_, **__):
        press_ctrl_c()
        raise Cancelled("stopped while looking")

    monkeypatch.setattr(command, "solve", cancelled)
    outcome = wattfront("solve", "two-by-two", "--json")
    assert outcome.status == 130
    assert outcome.data["ok"] is False
