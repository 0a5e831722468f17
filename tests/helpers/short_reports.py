"""Processes that run tests beside each other report a case that passed once, not three times.

Telling of a case takes a millisecond in two processes, more than many cases themselves.
"""

import pytest
from _pytest.runner import runtestprotocol


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Runs a case as pytest does; of what fails or is left out, everything is told."""
    asked = item.config.option
    if not hasattr(item.config, "workerinput") or asked.measure_slow or asked.durations:
        return None
    reports = runtestprotocol(item, nextitem=nextitem, log=False)
    if all(report.passed for report in reports):
        reports = [report for report in reports if report.when == "call"]
    for report in reports:
        item.ihook.pytest_runtest_logreport(report=report)
    return True
