"""A centre that is edited is the one that its files would give, or says what is wrong with them."""

from typing import Any

import numpy as np
import pytest
from capabilities.centre.files.centre_files import TOML, read

from core.capabilities.centre.centre import PhysicalRoom
from core.capabilities.centre.files.centre_file import CentreFile
from core.capabilities.centre.files.centre_reader import inspect_centre
from core.engines.signals.kinds import CARBON, GREEN, SUN
from core.engines.signals.signal import Signal
from core.engines.signals.sun import SolarPanels
from core.files.samples.named import centre_folder
from dashboard.screens.centre.draft import MINUTES, NAME, ROOM, VALUE, CentreDraft, CentreTable
from dashboard.workspace.draft import Change


def small() -> CentreDraft:
    return CentreDraft.of(read())


def edited(
    draft: CentreDraft, table: CentreTable, cells: dict[int, dict[str, Any]], **rows: Any
) -> CentreDraft:
    return draft.changed(table, draft, Change(cells, **rows))


def place(draft: CentreDraft, key: str) -> int:
    return next(k for k, one in enumerate(draft.room) if one.key == key)


def test_nothing_changed_is_the_same_centre() -> None:
    for file in (read(), london()):
        same = CentreDraft.of(file).with_document()
        assert same.is_in_force
        assert same.file.fingerprint == file.fingerprint


def london() -> CentreFile:
    return inspect_centre(centre_folder("london")).require()


def test_servers_are_changed_added_and_deleted() -> None:
    draft = edited(small(), "servers", {0: {"count": 9, "idle_watts": 99.5}})
    first, second = draft.file.centre.kinds
    assert (first.name, first.count, first.idle_watts, first.busy_watts) == ("cpu", 9, 99.5, 300)
    assert second == read().centre.kinds[1]
    draft = edited(draft, "servers", {}, added=[{"kind": "new", "count": 2}])
    assert [kind.count for kind in draft.file.centre.kinds] == [9, 2, 2]
    assert draft.file.centre.kinds[2].busy_watts == 300
    draft = edited(draft, "servers", {}, deleted=[2])
    assert len(draft.file.centre.kinds) == 2


def test_a_kind_that_is_renamed_keeps_its_jobs() -> None:
    draft = edited(small(), "servers", {0: {"kind": "old"}})
    assert draft.is_in_force
    assert [kind.name for kind in draft.file.centre.kinds] == ["old", "gpu"]
    assert draft.file.jobs.kind.tolist() == read().jobs.kind.tolist()
    gone = edited(small(), "servers", {}, deleted=[1])
    assert not gone.is_in_force
    assert gone.file.fingerprint == read().fingerprint, "the last valid one holds"
    assert any("kind" in problem.column for problem in gone.problems)


def test_jobs_have_minutes_and_times_of_the_clock() -> None:
    frame = small().frame("jobs")
    assert frame["release"].tolist() == ["00:00", "00:15", "00:00"]
    assert frame["due"].tolist() == ["02:00", "02:30", "02:00"]
    assert frame[MINUTES].tolist() == [30, 60, 30]
    cells = {1: {"release": "00:30", "due": "03:30", MINUTES: 45.0, "count": 2, "job": "x"}}
    draft = edited(small(), "jobs", cells)
    jobs = draft.file.jobs
    assert (jobs.release[1], jobs.due[1], jobs.seconds[1], jobs.count[1]) == (1800, 12600, 2700, 2)
    assert jobs.name(1) == "x"
    assert draft.frame("jobs").iloc[1].tolist() == ["x", "gpu", 1, 45.0, "00:30", "03:30", 2]
    blank = edited(draft, "jobs", {1: {"release": None, "due": ""}})
    assert blank.file.jobs.release[1] == 0
    assert np.isnan(blank.file.jobs.due[1])


def test_each_time_is_read_as_it_is_shown() -> None:
    """Also by a clock that is moved, and on the day after."""
    file = london()
    draft = CentreDraft.of(file)
    frame = draft.frame("jobs")
    cells = {
        row: {name: frame[name][row] for name in ("release", "due", MINUTES)}
        for row in range(len(frame))
    }
    assert edited(draft, "jobs", cells).file.fingerprint == file.fingerprint


def test_a_time_of_another_day_has_its_date() -> None:
    draft = edited(small(), "jobs", {0: {"due": "2026-08-02T02:00:30"}})
    assert draft.file.jobs.due[0] == 26 * 3600 + 30
    again = CentreDraft.of(draft.file)
    assert again.frame("jobs")["due"][0] == "2026-08-02T02:00:30"
    assert edited(again, "jobs", {0: {"due": "2026-08-02T02:00:30"}}).file.jobs.due[0] == 93630


def test_a_cell_that_cannot_be_read_stays_as_it_was_typed() -> None:
    draft = edited(small(), "jobs", {0: {"due": "noon"}})
    assert not draft.is_in_force
    (problem,) = draft.problems
    assert (problem.file, problem.row, problem.column) == ("centre [jobs]", "row 1", "due")
    assert "is no time" in problem.message
    assert draft.frame("jobs")["due"][0] == "noon"
    assert draft.file.fingerprint == read().fingerprint
    mended = edited(draft, "jobs", {0: {"due": "03:00"}})
    assert mended.is_in_force
    assert mended.file.jobs.due[0] == 10800


def test_jobs_are_added_with_what_is_usual() -> None:
    draft = edited(small(), "jobs", {}, added=[{"kind": "cpu"}], deleted=[0])
    assert draft.file.jobs.seconds.tolist() == [3600, 1800, 3600]
    assert draft.file.jobs.servers.tolist() == [1, 2, 1]
    assert not edited(small(), "jobs", {}, added=[{}]).is_in_force, "which kind is not said"


def test_room_and_cooling_are_numbers_with_their_units() -> None:
    draft = small()
    frame = draft.frame("room")
    assert frame[NAME][place(draft, "limit")] == "Inside, at most (°C)"
    assert frame[VALUE][place(draft, "limit")] == 27
    assert np.isnan(frame[VALUE][place(draft, "rated_kw")])
    changed = edited(draft, "room", {place(draft, "limit"): {VALUE: 30.0}})
    assert changed.file.centre.limit == 30
    room = draft.file.centre.room
    assert isinstance(room, PhysicalRoom)
    assert frame[VALUE][place(draft, "heat_capacity")] == room.capacity
    wrong = edited(draft, "room", {place(draft, "first"): {VALUE: 40.0}})
    assert not wrong.is_in_force
    assert "above the limit of 27 °C" in wrong.problems[0].message
    blank = edited(draft, "room", {place(draft, "leak"): {VALUE: None}})
    assert "is missing" in blank.problems[0].message


def test_a_linear_room_has_its_own_rows() -> None:
    keys = {one.key for one in small().room}
    assert "heat_capacity" in keys
    assert "kept" not in keys
    linear = "kept = 0.9\noutside = 0.05\nper_watt = 1e-4\nfan = 1.5\ncompressor = 2.5\n"
    toml = TOML.replace("heat_capacity = 5e6\nleak = 50\n", linear)
    keys = {one.key for one in CentreDraft.of(read(centre__toml=toml)).room}
    assert "kept" in keys
    assert "leak" not in keys


def test_panels_join_and_leave() -> None:
    draft = CentreDraft.of(london())
    panels = london().signals.panels
    assert panels is not None
    more = edited(draft, "room", {place(draft, "count"): {VALUE: panels.count + 1.0}})
    assert more.file.signals.panels == SolarPanels(
        panels.count + 1, panels.rated_kw, panels.performance_ratio
    )
    cells = {place(draft, one.key): {VALUE: None} for one in ROOM if one.group == "panels"}
    assert edited(draft, "room", cells).file.signals.panels is None


def test_every_number_of_the_room_is_in_force_when_it_is_typed() -> None:
    draft = CentreDraft.of(london())
    for row, one in enumerate(draft.room):
        value = float(draft.frame("room")[VALUE][row])
        other = edited(draft, "room", {row: {VALUE: value * 0.99 + (value == 0) * 0.01}})
        if one.key == "count":
            assert not other.is_in_force, "panels are whole"
            continue
        assert other.is_in_force, (one, other.problems)
        assert other.file.fingerprint != draft.file.fingerprint, one


def curve(kind: Any, value: float, **how: Any) -> Signal:
    grid = read().grid
    return Signal(kind, np.array([grid.begins]), np.array([4 * 3600.0]), np.array([value]), **how)


def test_curves_take_the_place_of_those_of_their_kind() -> None:
    came = small().with_curves([curve(CARBON, 50.0)])
    assert (came.file.day().curves.carbon == 50).all()
    assert not came.file.has_forecast, "what was forecast of another curve is gone"
    issued = np.array([read().grid.begins])
    both = small().with_curves([curve(CARBON, 60.0, issued=issued)])
    assert (both.file.day("forecast").curves.carbon == 60).all()
    assert both.file.day().curves.carbon.tolist() == read().day().curves.carbon.tolist()


def test_green_power_takes_the_place_of_panels() -> None:
    draft = CentreDraft.of(london())
    grid = draft.file.grid
    green = Signal(GREEN, np.array([grid.begins]), np.array([grid.seconds]), np.array([500.0]))
    changed = draft.with_curves([green])
    assert changed.is_in_force, changed.problems
    assert changed.file.signals.panels is None
    assert SUN not in changed.file.signals.came
    assert (changed.file.day().curves.green == 500).all()


@pytest.mark.parametrize("table", ["servers", "room", "jobs"])
def test_what_is_typed_while_something_else_is_wrong_stays(table: CentreTable) -> None:
    wrong = edited(small(), "jobs", {0: {"due": "noon"}})
    cells: dict[str, dict[int, dict[str, Any]]] = {
        "servers": {0: {"count": 7}},
        "room": {place(wrong, "limit"): {VALUE: 28.0}},
        "jobs": {2: {"count": 5}},
    }
    both = edited(wrong, table, cells[table])
    assert not both.is_in_force
    assert both.frame("jobs")["due"][0] == "noon"
    mended = edited(both, "jobs", {0: {"due": "02:00"}})
    assert mended.is_in_force
    centre, jobs = mended.file.centre, mended.file.jobs
    expected = {"servers": (7, 27, 2), "room": (4, 28, 2), "jobs": (4, 27, 5)}[table]
    assert (centre.kinds[0].count, centre.limit, jobs.count[2]) == expected
