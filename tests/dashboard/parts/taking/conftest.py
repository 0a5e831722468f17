"""What the buttons of exports make when they are pressed, which `AppTest` cannot do."""

from collections.abc import Callable
from typing import Any

import pytest
import streamlit

Files = dict[str, Callable[[], bytes]]


@pytest.fixture
def files(monkeypatch: pytest.MonkeyPatch) -> Files:
    """What each button makes, by its label."""
    made: Files = {}
    offer = streamlit.download_button

    def noted(label: str, data: Any, *args: Any, **kwargs: Any) -> bool:
        made[label] = data
        return offer(label, data, *args, **kwargs)

    monkeypatch.setattr(streamlit, "download_button", noted)
    return made
