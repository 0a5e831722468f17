"""Pages of the dashboard without a browser."""

from collections.abc import Callable
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import core.solve
import dashboard
from dashboard import guard

APP = Path(dashboard.__file__).with_name("app.py")

Open = Callable[..., AppTest]


@pytest.fixture
def open_page(monkeypatch: pytest.MonkeyPatch) -> Open:
    """Opens a page by its file, perhaps at an address: `open_page("system", idle=0.2)`.

    What fails on it fails the test, instead of ending in an apology.
    """
    # A polish is as good as its seconds; what the page does with the outcome does not depend on it.
    monkeypatch.setattr(core.solve, "DEFAULT_SECONDS", 0.1)
    monkeypatch.setattr(guard, "guarded", lambda run, _: run())

    def opened(view: str, **parameters: object) -> AppTest:
        app = AppTest.from_file(str(APP), default_timeout=60)
        app.query_params.update({name: str(value) for name, value in parameters.items()})
        app.switch_page(f"views/{view}.py").run()
        assert not app.exception
        return app

    return opened
