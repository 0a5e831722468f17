"""What is changed inside numba is needed, and does what it says: a test for each upstream issue."""

import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import ClassVar

import numba
import pytest

import core
from core.engines.compute.compiled import Kernel


@Kernel
def four_times(value):
    return twice(twice(value))


def test_compiled_kernels_call_each_other():
    """numba/numba#2550."""
    assert four_times(2.5) == 10.0
    assert four_times.dispatcher.signatures


class TestKept:
    """numba/numba#1833: what is kept for the next process is taken for fresh only where it is."""

    OUTER = "from core.engines.compute.compiled import Kernel\nfrom inner import half\n\n\n"
    OUTER += "@Kernel\ndef outer(value):\n    return half(value)\n"
    INNER = "from core.engines.compute.compiled import Kernel\n\n\n@Kernel\ndef half(value):\n"

    @pytest.fixture
    def result(self, tmp_path):
        """What `outer` says of 8.0 in a new process, once `half` returns this; all files keep their
        size and time.
        """
        (tmp_path / "outer.py").write_text(self.OUTER)

        def run(body):
            (tmp_path / "inner.py").write_text(f"{self.INNER}    return {body}\n")
            for file in tmp_path.glob("*.py"):
                os.utime(file, (0, 0))
            command = [sys.executable, "-B", "-c", "import outer; print(outer.outer(8.0))"]
            paths = os.pathsep.join([str(tmp_path), str(Path(core.__file__).parents[2])])
            environment = os.environ | {"PYTHONPATH": paths, "NUMBA_CACHE_DIR": str(tmp_path)}
            ran = subprocess.run(
                command, env=environment, stdout=subprocess.PIPE, text=True, check=True
            )
            return ran.stdout.strip()

        return run

    @pytest.mark.thorough
    def test_what_is_stale_or_cannot_be_read_is_compiled_anew_and_nothing_else(
        self, result, tmp_path, capfd
    ):
        assert result("value / 2") == "4.0"
        said = "Compiling, once after an installation or an update: up to a minute ...\n"
        assert capfd.readouterr().err == said
        kept = {file: file.stat().st_mtime_ns for file in tmp_path.rglob("*.nb?")}
        assert result("value / 2") == "4.0"
        assert capfd.readouterr().err == ""
        assert kept == {file: file.stat().st_mtime_ns for file in tmp_path.rglob("*.nb?")}
        indices = [*tmp_path.rglob("*.nbi")]
        assert len(indices) == 2
        version = pickle.dumps(numba.__version__, protocol=-1)
        for index in indices:  # names a class that is gone
            index.write_bytes(version + b"cgone\nClass\n.")
        assert result("value / 2") == "4.0"
        assert result("value / 4") == "2.0", "a kernel that calls a changed one is compiled anew"


@Kernel
def twice(value):
    return value + value


class TestKeptTogether:
    """numba/numba#4807: processes may compile a kernel at the same time, each for other types."""

    FIRST: ClassVar = (2.5, 5.0)
    SECOND: ClassVar = (3, 6)

    @pytest.fixture
    def fresh(self, tmp_path, monkeypatch):
        """The kernel as a process that begins finds it, and the index of what is stored."""
        monkeypatch.setattr("numba.config.CACHE_DIR", str(tmp_path))
        return lambda: Kernel(twice.function).dispatcher

    def test_no_process_takes_the_file_of_another(self, fresh):
        begun = [fresh(), fresh()]
        kept = begun[0]._cache._cache_file
        indices = []
        for dispatcher, (value, doubled) in zip(begun, (self.FIRST, self.SECOND), strict=True):
            kept._save_index({})  # as one sees it that began before the other had saved
            assert dispatcher(value) == doubled
            indices.append(kept._load_index())
        assert [len(index) for index in indices] == [1, 1]
        for index, (value, doubled) in zip(indices, (self.FIRST, self.SECOND), strict=True):
            kept._save_index(index)
            assert fresh()(value) == doubled

    def test_all_types_are_kept(self, fresh):
        for value, doubled in (self.FIRST, self.SECOND):
            assert fresh()(value) == doubled
        again = fresh()
        assert [again(value) for value, _ in (self.FIRST, self.SECOND)] == [5.0, 6]
        assert sum(again.stats.cache_hits.values()) == 2
        assert not again.stats.cache_misses

    def test_code_of_other_sources_goes(self, fresh, tmp_path, monkeypatch):
        fresh()(2.5)
        before = {*tmp_path.rglob("*.nbc")}
        monkeypatch.setattr(Kernel, "_stamp", lambda _: "of other sources")
        fresh()(2.5)
        fresh()(3)
        after = {*tmp_path.rglob("*.nbc")}
        assert (len(before), len(after)) == (1, 2)
        assert not before & after
