"""Work says what tasks are worth and who may stop whom; the day of Policies has what is typed."""

from pages import Open, html, opened, press, put, settled, spoken, turn, typed, visit
from streamlit.testing.v1 import AppTest

from core import System, study
from core.engines.replay.classes import JobClass
from core.shells.studies import inspect_study_bytes
from core.vocabulary.kinds import MachineType, TaskType
from core.vocabulary.say.words import HOUR
from dashboard.parts.replays.class_table import classes_of_types
from dashboard.parts.taking.take_away import QUICK, settings_of, study_bytes
from dashboard.screens.arrivals.state import STATE
from dashboard.screens.work.classes_panel import rights_said
from dashboard.workspace.session import WORKSPACE
from dashboard.workspace.workspace import Workspace

T1 = JobClass(name="T1", may_stop_others=True)
ASKED = {"arrivals_policies": "easy", "arrivals_budget": "none"}


def of(page: AppTest) -> Workspace:
    found: Workspace = page.session_state[WORKSPACE]
    return found


def test_who_may_stop_whom_in_a_sentence() -> None:
    others = JobClass(name="T2"), JobClass(name="T3", may_be_stopped=True)
    assert rights_said(others) == "No task may stop another one that runs."
    assert rights_said([T1]) == "Tasks of T1 may stop others; no task yet may be stopped."
    assert rights_said([T1, *others]) == (
        "Tasks of T1 may stop others; those of 1 task type may be stopped."
    )


def test_a_name_that_could_mean_other_types_has_no_class() -> None:
    types = [TaskType(name, 1) for name in ("a*", "ab")]
    system = System(tuple(types), (MachineType("m", 1),), [[1.0]] * 2)
    said = (JobClass(name="a*", tier=1), JobClass(name="ab", tier=2), JobClass(name="gone"))
    assert classes_of_types(system, said) == (said[1],)


def test_what_is_typed_is_of_the_study_and_its_day(open_page: Open) -> None:
    page = open_page("arrivals", sample="two-by-two", arrivals_look_view="stopping", **ASKED)
    day = page.session_state[STATE.given_key]
    assert day.file.workload.jobs.rights is None
    settled(page)
    assert any("may stop others. Say on Work which may." in said for said in spoken(page))
    visit(page, "work")
    assert any("No task may stop another one" in said for said in spoken(page))
    typed(page, "classes", {0: {"may_stop_others": True, "worth": 5.0, "nothing_hours": 8.0}})
    press(page, "All others may be stopped")
    assert any("Tasks of T1 may stop others; those of 1" in said for said in spoken(page))
    said = of(page).version.seen.classes
    assert said == (
        JobClass(name="T1", worth=5, nothing_hours=8, tier=1, may_stop_others=True),
        JobClass(name="T2", may_be_stopped=True),
    )
    settings = settings_of(of(page), QUICK, {})
    data = study_bytes(study(of(page).system, method="bound"), None, settings)
    assert inspect_study_bytes("s.json", data).require().settings.seen.classes == said
    settled(visit(page, "arrivals"))
    drawn = page.session_state[STATE.given_key]
    jobs = drawn.file.workload.jobs
    is_first = jobs.type == 0
    assert drawn.digest != day.digest
    assert (jobs.rights.may_stop_others == is_first).all()
    assert (jobs.rights.tier == is_first).all()
    assert (jobs.rights.may_be_stopped != is_first).all()
    assert (jobs.priority == 1 + 4 * is_first).all()
    for _ in range(2):
        press(visit(page, "work"), "Undo")
    assert of(page).version.seen.classes == ()
    settled(visit(page, "arrivals"))
    assert page.session_state[STATE.given_key].digest == day.digest


def test_a_file_of_classes_is_the_table(open_page: Open) -> None:
    """It takes the place of all that was said of the task types; Undo brings that back."""
    page = typed(open_page("work", sample="two-by-two"), "classes", {0: {"worth": 5.0}})
    before = of(page).version.seen.classes
    file = b"name,qos,worth,tier,may_stop\nT1,high,7,1,\nT2*,,4,2,yes\nT9,,1,,\n"
    opened(page, "work.classes", ("c.csv", file))
    said = JobClass(name="T2", worth=4, tier=2, may_stop_others=True)
    assert of(page).version.seen.classes == (said,)
    assert page.warning[0].value == "The classes were opened, with warnings:"
    assert "1 of 2 task types have a class of it" in html(page)
    assert "c.csv" in html(page)
    assert "fits no job; correct its texts" in html(page)
    assert [row.worth for row in page.session_state["wattfront.work.classes"]] == [1, 4]
    assert any("Tasks of T2 may stop others" in one for one in spoken(page))
    press(page, "Undo")
    assert of(page).version.seen.classes == before


def test_a_file_without_classes_of_the_task_types_changes_nothing(open_page: Open) -> None:
    page = open_page("work", sample="two-by-two")
    for data, said in (
        (b"name,worth\nT1,x\n", "line 2"),
        (b"name,worth\nT*,1\nT1,2\n", "fits task type T1, as line 2 does; let one of the two"),
        (b"qos,worth\nhigh,1\n", "has no class for a task type; give some of T1, T2 as name"),
    ):
        opened(page, "work.classes", ("c.csv", data))
        assert page.error[0].value == (
            "This file has no classes for these task types. Nothing has changed:"
        )
        assert said in html(page)
        assert of(page).version.seen.classes == ()


def test_worth_falls_as_on_the_day_where_a_type_does_not_say_when(open_page: Open) -> None:
    rows = {0: {"tier": 1, "worth": 2.0}, 1: {"nothing_hours": 8.0}}
    page = typed(open_page("work", sample="two-by-two"), "classes", rows)
    put(visit(page, "arrivals"), "Worth falls to 0 in (h)", 3.0)
    work = settled(page).session_state[STATE.given_key].file.workload
    ends = [pieces[-1].begin / HOUR for pieces in work.curves.pieces]
    of_type = {
        kind: ends[curve] for kind, curve in zip(work.jobs.type, work.jobs.curve, strict=True)
    }
    assert of_type == {0: 3, 1: 8}


def test_a_row_that_is_wrong_is_named_and_changes_nothing(open_page: Open) -> None:
    page = open_page("work", sample="two-by-two")
    typed(page, "classes", {1: {"full_hours": 5.0}})
    assert any(one.value.startswith("These edits are not in force") for one in page.error)
    assert '<td data-label="Row">T2</td><td data-label="Column">Nothing after (h)' in html(page)
    assert of(page).version.seen.classes == ()
    typed(page, "classes", {1: {"full_hours": 5.0, "nothing_hours": 4.0}})
    assert "is 4, before the 5 h of full worth; give as many" in html(page)
    typed(page, "classes", {1: {"full_hours": 5.0, "nothing_hours": 6.0}})
    assert not page.error
    assert of(page).version.seen.classes == (JobClass(name="T2", full_hours=5, nothing_hours=6),)
    before = turn(page)
    typed(page, "classes", {1: {"full_hours": None, "nothing_hours": None}})
    assert of(page).version.seen.classes == ()
    assert turn(page) == before, "the editor keeps its place"
