"""Kernels do the same interpreted as compiled, and numba is imported where there is much to do."""

import subprocess
import sys

import numba
import numpy as np
import pytest
from examples import examples
from hypothesis import example, given
from strategies import systems

from core.engines.compute import compiled as compiled_module
from core.engines.compute.compiled import InPlaceKernel, Kernel, brief
from core.engines.relaxed import trace_front
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

    @pytest.mark.thorough
    def test_it_changes_what_it_is_given(self):
        values = np.array([8.0, 16.0])
        assert halve(values, 2) == (2.0 + 4.0) / 2
        assert values.tolist() == [2.0, 4.0]
        assert halve.dispatcher.targetoptions["_nrt"] is False
        assert halve.dispatcher.targetoptions["forceinline"] is True

    @pytest.mark.thorough
    def test_what_another_makes_lives_on(self):
        values = np.array([8.0, 16.0])
        copies = [halved_copy(values) for _ in range(100)]
        assert values.tolist() == [8.0, 16.0]
        assert {tuple(copy.tolist()) for copy in copies} == {(4.0, 8.0)}

    def test_no_reference_is_lost_or_left(self):
        values = np.array([8.0, 16.0])
        halve(values, 1)
        before = sys.getrefcount(values)
        for _ in range(100):
            halve(values, 1)
        assert sys.getrefcount(values) == before

    def test_one_that_makes_an_array_cannot_be_compiled(self):
        with pytest.raises(numba.NumbaError, match="NRT required but not enabled"):
            make_one(np.array([1.0]))


class TestBrief:
    """Whether a kernel that only Python can run is run."""

    FEW = 300_000

    @pytest.fixture
    def how(self):
        return []

    @pytest.fixture
    def kernel(self, how, monkeypatch):
        kernel = Kernel(lambda: how.append("interpreted"))
        compiled = property(lambda _: lambda: how.append("compiled"))
        monkeypatch.setattr(Kernel, "dispatcher", compiled)
        return kernel

    @pytest.fixture
    def no_numba(self, monkeypatch):
        """As in a process that has not imported it yet."""
        as_if_new(monkeypatch)

    @pytest.mark.usefixtures("no_numba")
    def test_a_few_steps_are_interpreted(self, kernel, how):
        with brief(self.FEW):
            kernel()
        kernel()
        assert how == ["interpreted", "compiled"]

    @pytest.mark.usefixtures("no_numba")
    def test_many_are_compiled(self, kernel, how):
        with brief(self.FEW + 1):
            kernel()
        assert how == ["compiled"]

    @pytest.mark.usefixtures("no_numba")
    def test_what_comes_often_is_compiled(self, kernel, how):
        """Issue 33, point 24: interpreted steps are counted over the process, not over the call."""
        for _ in range(4):
            with brief(self.FEW // 3):
                kernel()
        with brief(1):
            kernel()
        assert how == ["interpreted"] * 3 + ["compiled"] * 2

    def test_what_can_be_compiled_at_once_is(self, kernel, how, monkeypatch):
        monkeypatch.setitem(sys.modules, "numba", sys)
        with brief(1):
            kernel()
        assert how == ["compiled"]


def as_if_new(patch):
    """Makes this process look like one that has neither imported numba nor interpreted anything."""
    patch.setitem(sys.modules, "numba", sys)
    patch.delitem(sys.modules, "numba")
    patch.setattr(compiled_module, "_interpreted", 0)


def interpreted_front(system):
    """As in a new process, in which what is small is interpreted."""
    with pytest.MonkeyPatch.context() as patch:
        as_if_new(patch)
        return trace_front(system)


@pytest.mark.thorough
def test_a_process_that_traces_many_small_fronts_compiles():
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


def assert_same(system):
    """To the last digit."""
    interpreted, compiled = interpreted_front(system), trace_front(system)
    assert len(interpreted) == len(compiled) > 0
    assert interpreted.exact == compiled.exact
    for name in ("points", "slower"):
        np.testing.assert_array_equal(getattr(interpreted, name), getattr(compiled, name))
    for name in ("weights", "value"):
        ours, theirs = getattr(interpreted.lines, name), getattr(compiled.lines, name)
        np.testing.assert_array_equal(ours, theirs)


def far_apart(apc, idle):
    """A task of each type; what takes a second on one machine takes 17,000 years on another, and
    one machine is of a type of which there is none.
    """
    return System(
        (TaskType("one"), TaskType("two")),
        (MachineType("none", 0), MachineType("slow", 1, idle), MachineType("quick", 1)),
        np.array([[np.inf, 1.0, np.inf], [1.0, 5.35e11, 1.0]]),
        np.array(apc),
    )


@examples(4)
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
def test_a_front_is_the_same_interpreted(system):
    assert_same(system)


def test_a_front_of_so_many_steps_that_its_basis_is_inverted_again_is_the_same_interpreted(
    monkeypatch,
):
    monkeypatch.setattr(compiled_module, "_FEW", 10**9)
    assert_same(load_sample("nine").with_idle_fraction(0.0))
