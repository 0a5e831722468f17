"""What is drawn at least is said to break a cap that it breaks, however near the two are."""

import pytest

from core.capabilities.profit.program import CapTooLow
from core.capabilities.profit.terms import Terms
from dashboard.screens.profit import page


@pytest.mark.parametrize(
    ("proven", "cap", "said"),
    [
        (True, 39.0, "site is at least 40 W, above the cap of 39 W. "),
        (True, 39.9999, "site is at least 40 W, above the cap of 39.9999 W. "),
        (True, 40.00015, "site is at least 40.0002 W, above the cap of 40.00015 W. "),
        (False, 39.9999, "found is 40.01 W at the site, above the cap of 39.9999 W. "),
    ],
)
def test_a_cap_that_is_broken_is_said_below_what_is_drawn(
    monkeypatch: pytest.MonkeyPatch, proven: bool, cap: float, said: str
) -> None:
    """20.0001 W at the machines, of which the site draws twice as much."""
    warned: list[str] = []
    monkeypatch.setattr(page.st, "header", lambda *_, **__: None)
    monkeypatch.setattr(page.st, "warning", lambda text, **_: warned.append(text))
    terms = Terms(1.0, pue=2.0, power_cap=cap)
    page.show_cap_too_low(terms, CapTooLow(terms, 20.0001, proven=proven))
    (text,) = warned
    assert said in text
