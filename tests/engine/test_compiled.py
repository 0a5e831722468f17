"""Kernels do the same interpreted as compiled, and numba is imported where there is much to do."""

import sys

import numpy as np
import pytest
from hypothesis import given
from strategies import systems

from core.engine.compiled import Kernel, brief
from core.model.system import System
from core.relaxed import trace_front


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


class TestBrief:
    """Whether a kernel that only Python can run is run."""

    FEW = 100_000

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
        """As if nobody had imported it yet."""
        monkeypatch.setitem(sys.modules, "numba", sys)
        monkeypatch.delitem(sys.modules, "numba")

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

    def test_what_can_be_compiled_at_once_is(
        self, kernel: Kernel, how: list[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setitem(sys.modules, "numba", sys)
        with brief(1):
            kernel()
        assert how == ["compiled"]


@given(systems(with_apc=True))
def test_a_front_is_the_same_interpreted(system: System) -> None:
    compiled = trace_front(system)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, "numba", sys)
        patch.delitem(sys.modules, "numba")
        interpreted = trace_front(system)
    assert interpreted.exact == compiled.exact
    for name in ("points", "slower"):
        assert getattr(interpreted, name) == pytest.approx(getattr(compiled, name), rel=1e-9)
    assert interpreted.lines.value == pytest.approx(compiled.lines.value, rel=1e-9)
