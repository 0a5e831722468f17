"""Whatever a person does, a sound system is in force, and every step can be taken back."""

from dataclasses import replace

import numpy as np
import pytest
from marked import marked

from core.files import RawTable
from core.files.mends import used_as
from core.files.samples.generate import Generation
from core.files.samples.named import load_sample
from core.files.sheet import SheetRow
from core.shells.studies import StudySettings
from core.shells.studies.seen import NOTHING_SEEN, SeenInLog
from core.vocabulary.placement import LogPlacement
from core.vocabulary.without_work import AS_GIVEN, USUAL_IDLE_SHARE, WithoutWork
from dashboard.workspace import workspace as step
from dashboard.workspace.draft import Change
from dashboard.workspace.upload import Opened, Upload
from dashboard.workspace.workspace import Drawn, Given, Sample, Workspace, begin, set_idle_fraction

GOOD = Upload.read("my-times.csv", b"task_type,GPU,CPU\nT1,3,4\n")
BAD = Upload.read("bad-times.csv", b"task_type,GPU,CPU\nT1,-3,abc\n")


def edited(workspace: Workspace, value: float | None) -> Workspace:
    """The workspace after a change of the first time."""
    change = Change({0: {"m0": value}})
    return step.edit(workspace, workspace.version.tables.changed("etc", change))


def test_it_begins_with_a_sample() -> None:
    workspace = begin("two-by-two")
    assert (workspace.title, workspace.version.origin) == ("two-by-two", Sample("two-by-two"))
    assert workspace.system == load_sample("two-by-two")


def test_a_good_upload_is_in_force_and_can_be_undone_and_redone() -> None:
    before = begin("e1")
    after = step.take_upload(before, GOOD)
    assert (after.system, after.version.origin) == (GOOD.system, Given("my-times.csv"))
    assert step.undo(after).version is before.version
    assert step.redo(step.undo(after)).version is after.version


def test_a_bad_upload_leaves_the_last_good_system_and_is_reported() -> None:
    before = step.take_upload(begin("e1"), GOOD)
    after = step.take_upload(before, BAD)
    assert after.version is before.version
    assert after.past == before.past
    assert after.upload is BAD
    assert step.dismiss_upload(after).upload is None
    assert step.take_upload(after, GOOD).upload is GOOD, "it says that no counts were given"


def test_what_stands_in_for_a_system_that_is_gone_is_never_undone_to() -> None:
    """Issue 33, point 15."""
    before = begin("e1")
    missed = step.miss(before)
    assert missed.gone
    assert missed.past
    back = step.undo(missed)
    assert back.version is before.version
    assert (back.gone, back.past, back.future) == (False, (), ())
    assert step.take_upload(missed, BAD).gone
    after = step.take_upload(missed, GOOD)
    assert (after.gone, after.past) == (False, (before.now,))
    assert step.undo(after).version is before.version
    assert step.redo(step.undo(after)).version is after.version


def mending(workspace: Workspace, cells: dict[tuple[int, int], str]) -> Workspace:
    """The workspace after cells of the times of the last upload were mended."""
    assert workspace.upload is not None
    assert workspace.upload.mending is not None
    before = workspace.upload.mending
    mended = before.tables["etc"].with_cells(cells)
    return step.mend(workspace, before.changed("etc", mended))


def test_what_is_mended_is_in_force_once_that_is_asked_for() -> None:
    before = step.take_upload(begin("e1"), BAD)
    half = mending(before, {(1, 1): "3"})
    assert half.upload is not None
    assert [p.column for p in half.upload.problems] == ["CPU"]
    assert step.use_mended(half) is half
    whole = mending(half, {(1, 2): "4"})
    assert whole.version is before.version
    after = step.use_mended(whole)
    assert after.system == GOOD.system
    assert after.upload is not None
    assert (after.upload.problems, after.upload.mending) == ((), None)
    assert after.upload.notes == GOOD.notes
    assert after.title == "bad-times.csv (edited)"
    assert after.version.seen.assumed == GOOD.notes != ()
    assert step.undo(after).version is before.version


def test_what_was_dismissed_is_not_mended_until_undo_brings_it_back() -> None:
    half = mending(step.take_upload(begin("e1"), BAD), {(1, 1): "3"})
    before = step.dismiss_upload(half)
    assert BAD.mending is not None
    assert step.mend(before, BAD.mending) is before
    assert step.use_mended(before) is before
    assert step.undo(before).now == half.now
    other = Upload.refused("other.csv", "is empty")
    assert step.undo(step.take_upload(half, other)).now == half.now


def test_what_stands_in_for_a_system_that_is_gone_stays_while_an_upload_is_mended() -> None:
    before = begin("e1")
    gone = step.take_upload(step.miss(before), BAD)
    half = mending(gone, {(1, 1): "3"})
    assert (half.gone, step.undo(half).now) == (True, gone.now)
    assert step.redo(step.undo(half)).now == half.now
    after = step.use_mended(mending(half, {(1, 2): "4"}))
    assert (after.gone, after.past) == (False, (before.now,))
    first = step.undo(step.undo(half))
    assert (first.now, first.future) == (before.now, ())


@pytest.mark.parametrize("sample", ["testbed", None])
def test_a_study_brings_its_idle_power(sample: str | None) -> None:
    idle = WithoutWork(0.2, 15.0)
    system = idle.of(load_sample("testbed"))
    upload = Upload("s.json", system, (), Opened(StudySettings("mine", sample, idle), None))
    opened = step.take_upload(step.set_idle_fraction(begin("e1"), 0.7), upload)
    assert (opened.system, opened.idle, opened.upload) == (system, idle, upload)
    assert opened.version.origin == (Sample("testbed") if sample else Given("mine"))


def test_an_idle_power_that_a_study_only_claims_is_not_set() -> None:
    system = load_sample("testbed").with_idle_fraction(0.2)
    upload = Upload(
        "s.json", system, (), Opened(StudySettings("mine", None, WithoutWork(0.3)), None)
    )
    opened = step.take_upload(begin("e1"), upload)
    assert (opened.system, opened.idle.idle_power) == (system, None)


def test_a_sound_edit_is_in_force_at_once() -> None:
    workspace = edited(begin("two-by-two"), 5.0)
    assert workspace.system.etc[0, 0] == 5.0
    assert workspace.title == "two-by-two (edited)"


def test_an_unsound_edit_stays_a_draft_until_it_is_mended() -> None:
    broken = edited(begin("two-by-two"), -5.0)
    assert broken.system == load_sample("two-by-two")
    assert broken.title == "two-by-two"
    assert broken.version.tables.etc[0, 0] == -5.0
    assert [p.row for p in broken.version.problems] == ["T1"]
    mended = edited(broken, 6.0)
    assert mended.version.draft is None
    assert mended.system.etc[0, 0] == 6.0
    assert step.undo(mended).version is broken.version
    assert step.undo(step.undo(mended)).version.draft is None


def test_mending_back_to_what_it_was_is_no_edit() -> None:
    workspace = begin("two-by-two")
    assert edited(workspace, workspace.system.etc[0, 0]) is workspace
    mended = edited(edited(workspace, -5.0), workspace.system.etc[0, 0])
    assert mended.title == "two-by-two"


def test_a_new_step_forgets_what_was_undone() -> None:
    workspace = step.undo(edited(begin("two-by-two"), 5.0))
    assert workspace.future
    assert not edited(workspace, 7.0).future


@pytest.mark.parametrize("move", [step.undo, step.redo])
def test_there_is_nothing_to_take_back_at_first(move: object) -> None:
    workspace = begin("e1")
    assert callable(move)
    assert move(workspace) is workspace


def test_idle_power_is_set_for_whatever_system_is_chosen() -> None:
    workspace = step.set_idle_fraction(begin("nine"), 0.2)
    assert workspace.system == load_sample("nine").with_idle_fraction(0.2)
    other = step.choose_sample(workspace, "six")
    assert other.system == load_sample("six").with_idle_fraction(0.2)
    assert other.version.system == load_sample("six")
    without_powers = step.choose_sample(workspace, "e1")
    assert without_powers.system == load_sample("e1")


def test_a_random_system_is_called_by_its_size_and_seed() -> None:
    workspace = step.draw(begin("e1"), Generation(task_types=4, machine_types=2, seed=7))
    assert workspace.version.origin == Drawn(Generation(task_types=4, machine_types=2, seed=7))
    assert workspace.title == "random 4 × 2, seed 7"


def test_history_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    small = begin("e1")
    for _ in range(105):
        small = step.choose_sample(small, "e2")
    assert len(small.past) == 100
    half = step.take_upload(step.choose_sample(begin("e1"), "e2"), BAD)
    for value in range(105):
        half = mending(half, {(1, 1): f"-{value}"})
    assert len(half.past) == 100 + 1, "corrections leave the systems before"
    monkeypatch.setattr(step, "CELLS_KEPT", 1)
    assert len(mending(half, {(1, 1): "-7"}).past) == 100, "corrections take no cells"


def test_history_keeps_few_steps_of_large_systems(monkeypatch: pytest.MonkeyPatch) -> None:
    workspace = begin("two-by-two")
    monkeypatch.setattr(step, "CELLS_KEPT", 11)  # two systems of four cells, but not three
    for value in (5.0, 6.0, 7.0, 8.0):
        workspace = edited(workspace, value)
    assert [one.version.system.etc[0, 0] for one in workspace.past] == [6.0, 7.0]
    for cells, kept in ((7, 1), (8, 2), (9, 2)):
        monkeypatch.setattr(step, "CELLS_KEPT", cells)
        assert len(edited(workspace, 9.0).past) == kept
    monkeypatch.setattr(step, "CELLS_KEPT", 1)
    assert len(edited(workspace, 9.0).past) == 1
    monkeypatch.setattr(step, "CELLS_KEPT", 4)
    half = mending(step.take_upload(begin("two-by-two"), BAD), {(1, 1): "3"})
    assert len(mending(half, {(1, 2): "x"}).past) == 2, "they are about one system"


def test_every_decision_about_an_upload_can_be_taken_back_and_had_again() -> None:
    upload = Upload.read("my-times.csv", b"Task;old;new\nrender;1,5;N/A\ntrain;2;soon\n")
    begun = step.take_upload(begin("e1"), upload)
    assert not begun.past
    assert begun.upload is not None
    commas = step.take_mend(begun, begun.upload.mends[0])
    assert commas.upload is not None
    assert len(commas.upload.problems) == 2
    unknown = step.take_mend(commas, commas.upload.mends[0])
    assert unknown.upload is not None
    assert [p.column for p in unknown.upload.problems] == ["new"]
    assert unknown.version is begun.version, "one thing is left to mend"
    back = step.undo(unknown)
    assert back.upload is not None
    assert (back.upload, len(back.future)) == (commas.upload, 1)
    again = step.redo(back)
    assert (again.now, again.past, again.future) == (unknown.now, unknown.past, unknown.future)
    first = step.undo(step.undo(again))
    assert first.upload is not None
    assert (first.upload, first.past) == (upload, ())
    assert step.undo(first) is first


def test_a_decision_about_a_sound_upload_is_in_force_at_once_and_can_be_taken_back() -> None:
    upload = Upload.read("etc.csv", b"x,old,new\nrender,1.250,2.400\n")
    begun = step.take_upload(begin("e1"), upload)
    comma, _ = upload.mends
    after = step.take_mend(begun, comma)
    assert after.system.etc.tolist() == [[1250, 2400]]
    assert after.version.title == "etc.csv (edited)"
    assert after.upload is not None
    assert (after.upload.mends, after.upload.mending) == ([], None)
    back = step.undo(after)
    assert (back.version, back.upload) == (begun.version, upload)
    assert step.redo(back).now == after.now


def test_a_decision_that_leaves_something_to_mend_begins_the_mending() -> None:
    upload = Upload.read("etc.csv", b"x,render,train\nold,1,2\nnew,3,\n")
    begun = step.take_upload(begin("e1"), upload)
    spare = RawTable(
        "list.csv", (SheetRow(1, ["Job", "Number"]), SheetRow(2, ["render", "many"])), True
    )
    after = step.take_mend(begun, used_as(upload.tables or {}, spare, "tasks"))
    assert after.upload is not None
    assert after.upload.mending is not None
    assert after.version is begun.version
    assert step.undo(after).upload is upload


def test_undo_brings_back_that_a_pair_is_an_estimate() -> None:
    system = marked(load_sample("two-by-two"), (0, 0), (1, 1))
    before = step.choose(begin("e1"), step.Version(system, Given("log")))
    after = edited(before, float(system.etc[0, 0]))
    assert after.system.estimated is not None
    assert after.system.estimated.tolist() == [[False, False], [False, True]]
    assert after.title == "log (edited)"
    assert step.undo(after).system == system
    assert step.redo(step.undo(after)).system == after.system
    assert set_idle_fraction(after, 0.5).system.estimated_pairs == 1


def test_only_a_system_with_the_same_estimates_is_the_same_version() -> None:
    system = load_sample("two-by-two")
    plain, other = (step.Version(one, Given("log")) for one in (system, marked(system, (0, 0))))
    assert plain.fingerprint != other.fingerprint


def test_where_a_log_says_nothing_of_idle_power_the_usual_share_is_assumed() -> None:
    """An idle power that a log says stays, and one that a person has set; Undo takes it back."""
    bare, given = load_sample("nine"), load_sample("nine").with_idle_fraction(0.1)
    of_log = SeenInLog(
        placement=LogPlacement(bare.task_names, bare.machine_names, np.zeros(bare.etc.shape, int))
    )
    assumed = WithoutWork(USUAL_IDLE_SHARE)
    for system, seen, before, after in (
        (bare, of_log, AS_GIVEN, assumed),
        (given, of_log, AS_GIVEN, AS_GIVEN),
        (bare, NOTHING_SEEN, AS_GIVEN, AS_GIVEN),
        (bare, of_log, WithoutWork(0.5), WithoutWork(0.5)),
    ):
        now = replace(begin("two-by-two"), idle=before)
        taken = step.take_upload(now, Upload("log.txt", system, (), seen=seen))
        assert taken.idle == after
        assert taken.idle_is_proposed == (after == assumed)
        assert step.undo(taken).idle == before
        assert step.redo(step.undo(taken)).idle == after
        assert step.choose_sample(taken, "nine").idle == before


def test_a_system_is_that_of_its_log_also_after_a_person_says_when_tasks_come() -> None:
    version = step.of_sample("university")
    seen = replace(version.seen, placement=None)
    assert seen.arrivals is not None
    typed = seen.arrivals.with_rates(seen.arrivals.rates)
    assert replace(version, seen=SeenInLog(seen.arrivals)).is_of_log
    assert replace(version, seen=replace(seen, arrivals=typed)).is_of_log
    assert not replace(version, seen=SeenInLog(typed)).is_of_log
