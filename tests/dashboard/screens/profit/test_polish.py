"""The search behind the page asks for what the page has, says how far it is, and gives way."""

from contextlib import contextmanager
from dataclasses import replace
from typing import Any, cast

import pytest

from core.capabilities.profit.earn import Profit, ProfitProgress, earn
from core.capabilities.profit.settings import ProfitSettings
from core.engines.compute.task import Task
from core.vocabulary.budget import Effort
from dashboard.screens.profit import polish
from dashboard.server.archive import ARCHIVE
from dashboard.server.background import Job


class _Job:
    """Stands in for a job: notes what its work says, computes and shows."""

    def __init__(self, *, goes_on=True):
        self.goes_on = goes_on
        self.rested: list[float] = []
        self.began: list[tuple[object, ...]] = []
        self.computed: list[tuple[Task[Any], float]] = []
        self.shown: list[object] = []

    def rest(self, seconds):
        self.rested.append(seconds)
        return self.goes_on

    def begin(self, *phase):
        self.began.append(phase)

    def show(self, value):
        self.shown.append(value)

    @contextmanager
    def turn(self):
        yield self

    def compute(self, task, allowed, report):
        self.computed.append((task, allowed))
        report(ProfitProgress("recover"))
        report(ProfitProgress("polish", 0.5, 1.5, 36.0036 / 3600))
        report(ProfitProgress("polish", 0.5, 1.5))
        return "the profit"


@pytest.fixture
def quick(testbed, testbed_front):
    return earn(testbed, ProfitSettings().terms(testbed_front), effort=Effort(0))


def worked(profit, job):
    work = polish.polishing(profit.system, profit.bound.terms, ProfitSettings().money)
    work(cast("Job[Profit]", job))
    return job


def test_it_pauses_then_earns_with_a_second_and_a_half_of_polish(quick):
    job = worked(quick, _Job())
    assert job.rested == [0.4]
    ((task, allowed),) = job.computed
    assert (task.function, task.given) == (earn, (quick.system, quick.bound.terms))
    assert task.named["effort"] == Effort(work=1.5)
    assert (allowed, task.reports) == (150.0, True), "work may take longer than its seconds"
    assert job.shown == ["the profit"]


def test_it_says_its_phase_and_at_most_the_profit_so_far(quick):
    assert worked(quick, _Job()).began == [
        ("Searching for a better schedule",),
        ("Making a schedule",),
        ("Polishing: 36 EUR/h so far", 1.5, 0.5),
    ]


def test_a_person_who_goes_on_dragging_starts_nothing(quick):
    job = worked(quick, _Job(goes_on=False))
    assert (job.computed, job.shown) == ([], [])


@pytest.mark.parametrize(("more", "taken"), [(-1, False), (0, True), (1, True)])
def test_known_schedules_are_sent_up_to_the_limit(quick, monkeypatch, more, *, taken):
    ARCHIVE.take(quick)
    known = ARCHIVE.of(quick.system)
    monkeypatch.setattr(polish, "MOST_NUMBERS", known.numbers + more)
    ((task, _),) = worked(quick, _Job()).computed
    assert tuple(task.named["known"]) == (tuple(known.schedules) if taken else ())


def test_a_polish_is_shown_only_if_it_earns_as_much(testbed, testbed_front):
    worse, quick, more = (
        earn(testbed, ProfitSettings(ratio=ratio).terms(testbed_front), effort=Effort(0))
        for ratio in (1.1, 1.2, 1.3)
    )
    as_good = replace(quick)
    assert polish.better(quick, more) is more
    assert polish.better(quick, as_good) is as_good
    assert polish.better(quick, worse) is quick
    assert polish.better(quick, None) is quick
