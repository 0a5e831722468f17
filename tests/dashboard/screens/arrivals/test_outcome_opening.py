"""An outcome is opened with its workload: it is judged, and each pool has a Gantt chart; an outcome
that cannot have happened says why.
"""

from pathlib import Path

import numpy as np
import pytest
from arriving_days import a_day
from books import zipped
from pages import Open, charts, html, opened, press, run, spoken
from streamlit.testing.v1 import AppTest

from core.capabilities.arrivals.files.outcome_file import write_outcome
from core.capabilities.arrivals.judging import given_said, read_given_outcome
from core.capabilities.arrivals.made.recipes import drawn
from core.capabilities.arrivals.uncertain.methods import BAG_METHODS, run_method
from core.engines.replay.clock import ReplaySettings
from core.engines.replay.judge import OUTCOME_CHECKS
from core.engines.replay.outcome import ReplayOutcome, StatedOutcome
from dashboard.parts.replays.gantt_chart import pool_rows


def files_of(outcome: ReplayOutcome, folder: Path) -> dict[str, bytes]:
    write_outcome(outcome, folder / "o.csv", ReplaySettings(windows=outcome.windows))
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture
def files(tmp_path: Path) -> dict[str, bytes]:
    return files_of(a_day(), tmp_path)


@pytest.fixture
def page(open_page: Open) -> AppTest:
    return open_page("arrivals", sample="two-by-two")


def with_outcome(page: AppTest, files: dict[str, bytes]) -> AppTest:
    return opened(page, "arrivals.outcome", *files.items())


def test_what_is_stated_is_the_outcome_again() -> None:
    outcome = a_day(joules=5 * 3.6e6)
    again = StatedOutcome.of(outcome).outcome("upr")
    for name in ("option", "dropped", "job_worth", "job_joules"):
        assert np.array_equal(getattr(again, name), getattr(outcome, name)), name
    assert np.array_equal(again.start[again.ran], outcome.start[outcome.ran])
    assert (again.worth, again.joules) == (outcome.worth, outcome.joules)
    assert 0 < again.completed < 20


@pytest.mark.thorough
@pytest.mark.parametrize("packed", [True, False])
def test_an_outcome_is_judged_and_drawn(
    page: AppTest, files: dict[str, bytes], *, packed: bool
) -> None:
    with_outcome(page, {"all.zip": zipped(files)} if packed else files)
    assert "Opened outcome" in [one.value for one in page.subheader]
    shown = html(page)
    assert "o.csv, under upr: 20 of 20 jobs ran; the last ends after 10 h 30 min." in shown
    assert "They earn 20, with 20 kWh; mean flow 1 h." in shown
    assert f": {len(OUTCOME_CHECKS)} rules, all kept." in shown
    assert charts(page)[-1].key.startswith("arrivals_outcome_gantt")
    assert not page.error


@pytest.mark.thorough
def test_a_method_for_bags_has_a_chart_of_each_machine(page: AppTest, tmp_path: Path) -> None:
    file = drawn("uncertain-high", 1)
    outcome = run_method(file.workload, file.truth, BAG_METHODS["weighed"])
    with_outcome(page, files_of(outcome, tmp_path))
    choice = page.selectbox(key="arrivals.outcome pool")
    assert len(choice.options) == 8
    worked = np.bincount(file.workload.options.pool[outcome.option], outcome.end - outcome.start, 8)
    assert choice.value == worked.argmax()
    idle = int(worked.argmin())
    choice.set_value(idle)
    run(page)
    assert charts(page)[-1].key.startswith("arrivals_outcome_gantt")
    is_idle = worked[idle] == 0
    assert is_idle == any("No job ran on this pool" in said for said in spoken(page))
    given = read_given_outcome([("all.zip", zipped(files_of(outcome, tmp_path)))])
    assert given.outcome is not None
    assert pool_rows(given.outcome, 7).job.tolist() == pool_rows(outcome, 7).job.tolist()


def test_an_outcome_that_cannot_have_happened_says_why(
    page: AppTest, files: dict[str, bytes]
) -> None:
    rows = files["o.csv"].decode().splitlines()
    rows[2] = rows[1].replace("1,even", "2,odd", 1)
    with_outcome(page, files | {"o.csv": "\n".join(rows).encode()})
    assert page.error[0].value == "The check disagrees with this outcome:"
    assert not any(one.key.startswith("arrivals_outcome") for one in charts(page))
    assert "is 0 s, before the job arrives at 1800 s" in html(page)
    assert "o.csv" in html(page)


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (("o.csv",), "is not one outcome (CSV or Parquet) with its workload"),
        (("o.workload.zip", "o.toml"), "is not one outcome (CSV or Parquet) with its workload"),
    ],
)
def test_files_that_are_no_outcome_say_what_is_missing(
    page: AppTest, files: dict[str, bytes], names: tuple[str, ...], said: str
) -> None:
    with_outcome(page, {name: files[name] for name in names})
    assert page.error[0].value == "The files are no outcome:"
    assert said in html(page)
    assert not press(page, "Remove").error


def test_faults_of_files_are_located(files: dict[str, bytes]) -> None:
    broken = files | {"o.csv": files["o.csv"].replace(b"start", b"begin", 1)}
    given = read_given_outcome([*broken.items()])
    assert given_said(given) == []
    assert any("start is missing; let the header be" in str(one) for one in given.problems)
    no_workload = files | {"o.workload.zip": b"PK"}
    assert read_given_outcome([*no_workload.items()]).problems[0].file == "o.workload.zip"
    assert read_given_outcome([("a.zip", b"PK\x03\x04")]).problems[0].file == "a.zip"
