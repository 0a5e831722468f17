"""A log of the chosen schedule is drawn below its plan; what cannot be compared is said."""

import pytest
from capabilities.compare_run.conftest import HEADER, Row, dump
from pages import charts, html, opened, run, settled

from core.capabilities.makespan.solve import solve
from core.engines.slurm.job_arrays import job_arrays_of
from core.files.samples.named import load_sample
from dashboard.workspace import session
from dashboard.workspace.chosen import Chosen


@pytest.fixture(scope="module")
def schedule():
    return solve(load_sample("two-by-two"), method="paper").schedule


@pytest.fixture(scope="module")
def plan(schedule):
    return job_arrays_of(schedule.blocks(), schedule.system)


@pytest.fixture(scope="module")
def log(plan):
    """Each task takes 5 s; the first of all failed."""
    rows = [
        Row(array, task, 100 * array + 5 * task, 100 * array + 5 * task + 5, state)
        for array, count in enumerate(plan.blocks.count.tolist())
        for task in range(count)
        for state in ("COMPLETED" if array or task else "FAILED",)
    ]
    return dump(plan, rows)


@pytest.fixture
def page(open_page, schedule):
    page = open_page("schedule", sample="two-by-two")
    page.session_state[session.CHOSEN] = Chosen.of(schedule, "By hand")
    return run(page)


def with_log(page, content):
    return opened(page, "schedule.log", ("jobs.txt", content.encode()))


def test_at_first_it_says_what_to_upload(page):
    assert any("open the log when the jobs" in caption.value for caption in page.caption)
    assert len(charts(page)) == 4


def test_a_log_is_set_beside_the_schedule(page, log):
    with_log(page, log)
    assert "Planned for 12 s; it took" in html(page)
    assert "Of 12 tasks, 11 ran and 1 failed." in html(page)
    assert len(charts(page)) == 6
    table, amiss = (frame.value for frame in page.dataframe)
    assert set(table["Machine"]) == {"A #1", "B #1"}
    assert "1 failed" in table["Remarks"].tolist()
    assert amiss["Outcome"].tolist() == ["failed"]
    labels = [one.label for one in page.download_button]
    assert labels[-2:] == ["All machines (CSV)", "Failed and missing tasks (CSV)"]


def test_another_schedule_is_compared_anew(page, log):
    with_log(page, log)
    other = solve(load_sample("two-by-two"), method="olb").schedule
    page.session_state[session.CHOSEN] = Chosen.of(other, "Another")
    settled(run(page))
    assert page.error[0].value == "The log cannot be compared with this schedule:"
    assert "it has jobs of 1 other schedule" in html(page)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "jobs.txt: is empty; give a log with its rows"),
        (f"{HEADER}\n1|<b>|CD|1|2|n|\n", "has no job of this schedule that started"),
        ("\0\1\2", "jobs.txt: "),
    ],
)
def test_a_log_that_cannot_be_compared(page, content, said):
    with_log(page, content)
    assert said in html(page)
    assert len(charts(page)) == 4


def test_what_never_started_has_no_charts(page, plan):
    with_log(page, dump(plan, [Row(0, 0, 1, 2, "RUNNING")]))
    assert "Planned for 12 s; nothing has ended yet." in html(page)
    assert "1 of the missing had started and not ended." in html(page)
    assert len(charts(page)) == 4
