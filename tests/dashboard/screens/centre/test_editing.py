"""What a person types or uploads about a centre is in force at once, or says why it is not; nothing
is lost, and an address, a browser and a study file bring it back.
"""

import json
from collections.abc import Callable
from typing import Any

import pytest
from capabilities.centre.files.centre_files import CARBON, USUAL, zipped
from pages import (
    Open,
    charts,
    field,
    html,
    kept,
    opened,
    parameter,
    popovers,
    press,
    put,
    run,
    settled,
    tell,
    visit,
)
from streamlit.testing.v1 import AppTest

from core.capabilities.centre.asked import AskedCentre
from core.capabilities.centre.files.centre_file import CentreFile
from core.engines.signals.kinds import CARBON as CARBON_KIND
from core.engines.signals.kinds import TARGET, TEMPERATURE
from core.shells.studies import inspect_study_bytes
from dashboard.screens.centre.draft import VALUE
from dashboard.screens.centre.state import CentreDesk

pytestmark = pytest.mark.usefixtures("computed_here")

Files = dict[str, Callable[[], bytes]]
QUICK = {"centre_seconds": "0", "centre_methods": "none"}
SMALL = zipped(USUAL)
TABLE = "Table of the centre"


@pytest.fixture
def small(open_page: Open) -> AppTest:
    """The page with the small centre of a person."""
    page = opened(open_page("about", **QUICK), "centre.file", ("small.zip", SMALL))
    return settled(visit(page, "centre"))


def desk(page: AppTest) -> CentreDesk:
    found: CentreDesk = next(reversed(page.session_state["wattfront.centre"].values()))
    return found


def file(page: AppTest) -> CentreFile:
    """The centre that is in force."""
    answered: tuple[str, Any] = page.session_state["wattfront.centre.answered"]
    found: CentreFile = answered[1].file
    return found


def typed(page: AppTest, table: str, row: int, **cells: Any) -> AppTest:
    return settled(tell(page, desk(page).key(table), edited_rows={str(row): cells}))


def test_servers_are_typed_and_taken_back(small: AppTest) -> None:
    before = small.header[0].value
    page = typed(small, "servers", 0, count=9)
    assert file(page).centre.kinds[0].count == 9
    figure = json.loads(charts(page)[0].proto.spec)
    assert any(one["text"].startswith("cpu, 9") for one in figure["layout"]["annotations"])
    key = desk(page).key("servers")
    page = typed(page, "servers", 0, count=9, idle_watts=50.0)
    assert desk(page).key("servers") == key, "who types keeps the place"
    assert file(page).centre.kinds[0].idle_watts == 50
    page = settled(press(settled(press(page, "Undo")), "Undo"))
    assert page.header[0].value == before
    assert file(page).centre.kinds[0].count == 4


def test_a_row_is_added_and_the_editors_begin_anew(small: AppTest) -> None:
    key = desk(small).key("servers")
    added = [{"kind": "new", "count": 3}]
    page = settled(tell(small, key, added_rows=added))
    assert [kind.name for kind in file(page).centre.kinds] == ["cpu", "gpu", "new"]
    assert desk(page).key("servers") != key
    page = settled(tell(page, desk(page).key("servers"), deleted_rows=[2]))
    assert len(file(page).centre.kinds) == 2


def test_a_cell_that_is_refused_stays_and_the_last_valid_centre_is_shown(small: AppTest) -> None:
    put(small, TABLE, "jobs")
    lead = small.header[0].value
    page = typed(small, "jobs", 0, due="noon")
    assert page.error[0].value.startswith("These edits are not in force yet.")
    assert "is no time; give seconds" in html(page)
    assert page.header[0].value == lead
    assert charts(page)
    page = settled(put(page, TABLE, "servers"))
    page = settled(put(page, TABLE, "jobs"))
    assert desk(page).draft.frame("jobs")["due"][0] == "noon"
    page = typed(page, "jobs", 0, due="03:00")
    assert not page.error
    assert file(page).jobs.due[0] == 10800


def test_the_room_is_typed(small: AppTest) -> None:
    page = settled(put(small, TABLE, "room"))
    page = typed(page, "room", 0, **{VALUE: 30.0})
    assert file(page).centre.limit == 30
    page = typed(page, "room", 0, **{VALUE: 10.0})
    assert "above the limit of 10 °C" in html(page)
    assert file(page).centre.limit == 30


def test_a_centre_of_many_jobs_is_not_edited_here(open_page: Open) -> None:
    rows = "job,kind,servers,seconds,release,due,count\n" + 2001 * ",cpu,1,900,0,14400,1\n"
    many = zipped({**USUAL, "jobs.csv": rows})
    page = opened(open_page("about", **QUICK), "centre.file", ("many.zip", many))
    page = settled(visit(page, "centre"))
    assert "2,001 rows, too many to edit here" in page.info[-1].value
    page = settled(put(page, TABLE, "curves"))
    assert not [one for one in page.info if "too many" in one.value]


def curves(page: AppTest) -> dict[str, tuple[str, str]]:
    """What the table of curves says: as each came, and as it was forecast."""
    put(page, TABLE, "curves")
    table = next(one.value for one in page.dataframe if "Curve" in one.value)
    return {row[0]: (row[1], row[2]) for row in table.to_numpy().tolist()}


def given(page: AppTest, name: str, text: str) -> AppTest:
    return settled(opened(page, "centre.curve", (name, text.encode())))


WARM = "time,temperature\n2026-08-01T00:00,31\n2026-08-01T02:00,33\n"


def test_each_curve_says_what_it_is(small: AppTest) -> None:
    assert curves(small) == {
        "Price": ("all day 0.3 EUR a kWh, of the site above", "–"),
        "Carbon intensity": ("4 steps of 1 h", "4 steps of 1 h"),
        "Outside temperature": ("assumed: all day 25 °C", "–"),
        "Target power": ("none: nothing is excess", "–"),
        "Green power": ("assumed: all day 0 W", "–"),
    }


def test_a_curve_is_uploaded_with_its_format_said(small: AppTest) -> None:
    page = given(small, "day.csv", WARM)
    said = html(page)
    assert "day.csv is read as CSV" in said
    assert "Outside temperature: taken over from the file. Undo takes it back." in said
    assert file(page).day().curves.outside.tolist() == [31.0] * 8 + [33.0] * 8
    assert curves(page)["Outside temperature"] == ("2 steps of 2 h", "–")
    page = settled(press(page, "Undo"))
    assert (file(page).day().curves.outside == 25).all()


def test_of_what_its_values_are_is_asked_if_the_file_does_not_say(small: AppTest) -> None:
    page = given(small, "mine.csv", WARM.replace("temperature", "value"))
    assert "mine.csv does not say of what its values are" in html(page)
    assert TEMPERATURE not in file(page).signals.came
    page = settled(press(page, "Outside temperature (°C)"))
    assert file(page).day().curves.outside[0] == 31
    assert "does not say of what" not in html(page)


def test_what_values_cannot_be_is_said_and_the_file_stays(small: AppTest) -> None:
    cold = WARM.replace("temperature", "value").replace("31", "-5")
    page = settled(press(given(small, "mine.csv", cold), "Carbon intensity (g CO2 a kWh)"))
    assert page.error[0].value == "It cannot be read as that. Nothing has changed:"
    assert "-5" in html(page)
    page = settled(press(page, "Outside temperature (°C)"))
    assert not page.error
    assert file(page).day().curves.outside[0] == -5
    page = settled(press(given(page, "mine.csv", cold), "Leave it"))
    assert "of what its values are" not in html(page)


SHORT = "time,carbon\n2026-07-31T23:00Z,100\n2026-08-01T00:00Z,200\n2026-08-01T02:00Z,300\n"


def test_gaps_are_named_and_filled_only_if_asked(small: AppTest) -> None:
    page = given(small, "gaps.csv", SHORT)
    assert page.warning[0].value.startswith("This curve does not have all of the day.")
    assert "Carbon intensity is not known from 02:00 to 03:00." in html(page)
    assert file(page).day().curves.carbon[0] == 157, "nothing has changed"
    page = settled(press(page, "Fill with the last value"))
    assert file(page).day().curves.carbon.tolist() == [100.0] * 4 + [200.0] * 8 + [300.0] * 4
    assert "1 h without data have the last value" in html(page)
    page = settled(press(page, "Undo"))
    assert file(page).day().curves.carbon[0] == 157
    assert "without data" not in html(page)


def test_gaps_are_filled_evenly(small: AppTest) -> None:
    page = settled(press(given(small, "gaps.csv", SHORT), "Fill evenly"))
    assert (
        file(page).day().curves.carbon.tolist()
        == [100.0] * 4 + [200.0] * 4 + [250.0] * 4 + [300.0] * 4
    )


OLD = CARBON.replace("2026", "2025").replace("value", "carbon")


def test_a_curve_of_another_day_changes_nothing(small: AppTest) -> None:
    page = given(small, "old.csv", OLD)
    assert "none of which is in the day of the centre" in html(page)
    assert not [one for one in page.button if one.label.startswith("Fill")]
    page = settled(press(page, "Leave it"))
    assert "none of which" not in html(page)
    assert file(page).signals.came[CARBON_KIND].values[0] == 157


def test_a_curve_of_another_day_is_moved_if_that_is_asked(small: AppTest) -> None:
    """The answer says so until another curve takes its place, and so does a study of it."""
    page = settled(press(given(small, "old.csv", OLD.replace("157", "99")), MOVE))
    assert file(page).signals.came[CARBON_KIND].values[0] == 99
    assert file(page).moved == {CARBON_KIND: 365}
    assert "Assumed: carbon intensity is that of a date 365 d before this day." in html(page)
    page = given(page, "new.csv", OLD.replace("2025", "2026"))
    assert file(page).moved == {}
    assert "Assumed: carbon" not in html(page)


MOVE = "Move it by 365 days to this day"


def test_what_a_moved_curve_lacks_is_asked_next(small: AppTest) -> None:
    page = settled(press(given(small, "gaps.csv", SHORT.replace("2026", "2025")), MOVE))
    assert "Carbon intensity is not known from 02:00 to 03:00." in html(page)
    assert CARBON_KIND not in file(page).moved
    page = settled(press(page, "Fill with the last value"))
    assert file(page).moved == {CARBON_KIND: 365}


def form(page: AppTest, name: str, value: object) -> AppTest:
    return settled(put(settled(put(page, TABLE, "day")), name, value))


def test_the_day_is_typed(small: AppTest) -> None:
    assert field(put(small, TABLE, "day"), "Begins at").value == "2026-08-01T00:00+01:00"
    page = form(small, "Step (min)", 30.0)
    assert (file(page).grid.step, file(page).grid.steps) == (1800, 8)
    page = form(page, "Length (h)", 3.0)
    assert file(page).grid.steps == 6
    page = form(page, "Currency of the centre", " GBP ")
    assert desk(page).edited.currency == "GBP"
    page = form(page, "A kWh left over brings", -0.02)
    page = form(page, "A peak kW costs", 3.0)
    assert (file(page).feed_in, file(page).peak_price) == (-0.02, 3)
    page = form(page, "The fan draws power", "linear")
    assert file(page).centre.cooling.fan_law == "linear"
    page = settled(press(page, "Undo"))
    assert file(page).centre.cooling.fan_law == "cubic"


def test_a_day_that_cannot_be_is_said_and_stays_as_typed(small: AppTest) -> None:
    page = form(small, "Begins at", "noon")
    assert page.error[0].value.startswith("These edits are not in force yet.")
    assert "'noon' is no time" in html(page)
    assert field(page, "Begins at").value == "noon"
    page = form(page, "Begins at", "2026-08-01T01:00+01:00")
    assert "carbon" in html(page), "its curves end before this day does"
    page = form(page, "Length (h)", 3.0)
    assert not page.error
    assert file(page).grid.steps == 12
    page = form(page, "Clock of", "UTC")
    assert file(page).grid.zone == "UTC"
    page = form(page, "Step (min)", 7.0)
    assert "no whole number of steps" in html(page)


def test_a_file_that_is_no_curve_says_where_it_is_wrong(small: AppTest) -> None:
    page = given(small, "<b>bad.csv", "time,carbon\n2026-08-01T00:00Z,much\n")
    assert page.error[0].value.startswith("This file has no curve that can be used.")
    assert "much" in html(page)
    assert "<b>bad.csv" not in html(page)


def test_an_uploaded_target_is_not_hidden_by_one_that_was_typed(small: AppTest) -> None:
    page = settled(put(small, "Target power by hour (kW)", "0:1.5"))
    page = given(page, "target.csv", "time,target (kW)\n2026-08-01T00:00,2\n2026-08-01T02:00,1\n")
    assert file(page).signals.came[TARGET].values.tolist() == [2000, 1000]
    assert "centre_target" not in page.query_params


def test_a_forecast_stands_beside_what_came(small: AppTest) -> None:
    page = given(small, "temperature-forecast.csv", WARM)
    assert (file(page).day("forecast").curves.outside[:8] == 31).all()
    assert field(page, "Plan on the forecast") is not None


def test_what_is_kept_where_is_said(open_page: Open) -> None:
    page = settled(open_page("centre", centre_centre="parasol", **QUICK))
    assert kept(page) == "In this address"
    page = typed(page, "servers", 0, count=60)
    assert kept(page) == "Not saved"
    assert len(parameter(page, "centre_kept")) == 24
    page = settled(press(page, "Undo"))
    assert kept(page) == "In this address"
    assert "centre_kept" not in page.query_params


def test_the_address_brings_an_edited_centre_back(small: AppTest, open_page: Open) -> None:
    page = typed(small, "servers", 0, count=9)
    assert kept(page) == "Not saved"
    again = settled(open_page("centre", centre_kept=parameter(page, "centre_kept"), **QUICK))
    assert file(again).fingerprint == file(page).fingerprint
    assert field(again, "Centre").value == "own"
    gone = settled(open_page("centre", centre_kept="0" * 24, **QUICK))
    assert "the server no longer has the centre of this address" in html(gone)
    assert field(gone, "Centre").value == "london"


def test_a_study_file_brings_it_back(small: AppTest, files: Files, open_page: Open) -> None:
    page = settled(put(small, "Minimise", "carbon"))
    page = settled(put(page, "Target power by hour (kW)", "0:1.5"))
    page = settled(put(page, "Compared with", ["edd"]))
    page = typed(page, "servers", 0, count=9)
    shown, lead = file(page), page.header[0].value
    data = files["Study file (JSON)"]()
    block = json.loads(data)["settings"]["centre"]
    assert (block["minimise"], block["methods"]) == ("carbon", ["edd"])
    assert block["file"]["servers"][1][1] == 9
    study = inspect_study_bytes("study.json", data).require()
    asked = study.settings.block(AskedCentre)
    assert asked is not None
    assert asked.here.fingerprint == shown.fingerprint
    again = settled(opened(open_page("importing"), "importing.file", ("study.json", data)))
    again = settled(visit(again, "centre"))
    assert file(again).fingerprint == shown.fingerprint
    assert again.header[0].value == lead
    assert field(again, "Compared with").value == ["edd"]
    assert kept(again) == "Saved"
    assert labelled(data, files) == block


def labelled(data: bytes, files: Files) -> dict[str, Any]:
    """The centre in the study file that is given now, which is the same byte for byte."""
    now = json.loads(files["Study file (JSON)"]())["settings"]["centre"]
    assert json.dumps(now["file"]) == json.dumps(json.loads(data)["settings"]["centre"]["file"])
    found: dict[str, Any] = now
    return found


def test_a_sample_comes_back_as_a_sample(open_page: Open, files: Files) -> None:
    target = {"centre_target": "0:1.5"}
    settled(open_page("centre", centre_centre="parasol", **target, **QUICK))
    data = files["Study file (JSON)"]()
    again = settled(opened(open_page("importing"), "importing.file", ("study.json", data)))
    again = settled(visit(again, "centre"))
    assert field(again, "Centre").value == "parasol"
    assert parameter(again, "centre_target") == "0:1.5"


def test_a_study_that_never_saw_the_page_has_no_centre(open_page: Open, files: Files) -> None:
    settled(open_page("fair_shares"))
    assert "centre" not in json.loads(files["Study file (JSON)"]())["settings"]


def test_the_report_has_what_the_page_shows(small: AppTest, files: Files) -> None:
    run(small)
    page = files["Report (HTML)"]().decode()
    assert "<h2>A day of the centre</h2>" in page
    assert small.header[0].value in page


def test_a_centre_that_is_too_large_for_a_study_file_says_so(
    small: AppTest, files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.capabilities.centre.asked.MOST_ROWS", 5)
    page = settled(run(small))
    assert any("too large for a study file" in one.value for one in page.caption)
    assert "centre" not in json.loads(files["Study file (JSON)"]())["settings"]


def test_the_site_counts_where_the_centre_says_no_price(small: AppTest, open_page: Open) -> None:
    assert [one for one in popovers(small.main) if "kWh" in one] == ["0.3 EUR/kWh assumed"]
    page = settled(put(small, "Price by hour (EUR per kWh)", "0:0.2 2:0.5"))
    assert file(page).day().curves.price.tolist() == [0.2] * 8 + [0.5] * 8
    assert "Price (EUR a kWh)" in {
        one["text"] for one in json.loads(charts(page)[0].proto.spec)["layout"]["annotations"]
    }
    other = settled(open_page("centre", centre_centre="parasol", **QUICK))
    assert not [one for one in popovers(other.main) if "kWh" in one or "PUE" in one or "dle" in one]


def test_what_is_above_the_page_is_the_centre(small: AppTest) -> None:
    said = html(small)
    assert "6 servers of 2 kinds" in said
    assert "<span>4 h in steps of 15 min</span>" in said
    assert "every pair can run" not in said
