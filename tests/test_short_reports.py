"""Of a case that passed one report is sent, of any other all that there are."""

from types import SimpleNamespace
from typing import Any

import pytest
import short_reports

WHENS = ("setup", "call", "teardown")


def told(monkeypatch: pytest.MonkeyPatch, failing: str | None, **config: Any) -> list[str] | None:
    """Of which phases a report is sent, where one of them may fail; None if pytest decides."""
    reports = [SimpleNamespace(when=when, passed=when != failing) for when in WHENS]
    monkeypatch.setattr(short_reports, "runtestprotocol", lambda *_, **__: reports)
    sent: list[str] = []
    option = SimpleNamespace(**{"measure_slow": False, "durations": None} | config)
    process = SimpleNamespace(option=option, workerinput={})
    hook = SimpleNamespace(pytest_runtest_logreport=lambda report: sent.append(report.when))
    if config.get("alone"):
        del process.workerinput
    item: Any = SimpleNamespace(config=process, ihook=hook)
    return sent if short_reports.pytest_runtest_protocol(item, None) else None


def test_what_passed_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    assert told(monkeypatch, None) == ["call"]


@pytest.mark.parametrize("failing", WHENS)
def test_what_did_not_is_told_whole(monkeypatch: pytest.MonkeyPatch, failing: str) -> None:
    assert told(monkeypatch, failing) == list(WHENS)


@pytest.mark.parametrize("config", [{"alone": True}, {"measure_slow": True}, {"durations": 9}])
def test_elsewhere_pytest_decides(monkeypatch: pytest.MonkeyPatch, config: dict[str, Any]) -> None:
    assert told(monkeypatch, None, **config) is None
