"""What runs under bounds checks is every kernel that there is, in `core` and `benchmarks`."""

import re
import textwrap
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.engines.compute.compiled import Kernel
from core.engines.relaxed import fitting

ROOT = Path(__file__).parents[3]
SYSTEMS = 20
"""The seventh reaches the last kernel; on a busy computer a later one, which has more time."""
SECONDS = 0.02
JOBS = 6


@pytest.fixture(autouse=True)
def beside(monkeypatch: pytest.MonkeyPatch) -> None:
    """The modules of this folder can be imported."""
    monkeypatch.syspath_prepend(Path(__file__).parent)


@pytest.mark.thorough  # and `make bounds`, which `make test` runs if a kernel has changed
@pytest.mark.filterwarnings("ignore::RuntimeWarning")  # compiled, numbers overflow silently
def test_every_kernel_is_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """In plain Python, where one that is called by another counts only if that calls it."""
    from stamp import kernels

    there, ran = {name for name, _ in kernels()}, set()
    assert any(name.endswith("descent.py:_look_for_room") for name in there)

    def run(kernel: Kernel, *arguments: Any) -> Any:
        ran.add(kernel.function.__code__)
        return kernel.function(*arguments)

    monkeypatch.setattr(Kernel, "__call__", run)
    monkeypatch.setattr(fitting, "_GRID", 200)  # its tables take seconds in plain Python
    import everything
    from everything import plan_day, read_odd_logs, run_everything
    from odd import odd_system, odd_workload

    # In plain Python, 30 jobs under each of 84 policies take half a minute a system.
    monkeypatch.setattr(everything, "odd_workload", partial(odd_workload, jobs=JOBS))

    random = np.random.default_rng(12)
    for seed in range(SYSTEMS):
        run_everything(odd_system(random), seed, SECONDS * 2 ** (seed // 7))
        read_odd_logs(seed)
        plan_day(seed)
        missing = there - {f"{Path(code.co_filename).resolve()}:{code.co_name}" for code in ran}
        if not missing:
            return
        if not any("/core/engines/replay/" in name for name in missing):
            monkeypatch.setattr(everything, "replay_arrivals", lambda _: None)
    assert missing == set()


def test_numba_compiles_nothing_else() -> None:
    using = {
        path.relative_to(ROOT).as_posix()
        for folder in ("core", "dashboard")
        for path in (ROOT / folder).rglob("*.py")
        if re.search(r"^\s*(import|from) numba\b", path.read_text(encoding="utf-8"), re.MULTILINE)
    }
    # The patches compile nothing: they import neither numba itself nor its compilers.
    patches = "core/engines/compute/numba_patches.py"
    assert using == {"core/engines/compute/compiled.py", patches}
    assert not re.search(
        r"import numba\b|from numba import|numba\.(njit|jit|vectorize)",
        (ROOT / patches).read_text(encoding="utf-8"),
    )


@pytest.mark.thorough
def test_a_change_of_any_kernel_is_a_reason_to_check_bounds_again() -> None:
    """Also of a constant beside kernels or in a module that they import; not of a docstring."""
    import stamp

    sources = stamp.code()
    whole = "\n".join(sources)
    assert "_TABLE: Final = 1 << 14" in whole
    assert "VALUE_BYTES: Final = 1000" in whole
    for place, source in stamp.kernels():
        body = stamp._without_words(textwrap.dedent(source)).splitlines()[-1].strip()
        assert body in whole, place
    assert stamp.stamp(reversed(sources)) == stamp.stamp(sources)
    for place, source in enumerate(sources):
        changed = [*sources[:place], source + "\nx = 1", *sources[place + 1 :]]
        assert stamp.stamp(changed) != stamp.stamp(sources)
    assert stamp._without_words('"""A."""\nx = 1') == stamp._without_words('"""B."""\nx = 1')
