"""Kernels do the same interpreted as compiled, and numba is imported where there is much to do."""

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

import numba
import numpy as np
import pytest
from examples import examples
from hypothesis import example, given
from strategies import systems

import core
from core.engines.compute import compiled as compiled_module
from core.engines.compute.compiled import InPlaceKernel, Kernel, brief
from core.engines.relaxed import Front, trace_front
from core.files.samples.named import load_sample
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.system import System


@Kernel
def total(values):
    amount = 0.0
    for place in range(len(values)):
        amount += half(values[place])
    return amount


@Kernel
def half(value):
    return value / 2


def test_compiled_kernels_call_each_other() -> None:
    assert total(np.array([1.0, 2.5])) == 1.75
    assert total.dispatcher.signatures


@InPlaceKernel
def halve(values, passes):
    """Halves all so many times; how much they were together at the end."""
    amount = 0.0
    for _ in range(passes):
        for place in range(len(values)):
            values[place] = half(values[place])
        amount = total(values)
    return amount


@InPlaceKernel
def make_one(values):
    return values.copy()[0]


@Kernel
def halved_copy(values):
    copy = values.copy()
    halve(copy, 1)
    return copy


class TestInPlace:
    """Kernels that count no references to arrays, and those that do, may call each other."""

    def test_it_changes_what_it_is_given(self) -> None:
        values = np.array([8.0, 16.0])
        assert halve(values, 2) == (2.0 + 4.0) / 2
        assert values.tolist() == [2.0, 4.0]
        assert halve.dispatcher.targetoptions["_nrt"] is False

    def test_what_another_makes_lives_on(self) -> None:
        values = np.array([8.0, 16.0])
        copies = [halved_copy(values) for _ in range(100)]
        assert values.tolist() == [8.0, 16.0]
        assert {tuple(copy.tolist()) for copy in copies} == {(4.0, 8.0)}

    def test_no_reference_is_lost_or_left(self) -> None:
        values = np.array([8.0, 16.0])
        halve(values, 1)
        before = sys.getrefcount(values)
        for _ in range(100):
            halve(values, 1)
        assert sys.getrefcount(values) == before

    def test_one_that_makes_an_array_cannot_be_compiled(self) -> None:
        with pytest.raises(numba.NumbaError, match="NRT required but not enabled"):
            make_one(np.array([1.0]))


class TestKept:
    """What numba keeps from one process to the next is taken for fresh only where it is."""

    OUTER = "from core.engines.compute.compiled import Kernel\nfrom inner import half\n\n\n"
    OUTER += "@Kernel\ndef outer(value):\n    return half(value)\n"
    INNER = "from core.engines.compute.compiled import Kernel\n\n\n@Kernel\ndef half(value):\n"

    @pytest.fixture
    def result(self, tmp_path: Path) -> Callable[[str], str]:
        """What `outer` says of 8.0 in a new process, once `half` returns this; all files keep their
        size and time.
        """
        (tmp_path / "outer.py").write_text(self.OUTER)

        def run(body: str) -> str:
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

    def test_a_kernel_that_calls_a_changed_one_is_compiled_anew(
        self, result: Callable[[str], str]
    ) -> None:
        assert result("value / 2") == "4.0"
        assert result("value / 4") == "2.0"

    def test_what_cannot_be_read_is_compiled_anew(
        self, result: Callable[[str], str], tmp_path: Path
    ) -> None:
        assert result("value / 2") == "4.0"
        indices = [*tmp_path.rglob("*.nbi")]
        assert len(indices) == 2
        version = pickle.dumps(numba.__version__, protocol=-1)
        for index in indices:  # names a class that is gone
            index.write_bytes(version + b"cgone\nClass\n.")
        assert result("value / 2") == "4.0"

    def test_what_is_fresh_is_not_compiled_again(
        self, result: Callable[[str], str], tmp_path: Path, capfd: pytest.CaptureFixture[str]
    ) -> None:
        result("value / 2")
        said = "Compiling, once after an installation or an update: up to a minute ...\n"
        assert capfd.readouterr().err == said
        kept = {file: file.stat().st_mtime_ns for file in tmp_path.rglob("*.nb?")}
        result("value / 2")
        assert capfd.readouterr().err == ""
        assert kept == {file: file.stat().st_mtime_ns for file in tmp_path.rglob("*.nb?")}


@Kernel
def twice(value):
    return value + value


class TestKeptTogether:
    """Several processes may compile a kernel at the same time, each for other types."""

    FIRST: ClassVar = (2.5, 5.0)
    SECOND: ClassVar = (3, 6)

    @pytest.fixture
    def fresh(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], Any]:
        """The kernel as a process that begins finds it, and the index of what is stored."""
        monkeypatch.setattr("numba.config.CACHE_DIR", str(tmp_path))
        return lambda: Kernel(twice.function).dispatcher

    def test_no_process_takes_the_file_of_another(self, fresh: Callable[[], Any]) -> None:
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

    def test_all_types_are_kept(self, fresh: Callable[[], Any]) -> None:
        for value, doubled in (self.FIRST, self.SECOND):
            assert fresh()(value) == doubled
        again = fresh()
        assert [again(value) for value, _ in (self.FIRST, self.SECOND)] == [5.0, 6]
        assert sum(again.stats.cache_hits.values()) == 2
        assert not again.stats.cache_misses

    def test_code_of_other_sources_goes(
        self, fresh: Callable[[], Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        fresh()(2.5)
        before = {*tmp_path.rglob("*.nbc")}
        monkeypatch.setattr(Kernel, "_stamp", lambda _: "of other sources")
        fresh()(2.5)
        fresh()(3)
        after = {*tmp_path.rglob("*.nbc")}
        assert (len(before), len(after)) == (1, 2)
        assert not before & after


class TestBrief:
    """Whether a kernel that only Python can run is run."""

    FEW = 300_000

    @pytest.fixture
    def how(self) -> list[str]:
        return []

    @pytest.fixture
    def kernel(self, how: list[str], monkeypatch: pytest.MonkeyPatch) -> Kernel:
        kernel = Kernel(lambda: how.append("interpreted"))
        compiled = property(lambda _: lambda: how.append("compiled"))
        monkeypatch.setattr(Kernel, "dispatcher", compiled)
        return kernel

    @pytest.fixture
    def no_numba(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """As in a process that has not imported it yet."""
        as_if_new(monkeypatch)

    @pytest.mark.usefixtures("no_numba")
    def test_a_few_steps_are_interpreted(self, kernel: Kernel, how: list[str]) -> None:
        with brief(self.FEW):
            kernel()
        kernel()
        assert how == ["interpreted", "compiled"]

    @pytest.mark.usefixtures("no_numba")
    def test_many_are_compiled(self, kernel: Kernel, how: list[str]) -> None:
        with brief(self.FEW + 1):
            kernel()
        assert how == ["compiled"]

    @pytest.mark.usefixtures("no_numba")
    def test_what_comes_often_is_compiled(self, kernel: Kernel, how: list[str]) -> None:
        """Issue 33, point 24: interpreted steps are counted over the process, not over the call."""
        for _ in range(4):
            with brief(self.FEW // 3):
                kernel()
        with brief(1):
            kernel()
        assert how == ["interpreted"] * 3 + ["compiled"] * 2

    def test_what_can_be_compiled_at_once_is(
        self, kernel: Kernel, how: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(sys.modules, "numba", sys)
        with brief(1):
            kernel()
        assert how == ["compiled"]


def as_if_new(patch: pytest.MonkeyPatch) -> None:
    """Makes this process look like one that has neither imported numba nor interpreted anything."""
    patch.setitem(sys.modules, "numba", sys)
    patch.delitem(sys.modules, "numba")
    patch.setattr(compiled_module, "_interpreted", 0)


def interpreted_front(system: System) -> Front:
    """As in a new process, in which what is small is interpreted."""
    with pytest.MonkeyPatch.context() as patch:
        as_if_new(patch)
        return trace_front(system)


def test_a_process_that_traces_many_small_fronts_compiles() -> None:
    """Issue 33, point 24: only the first of them are interpreted."""
    lines = [
        "import sys",
        "from core import load_sample",
        "from core.engines.relaxed import trace_front",
        "nine = load_sample('nine').with_idle_fraction(0.1)",
        "for _ in range(8):",
        "    trace_front(nine)",
        "    print(int('numba' in sys.modules))",
    ]
    ran = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)], stdout=subprocess.PIPE, text=True, check=True
    )
    assert ran.stdout.split() == ["0"] * 3 + ["1"] * 5


def assert_same(system: System) -> None:
    """To the last digit."""
    interpreted, compiled = interpreted_front(system), trace_front(system)
    assert len(interpreted) == len(compiled) > 0
    assert interpreted.exact == compiled.exact
    for name in ("points", "slower"):
        np.testing.assert_array_equal(getattr(interpreted, name), getattr(compiled, name))
    for name in ("weights", "value"):
        ours, theirs = getattr(interpreted.lines, name), getattr(compiled.lines, name)
        np.testing.assert_array_equal(ours, theirs)


def far_apart(apc: list[list[float]], idle: float) -> System:
    """A task of each type; what takes a second on one machine takes 17,000 years on another, and
    one machine is of a type of which there is none.
    """
    return System(
        (TaskType("one"), TaskType("two")),
        (MachineType("none", 0), MachineType("slow", 1, idle), MachineType("quick", 1)),
        np.array([[np.inf, 1.0, np.inf], [1.0, 5.35e11, 1.0]]),
        np.array(apc),
    )


@examples(10)
@given(systems(with_apc=True))
@example(far_apart([[np.nan, 0.0, np.nan], [0.0, 0.0, 0.0]], 1.0))
@example(far_apart([[np.nan, 1.0, np.nan], [1.0, 1.0, 1.0]], 1.0))
@example(
    System(
        (TaskType("one", 3),),
        (MachineType("slow", 1, 1.0), MachineType("quick", 2, 1.0)),
        np.array([[1.13e9, 1.0]]),
        np.array([[0.0, 1.0]]),
    )
)
def test_a_front_is_the_same_interpreted(system: System) -> None:
    assert_same(system)


def test_a_front_of_so_many_steps_that_its_basis_is_inverted_again_is_the_same_interpreted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(compiled_module, "_FEW", 10**9)
    assert_same(load_sample("nine").with_idle_fraction(0.0))
