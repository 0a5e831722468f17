"""What every page needs is loaded once, and whoever comes meanwhile waits for it."""

import gc
import threading
from collections.abc import Callable

import pytest
from patience import PATIENCE

from dashboard import loading


def test_whoever_comes_while_another_loads_waits_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, may_end = threading.Event(), threading.Event()
    loads, got = [], []

    def slowly() -> Callable[[], None]:
        loads.append(1)
        begun.set()
        assert may_end.wait(PATIENCE)
        return lambda: None

    monkeypatch.setattr(loading, "_load", loading.cache(slowly))
    both = [threading.Thread(target=lambda: got.append(loading.load())) for _ in range(2)]
    both[0].start()
    assert begun.wait(PATIENCE)
    both[1].start()
    both[1].join(0.05)
    assert (loads, got) == ([1], [])
    may_end.set()
    for thread in both:
        thread.join(PATIENCE)
    assert loads == [1]
    assert got[0] is got[1]


def test_garbage_is_collected_again_even_if_loading_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails() -> Callable[[], None]:
        raise ImportError("broken")

    monkeypatch.setattr(loading, "load", fails)
    gc.disable()
    try:
        with pytest.raises(ImportError):
            loading._load_ahead()
        assert gc.isenabled()
    finally:
        gc.enable()
        gc.unfreeze()
