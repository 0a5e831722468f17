"""The garbage collector does not see what is there to stay, and looks at the rest seldom."""

import gc
import tomllib
from pathlib import Path

import pytest
from pages import Open

import dashboard
from dashboard import navigation
from dashboard.patches import memory
from dashboard.patches.memory import COLLECT_SECONDS, settle


def test_a_page_settles_once():
    before = gc.get_freeze_count()
    kept = [[] for _ in range(1000)]
    settle("a page of this test")
    after = gc.get_freeze_count()
    assert after >= before + len(kept)
    more = [[] for _ in range(1000)]
    settle("a page of this test")
    assert gc.get_freeze_count() <= after
    gc.unfreeze()
    del more


def test_garbage_is_collected_from_time_to_time_and_not_after_every_run(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now, collected = [memory._collected], []
    monkeypatch.setattr(memory, "_collected", now[0])
    monkeypatch.setattr("dashboard.patches.memory.time.monotonic", lambda: now[0])
    monkeypatch.setattr(gc, "collect", lambda: collected.append(now[0]))
    for run in range(1, 31):
        now[0] += COLLECT_SECONDS / 10
        memory.collect()
        assert len(collected) == run // 10


def test_a_page_that_was_drawn_is_when_to_collect(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = []
    monkeypatch.setattr(navigation, "collect", lambda: drawn.append(1))
    page = open_page("about")
    assert len(drawn) == 1
    page.run()
    assert len(drawn) == 2


def test_streamlit_collects_none() -> None:
    settings = Path(dashboard.__file__).parent / ".streamlit" / "config.toml"
    assert tomllib.loads(settings.read_text())["runner"]["postScriptGC"] is False
