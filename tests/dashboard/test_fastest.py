"""The page answers for any system it is given, and says in words whatever goes wrong."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

import core.solve
import dashboard
from core.problems import Problem
from core.relaxed import SolverFailed
from core.verify import Verdict

APP = Path(dashboard.__file__).with_name("app.py")
GOOD = b"task_type,<b>GPU</b>,CPU\n*T1*,3,4\n=1+1,5,\n"
BAD = b"task_type,GPU,CPU\nT1,-3,abc\n"


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch) -> AppTest:
    # A polish is as good as its seconds; what the page does with the outcome does not depend on it.
    monkeypatch.setattr(core.solve, "DEFAULT_SECONDS", 0.1)
    app = AppTest.from_file(str(APP), default_timeout=60).run()
    assert not app.exception
    return app


def figures(page: AppTest) -> dict[str, str]:
    return {metric.label: metric.value for metric in page.metric}


def upload(page: AppTest, name: str, content: bytes) -> AppTest:
    page.file_uploader[0].upload(name, content).run()
    assert not page.exception
    return page


def test_a_sample_is_there_already_with_its_answer(page: AppTest) -> None:
    assert page.selectbox(key="system").value == "nine"
    assert "1,100 tasks of 30 types" in page.caption[0].value
    assert page.header[0].value.startswith("Done in 4")
    assert figures(page)["Proven bound"] == "43 min 17 s"
    assert len(page.get("plotly_chart")) == 3
    assert [button.label for button in page.download_button] == ["CSV", "JSON", "Excel"]


def test_the_page_says_what_was_checked(page: AppTest) -> None:
    assert any("every task is placed exactly once" in text.value for text in page.markdown)


@pytest.mark.parametrize("sample", ["e1", "testbed", "two-by-two"])
def test_every_sample_has_its_page(page: AppTest, sample: str) -> None:
    page.selectbox(key="system").select(sample).run()
    assert not page.exception
    assert page.header[0].value.startswith("Done in")
    assert (figures(page)["Energy"] == "unknown") == (sample == "e1")


def test_without_polish_the_published_method_answers(page: AppTest) -> None:
    page.selectbox(key="system").select("two-by-two").run()
    page.select_slider[0].set_value(0.0).run()
    assert not page.exception
    assert figures(page)["Makespan"] == "12 s"


def test_one_machine_type_can_be_looked_at_alone(page: AppTest) -> None:
    page.selectbox[1].select(4).run()
    assert not page.exception
    assert page.selectbox[1].value == 4


def test_a_good_upload_is_shown_at_once_and_stays_to_choose(page: AppTest) -> None:
    upload(page, "mine.csv", GOOD)
    assert page.selectbox(key="system").options[-1] == "mine.csv"
    assert "2 tasks of 2 types" in page.caption[0].value
    assert "1 pair cannot run" in page.caption[0].value
    page.selectbox(key="system").select("nine").run()
    assert "1,100 tasks" in page.caption[0].value
    page.selectbox(key="system").select("(uploaded file)").run()
    assert not page.exception
    assert "2 tasks of 2 types" in page.caption[0].value


def test_a_bad_upload_lists_what_to_mend_and_leaves_the_last_good_system(page: AppTest) -> None:
    upload(page, "mine.csv", GOOD)
    upload(page, "bad.csv", BAD)
    assert page.error[0].value.startswith("2 problems")
    table = page.dataframe[0].value
    assert set(zip(table["Row"], table["Column"], strict=True)) == {("T1", "GPU"), ("T1", "CPU")}
    assert page.selectbox(key="system").options[-1] == "mine.csv"
    assert any("2 tasks of 2 types" in caption.value for caption in page.caption)


def test_names_never_reach_markdown(page: AppTest) -> None:
    upload(page, "<b>*mine*</b>.csv", GOOD)
    spoken = [e.value for kind in ("markdown", "caption", "header") for e in page.get(kind)]
    assert not any("GPU" in text or "mine" in text for text in spoken)


def test_a_solver_that_gives_up_is_reported_without_a_traceback(
    page: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    def give_up(*_: object, **__: object) -> None:
        raise SolverFailed("the range of times may be too wide")

    monkeypatch.setattr(core.solve, "solve", give_up)
    upload(page, "mine.csv", b"task_type,M\nunseen,123\n")
    assert "gave up" in page.error[0].value
    assert page.text[0].value == "the range of times may be too wide"


def test_a_schedule_that_fails_its_check_is_not_called_verified(
    page: AppTest, monkeypatch: pytest.MonkeyPatch
) -> None:
    def faulty(*_: object) -> Verdict:
        problem = Problem("schedule", "M #1", "count", "3 tasks are missing")
        return Verdict((problem,), (), 1, 1, 1.0, None, 1.0, 0.0, 0.0)

    monkeypatch.setattr(core.solve, "verify", faulty)
    upload(page, "mine.csv", b"task_type,M\nunseen,321\n")
    assert "do not use it" in page.error[0].value
    assert any("3 tasks are missing" in text.value for text in page.text)
