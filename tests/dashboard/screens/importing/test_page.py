"""The page Import takes a system from anywhere, shows what it is, and says what to mend."""

import json
from dataclasses import replace

import pytest
from books import zipped
from pages import Open, button, charts, html, opened, press, put, run, spoken, visit
from streamlit.testing.v1 import AppTest
from studied import as_file

from core.engines.compute.task import Lost, TookTooLong
from core.engines.front.study import study
from core.files import inspect_system_bytes
from core.files.samples.generate import Generation, MachineLevels, generate
from core.files.samples.named import load_sample
from core.shells.studies import Choice, StudySettings
from core.vocabulary.budget import Effort
from core.vocabulary.prices.site import Site
from core.vocabulary.without_work import WithoutWork
from dashboard.screens.importing.start import USUAL
from dashboard.server.computing import WorkerTurn
from dashboard.workspace import workspace as step
from dashboard.workspace.export import system_bytes
from dashboard.workspace.mending import cells_of
from dashboard.workspace.session import WORKSPACE
from dashboard.workspace.upload import PASTED, READING_SECONDS
from dashboard.workspace.workspace import Workspace

GOOD = b"task_type,<b>GPU</b>,CPU\n*T1*,3,4\n=1+1,5,\n"
BAD = b"task_type,GPU,CPU\nT1,-3,abc\n"
TOO_LARGE = Generation(task_types=300, machine_types=100, machines=100, apc=MachineLevels())


@pytest.fixture
def page(open_page: Open) -> AppTest:
    return open_page("importing", sample="testbed")


def workspace(page: AppTest) -> Workspace:
    found: Workspace = page.session_state[WORKSPACE]
    return found


def start_from(page: AppTest, source: str) -> AppTest:
    page.segmented_control(key="start.source").set_value(source)
    return run(page)


def upload(page: AppTest, name: str, content: bytes) -> AppTest:
    return opened(page, "importing.file", (name, content))


def test_a_sample_is_there_already(open_page: Open) -> None:
    page = open_page("importing")
    assert "<strong>nine</strong>" in html(page)
    assert "1,100 tasks of 30 types" in html(page)
    assert "nine is in force on every page: 1,100 tasks of 30 types" in html(page)
    assert len(charts(page)) == 1


@pytest.mark.parametrize("sample", ["e1", "two-by-two", "ten"])
def test_every_sample_has_its_page(page: AppTest, sample: str) -> None:
    page.selectbox(key="start.sample").select(sample)
    assert f"<strong>{sample}</strong>" in html(run(page))
    assert page.query_params == {"sample": sample}


def test_a_good_upload_is_in_force_and_can_be_undone(page: AppTest) -> None:
    upload(page, "my-times.csv", GOOD)
    assert "<strong>my-times.csv</strong>" in html(page)
    assert "1 pair cannot run" in html(page)
    assert "<strong>testbed</strong>" in html(press(page, "Undo"))
    assert "<strong>my-times.csv</strong>" in html(press(page, "Redo"))


def test_a_bad_upload_lists_what_to_mend_and_leaves_the_last_good_system(page: AppTest) -> None:
    upload(page, "my-times.csv", GOOD)
    upload(page, "bad-times.csv", BAD)
    assert page.error[0].value.startswith("2 problems in the uploaded file")
    for place in ("bad-times.csv", "T1", "GPU", "CPU", "-3 s is not a time"):
        assert place in html(page)
    assert "<strong>my-times.csv</strong>" not in html(page), "no second system meanwhile"
    assert not charts(page)
    assert not press(page, "Discard").error
    assert "<strong>my-times.csv</strong>" in html(page)


def test_of_several_files_it_says_how_many_problems_each_has(page: AppTest) -> None:
    opened(page, "importing.file", ("a<b>_times.csv", BAD), ("power.csv", BAD))
    assert page.error[0].value.startswith("4 problems in 2 uploaded files")
    assert "2 in a&lt;b&gt;_times.csv and 2 in power.csv." in html(page)


def to_mend(page: AppTest) -> list[str]:
    """The columns that are marked in the line below the header."""
    return list(json.loads(page.data_editor[0].value["to mend"][1]))


def mend(page: AppTest, cells: dict[str, dict[str, str]]) -> AppTest:
    """The page after cells of the times of the upload were mended, as a grid tells of them."""
    now = workspace(page)
    assert now.upload is not None
    assert now.upload.mending is not None
    changed = cells_of({int(row): texts for row, texts in cells.items()})
    mended = now.upload.mending.tables["etc"].with_cells(changed)
    page.session_state[WORKSPACE] = step.mend(now, now.upload.mending.changed("etc", mended))
    return run(page)


def test_times_and_powers_can_be_uploaded_together(page: AppTest) -> None:
    """Issue 33, point 6: ETC and APC as two CSV files are taken together."""
    files = [
        (f"{name}.csv", b"task_type,A\nT1,%d\n" % n) for name, n in (("etc", 120), ("apc", 210))
    ]
    opened(page, "importing.file", *files)
    assert "<strong>etc.csv, apc.csv</strong>" in html(page)
    system = workspace(page).system
    assert system.apc is not None
    assert (system.etc.item(), system.apc.item()) == (120, 210)


def test_a_file_that_does_not_say_what_it_holds_is_asked_about(page: AppTest) -> None:
    """Issue 33, point 6: powers alone do not become times in silence."""
    upload(page, "mine.csv", GOOD)
    assert "does not say whether it holds times or powers" in html(page)
    assert "<strong>mine.csv" not in html(page)
    press(page, "It holds times in minutes")
    press(page, "Use this system")
    assert workspace(page).system.etc.min() == 180


def test_a_bad_upload_can_be_mended_in_the_page(page: AppTest) -> None:
    upload(page, "bad-times.csv", BAD)
    grid = page.data_editor[0]
    assert grid.value["c1"].tolist()[:2] == ["GPU", "-3"]
    assert to_mend(page) == ["GPU", "CPU"]
    assert button(page, "Use this system").disabled
    mend(page, {"1": {"c1": "3"}})
    assert page.error[0].value.startswith("1 problem in the uploaded file")
    assert to_mend(page) == ["CPU"]
    mend(page, {"1": {"c2": "4"}})
    assert "No problems are left" in page.success[0].value
    assert "<strong>Not in force yet</strong>" in html(page)
    press(page, "Use this system")
    assert "<strong>bad-times.csv (edited)</strong>" in html(page)
    assert workspace(page).system.etc.tolist() == [[3, 4]]
    assert not page.success
    assert "<strong>Not in force yet</strong>" in html(press(page, "Undo"))
    assert workspace(page).system == load_sample("testbed")


@pytest.mark.thorough
def test_the_table_of_the_first_problem_is_shown_first(page: AppTest) -> None:
    times = b"\tGPU\tCPU\nT1\t3\t4\n\n"
    upload(page, PASTED, times + b"\tGPU\tCPU\nT1\t30\tmany")
    shown = page.segmented_control(key="mending.table 1")
    assert (shown.value, shown.options) == ("apc", ["Times (ETC)", "Powers (APC): 1 to correct"])
    shown.set_value("etc")
    assert to_mend(page) == ["CPU"]
    assert run(page).data_editor[0].value["c1"].tolist()[:2] == ["GPU", "3"]
    upload(page, PASTED, times + b"\tGPU\tCPU\nT1\t30\tfew")
    assert page.segmented_control(key="mending.table 2").value == "apc"


@pytest.mark.thorough
def test_what_cannot_be_mended_here_says_where_to(page: AppTest) -> None:
    upload(page, "large-times.csv", b"task_type,M\n" + b"T,-1\n" * 20_000)
    assert "still in force" in page.error[0].value
    assert any(
        "You cannot correct this upload on this page" in caption.value for caption in page.caption
    )
    assert not press(page, "Dismiss").error


def test_a_file_with_warnings_only_is_used(page: AppTest) -> None:
    upload(page, "gaps-in-times.csv", b"task_type,M\n\nT1,3\n")
    assert page.warning[0].value.startswith("1 warning")
    assert "<strong>gaps-in-times.csv</strong>" in html(page)


def test_what_stands_beside_the_tables_of_a_file_is_named_after_mending_too(page: AppTest) -> None:
    tables = {
        "etc.csv": "task_type,M\nT,-3\n",
        "tasks.csv": "task_type,count\nT,2\n",
        "machines.csv": "machine_type,count\nM,1\n",
    }
    upload(page, "mine.zip", zipped({**tables, "<b>jobs</b>.xlsx": ""}))
    said = ".csv files of one folder are read: &lt;b&gt;jobs&lt;/b&gt;.xlsx."
    assert said in html(page)
    mend(page, {"1": {"c1": "3"}})
    press(page, "Use this system")
    assert workspace(page).system.etc.tolist() == [[3]]
    assert said in html(page)
    upload(page, "again.zip", zipped({**tables, "etc.csv": "task_type,M\nT,3\n", "a.pdf": ""}))
    assert "one folder are read: a.pdf." in html(page), "where there is nothing else to say"
    assert not page.info


def test_tables_can_be_pasted_and_what_is_wrong_with_them_is_listed(page: AppTest) -> None:
    upload(page, PASTED, b"\tGPU\tCPU\nT1\t3\tfast")
    assert "pasted ETC" in html(page)
    assert workspace(page).system == load_sample("testbed")
    upload(page, PASTED, b"\tGPU\tCPU\nT1\t3\t4")
    assert "<strong>pasted text</strong>" in html(page)
    assert not page.error


def test_a_random_system_is_drawn_by_its_parameters(page: AppTest) -> None:
    start_from(page, "generator")
    put(page, "generator.of.task_types", 6)
    assert "<strong>testbed</strong>" in html(page), "nothing is drawn before it is asked for"
    press(page, "Draw this system")
    wanted = replace(USUAL, task_types=6)
    assert wanted.apc is not None
    assert workspace(page).system == generate(wanted)
    assert any("This is the system in force" in caption.value for caption in page.caption)
    put(page, "generator.of.seed", 5)
    assert any("have changed since" in caption.value for caption in page.caption)


def test_parameters_that_do_not_go_together_are_refused_in_words(page: AppTest) -> None:
    start_from(page, "generator")
    put(page, "generator.of.machines", 3)
    assert "3 machines cannot be of 10 types" in html(page)


def test_what_a_study_file_has_is_saved(page: AppTest) -> None:
    found = study(
        generate(Generation(task_types=2, machine_types=2, apc=MachineLevels())), effort=Effort(0)
    )
    upload(page, "study.json", as_file(found, StudySettings("mine", seconds=0.0), None))
    assert workspace(page).system == found.system
    assert "Saved" in {one.proto.popover.label for one in page.get("popover")}


def test_names_never_reach_markdown_and_stand_escaped_in_html(page: AppTest) -> None:
    upload(page, "<i>mine</i> times.csv", GOOD)
    upload(page, "<u>bad</u> times.csv", b"task_type,<s>M</s>\n<u>T</u>,-1\n")
    assert not any("GPU" in text or "mine" in text for text in spoken(page))
    for tag in ("<b>GPU", "<i>mine", "<u>", "<s>"):
        assert tag not in html(page)
    assert "&lt;u&gt;bad&lt;/u&gt; times.csv" in html(page)


@pytest.mark.thorough
@pytest.mark.parametrize("suffix", [".xlsx", ".zip", ".json"])
def test_what_was_downloaded_can_be_uploaded(page: AppTest, suffix: str) -> None:
    system = workspace(page).system
    upload(page, f"again{suffix}", system_bytes(system, suffix))
    assert workspace(page).system == system
    assert inspect_system_bytes("x", system_bytes(system, suffix)).value == system


@pytest.mark.parametrize("choice", ["Thriftiest of all", None])
def test_a_study_file_restores_its_system_its_idle_power_its_site_and_its_choice(
    page: AppTest, choice: str | None
) -> None:
    found = study(load_sample("two-by-two").with_idle_fraction(0.25), effort=Effort(0))
    chosen = Choice(found.schedules[0], choice) if choice else None
    site = Site(0.2, 0.4, pue=1.5)
    asked = StudySettings("two-by-two", "two-by-two", WithoutWork(0.25), seconds=0.0, site=site)
    upload(page, "study.json", as_file(found, asked, chosen))
    assert workspace(page).site == site
    assert "The study was opened" in page.info[0].value
    assert ("on the page Schedule" in page.info[0].value) == bool(choice)
    assert workspace(page).system == found.system
    parameters = dict(page.query_params)
    assert bool(parameters.pop("chosen", None)) == bool(choice)
    site = {"price": "0.2", "carbon": "0.4", "pue": "1.5"}
    assert parameters == {"sample": "two-by-two", "idle": "0.25"} | site
    visit(page, "schedule")
    assert (f"<strong>{choice}</strong>" in html(page)) == bool(choice)
    visit(page, "trade_offs")
    assert page.query_params["polish"] == "0"
    assert not press(visit(page, "importing"), "Dismiss").info


def test_an_unsound_study_changes_nothing(page: AppTest) -> None:
    upload(page, "study.json", b'{"format": "wattfront-study", "version": 1}')
    assert "still in force" in page.error[0].value
    assert "<strong>testbed</strong>" in html(page)
    assert not page.info


@pytest.mark.parametrize(
    ("failure", "said"),
    [
        (TookTooLong("60 s"), "takes longer than the limit of 60 s to read"),
        (Lost("gone"), "not enough memory"),
    ],
)
def test_a_file_that_cannot_be_read_in_time_is_refused(
    page: AppTest, monkeypatch: pytest.MonkeyPatch, failure: Exception, said: str
) -> None:
    allowed: list[float] = []

    def lose(_: object, task: object, seconds: float, *, grace: float) -> None:
        allowed.append(seconds + grace)
        raise failure

    monkeypatch.setattr(WorkerTurn, "compute", lose)
    upload(page, "hostile-times.csv", GOOD)
    assert said in html(page)
    assert "still in force" in page.error[0].value
    assert allowed == [READING_SECONDS]
    assert "<strong>testbed</strong>" in html(page)
