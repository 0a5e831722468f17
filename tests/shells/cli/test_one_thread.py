"""Commands compute with one BLAS thread, unless somebody asks for more."""

import os
import subprocess
import sys

import pytest

from core.shells.cli import main

NAMES = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS")


def test_commands_use_one_blas_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(NAMES[0], raising=False)
    monkeypatch.setenv(NAMES[1], "2")
    assert main(["samples"]) == 0
    assert [os.environ[name] for name in NAMES] == ["1", "2"]


def test_numpy_is_not_loaded_before_the_number_of_threads_is_said() -> None:
    program = "import sys, core.shells.cli; core.shells.cli.main; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0
