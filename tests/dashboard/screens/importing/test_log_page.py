"""A log becomes a system on the page: what it gives is shown before it is used."""

import pytest
from log_stores import dump
from pages import (
    Open,
    button,
    charts,
    failing,
    html,
    opened,
    press,
    put,
    run,
    settled,
    spoken,
    visit,
)
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Multiselect

from core.vocabulary.budget import Cancelled
from dashboard.screens.importing import log_answer
from dashboard.screens.importing.import_steps import STEP, ImportStep
from dashboard.workspace.session import WORKSPACE

LOG = "task,machine,seconds,watts\n" + "".join(
    f"{task},{machine},{seconds + change},300\n"
    for task, machine, seconds in [
        ("a", "x", 100),
        ("a", "y", 50),
        ("b", "x", 20),
        ("b", "y", 10),
        ("c", "x", 60),
    ]
    for change in (-1, 0, 1) * 4
)


def page_with(open_page: Open, log: bytes) -> AppTest:
    page = open_page("importing", sample="two-by-two")
    return at_step(opened(page, "importing.log", ("runs.csv", log)), "Check")


def at_step(page: AppTest, step: ImportStep) -> AppTest:
    """The page at a step of the import, if a log is there."""
    if STEP in page.session_state:
        put(page, STEP, step)
    return settled(page)


def used(page: AppTest) -> AppTest:
    at_step(page, "Go on")
    return press(page, "Use this system and go on to Trade-offs")


def test_a_log_is_previewed_and_used(open_page: Open) -> None:
    page = page_with(open_page, LOG.encode())
    assert "60 of 60 runs used" in html(page)
    assert "1 pair estimated" in html(page)
    page = used(page)
    assert page.title[0].value == "Trade-offs"
    said = "runs.csv is in force on every page: 60 tasks of 3 types on 2 machines of 2 types."
    assert said in html(page)
    system = page.session_state[WORKSPACE].system
    assert system.task_names == ("a", "b", "c")
    assert system.estimated is not None
    assert system.estimated.sum() == 1


@pytest.mark.thorough
def test_steps_go_back_and_next_and_cancel_keeps_the_last_good_system(open_page: Open) -> None:
    """Issue 35: no second system stands on the page meanwhile."""
    page = page_with(open_page, LOG.encode())
    before = page.session_state[WORKSPACE].system
    assert "two-by-two" not in html(page)
    assert not [one for one in charts(page) if one.key == "pairs"]
    visit(page, "machines")
    assert "<strong>two-by-two</strong>" in html(page), "in force elsewhere"
    visit(page, "importing")
    press(page, "Back")
    assert "runs.csv (table of runs): 60 runs" in html(page)
    assert button(page, "Back").disabled
    for step in ("Check", "Not in the log", "Go on"):
        press(page, "Next")
        assert page.session_state[STEP] == step
    press(page, "Cancel")
    assert "<strong>two-by-two</strong>" in html(page)
    assert page.session_state[WORKSPACE].system == before
    assert page.session_state["log.desk"].opened is None


@pytest.mark.thorough
def test_an_import_that_was_left_can_be_gone_on_with(open_page: Open) -> None:
    page = page_with(open_page, LOG.encode())
    visit(used(page), "importing")
    assert "60 of 60 runs used" not in html(page)
    press(page, "Go on with the import of runs.csv")
    assert "60 of 60 runs used" in html(page)


def test_what_is_no_log_is_refused_with_the_remedy(open_page: Open) -> None:
    page = page_with(open_page, b"hello\nworld\n")
    assert "runs.csv: is not recognised; give a dump of sacct" in html(page)


def test_rows_not_used_are_told_with_reasons_and_examples(open_page: Open) -> None:
    log = LOG + "d,x\nd,x,0,300\n"
    page = page_with(open_page, log.encode())
    assert "1 row: wrong number of cells" in html(page)
    assert "runs.csv, line 62: d,x" in html(page)
    assert "1 run: took 0 s" in html(page)
    assert "runs.csv, line 63: d" in html(page)
    assert "60 of 61 runs used" in html(page)


@pytest.mark.thorough
def test_choices_that_give_no_system_say_what_to_do(open_page: Open) -> None:
    page = page_with(open_page, LOG.encode())
    settled(put(page, "log.task", "pattern"))
    page.text_input(key="log.task.pattern").set_value("(")
    settled(run(page))
    assert "is no regular expression" in html(page)
    settled(put(page, "log.task.pattern", "^z"))
    assert "no run of the log can be used (60 no task type" in html(page)
    settled(put(page, "log.task.pattern", "^[ab]"))
    assert "12 runs have no task type." in html(page)
    assert "48 of 60 runs used" in html(page)


@pytest.mark.thorough
def test_without_estimates_pairs_never_measured_cannot_run(open_page: Open) -> None:
    page = page_with(open_page, LOG.encode())
    settled(put(page, "log.preview", "Pairs"))
    assert "≈: estimated" in captions(page).splitlines()
    settled(put(page, "log.estimates", False))
    assert "×: cannot run" in captions(page).splitlines()
    assert "1 pair impossible" in html(page)
    assert "1 pair estimated" not in html(page)


DUMP = dump(
    *[{"JobName": "train", "NodeList": "g1", "AllocTRES": "gres/gpu=4"}] * 3,
    *[{"JobName": "sort", "NodeList": on} for on in ("g1", "c1")] * 3,
    {"JobName": "sort", "State": "FAILED"},
)


def test_a_pair_that_cannot_run_may_be_allowed(open_page: Open) -> None:
    """Issue 33, point 1: the page says why pairs are blank, and takes who knows better."""
    page = page_with(open_page, DUMP.encode())
    settled(put(page, "log.preview", "Pairs"))
    assert "1 pair impossible" in html(page)
    why = "train on c: all its runs had at least 4 GPUs a node, and no run there had any."
    assert why in html(page)
    (allow,) = _allowing(page)
    assert allow.options == ["train on c"]
    allow.select("train on c")
    settled(run(page))
    assert "1 pair estimated" in html(page)
    assert why not in html(page)
    (allow,) = _allowing(page)
    assert allow.value == ["train on c"]
    allow.unselect("train on c")
    settled(run(page))
    assert "1 pair impossible" in html(page)


def _allowing(page: AppTest) -> list[Multiselect]:
    return [one for one in page.multiselect if one.label.startswith("Pairs that may run")]


@pytest.mark.thorough
@pytest.mark.parametrize("preview", ["Types", "Pairs", "Times"])
def test_every_preview_can_be_looked_at(open_page: Open, preview: str) -> None:
    page = page_with(open_page, LOG.encode())
    before = len(charts(page))
    settled(put(page, "log.preview", preview))
    assert len(charts(page)) == {"Types": before, "Pairs": before - 1, "Times": before - 1}[preview]


def test_a_log_without_dates_has_no_replay(open_page: Open) -> None:
    page = page_with(open_page, LOG.encode())
    assert page.segmented_control(key="log.preview").options == ["Types", "Pairs", "Times"]


@pytest.mark.thorough
def test_what_the_log_took_is_set_beside_what_was_possible(open_page: Open) -> None:
    rows = "".join(f"a,x,100,300,{1_700_000_000 + 1_000 * k}\n" for k in range(10))
    log = f"task,machine,seconds,watts,start\n{rows}"
    page = page_with(open_page, log.encode())
    settled(put(page, "log.preview", "Replayed"))
    # 10 tasks of 100 s at 300 W are 300 kJ = 83.33 Wh; the last one begins after 9,000 s.
    said = "The log's runs took 2 h 31 min 40 s, and 83.33 Wh by the tables of the system."
    could = "By the same tables, the same tasks could have taken"
    assert f"{said} {could} 16 min 40 s, or 83.34 Wh in 16 min 40 s." in html(page)
    assert "Meters recorded 83.33 Wh for these runs; the tables have the same." in html(page)
    assert "All tasks are there at the beginning" in html(page)


@pytest.mark.thorough
def test_what_a_log_says_of_arrivals_need_not_be_typed(open_page: Open) -> None:
    jobs = [
        {"JobName": name, "Submit": f"2026-01-{day:02}T{hour:02}:00:00", "Elapsed": "00:10:00"}
        for day in (5, 6, 7)
        for name, hour in (("sim", 8), ("sim", 9), ("render", 14))
    ]
    page = page_with(open_page, dump(*jobs).encode())
    used(page)
    settled(visit(page, "arrivals"))
    assert page.session_state["wattfront.arrivals.given"].name == "Jobs by hour on runs.csv"
    assert page.header
    visit(page, "work")
    assert any("From the log, means over 2 d 6 h" in said for said in spoken(page))
    settled(visit(page, "provision"))
    assert "Examples, not your numbers: budget, price." in captions(page)


def test_what_is_typed_of_machines_counts(open_page: Open) -> None:
    page = page_with(open_page, LOG.encode())
    page = at_step(page, "Not in the log")
    assert "What idle machines draw: x, y." in html(page)
    desk = page.session_state["log.desk"]
    desk.typed["x"] = {"nodes": 7, "idle_watts": 40.0}
    settled(run(page))
    frame = page.data_editor[0].value
    assert frame["Nodes"].tolist() == [7, 1]
    assert frame["Idle (W)"].tolist()[0] == 40
    page = used(page)
    system = page.session_state[WORKSPACE].system
    assert system.machine_counts.tolist() == [7, 1]
    assert system.idle_power.tolist() == [40, 0]


def captions(page: AppTest) -> str:
    return "\n".join(caption.value for caption in page.caption)


def test_a_log_is_gone_when_its_file_is_removed(open_page: Open) -> None:
    page = page_with(open_page, LOG.encode())
    press(page, "Remove")
    assert "60 of 60 runs used" not in html(page)
    assert page.session_state["log.desk"].opened is None


@pytest.mark.thorough
def test_a_comparison_that_was_stopped_is_not_said_to_go_on(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = "".join(f"a,x,100,300,{1_700_000_000 + 1_000 * k}\n" for k in range(10))
    with monkeypatch.context() as patched:
        patched.setattr(log_answer, "with_replay", failing(Cancelled))
        page = page_with(open_page, f"task,machine,seconds,watts,start\n{rows}".encode())
    assert "The comparison with what was possible was stopped." in page.info[-1].value
    settled(put(page, "log.preview", "Replayed"))
    assert "Comparing with what was possible …" not in captions(page)
    button(page, "Compare").click()
    settled(run(page))
    assert "the same tasks could have taken" in html(page)


def test_what_a_machine_is_can_be_left_to_wattfront_again(open_page: Open) -> None:
    page = page_with(open_page, LOG.encode())
    unit = page.selectbox(key="log.unit")
    assert unit.value is None
    assert unit.options[0] == "Chosen by Wattfront"
    desk = page.session_state["log.desk"]
    assert desk.answered.asked.settings.machine is None
